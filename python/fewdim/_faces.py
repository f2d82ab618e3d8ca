"""Components of images, and recognition by them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from . import _core, _display
from ._base import Callback, Estimator, components_of, plain, seed_of
from ._data import dense_array
from ._errors import DataError, OptionError, UnsupportedError
from ._images import Images, _paths, _sides, draw_images, read_images
from ._table import Table, one_of, whole

TRIALS = ("folds", "split", "leave-one-out", "none")
PARTS = {"eigenfaces": "pca", "independent": "ica", "nmf": "nmf"}


@dataclass(frozen=True)
class FaceTrial:
    """Recognition tried on images whose label is known: is the nearest other image one of the same label?"""

    kind: str  #: 'folds', 'split', 'leave-one-out' or 'none'
    tried: int  #: images that were held out
    with_label: int  #: of those: whose label another image has, too
    right: int  #: of those: the nearest image has the same label
    fits: int  #: models that were fitted for it
    distances: np.ndarray = field(repr=False)  #: of the held-out images to the space of the components, rising

    @property
    def accuracy(self) -> float:
        return self.right / self.with_label if self.with_label else 0.0


@dataclass(frozen=True)
class Recognition:
    """The nearest training image of each image."""

    nearest: np.ndarray  #: its number
    names: list[str] = field(repr=False)  #: its name
    labels: np.ndarray | None  #: its label, where the training images have any
    distance: np.ndarray = field(repr=False)  #: to it, in the space of the components
    face_distance: np.ndarray = field(repr=False)  #: to that space
    is_face: np.ndarray  #: face_distance is not above the model's limit; all where it has none


@dataclass(frozen=True)
class CompressionRow:
    """What k components keep of the training images."""

    components: int
    nbytes: int  #: of k components, the mean and k numbers an image, 4 bytes each
    psnr: float  #: of all images together
    ssim: float  #: mean over images


class Faces(Estimator):
    """Eigenfaces: PCA of images, and recognition by the nearest known one (Sirovich & Kirby 1987; Turk & Pentland 1991).

    The model file is the command line's: `fewdim faces` writes it, `fewdim recognize` reads it.

    Parameters
    ----------
    n_components : default None
        Components to keep: a number, a share of the variance such as 0.95, or a criterion; None: 50, or as many as there
        can be.
    parts : default 'eigenfaces'
        What the components are: 'eigenfaces' of largest variance, 'independent' ones (ICA), or 'nmf', which add up and
        never cancel.
    shape : default None
        (height, width) or (height, width, 3) of the images in the rows of a table.
    white : default None
        The number that stands for white in arrays; None: 1 of unsigned bytes divided by 255, else the largest there is.
    trial : default 'folds'
        How recognition is tried: 'folds', each image once by a model of the other folds; 'split', a share of them;
        'leave-one-out', which flatters; or 'none', and the model will not know how far off a face may be.
    folds : default 10
        Of the trial by folds.
    split : default 0.3
        Share that is held out in the trial by a split.
    max_held_out : default 2000
        Of more images as many are held out, drawn once.
    face_share : default 0.99
        Quantile of the distances of held-out images that is the limit of what counts as a face.
    tol : default 0.0
        Largest residual allowed; 0: as the method has it.
    random_state : default None
        Of folds and random starts: an int, or None, which is 0: every fit can be repeated.
    n_jobs : default None
        Threads; None and -1 are all cores. Results have the same bits at any number.
    memory_limit : default None
        Bytes of working memory; None: 80 % of what is free.

    Attributes
    ----------
    components_ : k x pixels, the components.
    mean_ : the mean image; of 'nmf' there is none.
    embedding_ : n x k, the coordinates of the training images.
    explained_variance_ratio_ : their shares.
    labels_, names_ : of the training images; labels_ is None where they have none.
    image_shape_ : (height, width), or (height, width, 3).
    white_ : the number that stands for white.
    face_limit_ : the largest distance to the space of the components of what counts as a face; None: not known.
    trial_ : what the trial has found; None where the model was read from a file.
    certificate_ : how far the components can be trusted.

    Examples
    --------
    >>> import fewdim
    >>> digits = fewdim.Images.of(fewdim.generate("digits"), (8, 8))
    >>> faces = fewdim.Faces(n_components=20).fit(digits)
    >>> print(round(faces.trial_.accuracy, 3))
    0.987
    >>> found = faces.recognize(digits.images[:3])
    >>> found.labels.tolist(), found.is_face.tolist()
    (['0', '1', '2'], [True, True, True])
    """

    trial_: FaceTrial | None
    _method = "pca"
    _arrays = {"components_": "components", "mean_": "mean", "explained_variance_": "explained_variance",
               "explained_variance_ratio_": "explained_variance_ratio"}

    def __init__(self, n_components: Any = None, *, parts: str = "eigenfaces", shape: Sequence[int] | None = None,
                 white: float | None = None, trial: str = "folds", folds: int = 10, split: float = 0.3,
                 max_held_out: int = 2000, face_share: float = 0.99, tol: float = 0.0, random_state: Any = None,
                 n_jobs: int | None = None, memory_limit: int | None = None) -> None:
        self.n_components = n_components
        self.parts = parts
        self.shape = shape
        self.white = white
        self.trial = trial
        self.folds = folds
        self.split = split
        self.max_held_out = max_held_out
        self.face_share = face_share
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory_limit = memory_limit

    def _method_name(self, data: Any = None) -> str:
        return PARTS.get(self.parts, "pca")

    def _can(self, what: str) -> bool:
        return False  # images are dense, in memory and without gaps

    @classmethod
    def _parameter_names(cls) -> dict[str, str]:
        return {**super()._parameter_names(), "tolerance": "tol"}

    def _face_options(self, rows: int, cols: int) -> dict[str, Any]:
        one_of("parts", self.parts, tuple(PARTS))
        one_of("trial", self.trial, TRIALS)
        for name in ("split", "face_share"):
            value = plain(getattr(self, name))
            number = isinstance(value, (int, float)) and not isinstance(value, bool)
            if not number or not 0.0 < value <= 1.0 or (name == "split" and value == 1.0):
                raise OptionError(f"{name}={value!r} must be above 0 and {'below' if name == 'split' else 'at most'} 1")
        chosen = max(1, min(50, rows - 1, cols)) if self.n_components is None else components_of(self.n_components)
        return {"components": str(chosen), "parts": self.parts, "tolerance": float(self.tol),
                "seed": seed_of(self.random_state), "trial": self.trial, "folds": whole("folds", self.folds, 2),
                "share": float(self.split), "most_held_out": whole("max_held_out", self.max_held_out, 1),
                "face_share": float(self.face_share)}

    # Input.

    def _training_images(self, X: Any, y: Any) -> Images:
        paths = _paths(X)
        if isinstance(X, Images):
            images = X
        elif paths is not None:
            images = read_images(paths, n_jobs=self.n_jobs, memory_limit=self.memory_limit)
        else:
            images = Images.of(X, self.shape, white=self.white)
        if y is not None:
            images = images.with_labels(y)
        if not np.isfinite(images.rows).all():
            raise DataError("Input X contains NaN or infinity; fill those pixels first")
        return images

    def _new_images(self, X: Any, resize: bool = False) -> Images:
        """Images as those of the model are."""
        self._fitted()
        shape: tuple[int, ...] = self.image_shape_
        paths = _paths(X)
        if isinstance(X, Images):
            images = X
        elif paths is not None:
            images = read_images(paths, size=shape[:2] if resize else None, color=len(shape) == 3, n_jobs=self.n_jobs)
        elif isinstance(X, Table):
            images = Images.of(X, shape, white=self.white_)
        else:
            pixels = np.asarray(X)
            if pixels.shape == shape:
                pixels = pixels[None]
            if pixels.ndim not in (2, 3, 4):
                raise DataError(f"X has the shape {pixels.shape}; give n x {_sides(shape)}, or n x {int(np.prod(shape))}")
            if pixels.ndim == 2 and pixels.shape[1] != int(np.prod(shape)):
                raise DataError(f"X has {pixels.shape[1]} features, but Faces is expecting {int(np.prod(shape))} features as "
                                f"input: images of {_sides(shape)}")
            images = Images.of(pixels, shape if pixels.ndim == 2 else None,
                               white=None if pixels.dtype == np.uint8 else self.white_)
        if images.image_shape != shape:
            raise DataError(f"the images are {_sides(images.image_shape)}, those of the model {_sides(shape)}; "
                            + ("give paths and resize=True" if paths is None else "use resize=True"))
        if not np.isfinite(images.rows).all():
            raise DataError("Input X contains NaN or infinity; fill those pixels first")
        return images

    # Fitting.

    def fit(self, X: Any, y: Any = None, *, callback: Callback | None = None, progress: bool = False) -> Any:
        """Fits the components, and tries recognition where labels are known.

        Parameters
        ----------
        X : Images, paths, or array of n x height x width (x 3), or rows and the parameter `shape`
        y : labels, optional
            Who is on each image; by default those of the Images.
        callback, progress
            As for every estimator.
        """
        images = self._training_images(X, y)
        options = self._face_options(*images.shape)
        single = images.rows.dtype == np.float32
        self.n_features_in_ = images.shape[1]
        with self._speaking(single), _display.progress_bar(callback, progress, "Faces") as told:
            model, trial = _core.fit_faces(images._images, options, callback=told, **self._execution())
        self._keep(model, images)
        self.trial_ = FaceTrial(**trial)
        return self

    def _keep(self, model: Any, data: Any = None) -> None:
        super()._keep(model, data)
        known = _core.image_index(model)
        self.image_shape_ = (known["height"], known["width"]) + ((3,) if known["channels"] == 3 else ())
        self.white_ = float(known["white"])
        self.names_ = list(known["names"])
        self.labels_ = np.asarray(known["labels"], dtype=object) if known["labels"] else None
        self.face_limit_ = known["face_limit"] if known["face_limit"] > 0 else None
        self.trial_ = None

    def _restore(self, model: Any) -> None:
        self.parts = {method: parts for parts, method in PARTS.items()}.get(model.method, "eigenfaces")
        known = _core.image_index(model)
        self.face_share = known["face_share"]

    def fit_transform(self, X: Any, y: Any = None, *, callback: Callback | None = None, progress: bool = False) -> Any:
        """Fits the components and returns the coordinates of the images."""
        return self.fit(X, y, callback=callback, progress=progress).embedding_

    # Asking.

    def _coordinates(self, X: Any) -> Any:
        images = self._new_images(X)
        rows = images.rows
        if images.white != self.white_:
            rows = rows.astype(np.float64) * (self.white_ / images.white)
        with self._speaking(rows.dtype == np.float32):
            return self._fitted().transform(_core.Data.dense(dense_array(rows)), **self._execution())

    def inverse_transform(self, X: Any) -> np.ndarray:
        """Images from coordinates: n x height x width (x 3), in the units of the training images."""
        model = self._fitted()
        rows = dense_array(X)
        if rows.shape[1] != self.n_components_:
            raise DataError(f"X has {rows.shape[1]} columns, and the model {self.n_components_} components")
        with self._speaking(rows.dtype == np.float32):
            found = model.inverse_transform(_core.Data.dense(rows), **self._execution())
        return np.asarray(found).reshape(len(rows), *self.image_shape_)

    def recognize(self, X: Any, *, resize: bool = False) -> Recognition:
        """The nearest training image of each image, and whether it is of that kind at all.

        resize: bring images of files to the size of the model's.
        """
        images = self._new_images(X, resize)
        with self._speaking(images.rows.dtype == np.float32):
            nearest, distance, face_distance, is_face = _core.recognize(self._fitted(), images._images, **self._execution())
        return Recognition(nearest, [self.names_[at] for at in nearest], None if self.labels_ is None else self.labels_[nearest],
                           distance, face_distance, is_face)

    def predict(self, X: Any) -> np.ndarray:
        """The label of the nearest training image of each image."""
        labels = self.recognize(X).labels
        if labels is None:
            raise UnsupportedError("the training images have no labels; fit(X, y) gives them")
        return labels

    def score(self, X: Any, y: Any) -> float:
        """The share of the images whose nearest training image has their label."""
        wanted = [str(label) for label in y]
        found = self.predict(X)
        if len(found) != len(wanted):
            raise DataError(f"{len(wanted)} labels were given for {len(found)} images")
        return float(np.mean([a == b for a, b in zip(found, wanted)]))

    def compression(self, X: Any, *, most: int = 500) -> list[CompressionRow]:
        """What k components keep of the training images X, for growing k; SSIM is the mean over at most `most` of them."""
        images = self._new_images(X)
        return [CompressionRow(*row) for row in
                _core.face_compression(self._fitted(), images._images, whole("most", most, 1), **self._execution())]

    def reconstruct(self, image: Any, components: Sequence[int] | None = None) -> np.ndarray:
        """One image by the first k components, for each k of `components`; by default 1, 2, 5, 10, ... and all."""
        row, ranks = self._one(image, components)
        found = _core.reconstructions(self._fitted(), row, ranks)
        return np.asarray(found).reshape(len(ranks), *self.image_shape_)

    def _one(self, image: Any, components: Sequence[int] | None) -> tuple[np.ndarray, list[int]]:
        self._fitted()
        images = self._new_images(image)
        if len(images) != 1:
            raise DataError(f"{len(images)} images were given, and one is shown")
        ranks = _core.growing_ranks(self.n_components_) if components is None else [whole("components", k, 1) for k in components]
        for k in ranks:
            if k > self.n_components_:
                raise OptionError(f"components={k} must be at most {self.n_components_}, as many as there are")
        return images.rows[0].astype(np.float64) * (self.white_ / images.white), list(ranks)

    # Pictures.

    def _pictures(self) -> tuple[np.ndarray, np.ndarray | None]:
        """What each component adds, and the mean; of parts that only add up there is none."""
        arrays = self._fitted().arrays()
        return arrays.get("inverse_components", arrays["components"]), arrays.get("mean")

    def gallery(self, path: str | os.PathLike[str], count: int = 20, *, overwrite: bool = False) -> None:
        """Draws the mean and the first components, as a .png or .svg file."""
        parts, mean = self._pictures()
        shown = min(whole("count", count, 1), self.n_components_)
        pictures, captions = [], []
        if mean is not None:
            pictures.append(mean / self.white_)
            captions.append("mean")
        for j in range(shown):
            largest = max(float(np.abs(parts[j]).max()), 1e-300)
            pictures.append(parts[j] / largest if mean is None else parts[j] / (2.0 * largest) + 0.5)
            captions.append(f"{j + 1}: {100 * self.explained_variance_ratio_[j]:.1f} %")
        rows = f"{self._fitted().provenance['rows']:,}"
        draw_images(np.array(pictures), path, shape=self.image_shape_, columns=min(len(pictures), 7), low=0.0, high=1.0,
                    captions=captions, overwrite=overwrite,
                    title=f"{'Parts' if mean is None else 'Mean and components'} of {rows} images")

    def strip(self, image: Any, path: str | os.PathLike[str], *, name: str = "The image", overwrite: bool = False) -> None:
        """Draws one image by growing numbers of components, as a .png or .svg file."""
        row, ranks = self._one(image, None)
        back = np.asarray(_core.reconstructions(self._fitted(), row, ranks))
        with np.errstate(divide="ignore"):
            errors = 10 * np.log10(self.white_**2 * row.size / ((back - row) ** 2).sum(axis=1))
        captions = [f"k = {k}\n" + ("exact" if np.isinf(e) else f"{e:.1f} dB") for k, e in zip(ranks, errors)]
        draw_images(np.vstack([back, row]) / self.white_, path, shape=self.image_shape_, columns=min(len(ranks) + 1, 7),
                    low=0.0, high=1.0, captions=[*captions, "original"], title=f"{name} by its first k components",
                    overwrite=overwrite)

    def sheet(self, X: Any, path: str | os.PathLike[str], *, resize: bool = False, overwrite: bool = False) -> None:
        """Draws the first seven images, what the components show of them, and their nearest known ones."""
        images = self._new_images(X, resize)
        found = self.recognize(images)
        parts, mean = self._pictures()
        shown = min(7, len(images))
        new = images.rows[:shown].astype(np.float64) * (self.white_ / images.white)
        projected = np.vstack([_core.reconstructions(self._fitted(), row, [self.n_components_]) for row in new])
        known = self.embedding_[found.nearest[:shown]] @ parts + (0.0 if mean is None else mean)
        names = images.names or [str(i + 1) for i in range(shown)]
        captions = [name.rpartition("/")[2] for name in names[:shown]]
        captions += [f"off by {found.face_distance[i]:.3g}{'' if found.is_face[i] else ': beyond'}" for i in range(shown)]
        captions += found.names[:shown] if found.labels is None else [str(label) for label in found.labels[:shown]]
        draw_images(np.vstack([new, projected, known]) / self.white_, path, shape=self.image_shape_, columns=shown, low=0.0,
                    high=1.0, titles=["new", "projected", "nearest"], captions=captions, overwrite=overwrite,
                    title="New images and their nearest known ones")
