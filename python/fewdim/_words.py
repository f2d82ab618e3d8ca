"""What the engine says of options, commands and methods, as Python has them."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from . import _core

#: The parameters of options that are called the same everywhere.
PARAMETERS: Mapping[str, str] = {
    "components": "n_components", "seed": "random_state", "threads": "n_jobs", "iterations": "max_iter",
    "tolerance": "tol", "neighbors": "n_neighbors",
}
#: What commands are here.
COMMANDS: Mapping[str, str] = {
    "choose-k": "fewdim.choose_k()", "convert": "numpy.save()", "faces": "the command line's faces", "fill": "fill()",
    "inspect": "summary()", "methods": "fewdim.methods()", "quality": "fewdim.trustworthiness()",
    "search": "search()",
}
#: Options of reading that have no parameter, as the array itself is given: to set one, and to leave it out.
GIVEN_BY_DATA: Mapping[str, tuple[str, str]] = {
    "columns": ("X[:, columns]", "give all columns"),
    "drop": ("numpy.delete(X, columns, axis=1)", "give all columns"),
    "stream": ("Batches(...)", "give an array"),
    "sparse": ("a sparse matrix", "give a dense array"),
    "weights_column": ("sample_weight", "leave sample_weight out"),
}


class Listener(NamedTuple):
    """Whose parameters a message is to name, and the type of the numbers that are looked at, if any are."""

    parameters: Mapping[str, str] = PARAMETERS
    values: Mapping[tuple[str, str], str] = {}  # of an option and its value: the parameter and its own
    dtype: str = ""


_listener: ContextVar[Listener] = ContextVar("_listener", default=Listener())


@contextmanager
def speaking_to(parameters: Mapping[str, str], dtype: str = "",
                values: Mapping[tuple[str, str], str] | None = None) -> Iterator[None]:
    """Errors of the engine name these parameters."""
    token = _listener.set(Listener(parameters, values or {}, dtype))
    try:
        yield
    finally:
        _listener.reset(token)


@functools.cache
def classes() -> dict[str, str]:
    """The class of each method."""
    return {card["name"]: f"fewdim.{card['python_class']}" for card in _core.methods()}


def _literal(value: str) -> str:
    if value in ("true", "false"):
        return value.capitalize()
    return value if re.fullmatch(r"-?[\d.]*\d(?:e[+-]?\d+)?", value) else repr(value)


def _without(columns: str) -> str:
    """The data without these columns: numbers count from 1, as people do."""
    words = columns.split(",")
    if all(word.isdecimal() for word in words):
        places = [int(word) - 1 for word in words]
        return f"numpy.delete(X, {places[0] if len(places) == 1 else places}, axis=1)"
    return f"X.drop(columns={words!r})"


def _given(action: str, option: str, value: str) -> str:
    given, left_out = GIVEN_BY_DATA[option]
    if action == "leave_out":
        return left_out
    if action == "set":
        return _without(value) if option == "drop" and value and value != "NUMBER" else given
    return option


def remedy(action: str, option: str, value: str) -> str:
    """One thing that a message says of an option, a command or a method: the module calls this for each."""
    if action == "command":
        return COMMANDS.get(option, f"the command line's {option}")
    if action == "method":
        return classes().get(option, option)
    listener = _listener.get()
    name = listener.parameters.get(option)
    if name is None and option in GIVEN_BY_DATA:
        return _given(action, option, value)
    name = name or option
    if action in ("raise", "lower"):
        return f"{action} {name}"
    if action == "leave_out":
        return f"leave {name} out"
    if action == "name" or (action == "set" and not value):
        return name
    return listener.values.get((option, value), f"{name}={_literal(value)}")


def with_first_words(message: str) -> str:
    """scikit-learn's words for the most common faults, and then the engine's: the module calls this for errors."""
    dtype = _listener.get().dtype
    if not dtype:
        return message
    if re.search(r"\d missing value", message):
        return f"Input X contains NaN.\n{message}"
    if re.search(r"\d infinite value", message):
        return f"Input X contains infinity or a value too large for dtype('{dtype}').\n{message}"
    if re.search(r"-\S+ at row \d+, column \d+.* is negative", message):
        return f"Negative values in data passed to X.\n{message}"
    return message
