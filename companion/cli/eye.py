"""`companion observe` and `companion evaluate`: what the eye makes of pictures, and how right it is."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.errors import BadInputError, ImpossiblePositionError
from companion.games.title import DEFAULT_EDITION
from vision.picture_files import camera_beside, pictures

if TYPE_CHECKING:
    from companion.games.takenoko.state import State
    from companion.observation import ExpectedLook
    from vision.pipeline import Eye, Sighting

_Commands = argparse._SubParsersAction  # the only name that argparse gives it


def register(commands: _Commands[argparse.ArgumentParser]) -> None:
    """Add both commands."""
    observe = commands.add_parser("observe", help="say what lies on the table in a picture")
    observe.add_argument("images", nargs="+", type=Path, metavar="IMAGE|FOLDER")
    observe.add_argument("--camera", type=Path, help="camera file (default: NAME.camera.json or camera.json beside it)")
    observe.add_argument("--position", type=Path, help="the position that should lie there: it turns east, no more")
    observe.add_argument("--json", action="store_true", help="one JSON object a picture")
    observe.add_argument("--overlay", type=Path, metavar="DIR", help="write pictures of what was seen and how surely")
    observe.set_defaults(handler=_observe)
    evaluate = commands.add_parser("evaluate", help="score the eye on pictures whose truth is known")
    evaluate.add_argument("folder", type=Path, metavar="DIR", help="pictures with NAME.truth.json and NAME.camera.json")
    evaluate.add_argument("--json", action="store_true", help="one JSON object")
    evaluate.add_argument("--each", action="store_true", help="also a line a picture")
    evaluate.add_argument("--baseline", type=Path, help="fail where a figure falls under those in this file")
    evaluate.add_argument("--write-baseline", type=Path, metavar="FILE", help="write the figures as a new baseline")
    evaluate.set_defaults(handler=_evaluate)


def _observe(args: argparse.Namespace) -> int:
    expected = None if args.position is None else read_look(args.position)
    looker = Looker(args.camera, expected)
    if args.overlay is not None:
        args.overlay.mkdir(parents=True, exist_ok=True)
    seen_any = False
    for path in pictures(args.images):
        facts, sighting = looker.look(path)
        seen_any |= facts["status"] != "no_table"
        if args.overlay is not None and sighting is not None:
            _write_overlay(args.overlay / f"{path.stem}.png", path, sighting)
        if args.json:
            print(json.dumps(facts), flush=True)
        else:
            print(described(facts), flush=True)
    return 0 if seen_any else 1


def _write_overlay(target: Path, picture: Path, sighting: Sighting) -> None:
    import cv2

    from vision.images import read_image
    from vision.overlay import overlay

    if not cv2.imwrite(str(target), overlay(read_image(picture), sighting)):
        raise BadInputError(f"{target}: cannot be written; is the folder writable?")


class Looker:
    """Looks at pictures one after the other; an eye is built once for each camera file."""

    def __init__(self, camera: Path | None, expected: ExpectedLook | None = None) -> None:
        """Keep what holds for all pictures.

        Args:
            camera: the camera file for all; None: the one beside each picture.
            expected: the garden that should lie there.
        """
        self._camera = camera
        self._expected = expected
        self._eyes: dict[str, Eye] = {}

    def look(self, path: Path) -> tuple[dict[str, Any], Sighting | None]:
        """What one picture shows, in the public form; never raises for a bad picture or camera file."""
        from companion.observation import Observation, Status
        from companion.remarks import Remark
        from vision.images import read_image
        from vision.observation_json import observation_to_json

        try:
            image = read_image(path)
            sighting = self._eye(path).sight(image, self._expected)
        except BadInputError as error:
            return observation_to_json(
                Observation(Status.NO_TABLE, Remark("eye.no_look_possible", {"why": str(error)})), path.name
            ), None
        return observation_to_json(sighting.observation, path.name), sighting

    def _eye(self, picture: Path) -> Eye:
        from vision.camera_file import load_camera_file
        from vision.pipeline import Eye

        camera = load_camera_file(self._camera if self._camera is not None else camera_beside(picture))
        key = repr(camera)
        if key not in self._eyes:
            self._eyes = {key: Eye(camera)}
        return self._eyes[key]


def read_look(path: Path) -> ExpectedLook:
    """What a position file (formats, section 3) says of the garden, which must be one that some box and rules allow.

    Raises:
        BadInputError: naming the file, and what cannot be read in it or every reason why it cannot occur.
    """
    from companion.observation import ExpectedLook, ExpectedPlot, Marking

    try:
        data = json.loads(path.read_text(encoding="utf-8-sig"))
        if not isinstance(data, dict):
            raise TypeError("expected a JSON object with `plots`, `channels`, `gardener`, `panda`")
    except RecursionError:
        raise BadInputError(f"{path}: not a position: nested too deeply") from None
    except (OSError, ValueError, TypeError) as error:
        raise BadInputError(f"{path}: not a position: {error}") from None
    garden = {key: data[key] for key in _SEEN if data.get(key) is not None}
    try:
        state = _garden(garden)
    except ImpossiblePositionError as error:
        raise BadInputError(f"{path}: not a position: {error}") from None
    return ExpectedLook(
        {at: ExpectedPlot(p.colour, Marking(p.improvement, p.chip), p.bamboo) for at, p in state.plots.items()},
        state.channels,
        state.gardener if "gardener" in garden else None,
        state.panda if "panda" in garden else None,
    )


_SEEN = ("plots", "channels", "gardener", "panda")
"""The keys of a position that a camera can see."""


def _garden(facts: dict[str, Any]) -> State:
    """A garden that can occur with the pieces of one of the boxes.

    Raises:
        ImpossiblePositionError: with every reason why it cannot, by the usual box.
    """
    from companion.games.takenoko.edition import edition_names
    from companion.games.takenoko.position import position_from_json
    from companion.games.takenoko.rules import rules_for

    refused: ImpossiblePositionError | None = None
    for edition in sorted(edition_names(), key=lambda name: name != DEFAULT_EDITION):
        # The rules are not named: those that allow the most on the table.
        rules = rules_for(options={"channel_on_pond_edge": True}, edition=edition)
        try:
            return position_from_json(facts, rules, ("A", "B"))
        except ImpossiblePositionError as error:
            refused = refused or error
    assert refused is not None  # there is a box
    raise refused


def described(facts: dict[str, Any]) -> str:
    """An observation in a few lines for a person."""
    lines = [f"{facts['image']}: {facts['status']}" + (f" ({facts['reason']})" if facts["reason"] else "")]
    lines += [f"  note: {warning}" for warning in facts["warnings"]]
    for plot in facts["plots"]:
        mark = f"/{plot['improvement']}" if plot["improvement"] else f"+{plot['chip']}" if plot["chip"] else ""
        sure = f"plot {plot['p']:.2f}, mark {plot['improvement_p']:.2f}, height {plot['bamboo_p'][plot['bamboo']]:.2f}"
        lines.append(f"  {plot['at']:>6}  {plot['colour']}{mark} {plot['bamboo']:<3} {sure}")
    lines += [f"  channel {one['edge']}  {one['p']:.2f}" for one in facts["channels"]]
    lines += [f"  {name} {facts[name]['at']}  {facts[name]['p']:.2f}" for name in ("gardener", "panda") if facts[name]]
    lines += [f"  hidden {at}  {share:.2f}" for at, share in facts["hidden"]["cells"].items()]
    return "\n".join(lines)


def _evaluate(args: argparse.Namespace) -> int:
    from vision.evaluate import Score, falls, figures, score_observation, score_table, truths_in

    looker = Looker(None)
    scores = []
    for picture, truth in truths_in(args.folder):
        facts, _ = looker.look(picture)
        tally = score_observation(truth, facts)
        scores.append(Score(picture.stem, str(truth.get("tier", "all")), tally, facts["ms"]))
        if args.each:
            wrong = {kind: f"{tally.right[kind]}/{n}" for kind, n in tally.all.items() if tally.right[kind] < n}
            print(f"{picture.stem:28} {wrong or 'all right'}", flush=True)
    table = figures(scores)
    print(json.dumps(table) if args.json else score_table(scores))
    if args.write_baseline is not None:
        kept = {name: value for name, value in table.items() if name != "ms"}
        args.write_baseline.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    if args.baseline is None:
        return 0
    try:
        baseline = json.loads(args.baseline.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadInputError(f"{args.baseline}: not a baseline: {error}") from None
    fallen = falls(table, baseline)
    for line in fallen:
        print(f"fallen: {line}", file=sys.stderr)
    return 1 if fallen else 0
