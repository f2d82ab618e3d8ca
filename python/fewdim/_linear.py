"""Methods that map rows by a matrix."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from . import _core
from ._base import CARDS, Callback, Estimator, InverseMixin, components_of, plain, threads_of
from ._data import is_sparse
from ._display import described
from ._errors import FewdimWarning, OptionError

_TUNING = "the solver goes on until its tolerance is met"
_ROUTES = {"full": "svd", "covariance_eigh": "covariance", "arpack": "krylov", "randomized": "krylov"}


def _route(solver: Any) -> Any:
    return _ROUTES.get(solver, solver)


@described(CARDS["pca"])
class PCA(InverseMixin, Estimator):
    """A drop-in for sklearn.decomposition.PCA. Signs are the engine's: they don't depend on the solver.

    Examples
    --------
    >>> import numpy as np
    >>> from fewdim import PCA
    >>> X = np.array([[-1.0, -1], [-2, -1], [-3, -2], [1, 1], [2, 1], [3, 2]])
    >>> pca = PCA(n_components=2).fit(X)
    >>> print(pca.explained_variance_ratio_.round(4))
    [0.9924 0.0076]
    >>> print(pca.certificate_.converged)
    True
    """

    _method = "pca"
    _same = {"whiten": "whiten", "tol": "tolerance", "scale": "scale", "ddof": "ddof", "accuracy": "accuracy",
             "missing": "missing", "embedding": "embedding"}
    _idle = {"iterated_power": (("auto",), _TUNING), "n_oversamples": ((10,), _TUNING),
             "power_iteration_normalizer": (("auto",), _TUNING)}
    _arrays = {"components_": "components", "explained_variance_": "explained_variance", "mean_": "mean",
               "explained_variance_ratio_": "explained_variance_ratio", "singular_values_": "singular_values",
               "scale_": "scale"}
    _docs = {"svd_solver": "the route: 'auto' weighs shape, sparsity, k and memory; 'full' ('svd'), 'covariance_eigh' "
                           "('covariance'), 'arpack' and 'randomized' ('krylov'), 'gram', 'power'."}
    _learned = {"components_": "k x D, the directions.", "explained_variance_": "their variances.",
                "explained_variance_ratio_": "their shares of the whole.", "singular_values_": "of the centered data.",
                "mean_": "of the columns.", "scale_": "of the columns, where scale=True.",
                "noise_variance_": "the mean of the variances that were left out.",
                "n_samples_": "rows that it was fitted on."}

    def __init__(self, n_components: Any = None, *, copy: bool = True, whiten: bool = False, svd_solver: str = "auto",
                 tol: float = 0.0, iterated_power: Any = "auto", n_oversamples: int = 10,
                 power_iteration_normalizer: str = "auto", random_state: Any = None, scale: bool = False, ddof: int = 1,
                 accuracy: str = "standard", missing: str = "refuse", embedding: bool = False,
                 n_jobs: int | None = None, memory_limit: int | None = None) -> None:
        self.n_components = n_components
        self.copy = copy
        self.whiten = whiten
        self.svd_solver = svd_solver
        self.tol = tol
        self.iterated_power = iterated_power
        self.n_oversamples = n_oversamples
        self.power_iteration_normalizer = power_iteration_normalizer
        self.random_state = random_state
        self.scale = scale
        self.ddof = ddof
        self.accuracy = accuracy
        self.missing = missing
        self.embedding = embedding
        self.n_jobs = n_jobs
        self.memory_limit = memory_limit

    def _translate(self, options: dict[str, Any], data: Any) -> None:
        options["route"] = _route(self.svd_solver)

    @classmethod
    def _parameter_names(cls) -> dict[str, str]:
        return {**super()._parameter_names(), "route": "svd_solver"}

    def _takes_nan(self) -> bool:
        return self.missing == "em"

    def _keep(self, model: Any, data: Any = None) -> None:
        super()._keep(model, data)
        self.n_samples_ = model.provenance["rows"]
        left = min(self.n_samples_, self.n_features_in_) - self.n_components_
        rest = model.scalars["total_variance"] - float(self.explained_variance_.sum())
        self.noise_variance_ = max(0.0, rest / left) if left > 0 else 0.0

    def partial_fit(self, X: Any, y: Any = None) -> Any:
        """Adds rows. The result is that of one fit to all of them, up to rounding: the D x D moments are kept.

        It can be used as soon as there are as many rows as components.
        """
        parts: _core.PcaParts | None = getattr(self, "_parts", None)
        if parts is not None:
            self._require_width(X)
        data = self._data(X, reset=parts is None, least_rows=1)
        parts = parts or _core.PcaParts()
        with self._speaking(data.single):
            parts.add(data, **self._execution())
        self._parts = parts
        asked = plain(self.n_components)
        enough = 2 if isinstance(asked, bool) or not isinstance(asked, int) else max(2, asked)
        if parts.rows >= enough:
            options = self._options(data)
            with self._speaking(data.single):
                model = parts.finish(options, **self._execution())
            self._keep(model, data)
        return self

    def _require_width(self, X: Any) -> None:
        shape = np.shape(X) if not is_sparse(X) else X.shape
        if len(shape) == 2 and shape[1] != self.n_features_in_:
            raise ValueError(f"X has {shape[1]} features, but {type(self).__name__} is expecting {self.n_features_in_} "
                             "features as input; give the columns of the first part")

    def fit(self, X: Any, y: Any = None, *, callback: Callback | None = None, progress: bool = False) -> Any:
        self.__dict__.pop("_parts", None)
        return super().fit(X, y, callback=callback, progress=progress)

    fit.__doc__ = Estimator.fit.__doc__

    def __getstate__(self) -> dict[str, Any]:
        base = super()
        found: Any = base.__getstate__() if hasattr(base, "__getstate__") else self.__dict__
        state: dict[str, Any] = dict(found)
        state.pop("_parts", None)  # what was fitted stays; a partial fit starts anew
        return state

    # The probabilistic model of Tipping & Bishop (1999), as scikit-learn has it.

    def get_covariance(self) -> np.ndarray:
        """The covariance of the model: of the components, and of noise_variance_ in all other directions."""
        self._fitted()
        kept = np.maximum(self.explained_variance_ - self.noise_variance_, 0.0)
        covariance = (self.components_.T * kept) @ self.components_
        covariance.flat[:: len(covariance) + 1] += self.noise_variance_
        scale = getattr(self, "scale_", None)
        return covariance if scale is None else covariance * scale[:, None] * scale

    def get_precision(self) -> np.ndarray:
        """The inverse of get_covariance()."""
        return np.linalg.inv(self.get_covariance())

    def score_samples(self, X: Any) -> np.ndarray:
        """The log-likelihood of each row under the model."""
        self._fitted()
        data = self._data(X, reset=False)
        self._require_finite(data)
        rows = np.asarray(X.toarray() if is_sparse(X) else X, dtype=np.float64) - self.mean_
        precision = self.get_precision()
        likelihood = -0.5 * np.einsum("ij,jk,ik->i", rows, precision, rows)
        sign, logdet = np.linalg.slogdet(precision)
        return likelihood - 0.5 * (len(precision) * np.log(2.0 * np.pi) - logdet)

    def score(self, X: Any, y: Any = None) -> float:
        """The mean of score_samples()."""
        return float(np.mean(self.score_samples(X)))


@described(CARDS["svd"])
class TruncatedSVD(InverseMixin, Estimator):
    """A drop-in for sklearn.decomposition.TruncatedSVD: the data are not centered, and may be sparse.

    Examples
    --------
    >>> import numpy as np
    >>> from fewdim import TruncatedSVD
    >>> X = np.outer([1.0, 2, 2], [3.0, 4])
    >>> svd = TruncatedSVD(n_components=1).fit(X)
    >>> print(svd.singular_values_.round(6))
    [15.]
    """

    _method = "svd"
    _least_rows = 1
    _same = {"tol": "tolerance", "scores": "scores", "accuracy": "accuracy", "embedding": "embedding"}
    _idle = {"n_iter": ((5,), _TUNING), "n_oversamples": ((10,), _TUNING),
             "power_iteration_normalizer": (("auto",), _TUNING)}
    _arrays = {"components_": "components", "singular_values_": "singular_values"}
    _docs = {"algorithm": "the route: 'auto' and 'randomized' weigh shape, sparsity, k and memory; 'arpack' ('krylov'), "
                          "'svd', 'gram', 'covariance', 'power'."}
    _learned = {"components_": "k x D, the right singular vectors.", "singular_values_": "the singular values.",
                "explained_variance_": "variances of the coordinates, as scikit-learn has them.",
                "explained_variance_ratio_": "their shares of the variance of the columns."}

    def __init__(self, n_components: Any = 2, *, algorithm: str = "randomized", n_iter: int = 5, n_oversamples: int = 10,
                 power_iteration_normalizer: str = "auto", random_state: Any = None, tol: float = 0.0,
                 scores: str = "projection", accuracy: str = "standard", embedding: bool = False,
                 n_jobs: int | None = None, memory_limit: int | None = None) -> None:
        self.n_components = n_components
        self.algorithm = algorithm
        self.n_iter = n_iter
        self.n_oversamples = n_oversamples
        self.power_iteration_normalizer = power_iteration_normalizer
        self.random_state = random_state
        self.tol = tol
        self.scores = scores
        self.accuracy = accuracy
        self.embedding = embedding
        self.n_jobs = n_jobs
        self.memory_limit = memory_limit

    def _translate(self, options: dict[str, Any], data: Any) -> None:
        options["route"] = "auto" if self.algorithm == "randomized" else _route(self.algorithm)

    @classmethod
    def _parameter_names(cls) -> dict[str, str]:
        return {**super()._parameter_names(), "route": "algorithm"}

    def _learn(self, X: Any, data: Any) -> None:
        # The coordinates y = Vx have mean Vm and variance s^2/n - (Vm)^2, with m the means of the columns.
        if data.is_stream:
            return
        n = data.rows
        means: np.ndarray = (data.sparse_column_means(threads_of(self.n_jobs)) if data.is_sparse
                             else np.asarray(X).mean(axis=0, dtype=np.float64))
        self.explained_variance_ = np.maximum(self.singular_values_**2 / n - (self.components_ @ means)**2, 0.0)
        whole = self._model.scalars["total_variance"] / n - float(means @ means)
        self.explained_variance_ratio_ = self.explained_variance_ / whole if whole > 0 else np.zeros(self.n_components_)


@described(CARDS["ppca"])
class PPCA(InverseMixin, Estimator):
    """Rows may have missing values (NaN), which fill() fills in.

    Examples
    --------
    >>> import numpy as np
    >>> from fewdim import PPCA
    >>> X = np.array([[1.0, 2], [2, 4.1], [3, 5.9], [4, np.nan], [5, 10.0]])
    >>> print(PPCA(n_components=1).fit(X).fill(X)[3].round(0))
    [4. 8.]
    """

    _method = "ppca"
    _same = {"scale": "scale", "relevance": "relevance", "tol": "tolerance", "max_iter": "iterations",
             "embedding": "embedding"}
    _arrays = {"components_": "components", "explained_variance_": "explained_variance", "mean_": "mean",
               "explained_variance_ratio_": "explained_variance_ratio", "loadings_": "loadings", "scale_": "scale"}
    _learned = {"components_": "k x D, the directions.", "loadings_": "k x D, the factors' weights.",
                "explained_variance_": "variances along the directions.", "mean_": "of the columns.",
                "explained_variance_ratio_": "their shares of the whole.", "noise_variance_": "of the noise.",
                "loglike_": "the log-likelihood of the data.", "n_iter_": "steps that were taken."}

    def __init__(self, n_components: Any = 2, *, scale: bool = False, relevance: bool = False, tol: float = 1e-10,
                 max_iter: int = 10_000, random_state: Any = None, embedding: bool = False, n_jobs: int | None = None,
                 memory_limit: int | None = None) -> None:
        self.n_components = n_components
        self.scale = scale
        self.relevance = relevance
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state
        self.embedding = embedding
        self.n_jobs = n_jobs
        self.memory_limit = memory_limit

    def _keep(self, model: Any, data: Any = None) -> None:
        super()._keep(model, data)
        self.noise_variance_ = float(model.diagnostics["noise_variance"])
        self.loglike_ = model.diagnostics.get("log_likelihood")
        self.n_iter_ = max(1, self.certificate_.iterations)  # what has a formula takes one step

    def fill(self, X: Any) -> np.ndarray:
        """X with its missing values (NaN) in place: their means, given what the row has."""
        self._fitted()
        return _filled(self, X)


def _filled(estimator: Any, X: Any) -> np.ndarray:
    data = estimator._data(X, reset=False)
    with estimator._speaking(data.single):
        return np.asarray(_core.fill(estimator._model, data, **estimator._execution()))


@described(CARDS["factor-analysis"])
class FactorAnalysis(InverseMixin, Estimator):
    """scikit-learn's FactorAnalysis, by Newton's steps to the maximum of the likelihood instead of a few of EM.

    Where there are more factors than the correlations can tell apart, such as one factor of two features, no likelihood
    decides. A simpler model that the data do determine is fitted then, with a warning: PPCA, whose noise is the same for all
    features.

    Examples
    --------
    >>> import numpy as np
    >>> from fewdim import FactorAnalysis
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(500, 1)) @ np.ones((1, 6)) + 0.5 * rng.normal(size=(500, 6))
    >>> print(abs(FactorAnalysis(n_components=1).fit(X).components_).round(0))
    [[1. 1. 1. 1. 1. 1.]]
    """

    _method = "factor-analysis"
    _same = {"factor_scores": "factor_scores", "least_uniqueness": "least_uniqueness", "tol": "tolerance",
             "max_iter": "iterations", "embedding": "embedding"}
    _idle = {"noise_variance_init": ((None,), "the start is found from the data"),
             "svd_method": (("randomized", "lapack"), "the solver is the engine's"), "iterated_power": ((3,), _TUNING)}
    _arrays = {"mean_": "mean", "factor_correlation_": "factor_correlation"}
    _docs = {"rotation": "None, 'varimax' or 'promax' (factors may correlate).",
             "n_components": "factors: a number; None is 2, or 1 of two features."}
    _learned = {"components_": "k x D, the loadings.", "noise_variance_": "of each feature.", "mean_": "of the columns.",
                "loglike_": "the log-likelihood of the data.", "n_iter_": "steps that were taken.",
                "factor_correlation_": "of promax."}

    def __init__(self, n_components: Any = None, *, tol: float = 1e-8, copy: bool = True, max_iter: int = 10_000,
                 noise_variance_init: Any = None, svd_method: str = "randomized", iterated_power: int = 3,
                 rotation: str | None = None, random_state: Any = 0, factor_scores: str = "regression",
                 least_uniqueness: float = 0.005, embedding: bool = False, n_jobs: int | None = None,
                 memory_limit: int | None = None) -> None:
        self.n_components = n_components
        self.tol = tol
        self.copy = copy
        self.max_iter = max_iter
        self.noise_variance_init = noise_variance_init
        self.svd_method = svd_method
        self.iterated_power = iterated_power
        self.rotation = rotation
        self.random_state = random_state
        self.factor_scores = factor_scores
        self.least_uniqueness = least_uniqueness
        self.embedding = embedding
        self.n_jobs = n_jobs
        self.memory_limit = memory_limit

    def _factors(self, data: Any) -> Any:
        return max(1, min(2, data.cols - 1)) if self.n_components is None else plain(self.n_components)

    def _method_name(self, data: Any = None) -> str:
        k = None if data is None else self._factors(data)
        if data is None or isinstance(k, bool) or not isinstance(k, int) or k < 1:
            return self._method
        d = data.cols
        if k >= d:
            raise OptionError(f"n_components={k} factors need more features than n_features={d}; lower n_components")
        return "ppca" if (d - k) ** 2 < d + k else self._method

    def _translate(self, options: dict[str, Any], data: Any) -> None:
        options["rotation"] = "none" if self.rotation is None else self.rotation
        options["components"] = components_of(self._factors(data))
        if self._method_name(data) == "ppca":
            warnings.warn(f"{self._factors(data)} factor(s) of {data.cols} features are more than the correlations can "
                          "tell apart; a model with the same noise for all features (PPCA) is fitted", FewdimWarning,
                          stacklevel=4)
            for own in ("rotation", "factor_scores", "least_uniqueness", "tolerance"):
                options.pop(own)

    def _restore(self, model: Any) -> None:
        rotation = model.options.get("rotation")
        self.rotation = None if rotation == "none" else rotation

    def _keep(self, model: Any, data: Any = None) -> None:
        super()._keep(model, data)
        arrays = model.arrays()
        scale = arrays.get("scale", np.ones(self.n_features_in_))
        self.components_ = np.array(arrays["loadings"] * scale, order="C")
        self.noise_variance_ = np.array(arrays["noise"] * scale**2)
        self.loglike_ = model.diagnostics.get("log_likelihood")
        self.n_iter_ = max(1, self.certificate_.iterations)

    def fill(self, X: Any) -> np.ndarray:
        """X with its missing values (NaN) in place: their means, given what the row has."""
        self._fitted()
        return _filled(self, X)

    def get_covariance(self) -> np.ndarray:
        """The covariance of the model: of the factors, and of each feature's own noise."""
        self._fitted()
        correlation = getattr(self, "factor_correlation_", np.eye(self.n_components_))
        covariance = self.components_.T @ correlation @ self.components_
        covariance.flat[:: len(covariance) + 1] += self.noise_variance_
        return covariance


