"""The networks on rendered tables of known truth, and what doubt must look like."""

from functools import cache

import cv2
import numpy as np
import pytest

from companion.errors import BadInputError
from companion.games.takenoko.pieces import Colour
from vision.nets.classify import KINDS, CellNet, EdgeNet, Look
from vision.nets.runner import Network, model_path
from vision.nets.upright import COLUMNS, ROWS
from vision.simulated.random_scene import random_scene
from vision.simulated.render import Rendered, render


@cache
def cell_net() -> CellNet:
    return CellNet()


@cache
def edge_net() -> EdgeNet:
    return EdgeNet()


@cache
def table(seed: int, look: str, elevation: float) -> tuple[object, Rendered]:
    rng = np.random.default_rng(seed)
    scene = random_scene(rng, plots=14, look=look, elevation_deg=elevation, fill=0.7, hand=False)
    return scene, render(scene, rng)


TABLES = [(901, "painted", 50.0), (902, "flat", 55.0), (903, "printed", 50.0), (904, "kit", 45.0)]


def seen_plots(seed: int, look: str, elevation: float):
    scene, rendered = table(seed, look, elevation)
    tiles = [
        tile
        for tile in scene.tiles
        if tile.colour is not None
        and rendered.truth["plots"][str(tile.at)]["visible"] > 0.5
        and rendered.truth["plots"][str(tile.at)].get("bamboo_visible", 1.0) > 0.5
    ]
    picture = Look.of(rendered.image, rendered.view)
    centres = np.array([tile.centre_mm for tile in tiles])
    return tiles, cell_net().classify(picture, centres, scene.grid.angle), picture, centres


def test_every_distribution_sums_to_one():
    tiles, guesses, _, _ = seen_plots(*TABLES[0])
    for table_p in (guesses.kind_p, guesses.marking_p, guesses.height_p):
        assert len(table_p) == len(tiles)
        assert table_p.sum(axis=1) == pytest.approx(np.ones(len(tiles)), abs=1e-5)
    assert guesses.embedding.shape == (len(tiles), 32)
    assert sum(guesses.marking(0).values()) == pytest.approx(1.0, abs=1e-5)


def test_colours_and_heights_are_read_in_every_look():
    right_colours = right_heights = every = 0
    for case in TABLES:
        tiles, guesses, _, _ = seen_plots(*case)
        for i, tile in enumerate(tiles):
            every += 1
            right_colours += KINDS[int(guesses.kind_p[i].argmax())] == tile.colour
            right_heights += int(guesses.height_p[i].argmax()) == tile.bamboo
    assert right_colours / every >= 0.95
    assert right_heights / every >= 0.85


def test_channels_are_found_and_not_invented():
    right = every = 0
    for case in TABLES:
        scene, rendered = table(*case)
        lying = {str(c["edge"]) for c in rendered.truth["channels"] if c["visible"] > 0.5}
        hidden = {str(c["edge"]) for c in rendered.truth["channels"]} - lying
        middles, along, truth = [], [], []
        places = {tile.at: np.asarray(tile.centre_mm) for tile in scene.tiles}
        for a in places:
            for b in places:
                across = places[a] - places[b]
                name = f"{a}|{b}"
                if a > b and np.linalg.norm(across) < 1.3 * scene.grid.pitch_mm and name not in hidden:
                    middles.append((places[a] + places[b]) / 2)
                    along.append(np.arctan2(across[1], across[0]) + np.pi / 2)
                    truth.append(name in lying)
        guesses = edge_net().classify(Look.of(rendered.image, rendered.view), np.array(middles), np.array(along))
        right += int(((guesses.channel_p > 0.5) == np.array(truth)).sum())
        every += len(truth)
    assert right / every >= 0.95


def test_a_covered_stalk_becomes_doubtful_and_never_a_sure_zero():
    _, rendered = table(*TABLES[1])
    tiles, before, _, centres = seen_plots(*TABLES[1])
    tall = [i for i, tile in enumerate(tiles) if tile.bamboo >= 2 and before.height_p[i].max() > 0.8]
    assert tall
    view, pieces = rendered.view, rendered.view.camera.pieces
    i = tall[0]
    rise = pieces.section_height_mm * 4.5
    foot, top = view.project(np.array([[*centres[i], 0.0], [*centres[i], rise]]))
    wide = pieces.tile_across_flats_mm * view.px_per_mm([*centres[i], 0.0]) * 0.6
    covered = rendered.image.copy()
    low, high = np.minimum(foot, top) - wide, np.maximum(foot, top) + wide
    cv2.rectangle(covered, tuple(np.rint(low).astype(int)), tuple(np.rint(high).astype(int)), (110, 140, 190), -1)
    scene, _ = table(*TABLES[1])
    after = cell_net().classify(Look.of(covered, view), centres[i : i + 1], scene.grid.angle)
    assert after.height_p[0].max() < before.height_p[i].max()
    assert after.height_p[0][0] < 0.9
    assert after.stalk_hidden[0] > before.stalk_hidden[i]


