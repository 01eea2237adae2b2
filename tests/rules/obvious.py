"""The rules once more, slow and obvious: plain dictionaries, nothing remembered, nothing shared with the real ones.

It works on the JSON of a position, with text for everything, and lists by trying: every move that can be written down
over a stretch of table is asked for one by one.
"""

from __future__ import annotations

import copy
from itertools import product

COLOURS = ("green", "yellow", "pink")
CHIPS = ("watershed", "enclosure", "fertilizer")
WEATHERS = ("sun", "rain", "wind", "storm", "clouds")
WAYS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
DECKS = ("plot", "gardener", "panda")
BOX = {
    **{f"green{i}": n for i, n in (("", 6), ("/watershed", 2), ("/enclosure", 2), ("/fertilizer", 1))},
    **{f"yellow{i}": n for i, n in (("", 6), ("/watershed", 1), ("/enclosure", 1), ("/fertilizer", 1))},
    **{f"pink{i}": n for i, n in (("", 4), ("/watershed", 1), ("/enclosure", 1), ("/fertilizer", 1))},
}
SHAPES = {
    "line": [(0, 0), (0, 1), (0, 2)],
    "curve": [(0, 0), (-1, 1), (-1, 2)],
    "triangle": [(0, 0), (-1, 1), (0, 1)],
    "diamond": [(0, 0), (-1, 1), (0, 1), (-1, 2)],
}
THRESHOLD = {2: 9, 3: 8, 4: 7}
GROUPS = {"green": 4, "yellow": 3, "pink": 2}
PAY = {
    "panda-green": (2, 0, 0),
    "panda-yellow": (0, 2, 0),
    "panda-pink": (0, 0, 2),
    "panda-mixed": (1, 1, 1),
}


def cell(text):
    q, r = text.split(",")
    return int(q), int(r)


def name(at):
    return f"{at[0]},{at[1]}"


def around(at):
    return [(at[0] + q, at[1] + r) for q, r in WAYS]


def edge_name(a, b):
    return "|".join(name(c) for c in sorted((a, b), reverse=True))


def split(plot):
    """Colour, mark ("" , "/" or "+"), improvement, height."""
    kind, height = plot.split(" ")
    for mark in ("/", "+"):
        if mark in kind:
            colour, improvement = kind.split(mark)
            return colour, mark, improvement, int(height)
    return kind, "", "", int(height)


