"""The browser's side: HTTP, live updates, pages. Everything that leaves here about a game is a scene or a story made from `seen_by`."""
