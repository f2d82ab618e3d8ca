"""Methods that map rows by a matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._base import CARDS, Callback, Estimator, InverseMixin, WeightedEstimator, plain, threads_of
from ._data import is_sparse
from ._display import described
from ._errors import UnsupportedError
from ._gaussian import filled

_TUNING = "the solver goes on until its tolerance is met"
_ROUTES = {"full": "svd", "covariance_eigh": "covariance", "arpack": "krylov", "randomized": "krylov"}


def _route(solver: Any) -> Any:
    return _ROUTES.get(solver, solver)


@described(CARDS["pca"])
class PCA(InverseMixin, WeightedEstimator):
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
                "n_samples_": "rows that it was fitted on.", "n_samples_seen_": "rows that partial_fit() was given."}

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

        It can be used as soon as there are as many rows as components. It goes on from fit() where that has kept all
        components, and so all moments, or where the rows are still there to be read again; otherwise it says that it
        can't. fit() begins anew.
        """
        parts: _core.PcaParts | None = getattr(self, "_parts", None)
        begun = parts is not None or hasattr(self, "_model")
        if begun:
            self._require_width(X)
        data = self._data(X, reset=not begun, least_rows=1)
        options = self._options(data)
        if parts is None:
            parts = self._parts_of_fit(options) if begun else _core.PcaParts()
        with self._speaking(data.single):
            parts.prepare(options)
            parts.add(data, **self._execution())
        self._parts = parts
        asked = plain(self.n_components)
        if parts.rows >= (max(2, asked) if isinstance(asked, int) else 2):
            with self._speaking(data.single):
                model = parts.finish(options, **self._execution())
            self._keep(model, data)
        self.n_samples_seen_ = parts.rows
        return self

    def _parts_of_fit(self, options: dict[str, Any]) -> _core.PcaParts:
        """What fit() saw: by its moments, where all directions that have variance were kept; or from its rows."""
        model = self._fitted()
        arrays, fitted, rows = model.arrays(), model.options, model.provenance["rows"]
        whole, kept = model.scalars["total_variance"], arrays["explained_variance"]
        loose = 1e-6 if model.single else 1e-10
        if model.provenance["weights_hash"]:
            raise UnsupportedError("partial_fit() can't go on from a fit with sample_weight, which is not kept; give all "
                                   "parts to partial_fit()")
        if "noise" not in arrays and whole - kept.sum() <= loose * whole:
            axes = arrays["components"] * arrays.get("scale", np.ones(model.features))
            scatter = (axes.T * (kept * (rows - fitted["ddof"]))) @ axes  # S V L V' S (n - ddof)
            return _core.PcaParts.of_moments((rows, float(rows), arrays["mean"], scatter, model.single, not model.single,
                                              list(model.feature_names)))
        reference = getattr(self, "_rows", None)
        seen = None if reference is None else reference()
        if seen is not None and "noise" not in arrays:
            data = self._data(seen, reset=False)
            parts: Any = _core.PcaParts()
            with self._speaking(data.single):
                parts.prepare(options)
                parts.add(data, **self._execution())
            found, _, mean, scatter, *_ = parts.__getstate__()
            spread = np.sqrt(np.diag(scatter) / max(found, 1))
            if found == rows and (np.abs(mean - arrays["mean"]) <= 1e-5 * (np.abs(mean) + spread)).all():
                return parts
        raise UnsupportedError(
            f"partial_fit() can't go on from a fit that kept {model.components} components of {model.features} features, "
            "and whose rows are gone: what it left out is not known; give all parts to partial_fit(), or fit with "
            "n_components=None")

    def __setstate__(self, state: dict[str, Any]) -> None:
        base: Any = super()
        if hasattr(base, "__setstate__"):
            base.__setstate__(state)
        else:
            self.__dict__.update(state)
        if "_parts" in self.__dict__:  # a copy goes its own way
            self._parts = self._parts.copy()

    def _require_width(self, X: Any) -> None:
        shape = np.shape(X) if not is_sparse(X) else X.shape
        if len(shape) == 2 and shape[1] != self.n_features_in_:
            raise ValueError(f"X has {shape[1]} features, but {type(self).__name__} is expecting {self.n_features_in_} "
                             "features as input; give the columns of the first part")

    def _fit(self, X: Any, sample_weight: Any, callback: Callback | None, progress: bool) -> Any:
        self.__dict__.pop("_parts", None)
        return super()._fit(X, sample_weight, callback, progress)

    def fill(self, X: Any, *, return_std: bool = False) -> Any:
        """X with its missing values (NaN) in place, by a model that was fitted with missing='em'."""
        return filled(self, X, return_std)

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
        likelihood = -0.5 * ((rows @ precision) * rows).sum(axis=1)
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
                "mean_": "of the columns.", "n_iter_": "steps that were taken.",
                "whitening_": "k x D: makes rows, less their mean, uncorrelated with variance 1."}

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
        # Sources have variance 1, so that A A' is the covariance; its eigenvectors whiten.
        left, values, _ = np.linalg.svd(self.mixing_, full_matrices=False)
        self.whitening_ = left.T / np.maximum(values, np.finfo(float).tiny)[:, None]
        self.n_iter_ = max(1, self.certificate_.iterations)
