"""Research: the games as environments of OpenSpiel, PettingZoo and Gymnasium.

Nothing here is needed to play, and what it rests on is optional: a module whose library is missing says what to type.
"""
