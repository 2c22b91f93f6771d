"""A game in progress: who sits where, the log of what happened, clocks and storage. The log of events is the truth.

`Table` is one game in memory, `Store` keeps the log in a database, `Tables` has all tables and is what the web page talks to; `Writer`,
`Listeners`, `BotPlayers` and `Clocks` are its parts.
"""
