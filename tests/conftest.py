"""What all tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# A busy machine is no fault of the code: nothing is judged by how long one example took.
settings.register_profile("house", deadline=None)
settings.load_profile("house")

ROOT = Path(__file__).resolve().parent.parent


def shared_folder() -> Path | None:
    """The folder of shared material (`COMPANION_SHARED`, default beside the project), or None where it is absent."""
    folder = Path(os.environ.get("COMPANION_SHARED", ROOT.parent / "shared"))
    return folder if folder.is_dir() else None


@pytest.fixture(scope="session")
def shared() -> Path:
    """The shared material: absent in a user's clone (skip), needed in CI (fail)."""
    folder = shared_folder()
    if folder is None:
        message = "no shared material here: set COMPANION_SHARED to its folder"
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    return folder
