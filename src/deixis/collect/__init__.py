"""Studies for people: annotate tangrams and play reference games in a browser; needs `collect`.

A *study* is a file; a *plan* is a study with its trials; the *store* holds all that is known of
people, slots, answers and money; the *flow* says what a person gets next. Pages and platforms only
call these.
"""
