"""The engine speaks of flags, as the command line has them; here they become parameters."""

from __future__ import annotations

import re
from collections.abc import Mapping


def _value(text: str) -> str:
    return text if re.fullmatch(r"-?[\d.]+(e-?\d+)?", text) else repr(text)


def in_python(message: str, parameters: Mapping[str, str]) -> str:
    """`parameters` has the parameter of each option."""

    def name(flag: str) -> str:
        option = flag.replace("-", "_")
        return parameters.get(option, option)

    def assigned(found: re.Match[str]) -> str:
        flag, value = found[1], found[2]
        if flag in ("drop", "columns"):
            return f"without column {value}" if flag == "drop" else f"X[[{value}]]"
        return f"{name(flag)}={_value(value)}"

    text = re.sub(r"--no-([a-z][a-z-]*)", lambda found: f"{name(found[1])}=False", message)
    text = re.sub(r"--([a-z][a-z-]*)[ =]([\w.:%-]*[\w%])(?=[\s,;.)]|$)(?! (?:above|below|or more))", assigned, text)
    text = re.sub(r"--([a-z][a-z-]*)", lambda found: name(found[1]), text)
    text = re.sub(r"(?<![\w-])-k ([\w:.%]+)", lambda found: f"{name('components')}={_value(found[1])}", text)
    text = re.sub(r"(?<![\w-])-k\b", name("components"), text)
    return re.sub(r"\b([a-z_]+)(?==)", lambda found: parameters.get(found[1], found[1]), text)


def with_first_words(message: str, dtype: str) -> str:
    """scikit-learn's words for the two most common faults, and then the engine's."""
    if re.search(r"\d missing value", message):
        return f"Input X contains NaN.\n{message}"
    if re.search(r"\d infinite value", message):
        return f"Input X contains infinity or a value too large for dtype('{dtype}').\n{message}"
    return message
