"""What trials and evaluations have found, as objects."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass(frozen=True)
class PredictorMeasures:
    """One predictor's errors on ratings that it has not seen; NaN: it has none of that kind."""

    name: str
    rmse: float
    mae: float
    nmae: float  #: mae over the range of the ratings
    precision: float  #: of lists of items that the user had not rated
    recall: float


@dataclass(frozen=True, repr=False)
class RatingTrial:
    """Errors of a method and of baselines on ratings held out."""

    kind: str  #: 'folds' or 'test'
    fits: int  #: models of the method
    ratings: int  #: held out
    lists: int  #: users with something relevant to find
    unknown: int  #: ratings of users or items that the fit had not seen
    length: int  #: of the lists
    predictors: list[PredictorMeasures]  #: baselines first, the method last

    @property
    def best(self) -> PredictorMeasures:
        """The one of the least error, or of the best lists where there are no errors."""
        with_errors = [one for one in self.predictors if not np.isnan(one.rmse)]
        if with_errors:
            return min(with_errors, key=lambda one: one.rmse)
        return max(self.predictors, key=lambda one: one.precision)

    def __repr__(self) -> str:
        lines = [f"RatingTrial: {self.ratings} ratings held out, {self.fits} fits; {self.lists} lists of {self.length}",
                 f"  {'':<14} {'RMSE':>8} {'MAE':>8} {'NMAE':>8} {'precision':>9} {'recall':>8}"]
        for one in self.predictors:
            cells = [f"{value:.4f}" if not np.isnan(value) else "-" for value in
                     (one.rmse, one.mae, one.nmae, one.precision, one.recall)]
            lines.append(f"  {one.name:<14} {cells[0]:>8} {cells[1]:>8} {cells[2]:>8} {cells[3]:>9} {cells[4]:>8}")
        return "\n".join(lines)


@dataclass(frozen=True)
class Factor:
    """What a factor of ratings is about: the items at both of its ends, with their weights."""

    name: str
    strength: float  #: standard deviation of its part in predictions
    plus: list[tuple[str, float]]
    minus: list[tuple[str, float]]


@dataclass(frozen=True)
class Revision:
    """What adding or removing documents did."""

    documents: int  #: added or removed
    outside: float  #: folded in: mean share of the new documents that the concepts miss
    outside_of_fit: float  #: the same share of the documents of the fit
    unknown_words: float  #: share of the new documents' words that are no terms of the collection
    discarded: float  #: updated: share of the sum of squares that the kept concepts don't hold


@dataclass(frozen=True)
class QueryWords:
    """What the collection knows of a question's words."""

    known: list[str]
    unknown: list[str]
    outside: dict[str, int]  #: of the known ones, those that are found by matching alone: in how many documents
    match: float  #: the share of term matching in the scores
    suggestions: dict[str, list[str]]  #: for unknown ones: words that are written nearly so


@dataclass(frozen=True)
class RetrievalMeasures:
    """The measures of the textbooks (Manning et al. 2008, 8.4), as trec_eval computes them."""

    average_precision: float
    r_precision: float
    reciprocal_rank: float
    eleven_points: float  #: mean interpolated precision at recall 0, 0.1, ... 1
    nine_points: float  #: at 0.1 to 0.9
    precision: dict[int, float]  #: at each rank that was asked for
    recall: dict[int, float]
    ndcg: dict[int, float]
    interpolated: list[float] = field(repr=False)


@dataclass(frozen=True)
class PairedComparison:
    """Two systems on the same queries: the second less the first."""

    queries: int
    difference: float  #: mean
    low: float  #: of its 95 % interval by Student's t; NaN for one query
    high: float
    p_value: float  #: two-sided, by the randomization test (Smucker et al. 2007)
    exact: bool  #: by all flips of signs, else by random ones
    better: int
    worse: int
    equal: int


@dataclass(frozen=True)
class RankedSystem:
    """How well one way to rank does."""

    name: str
    mean: RetrievalMeasures  #: over the queries, each with the same weight
    queries: dict[str, RetrievalMeasures] = field(repr=False)
    without_relevant: int = 0  #: queries left out: nothing is known to be relevant
    without_ranking: int = 0  #: judged queries that were not asked
    against_terms: PairedComparison | None = None  #: average precision beside that of plain term matching


@dataclass(frozen=True, repr=False)
class Evaluation:
    """How good an index is, by queries with known answers; evaluation["BM25"] is the system of that name."""

    systems: dict[str, RankedSystem]
    relevant: int  #: judgments of relevance
    judged_by: str  #: what judgments give of a document: 'id' or 'position'
    unknown_queries: int  #: judged, and not among the queries: left out
    unknown_documents: int  #: judged, and not in the collection: never found

    def __getitem__(self, name: str) -> RankedSystem:
        return self.systems[name]

    def __repr__(self) -> str:
        first = next(iter(self.systems.values()))
        cuts = list(first.mean.precision)
        width = max(len(name) for name in self.systems)
        head = "".join(f" {f'P@{n}':>6} {f'nDCG@{n}':>8}" for n in cuts)
        lines = [f"Evaluation: {len(first.queries)} queries, {self.relevant} relevant documents",
                 f"  {'':<{width}} {'MAP':>6} {'R-prec':>6} {'MRR':>6}{head}"]
        for name, one in self.systems.items():
            m = one.mean
            cells = "".join(f" {m.precision[n]:>6.3f} {m.ndcg[n]:>8.3f}" for n in cuts)
            lines.append(f"  {name:<{width}} {m.average_precision:>6.3f} {m.r_precision:>6.3f} {m.reciprocal_rank:>6.3f}{cells}")
        return "\n".join(lines)


def measures_of(found: dict[str, Any], cutoffs: list[int]) -> RetrievalMeasures:
    """Of the engine's numbers."""
    fields = dict(found)
    for name in ("precision", "recall", "ndcg"):
        fields[name] = dict(zip(cutoffs, found[name]))
    return RetrievalMeasures(**fields)


def system_of(name: str, report: dict[str, Any], comparison: dict[str, Any] | None = None) -> RankedSystem:
    cutoffs = report["cutoffs"]
    return RankedSystem(name, measures_of(report["mean"], cutoffs),
                        {query: measures_of(m, cutoffs) for query, _, _, m in report["queries"]},
                        report["without_relevant"], report["without_ranking"],
                        None if comparison is None else PairedComparison(**comparison))
