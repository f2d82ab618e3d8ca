"""What all estimators have in common."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar

import numpy as np

from . import _core, _display
from ._compat import BaseEstimator, ClassNamePrefixFeaturesOutMixin, NotFittedError, TransformerMixin
from ._data import Batches, as_data, as_texts, column_names, is_batches, is_sparse
from ._errors import ConvergenceError, DataError, FewdimWarning, OptionError, UnsupportedError
from ._reports import ReportMixin
from ._results import Certificate, Plan
from ._words import PARAMETERS, speaking_to

Callback = Callable[[str, int, int], Any]

CARDS: dict[str, dict[str, Any]] = {card["name"]: card for card in _core.methods()}


def plain(value: Any) -> Any:
    """NumPy's scalars as Python's."""
    return value.item() if isinstance(value, np.generic) else value


def seed_of(random_state: Any) -> int:
    """None is the seed 0: every fit can be repeated. A generator gives its next number."""
    if random_state is None:
        return 0
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(np.iinfo(np.int32).max))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(np.iinfo(np.int32).max))
    seed = plain(random_state)
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise OptionError(f"random_state={random_state!r} must be an int of at least 0, None (which is 0), or a NumPy "
                          "generator")
    return seed


def threads_of(n_jobs: Any) -> int:
    """None and -1 are all cores: results have the same bits at any number."""
    jobs = plain(n_jobs)
    if jobs is None or jobs == -1:
        return 0
    if isinstance(jobs, bool) or not isinstance(jobs, int) or jobs == 0:
        raise OptionError(f"n_jobs={n_jobs!r} must be a number of threads, or None or -1 for all cores")
    return jobs if jobs > 0 else max(1, len(os.sched_getaffinity(0)) + 1 + jobs)


def caller_level() -> int:
    """The stacklevel of whoever called the package, for a warning of the function that asks."""
    level = 1
    frame = sys._getframe(1)
    while frame.f_back is not None and str(frame.f_globals.get("__name__", "")).partition(".")[0] == "fewdim":
        level += 1
        frame = frame.f_back
    return level


def row_weights(sample_weight: Any, rows: int) -> np.ndarray:
    """One number for each row; the engine refuses those that are negative or not finite."""
    if rows < 0:
        raise DataError("sample_weight needs to know how many rows there are: give Batches(source, rows=...)")
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.ndim == 0:
        weights = np.full(rows, float(weights))
    if weights.ndim != 1:
        raise DataError(f"Sample weights must be 1D array or scalar, got {weights.ndim}D array; give one number for each row")
    if len(weights) != rows:
        raise DataError(f"sample_weight.shape == {weights.shape}, expected {(rows,)}; give one number for each row")
    return weights


def require_rows_again(X: Any) -> None:
    if is_batches(X) and not (isinstance(X, Batches) and X.again):
        raise DataError("an iterator gives its rows once; fit it, and transform another one")


def components_of(n_components: Any) -> Any:
    """n_components as the engine has it: None is all, 'mle' Minka's criterion."""
    value = plain(n_components)
    if value is None:
        return "all"
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise OptionError(f"n_components={n_components!r} must be a number, a share of the variance such as 0.95, or a "
                          "criterion such as 'mle'")
    if isinstance(value, int) and value < 1:
        raise OptionError(f"n_components={n_components!r} must be at least 1; None is all")
    if isinstance(value, float) and not 0.0 < value <= 1.0:
        raise OptionError(f"n_components={n_components!r} must be a whole number, or a share of the variance above 0 and "
                          "at most 1")
    return "auto:minka" if value == "mle" else value


