"""Pages for the printer, with fonts for all three languages embedded as subsets."""
