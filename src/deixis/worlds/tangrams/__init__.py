"""The world `figures`, step by step: layouts laid by hand, poses drawn from them, and words."""
