"""Docstrings from the cards, bars of progress, and pictures."""

from __future__ import annotations

import html
import importlib
import inspect
import sys
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from . import _core

COMMON = {
    "n_components": "how many to keep: a number, None for all, a share of the variance such as 0.95, or a criterion: "
                    "'mle', 'auto', 'auto:parallel', ...",
    "random_state": "of random numbers, where any are drawn: an int, or None, which is 0: every fit can be repeated.",
    "n_jobs": "threads; None and -1 are all cores. Results have the same bits at any number.",
    "memory_limit": "bytes of working memory; None: 80 % of what is free.",
    "copy": "accepted for scikit-learn's sake: X is never changed, and not copied.",
}

ATTRIBUTES = {
    "n_components_": "how many components there are.",
    "n_features_in_": "columns of the data that it was fitted on.",
    "feature_names_in_": "their names, where the data were a data frame with names that are strings.",
    "certificate_": "how far the components can be trusted: residuals and bounds, computed anew.",
    "plan_": "the route that was taken and its cost; None where it was not known ahead.",
    "diagnostics_": "measures of the fit, by name.",
    "seconds_": "that each stage took.",
}


def parameters_of(cls: type) -> list[inspect.Parameter]:
    return [p for name, p in inspect.signature(cls).parameters.items() if name != "self"]


def _entry(name: str, head: str, text: str) -> str:
    return f"    {name} : {head}\n        {text}\n" if head else f"    {name}\n        {text}\n"


def described(card: dict[str, Any] | None) -> Callable[[type], Any]:
    """Completes a class's docstring from its method's card; None: the engine has no such method."""
    if card is None:
        return lambda cls: cls
    known: dict[str, Any] = card
    fields = {field["name"]: field for field in known["options"]}

    def parameter(cls: Any, p: inspect.Parameter) -> str:
        own = cls._docs.get(p.name) if hasattr(cls, "_docs") else None
        field = fields.get(cls._same.get(p.name, ""))
        if own is None and p.name in cls._idle:
            own = f"accepted for scikit-learn's sake: {cls._idle[p.name][1]}."
        if own is None and field is not None:
            own = field["help"]
            if field["choices"]:
                own += "; one of " + ", ".join(repr(choice) for choice in field["choices"])
        return _entry(p.name, f"default {p.default!r}", own or COMMON.get(p.name, ""))

    def complete(cls: Any) -> type:
        own = inspect.getdoc(cls) or ""
        notes, _, examples = own.partition("Examples\n--------\n")
        parts = [f"    {known['title']}.\n"]
        if notes.strip():
            parts.append("".join(f"    {line}\n" if line else "\n" for line in notes.strip().splitlines()))
        parts.append("    Parameters\n    ----------\n" + "".join(parameter(cls, p) for p in parameters_of(cls)))
        learned = {**getattr(cls, "_learned", {}), **ATTRIBUTES}
        parts.append("    Attributes\n    ----------\n" + "".join(_entry(n, "", t) for n, t in learned.items()))
        parts.append(f"    References\n    ----------\n    {known['citation']}\n")
        if examples:
            body = "".join(f"    {line}\n" if line else "\n" for line in examples.rstrip().splitlines())
            parts.append("    Examples\n    --------\n" + body)
        cls.__doc__ = "\n".join(parts)
        return cls

    return complete


@contextmanager
def progress_bar(callback: Callable[..., Any] | None, progress: bool, title: str) -> Iterator[Any]:
    """A callback that also moves a bar: tqdm's where it is installed, else a line on standard error."""
    if not progress:
        yield callback
        return
    state: dict[str, Any] = {"stage": None, "bar": None}
    tqdm: Any = None
    try:
        tqdm = importlib.import_module("tqdm.auto").tqdm
    except ImportError:
        pass

    def told(stage: str, done: int, total: int) -> Any:
        if tqdm is None:
            share = f"{100 * done // total:3d} %" if total else str(done)
            sys.stderr.write(f"\r{title}: {stage} {share}\033[K")
            sys.stderr.flush()
        else:
            if state["stage"] != stage:
                if state["bar"] is not None:
                    state["bar"].close()
                state["stage"], state["bar"] = stage, tqdm(desc=f"{title}: {stage}", total=total or None)
            state["bar"].total = total or None
            state["bar"].update(done - state["bar"].n)
        return callback(stage, done, total) if callback is not None else None

    try:
        yield told
    finally:
        if state["bar"] is not None:
            state["bar"].close()
        elif tqdm is None:
            sys.stderr.write("\r\033[K")


