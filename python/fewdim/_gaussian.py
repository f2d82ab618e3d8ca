"""Methods with a model of the noise: they know how likely a row is, and what a missing value may be."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._base import CARDS, Estimator, InverseMixin, plain, seed_of
from ._display import described
from ._errors import OptionError

_TUNING = "the solver goes on until its tolerance is met"


def filled(estimator: Any, X: Any, return_std: bool) -> Any:
    """fill() of an estimator."""
    model = estimator._fitted()
    data = estimator._data(X, reset=False)
    with estimator._speaking(data.single):
        rows, errors = _core.fill(model, data, **estimator._execution())
    return (rows, errors) if return_std else rows


class GaussianMixin:
    """Rows are loadings times factors plus noise, all of them Gaussian."""

    def fill(self, X: Any, *, return_std: bool = False) -> Any:
        """X with its missing values (NaN) in place: their means, given what the row has.

        With return_std=True also their standard errors, which are 0 where a value was there.
        """
        return filled(self, X, return_std)

    def transform(self: Any, X: Any, *, return_std: bool = False) -> Any:
        """Coordinates of the rows of X in the model's space: the means of the components, given the row.

        With return_std=True also their standard deviations, which are larger where values are missing.
        """
        means = super().transform(X)  # type: ignore[misc]
        if not return_std:
            return means
        data = self._data(X, reset=False)
        with self._speaking(data.single):
            return means, np.asarray(_core.posterior_deviations(self._fitted(), data, **self._execution()))

    def score_samples(self: Any, X: Any) -> np.ndarray:
        """The log-likelihood of each row under the model; of what it has, where values are missing (NaN)."""
        model = self._fitted()
        data = self._data(X, reset=False)
        with self._speaking(data.single):
            return np.asarray(_core.log_likelihoods(model, data, **self._execution()))

    def score(self: Any, X: Any, y: Any = None) -> float:
        """The mean of score_samples()."""
        return float(np.mean(self.score_samples(X)))

    def sample(self: Any, n_samples: int = 1, random_state: Any = None) -> np.ndarray:
        """Rows drawn from the model."""
        model = self._fitted()
        count = plain(n_samples)
        if isinstance(count, bool) or not isinstance(count, int) or count < 1:
            raise OptionError(f"n_samples={n_samples!r} must be a whole number of 1 or more")
        return np.asarray(_core.sample_rows(model, count, seed_of(random_state), **self._execution()))

    def get_precision(self: Any) -> np.ndarray:
        """The inverse of get_covariance()."""
        return np.linalg.inv(self.get_covariance())


@described(CARDS["ppca"])
class PPCA(GaussianMixin, InverseMixin, Estimator):
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

    def get_covariance(self) -> np.ndarray:
        """The covariance of the model: of the components, and of noise_variance_ in all directions."""
        self._fitted()
        covariance = self.loadings_.T @ self.loadings_
        covariance.flat[:: len(covariance) + 1] += self.noise_variance_
        scale = getattr(self, "scale_", None)
        return covariance if scale is None else covariance * scale[:, None] * scale


@described(CARDS["factor-analysis"])
class FactorAnalysis(GaussianMixin, InverseMixin, Estimator):
    """scikit-learn's FactorAnalysis, by Newton's steps from several starts to a maximum of the likelihood.

    The likelihood has local maxima: certificate_.why says how many of the starts ended at the greatest. Where there are
    more factors than the correlations determine, such as one factor of two features, other loadings are as likely; a
    warning says so.

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
             "max_iter": "iterations", "n_init": "starts", "embedding": "embedding"}
    _idle = {"noise_variance_init": ((None,), "the start is found from the data"),
             "svd_method": (("randomized", "lapack"), "the solver is the engine's"), "iterated_power": ((3,), _TUNING)}
    _arrays = {"mean_": "mean", "factor_correlation_": "factor_correlation"}
    _docs = {"rotation": "None, 'varimax' or 'promax' (factors may correlate).",
             "n_components": "factors: a number below that of the features; None is 2, or 1 of two features.",
             "n_init": "starts; 0 chooses by the number of features: 24 up to 69, fewer of more, 2 from 200 on."}
    _learned = {"components_": "k x D, the loadings.", "noise_variance_": "of each feature.", "mean_": "of the columns.",
                "loglike_": "the log-likelihood of the data.", "n_iter_": "steps that were taken.",
                "factor_correlation_": "of promax."}

    def __init__(self, n_components: Any = None, *, tol: float = 1e-8, copy: bool = True, max_iter: int = 10_000,
                 noise_variance_init: Any = None, svd_method: str = "randomized", iterated_power: int = 3,
                 rotation: str | None = None, random_state: Any = 0, factor_scores: str = "regression",
                 least_uniqueness: float = 0.005, n_init: int = 0, embedding: bool = False, n_jobs: int | None = None,
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
        self.n_init = n_init
        self.embedding = embedding
        self.n_jobs = n_jobs
        self.memory_limit = memory_limit

    def _translate(self, options: dict[str, Any], data: Any) -> None:
        options["rotation"] = "none" if self.rotation is None else self.rotation
        if self.n_components is None:
            options["components"] = max(1, min(2, data.cols - 1))
        if data.cols == 1:
            raise OptionError("factors are what features have in common, and n_features=1; give at least 2")

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

    def get_covariance(self) -> np.ndarray:
        """The covariance of the model: of the factors, and of each feature's own noise."""
        self._fitted()
        correlation = getattr(self, "factor_correlation_", np.eye(self.n_components_))
        covariance = self.components_.T @ correlation @ self.components_
        covariance.flat[:: len(covariance) + 1] += self.noise_variance_
        return covariance
