"""Heads on pre-trained models: what makes judges of pairs out of matchers of single pictures."""
