"""Yardsticks: two well-known games on our core, so that its speed can be compared with other systems on the very same games.

They are compiled in one group with the core, as our own games are; `bench/` has the comparisons. They are not on the shelf.
"""
