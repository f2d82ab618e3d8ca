"""Documents from files, and judgments of rankings."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _core
from ._base import caller_level, seed_of
from ._data import as_texts
from ._errors import DataError, FewdimWarning, OptionError
from ._images import _paths
from ._trials import PairedComparison, RankedSystem, system_of
from ._table import one_of, strings, whole
from ._words import PARAMETERS, speaking_to

FORMATS = tuple(card["name"] for card in _core.formats() if card["kind"] == "documents")


@dataclass(frozen=True)
class Document:
    """A text and its id."""

    id: str
    text: str


class Documents:
    """Documents in files, which LSI reads one by one: they need not fit memory. Iterating reads them.

    Parameters
    ----------
    paths : path, or list of them
        A folder (every file below it is a document), or files.
    format : str, optional
        'folder', 'lines' (one a line), 'jsonl', 'csv', 'tsv', 'records' ("Field: value" paragraphs, as Debian's package
        lists), 'smart' or 'trec', where the name and the beginning do not tell.
    text_field : str or list of str, optional
        Columns (names, or numbers as strings from "1"), keys, fields or SMART letters that hold the text.
    id_field : str, optional
        The one that names a document; 'none': they are numbered.
    header : bool, optional
        Whether the first line of a table names its columns.
    strip : 'none', 'html' or 'markdown'
        Markup to take off before words are counted.
    encoding_errors : 'error' or 'replace'
        Bytes that are not UTF-8: refuse them, or put U+FFFD in their place.
    longest : int
        Bytes that one document may have.

    Examples
    --------
    >>> from pathlib import Path
    >>> from fewdim import Documents
    >>> _ = Path("notes.txt").write_text("a cat on a mat\\na dog in a house\\n")
    >>> [(one.id, one.text) for one in Documents("notes.txt", format="lines")]
    [('1', 'a cat on a mat'), ('2', 'a dog in a house')]
    """

    def __init__(self, paths: Any, *, format: str | None = None, text_field: Any = (), id_field: str | None = None,
                 header: bool | None = None, strip: str = "none", encoding_errors: str = "error",
                 longest: int = 64 << 20) -> None:
        found = _paths(paths)
        if found is None:
            raise TypeError(f"paths={paths!r} must be a path, or a list of paths; Documents.of() takes texts")
        self._source: dict[str, Any] = {
            "paths": found, "format": "" if format is None else one_of("format", format, FORMATS),
            "text_fields": strings(text_field), "id_field": id_field or "", "header": header,
            "strip": one_of("strip", strip, ("none", "html", "markdown")),
            "encoding_errors": one_of("encoding_errors", encoding_errors, ("error", "replace")),
            "longest": whole("longest", longest, 1)}

    @classmethod
    def of(cls, texts: Iterable[str], ids: Iterable[Any] | None = None) -> Documents:
        """Texts in memory; their ids are their beginnings, of 60 characters at most, where none are given."""
        self = cls.__new__(cls)
        given = as_texts(texts)
        names = list(_core.text_ids(given)) if ids is None else [str(one) for one in ids]
        if len(names) != len(given):
            raise DataError(f"{len(names)} ids were given for {len(given)} documents")
        if ids is not None and len(set(names)) < len(names):
            raise DataError(f"two documents have the id {next(n for n in names if names.count(n) > 1)!r}; give each its own")
        self._source = {"texts": given, "ids": names}
        return self

    def __iter__(self) -> Iterator[Document]:
        with speaking_to(PARAMETERS):
            found, report = _core.read_documents(self._source)
        tell_of(report)
        return iter([Document(*pair) for pair in found])

    def __repr__(self) -> str:
        if "texts" in self._source:
            return f"Documents.of({len(self._source['texts'])} texts)"
        paths = self._source["paths"]
        return f"Documents({paths[0]!r}{f' and {len(paths) - 1} more' if len(paths) > 1 else ''})"


def source_of(X: Any) -> dict[str, Any]:
    """Documents, of any sequence of texts, as the engine opens them."""
    return (X if isinstance(X, Documents) else Documents.of(X))._source


def tell_of(report: dict[str, Any]) -> None:
    """What a person should know of what was read."""
    def counted(number: int, what: str) -> str:
        return f"{number:,} {what}{'' if number == 1 else 's'}"

    notes = []
    for table in [one for one in report["tables"] if not one["header_given"]][:3]:
        first = "its first line is a header" if table["header"] else "no header, its first line is a document"
        ids = f"ids from column {table['id']}" if table["id"] else "documents are numbered"
        notes.append(f"{table['file']}: {first}; {ids}, text from {', '.join(table['text'])} "
                     f"(header={not table['header']} if that is wrong)")
    if report["binary_files"]:
        notes.append(f"{counted(report['binary_files'], 'file')} skipped: not text")
    if report["unreadable"]:
        notes.append(f"{counted(report['unreadable'], 'file')} skipped: can't be read; the first is {report['first_unreadable']}")
    if report["replaced_bytes"]:
        notes.append(f"{counted(report['replaced_bytes'], 'byte')} not UTF-8, replaced by U+FFFD")
    if report["empty"]:
        notes.append(f"{counted(report['empty'], 'document')} without text, kept")
    for note in notes:
        warnings.warn(note, FewdimWarning, stacklevel=caller_level())


def read_documents(paths: Any, **reading: Any) -> list[Document]:
    """All documents of files, with their ids; the parameters are those of Documents."""
    return list(Documents(paths, **reading))


@contextmanager
def file_lock(path: str | os.PathLike[str]) -> Iterator[None]:
    """Holds a model file against other programs while it is loaded, changed and saved, so that no change is lost.

    The command line's `add` and `remove` wait for it, and it waits for them:
    `with file_lock(path): lsi = load(path); lsi.add(texts); lsi.save(path, overwrite=True)`.
    """
    lock = _core.FileLock(os.fspath(path))
    if lock.problem:
        warnings.warn(f"{os.fspath(path)}: {lock.problem}; let no other program change it at the same time", FewdimWarning,
                      stacklevel=caller_level())
    try:
        yield
    finally:
        lock.release()


# Judgments.


def read_judgments(path: str | os.PathLike[str]) -> dict[str, dict[str, float]]:
    """Which documents are relevant, {query: {document: grade}}, from a file of TREC's or of the SMART collections."""
    return {query: dict(documents) for query, documents in _core.read_judgments(os.fspath(path))}


