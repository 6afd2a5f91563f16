"""The 2017 study of cooperation in visual dialog: which of their inputs do the bots use?"""