def reference_to(X: Any) -> Any:
    """The rows of a fit, for as long as their owner keeps them; None for what can't be referred to."""
    try:
        return weakref.ref(X) if hasattr(X, "shape") else None
    except TypeError:
        return None


def _places(estimator: Any) -> Any:
    """Coordinates of some training rows: those that the model has, or of the rows where they are still there."""
    most = 5000
    embedding = getattr(estimator, "embedding_", None)
    if embedding is None:
        rows = getattr(estimator, "_rows", None)
        X = None if rows is None else rows()
        if X is None or estimator.n_components_ < 2:
            return None
        step = X.shape[0] // most + 1
        try:
            embedding = estimator._coordinates(X.iloc[::step] if hasattr(X, "iloc") else X[::step])
        except (ValueError, TypeError):  # they are not what they were
            return None
    known = embedding[np.isfinite(embedding).all(axis=1)].astype(float)
    return known[:: len(known) // most + 1]


def html_of(estimator: Any) -> str:
    """The summary, and pictures of the spectrum and of the map, drawn by the engine."""
    model: Any = getattr(estimator, "_model", None)
    if model is None:
        return f"<pre>{html.escape(repr(estimator))}</pre>"
    parts = [f"<pre>{html.escape(repr(estimator))}\n\n{html.escape(estimator.summary())}</pre>"]
    from ._reports import make_picture  # which needs this module

    pictures = []
    size = (420, 320)
    ratios = model.arrays().get("explained_variance_ratio")
    if ratios is not None and len(ratios) > 1:
        pictures.append(make_picture(estimator, "scree", title="Shares of the variance", size=size).svg())
    known = _places(estimator)
    if known is not None and known.shape[1] > 1:
        scores = _core.Data.dense(np.ascontiguousarray(known))
        pictures.append(make_picture(estimator, "scatter", title="The training rows", size=size, scores=scores).svg())
    if pictures:
        parts.append('<div style="display:flex;flex-wrap:wrap;gap:8px">' + "".join(pictures) + "</div>")
    return "".join(parts)


def draw(estimator: Any, X: Any, labels: Any, ax: Any) -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("plot() needs Matplotlib: pip install matplotlib") from error
    if X is None and not hasattr(estimator, "embedding_"):
        raise ValueError(f"{type(estimator).__name__} keeps no coordinates of its training rows; give the rows to draw: "
                         "plot(X)")
    places = np.asarray(estimator.embedding_ if X is None else estimator.transform(X))
    if ax is None:
        ax = plt.gca()
    x = places[:, 0]
    y = places[:, 1] if places.shape[1] > 1 else np.zeros(len(x))
    if labels is None:
        ax.scatter(x, y, s=12)
    else:
        labels = np.asarray(labels)
        for label in np.unique(labels):
            chosen = labels == label
            ax.scatter(x[chosen], y[chosen], s=12, label=str(label))
        ax.legend()
    names = estimator._model.component_names
    ratios = estimator._model.arrays().get("explained_variance_ratio")
    shares = [f" ({100 * r:.1f} %)" for r in ratios] if ratios is not None and estimator._method in ("pca", "svd") else []
    for axis, set_label in enumerate((ax.set_xlabel, ax.set_ylabel)):
        if axis < places.shape[1]:
            set_label(names[axis] + (shares[axis] if axis < len(shares) else ""))
    return ax
