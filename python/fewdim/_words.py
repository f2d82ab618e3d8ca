"""The engine speaks of flags, as the command line has them; here they become parameters."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping


NUMBER = r"-?[\d.]*\d(?:e-?\d+)?%?"


def _value(text: str) -> str:
    return text if re.fullmatch(NUMBER, text) and not text.endswith("%") else repr(text)


def in_python(message: str, parameters: Mapping[str, str], choices: Mapping[str, Collection[str]] = {}) -> str:
    """`parameters` has the parameter of each option, `choices` the words that it takes: others are prose."""

    def name(flag: str) -> str:
        option = flag.replace("-", "_")
        return parameters.get(option, option)

    def assigned(found: re.Match[str]) -> str:
        flag, blank, word = found[1], found[2], found[3]
        if flag == "drop":
            return f"without column {word}"
        known = choices.get(flag.replace("-", "_"), ())
        if re.fullmatch(NUMBER, word) or word in known:
            return f"{name(flag)}={_value(word)}"
        return f"{name(flag)}{blank}{word}"

    text = re.sub(r"--no-([a-z][a-z-]*)", lambda found: f"{name(found[1])}=False", message)
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
