"""Images: as files, as rows, and one by its singular vectors."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from . import _core
from ._base import caller_level, threads_of
from ._data import as_data
from ._errors import DataError, FewdimWarning, OptionError
from ._table import Table, one_of, strings, whole
from ._words import PARAMETERS, speaking_to


MAX_PIXELS = 100_000_000


def _side(name: str, given: Any) -> tuple[int, ...]:
    """A size: (height, width), or (height, width, 3)."""
    try:
        sides = tuple(whole(name, side, 1) for side in given)
    except TypeError:
        sides = ()
    if len(sides) not in (2, 3) or (len(sides) == 3 and sides[2] not in (1, 3)):
        raise OptionError(f"{name}={given!r} must be (height, width), or (height, width, 3) in color")
    return sides


def _paths(given: Any) -> list[str] | None:
    """Paths, of one or several; None where it is something else."""
    if isinstance(given, (str, os.PathLike)):
        return [os.fspath(given)]
    if isinstance(given, (list, tuple)) and given and all(isinstance(one, (str, os.PathLike)) for one in given):
        return [os.fspath(one) for one in given]
    return None


class Images:
    """Images of one size, each a row of numbers; read_images() makes them of files, Images.of() of arrays.

    Any estimator takes them as rows; `Faces` knows that they are images.
    """

    def __init__(self, images: Any) -> None:
        self._images = images
        self._data = images.rows

    @classmethod
    def of(cls, X: Any, shape: Sequence[int] | None = None, *, labels: Iterable[Any] | None = None,
           white: float | None = None, column_major: bool = False) -> Images:
        """Images in arrays.

        Parameters
        ----------
        X : array of n x height x width (x 3), or table of n x pixels
            Unsigned bytes are divided by 255, as those of files are; other numbers stay as they are.
        shape : (height, width) or (height, width, 3)
            Of the images in the rows of a table.
        labels : sequence, optional
            Who is on each; by default those of a Table.
        white : float, optional
            The number that stands for white; by default the largest there is.
        column_major : bool
            Rows of a table hold one column of pixels after the other.

        Examples
        --------
        >>> import fewdim
        >>> fewdim.Images.of(fewdim.generate("digits"), (8, 8))
        Images: 1797 of 8 x 8, white is 16, labels 0, 1, 2, 3, ...
        """
        table = X if isinstance(X, Table) else None
        if table is None:
            X = np.asarray(X)
            if X.ndim in (3, 4):
                if shape is not None and tuple(shape) != X.shape[1:]:
                    raise DataError(f"the images are {_sides(X.shape[1:])}, and shape={tuple(shape)!r} says otherwise")
                shape = X.shape[1:]
                X = X.reshape(len(X), int(np.prod(X.shape[1:])))
            if X.dtype == np.uint8:
                X = (X / 255.0).astype(np.float32)
                white = 1.0 if white is None else float(white) / 255.0
        if shape is None:
            raise OptionError("rows of numbers can be images of many shapes; give shape=(height, width), or an array of "
                              "n x height x width")
        sides = _side("shape", shape)
        if white is not None and not (np.isfinite(white) and white > 0):
            raise OptionError(f"white={white!r} must be a number above 0")
        data = as_data(X, "Images", sparse=False)
        if data.cols != int(np.prod(sides)):
            raise DataError(f"rows of {data.cols} numbers are no images of {_sides(sides)}; give another shape")
        with speaking_to(PARAMETERS):
            found = _core.Images.of_table(data, sides[0], sides[1], sides[2] if len(sides) == 3 else 1, column_major,
                                          0.0 if white is None else float(white))
        if labels is not None:
            found = found.labeled([str(label) for label in labels])
        return cls(found)

    def with_labels(self, labels: Iterable[Any]) -> Images:
        """The same images with other labels."""
        return Images(self._images.labeled([str(label) for label in labels]))

    @property
    def rows(self) -> np.ndarray:
        """n x pixels; it can't be written to."""
        return np.asarray(_core.table_numbers(self._data))

    @property
    def images(self) -> np.ndarray:
        """n x height x width, or n x height x width x 3."""
        return self.rows.reshape(len(self), *self.image_shape)

    @property
    def image_shape(self) -> tuple[int, ...]:
        """(height, width), or (height, width, 3)."""
        one = self._images
        return (one.height, one.width, 3) if one.channels == 3 else (one.height, one.width)

    @property
    def shape(self) -> tuple[int, int]:
        return int(self._data.rows), int(self._data.cols)

    @property
    def white(self) -> float:
        """The number that stands for white; black is 0."""
        return float(self._images.white)

    @property
    def names(self) -> list[str] | None:
        """Of files: below their folder; of IDX numbers from 1."""
        return self._images.names or None

    @property
    def labels(self) -> np.ndarray | None:
        """The folder of each image, or that of an IDX file of labels."""
        found = self._images.labels
        return np.asarray(found, dtype=object) if found else None

    @property
    def report(self) -> dict[str, Any]:
        """What was passed over, left out and resized."""
        return dict(self._images.report)

    def __len__(self) -> int:
        return self.shape[0]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.rows, dtype=dtype) if copy else np.asarray(self.rows, dtype=dtype)

    def __getitem__(self, key: Any) -> np.ndarray:
        """Rows."""
        return self.rows[key]

    def __repr__(self) -> str:
        text = f"Images: {len(self)} of {_sides(self.image_shape)}"
        if self.white != 1.0:
            text += f", white is {self.white:g}"
        if self.labels is not None:
            found = list(dict.fromkeys(self._images.labels))
            text += f", labels {', '.join(found[:4])}{', ...' if len(found) > 4 else ''}"
        return text