class Estimator(ReportMixin, ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Fits a method of the engine. A subclass says which, and how its parameters are options of the method's card."""

    _method: ClassVar[str] = ""
    #: parameter -> option that takes its value as it is
    _same: ClassVar[Mapping[str, str]] = {}
    #: parameter of scikit-learn's that has no meaning here -> the values that may be given, and why
    _idle: ClassVar[Mapping[str, tuple[tuple[Any, ...], str]]] = {}
    #: option and value -> parameter and value, where that is called otherwise here
    _values: ClassVar[Mapping[tuple[str, str], str]] = {}
    #: fitted attribute -> array of the model
    _arrays: ClassVar[Mapping[str, str]] = {}
    #: what a pickle leaves out: the rows are not its own
    _passing: ClassVar[tuple[str, ...]] = ("_rows",)
    _least_rows: ClassVar[int] = 2
    _text: ClassVar[bool] = False
    _by_name: bool = False  # read from a file: columns of a data frame are found by name

    n_components: Any
    random_state: Any
    n_jobs: Any
    memory_limit: Any

    # Parameters become options.

    def _method_name(self, data: Any = None) -> str:
        """The method; `data` is there when it is about to be fitted."""
        return self._method

    def _card(self) -> dict[str, Any]:
        return CARDS[self._method_name()]

    def _can(self, what: str) -> bool:
        """Whether the method takes that without being asked: "sparse", "stream" or "missing"."""
        return self._card()["takes"][what] in (True, "yes")

    def _translate(self, options: dict[str, Any], data: Any) -> None:
        """Sets the options that `_same` can't."""

    def _options(self, data: Any) -> dict[str, Any]:
        params = self.get_params(deep=False)
        for name, (allowed, why) in self._idle.items():
            value = plain(params[name])
            if not any(value is one or (type(value) is type(one) and value == one) for one in allowed):
                raise OptionError(f"{type(self).__name__}: {name}={value!r} has no meaning here: {why}; leave it at "
                                  f"{allowed[0]!r}")
        options: dict[str, Any] = {"components": components_of(params["n_components"])}
        known = {field["name"] for field in self._card()["options"]}
        if "random_state" in params and "seed" in known:
            options["seed"] = seed_of(params["random_state"])
        for parameter, option in self._same.items():
            options[option] = plain(params[parameter])
        self._translate(options, data)
        return options

    def _execution(self) -> dict[str, int]:
        limit = plain(self.memory_limit)
        return {"threads": threads_of(self.n_jobs), "memory_limit": 0 if limit is None else int(limit)}

    @classmethod
    def _parameter_names(cls) -> dict[str, str]:
        """The parameter of each option, for messages."""
        names = {option: parameter for parameter, option in cls._same.items()}
        return {"components": "n_components", "seed": "random_state", "threads": "n_jobs", **names}

    @contextmanager
    def _speaking(self, single: bool = False) -> Iterator[None]:
        """What the engine says names the parameters of this class."""
        with speaking_to({**PARAMETERS, **self._parameter_names()}, "float32" if single else "float64", self._values):
            yield

    # Input.

    def _data(self, X: Any, *, reset: bool, stream: bool = False, least_rows: int | None = None) -> Any:
        """X as the engine takes it; `stream`: batches, too, as a fit does."""
        who = type(self).__name__
        if self._takes_text():
            return _core.Data.texts(as_texts(X))
        if not reset and self._by_name:
            X = self._own_columns(X)
        names = column_names(X)
        data = as_data(X, who, sparse=self._can("sparse"), stream=(reset or stream) and self._can("stream"),
                       least_rows=least_rows or (self._least_rows if reset else 1))
        if reset:
            self._by_name = False
            self.n_features_in_ = data.cols
            if names is not None:
                self.feature_names_in_ = names
                data.name_columns([str(name) for name in names])
            elif hasattr(self, "feature_names_in_"):
                del self.feature_names_in_
        else:
            self._require_names(names)
            if data.cols != self.n_features_in_:
                raise DataError(f"X has {data.cols} features, but {who} is expecting {self.n_features_in_} features as "
                                "input; give the columns it was fitted on")
        return data

    def _own_columns(self, X: Any) -> Any:
        """The columns of a data frame that a model from a file knows, by name and in its order; others are left out."""
        fitted = getattr(self, "feature_names_in_", None)
        columns = getattr(X, "columns", None)
        if fitted is None or columns is None or is_sparse(X):
            return X
        names, wanted = list(columns), [str(name) for name in fitted]
        missing = [name for name in wanted if name not in names]
        if len(missing) == len(wanted) or len(set(wanted)) < len(wanted) or names == wanted:
            return X  # nothing to go by, or nothing to do
        if missing:
            raise DataError(f"X lacks {len(missing)} of the model's columns: {', '.join(missing[:6])}"
                            f"{', ...' if len(missing) > 6 else ''}; give the columns it was fitted on")
        repeated = [name for name in wanted if names.count(name) > 1]
        if repeated:
            raise DataError(f"X has several columns of the name {repeated[0]!r}; leave those out that the model does not know")
        unused = [str(name) for name in names if name not in wanted]
        if unused:
            warnings.warn(f"{len(unused)} {'columns' if len(unused) > 1 else 'column'} that the model does not use "
                          f"{'were' if len(unused) > 1 else 'was'} left out: {', '.join(unused[:6])}"
                          f"{', ...' if len(unused) > 6 else ''}", FewdimWarning, stacklevel=caller_level())
        return X[wanted]

    def _require_names(self, names: Any) -> None:
        fitted = getattr(self, "feature_names_in_", None)
        who = type(self).__name__
        if names is None and fitted is None:
            return
        if fitted is None:
            warnings.warn(f"X has feature names, but {who} was fitted without feature names", stacklevel=caller_level())
            return
        if names is None:
            warnings.warn(f"X does not have valid feature names, but {who} was fitted with feature names",
                          stacklevel=caller_level())
            return
        if len(names) == len(fitted) and all(a == b for a, b in zip(names, fitted)):
            return

        def listed(title: str, some: list[str]) -> str:
            shown = "".join(f"- {name}\n" for name in some[:5]) + ("- ...\n" if len(some) > 5 else "")
            return f"{title}\n{shown}" if some else ""

        unseen, gone = sorted(set(names) - set(fitted)), sorted(set(fitted) - set(names))
        message = "The feature names should match those that were passed during fit.\n"
        message += listed("Feature names unseen at fit time:", unseen)
        message += listed("Feature names seen at fit time, yet now missing:", gone)
        if not unseen and not gone:
            message += "Feature names must be in the same order as they were in fit.\n"
        raise DataError(message)

    def _takes_text(self) -> bool:
        return self._text

    def _require_finite(self, data: Any) -> None:
        """The engine passes NaN on through a product; here it is refused, as scikit-learn's users expect."""
        if not data.is_text and not self._takes_nan() and not data.finite():
            words = ("Input X contains NaN, or infinity or a value too large for "
                     f"dtype('{'float32' if data.single else 'float64'}'). Fill the gaps first")
            raise DataError(f"{words}, by PPCA(...).fill(X) for example.")

    def _takes_nan(self) -> bool:
        return self._can("missing")

    # Fitting.

    def fit(self, X: Any, y: Any = None, *, callback: Callback | None = None, progress: bool = False) -> Any:
        """Fits the model to X.

        Parameters
        ----------
        X : array, sparse matrix, data frame or iterator of batches
            Rows are objects, columns are features. Arrays are not copied.
        y : ignored
        callback : callable, optional
            callback(stage, done, total) is told how far the fit is. False, or an exception, stops it.
        progress : bool
            Show a bar, with tqdm where it is installed.
        """
        return self._fit(X, None, callback, progress)

    def _fit(self, X: Any, sample_weight: Any, callback: Callback | None, progress: bool) -> Any:
        data = self._data(X, reset=True)
        if sample_weight is not None:
            self._weigh(data, sample_weight)
        self._name_rows(X, data)
        options = self._options(data)
        with self._speaking(data.single), _display.progress_bar(callback, progress, type(self).__name__) as told:
            model = _core.fit(self._method_name(data), data, options, callback=told, **self._execution())
        self._keep(model, data)
        with self._speaking():
            self._keep_plan(model.plan)
        self._learn(X, data)
        self._rows = _display.reference_to(X)
        return self

    @staticmethod
    def _weigh(data: Any, sample_weight: Any) -> None:
        data.weigh_rows(row_weights(sample_weight, data.rows))

    def fit_transform(self, X: Any, y: Any = None, *, callback: Callback | None = None, progress: bool = False) -> Any:
        """Fits the model to X and returns the coordinates of its rows."""
        require_rows_again(X)
        self.fit(X, callback=callback, progress=progress)
        return self._own_coordinates(X)

    def _own_coordinates(self, X: Any) -> Any:
        """Of the rows that it was fitted on."""
        return self.embedding_ if hasattr(self, "embedding_") else self._coordinates(X)

    def _keep(self, model: Any, data: Any = None) -> None:
        """All that a model says, as attributes; those of a fit before are gone."""
        for name in [name for name in vars(self) if name.endswith("_") and not name.startswith("_")]:
            if name not in ("n_features_in_", "feature_names_in_"):
                delattr(self, name)
        self._model = model
        self._n_features_out = model.components
        self.n_components_ = model.components
        if not model.takes_text:
            self.n_features_in_ = model.features
        with self._speaking():
            certificate = model.certificate
        self.certificate_ = Certificate(**certificate)
        self.diagnostics_ = model.diagnostics
        self.seconds_ = model.seconds
        self.plan_: Plan | None = None
        arrays = model.arrays()
        for attribute, name in self._arrays.items():
            if name in arrays:
                setattr(self, attribute, np.array(arrays[name], order="C"))
        if "embedding" in arrays:
            self.embedding_ = self._whole(arrays["embedding"])
        for message in certificate["warnings"]:
            if data is not None:
                warnings.warn(message, FewdimWarning, stacklevel=caller_level())

    def _whole(self, embedding: np.ndarray) -> np.ndarray:
        """Rows that have no place get NaN, so that row i stays row i."""
        dtype = np.float32 if self._model.single else np.float64
        left_out = self._model.left_out
        if not left_out:
            return np.array(embedding, dtype=dtype, order="C")
        kept = np.ones(len(embedding) + len(left_out), dtype=bool)
        kept[left_out] = False
        whole = np.full((len(kept), embedding.shape[1]), np.nan, dtype=dtype)
        whole[kept] = embedding
        return whole

    def _keep_plan(self, plan: dict[str, Any] | None) -> None:
        """What the fit went by, in Python's words."""
        if plan is None:
            return
        self.plan_ = Plan(**plan)

    def _name_rows(self, X: Any, data: Any) -> None:
        """Names of rows, for methods that ask for them."""

    def _learn(self, X: Any, data: Any) -> None:
        """Attributes that scikit-learn has and the model does not."""

    def __getstate__(self) -> dict[str, Any]:
        base = super()
        found: Any = base.__getstate__() if hasattr(base, "__getstate__") else self.__dict__
        return {name: value for name, value in dict(found).items() if name not in self._passing}

    # Placing.

    def _fitted(self) -> Any:
        model = getattr(self, "_model", None)
        if model is None:
            raise NotFittedError(f"This {type(self).__name__} instance is not fitted yet. Call 'fit' with appropriate "
                                 "arguments before using this estimator.")
        return model

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_model")

    def transform(self, X: Any) -> Any:
        """Coordinates of the rows of X in the model's space."""
        self._fitted()
        if is_batches(X):
            return np.concatenate([self._coordinates(batch) for batch in X])
        return self._coordinates(X)

    def _coordinates(self, X: Any) -> Any:
        model = self._fitted()
        if is_batches(X):
            return np.concatenate([self._coordinates(batch) for batch in X])
        data = self._data(X, reset=False)
        self._require_finite(data)
        with self._speaking(data.single):
            return model.transform(data, **self._execution())

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Writes the model file, which the command line reads, too."""
        self._fitted().save(os.fspath(path), overwrite)

    def summary(self) -> str:
        """What a person wants to know of the fit, in about 20 lines."""
        with self._speaking():
            return str(self._fitted().summary())

    def to_json(self) -> str:
        """The same and more as one JSON document."""
        with self._speaking():
            return str(self._fitted().json())

    @classmethod
    def _of_model(cls, model: Any) -> Any:
        """A fitted estimator of a model that was read from a file."""
        self = cls()
        names = {parameter.name for parameter in _display.parameters_of(cls)}
        for option, value in model.options.items():
            parameter = self._parameter_names().get(option)
            if parameter in names and parameter not in ("n_jobs", "n_components"):
                setattr(self, parameter, value)
        self.n_components = model.components
        self._restore(model)
        self._keep(model)
        if model.feature_names and not model.takes_text:
            self.feature_names_in_ = np.asarray(model.feature_names, dtype=object)
            self._by_name = True
        return self

    def _restore(self, model: Any) -> None:
        """Parameters that `_same` can't restore."""

    # Display, and what scikit-learn asks for.

    def _repr_html_(self) -> str:
        return _display.html_of(self)

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._repr_html_()}

    def _more_tags(self) -> dict[str, Any]:
        tags: dict[str, Any] = {"allow_nan": self._takes_nan(), "preserves_dtype": [np.float64, np.float32],
                                "pairwise": self._pairwise()}
        if self._takes_text():
            tags["X_types"] = ["string"]
        if self._positive():
            tags["requires_positive_X"] = True
        return tags

    def _positive(self) -> bool:
        """Does it refuse negative numbers?"""
        return False

    def _pairwise(self) -> bool:
        return False

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self._takes_nan()
        tags.input_tags.sparse = self._can("sparse") and not self._takes_text()
        tags.input_tags.pairwise = self._pairwise()
        tags.input_tags.positive_only = self._positive()
        if self._takes_text():
            tags.input_tags.string = True
            tags.input_tags.two_d_array = False
        if tags.transformer_tags is not None:
            tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


