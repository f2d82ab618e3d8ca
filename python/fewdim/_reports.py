"""What a fitted estimator can show: the verdict on its certificate, its tables, its pictures, the quality of its map."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from . import _core, _display
from ._data import as_data, is_batches
from ._errors import DataError, OptionError
from ._results import Check, Verification


class Picture:
    """A picture that the engine draws. A notebook shows it; save() writes it as .svg or .png."""

    def __init__(self, kind: str, drawn: _core.Picture) -> None:
        self.kind = kind
        self._drawn = drawn

    @property
    def data(self) -> dict[str, Any]:
        """Its numbers and words: coordinates, labels, names of the axes; None for what is not finite."""
        return dict(json.loads(self._drawn.json()))

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Writes the picture; the ending of the name decides: .svg or .png."""
        self._drawn.save(os.fspath(path), overwrite)

    def svg(self) -> str:
        """As text for a page, without the declaration in front."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "picture.svg"
            self._drawn.save(str(path))
            text = path.read_text(encoding="utf-8")
        return text[text.index("<svg"):]

    def _repr_svg_(self) -> str:
        return self.svg()

    def __repr__(self) -> str:
        return f"<fewdim.Picture: {self.kind}, {self.data['title']!r}>"


def _checked_axes(axes: Any, columns: int) -> list[int]:
    chosen = [int(axis) for axis in axes]
    if any(axis < 0 or axis >= columns for axis in chosen):
        raise OptionError(f"axes={axes!r} must be between 0 and {columns - 1}, the components that there are")
    return chosen


def make_picture(estimator: Any, kind: str, *, title: str | None = None, size: tuple[int, int] | None = None,
                 **request: Any) -> Picture:
    """A picture of an estimator's model."""
    found = _core.make_picture(estimator._fitted(), kind, title=title, size=size or (0, 0), **request,
                               **estimator._execution())
    return Picture(kind, found)


