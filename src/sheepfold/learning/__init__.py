"""Learning: nets that teach themselves the games, by playing against themselves and learning from what search found.

`self_play` makes games, `network` learns from them, `training` goes round and round, and can be stopped and resumed at any time.
"""