class WeightedEstimator(Estimator):
    """For methods whose rows may count more or less."""

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, *, callback: Callback | None = None,
            progress: bool = False) -> Any:
        """Fits the model to X.

        Parameters
        ----------
        X : array, sparse matrix, data frame or iterator of batches
            Rows are objects, columns are features. Arrays are not copied.
        y : ignored
        sample_weight : array, optional
            How much each row counts; only proportions matter.
        callback : callable, optional
            callback(stage, done, total) is told how far the fit is. False, or an exception, stops it.
        progress : bool
            Show a bar, with tqdm where it is installed.
        """
        return self._fit(X, sample_weight, callback, progress)

    def fit_transform(self, X: Any, y: Any = None, sample_weight: Any = None, *, callback: Callback | None = None,
                      progress: bool = False) -> Any:
        """Fits the model to X and returns the coordinates of its rows."""
        require_rows_again(X)
        self.fit(X, y, sample_weight, callback=callback, progress=progress)
        return self._own_coordinates(X)


class InverseMixin:
    """For methods that go back to the input."""

    def inverse_transform(self, X: Any) -> Any:
        """Rows of the input's space from coordinates."""
        model = self._fitted()  # type: ignore[attr-defined]
        data = as_data(X, type(self).__name__, sparse=False)
        with self._speaking(data.single):  # type: ignore[attr-defined]
            return model.inverse_transform(data, **self._execution())  # type: ignore[attr-defined]
