"""Functions that are no estimators."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from . import _core
from ._base import seed_of, threads_of
from ._data import as_data, is_sparse
from ._errors import DataError, OptionError
from ._kernel import metric_of
from ._results import Hits, KAdvice, PageRank, Procrustes
from ._words import speaking_to


def _graph(graph: Any, undirected: bool) -> tuple[Any, list[str] | None]:
    """A graph, and the names of its vertices where they have any."""
    if isinstance(graph, (str, os.PathLike)):
        links = _core.Graph.read(os.fspath(graph), undirected)
        return links, [links.name(v) for v in range(links.vertices)]
    if hasattr(graph, "nodes") and hasattr(graph, "edges"):  # NetworkX
        both = undirected or not graph.is_directed()
        edges = [(a, b, d.get("weight", 1.0)) for a, b, d in graph.edges(data=True)]
        return _linked(edges, list(graph.nodes), both)
    if is_sparse(graph) or isinstance(graph, np.ndarray) or hasattr(graph, "__array__"):
        data = as_data(graph, "the graph")
        if data.rows != data.cols:
            raise DataError(f"an adjacency matrix is square, and this is {data.rows} x {data.cols}")
        return _core.Graph.of_matrix(data, undirected), None
    return _linked(list(graph), [], undirected)


def _linked(edges: list[Any], vertices: list[Any], undirected: bool) -> tuple[Any, list[str]]:
    """Links (from, to) or (from, to, weight) between anything that can be a key; vertices in the order they come."""
    number: dict[Any, int] = {vertex: at for at, vertex in enumerate(vertices)}
    ends, weights = np.empty((len(edges), 2), dtype=np.int32), np.ones(len(edges))
    for at, edge in enumerate(edges):
        if len(edge) not in (2, 3):
            raise DataError(f"link {at} is {edge!r}; give (from, to) or (from, to, weight)")
        ends[at] = [number.setdefault(vertex, len(number)) for vertex in edge[:2]]
        if len(edge) == 3:
            weights[at] = edge[2]
    names = [str(vertex) for vertex in number]
    return _core.Graph.of_links(len(names), ends, weights, names, undirected), names


def pagerank(graph: Any, *, alpha: float = 0.85, personalization: Mapping[Any, float] | None = None,
             dangling: str = "uniform", tol: float = 1e-10, undirected: bool = False,
             n_jobs: int | None = None) -> PageRank:
    """Ranks the vertices of a graph by where a random walk on it is found (Page, Brin, Motwani & Winograd 1999).

    graph: an adjacency matrix (entry (i, j) is the weight of the link from i to j; dense or sparse), links
    (from, to) or (from, to, weight), a NetworkX graph, or the path of a file. personalization: vertices where the walk
    restarts, by name or number, with weights.

    >>> from fewdim import pagerank
    >>> ranks = pagerank([("a", "b"), ("b", "c"), ("c", "a"), ("d", "c")])
    >>> ranks.names[ranks.scores.argmax()]
    'c'
    """
    links, names = _graph(graph, undirected)
    restart = []
    for vertex, weight in (personalization or {}).items():
        at = names.index(str(vertex)) if names is not None and str(vertex) in names else vertex
        if not isinstance(at, (int, np.integer)):
            raise OptionError(f"personalization has {vertex!r}, which is no vertex of the graph")
        restart.append((int(at), float(weight)))
    with speaking_to({"damping": "alpha", "tolerance": "tol"}):
        found = _core.pagerank(links, alpha, dangling, restart, tol, threads_of(n_jobs))
    return PageRank(**found, names=names)


def hits(graph: Any, *, tol: float = 1e-10, norm: str = "sum", undirected: bool = False,
         n_jobs: int | None = None) -> Hits:
    """Hubs and authorities of a graph (Kleinberg 1999); `graph` as for pagerank(). norm: 'sum' or 'unit'.

    >>> from fewdim import hits
    >>> found = hits([("a", "c"), ("b", "c"), ("b", "d")])
    >>> found.names[found.authorities.argmax()]
    'c'
    """
    if norm not in ("sum", "unit"):
        raise OptionError(f"norm={norm!r} must be 'sum' or 'unit'")
    links, names = _graph(graph, undirected)
    return Hits(**_core.hits(links, tol, norm == "unit", threads_of(n_jobs)), names=names)


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
             random_state: Any = None, n_jobs: int | None = None) -> dict[str, KAdvice]:
    """How many components to keep, by several criteria: a dictionary of their advice, with reasons.

    >>> import numpy as np
    >>> from fewdim import choose_k
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(200, 3)) @ rng.normal(size=(3, 12)) * 5 + rng.normal(size=(200, 12))
    >>> choose_k(X)["minka"].k
    3
    """
    chosen = [criteria] if isinstance(criteria, str) else list(criteria or [])
    advice = _core.choose_components(as_data(X, "choose_k"), center, scale, seed_of(random_state), chosen,
                                     threads_of(n_jobs))
    return {criterion: KAdvice(criterion, k, sentence) for criterion, k, sentence in advice}