def _sides(shape: Iterable[int]) -> str:
    return " x ".join(str(int(side)) for side in shape)


def read_images(paths: Any, *, size: Sequence[int] | None = None, color: bool = False, skip_broken: bool = False,
                max_pixels: int = MAX_PIXELS, dtype: Any = "float32", n_jobs: int | None = None,
                memory_limit: int | None = None) -> Images:
    """Reads images as rows of numbers from 0 (black) to 1 (white).

    Parameters
    ----------
    paths : path, or list of them
        A folder (all images below it, sorted by name; the folders in it are labels), files of PNG, JPEG, PGM, PPM or BMP,
        or one IDX file (.gz too), whose labels are read from the file beside it.
    size : (height, width), optional
        What images are brought to; by default they must be equal.
    color : bool
        Red, green and blue; gray (Rec. 601 luma) by default.
    skip_broken : bool
        Leave out images that can't be decoded, with a warning, instead of refusing them.
    max_pixels : int
        Refuse an image that declares more, before it is decoded.
    dtype : 'float32' or 'float64'
    """
    found = _paths(paths)
    if found is None:
        raise TypeError(f"paths={paths!r} must be a path, or a list of paths")
    sides = None if size is None else _side("size", size)[:2]
    single = one_of("dtype", np.dtype(dtype).name, ("float32", "float64")) == "float32"
    with speaking_to({**PARAMETERS, "resize": "size"}):
        images = Images(_core.Images.read(found, sides, bool(color), bool(skip_broken),
                                          whole("max_pixels", max_pixels, 1), single, threads_of(n_jobs), memory_limit or 0))
    report = images.report
    if report["broken"]:
        warnings.warn(f"left out {report['broken']} broken images; the first: {report['first_broken']}", FewdimWarning,
                      stacklevel=caller_level())
    return images


def read_image(path: str | os.PathLike[str], *, color: bool | None = None, max_pixels: int = MAX_PIXELS) -> np.ndarray:
    """One image as an array of float32 from 0 to 1: height x width, or height x width x 3.

    color: True for red, green and blue, False for gray; None: as it is stored.
    """
    coloring = "" if color is None else "rgb" if color else "gray"
    return np.asarray(_core.read_image(os.fspath(path), coloring, whole("max_pixels", max_pixels, 1)))


