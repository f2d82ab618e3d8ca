"""What the engine says of a fit, as objects."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from . import _core


@dataclass(frozen=True)
class Certificate:
    """How far the components of a fit can be trusted. Residuals were computed anew from the returned vectors."""

    route: str  #: how it was computed
    why: str  #: and why so
    iterations: int
    products: int  #: of the operator with a vector
    tolerance: float  #: asked for, of each residual relative to its own eigenvalue
    converged: bool
    residuals: np.ndarray = field(repr=False)  #: |A v - lambda v| / lambda_1
    value_bounds: np.ndarray = field(repr=False)  #: |lambda - true| / lambda_1 is at most this
    angle_bounds: np.ndarray = field(repr=False)  #: of the axes, in radians; pi/2: no bound
    groups: list[int] = field(repr=False)  #: equal numbers: eigenvalues too close, axes inside arbitrary
    orthogonality: float
    forming_error: float
    outside_bound: float  #: no direction left out has an eigenvalue above this, / lambda_1 (inf: not known),
    outside_probability: float  #: but with this probability (0: proved; 1: not known)
    warnings: list[str]


@dataclass(frozen=True)
class Check:
    """One figure of a certificate, recomputed from the data, and its bound."""

    name: str
    found: float
    allowed: float
    holds: bool
    meaning: str


@dataclass(frozen=True, repr=False)
class Verification:
    """The verdict on a certificate: every figure of it beside its bound."""

    checks: tuple[Check, ...]
    residuals: np.ndarray  #: of each component, recomputed
    outside_bound: float  #: as of Certificate
    outside_probability: float
    warnings: list[str]

    @property
    def holds(self) -> bool:
        """Is every figure within its bound?"""
        return all(check.holds for check in self.checks)

    def __repr__(self) -> str:
        verdict = "the certificate holds" if self.holds else "the certificate does not hold for these data"
        lines = [f"{check.name:<14} {check.found:8.1e} {'<=' if check.holds else '> '} {check.allowed:7.1e}  {check.meaning}"
                 for check in self.checks]
        return "\n".join([verdict, *lines, *(f"warning: {message}" for message in self.warnings)])


@dataclass(frozen=True)
class Plan:
    """The route of a fit, and what the engine expected it to cost."""

    route: str
    why: str
    bytes: int
    input_bytes: int
    memory_limit: int
    passes: int
    seconds: float
    considered: list[dict[str, Any]] = field(repr=False)


def _top(scores: np.ndarray, names: list[str] | None, count: int) -> list[tuple[Any, float]]:
    best = _core.top_vertices(scores, count)
    return [(v if names is None else names[v], float(scores[v])) for v in best]


@dataclass(frozen=True)
class PageRank:
    """Scores of vertices, with a bound of their error."""

    scores: np.ndarray
    error_bound: float  #: the sum of |score - true score| is at most this
    residual: float
    converged: bool
    sweeps: int
    dangling: int  #: vertices that no link leaves
    solver: str = "power"  #: that ended it: 'power' or 'gauss-seidel'
    rate: float = 0.0  #: by which the last sweeps brought the change down
    second_eigenvalue: float = float("nan")  #: its size, as the power sweeps show it; NaN: too few to tell
    names: list[str] | None = field(default=None, repr=False)

    def top(self, count: int = 10) -> list[tuple[Any, float]]:
        """The vertices of the highest scores, best first: (name or number, score)."""
        return _top(self.scores, self.names, count)


@dataclass(frozen=True)
class Hits:
    """Hubs and authorities: the leading singular vectors of the adjacency matrix."""

    hubs: np.ndarray
    authorities: np.ndarray
    singular_value: float
    residual: float
    gap: float
    multiplicity: int
    products: int
    converged: bool = True  #: the residual is within the tolerance
    names: list[str] | None = field(default=None, repr=False)

    def top_authorities(self, count: int = 10) -> list[tuple[Any, float]]:
        """The vertices of the highest scores, best first: (name or number, score)."""
        return _top(self.authorities, self.names, count)

    def top_hubs(self, count: int = 10) -> list[tuple[Any, float]]:
        """The vertices of the highest scores, best first: (name or number, score)."""
        return _top(self.hubs, self.names, count)


@dataclass(frozen=True)
class GraphSummary:
    """Counts of a graph. Parts: strong, from every vertex to every other along links; weak, along either direction."""

    vertices: int
    links: int
    weighted: bool
    undirected: bool
    dangling: int  #: vertices that no link leaves
    unlinked: int  #: vertices that no link leads to
    self_loops: int
    repeated: int  #: links that were listed before
    strong_components: int
    largest_strong: int
    weak_components: int
    largest_weak: int


@dataclass(frozen=True)
class Procrustes:
    """aligned = scale * other @ rotation + shift."""

    rotation: np.ndarray
    scale: float
    shift: np.ndarray
    disparity: float  #: as scipy.spatial.procrustes has it
    rms_error: float
    aligned: np.ndarray = field(repr=False)


@dataclass(frozen=True)
class KAdvice:
    """One criterion's word on the number of components."""

    criterion: str
    k: int | None  #: None: the criterion can't say
    sentence: str


@dataclass(frozen=True)
class Hit:
    """A document that was found."""

    document: int
    id: str
    score: float
    cosine: float
    bm25: float
    snippet: str
    matches: list[tuple[str, float]] = field(default_factory=list, repr=False)  #: words that matched, parts of the score
    terms: list[tuple[str, float]] = field(default_factory=list, repr=False)  #: parts of the cosine, largest first
    concepts: list[tuple[str, float]] = field(default_factory=list, repr=False)  #: the same by concepts


@dataclass(frozen=True)
class Topic:
    """What a component of LSI is about: terms and documents with their weights, largest first, at both of its ends."""

    component: int
    singular_value: float
    share: float
    terms: list[tuple[str, float]]
    documents: list[tuple[str, float]]
    opposite_terms: list[tuple[str, float]]
    opposite_documents: list[tuple[str, float]]


@dataclass(frozen=True)
class Recommendation:
    """An item, and what is predicted of it: a rating, or the cosine to another item."""

    item: int
    name: str | None  #: where the columns of the fit had names
    value: float