class Table:
    """A position that can be asked and played on."""

    def __init__(self, position, options):
        self.p = copy.deepcopy(position)
        self.options = options

    # What follows from the facts

    def plots(self):
        return {cell(at): split(plot) for at, plot in self.p["plots"].items()}

    def wet(self, at):
        plots = self.plots()
        if at not in plots:
            return False
        if (0, 0) in around(at) or plots[at][2] == "watershed":
            return True
        return any(edge_name(at, other) in self.p["channels"] for other in around(at))

    def box(self):
        left = dict(BOX)
        if self.options["plot_count_26"]:
            left["green"] -= 1
        for colour, mark, improvement, _ in self.plots().values():
            left[f"{colour}/{improvement}" if mark == "/" else colour] -= 1
        return left

    def chips_left(self):
        left = dict.fromkeys(CHIPS, 3)
        for _, mark, improvement, _ in self.plots().values():
            if mark == "+":
                left[improvement] -= 1
        for seat in self.p["seats"]:
            for chip in CHIPS:
                left[chip] -= seat["chips"][chip]
        return left

    def channels_left(self):
        return 20 - len(self.p["channels"]) - sum(seat["channels"] for seat in self.p["seats"])

    def deck_left(self, deck):
        out = 0
        for seat in self.p["seats"]:
            out += seat["hidden"][deck] + sum(card.startswith(deck) for card in seat["hand"] + seat["claimed"])
        return 15 - out

    def met(self, card):
        deck, colour, what = card.split("-", 2)
        if deck == "gardener":
            return self.gardener_met(colour, what)
        cells = SHAPES[what] if what in SHAPES else SHAPES["diamond"]
        colours = [colour] * len(cells)
        if what not in SHAPES:
            other = what.split("-")[0]
            colours = [colour if at in ((0, 0), (0, 1)) else other for at in cells]
        plots = self.plots()
        for turns, flip, start in product(range(6), (False, True), plots):
            if flip and not self.options["mirror_patterns"]:
                continue
            places = []
            for q, r in cells:
                q, r = (r, q) if flip else (q, r)
                for _ in range(turns):
                    q, r = -r, q + r
                places.append((start[0] + q, start[1] + r))
            if all(at in plots and plots[at][0] == c and self.wet(at) for at, c in zip(places, colours, strict=True)):
                return True
        return False

    def gardener_met(self, colour, what):
        height = 3 if what == "group" else 4
        good = []
        for at, (c, _, improvement, bamboo) in self.plots().items():
            if c == colour and bamboo == height and what in ("group", improvement or "plain"):
                good.append(at)
        if len(good) < (GROUPS[colour] if what == "group" else 1):
            return False
        return not self.options["gardener_presence"] or cell(self.p["gardener"]) in good

    def corners(self, a, b):
        """The two ends of an edge, each as the three cells that meet there."""
        return [frozenset((a, b, c)) for c in around(a) if c in around(b)]

    def channel_fits(self, a, b):
        plots = self.plots()
        pond = (0, 0) in (a, b)
        if pond and not self.options["channel_on_pond_edge"]:
            return False
        if any(c != (0, 0) and c not in plots for c in (a, b)) or edge_name(a, b) in self.p["channels"]:
            return False
        for corner in self.corners(a, b):
            if (0, 0) in corner:
                return True
            for channel in self.p["channels"]:
                if corner in self.corners(*map(cell, channel.split("|"))):
                    return True
        return False

    def chip_fits(self, at):
        return at in self.plots() and self.plots()[at][1] == "" and self.plots()[at][3] == 0

    def walks(self, start, to):
        plots = self.plots()
        for q, r in WAYS:
            for steps in range(1, 30):
                at = (start[0] + q * steps, start[1] + r * steps)
                if at not in plots and at != (0, 0):
                    break
                if at == to:
                    return True
        return False

    # What can be done

    def cells(self):
        reach = 2 + max([abs(n) for at in self.plots() for n in at], default=0)
        return list(product(range(-reach, reach + 1), repeat=2))

    def edges(self):
        return {edge_name(a, b): (a, b) for a in self.cells() for b in around(a)}

    def moves(self):
        turn = self.p["turn"]
        if turn is None:
            return set()
        found = {"stop"}
        if turn["weather"] is None and turn["number"] > 1:
            return found | {f"roll {face}" for face in (*WEATHERS, "choice")}
        if "drawn" in turn:
            return found | {f"discard {turn['drawn']}"}
        seat = self.p["seats"][turn["seat"]]
        if seat["channels"]:
            found |= {f"irrigate {edge}" for edge, (a, b) in self.edges().items() if self.channel_fits(a, b)}
        for chip in CHIPS:
            if seat["chips"][chip]:
                found |= {f"improve {name(at)} {chip}" for at in self.cells() if self.chip_fits(at)}
        for card in seat["hand"]:
            if card in PAY:
                can = all(seat["bamboo"][c] >= n for c, n in zip(COLOURS, PAY[card], strict=True))
            else:
                can = self.met(card)
            if can:
                found.add(f"claim {card}")
        if turn["weather_pending"]:
            return found | self.effects(turn["weather"])
        actions = self.actions()
        if self.options["may_pass_actions"] or not actions:
            found.add("end")
        return found | actions

    def effects(self, weather):
        found = {"skip"}
        if weather == "rain":
            found |= {f"rain {name(at)}" for at, plot in self.plots().items() if self.wet(at) and plot[3] < 4}
        elif weather == "storm":
            stay = self.options["storm_stay"]
            found |= {f"storm {name(at)}" for at in self.plots() if stay or name(at) != self.p["panda"]}
        elif weather == "choice":
            found |= {f"weather {other}" for other in WEATHERS}
        elif any(self.chips_left().values()):
            for chip in (chip for chip, count in self.chips_left().items() if count):
                if self.options["store_chips"]:
                    found.add(f"chip {chip}")
                found |= {f"chip {chip} {name(at)}" for at in self.cells() if self.chip_fits(at)}
        else:
            found |= {f"weather {other}" for other in WEATHERS if other != "clouds"}
        return found

    def actions(self):
        turn, seat = self.p["turn"], self.p["seats"][self.p["turn"]["seat"]]
        taken = turn["actions"]
        if len(taken) >= (3 if turn["weather"] == "sun" else 2):
            return set()
        twice = turn["weather"] == "wind"
        plots = self.plots()
        found = set()
        if twice or "plot" not in taken:
            for at in self.cells():
                beside = [other for other in around(at) if other in plots]
                if at == (0, 0) or at in plots or ((0, 0) not in around(at) and len(beside) < 2):
                    continue
                for kind, count in self.box().items():
                    if count > 0:
                        found.add(f"plot {kind} {name(at)}")
                        if self.options["improve_while_laying"] and "/" not in kind:
                            found |= {f"plot {kind} {name(at)} +{chip}" for chip in CHIPS if seat["chips"][chip]}
        if (twice or "channel" not in taken) and self.channels_left():
            if self.options["store_channels"]:
                found.add("channel")
            found |= {f"channel {edge}" for edge, (a, b) in self.edges().items() if self.channel_fits(a, b)}
        for who in ("gardener", "panda"):
            if twice or who not in taken:
                found |= {f"{who} {name(at)}" for at in self.cells() if self.walks(cell(self.p[who]), at)}
        if (twice or "objective" not in taken) and len(seat["hand"]) + sum(seat["hidden"].values()) < 5:
            found |= {f"draw {deck}" for deck in DECKS if self.deck_left(deck)}
        return found

    # What it does

    def grow(self, at):
        colour, mark, improvement, height = self.plots()[at]
        height = min(4, height + (2 if improvement == "fertilizer" else 1))
        self.p["plots"][name(at)] = f"{colour}{mark}{improvement} {height}"

    def bite(self, at):
        if at not in self.plots():
            return
        colour, mark, improvement, height = self.plots()[at]
        if height and improvement != "enclosure":
            self.p["plots"][name(at)] = f"{colour}{mark}{improvement} {height - 1}"
            self.p["seats"][self.p["turn"]["seat"]]["bamboo"][colour] += 1

    def lay_channel(self, edge):
        dry = [at for at in map(cell, edge.split("|")) if at != (0, 0) and not self.wet(at)]
        self.p["channels"] = sorted([*self.p["channels"], edge])
        for at in dry:
            self.grow(at)

    def lay_chip(self, at, chip):
        dry = not self.wet(at)
        self.p["plots"][name(at)] = f"{self.plots()[at][0]}+{chip} 0"
        if dry and chip == "watershed":
            self.grow(at)

    def play(self, text):
        """The table after a legal move."""
        after = Table(self.p, self.options)
        word, *rest = text.split()
        turn = after.p["turn"]
        seat = after.p["seats"][turn["seat"]] if turn else None
        action = {"draw": "objective"}.get(word, word)
        if action in ("plot", "channel", "gardener", "panda", "objective"):
            turn["actions"].append(action)
        if word in ("rain", "storm", "skip", "chip"):
            turn["weather_pending"] = False
        match [word, *rest]:
            case ["roll" | "weather", face]:
                turn["weather"] = face
                turn["weather_pending"] = face not in ("sun", "wind")
            case ["rain", at]:
                after.grow(cell(at))
            case ["storm", at]:
                after.p["panda"] = at
                after.bite(cell(at))
            case ["chip", chip]:
                seat["chips"][chip] += 1
            case ["chip", chip, at]:
                after.lay_chip(cell(at), chip)
            case ["plot", kind, at, *chip]:
                if chip:
                    kind = f"{kind}{chip[0]}"
                    seat["chips"][chip[0][1:]] -= 1
                after.p["plots"][at] = f"{kind} 0"
                if after.wet(cell(at)):
                    after.grow(cell(at))
            case ["channel"]:
                seat["channels"] += 1
            case ["channel", edge]:
                after.lay_channel(edge)
            case ["irrigate", edge]:
                seat["channels"] -= 1
                after.lay_channel(edge)
            case ["improve", at, chip]:
                seat["chips"][chip] -= 1
                after.lay_chip(cell(at), chip)
            case ["gardener", at]:
                after.p["gardener"] = at
                plots = after.plots()
                for other in (cell(at), *around(cell(at))):
                    same = cell(at) in plots and other in plots and plots[other][0] == plots[cell(at)][0]
                    if same and after.wet(other):
                        after.grow(other)
            case ["panda", at]:
                after.p["panda"] = at
                after.bite(cell(at))
            case ["draw", deck]:
                seat["hidden"][deck] += 1
            case ["draw", deck, card]:
                seat["hand"].append(card)
                if self.options["discard_fulfilled_draw"] and deck != "panda" and after.met(card):
                    turn["drawn"] = card
            case ["discard", card]:
                seat["hand"].remove(card)
                turn["actions"].pop()
                del turn["drawn"]
            case ["claim", card]:
                seat["hand"].remove(card)
                seat["claimed"].append(card)
                if card in PAY:
                    for colour, price in zip(COLOURS, PAY[card], strict=True):
                        seat["bamboo"][colour] -= price
                reached = len(seat["claimed"]) >= THRESHOLD[len(after.p["seats"])]
                if reached and not any(other["emperor"] for other in after.p["seats"]):
                    seat["emperor"] = True
            case ["end"]:
                after.end()
            case ["stop"]:
                after.p["turn"], after.p["over"] = None, True
        return after

    def end(self):
        """Seat 0 always began in the tests that use this."""
        turn, seats = self.p["turn"], self.p["seats"]
        following = (turn["seat"] + 1) % len(seats)
        if seats[following]["emperor"]:
            self.p["turn"], self.p["over"] = None, True
            return
        number = turn["number"] + (following == 0)
        self.p["turn"] = {
            "seat": following,
            "number": number,
            "weather": None,
            "weather_pending": False,
            "actions": [],
        }

    def facts(self):
        """The position in the order in which the real one is written."""
        plots = dict(sorted(self.p["plots"].items(), key=lambda item: cell(item[0])))
        channels = sorted(self.p["channels"], key=lambda edge: [cell(at) for at in edge.split("|")])
        return {**self.p, "plots": plots, "channels": channels}


def count(table, depth):
    """How many sequences of this many moves there are."""
    if depth == 0:
        return 1
    return sum(count(table.play(move), depth - 1) for move in table.moves())
