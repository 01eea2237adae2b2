"""The three networks in PyTorch: plain convolutions, so that cv2.dnn runs them as they are."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from vision.nets.crops import EDGE_VIEW_SIZE, VIEW_SIZE

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
    """A cell seen upright, and its view figures, to what stands on it (see `TALL_OUTPUTS`).

    It finds the stalk's foot and top as the mean of a distribution over the crop, which training shows to it. Their
    distance, in sections, is a second opinion on the height, as sure as both distributions are narrow.
    """

    grid: Tensor

    def __init__(self) -> None:
        super().__init__()
        self.near = nn.Sequential(
            convolution(5, 12, 2, 4),  # 96 x 56 -> 48 x 28
            convolution(12, 24, 2),  # 24 x 14
            convolution(24, 32),
            convolution(32, 48, 2),  # 12 x 7
            convolution(48, 64),
        )
        self.foot = nn.Conv2d(64, 1, 1)
        self.top = nn.Conv2d(64, 1, 1)
        self.narrow = convolution(64, 20, 1, 1)
        self.view = nn.Sequential(nn.Linear(VIEW_SIZE, 16), nn.ReLU())
        # Where in the crop a thing stands is what counts: the map is read as it is, not pooled.
        self.both = nn.Sequential(nn.Dropout(0.1), nn.Linear(20 * 12 * 7 + 16 + 4, 96), nn.ReLU(), nn.Dropout(0.1))
        self.out = nn.Linear(96, TALL_OUTPUTS)
        self.sure = nn.Linear(VIEW_SIZE + 4, 1)
        rows, columns = torch.meshgrid(torch.arange(12.0), torch.arange(7.0), indexing="ij")
        self.register_buffer("grid", torch.stack([rows.flatten() / 3.0, columns.flatten() / 3.0], dim=1))

    def forward(self, tall: Tensor, view: Tensor) -> Tensor:
        """Logits (N, TALL_OUTPUTS)."""
        return self.learn(tall, view)[0]

    def learn(self, tall: Tensor, view: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """As `forward`, and the logits of the foot's and the top's place (N, 84), row by row."""
        near = self.near(tall)
        foot, top = self.foot(near).flatten(1), self.top(near).flatten(1)
        chances = [torch.softmax(one, dim=1) for one in (foot, top)]
        places = [torch.matmul(one, self.grid) for one in chances]
        spreads = [
            torch.matmul(one, self.grid * self.grid) - place * place for one, place in zip(chances, places, strict=True)
        ]
        parts = [self.narrow(near).flatten(1), self.view(view), *places]
        logits = self.out(self.both(torch.cat(parts, dim=1)))
        # A unit of the grid is 24 rows; a section is twelve rows times the third figure of the view.
        sections = (places[0][:, :1] - places[1][:, :1]) * 2.0 / view[:, 2:3].clamp(min=0.15)
        weight = torch.exp(self.sure(torch.cat([view, *spreads], dim=1)).clamp(-6.0, 2.5))
        miss = [-weight * (sections - float(height)) * (sections - float(height)) for height in range(1, 5)]
        measured = torch.cat([torch.zeros_like(weight), *miss, torch.zeros_like(logits[:, 5:])], dim=1)
        return logits + measured, foot, top


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
