"""Methods that keep the geometry of neighborhoods."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from ._base import CARDS, Estimator, InverseMixin, plain
from ._display import described
from ._errors import OptionError
from ._kernel import metric_of

_DOCS = {
    "n_components": "coordinates: a number.",
    "n_neighbors": "nearest rows that a row is linked to.",
    "radius": "instead of neighbors: link all rows at most this far apart.",
    "neighbors_algorithm": "how neighbors are found: 'auto', 'kd_tree' ('tree'), 'brute' ('products'), or 'approximate'.",
    "disconnected": "a graph in parts: 'bridge' it by the shortest links with a warning, as the command line does; refuse "
                    "it ('error'); or take the 'largest' part: rows outside of it get NaN.",
    "metric": "distance of two rows: 'euclidean', 'cosine', 'correlation', 'manhattan', 'chebyshev', 'hamming', or "
              "'precomputed'.",
    "graph": "the data are the graph: a square matrix, 0 where there is no link.",
    "p": "of metric='minkowski': 1 or 2.",
}
_SEARCH = {"kd_tree": "tree", "ball_tree": "tree", "brute": "products"}
_TUNING = "the solver goes on until its tolerance is met"
_EMBEDDING = {"embedding_": "n x k, the coordinates of the training rows."}


class _Neighbors(Estimator):
    """What methods on a graph of neighbors have in common."""

    _docs = _DOCS

    n_neighbors: Any
    radius: Any
    disconnected: Any
    metric: Any
    neighbors_algorithm: Any

    def _translate(self, options: dict[str, Any], data: Any) -> None:
        radius = plain(self.radius)
        neighbors = plain(self.n_neighbors)
        if radius is not None:
            options["radius"] = float(radius)
            if neighbors is not None and neighbors != type(self)().n_neighbors:
                raise OptionError("Both n_neighbors and radius are provided. Use either radius or neighbors; set "
                                  "n_neighbors=None")
        elif neighbors is not None:
            if isinstance(neighbors, int) and neighbors >= data.rows > 1:
                self._require_finite(data)
                raise OptionError(f"Expected n_neighbors < n_samples, but n_neighbors = {neighbors}, n_samples = "
                                  f"{data.rows}; lower n_neighbors")
            options["neighbors"] = neighbors
        options["search"] = _SEARCH.get(self.neighbors_algorithm, self.neighbors_algorithm)
        options["disconnected"] = self.disconnected
        options["metric"] = metric_of(self.metric, getattr(self, "p", 2))

    @classmethod
    def _parameter_names(cls) -> dict[str, str]:
        return {**super()._parameter_names(), "neighbors": "n_neighbors", "search": "neighbors_algorithm",
                "radius": "radius", "metric": "metric", "disconnected": "disconnected"}

    def _restore(self, model: Any) -> None:
        if model.options.get("radius"):
            self.n_neighbors = None
        else:
            self.radius = None

    def _pairwise(self) -> bool:
        return self.metric == "precomputed" or bool(getattr(self, "graph", False))


@described(CARDS["isomap"])
class Isomap(_Neighbors):
    """A drop-in for sklearn.manifold.Isomap.

    Examples
    --------
    >>> import numpy as np
    >>> from fewdim import Isomap
    >>> t = np.linspace(0, 3, 60)
    >>> X = np.column_stack([np.cos(t), np.sin(t)])
    >>> Y = Isomap(n_neighbors=4, n_components=1).fit_transform(X)
    >>> print(round(float(np.ptp(Y)), 2))  # the arc is 3 long
    3.0
    """

    _method = "isomap"
    _same = {"tol": "tolerance", "graph": "graph", "landmarks": "landmarks", "choice": "choice", "storage": "storage",
             "geodesics": "geodesics"}
    _idle = {"eigen_solver": (("auto", "arpack", "dense"), "the route is chosen by shape"),
             "max_iter": ((None,), _TUNING), "path_method": (("auto", "FW", "D"), "paths are found by sweeps"),
             "metric_params": ((None,), "the metrics have no parameters")}
    _arrays = {"eigenvalues_": "eigenvalues", "explained_variance_ratio_": "explained_variance_ratio"}
    _learned = {**_EMBEDDING, "eigenvalues_": "of -J D^2 J / 2, D the lengths of paths; of landmarks, theirs.",
                "explained_variance_ratio_": "shares of the coordinates.",
                "dist_matrix_": "n x n, the lengths of shortest paths; where geodesics=True."}

    def __init__(self, *, n_neighbors: int | None = 5, radius: float | None = None, n_components: int = 2,
                 eigen_solver: str = "auto", tol: float = 0.0, max_iter: Any = None, path_method: str = "auto",
                 neighbors_algorithm: str = "auto", n_jobs: int | None = None, metric: str = "minkowski", p: int = 2,
                 metric_params: Any = None, disconnected: str = "bridge", graph: bool = False, landmarks: int = 0,
                 choice: str = "random", storage: str = "auto", geodesics: bool = False, random_state: Any = None,
                 memory_limit: int | None = None) -> None:
        self.n_neighbors = n_neighbors
        self.radius = radius
        self.n_components = n_components
        self.eigen_solver = eigen_solver
        self.tol = tol
        self.max_iter = max_iter
        self.path_method = path_method
        self.neighbors_algorithm = neighbors_algorithm
        self.n_jobs = n_jobs
        self.metric = metric
        self.p = p
        self.metric_params = metric_params
        self.disconnected = disconnected
        self.graph = graph
        self.landmarks = landmarks
        self.choice = choice
        self.storage = storage
        self.geodesics = geodesics
        self.random_state = random_state
        self.memory_limit = memory_limit

    @property
    def dist_matrix_(self) -> np.ndarray:
        found = self._fitted().arrays().get("geodesics")
        if found is None:
            raise AttributeError("the lengths of shortest paths were not kept; fit with geodesics=True")
        return np.array(found)

    def reconstruction_error(self) -> float:
        """The Frobenius norm, over n, of what the map leaves of the centered inner products; needs geodesics=True."""
        inner = -0.5 * self.dist_matrix_**2
        inner += inner.mean() - inner.mean(axis=0) - inner.mean(axis=1)[:, None]
        kept = np.square(self.embedding_).sum(axis=0)
        return float(np.sqrt(max(0.0, np.square(inner).sum() - np.square(kept).sum())) / len(inner))


@described(CARDS["lle"])
class LocallyLinearEmbedding(InverseMixin, _Neighbors):
    """A drop-in for sklearn.manifold.LocallyLinearEmbedding, with the methods 'standard', 'modified', 'hessian', 'ltsa'.

    Coordinates have unit variance, as in the paper: scikit-learn's times sqrt(n).

    Examples
    --------
    >>> import numpy as np
    >>> from fewdim import LocallyLinearEmbedding
    >>> t = np.linspace(0, 3, 60)
    >>> X = np.column_stack([np.cos(t), np.sin(t), 0 * t])
    >>> Y = LocallyLinearEmbedding(n_neighbors=6, n_components=1).fit_transform(X)
    >>> print(round(abs(float(np.corrcoef(Y[:, 0], t)[0, 1])), 2))
    1.0
    """

    _method = "lle"
    _METHODS: ClassVar[dict[str, str]] = {"standard": "lle", "modified": "modified-lle", "hessian": "hessian-lle",
                                          "ltsa": "ltsa"}
    _same = {"coordinates": "coordinates", "solver": "solver"}
    _idle = {"eigen_solver": (("auto", "arpack", "dense"), "use solver"), "max_iter": ((100,), _TUNING),
             "hessian_tol": ((1e-4,), "rank is told from rounding by itself"),
             "modified_tol": ((1e-12,), "rank is told from rounding by itself")}
    _docs = {**_DOCS, "method": "'standard', 'modified', 'hessian' or 'ltsa'.",
             "reg": "added to the diagonal when weights are found, as a share of the trace; of 'standard' and 'ltsa'.",
             "tol": "largest angle allowed between a computed axis and the true one; 0 means 1e-8."}
    _learned = {**_EMBEDDING, "reconstruction_error_": "the sum of the eigenvalues."}

    def __init__(self, *, n_neighbors: int | None = 5, n_components: int = 2, reg: float = 1e-3,
                 eigen_solver: str = "auto", tol: float = 0.0, max_iter: int = 100, method: str = "standard",
                 hessian_tol: float = 1e-4, modified_tol: float = 1e-12, neighbors_algorithm: str = "auto",
                 random_state: Any = None, n_jobs: int | None = None, radius: float | None = None,
                 disconnected: str = "bridge", metric: str = "euclidean", coordinates: str = "unit",
                 solver: str = "auto", memory_limit: int | None = None) -> None:
        self.n_neighbors = n_neighbors
        self.n_components = n_components
        self.reg = reg
        self.eigen_solver = eigen_solver
        self.tol = tol
        self.max_iter = max_iter
        self.method = method
        self.hessian_tol = hessian_tol
        self.modified_tol = modified_tol
        self.neighbors_algorithm = neighbors_algorithm
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.radius = radius
        self.disconnected = disconnected
        self.metric = metric
        self.coordinates = coordinates
        self.solver = solver
        self.memory_limit = memory_limit

    def _method_name(self, data: Any = None) -> str:
        if self.method not in self._METHODS:
            raise OptionError(f"method={self.method!r} must be one of {', '.join(map(repr, self._METHODS))}")
        return self._METHODS[self.method]

    def _can(self, what: str) -> bool:
        return CARDS["lle"]["takes"][what] in (True, "yes")

    def _translate(self, options: dict[str, Any], data: Any) -> None:
        super()._translate(options, data)
        options["tolerance"] = plain(self.tol)
        if "regularization" in {field["name"] for field in self._card()["options"]}:
            options["regularization"] = plain(self.reg)

    @classmethod
    def _parameter_names(cls) -> dict[str, str]:
        return {**super()._parameter_names(), "tolerance": "tol", "regularization": "reg"}

    def _restore(self, model: Any) -> None:
        super()._restore(model)
        self.method = {name: method for method, name in self._METHODS.items()}[model.method]

    def _keep(self, model: Any, data: Any = None) -> None:
        super()._keep(model, data)
        self.reconstruction_error_ = float(np.sum(model.arrays()["explained_variance"]))


@described(CARDS["laplacian"])
class LaplacianEigenmaps(InverseMixin, _Neighbors):
    """scikit-learn's SpectralEmbedding, which also places new rows.

    affinity='nearest_neighbors' weighs every link 1, as scikit-learn does; 'heat' weighs it exp(-d^2/t); and
    'precomputed' takes the weights themselves. Links count both ways, where scikit-learn halves those that are not
    mutual.

    Examples
    --------
    >>> import numpy as np
    >>> from fewdim import LaplacianEigenmaps
    >>> X = np.random.default_rng(0).uniform(size=(80, 2))
    >>> LaplacianEigenmaps(n_components=2).fit_transform(X).shape
    (80, 2)
    """

    _method = "laplacian"
    _same = {"bandwidth": "bandwidth", "normalization": "normalization", "solver": "solver"}
    _values = {("weights", "binary"): "affinity='nearest_neighbors'", ("weights", "given"): "affinity='precomputed'",
               ("graph", "true"): "affinity='precomputed'"}
    _idle = {"eigen_solver": ((None, "arpack", "lobpcg", "amg"), "use solver"),
             "gamma": ((None,), "give bandwidth = 1/gamma and affinity='heat'")}
    _docs = {**_DOCS, "affinity": "'nearest_neighbors', 'heat', or 'precomputed'.",
             "n_neighbors": "nearest rows that a row is linked to; None is max(n/10, 1), as in scikit-learn.",
             "eigen_tol": "largest angle allowed between a computed axis and the true one; 'auto' means 1e-8."}
    _learned = {**_EMBEDDING, "eigenvalues_": "of the Laplacian, the lowest that are not 0.",
                "n_neighbors_": "as it was taken."}
    _arrays = {"eigenvalues_": "eigenvalues"}

    def __init__(self, n_components: int = 2, *, affinity: str = "nearest_neighbors", gamma: Any = None,
                 random_state: Any = None, eigen_solver: Any = None, eigen_tol: Any = "auto",
                 n_neighbors: int | None = None, n_jobs: int | None = None, radius: float | None = None,
                 neighbors_algorithm: str = "auto", disconnected: str = "bridge", metric: str = "euclidean",
                 bandwidth: float = 0.0, normalization: str = "random-walk", solver: str = "auto",
                 memory_limit: int | None = None) -> None:
        self.n_components = n_components
        self.affinity = affinity
        self.gamma = gamma
        self.random_state = random_state
        self.eigen_solver = eigen_solver
        self.eigen_tol = eigen_tol
        self.n_neighbors = n_neighbors
        self.n_jobs = n_jobs
        self.radius = radius
        self.neighbors_algorithm = neighbors_algorithm
        self.disconnected = disconnected
        self.metric = metric
        self.bandwidth = bandwidth
        self.normalization = normalization
        self.solver = solver
        self.memory_limit = memory_limit

    def _translate(self, options: dict[str, Any], data: Any) -> None:
        super()._translate(options, data)
        given = self.affinity == "precomputed"
        kinds = {"nearest_neighbors": "binary", "heat": "heat", "precomputed": "given"}
        if self.affinity not in kinds:
            raise OptionError(f"affinity={self.affinity!r} must be 'nearest_neighbors', 'heat' or 'precomputed'")
        options["weights"] = kinds[self.affinity]
        options["graph"] = given
        options["tolerance"] = 0.0 if self.eigen_tol == "auto" else plain(self.eigen_tol)
        if given:
            for unused in ("neighbors", "radius", "search", "metric"):
                options.pop(unused, None)
        elif self.n_neighbors is None and self.radius is None:
            options["neighbors"] = self._neighbors = max(data.rows // 10, 1)

    def _learn(self, X: Any, data: Any) -> None:
        self.n_neighbors_ = self.__dict__.pop("_neighbors", self.n_neighbors)

    @classmethod
    def _parameter_names(cls) -> dict[str, str]:
        return {**super()._parameter_names(), "tolerance": "eigen_tol", "graph": "affinity", "weights": "affinity"}

    def _restore(self, model: Any) -> None:
        super()._restore(model)
        kinds = {"binary": "nearest_neighbors", "heat": "heat", "given": "precomputed"}
        self.affinity = "precomputed" if model.options.get("graph") else kinds[model.options["weights"]]

    def _pairwise(self) -> bool:
        return self.affinity == "precomputed" or self.metric == "precomputed"


SpectralEmbedding = LaplacianEigenmaps


@described(CARDS["diffusion"])
class DiffusionMaps(InverseMixin, _Neighbors):
    """Examples
    --------
    >>> import numpy as np
    >>> from fewdim import DiffusionMaps
    >>> X = np.random.default_rng(0).uniform(size=(80, 2))
    >>> DiffusionMaps(n_components=2).fit_transform(X).shape
    (80, 2)
    """

    _method = "diffusion"
    _same = {"graph": "graph", "weights": "weights", "bandwidth": "bandwidth", "alpha": "alpha", "time": "time",
             "solver": "solver", "tol": "tolerance"}
    _learned = {**_EMBEDDING, "eigenvalues_": "of the random walk, the largest below 1."}
    _arrays = {"eigenvalues_": "eigenvalues"}
    _docs = {**_DOCS, "n_neighbors": "nearest rows that a row is linked to; None is 12, or all of a few rows."}

    def __init__(self, n_components: int = 2, *, n_neighbors: int | None = None, radius: float | None = None,
                 neighbors_algorithm: str = "auto", disconnected: str = "bridge", metric: str = "euclidean",
                 graph: bool = False, weights: str = "heat", bandwidth: float = 0.0, alpha: float = 1.0,
                 time: float = 1.0, solver: str = "auto", tol: float = 0.0, random_state: Any = None,
                 n_jobs: int | None = None, memory_limit: int | None = None) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.radius = radius
        self.neighbors_algorithm = neighbors_algorithm
        self.disconnected = disconnected
        self.metric = metric
        self.graph = graph
        self.weights = weights
        self.bandwidth = bandwidth
        self.alpha = alpha
        self.time = time
        self.solver = solver
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory_limit = memory_limit

    def _translate(self, options: dict[str, Any], data: Any) -> None:
        super()._translate(options, data)
        if self.n_neighbors is None and self.radius is None and not self.graph and data.rows > 1:
            options["neighbors"] = min(12, data.rows - 1)


@described(CARDS["mvu"])
class MaximumVarianceUnfolding(InverseMixin, _Neighbors):
    """Examples
    --------
    >>> import numpy as np
    >>> from fewdim import MaximumVarianceUnfolding
    >>> t = np.linspace(0, 3, 40)
    >>> X = np.column_stack([np.cos(t), np.sin(t)])
    >>> Y = MaximumVarianceUnfolding(n_components=1, n_neighbors=2).fit_transform(X)
    >>> print(round(float(np.ptp(Y)), 2))  # the arc is 3 long
    3.0
    """

    _method = "mvu"
    _same = {"graph": "graph", "rigid": "rigid", "form": "form", "solver": "solver", "tol": "tolerance"}
    _learned = {**_EMBEDDING, "explained_variance_ratio_": "shares of the coordinates."}
    _arrays = {"explained_variance_ratio_": "explained_variance_ratio"}

    def __init__(self, n_components: int = 2, *, n_neighbors: int | None = 6, radius: float | None = None,
                 neighbors_algorithm: str = "auto", disconnected: str = "bridge", metric: str = "euclidean",
                 graph: bool = False, rigid: bool = False, form: str = "inequality", solver: str = "auto",
                 tol: float = 0.0, random_state: Any = None, n_jobs: int | None = None,
                 memory_limit: int | None = None) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.radius = radius
        self.neighbors_algorithm = neighbors_algorithm
        self.disconnected = disconnected
        self.metric = metric
        self.graph = graph
        self.rigid = rigid
        self.form = form
        self.solver = solver
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory_limit = memory_limit
