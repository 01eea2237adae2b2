from __future__ import annotations

import io

import cv2
import numpy as np
import pypdf
import pytest

from companion.cli.main import run
from companion.games.takenoko.edition import load_edition
from vision.calibration import BOARD_SQUARES, SQUARE_MM, BoardFinder
from vision.camera_file import Markers
from vision.kit.build import build_kit
from vision.kit.markers import board_boxes, marker_boxes

PIXELS_A_MM = 8


def drawn(boxes, size_mm, margin_mm=10.0):
    """The boxes on white paper."""
    paper = np.full([round((side + 2 * margin_mm) * PIXELS_A_MM) for side in reversed(size_mm)], 255, np.uint8)
    for box in boxes:
        left, top = ((value + margin_mm) * PIXELS_A_MM for value in (box.left, box.top))
        corner = (round(left + box.width * PIXELS_A_MM) - 1, round(top + box.height * PIXELS_A_MM) - 1)
        cv2.rectangle(paper, (round(left), round(top)), corner, 0, -1)
    return cv2.cvtColor(paper, cv2.COLOR_GRAY2BGR)


@pytest.mark.parametrize("dictionary", ["DICT_APRILTAG_36h11", "DICT_4X4_50"])
@pytest.mark.parametrize("marker_id", [0, 3])
def test_a_printed_marker_is_found_in_its_true_size(dictionary, marker_id):
    image = drawn(marker_boxes(Markers(dictionary=dictionary), marker_id), (40, 40))
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary)))
    corners, ids, _ = detector.detectMarkers(image)
    assert ids.ravel().tolist() == [marker_id]
    sides = np.linalg.norm(np.diff(np.vstack([corners[0][0], corners[0][0][:1]]), axis=0), axis=1) / PIXELS_A_MM
    assert sides == pytest.approx([40.0] * 4, abs=0.3)


def test_the_printed_board_is_found_whole_in_its_true_size():
    image = drawn(board_boxes(), [side * SQUARE_MM for side in BOARD_SQUARES])
    view = BoardFinder().find(image)
    assert len(view.image_px) == (BOARD_SQUARES[0] - 1) * (BOARD_SQUARES[1] - 1)
    on_paper = view.object_mm[:, :2] + 10.0
    assert (view.image_px + 0.5) / PIXELS_A_MM == pytest.approx(on_paper, abs=0.15)


@pytest.fixture(scope="module")
def edition():
    return load_edition("base")


@pytest.mark.parametrize(("paper", "size"), [("a4", (210.0, 297.0)), ("letter", (215.9, 279.4))])
def test_the_kit_has_all_pieces_on_pages_of_the_paper_chosen(edition, paper, size):
    pages = pypdf.PdfReader(io.BytesIO(build_kit(edition, paper))).pages
    for page in pages:
        millimetres = [float(side) / 72 * 25.4 for side in (page.mediabox.width, page.mediabox.height)]
        assert millimetres == pytest.approx(size, abs=0.1)
        assert "100 mm" in page.extract_text()
    headings = [page.extract_text() for page in pages]
    faces = [text for text in headings if "Objective cards" in text]
    assert sum("Backs of the cards" in text for text in headings) == 5
    # 45 cards and the Emperor, nine on a page; 28 plots with the pond, eight on a page.
    assert len(faces) == 6
    assert sum("side to side" in text and "print on card" not in text for text in headings) == 4
    assert next(text for text in headings if "AprilTag" in text).count("companion - marker") == 4


def test_backs_can_be_left_out(edition):
    pages = pypdf.PdfReader(io.BytesIO(build_kit(edition, backs=False))).pages
    assert not any("Backs of the cards" in page.extract_text() for page in pages)


def test_the_same_kit_is_the_same_file(edition):
    assert build_kit(edition) == build_kit(edition)


def test_the_command_writes_the_kit_or_says_why_not(tmp_path, capsys):
    out = tmp_path / "kit.pdf"
    assert run(["kit", "--out", str(out), "--paper", "letter", "--no-backs"]) == 0
    assert out.read_bytes().startswith(b"%PDF")
    assert run(["kit", "--out", str(tmp_path / "absent" / "kit.pdf")]) == 1
    assert run(["kit", "--edition", "none", "--out", str(out)]) == 1
    assert run(["kit", "--paper", "a3"]) == 2
    assert "Traceback" not in capsys.readouterr().err
