"""White noise off matrices of low rank."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from . import _core
from ._base import threads_of
from ._data import as_data
from ._errors import OptionError
from ._images import pixels_of
from ._table import one_of
from ._words import PARAMETERS, speaking_to

Callback = Callable[[str, int, int], Any]
LOSSES = ("frobenius", "operator", "nuclear", "hard")


@dataclass(frozen=True)
class Denoised:
    """What is left of a matrix without its noise."""

    rows: np.ndarray = field(repr=False)
    noise: float  #: its standard deviation
    rank: int  #: singular values that are not 0 afterwards
    expected_error: float  #: root mean square of what is left of the noise, as the theory expects it
    singular_values: np.ndarray = field(repr=False)  #: all of them, before
    shrunk: np.ndarray = field(repr=False)  #: and after


@dataclass(frozen=True)
class DenoisedImage:
    """An image without its noise; every channel is a matrix."""

    image: np.ndarray = field(repr=False)  #: float32 from 0 to 1
    noise: float  #: its standard deviation, root mean square over the channels
    ranks: list[int]  #: one a channel
    expected_error: float
    channels: list[Denoised] = field(repr=False)


def _noise(noise: Any) -> float | None:
    if noise is None:
        return None
    if not (np.isfinite(noise) and noise > 0):
        raise OptionError(f"noise={noise!r} must be above 0 and finite; None is by the median singular value")
    return float(noise)


def denoise(X: Any, *, loss: str = "frobenius", noise: float | None = None, n_jobs: int | None = None,
            memory_limit: int | None = None, callback: Callback | None = None) -> Denoised:
    """Takes white noise off a matrix of low rank: singular values are shrunk (Gavish & Donoho 2014, 2017).

    Parameters
    ----------
    X : array of rows
    loss : 'frobenius', 'operator', 'nuclear' or 'hard'
        The error to make least; 'hard' keeps what is above the best threshold as it is.
    noise : float, optional
        Standard deviation of the noise; by default the median singular value tells.

    Examples
    --------
    >>> import numpy as np
    >>> from fewdim import denoise
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.normal(size=(200, 3)) @ rng.normal(size=(3, 80))
    >>> found = denoise(truth + 0.5 * rng.normal(size=truth.shape))
    >>> found.rank, round(found.noise, 2)
    (3, 0.5)
    >>> bool(abs(np.sqrt(np.mean((found.rows - truth)**2)) - found.expected_error) < 0.01)
    True
    """
    one_of("loss", loss, LOSSES)
    data = as_data(X, "denoise", sparse=False)
    with speaking_to(PARAMETERS, "float32" if data.single else "float64"):
        rows, sd, rank, values, shrunk, expected = _core.denoise(data, loss, _noise(noise), threads_of(n_jobs),
                                                                 memory_limit or 0, callback)
    return Denoised(rows, sd, rank, expected, values, shrunk)


def denoise_image(image: Any, *, loss: str = "frobenius", noise: float | None = None, n_jobs: int | None = None,
                  memory_limit: int | None = None) -> DenoisedImage:
    """The same of an image, channel by channel: a path, or an array of height x width (x 3) from 0 to 1."""
    pixels = pixels_of(image)
    planes = pixels[:, :, None] if pixels.ndim == 2 else pixels
    found = [denoise(planes[:, :, c].astype(np.float64), loss=loss, noise=noise, n_jobs=n_jobs, memory_limit=memory_limit)
             for c in range(planes.shape[2])]
    clean = np.stack([np.clip(one.rows, 0.0, 1.0) for one in found], axis=2).astype(np.float32).reshape(pixels.shape)
    return DenoisedImage(clean, float(np.sqrt(np.mean([one.noise**2 for one in found]))), [one.rank for one in found],
                         float(np.sqrt(np.mean([one.expected_error**2 for one in found]))), found)
