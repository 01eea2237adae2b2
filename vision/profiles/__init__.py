"""Looks of the tiles, as data: one TOML file a profile."""
