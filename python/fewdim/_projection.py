"""Maps that are drawn at random."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from . import _core
from ._base import CARDS, Estimator, InverseMixin, plain
from ._display import described
from ._errors import OptionError


class _RandomProjection(InverseMixin, Estimator):
    _method = "random-projection"
    _least_rows = 1
    _kind = "gaussian"
    _same = {"eps": "distortion", "compute_inverse_components": "store", "embedding": "embedding"}
    _arrays = {"components_": "components", "inverse_components_": "inverse_components"}
    _docs = {"n_components": "a number, or 'auto': enough to keep all distances within eps.",
             "compute_inverse_components": "keep the map and its pseudo-inverse in the model, not its seed alone."}
    _learned = {"components_": "k x D, the map.", "inverse_components_": "k x D, its pseudo-inverse, transposed; where "
                                                                         "compute_inverse_components=True."}

    eps: Any
    compute_inverse_components: Any

    def _translate(self, options: dict[str, Any], data: Any) -> None:
        options["kind"] = self._kind
        k, rows = plain(self.n_components), data.rows
        if k == "auto" and rows > 0:
            eps = plain(self.eps)
            if not isinstance(eps, (int, float)) or not 0 < eps < 1:
                raise OptionError(f"eps={eps!r} must lie between 0 and 1")
            needed = int(4 * np.log(rows) / (eps**2 / 2 - eps**3 / 3))
            if needed > data.cols:
                raise OptionError(
                    f"eps={eps:f} and n_samples={rows} lead to a target dimension of {needed} which is larger than the "
                    f"original space with n_features={data.cols}; raise eps, or give n_components as a number")

    def _keep(self, model: Any, data: Any = None) -> None:
        super()._keep(model, data)
        if not hasattr(self, "components_"):
            # The map is linear: what it does to the identity is the map.
            identity = _core.Data.dense(np.eye(self.n_features_in_))
            self.components_ = np.array(model.transform(identity).T, order="C", dtype=np.float64)


@described(CARDS["random-projection"])
class GaussianRandomProjection(_RandomProjection):
    """A drop-in for sklearn.random_projection.GaussianRandomProjection.

    Examples
    --------
    >>> import numpy as np
    >>> from fewdim import GaussianRandomProjection
    >>> X = np.random.default_rng(0).normal(size=(20, 5000))
    >>> GaussianRandomProjection(eps=0.5).fit_transform(X).shape
    (20, 143)
    """

    def __init__(self, n_components: Any = "auto", *, eps: float = 0.1, compute_inverse_components: bool = False,
                 random_state: Any = None, embedding: bool = False, n_jobs: int | None = None,
                 memory_limit: int | None = None) -> None:
        self.n_components = n_components
        self.eps = eps
        self.compute_inverse_components = compute_inverse_components
        self.random_state = random_state
        self.embedding = embedding
        self.n_jobs = n_jobs
        self.memory_limit = memory_limit


@described(CARDS["random-projection"])
class SparseRandomProjection(_RandomProjection):
    """A drop-in for sklearn.random_projection.SparseRandomProjection. Coordinates are dense, and so is components_.

    Examples
    --------
    >>> import numpy as np
    >>> from fewdim import SparseRandomProjection
    >>> X = np.random.default_rng(0).normal(size=(20, 5000))
    >>> SparseRandomProjection(n_components=50).fit_transform(X).shape
    (20, 50)
    """

    _kind = "sparse"
    _idle = {"dense_output": ((True, False), "coordinates are dense, which they are for nearly all data")}
    _docs = {**_RandomProjection._docs, "density": "the share of entries that are not 0; 'auto' is 1/sqrt(columns)."}
    _learned = {**_RandomProjection._learned, "density_": "as it was taken."}

    def __init__(self, n_components: Any = "auto", *, density: Any = "auto", eps: float = 0.1, dense_output: bool = False,
                 compute_inverse_components: bool = False, random_state: Any = None, embedding: bool = False,
                 n_jobs: int | None = None, memory_limit: int | None = None) -> None:
        self.n_components = n_components
        self.density = density
        self.eps = eps
        self.dense_output = dense_output
        self.compute_inverse_components = compute_inverse_components
        self.random_state = random_state
        self.embedding = embedding
        self.n_jobs = n_jobs
        self.memory_limit = memory_limit

    def _translate(self, options: dict[str, Any], data: Any) -> None:
        super()._translate(options, data)
        options["density"] = plain(self.density)

    def _keep(self, model: Any, data: Any = None) -> None:
        super()._keep(model, data)
        self.density_ = 1 / math.sqrt(model.features) if self.density == "auto" else float(self.density)
