"""All measures of an embedding."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _core
from ._base import caller_level, seed_of, threads_of
from ._data import as_data
from ._errors import DataError, FewdimWarning, OptionError
from ._functions import procrustes
from ._kernel import metric_of
from ._results import Procrustes
from ._table import whole
from ._words import PARAMETERS, speaking_to

Callback = Callable[[str, int, int], Any]


@dataclass(frozen=True)
class Measure:
    """One number about an embedding."""

    value: float | None  #: None where it is not defined for these data: the note says why
    standard_error: float  #: from looking at some rows only; 0: exact
    note: str = ""


@dataclass(frozen=True, repr=False)
class QualityReport:
    """How well an embedding keeps neighbors and distances. report["trustworthiness"] is the number of that name."""

    rows: int
    sampled: int  #: rows that were looked at
    n_neighbors: int
    metric: str  #: as it was taken
    measures: dict[str, Measure]
    curve: np.ndarray  #: fields k, kept, rnx and standard_error: how many of the k nearest neighbors are kept
    notes: list[str]
    procrustes: Procrustes | None  #: against the reference, where there is one

    @property
    def exact(self) -> bool:
        return self.sampled == self.rows

    def __getitem__(self, name: str) -> float | None:
        return self.measures[name].value

    def plot(self, path: str | os.PathLike[str], *, title: str | None = None, overwrite: bool = False) -> None:
        """Draws the curve of neighbors kept over their number, as a .svg or .png file."""
        area = self["rnx_area"] or 0.0
        _core.draw_curve(self.curve["k"].astype(float), self.curve["rnx"], 2.0 * self.curve["standard_error"],
                         f"Neighbors kept: area {area:.3f}" if title is None else title, "K nearest neighbors",
                         "kept, 0 by chance, 1 all (R_NX)", os.fspath(path), bool(overwrite))

    def __repr__(self) -> str:
        lines = [f"QualityReport of {self.rows} rows" + ("" if self.exact else f", {self.sampled} of them looked at")
                 + f" (n_neighbors={self.n_neighbors}, metric={self.metric!r})"]
        for name, one in self.measures.items():
            shown = f"undefined: {one.note}" if one.value is None else f"{one.value:.4f}"
            lines.append(f"  {name:<21} {shown}" + (f" ± {one.standard_error:.1e}" if one.standard_error > 0 else ""))
        if self.procrustes is not None:
            lines.append(f"  {'procrustes_disparity':<21} {self.procrustes.disparity:.4f}")
        return "\n".join(lines)


def quality(X: Any, X_embedded: Any, *, n_neighbors: int = 10, metric: str = "auto", geodesics: int = 0,
            sample: int | str | None = None, reference: Any = None, random_state: Any = None, n_jobs: int | None = None,
            memory_limit: int | None = None, callback: Callback | None = None) -> QualityReport:
    """Trustworthiness, continuity, neighbors kept at every scale, residual variance, stress, correlations of distances.

    Parameters
    ----------
    X : array of rows
        The original rows; their distances with metric='precomputed'.
    X_embedded : array of rows
        The same objects in few dimensions, in the same order.
    n_neighbors : int
        Of trustworthiness, continuity and neighbors_kept; below half of the rows.
    metric : str
        Of the original, as the estimators take it.
    geodesics : int
        Above 0: distances of the original along the graph of so many nearest neighbors, as Isomap takes them.
    sample : int or 'all', optional
        Rows to look at, drawn at random, each against all others; by default all where that takes seconds.
    reference : array of rows, optional
        True coordinates: adds the error of the embedding against them (Procrustes).

    Examples
    --------
    >>> import numpy as np
    >>> from fewdim import PCA, generate, quality
    >>> X = generate("iris")
    >>> report = quality(X, PCA(n_components=2).fit_transform(X))
    >>> print(round(report["trustworthiness"], 3), round(report["rnx_area"], 2), report.exact)
    0.983 0.69 True
    """
    original = as_data(X, "X", sparse=False)
    embedding = as_data(X_embedded, "X_embedded", sparse=False)
    if original.rows != embedding.rows:
        raise DataError(f"X has {original.rows} rows and X_embedded {embedding.rows}; they must be the same objects in the "
                        "same order")
    if isinstance(sample, str) and sample != "all":
        raise OptionError(f"sample={sample!r} must be a number of rows, or 'all'")
    options = {"neighbors": whole("n_neighbors", n_neighbors, 1), "geodesics": whole("geodesics", geodesics, 0),
               "metric": "auto" if metric == "auto" else metric_of(metric), "seed": seed_of(random_state),
               "sample": "all" if sample == "all" else str(0 if sample is None else whole("sample", sample, 1))}
    with speaking_to(PARAMETERS, "float32" if original.single else "float64"):
        found = _core.embedding_quality(original, embedding, options, threads_of(n_jobs), memory_limit or 0, callback)
    notes = list(found["notes"])
    for note in notes:
        warnings.warn(note, FewdimWarning, stacklevel=caller_level())
    curve = np.array(found["curve"], dtype=[("k", np.int64), ("kept", float), ("rnx", float), ("standard_error", float)])
    return QualityReport(
        found["rows"], found["sampled"], found["neighbors"], found["metric"],
        {name: Measure(value, error, note) for name, (value, error, note) in found["measures"].items()}, curve, notes,
        None if reference is None else procrustes(reference, X_embedded))
