"""Factors of tables: non-negative ones, and those of tables with gaps."""

from __future__ import annotations

import operator
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from . import _core
from ._base import CARDS, Estimator, InverseMixin, seed_of
from ._data import as_data, column_names, is_sparse
from ._display import described
from ._errors import DataError, OptionError
from ._trials import Factor, PredictorMeasures, RatingTrial
from ._results import Recommendation
from ._table import whole
from ._tables import read_rated_pairs


@described(CARDS["nmf"])
class NMF(InverseMixin, Estimator):
    """scikit-learn's NMF with the Frobenius loss, by HALS to a small projected gradient. Parts have length 1.

    Rows are placed by non-negative least squares, exactly; scikit-learn's penalties are scaled by the shape of the data,
    `ridge` and `lasso` are not.

    Examples
    --------
    >>> import numpy as np
    >>> from fewdim import NMF
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(size=(60, 2)) @ rng.uniform(size=(2, 10))
    >>> nmf = NMF(n_components=2).fit(X)
    >>> bool((nmf.components_ >= 0).all()), bool(nmf.reconstruction_err_ < 0.1)
    (True, True)
    """

    _method = "nmf"
    _least_rows = 1
    _same = {"ridge": "ridge", "lasso": "lasso", "max_iter": "iterations", "tol": "tolerance", "embedding": "embedding"}
    _idle = {"solver": (("cd",), "the solver is HALS, which is coordinate descent"),
             "beta_loss": (("frobenius",), "the loss is the sum of squares"),
             "alpha_W": ((0.0, 0), "use ridge and lasso"), "alpha_H": (("same", 0.0, 0), "use ridge and lasso"),
             "l1_ratio": ((0.0, 0), "use ridge and lasso"), "verbose": ((0, False), "use fit(..., progress=True)"),
             "shuffle": ((False,), "the order is fixed: every fit can be repeated")}
    _arrays = {"components_": "components"}
    _docs = {"n_components": "parts: a number, 'auto' or 'auto:CRITERION'; None is all.",
             "init": "'nndsvd' (None), 'nndsvda' or 'random'."}
    _learned = {"components_": "k x D, the parts.", "reconstruction_err_": "the Frobenius norm of what is left.",
                "n_iter_": "sweeps that were taken."}

    def __init__(self, n_components: Any = "auto", *, init: str | None = None, solver: str = "cd",
                 beta_loss: str = "frobenius", tol: float = 1e-5, max_iter: int = 10_000, random_state: Any = None,
                 alpha_W: float = 0.0, alpha_H: Any = "same", l1_ratio: float = 0.0, verbose: int = 0,
                 shuffle: bool = False, ridge: float = 0.0, lasso: float = 0.0, embedding: bool = False,
                 n_jobs: int | None = None, memory_limit: int | None = None) -> None:
        self.n_components = n_components
        self.init = init
        self.solver = solver
        self.beta_loss = beta_loss
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state
        self.alpha_W = alpha_W
        self.alpha_H = alpha_H
        self.l1_ratio = l1_ratio
        self.verbose = verbose
        self.shuffle = shuffle
        self.ridge = ridge
        self.lasso = lasso
        self.embedding = embedding
        self.n_jobs = n_jobs
        self.memory_limit = memory_limit

    def _translate(self, options: dict[str, Any], data: Any) -> None:
        options["start"] = "nndsvd" if self.init is None else self.init

    @classmethod
    def _parameter_names(cls) -> dict[str, str]:
        return {**super()._parameter_names(), "start": "init"}

    def _keep(self, model: Any, data: Any = None) -> None:
        super()._keep(model, data)
        self.reconstruction_err_ = float(np.sqrt(max(0.0, model.diagnostics["loss"])))
        self.n_iter_ = max(1, self.certificate_.iterations)

    def _positive(self) -> bool:
        return True


def _key(given: Any) -> int | str:
    """A number or a name."""
    return given if isinstance(given, str) else operator.index(given)


def _keys(given: Any) -> list[int | str]:
    """Of several; one alone counts as a list of one."""
    return [_key(given)] if isinstance(given, str) or np.ndim(given) == 0 else [_key(one) for one in given]


def _require_count(count: Any) -> None:
    if not isinstance(count, (int, np.integer)) or count < 1:
        raise OptionError(f"count={count!r} must be a whole number of 1 or more")


