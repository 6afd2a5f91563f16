"""Q-bot and A-bot: recurrent networks that ask, answer and guess (torch)."""
