"""Methods that place objects by their similarities or distances to others."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._base import CARDS, Estimator, InverseMixin, plain
from ._display import described
from ._errors import OptionError

_METRICS = {"l2": "euclidean", "l1": "manhattan", "cityblock": "manhattan", "minkowski": "euclidean"}


def metric_of(metric: Any, p: Any = 2) -> Any:
    """scikit-learn's names of metrics as the engine has them."""
    if metric == "minkowski" and plain(p) not in (1, 2):
        raise OptionError(f"metric='minkowski' with p={p!r} is not known here; give p=1 or p=2, or metric='precomputed'")
    if metric in ("minkowski", "p") and plain(p) == 1:
        return "manhattan"
    if callable(metric):
        raise OptionError("a metric that is a function is not known here; give metric='precomputed' and the distances")
    return _METRICS.get(metric, metric)


@described(CARDS["kernel-pca"])
class KernelPCA(InverseMixin, Estimator):
    """A drop-in for sklearn.decomposition.KernelPCA. The way back is a regression on the coordinates.

    Examples
    --------
    >>> import numpy as np
    >>> from fewdim import KernelPCA
    >>> X = np.random.default_rng(0).normal(size=(30, 3))
    >>> KernelPCA(n_components=2, kernel="rbf").fit_transform(X).shape
    (30, 2)
    """

    _method = "kernel-pca"
    _same = {"degree": "degree", "coef0": "offset", "tol": "tolerance", "center": "center", "sigma": "sigma",
             "indefinite": "indefinite", "approximation": "approximation", "landmarks": "landmarks", "pivots": "pivots",
             "length": "length", "normalize": "normalize"}
    _values = {("inverse", "none"): "fit_inverse_transform=False", ("kernel", "gaussian"): "kernel='rbf'"}
    _idle = {"kernel_params": ((None,), "a kernel that is a function is not known here; use kernel='precomputed'"),
             "eigen_solver": (("auto", "dense", "arpack", "randomized"), "the route is chosen by shape"),
             "max_iter": ((None,), "the solver goes on until its tolerance is met"),
             "iterated_power": (("auto",), "the solver goes on until its tolerance is met")}
    _docs = {"kernel": "'linear', 'poly', 'rbf', 'sigmoid', 'cosine', 'laplacian', 'chi2', 'precomputed', or 'spectrum' "
                       "of strings.",
             "gamma": "of the kernel; None is 1/columns, as in scikit-learn; 'auto' is chosen from the data: 1/(2 s^2) "
                      "with s the median distance of rows.",
             "alpha": "of the ridge regression that goes back.",
             "fit_inverse_transform": "learn the way back; or 'ridge', 'fixed-point', 'distances'.",
             "remove_zero_eig": "components without variance are left out anyway.",
             "copy_X": "accepted for scikit-learn's sake: X is never changed."}
    _learned = {"eigenvalues_": "of the centered kernel matrix; explained variances are these over n - 1.",
                "eigenvectors_": "n x k, of unit length.",
                "gamma_": "as it was taken.", "embedding_": "n x k, the coordinates of the training rows.",
                "explained_variance_ratio_": "shares of the components."}
    _arrays = {"eigenvalues_": "eigenvalues", "explained_variance_ratio_": "explained_variance_ratio"}

    def __init__(self, n_components: Any = None, *, kernel: str = "linear", gamma: Any = None, degree: int = 3,
                 coef0: float = 1.0, kernel_params: Any = None, alpha: float = 1.0, fit_inverse_transform: Any = False,
                 eigen_solver: str = "auto", tol: float = 0.0, max_iter: Any = None, iterated_power: Any = "auto",
                 remove_zero_eig: bool = False, random_state: Any = None, copy_X: bool = True, sigma: Any = "auto",
                 center: bool = True, indefinite: str = "error", approximation: str = "none", landmarks: int = 0,
                 pivots: str = "adaptive", length: int = 3, normalize: bool = True, n_jobs: int | None = None,
                 memory_limit: int | None = None) -> None:
        self.n_components = n_components
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.alpha = alpha
        self.fit_inverse_transform = fit_inverse_transform
        self.eigen_solver = eigen_solver
        self.tol = tol
        self.max_iter = max_iter
        self.iterated_power = iterated_power
        self.remove_zero_eig = remove_zero_eig
        self.random_state = random_state
        self.copy_X = copy_X
        self.sigma = sigma
        self.center = center
        self.indefinite = indefinite
        self.approximation = approximation
        self.landmarks = landmarks
        self.pivots = pivots
        self.length = length
        self.normalize = normalize
        self.n_jobs = n_jobs
        self.memory_limit = memory_limit

    _KERNELS = {"poly": "polynomial", "rbf": "gaussian"}

    def _translate(self, options: dict[str, Any], data: Any) -> None:
        if callable(self.kernel):
            raise OptionError("a kernel that is a function is not known here; give kernel='precomputed' and its values")
        kernel = options["kernel"] = self._KERNELS.get(self.kernel, self.kernel)
        takes_gamma = kernel in ("polynomial", "gaussian", "laplacian", "sigmoid", "chi2")
        gamma = plain(self.gamma)
        if takes_gamma and gamma is None and options["sigma"] == "auto":
            gamma = 1.0 / data.cols
        if takes_gamma and gamma is not None:
            options["gamma"] = gamma
        if self.fit_inverse_transform:
            asked = self.fit_inverse_transform
            options["inverse"] = "ridge" if asked is True else asked
            options["ridge"] = plain(self.alpha)

    @classmethod
    def _parameter_names(cls) -> dict[str, str]:
        return {**super()._parameter_names(), "kernel": "kernel", "gamma": "gamma", "inverse": "fit_inverse_transform",
                "ridge": "alpha"}

    def _restore(self, model: Any) -> None:
        inverse = model.options.get("inverse", "none")
        self.fit_inverse_transform = inverse if inverse != "none" else False

    def _takes_text(self) -> bool:
        return self.kernel == "spectrum"

    def _pairwise(self) -> bool:
        return self.kernel == "precomputed"

    def _keep(self, model: Any, data: Any = None) -> None:
        super()._keep(model, data)
        arrays = model.arrays()
        self.gamma_ = model.scalars["gamma"]
        if "embedding" in arrays:
            embedding = arrays["embedding"]
            self.eigenvectors_ = embedding / np.sqrt(np.einsum("ij,ij->j", embedding, embedding))

    @property
    def X_fit_(self) -> np.ndarray:
        rows = self._fitted().arrays().get("objects")
        if rows is None:
            raise AttributeError("the model keeps no training rows: its kernel was given, or it is an approximation")
        return np.array(rows)


