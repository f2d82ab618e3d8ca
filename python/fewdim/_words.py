"""The engine speaks of flags, as the command line has them; here they become parameters."""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from . import _core

NUMBER = r"-?[\d.]*\d(?:e-?\d+)?%?"

#: The parameters of options that are called the same everywhere.
PARAMETERS: Mapping[str, str] = {
    "components": "n_components", "seed": "random_state", "threads": "n_jobs", "iterations": "max_iter",
    "tolerance": "tol", "neighbors": "n_neighbors",
}
#: What has no parameter here.
PHRASES: tuple[tuple[str, str], ...] = (
    (r" \((?:--columns, )?--drop\)", ""),
    (r" with --columns\b", ""),
    (r"drop with --drop ([^\s,;]+)", r"leave column \1 out"),
    (r"--force\b", "overwrite=True"),
    (r"use --stream\b", "give Batches(...)"),
    (r"leave --stream out", "give an array"),
    (r"use -n (\d+)", r"use count=\1"),
    (r"`fewdim choose-k`", "fewdim.choose_k()"),
    (r"`fewdim quality`", "fewdim.trustworthiness()"),
    (r"`fewdim inspect`", "summary()"),
    (r"`fewdim methods`", "fewdim.methods()"),
    (r"`fewdim fill`", "fill()"),
    (r"`fewdim svd`", "fewdim.TruncatedSVD"),
    (r"`fewdim lsi`", "fewdim.LSI"),
    (r"`fewdim search`", "search()"),
    (r"`fewdim complete`", "fewdim.MatrixCompletion"),
    (r"`fewdim faces`", "the command line's faces"),
)


@functools.cache
def choices() -> dict[str, set[str]]:
    """The words that options of each name take."""
    found: dict[str, set[str]] = {}
    for card in _core.methods():
        for field in card["options"]:
            found.setdefault(field["name"], {"auto", "none"}).update(field["choices"])
    return found


def _value(text: str) -> str:
    return text if re.fullmatch(NUMBER, text) and not text.endswith("%") else repr(text)


def in_python(message: str, parameters: Mapping[str, str],
              words: Mapping[str, Collection[str]] | None = None) -> str:
    """`parameters` has the parameter of each option, `words` those that it takes: others are prose."""
    known_words = choices() if words is None else words

    def name(flag: str) -> str:
        option = flag.replace("-", "_")
        return parameters.get(option, option)

    def assigned(found: re.Match[str]) -> str:
        flag, blank, word = found[1], found[2], found[3]
        if flag == "drop":
            return f"without column {word}"
        if re.fullmatch(NUMBER, word) or word in known_words.get(flag.replace("-", "_"), ()):
            return f"{name(flag)}={_value(word)}"
        return f"{name(flag)}{blank}{word}"

    text = message
    for phrase, instead in PHRASES:
        text = re.sub(phrase, instead, text)
    text = re.sub(r"--no-([a-z][a-z-]*)", lambda found: f"{name(found[1])}=False", text)
    text = re.sub(r"--([a-z][a-z-]*)([ =])([\w.:%-]*[\w%])", assigned, text)
    text = re.sub(r"--([a-z][a-z-]*)", lambda found: name(found[1]), text)
    text = re.sub(rf"(?<![\w-])-k ({NUMBER}|all\b|auto[:\w-]*)",
                  lambda found: f"{name('components')}={_value(found[1])}", text)
    text = re.sub(r"(?<![\w-])-k\b", name("components"), text)
    return re.sub(r"\b([a-z_]+)(?==)", lambda found: parameters.get(found[1], found[1]), text)


def with_first_words(message: str, dtype: str) -> str:
    """scikit-learn's words for the most common faults, and then the engine's."""
    if re.search(r"\d missing value", message):
        return f"Input X contains NaN.\n{message}"
    if re.search(r"\d infinite value", message):
        return f"Input X contains infinity or a value too large for dtype('{dtype}').\n{message}"
    if re.search(r"-\S+ at row \d+, column \d+.* is negative", message):
        return f"Negative values in data passed to X.\n{message}"
    return message


#: Whose parameters a message is to name, and the type of the numbers that are looked at, if any are.
_listener: ContextVar[tuple[Mapping[str, str], str]] = ContextVar("_listener", default=(PARAMETERS, ""))


@contextmanager
def speaking_to(parameters: Mapping[str, str], dtype: str = "") -> Iterator[None]:
    """Errors of the engine name these parameters."""
    token = _listener.set((parameters, dtype))
    try:
        yield
    finally:
        _listener.reset(token)


def spoken(message: str) -> str:
    """A message of the engine as an exception has it: the module calls this for every error."""
    parameters, dtype = _listener.get()
    words = in_python(message, parameters)
    return with_first_words(words, dtype) if dtype else words
