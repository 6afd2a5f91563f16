"""Prolific: who arrives, completion codes, approval, bonuses; reconciled, never assumed."""
