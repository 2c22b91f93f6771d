"""People: who comes back. Whose a device is and where its person sits; an account for who likes, and nothing kept that nobody asked for."""
