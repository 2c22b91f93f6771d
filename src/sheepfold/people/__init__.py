"""People: who comes back. Whose a device is and where its person sits; with no account, and nothing kept that nobody asked for."""
