"""`companion teach`: an art profile from photos of tiles laid in a shown order."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from companion.errors import BadInputError, UsageError


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `teach`."""
    parser = commands.add_parser(
        "teach",
        help="teach the eye how your tiles look, from one to three photos",
        description="Lay the pond, six tiles around it as `companion teach --show` says, nothing on them and a marker "
        "card beside them; take a photo for each of the orders shown, the first at least. The profile is then used "
        'for every camera file whose "art" is NAME.',
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="what to call the look: small letters, digits, hyphens")
    parser.add_argument(
        "photos", nargs="*", type=Path, metavar="PHOTO", help="one photo for each order, in their order"
    )
    parser.add_argument("--camera", type=Path, metavar="FILE", help="camera file (else camera.json beside the photo)")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="where profiles lie (default: your own folder)")
    parser.add_argument("--show", action="store_true", help="show the orders in which to lay the tiles")
    parser.set_defaults(handler=handle)


def handle(args: argparse.Namespace) -> int:
    """Learn, write the profile, say what was learnt."""
    from vision.camera_file import load_camera_file
    from vision.images import read_image
    from vision.profiles.load import profile_to_toml, shipped_profiles, taught_folder
    from vision.teaching import FLOWERS, Lesson, learn, read_flower

    if args.show:
        for number, tiles in enumerate(FLOWERS, 1):
            said = ", ".join("/".join(part for part in (colour, improvement) if part) for colour, improvement in tiles)
            print(f"photo {number}: the pond; around it, from the picture's right, counter-clockwise: {said}")
        return 0
    if args.name is None or not args.photos:
        raise UsageError("give a name and a photo for each order; `companion teach --show` shows the orders")
    if not re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,39}", args.name):
        raise UsageError(f"{args.name!r}: a name has small letters, digits and hyphens")
    if args.name in shipped_profiles():
        raise UsageError(f"{args.name!r} is the name of a look that comes with the companion: choose another")
    if len(args.photos) > len(FLOWERS):
        raise UsageError(f"at most {len(FLOWERS)} photos, one for each order")
    camera = load_camera_file(args.camera or args.photos[0].parent / "camera.json")
    lessons = [Lesson(photo.name, tiles) for photo, tiles in zip(args.photos, FLOWERS, strict=False)]
    flowers = [
        read_flower(read_image(photo), camera, lesson) for photo, lesson in zip(args.photos, lessons, strict=True)
    ]
    profile = learn(args.name, f"taught from {', '.join(lesson.name for lesson in lessons)}", flowers)
    folder = args.out or taught_folder()
    path = folder / f"{args.name}.toml"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(profile_to_toml(profile), encoding="utf-8")
    except OSError as error:
        raise BadInputError(f"{path}: cannot be written ({error.strerror or error})") from error
    for one in profile.prototypes:
        print(f"{one.kind:7} {one.painting:11} chroma {one.chroma[0]:+.3f} {one.chroma[1]:+.3f}")
    print(f'wrote {path}: put "art": "{args.name}" into the camera file')
    return 0
