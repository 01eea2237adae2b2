"""Rulesets, editions and rule variants in words, for the page that begins a game."""

from __future__ import annotations

from web.texts import _


def ruleset_word(ruleset: str) -> str:
    """The name of a ruleset."""
    names = {"classic": _("Classic (the old base edition)"), "bga": _("As played on Board Game Arena")}
    return names.get(ruleset, ruleset)


def edition_word(edition: str) -> str:
    """The name of a box."""
    names = {"base": _("Base game"), "base-two-fertilizers": _("Base game, green fertilizer twice")}
    return names.get(edition, edition)


def option_word(option: str) -> str:
    """What a variant means when it is ticked."""
    names = {
        "plot_count_26": _("The box holds 26 plots: one plain green one less"),
        "mirror_patterns": _("Mirror images of plot patterns count"),
        "channel_on_pond_edge": _("A channel may lie on an edge of the pond (to no effect)"),
        "gardener_presence": _("For a gardener card the gardener must stand on a plot that meets it"),
        "discard_fulfilled_draw": _("A drawn card that is met already goes back; draw again"),
        "improve_while_laying": _("A stored chip may be put on a plot as it is laid"),
        "storm_stay": _("The storm may leave the panda on its own plot"),
        "may_pass_actions": _("A turn may end before all actions are taken"),
        "store_channels": _("Channels may be stored"),
        "store_chips": _("Chips may be stored"),
    }
    return names.get(option, option)
