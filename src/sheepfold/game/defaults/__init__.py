"""What a game is shown and told with that brings only its rules and a notation.

Each module here is what a method of `Game` does where the game has not its own. They rest on three things that every game has: the
notation of its actions, the points of its seats, and its outline.
"""
