"""One image by its singular vectors."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from . import _core
from ._base import threads_of
from ._errors import OptionError
from ._images import MAX_PIXELS, draw_images, pixels_of
from ._table import whole
from ._words import PARAMETERS, speaking_to


@dataclass(frozen=True)
class JpegPeer:
    """The best JPEG file that is not larger than a compressed image."""

    quality: int  #: 0: even the worst is larger
    nbytes: int
    psnr: float
    ssim: float


@dataclass(frozen=True)
class CompressedImage:
    """One image as singular triplets: each block of each channel is its mean plus a sum of s u v'.

    save() writes what the command line's `decompress` reads.
    """

    height: int
    width: int
    channels: int
    block: int  #: side of the square blocks; 0: the whole image is one
    bits: int  #: of each stored number
    ranks: np.ndarray = field(repr=False)  #: triplets, by block and channel
    nbytes: int  #: of the file
    psnr: float | None  #: against the image it was made from; None where it was read from a file
    ssim: float | None
    jpeg: JpegPeer | None  #: the best JPEG of that size
    _packed: Any = field(repr=False, compare=False)

    def decode(self, *, n_jobs: int | None = None) -> np.ndarray:
        """The image: float32, height x width, or height x width x 3."""
        return np.asarray(self._packed.decode(threads_of(n_jobs)))

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Writes the file."""
        self._packed.save(os.fspath(path), bool(overwrite))

    @staticmethod
    def load(path: str | os.PathLike[str], *, max_pixels: int = MAX_PIXELS) -> CompressedImage:
        """Reads a file of save(), or of the command line's `compress`."""
        packed = _core.ImageSvd.load(os.fspath(path), whole("max_pixels", max_pixels, 1))
        return CompressedImage(**packed.parts(), psnr=None, ssim=None, jpeg=None, _packed=packed)


def compress(image: Any, n_components: int | None = None, *, psnr: float | None = None, nbytes: int | None = None,
             block: int | None = None, bits: int = 8, n_jobs: int | None = None,
             memory_limit: int | None = None) -> CompressedImage:
    """Stores an image by its largest singular triplets (Eckart & Young 1936).

    Parameters
    ----------
    image : path, or array of height x width (x 3)
        Numbers from 0 to 1, or unsigned bytes.
    n_components : int
        Triplets of every block and channel; 40 where nothing else is given.
    psnr : float
        Instead: as few as reach this peak signal-to-noise ratio, in decibels.
    nbytes : int
        Instead: as many as fit a file of that size.
    block : int, optional
        Side of square blocks, 2 or more; None: the whole image is one.
    bits : 8 or 16
        Of each stored number.

    Examples
    --------
    >>> import numpy as np
    >>> from fewdim import compress
    >>> x = np.linspace(0, 1, 60)
    >>> packed = compress(0.5 + 0.4 * np.outer(np.sin(3 * x), np.cos(5 * x)), 2)
    >>> packed.ranks.tolist(), packed.psnr > 40, packed.decode().shape
    ([2], True, (60, 60))
    """
    if sum(given is not None for given in (n_components, psnr, nbytes)) > 1:
        raise OptionError("give one of n_components, psnr and nbytes")
    if psnr is not None and not psnr > 0:
        raise OptionError(f"psnr={psnr!r} must be above 0")
    if bits not in (8, 16):
        raise OptionError(f"bits={bits!r} must be 8 or 16")
    if n_components is None:
        n_components = 40
    components = 0 if psnr is not None or nbytes is not None else whole("n_components", n_components, 1)
    pixels = pixels_of(image)
    with speaking_to({**PARAMETERS, "components": "n_components", "bytes": "nbytes"}):
        packed = _core.ImageSvd.compress(
            pixels, components, float(psnr or 0.0), 0 if nbytes is None else whole("nbytes", nbytes, 1),
            0 if block is None else whole("block", block, 2), int(bits), threads_of(n_jobs), memory_limit or 0)
    parts = packed.parts()
    reached, similarity = _core.compare_images(pixels, packed.decode())
    return CompressedImage(**parts, psnr=reached, ssim=similarity, jpeg=JpegPeer(*_core.jpeg_of_size(pixels, parts["nbytes"])),
                           _packed=packed)


def decompress(path: str | os.PathLike[str], *, max_pixels: int = MAX_PIXELS) -> np.ndarray:
    """The image of a file that compress() or the command line has made."""
    return CompressedImage.load(path, max_pixels=max_pixels).decode()


def _bytes(count: int) -> str:
    """As the command line shows them: "1.5 KiB"."""
    value, units = float(count), ["B", "KiB", "MiB", "GiB"]
    while value >= 1024 and len(units) > 1:
        value /= 1024
        units.pop(0)
    return f"{count} B" if units[0] == "B" else f"{value:.1f} {units[0]}"


def draw_ranks(image: Any, path: str | os.PathLike[str], *, ranks: Sequence[int] = (1, 5, 20, 50), block: int | None = None,
               bits: int = 8, overwrite: bool = False) -> None:
    """Draws an image by growing numbers of singular triplets, and itself, as a .png or .svg file."""
    pixels = pixels_of(image)
    pictures, captions = [], []
    for rank in ranks:
        packed = compress(pixels, rank, block=block, bits=bits)
        reached = "exact" if packed.psnr == float("inf") else f"{packed.psnr:.2f}"
        pictures.append(packed.decode())
        captions.append(f"rank {rank}\n{reached} dB, {_bytes(packed.nbytes)}")
    draw_images(np.stack([*pictures, pixels]), path, columns=len(pictures) + 1, low=0.0, high=1.0, longest_side=240,
                captions=[*captions, f"the image\n{_bytes(pixels.size)} of pixels"], overwrite=overwrite)
