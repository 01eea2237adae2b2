"""A recorded night on disk: its header, and the eye for its camera."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from companion.errors import BadInputError, RecordError
from companion.observation import ExpectedLook, Observation, Status
from companion.reconcile.follow import Follower, TurnReport
from companion.reconcile.look import expected_look
from companion.reconcile.timeline import FrameLine, ToldLine, parse_timeline, timeline_lines
from companion.record import Header, parse_header
from companion.remarks import Remark

Look = Callable[[Path, ExpectedLook | None], Observation]
"""From a picture's file, and what should lie there, to what is seen."""


def header_of(night: Path) -> Header:
    """The first line of the night's record.

    Raises:
        BadInputError: it is no header.
        OSError: it cannot be read.
    """
    path = night / "header.json"
    try:
        return parse_header(path.read_bytes().strip())
    except RecordError as error:
        raise BadInputError(f"{path}: {error}") from None


def eye_of(night: Path) -> Look:
    """The eye for the night's camera; a picture that cannot be read is a look at no table, with the reason.

    Raises:
        BadInputError: the camera file cannot be used.
        OSError: it cannot be read.
    """
    from vision.camera_file import load_camera_file
    from vision.images import read_image
    from vision.pipeline import Eye

    eye = Eye(load_camera_file(night / "camera.json"))

    def look(path: Path, expected: ExpectedLook | None) -> Observation:
        try:
            image = read_image(path)
        except (BadInputError, OSError) as error:
            return Observation(Status.NO_TABLE, Remark("eye.no_look_possible", {"why": str(error)}))
        observation: Observation = eye.observe(image, expected)
        return observation

    return look


def follow_night(
    night: Path, follower: Follower, *, oriented: bool, remark: Callable[[str], None] = lambda _: None
) -> Iterator[TurnReport]:
    """Let a follower see a night; reports as they come.

    A fault in the timeline ends the night there: what is known of the turns that have ended is reported first.

    Args:
        night: the folder.
        follower: begun with the night's first position.
        oriented: the game starts from a garden that fixes where east is.
        remark: told, a line each, of pictures that show no table, of a torn last line and of a last turn without end.

    Raises:
        BadInputError: naming the file and the line that cannot be used.
        OSError: a file cannot be read.
    """
    look, timeline = eye_of(night), night / "timeline.jsonl"
    try:
        lines, torn = timeline_lines(timeline.read_bytes())
    except BadInputError as error:
        raise BadInputError(f"{timeline}: {error}") from None
    try:
        for item in parse_timeline(lines, str(timeline)):
            if isinstance(item, FrameLine):
                known = follower.has_looked or oriented
                expected = expected_look(follower.expected(), follower.anchor) if known else None
                seen = look(night / item.path, expected)
                if seen.status is Status.NO_TABLE:
                    remark(f"{item.path}: {seen.reason or 'no table is seen'}")
                follower.look(seen, item.path)
            else:
                yield from _told(follower, item, timeline)
    except BadInputError:
        yield from follower.close()
        raise
    yield from follower.close()
    if torn is not None:
        remark(
            f"{timeline}, line {torn}: the last line is torn, as by a power cut, and is left out: write it anew, or"
            " delete what is left of it"
        )
    if follower.is_in_a_turn:
        remark(f"{timeline}: the last turn has no `end`: it is not reported")


def _told(follower: Follower, line: ToldLine, timeline: Path) -> list[TurnReport]:
    try:
        return follower.tell(line.told.seat, line.told.move)
    except BadInputError as error:
        raise BadInputError(f"{timeline}, line {line.line}: {error}") from None