def judged_pairs(judgments: Any) -> list[tuple[str, list[tuple[str, float]]]]:
    """Of a path, or of a mapping of queries to documents, with or without grades."""
    if isinstance(judgments, (str, os.PathLike)):
        return list(_core.read_judgments(os.fspath(judgments)))
    if not isinstance(judgments, Mapping):
        raise TypeError("judgments are the path of a file, or a mapping of queries to documents")
    pairs = []
    for query, documents in judgments.items():
        if isinstance(documents, str):
            raise DataError(f"the judgments of {query!r} are a string; give a list of documents, or a mapping to grades")
        graded = documents.items() if isinstance(documents, Mapping) else ((one, 1.0) for one in documents)
        pairs.append((str(query), [(str(one), float(grade)) for one, grade in graded]))
    return pairs


def cutoffs_of(at: Any) -> list[int]:
    return sorted(whole("at", n, 1) for n in ([at] if isinstance(at, (int, np.integer)) else at))


def judge_rankings(rankings: Mapping[Any, Sequence[Any]], judgments: Any, *, at: Any = (5, 10, 20),
                   name: str = "rankings") -> RankedSystem:
    """How good rankings of documents are, by judgments: {query: [document, ...]}, best first.

    >>> from fewdim import judge_rankings
    >>> found = judge_rankings({"q": ["b", "a", "c"]}, {"q": ["a"]}, at=2)
    >>> found.mean.average_precision, found.mean.precision
    (0.5, {2: 0.5})
    """
    ranked = [(str(query), [str(one) for one in documents]) for query, documents in rankings.items()]
    return system_of(name, _core.judge_rankings(ranked, judged_pairs(judgments), cutoffs_of(at)))


def compare_paired(a: Any, b: Any, *, random_state: Any = None, draws: int = 100_000) -> PairedComparison:
    """Is b better than a? One number a query of both, by the randomization test.

    >>> from fewdim import compare_paired
    >>> found = compare_paired([0.1, 0.2, 0.3, 0.4], [0.2, 0.4, 0.4, 0.5])
    >>> found.better, found.exact, found.p_value
    (4, True, 0.125)
    """
    first, second = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    if first.ndim != 1 or first.shape != second.shape or not len(first):
        raise DataError(f"a has the shape {first.shape} and b {second.shape}; give one number a query of both")
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise DataError("a or b contains NaN or infinity; leave those queries out")
    if draws < 1:
        raise OptionError(f"draws={draws!r} must be 1 or more")
    return PairedComparison(**_core.compare_paired(first.tolist(), second.tolist(), seed_of(random_state), draws))
