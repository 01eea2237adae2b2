"""View models: values of the game turned into words and shapes for a page."""
