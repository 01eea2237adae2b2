"""Every rule of Takenoko in plain words, by topic: what the rules page shows and every refusal points to.

The texts are messages of the catalogue, in English; the page translates them. Ids are those of the project's rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from web.texts import N_


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule."""

    id: str
    text: str
    """The catalogue's id of its plain words."""
    option: str | None = None
    """The option that changes it, if there is one."""


@dataclass(frozen=True, slots=True)
class Topic:
    """Rules that belong together, in the order of play."""

    id: str
    title: str
    rules: tuple[Rule, ...]


TOPICS: tuple[Topic, ...] = (
    Topic(
        "set-up",
        N_("Set-up"),
        (
            Rule("T-SET-1", N_("Two to four people play.")),
            Rule(
                "T-SET-2",
                N_("Everyone is dealt one objective card of each kind (plot, gardener, panda) and keeps them secret."),
            ),
            Rule("T-SET-3", N_("Play goes clockwise. You decide at the table who starts; the record says who it was.")),
        ),
    ),
    Topic(
        "turn",
        N_("The turn"),
        (
            Rule(
                "T-TURN-1",
                N_("Roll the weather die first, from your second turn on. In everyone's first turn nobody rolls."),
            ),
            Rule("T-TURN-2", N_("The effect of the weather comes before the actions.")),
            Rule(
                "T-TURN-3",
                N_(
                    "Take two different actions. With sun you take three different ones; with wind both may be the"
                    " same. You may take fewer: nobody is forced to act."
                ),
                "may_pass_actions",
            ),
            Rule(
                "T-TURN-4",
                N_(
                    "Placing your stored channels and chips and fulfilling objectives costs no action. You may do it"
                    " as often as you like at any moment of your turn after the roll, even before the weather takes"
                    " effect and between actions."
                ),
            ),
            Rule("T-TURN-5", N_("Your turn is over when you say so.")),
        ),
    ),
    Topic(
        "weather",
        N_("Weather"),
        (
            Rule("T-WEA-1", N_("Sun: take one more action, different from your others.")),
            Rule(
                "T-WEA-2",
                N_("Rain: one section grows on any irrigated plot; two with fertilizer, never above four."),
            ),
            Rule("T-WEA-3", N_("Wind: your two actions may be the same kind.")),
            Rule(
                "T-WEA-4",
                N_(
                    "Storm: put the panda on any plot, where it eats one section. An enclosure still protects the"
                    " bamboo. The pond is not a plot."
                ),
                "storm_stay",
            ),
            Rule(
                "T-WEA-5",
                N_("Clouds: take one improvement chip that is left; place it at once or store it."),
                "store_chips",
            ),
            Rule("T-WEA-6", N_("Clouds with no chip left: choose sun, rain, wind or storm instead.")),
            Rule("T-WEA-7", N_("Question mark: choose any of the other five faces.")),
            Rule(
                "T-WEA-8",
                N_(
                    "You need not use the effect of the weather, but say so before you act or end your turn. If no"
                    " irrigated plot can grow (rain) or the garden has no plot (storm), all you can do is decline."
                ),
            ),
        ),
    ),
    Topic(
        "plot",
        N_("Action: plot"),
        (
            Rule(
                "T-PLOT-1",
                N_(
                    "Draw three plots (or all that are left), lay one, and put the others under the stack in any"
                    " order. With no plots left this action cannot be taken."
                ),
            ),
            Rule(
                "T-PLOT-2",
                N_(
                    "Lay the plot on an empty place that touches the pond by a side or at least two plots by sides."
                    " Touching corners does not count."
                ),
            ),
            Rule("T-PLOT-3", N_("Only a plot that is still in the box can be laid.")),
        ),
    ),
    Topic(
        "channel",
        N_("Action: channel"),
        (
            Rule(
                "T-CHAN-1",
                N_("Take one channel: place it at once or store it. With none left this action cannot be taken."),
                "store_channels",
            ),
            Rule("T-CHAN-2", N_("A channel lies on the side between two plots that are both laid.")),
            Rule("T-CHAN-3", N_("No channel lies on a side of the pond."), "channel_on_pond_edge"),
            Rule(
                "T-CHAN-4",
                N_(
                    "A channel joins the water: it begins at a corner of the pond or where another channel ends. A"
                    " watershed is no place to begin."
                ),
            ),
            Rule("T-CHAN-5", N_("Each side holds at most one channel.")),
        ),
    ),
    Topic(
        "move",
        N_("Actions: gardener and panda"),
        (
            Rule("T-MOVE-1", N_("A figure moves one or more places in a straight line.")),
            Rule(
                "T-MOVE-2",
                N_("A figure never crosses an empty place or stops on one. It may cross the pond and stop there."),
            ),
            Rule("T-MOVE-3", N_("A figure has no effect where it stands: it has to move.")),
            Rule(
                "T-GARD-1",
                N_(
                    "Where the gardener stops, one section grows, and one on every neighbouring plot of the same"
                    " colour: each only if it is irrigated and has fewer than four. If he stops on a dry plot, its"
                    " irrigated neighbours of the same colour still grow. On the pond nothing grows."
                ),
            ),
            Rule(
                "T-PAND-1",
                N_(
                    "Where the panda stops, it eats one section, which goes to your board. It eats nothing where no"
                    " bamboo stands or where there is an enclosure."
                ),
            ),
        ),
    ),
    Topic(
        "draw",
        N_("Action: objective"),
        (
            Rule("T-DRAW-1", N_("Draw the top card of one of the three decks.")),
            Rule("T-DRAW-2", N_("With five cards in hand you cannot draw.")),
            Rule("T-DRAW-3", N_("You cannot draw from an empty deck.")),
        ),
    ),
    Topic(
        "water",
        N_("Water and growth"),
        (
            Rule(
                "T-WATER-1",
                N_(
                    "A plot is irrigated if it touches the pond by a side, if a channel lies on one of its sides, or"
                    " if it has a watershed."
                ),
            ),
            Rule(
                "T-GROW-1",
                N_(
                    "When a plot is irrigated for the first time, one section of its colour grows, once in the game."
                    " A plot that was eaten empty does not grow again by itself. A plot never loses its water."
                ),
            ),
            Rule("T-GROW-2", N_("One channel may start growth on both sides.")),
            Rule(
                "T-GROW-3",
                N_("With fertilizer two sections grow each time: at the first water, from the gardener, from rain."),
            ),
            Rule("T-GROW-4", N_("No stalk is higher than four sections.")),
            Rule("T-GROW-5", N_("If the bamboo runs out, use something else for it: growth is never lost.")),
        ),
    ),
    Topic(
        "chip",
        N_("Improvements"),
        (
            Rule(
                "T-CHIP-1",
                N_("A chip goes on a plot that has no improvement, neither printed nor as a chip."),
                "improve_while_laying",
            ),
            Rule("T-CHIP-2", N_("A chip goes on a plot on which no bamboo stands.")),
            Rule("T-CHIP-3", N_("A chip is never moved or exchanged.")),
            Rule(
                "T-CHIP-4",
                N_(
                    "You can only place a chip that you stored or take right now. A watershed on a dry plot brings"
                    " water, and bamboo grows at once."
                ),
            ),
        ),
    ),
    Topic(
        "objectives",
        N_("Fulfilling objectives"),
        (
            Rule(
                "T-OBJ-1",
                N_(
                    "Fulfil objectives in your own turn, without using an action, as many as you like. Later changes"
                    " of the garden do not undo them."
                ),
            ),
            Rule("T-OBJ-2", N_("You can only fulfil a card that is in your hand.")),
            Rule("T-OBJ-3", N_("What the card asks for must be there now. All plots of a pattern must be irrigated.")),
            Rule("T-OBJ-4", N_("Heights are exact: a stalk of four is not a stalk of three.")),
            Rule(
                "T-OBJ-5",
                N_("The gardener must stand on a plot that meets the gardener card. This holds only with its option."),
                "gardener_presence",
            ),
            Rule(
                "T-OBJ-6",
                N_("A panda card is paid with bamboo from your own board. The same section never pays twice."),
            ),
            Rule(
                "T-OBJ-7",
                N_(
                    "A plot or gardener card that is met already when you draw it goes back under its deck, and the"
                    " action is not spent. This holds only with its option; without it you may fulfil the card at once."
                ),
                "discard_fulfilled_draw",
            ),
        ),
    ),
    Topic(
        "end",
        N_("The end of the game"),
        (
            Rule(
                "T-END-1",
                N_(
                    "The first to fulfil nine objectives (with three players eight, with four players seven) takes the"
                    " Emperor, worth 2 points, and finishes the turn. Then everyone else has exactly one more turn."
                ),
            ),
            Rule("T-END-2", N_("Your score is the points of your fulfilled cards, and 2 if you have the Emperor.")),
            Rule("T-END-3", N_("If scores are tied, more panda points win; if those are tied too, you share the win.")),
            Rule("T-END-4", N_("You may all agree to stop at any time. Nobody takes the Emperor for that.")),
        ),
    ),
    Topic(
        "record",
        N_("What the companion itself refuses"),
        (
            Rule("format", N_("The companion could not read what was entered.")),
            Rule("position", N_("The table cannot look like this: the pieces do not add up.")),
            Rule("option", N_("An option that is switched off would be needed for this.")),
        ),
    ),
)

OPTIONS: Mapping[str, str] = MappingProxyType(
    {
        "plot_count_26": N_("Play with 26 plots: one plain green plot stays out."),
        "mirror_patterns": N_("Mirror images of plot patterns count too."),
        "channel_on_pond_edge": N_("A channel may lie on a side of the pond, though it brings nothing."),
        "gardener_presence": N_("For a gardener card the gardener must stand on a plot that meets it."),
        "discard_fulfilled_draw": N_("A drawn card that is met already is put back, and you may act again."),
        "improve_while_laying": N_("A stored chip may be put on a plot as you lay it, before bamboo grows there."),
        "storm_stay": N_("The storm may leave the panda where it is, and it eats there."),
        "may_pass_actions": N_("You may end your turn before you took all your actions."),
        "store_channels": N_("A channel that you take may be stored; otherwise it is placed at once."),
        "store_chips": N_("A chip that you take may be stored; otherwise it is placed at once."),
    }
)
"""What each named option changes."""

RULES: Mapping[str, Rule] = MappingProxyType({rule.id: rule for topic in TOPICS for rule in topic.rules})
"""Every rule by its id."""