class OneSided:
    """Says one section where the left side of a crop is the brighter, else two, as surely as it is told to."""

    def __init__(self, doubt: float) -> None:
        self.lead, self.asked = np.log((1.0 - doubt) / doubt), 0

    def heat(self, _head: str) -> float:
        return 1.0

    def run(self, blob, _view):
        self.asked += len(blob)
        logits = np.full((len(blob), 8), -20.0, np.float32)
        logits[:, 1:3] = 0.0
        left = blob[:, :12, :, : COLUMNS // 4].sum((1, 2, 3)) > blob[:, :12, :, COLUMNS // 4 :].sum((1, 2, 3))
        logits[np.arange(len(blob)), np.where(left, 1, 2)] += self.lead
        return logits, np.zeros((len(blob), ROWS // 2, ROWS // 2), np.float32)


@pytest.mark.parametrize(("doubt", "looks"), [(0.3, 2), (0.01, 1)])
def test_only_a_doubtful_height_is_looked_at_again_in_the_mirror(monkeypatch, doubt, looks):
    _, _, picture, centres = seen_plots(*TABLES[0])
    net, upright = CellNet(), OneSided(doubt)
    monkeypatch.setattr(net, "_tall", upright)
    heights = net.classify(picture, centres, 0.0).height_p
    assert upright.asked == looks * len(centres)
    one_sided = np.abs(heights[:, 1] - heights[:, 2])
    assert one_sided == pytest.approx(np.full(len(centres), 0.0 if looks == 2 else 1 - 2 * doubt), abs=1e-4)


def test_an_empty_table_is_nothing():
    image = np.full((768, 1024, 3), (60, 90, 130), np.uint8)
    _, rendered = table(*TABLES[0])
    guesses = cell_net().classify(Look.of(image, rendered.view), np.zeros((1, 2)), 0.0)
    assert KINDS[int(guesses.kind_p[0].argmax())] == "nothing"
    assert guesses.gardener_p[0] < 0.1
    assert guesses.panda_p[0] < 0.1


def test_nothing_asked_nothing_said():
    _, rendered = table(*TABLES[0])
    picture = Look.of(rendered.image, rendered.view)
    assert len(cell_net().classify(picture, np.zeros((0, 2)), 0.0).kind_p) == 0
    assert len(edge_net().classify(picture, np.zeros((0, 2)), np.zeros(0)).channel_p) == 0


def test_many_cells_in_several_batches_say_the_same_as_one_by_one():
    scene, rendered = table(*TABLES[0])
    picture = Look.of(rendered.image, rendered.view)
    centres = np.repeat(np.array([tile.centre_mm for tile in scene.tiles]), 5, axis=0)
    together = cell_net().classify(picture, centres, scene.grid.angle)
    alone = cell_net().classify(picture, centres[-1:], scene.grid.angle)
    assert together.kind_p[-1] == pytest.approx(alone.kind_p[0], abs=1e-4)
    assert together.height_p[-1] == pytest.approx(alone.height_p[0], abs=1e-4)


def test_the_networks_are_small():
    assert sum(path.stat().st_size for path in model_path("tile").parent.glob("*.onnx")) < 2_000_000


def test_a_broken_network_file_is_one_clear_error(tmp_path):
    path = tmp_path / "tile.onnx"
    path.write_bytes(b"not a network")
    with pytest.raises(BadInputError, match="cannot be read as a network"):
        Network(path, ("logits",))


@pytest.mark.parametrize("crops", [0, 1, 4, 9])
def test_a_network_run_in_parts_says_what_each_crop_alone_gets(crops):
    rng = np.random.default_rng(5)
    pictures = rng.standard_normal((crops, 12, 18, 28)).astype(np.float32)
    views = rng.standard_normal((crops, 8)).astype(np.float32)
    network = Network(model_path("edge"), ("logits",), batch=4)
    (together,) = network.run(pictures, views)
    alone = [network.run(pictures[i : i + 1], views[i : i + 1])[0] for i in range(crops)]
    assert together.shape == (crops, 2)
    assert np.abs(together - np.concatenate([np.zeros((0, 2)), *alone])).max(initial=0) < 1e-4


@pytest.mark.parametrize("name", ["tile", "tall", "edge", "badge", "badge_find"])
def test_the_quick_engine_says_what_opencv_says_by_default(name, monkeypatch):
    shapes = {"tile": (16, 40, 40), "tall": (20, ROWS // 2, COLUMNS // 2), "edge": (12, 18, 28), "badge": (3, 56, 56)}
    figures = {"tile": 12, "tall": 16, "edge": 8}
    outputs = ("logits", *{"tile": ("embedding",), "tall": ("pairs",)}.get(name, ()))
    rng = np.random.default_rng(6)
    pictures = rng.random((3, *shapes.get(name, (3, 80, 80))), dtype=np.float32) - np.float32(0.5)
    views = rng.random((3, figures[name]), dtype=np.float32) + np.float32(0.2) if name in figures else None
    quick, *_ = Network(model_path(name), outputs).run(pictures, views)
    monkeypatch.delattr(cv2.dnn, "ENGINE_CLASSIC", raising=False)
    usual, *_ = Network(model_path(name), outputs).run(pictures, views)
    assert np.ptp(usual) > 0
    assert np.abs(quick - usual).max() < 2e-3


def test_kinds_hold_every_colour():
    assert set(Colour) < set(KINDS)