@described(CARDS["ica"])
class FastICA(InverseMixin, Estimator):
    """scikit-learn's FastICA: sources of unit variance, to a gradient of 1e-7.

    Examples
    --------
    >>> import numpy as np
    >>> from fewdim import FastICA
    >>> rng = np.random.default_rng(0)
    >>> S = rng.laplace(size=(2000, 2))
    >>> ica = FastICA(n_components=2, random_state=0).fit(S @ np.array([[1.0, 0.5], [0.3, 1.0]]))
    >>> ica.mixing_.shape
    (2, 2)
    """

    _method = "ica"
    _same = {"fun": "contrast", "max_iter": "iterations", "scale": "scale", "embedding": "embedding"}
    _idle = {"whiten": (("unit-variance",), "sources have unit variance"),
             "fun_args": ((None,), "the contrasts have no parameters"),
             "w_init": ((None,), "the first rotation is drawn by random_state"),
             "whiten_solver": (("svd", "eigh"), "the route is chosen by shape")}
    _arrays = {"components_": "components", "mean_": "mean"}
    _docs = {"algorithm": "'parallel' ('auto'): FastICA, then Picard-O where that does not converge; 'deflation', "
                          "'fastica', 'picard', 'picard-o', 'jade'.",
             "tol": "largest relative gradient; 0 means 1e-7, or 1e-5 for float32."}
    _learned = {"components_": "k x D: sources are (x - mean) times its transpose.", "mixing_": "D x k, the way back.",
                "mean_": "of the columns.", "n_iter_": "steps that were taken."}

    def __init__(self, n_components: Any = None, *, algorithm: str = "parallel", whiten: str = "unit-variance",
                 fun: str = "logcosh", fun_args: Any = None, max_iter: int = 500, tol: float = 0.0, w_init: Any = None,
                 whiten_solver: str = "svd", random_state: Any = None, scale: bool = False, embedding: bool = False,
                 n_jobs: int | None = None, memory_limit: int | None = None) -> None:
        self.n_components = n_components
        self.algorithm = algorithm
        self.whiten = whiten
        self.fun = fun
        self.fun_args = fun_args
        self.max_iter = max_iter
        self.tol = tol
        self.w_init = w_init
        self.whiten_solver = whiten_solver
        self.random_state = random_state
        self.scale = scale
        self.embedding = embedding
        self.n_jobs = n_jobs
        self.memory_limit = memory_limit

    def _translate(self, options: dict[str, Any], data: Any) -> None:
        options["algorithm"] = "auto" if self.algorithm == "parallel" else self.algorithm
        options["tolerance"] = plain(self.tol)

    @classmethod
    def _parameter_names(cls) -> dict[str, str]:
        return {**super()._parameter_names(), "tolerance": "tol", "algorithm": "algorithm"}

    def _keep(self, model: Any, data: Any = None) -> None:
        super()._keep(model, data)
        arrays = model.arrays()
        scale = arrays.get("scale", np.ones(self.n_features_in_))
        spread = arrays.get("output_scale", np.ones(self.n_components_))
        self.components_ = np.array(arrays["components"] * spread[:, None] / scale, order="C")
        back = arrays.get("inverse_components", arrays["components"])
        self.mixing_ = np.array((back / spread[:, None] * scale).T, order="C")
        self.n_iter_ = max(1, self.certificate_.iterations)


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
        self.density_ = model.scalars["density"]