def pixels_of(image: Any, name: str = "image") -> np.ndarray:
    """An image as the engine takes it: of a path, of bytes, or of numbers from 0 to 1."""
    if isinstance(image, (str, os.PathLike)):
        return read_image(image)
    pixels = np.asarray(image)
    if pixels.ndim != 2 and not (pixels.ndim == 3 and pixels.shape[2] in (1, 3)):
        raise DataError(f"{name} has the shape {pixels.shape}; an image is height x width, or height x width x 3")
    if pixels.size == 0:
        raise DataError(f"{name} has the shape {pixels.shape}, and no pixels")
    if pixels.dtype == np.uint8:
        return (pixels / 255.0).astype(np.float32)
    if pixels.dtype.kind not in "fiub":
        raise TypeError(f"{name} is of dtype {pixels.dtype}; give numbers from 0 to 1, or unsigned bytes")
    pixels = pixels.astype(np.float32)
    if not np.isfinite(pixels).all():
        raise DataError(f"{name} contains NaN or infinity; fill those pixels first")
    return pixels


def write_image(image: Any, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
    """Writes a PNG file of 8 bits; numbers below 0 are black, above 1 white."""
    _core.write_image(pixels_of(image), os.fspath(path), bool(overwrite))


def resize_image(image: Any, height: int, width: int) -> np.ndarray:
    """The mean of what a new pixel covers where it shrinks, straight lines between pixels where it grows."""
    return np.asarray(_core.resize_image(pixels_of(image), whole("height", height, 1), whole("width", width, 1)))


def _compared(a: Any, b: Any) -> tuple[float, float]:
    first, second = pixels_of(a, "a"), pixels_of(b, "b")
    if first.shape != second.shape:
        raise DataError(f"images of {_sides(first.shape)} and {_sides(second.shape)} can't be compared; give both of one size")
    return _core.compare_images(first, second)


def psnr(a: Any, b: Any) -> float:
    """Peak signal-to-noise ratio of two images in decibels; infinite where they are equal.

    >>> import numpy as np
    >>> from fewdim import psnr
    >>> print(round(psnr(np.zeros((4, 4)), np.full((4, 4), 0.1)), 3))
    20.0
    """
    return float(_compared(a, b)[0])


def ssim(a: Any, b: Any) -> float:
    """Mean structural similarity of the gray values of two images (Wang et al. 2004)."""
    return float(_compared(a, b)[1])


def draw_images(X: Any, path: str | os.PathLike[str], *, shape: Sequence[int] | None = None, columns: int = 10,
                low: float | None = None, high: float | None = None, titles: Sequence[str] = (),
                captions: Sequence[str] = (), title: str = "", longest_side: float = 104, overwrite: bool = False) -> None:
    """Draws images in a grid, as a .png or .svg file.

    X: Images, an array of n x height x width (x 3), or rows and their `shape`. columns: pictures a line. low, high: the
    numbers drawn black and white; the smallest and the largest there are. titles: of lines; captions: below pictures.
    longest_side: of a picture on the sheet, at most.
    """
    images = X if isinstance(X, Images) else None
    sides = images.image_shape if images is not None else None if shape is None else _side("shape", shape)
    rows = np.asarray(images.rows if images is not None else X, dtype=np.float64)
    if rows.ndim in (3, 4):
        sides, rows = rows.shape[1:], rows.reshape(len(rows), int(np.prod(rows.shape[1:])))
    if sides is None:
        raise OptionError("rows of numbers can be images of many shapes; give shape=(height, width)")
    if rows.ndim != 2 or rows.shape[1] != int(np.prod(sides)):
        found = rows.shape[-1] if rows.ndim else 0
        raise DataError(f"rows of {found} numbers are no pictures of {_sides(sides)}; give another shape")
    if not len(rows):
        raise DataError("there are no pictures to draw; give at least one")
    if (low is None) != (high is None):
        raise OptionError("low and high go together; give both, or none")
    if low is not None and high is not None and not low < high:
        raise OptionError(f"low={low!r} must be below high={high!r}")
    _core.draw_grid(rows, sides[0], sides[1], sides[2] if len(sides) == 3 else 1, whole("columns", columns, 1),
                    strings(titles), strings(captions), title, 0.0 if low is None else float(low),
                    0.0 if high is None else float(high), float(longest_side), os.fspath(path), bool(overwrite))
