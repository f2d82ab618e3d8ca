"""Functions that are no estimators."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any

import numpy as np

from . import _core
from ._base import Estimator, seed_of, threads_of
from ._data import as_data
from ._errors import DataError, OptionError, UnsupportedError
from ._kernel import metric_of
from ._results import KAdvice, Plan, Procrustes


def _measure(function: Any, X: Any, X_embedded: Any, n_neighbors: int, metric: Any, n_jobs: int | None) -> float:
    original = as_data(X, "X", sparse=False)
    embedding = as_data(X_embedded, "X_embedded", sparse=False)
    if n_neighbors >= original.rows / 2:
        raise OptionError(f"n_neighbors ({n_neighbors}) should be less than n_samples / 2 ({original.rows / 2})")
    options = {"neighbors": int(n_neighbors), "metric": metric_of(metric), "sample": "all"}
    value, _, note = function(original, embedding, options, threads_of(n_jobs))
    if value is None:
        raise DataError(note)
    return float(value)


def trustworthiness(X: Any, X_embedded: Any, *, n_neighbors: int = 5, metric: str = "euclidean",
                    n_jobs: int | None = None) -> float:
    """How many neighbors in the embedding are neighbors in X, as sklearn.manifold.trustworthiness has it.

    >>> import numpy as np
    >>> from fewdim import trustworthiness
    >>> X = np.random.default_rng(0).normal(size=(40, 3))
    >>> trustworthiness(X, X)
    1.0
    """
    return _measure(_core.trustworthiness, X, X_embedded, n_neighbors, metric, n_jobs)


def continuity(X: Any, X_embedded: Any, *, n_neighbors: int = 5, metric: str = "euclidean",
               n_jobs: int | None = None) -> float:
    """How many neighbors in X are neighbors in the embedding (Venna & Kaski 2001).

    >>> import numpy as np
    >>> from fewdim import continuity
    >>> X = np.random.default_rng(0).normal(size=(40, 3))
    >>> continuity(X, X)
    1.0
    """
    return _measure(_core.continuity, X, X_embedded, n_neighbors, metric, n_jobs)


def procrustes(reference: Any, other: Any, *, scaling: bool = True, reflection: bool = True) -> Procrustes:
    """Lays `other` on `reference`, row by row, by translation, rotation, and where allowed scaling and reflection.

    >>> import numpy as np
    >>> from fewdim import procrustes
    >>> X = np.random.default_rng(0).normal(size=(10, 2))
    >>> print(abs(procrustes(X, 3 * X[:, ::-1] + 1).disparity) < 1e-12)
    True
    """
    return Procrustes(**_core.procrustes(as_data(reference, "reference", sparse=False),
                                         as_data(other, "other", sparse=False), scaling, reflection))


def choose_k(X: Any, *, criteria: str | Iterable[str] | None = None, center: bool = True, scale: bool = False,
             ddof: int = 1, random_state: Any = None, n_jobs: int | None = None) -> dict[str, KAdvice]:
    """How many components to keep, by several criteria: a dictionary of their advice, with reasons.

    X may come in batches, as for a fit. ddof: 0 or 1, of variances.

    >>> import numpy as np
    >>> from fewdim import choose_k
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(200, 3)) @ rng.normal(size=(3, 12)) * 5 + rng.normal(size=(200, 12))
    >>> choose_k(X)["minka"].k
    3
    """
    chosen = [criteria] if isinstance(criteria, str) else list(criteria or [])
    if ddof not in (0, 1):
        raise OptionError(f"ddof={ddof!r} must be 0 or 1")
    advice = _core.choose_components(as_data(X, "choose_k", stream=True), center, scale, ddof, seed_of(random_state),
                                     chosen, threads_of(n_jobs))
    return {criterion: KAdvice(criterion, k, sentence) for criterion, k, sentence in advice}


def plan(estimator: Estimator, X: Any, *, dtype: Any = "float64") -> Plan:
    """How a fit would go, before it is begun: the route and why, memory, passes, time, and the routes that were weighed.

    X: data as fit() takes them, or only their shape (rows, columns), of numbers of `dtype`. The estimator stays as it is.

    >>> from fewdim import PCA, plan
    >>> found = plan(PCA(n_components=10), (1_000_000, 200))
    >>> found.route, found.passes, found.bytes < 1 << 30
    ('covariance', 1, True)
    """
    own = copy.copy(estimator)
    if own._takes_text():
        raise UnsupportedError(f"{type(own).__name__}: how many terms there are is known once words have been counted, by a fit")
    if isinstance(X, tuple) and len(X) == 2 and all(isinstance(side, (int, np.integer)) for side in X):
        if min(X) < 1:
            raise DataError(f"a table of {X[0]} x {X[1]} has nothing to fit; give at least one row and one column")
        data = _core.Data.dense(np.broadcast_to(np.zeros((), dtype=dtype), X))  # one number, seen everywhere
    else:
        data = own._data(X, reset=True)
    with own._speaking(data.single):
        return Plan(**_core.plan(own._method_name(data), data, own._options(data), **own._execution()))
