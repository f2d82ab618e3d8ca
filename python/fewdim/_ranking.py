"""Ranking of the vertices of graphs."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from . import _core
from ._base import caller_level, threads_of
from ._data import as_data, column_names, is_sparse
from ._errors import DataError, FewdimWarning, OptionError
from ._results import GraphSummary, Hits, PageRank
from ._table import one_of, string_index, whole
from ._words import PARAMETERS, speaking_to

Callback = Callable[[str, int, int], Any]

FORMATS = tuple(card["name"] for card in _core.formats() if card["kind"] == "links")
REPEATS = ("sum", "first", "error")


class LinkGraph:
    """A directed graph whose vertices can be ranked; pagerank() and hits() make one of whatever they are given.

    Parameters
    ----------
    graph : path, links, matrix or NetworkX graph
        A file: a list of edges ("from to" or "from to weight" a line), Matrix Market, GML, or an adjacency matrix in CSV;
        .gz and .zst are undone. Links (from, to) or (from, to, weight) between anything that can be a key. An adjacency
        matrix, dense or sparse: entry (i, j) is the weight of the link from i to j; a data frame's rows or columns name the
        vertices. Or anything with NetworkX's `nodes`, `edges` and `is_directed`.
    undirected : bool
        Every link goes both ways. NetworkX's graphs say so themselves.
    weight : str or None
        Of a NetworkX graph: the attribute with the weights of links, 1 where it is not there; None: all are 1.
    repeats : 'sum', 'first' or 'error'
        Links that are listed twice: their weights add up, the first counts, or an error.
    format : 'edges', 'mtx', 'gml' or 'csv', optional
        Of a file, where its name and beginning do not tell.
    header : bool, optional
        Of a list of edges: whether the first line is a header.

    Examples
    --------
    >>> from fewdim import LinkGraph
    >>> graph = LinkGraph([("a", "b"), ("b", "c"), ("c", "a"), ("d", "c")])
    >>> graph
    LinkGraph of 4 vertices, 4 links
    >>> graph.summary().strong_components
    2
    """

    def __init__(self, graph: Any, *, undirected: bool = False, weight: str | None = "weight", repeats: str = "sum",
                 format: str | None = None, header: bool | None = None) -> None:
        one_of("repeats", repeats, REPEATS)
        if format is not None:
            one_of("format", format, FORMATS)
        file = isinstance(graph, (str, os.PathLike))
        if not file and (format is not None or header is not None):
            raise OptionError("format and header are for files")
        self._numbers: dict[Any, int] | None = None  #: of the vertices, by what they are
        self._names: list[str] | None = None
        if file:
            with speaking_to(PARAMETERS):
                self._graph = _core.Graph.read(os.fspath(graph), bool(undirected), repeats, format or "", header)
            self._names = list(self._graph.names())
        elif hasattr(graph, "nodes") and hasattr(graph, "edges") and hasattr(graph, "is_directed"):
            edges = [(a, b, 1.0 if weight is None else d.get(weight, 1.0)) for a, b, d in graph.edges(data=True)]
            self._link(edges, list(graph.nodes), undirected or not graph.is_directed(), repeats)
        elif is_sparse(graph) or hasattr(graph, "__array__"):
            data = as_data(graph, "the graph")
            if data.rows != data.cols:
                raise DataError(f"an adjacency matrix is square, and this is {data.rows} x {data.cols}; give links as a "
                                "list of pairs")
            names = string_index(graph) or column_names(graph)  # of a table or a data frame
            if names is not None:
                data.name_rows([str(name) for name in names])
            self._graph = _core.Graph.of_matrix(data, bool(undirected))
            self._names = None if names is None else list(self._graph.names())
        else:
            if isinstance(graph, Mapping) or not isinstance(graph, Iterable):
                raise TypeError(f"a graph of type {type(graph).__name__} is not known; give a path, links, an adjacency "
                                "matrix or a NetworkX graph")
            self._link(list(graph), [], undirected, repeats)

    def _link(self, edges: list[Any], vertices: list[Any], undirected: bool, repeats: str) -> None:
        """Vertices in the order they come."""
        number: dict[Any, int] = {vertex: at for at, vertex in enumerate(vertices)}
        ends, weights = np.empty((len(edges), 2), dtype=np.int32), np.ones(len(edges))
        for at, edge in enumerate(edges):
            if isinstance(edge, str) or not hasattr(edge, "__len__") or len(edge) not in (2, 3):
                raise DataError(f"link {at} is {edge!r}; give (from, to) or (from, to, weight)")
            ends[at] = [number.setdefault(vertex, len(number)) for vertex in edge[:2]]
            if len(edge) == 3:
                try:
                    weights[at] = edge[2]
                except (TypeError, ValueError) as error:
                    raise DataError(f"link {at} has the weight {edge[2]!r}; give a number") from error
        if not number:
            raise DataError("the graph has no vertices; give at least one link")
        self._numbers = number
        self._names = [str(vertex) for vertex in number]
        self._graph = _core.Graph.of_links(len(number), ends, weights, self._names, undirected, repeats)

    @property
    def vertices(self) -> int:
        return int(self._graph.vertices)

    @property
    def links(self) -> int:
        return int(self._graph.links)

    @property
    def names(self) -> list[str] | None:
        """Of the vertices, where they have any; those of a matrix go by their numbers, from 0."""
        return self._names

    def summary(self) -> GraphSummary:
        """Counts of vertices, links and parts."""
        return GraphSummary(**self._graph.summary())

    def _vertex(self, key: Any) -> int:
        """The number of a vertex, by what it was called where it came from."""
        if self._numbers is not None and key in self._numbers:
            return self._numbers[key]
        if self._names is not None:
            try:
                return int(self._graph.require(str(key)))
            except DataError as error:
                raise OptionError(f"personalization has {key!r}, which is no vertex of the graph: {error}") from error
        if isinstance(key, (int, np.integer)) and 0 <= key < self.vertices:
            return int(key)
        raise OptionError(f"personalization has {key!r}, which is no vertex of the graph; they are numbers from 0 to "
                          f"{self.vertices - 1}")

    def __repr__(self) -> str:
        words = ("weighted " if self._graph.weighted else "") + "links"
        return f"LinkGraph of {self.vertices} vertices, {self.links} {words}" + (
            ", both ways" if self._graph.undirected else "")


def _graph_of(graph: Any, undirected: bool, weight: str | None) -> LinkGraph:
    if isinstance(graph, LinkGraph):
        return graph
    return LinkGraph(graph, undirected=undirected, weight=weight)


def pagerank(graph: Any, *, alpha: float = 0.85, personalization: Mapping[Any, float] | Iterable[Any] | None = None,
             dangling: str = "uniform", tol: float = 1e-10, solver: str = "auto", max_iter: int = 100_000,
             undirected: bool = False, weight: str | None = "weight", n_jobs: int | None = None,
             callback: Callback | None = None) -> PageRank:
    """Ranks the vertices of a graph by where a random walk on it is found (Page, Brin, Motwani & Winograd 1999).

    Parameters
    ----------
    graph : LinkGraph, or what it takes
        A path, links, an adjacency matrix or a NetworkX graph.
    alpha : float
        Chance to follow a link instead of restarting, at least 0 and below 1.
    personalization : mapping, or iterable
        Vertices where the walk restarts, with weights, or all alike: by name, or by number in a matrix. None: anywhere.
    dangling : 'uniform', 'teleport', 'self' or 'error'
        From a vertex that no link leaves the walk goes to any vertex, to where it restarts, or stays; or such a graph is
        refused.
    tol : float
        Largest error of the scores, the sum of |score - true score|: it is bounded, not guessed.
    solver : 'auto', 'power' or 'gauss-seidel'
    max_iter : int
        Sweeps over all links at most.
    undirected, weight
        As LinkGraph has them.

    Examples
    --------
    >>> from fewdim import pagerank
    >>> ranks = pagerank([("a", "b"), ("b", "c"), ("c", "a"), ("d", "c")])
    >>> ranks.names[ranks.scores.argmax()]
    'c'
    >>> [name for name, score in ranks.top(2)]
    ['c', 'a']
    """
    one_of("solver", solver, ("auto", "power", "gauss-seidel"))
    one_of("dangling", dangling, ("uniform", "teleport", "self", "error"))
    links = _graph_of(graph, undirected, weight)
    given = personalization if isinstance(personalization, Mapping) else dict.fromkeys(personalization or (), 1.0)
    restart = [(links._vertex(vertex), float(share)) for vertex, share in given.items()]
    with speaking_to({**PARAMETERS, "damping": "alpha", "tolerance": "tol", "restart": "personalization"}):
        found = _core.pagerank(links._graph, alpha, dangling, restart, tol, solver, whole("max_iter", max_iter, 1),
                               threads_of(n_jobs), callback)
    if not found["converged"]:
        warnings.warn(f"the error may be {found['error_bound']:.1e}, above tol={tol:.1e}: rounding is in the way; lower "
                      "alpha or raise tol", FewdimWarning, stacklevel=caller_level())
    return PageRank(**found, names=links.names)


def hits(graph: Any, *, tol: float = 1e-10, norm: str = "sum", max_iter: int = 20_000, undirected: bool = False,
         weight: str | None = "weight", n_jobs: int | None = None, callback: Callback | None = None) -> Hits:
    """Hubs and authorities of a graph (Kleinberg 1999); `graph` as for pagerank().

    norm: 'sum' or 'unit', scores of sum 1 or of Euclidean norm 1. max_iter: products with the matrix at most.

    >>> from fewdim import hits
    >>> found = hits([("a", "c"), ("b", "c"), ("b", "d")])
    >>> found.names[found.authorities.argmax()], found.top_hubs(1)[0][0]
    ('c', 'b')
    """
    one_of("norm", norm, ("sum", "unit"))
    links = _graph_of(graph, undirected, weight)
    with speaking_to({**PARAMETERS, "tolerance": "tol", "normalization": "norm"}):
        found = _core.hits(links._graph, tol, norm == "unit", whole("max_iter", max_iter, 1), threads_of(n_jobs), callback)
    if found["multiplicity"] > 1:
        warnings.warn(f"the largest singular value is there {found['multiplicity']} times: many vectors are as good; these "
                      "are the projection of equal scores, where power iteration from them ends", FewdimWarning,
                      stacklevel=caller_level())
    if not found["converged"]:
        warnings.warn(f"the residual is {found['residual']:.1e}, above tol={tol:.1e}: rounding is in the way; raise tol",
                      FewdimWarning, stacklevel=caller_level())
    return Hits(**found, names=links.names)