@described(CARDS["mds"])
class ClassicalMDS(Estimator):
    """scikit-learn's ClassicalMDS (from 1.8), which also places new objects.

    Examples
    --------
    >>> import numpy as np
    >>> from fewdim import ClassicalMDS
    >>> D = np.array([[0.0, 3, 4], [3, 0, 5], [4, 5, 0]])
    >>> Y = ClassicalMDS(n_components=2, metric="precomputed").fit_transform(D)
    >>> print(np.linalg.norm(Y[1] - Y[2]).round(6))
    5.0
    """

    _method = "mds"
    _same = {"correction": "correction", "triangle": "triangle", "landmarks": "landmarks", "choice": "choice",
             "tol": "tolerance"}
    _idle = {"metric_params": ((None,), "the metrics have no parameters")}
    _arrays = {"eigenvalues_": "eigenvalues", "all_eigenvalues_": "all_eigenvalues",
               "explained_variance_ratio_": "explained_variance_ratio"}
    _docs = {"metric": "distance of two rows: 'euclidean', 'cosine', 'correlation', 'manhattan', 'chebyshev', 'hamming', "
                       "or 'precomputed'."}
    _learned = {"embedding_": "n x k, the coordinates.",
                "eigenvalues_": "of -J D^2 J / 2, D the distances and J the centering matrix; of landmarks, theirs.",
                "all_eigenvalues_": "the same, all n, negative ones too; where the whole spectrum was computed.",
                "explained_variance_ratio_": "shares of the positive eigenvalues."}

    def __init__(self, n_components: Any = 2, *, metric: str = "euclidean", metric_params: Any = None,
                 correction: str = "none", triangle: bool = False, landmarks: int = 0, choice: str = "random",
                 tol: float = 0.0, random_state: Any = None, n_jobs: int | None = None,
                 memory_limit: int | None = None) -> None:
        self.n_components = n_components
        self.metric = metric
        self.metric_params = metric_params
        self.correction = correction
        self.triangle = triangle
        self.landmarks = landmarks
        self.choice = choice
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory_limit = memory_limit

    def _translate(self, options: dict[str, Any], data: Any) -> None:
        options["metric"] = metric_of(self.metric)

    def _restore(self, model: Any) -> None:
        self.metric = model.options.get("metric", "euclidean")

    def _pairwise(self) -> bool:
        return self.metric == "precomputed"


