"""How the networks were made: rendered scenes, crops with truth, training, export. Never needed at run time."""