class ReportMixin:
    """For fitted estimators."""

    _fitted: Any
    _data: Any
    _card: Any
    _coordinates: Any
    _execution: Any
    _in_python: Any
    _speaking: Any
    _weigh: Any

    def verify(self, X: Any = None, *, tolerance: float | None = None, sample_weight: Any = None) -> Verification:
        """Recomputes the certificate from the rows that the model was fitted on, and holds each figure against its bound.

        No word of the model is taken: mean, total variance and the residual of every component are computed anew. A
        verdict against the model is no exception; UnsupportedError says where a method can't be verified, and DataError
        that the rows have another shape.

        Parameters
        ----------
        X : the rows of the fit; LSI holds its documents, and needs none
        tolerance : float, optional
            Of the residuals. None: what the certificate claims.
        sample_weight : array, optional
            As they were given to fit().
        """
        model = self._fitted()
        data = None
        if self._card()["verified_by"] != "counts":
            if X is None:
                raise DataError("verify() needs the rows that the model was fitted on: verify(X)")
            data = self._data(X, reset=False, stream=True)
            if sample_weight is not None:
                self._weigh(data, sample_weight)
        if tolerance is not None and not tolerance > 0:
            raise OptionError(f"tolerance={tolerance!r} must be above 0")
        with self._speaking(data is not None and data.single):
            found = _core.judge(model, data, 0.0 if tolerance is None else float(tolerance), **self._execution())
        return Verification(checks=tuple(Check(*check) for check in found["checks"]), residuals=found["residuals"],
                            outside_bound=found["outside_bound"], outside_probability=found["outside_probability"],
                            warnings=[self._in_python(message) for message in found["warnings"]])

    def spectrum_table(self) -> dict[str, np.ndarray]:
        """By column: the components' singular values or eigenvalues, variances, shares and residuals.

        pandas.DataFrame(...) takes it as it is. Further rows have the eigenvalues that are known and were not kept.
        """
        return self._table("spectrum")

    def loadings_table(self) -> dict[str, np.ndarray]:
        """By column: each feature's loadings on the components; of factors also its uniqueness."""
        return self._table("loadings")

    def column_statistics(self) -> dict[str, np.ndarray]:
        """By column: each feature's loadings, contributions, correlations and cos2, one a component."""
        return self._table("column statistics")

    def row_statistics(self, X: Any) -> dict[str, np.ndarray]:
        """By column: T2, SPE, and each row's contributions and cos2, one a component."""
        return self._table("row statistics", X)

    def _table(self, kind: str, X: Any = None) -> dict[str, np.ndarray]:
        model = self._fitted()
        data = None if X is None else self._data(X, reset=False)
        with self._speaking(data is not None and data.single):
            numbers, columns, rows, header = _core.result_table(model, kind, data, **self._execution())
        table: dict[str, np.ndarray] = {header or "row": np.asarray(rows, dtype=object)} if rows else {}
        table.update((name, np.array(numbers[:, at])) for at, name in enumerate(columns))
        return table

    def quality(self, X: Any, *, n_neighbors: int = 10, metric: str | None = None) -> dict[str, float | None]:
        """How well the map keeps the neighbors and the distances of X: trustworthiness, continuity, stress and more.

        metric: of the rows of X. None: that of the model, where it was made from distances. Many rows are sampled. A
        measure that is not defined for these rows is None.
        """
        model = self._fitted()
        data = self._data(X, reset=False)
        options = {"neighbors": int(n_neighbors), "metric": metric}
        with self._speaking(data.single):
            return _core.model_quality(model, data, options, **self._execution())

    def plot_kinds(self, with_data: bool = False) -> list[str]:
        """The kinds of pictures that plot() can make of this model: from what it keeps, or with rows."""
        return _core.possible_pictures(self._fitted(), with_data)

    def plot(self, X: Any = None, *, kind: str | None = None, labels: Any = None, values: Any = None, axes: Any = None,
             title: str | None = None, alpha: float | None = None, hulls: bool = False, density: bool = False,
             equal: bool | None = None, size: tuple[int, int] | None = None, ax: Any = None) -> Any:
        """Draws the model: without a kind the first two coordinates by Matplotlib, and returns the axes.

        With a kind the engine draws, as `fewdim plot` does, and a Picture is returned.

        Parameters
        ----------
        X : rows to draw; None: the training rows, where the model keeps their coordinates
        kind : 'scatter', 'density', 'pairs', 'scree', 'cumulative', 'biplot', 'circle', 'shepard' or 'residual'
        labels : one per row: classes to color by
        values : one per row: numbers to color by, with a kind
        axes : components to draw, from 0 on, with a kind
        title : above the picture; '' is none
        alpha : of a biplot: 1 keeps distances of rows, 0 covariances of columns
        hulls : the convex hull of each class
        density : the densest regions instead of dots
        equal : is a unit as long on both axes; None: where the map keeps distances
        size : (width, height) of the picture
        ax : axes of Matplotlib to draw on, without a kind
        """
        model = self._fitted()
        asked = {"values": values, "axes": axes, "title": title, "alpha": alpha, "hulls": hulls or None,
                 "density": density or None, "equal": equal, "size": size}
        if kind is None:
            given = [name for name, value in asked.items() if value is not None]
            if given:
                raise OptionError(f"{given[0]} is for pictures of the engine; give their kind too, such as "
                                  "plot(kind='scatter')")
            return _display.draw(self, X, labels, ax)
        if ax is not None:
            raise OptionError("ax is for pictures of Matplotlib; leave kind out")
        request: dict[str, Any] = {"hulls": hulls, "density": density, "equal": equal}
        if alpha is not None:
            request["alpha"] = float(alpha)
        if axes is not None:
            request["axes"] = _checked_axes(axes, model.components)
        color = labels if labels is not None else values
        if labels is not None:
            request["labels"] = [str(label) for label in np.asarray(labels).tolist()]
        elif values is not None:
            request["values"] = np.asarray(values, dtype=float)
        request["color_name"] = str(getattr(color, "name", None) or "")
        if X is not None and _core.draws_rows(kind):
            request["scores"] = as_data(self._coordinates(X), type(self).__name__)
        if X is not None and _core.compares_rows(kind):
            if is_batches(X):
                raise DataError(f"kind={kind!r} compares rows with each other; give an array")
            request["data"] = self._data(X, reset=False)
        with self._speaking():
            return make_picture(self, kind, title=title, size=size, **request)