@described(CARDS["smacof"])
class MDS(Estimator):
    """scikit-learn's MDS: the map of least stress, which also places new objects.

    It starts at classical scaling, as scikit-learn will; n_init - 1 further starts are random. Both generations of
    scikit-learn's parameters are taken: metric=False and metric_mds=False are nonmetric, dissimilarity='precomputed' and
    metric='precomputed' take distances.

    Examples
    --------
    >>> import numpy as np
    >>> from fewdim import MDS
    >>> D = np.array([[0.0, 3, 4], [3, 0, 5], [4, 5, 0]])
    >>> mds = MDS(n_components=2, metric="precomputed").fit(D)
    >>> print(round(mds.stress_, 6))
    0.0
    """

    _method = "smacof"
    _same = {"ties": "ties", "max_iter": "iterations", "eps": "tolerance", "init": "start"}
    _idle = {"verbose": ((0, False), "use fit(..., progress=True)"),
             "metric_params": ((None,), "the metrics have no parameters"),
             "normalized_stress": (("auto",), "stress_ is the raw stress, and diagnostics_ has the normalized ones")}
    _docs = {"metric": "distance of two rows: 'euclidean', 'cosine', 'correlation', 'manhattan', 'chebyshev', 'hamming', "
                       "or 'precomputed'. True and False are metric_mds, as they were before scikit-learn 1.8.",
             "metric_mds": "False: only the order of the dissimilarities counts (nonmetric); or 'interval'.",
             "n_init": "starts: the first at `init`, the others at random points; the best map is kept.",
             "dissimilarity": "the older name of metric.",
             "eps": "stop when a step lowers the stress by no more than this share of it."}
    _learned = {"embedding_": "n x k, the coordinates.", "stress_": "the sum of (disparity - distance)^2 over all pairs.",
                "n_iter_": "steps that were taken.", "point_stress_": "n: each object's share of the stress."}
    _arrays = {"point_stress_": "point_stress"}

    def __init__(self, n_components: int = 2, *, metric_mds: Any = True, n_init: int = 1, init: str = "classical",
                 max_iter: int = 10_000, verbose: int = 0, eps: float = 1e-6, n_jobs: int | None = None,
                 random_state: Any = None, dissimilarity: Any = None, metric: Any = "euclidean",
                 metric_params: Any = None, normalized_stress: Any = "auto", ties: str = "weak",
                 memory_limit: int | None = None) -> None:
        self.n_components = n_components
        self.metric_mds = metric_mds
        self.n_init = n_init
        self.init = init
        self.max_iter = max_iter
        self.verbose = verbose
        self.eps = eps
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.dissimilarity = dissimilarity
        self.metric = metric
        self.metric_params = metric_params
        self.normalized_stress = normalized_stress
        self.ties = ties
        self.memory_limit = memory_limit

    def _metric(self) -> Any:
        if self.dissimilarity is not None:
            return metric_of(self.dissimilarity)
        return "euclidean" if isinstance(plain(self.metric), bool) else metric_of(self.metric)

    def _translate(self, options: dict[str, Any], data: Any) -> None:
        options["metric"] = self._metric()
        kind = self.metric if isinstance(plain(self.metric), bool) else self.metric_mds
        options["type"] = {True: "ratio", False: "ordinal"}.get(plain(kind), kind)
        starts = plain(self.n_init)
        starts = 1 if starts == "auto" else starts
        if isinstance(starts, bool) or not isinstance(starts, int) or starts < 1:
            raise OptionError(f"n_init={self.n_init!r} must be a number of starts of at least 1")
        options["restarts"] = starts - 1
        options["start"] = {"classical_mds": "classical"}.get(self.init, self.init)

    @classmethod
    def _parameter_names(cls) -> dict[str, str]:
        return {**super()._parameter_names(), "type": "metric_mds", "restarts": "n_init", "metric": "metric"}

    def _restore(self, model: Any) -> None:
        self.metric_mds = {"ratio": True, "ordinal": False}.get(model.options.get("type"), model.options.get("type"))
        self.n_init = 1 + int(model.options.get("restarts", 0))

    def _pairwise(self) -> bool:
        return bool(self._metric() == "precomputed")

    def _keep(self, model: Any, data: Any = None) -> None:
        super()._keep(model, data)
        self.n_iter_ = self.certificate_.iterations
        # total_variance is the sum of squared disparities over N (N - 1) ordered pairs, each pair counted twice.
        n = model.provenance["rows"]
        self.stress_ = model.diagnostics["normalized_stress"] * model.scalars["total_variance"] * n * (n - 1)

    @property
    def dissimilarity_matrix_(self) -> np.ndarray:
        rows = self._fitted().arrays().get("objects")
        if rows is None or self._metric() != "euclidean":
            raise AttributeError("dissimilarities are not kept; of euclidean rows they are computed here")
        return np.array([np.linalg.norm(rows - row, axis=1) for row in rows])
