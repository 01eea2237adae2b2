"""The three networks in PyTorch: plain convolutions, so that cv2.dnn runs them as they are."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from vision.nets.crops import EDGE_VIEW_SIZE, VIEW_SIZE
from vision.nets.upright import COLUMNS, LEAST_P, ROWS, TALLEST

EMBEDDING = 32
TILE_OUTPUTS = 15
"""5 of the kind, 7 of the marking, gardener, panda, hidden."""
TALL_OUTPUTS = 8
"""5 of the height, gardener, panda, stalk hidden."""
EDGE_OUTPUTS = 2
"""Channel, hidden."""


def convolution(inside: int, outside: int, stride: int = 1, size: int = 3) -> nn.Sequential:
    """A convolution with its normalisation and rectifier; stride 2 halves the picture."""
    padding = 1 if size in (3, 4) else size // 2
    return nn.Sequential(
        nn.Conv2d(inside, outside, size, stride, padding, bias=False), nn.BatchNorm2d(outside), nn.ReLU()
    )


class TileModel(nn.Module):  # type: ignore[misc,unused-ignore]
    """A cell from above, and its view figures, to its kind and marking (see `TILE_OUTPUTS`).

    In training it also points at the badge: that is what makes it look there at all, so small is it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.near = nn.Sequential(
            convolution(4, 12, 2, 4),  # 80 -> 40
            convolution(12, 24, 2),  # 20
            convolution(24, 32),
            convolution(32, 48, 2),  # 10
            convolution(48, 64),
        )
        self.icons = nn.Conv2d(64, 7, 1)
        self.far = convolution(64, 96, 2)  # 5
        self.embed = nn.Linear(192, EMBEDDING)
        self.view = nn.Sequential(nn.Linear(VIEW_SIZE, 16), nn.ReLU())
        self.both = nn.Sequential(nn.Dropout(0.1), nn.Linear(192 + 16, 96), nn.ReLU(), nn.Dropout(0.1))
        self.out = nn.Linear(96 + EMBEDDING + 7, TILE_OUTPUTS)

    def forward(self, tile: Tensor, view: Tensor) -> tuple[Tensor, Tensor]:
        """Logits (N, TILE_OUTPUTS) and the tile's embedding (N, EMBEDDING)."""
        logits, embedding, _ = self.learn(tile, view)
        return logits, embedding

    def learn(self, tile: Tensor, view: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """As `forward`, and the markings' logits at every place of the crop (N, 7, 10, 10)."""
        near = self.near(tile)
        icons = self.icons(near)
        far = self.far(near)
        pooled = torch.cat([far.mean((2, 3)), far.amax((2, 3))], dim=1)
        embedding = self.embed(pooled)
        both = self.both(torch.cat([pooled, self.view(view)], dim=1))
        return self.out(torch.cat([both, torch.relu(embedding), icons.amax((2, 3))], dim=1)), embedding, icons


class TallModel(nn.Module):  # type: ignore[misc,unused-ignore]
    """A cell seen upright, and its figures, to what stands on it (see `TALL_OUTPUTS`).

    It draws three maps at half the crop's size: where the stalk's foot is, where its top is, and what is stalk at all;
    training shows it all three. How likely each height is then follows from foot and top by geometry: the heights whose
    known rise in rows (`upright.Uprights.rises`) leads from a likely foot to a likely top.
    """

    def __init__(self) -> None:
        super().__init__()
        self.halved = convolution(5, 12, 2, 4)  # 128 x 64 -> 64 x 32
        self.quartered = nn.Sequential(convolution(12, 24, 2), convolution(24, 32))  # 32 x 16
        self.eighthed = nn.Sequential(convolution(32, 48, 2), convolution(48, 48))  # 16 x 8
        self.sixteenthed = nn.Sequential(convolution(48, 64, 2), convolution(64, 64))  # 8 x 4
        self.to_eighth = nn.Sequential(convolution(48 + 64, 40, 1, 1), convolution(40, 40))
        self.to_quarter = nn.Sequential(convolution(32 + 40, 32, 1, 1), convolution(32, 32))
        self.maps = nn.Conv2d(32, 3 * 4, 1)
        # From steeply above, a section is two or three places high: finer pixels correct the maps.
        self.fine = nn.Sequential(convolution(12 + 3, 8), nn.Conv2d(8, 3, 3, 1, 1))
        self.narrow = convolution(40, 12, 1, 1)
        self.view = nn.Sequential(nn.Linear(VIEW_SIZE + TALLEST, 24), nn.ReLU())
        # Where in the crop a thing stands is what counts: the map is read as it is, not pooled.
        inside = 12 * (ROWS // 8) * (COLUMNS // 8) + 128 + 24
        self.both = nn.Sequential(nn.Dropout(0.1), nn.Linear(inside, 96), nn.ReLU(), nn.Dropout(0.1))
        self.out = nn.Linear(96, TALL_OUTPUTS)
        # Whether a stalk stands there at all is told by the maps, too.
        self.bare = nn.Linear(3, 1)
        for last in (self.fine[1], self.bare):
            nn.init.zeros_(last.weight)
            nn.init.zeros_(last.bias)

    def forward(self, tall: Tensor, view: Tensor) -> tuple[Tensor, Tensor]:
        """Logits (N, TALL_OUTPUTS) before geometry is asked (`upright.apart`), and `pairs` for it."""
        logits, maps = self.learn(tall, view)
        return logits, pairs_of(maps)

    def learn(self, tall: Tensor, view: Tensor) -> tuple[Tensor, Tensor]:
        """Logits, and the maps (N, 3, ROWS / 2, COLUMNS / 2): logits of foot, top and stalk at every place."""
        half = self.halved(tall)
        quarter = self.quartered(half)
        eighth = self.eighthed(quarter)
        sixteenth = self.sixteenthed(eighth)
        eighth = self.to_eighth(torch.cat([eighth, _doubled(sixteenth)], dim=1))
        quarter = self.to_quarter(torch.cat([quarter, _doubled(eighth)], dim=1))
        # Four neighbouring places come from one: the quarter's features are rich enough to tell them apart.
        maps = nn.functional.pixel_shuffle(self.maps(quarter), 2)
        maps = maps + self.fine(torch.cat([half, maps], dim=1))
        pooled = [sixteenth.mean((2, 3)), sixteenth.amax((2, 3))]
        parts = [self.narrow(eighth).flatten(1), *pooled, self.view(view)]
        logits = self.out(self.both(torch.cat(parts, dim=1)))
        body = torch.sigmoid(maps[:, 2]).mean((1, 2))
        peaks = [torch.softmax(maps[:, which].flatten(1), dim=1).amax(1) for which in (0, 1)]
        bare = self.bare(torch.log(torch.stack([body, *peaks], dim=1) + 1e-3))
        return torch.cat([logits[:, :1] + bare, logits[:, 1:]], dim=1), maps


def pairs_of(maps: Tensor) -> Tensor:
    """How likely each pair of rows is the stalk's foot and top, (N, ROWS / 2, ROWS / 2), summed over the columns."""
    rows, columns = ROWS // 2, COLUMNS // 2
    foot = torch.softmax(maps[:, 0].flatten(1), dim=1).reshape(-1, rows, columns)
    top = torch.softmax(maps[:, 1].flatten(1), dim=1).reshape(-1, 1, rows, columns)
    # A stack leans a little: the top may lie beside the foot's column.
    beside = nn.functional.avg_pool2d(top, (1, 5), 1, (0, 2)).reshape(-1, rows, columns)
    return torch.matmul(foot, beside.transpose(1, 2))


def measured(pairs: Tensor, rises: Tensor) -> Tensor:
    """As `upright.apart`, in PyTorch: (N, TALLEST)."""
    rows = torch.arange(ROWS / 2, device=pairs.device)
    at = rows - rises[:, :, None] / 2.0
    low = at.floor()
    part = at - low
    total = torch.zeros_like(at)
    for place, weight in ((low, 1.0 - part), (low + 1.0, part)):
        inside = (place >= 0) & (place < ROWS // 2)
        index = place.clamp(0, ROWS // 2 - 1).long()
        chosen = torch.gather(pairs[:, None].expand(-1, index.shape[1], -1, -1), 3, index[..., None])[..., 0]
        total = total + chosen * weight * inside
    return torch.log(total.sum(2) + LEAST_P)


def _doubled(maps: Tensor) -> Tensor:
    return nn.functional.interpolate(maps, scale_factor=2.0, mode="nearest")


class EdgeModel(nn.Module):  # type: ignore[misc,unused-ignore]
    """Edge crop and view figures to channel and hidden (see `EDGE_OUTPUTS`)."""

    def __init__(self) -> None:
        super().__init__()
        self.seen = nn.Sequential(
            convolution(3, 16, 2, 4),  # 36 x 56 -> 18 x 28
            convolution(16, 24, 2),  # 9 x 14
            convolution(24, 32),
            convolution(32, 48, 2),  # 5 x 7
            convolution(48, 16, 1, 1),
        )
        self.view = nn.Sequential(nn.Linear(EDGE_VIEW_SIZE, 16), nn.ReLU())
        self.both = nn.Sequential(nn.Linear(16 * 5 * 7 + 16, 48), nn.ReLU(), nn.Dropout(0.1))
        self.out = nn.Linear(48, EDGE_OUTPUTS)

    def forward(self, pixels: Tensor, view: Tensor) -> Tensor:
        """Logits (M, EDGE_OUTPUTS)."""
        return self.out(self.both(torch.cat([self.seen(pixels).flatten(1), self.view(view)], dim=1)))
