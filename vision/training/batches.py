"""Cached crops to training batches: white balance as at run time, and more variation of the light."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from vision.nets.blobs import rulers
from vision.nets.white import WHITE_LEVEL


def _balanced(pixels: NDArray[np.uint8], white: NDArray[np.float32]) -> Tensor:
    """(B, H, W, 3) uint8 to (B, 3, H, W), white at `WHITE_LEVEL`, nothing taken off yet."""
    image = torch.from_numpy(np.ascontiguousarray(pixels)).permute(0, 3, 1, 2).float()
    return image * torch.from_numpy(WHITE_LEVEL / white)[:, :, None, None]


def _photometric(images: list[Tensor], rng: torch.Generator) -> list[Tensor]:
    """The same change of light for all crops of one sample; noise and blur drawn anew for each crop."""
    n = images[0].shape[0]

    def normal(*shape: int) -> Tensor:
        return torch.randn(shape, generator=rng)

    def uniform(*shape: int) -> Tensor:
        return torch.rand(shape, generator=rng)

    gain = torch.exp(0.06 * normal(n, 3, 1, 1) + 0.2 * normal(n, 1, 1, 1))
    gamma = torch.exp(0.15 * normal(n, 1, 1, 1))
    saturation = 0.6 + 0.7 * uniform(n, 1, 1, 1)
    slope = 0.15 * normal(n, 1, 2)
    out = []
    for image in images:
        rows, columns = image.shape[2:]
        ramp = slope[:, :, :1] * torch.linspace(-1, 1, rows)[None, None, :]
        ramp = ramp[:, :, :, None] + (slope[:, :, 1:] * torch.linspace(-1, 1, columns)[None, None, :])[:, :, None, :]
        lit = (image * gain * torch.exp(ramp)).clamp(1e-4, 1.5) ** gamma
        grey = lit.mean(1, keepdim=True)
        lit = grey + (lit - grey) * saturation
        soft = torch.nn.functional.avg_pool2d(lit, 3, 1, 1, count_include_pad=False)
        lit = torch.lerp(lit, soft, (uniform(n, 1, 1, 1) * 1.6 - 0.8).clamp(0, 0.8))
        strength = 0.04 * uniform(n, 1, 1, 1) ** 2
        out.append(lit + strength * normal(n, 3, rows, columns))
    return out


def cell_batch(
    tile: NDArray[np.uint8],
    tall: NDArray[np.uint8],
    view: NDArray[np.float32],
    white: NDArray[np.float32],
    rng: torch.Generator | None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Input of the cell model; with a generator, varied and mirrored at random."""
    images = [_balanced(tile[..., :3], white), _balanced(tall[..., :3], white)]
    figures = torch.from_numpy(view).float()
    if rng is not None:
        images = _photometric(images, rng)
        figures = figures + 0.01 * torch.randn(figures.shape, generator=rng)
    masks = [torch.from_numpy((crop[..., 3] > 0).astype(np.float32))[:, None] for crop in (tile, tall)]
    ruler = torch.from_numpy(rulers(view[:, 2]))
    parts = [
        torch.cat([images[0].clamp(max=1.5) - 0.5, masks[0]], dim=1),
        torch.cat([images[1].clamp(max=1.5) - 0.5, masks[1], ruler], dim=1),
    ]
    if rng is not None:
        mirrored = torch.rand((len(view), 1, 1, 1), generator=rng) < 0.5
        parts = [torch.where(mirrored, part.flip(3), part) for part in parts]
    return parts[0], parts[1], figures


def edge_batch(
    pixels: NDArray[np.uint8], view: NDArray[np.float32], white: NDArray[np.float32], rng: torch.Generator | None
) -> tuple[Tensor, Tensor]:
    """Input of the edge model; with a generator, varied and mirrored at random."""
    image = _balanced(pixels, white)
    figures = torch.from_numpy(view).float()
    if rng is None:
        return image.clamp(max=1.5) - 0.5, figures
    (image,) = _photometric([image], rng)
    image = image.clamp(max=1.5) - 0.5
    figures = figures + 0.01 * torch.randn(figures.shape, generator=rng)
    mirrored = torch.rand((len(view), 1, 1, 1), generator=rng) < 0.5
    image = torch.where(mirrored, image.flip(3), image)
    sign = torch.ones_like(figures)
    sign[:, 2] = torch.where(mirrored[:, 0, 0, 0], -1.0, 1.0)  # the mirrored edge runs the other way
    return image, figures * sign
