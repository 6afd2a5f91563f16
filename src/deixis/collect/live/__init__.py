"""Two people, or a person and a bot, talk about a picture that one of them sees."""