@described(CARDS["complete"])
class MatrixCompletion(InverseMixin, Estimator):
    """Users are rows, items are columns. What is NaN, or not stored in a sparse matrix, is missing.

    Examples
    --------
    >>> import numpy as np
    >>> from fewdim import MatrixCompletion
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(80, 2)) @ rng.normal(size=(2, 30))
    >>> gaps = np.where(rng.uniform(size=X.shape) < 0.3, np.nan, X)
    >>> filled = MatrixCompletion(n_components=2, ridge=0.01).fit(gaps).fill(gaps)
    >>> bool(np.isfinite(filled).all() and np.corrcoef(filled.ravel(), X.ravel())[0, 1] > 0.95)
    True

    Items may be recommended, to a user of the fit or to somebody with a few ratings:

    >>> model = MatrixCompletion(n_components=2, ridge=0.01).fit(gaps)
    >>> model.recommend(0, count=1)[0].item in np.flatnonzero(np.isnan(gaps[0]))
    True
    >>> len(model.recommend(ratings={3: 1.5, 7: -0.5}, count=4))
    4
    """

    _method = "complete"
    _same = {"kind": "kind", "ridge": "ridge", "effect_ridge": "effect_ridge", "ridge_by_count": "ridge_by_count",
             "confidence": "confidence", "center": "center", "held_out": "held_out", "tol": "tolerance",
             "max_iter": "iterations", "embedding": "embedding"}
    _docs = {"n_components": "factors: a number, or 'auto': chosen on entries that are held out; None is 20, or all that a "
                             "small table has."}
    _arrays = {"components_": "components"}
    _learned = {"components_": "k x items, their factors.", "embedding_": "users x k, their coordinates.",
                "n_iter_": "sweeps that were taken."}

    def __init__(self, n_components: Any = None, *, kind: str = "biased", ridge: Any = "auto", effect_ridge: float = 0.05,
                 ridge_by_count: bool = True, confidence: float = 40.0, center: bool = True, held_out: float = 0.1,
                 tol: float = 2e-3, max_iter: int = 1000, random_state: Any = None, embedding: bool = True,
                 n_jobs: int | None = None, memory_limit: int | None = None) -> None:
        self.n_components = n_components
        self.kind = kind
        self.ridge = ridge
        self.effect_ridge = effect_ridge
        self.ridge_by_count = ridge_by_count
        self.confidence = confidence
        self.center = center
        self.held_out = held_out
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state
        self.embedding = embedding
        self.n_jobs = n_jobs
        self.memory_limit = memory_limit

    def _keep(self, model: Any, data: Any = None) -> None:
        super()._keep(model, data)
        self.n_iter_ = max(1, self.certificate_.iterations)

    def _translate(self, options: dict[str, Any], data: Any) -> None:
        if self.n_components is None:
            options["components"] = str(max(1, min(20, data.rows, data.cols)))

    def _name_rows(self, X: Any, data: Any) -> None:
        index = getattr(X, "index", None)  # of a data frame; a list has a method of that name
        if index is not None and not callable(index) and all(isinstance(name, str) for name in index):
            data.name_rows(list(index))

    def predict_ratings(self, users: Any, items: Any) -> np.ndarray:
        """Ratings of items by users of the fit, pair by pair; both by their numbers, or by the names in a data frame."""
        return np.asarray(_core.predict_ratings(self._fitted(), _keys(users), _keys(items)))

    def recommend(self, user: Any = None, *, ratings: Mapping[Any, float] | None = None, count: int = 10,
                  rated: bool = False) -> list[Recommendation]:
        """The items with the highest predictions, best first.

        Parameters
        ----------
        user : int or str
            A user of the fit, by number or name.
        ratings : mapping of items to values
            In place of a user: those of somebody new, who is placed by them.
        count : int
            Items to give.
        rated : bool
            Whether items that the user has rated may be among them.
        """
        model = self._fitted()
        _require_count(count)
        if (user is None) == (ratings is None):
            raise OptionError("give a user of the fit, or the ratings of a new one")
        if ratings is not None:
            pairs = [(_key(item), float(value)) for item, value in ratings.items()]
            return [Recommendation(*found) for found in _core.recommend_for(model, pairs, count, rated)]
        return [Recommendation(*found) for found in _core.recommend_to(model, _key(user), count, rated)]

    def predict_pairs(self, pairs: Any) -> tuple[np.ndarray, list[str]]:
        """Ratings of (user, item) by name, known or not: values, and what each was made of.

        Of a user that the model does not know it is the item's effect alone ('item'), of an unknown item the user's
        ('user'), of both the mean ('mean'); else 'both'.
        """
        values, by = _core.predict_pairs(self._fitted(), [(str(pair[0]), str(pair[1])) for pair in pairs])
        return np.asarray(values), list(by)

    def factors(self, count: int | None = None, *, top: int = 10) -> list[Factor]:
        """What the first factors are about, or all of them: the `top` items at both ends of each."""
        model = self._fitted()
        most = model.components
        shown = most if count is None else min(whole("count", count, 1), most)
        return [Factor(*found) for found in _core.factor_poles(model, 0, shown, whole("top", top, 1))]

    def trial(self, X: Any, *, folds: int = 5, test: Any = None, length: int = 10, relevant: float | None = None,
              max_users: int = 2000, callback: Any = None) -> RatingTrial:
        """Errors of this method, with these parameters, on ratings that it has not seen, beside those of baselines.

        Parameters
        ----------
        X : as for fit()
        folds : int
            Every rating is held out once, in so many parts.
        test : list of (user, item, value), or path of a file with such lines
            Instead of folds: ratings that are not in X; users and items by name, or by number from 0.
        length : int
            Of the lists that precision and recall look at.
        relevant : float, optional
            Ratings from here on are what a list should find; by default their mean.
        max_users : int
            Whose lists are made, in each fold.

        Examples
        --------
        >>> import numpy as np
        >>> from fewdim import MatrixCompletion
        >>> rng = np.random.default_rng(0)
        >>> X = rng.normal(size=(80, 2)) @ rng.normal(size=(2, 30))
        >>> found = MatrixCompletion(n_components=2, ridge=0.01).trial(np.where(rng.uniform(size=X.shape) < 0.3, np.nan, X))
        >>> found.best.name, found.ratings
        ('biased', 1673)
        """
        data = self._data_of_trial(X)
        options = self._options(data)
        held = None if test is None else self._held_out(test, data)
        judged = {"folds": whole("folds", folds, 2), "length": whole("length", length, 1), "relevant": relevant,
                  "most_users": whole("max_users", max_users, 1), "seed": seed_of(self.random_state)}
        with self._speaking(data.single):
            found = _core.try_completion(data, options, judged, held, callback=callback, **self._execution())
        predictors = [PredictorMeasures(*row) for row in found.pop("predictors")]
        return RatingTrial(kind="folds" if test is None else "test", length=int(length), predictors=predictors, **found)

    def _data_of_trial(self, X: Any) -> Any:
        names = column_names(X)
        data = as_data(X, type(self).__name__, least_rows=self._least_rows)
        if names is not None:
            data.name_columns([str(name) for name in names])
        self._name_rows(X, data)
        return data

    @staticmethod
    def _held_out(test: Any, data: Any) -> list[tuple[str, str, float]]:
        """Numbers from 0 become names, or, where there are none, the engine's numbers from 1."""
        if isinstance(test, (str, os.PathLike)):
            return read_rated_pairs(test)
        parts = _core.table_parts(data)

        def name(given: Any, names: list[str], count: int, what: str) -> str:
            if isinstance(given, str):
                return given
            at = operator.index(given)
            if not 0 <= at < count:
                raise DataError(f"{what} {at} is none of the {count}")
            return names[at] if names else str(at + 1)

        return [(name(user, parts["row_names"], data.rows, "user"), name(item, parts["column_names"], data.cols, "item"),
                 float(value)) for user, item, value in test]

    def similar_items(self, item: Any, count: int = 10) -> list[Recommendation]:
        """The items whose factors point most in the same direction: value is the cosine."""
        _require_count(count)
        return [Recommendation(*found) for found in _core.similar_items(self._fitted(), _key(item), count)]

    def complete(self, X: Any) -> np.ndarray:
        """Every entry of the rows of X as the model has it, whether it is there or not."""
        return np.asarray(self.inverse_transform(self._coordinates(X)))

    def fill(self, X: Any) -> np.ndarray:
        """X with predictions where it has nothing."""
        if self.kind == "implicit":
            raise OptionError("counts have no gaps to fill: use complete()")
        predicted = self.complete(X)
        if is_sparse(X):
            rows = X.tocoo()
            predicted[rows.row, rows.col] = rows.data
            return predicted
        given = np.asarray(X, dtype=predicted.dtype)
        return np.where(np.isnan(given), predicted, given)
