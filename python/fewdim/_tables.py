"""Tables from files and to files, generated and built-in ones, and lines of ratings."""

from __future__ import annotations

import os
import warnings
from typing import Any

import numpy as np

from . import _core
from ._base import caller_level, seed_of, threads_of
from ._errors import DataError, FewdimWarning, OptionError
from ._table import Table, one_of, strings, whole
from ._words import PARAMETERS, speaking_to

FORMATS = tuple(card["name"] for card in _core.formats() if card["kind"] == "rows")
#: Options of reading, which are parameters here under the names they have.
READING = {**PARAMETERS, **{name: name for name in ("columns", "drop", "stream", "sparse")}}


def _column(given: Any) -> str:
    """A name, or a number, which the engine counts from 1."""
    return given if isinstance(given, str) else str(whole("a column", given, 0) + 1)


def _columns(given: Any) -> list[str]:
    return [_column(one) for one in ([given] if isinstance(given, (str, int)) else given)]


def _delimiter(given: str | None) -> str:
    found = {None: "", "tab": "\t", "space": " "}.get(given, given)
    if found is None or len(found.encode()) > 1:
        raise OptionError(f"delimiter={given!r} must be one character, or 'tab' or 'space'")
    return found


def _joined(parts: list[Table]) -> Table:
    """Row after row; columns by name where all parts have names."""
    first = parts[0]
    if first.columns is not None and all(part.columns is not None for part in parts):
        parts = [part if part.columns == first.columns else part[list(first.columns)] for part in parts]
    for part in parts:
        if part.is_sparse or first.is_sparse:
            raise DataError(f"{part.source}: sparse tables can't be joined; read them one by one")
        if part.shape[1] != first.shape[1]:
            raise DataError(f"{part.source}: has {part.shape[1]} columns, and {first.source} {first.shape[1]}; give parts of "
                            "one table")

    def whole_of(lists: list[Any]) -> list[str] | None:
        return [name for one in lists for name in one] if all(one is not None for one in lists) else None

    return Table(np.concatenate([part.numbers for part in parts]), columns=first.columns,
                 index=whole_of([part.index for part in parts]), labels=whole_of([part.labels for part in parts]),
                 label_name=first.label_name or "label")


def read(path: Any, *, format: str | None = None, delimiter: str | None = None,
         header: bool | None = None, id: Any = None, label: Any = None, drop: Any = (), columns: Any = (),
         na: Any = (), array: str | None = None, dtype: Any = None, sparse: bool = False, stream: bool = False,
         n_jobs: int | None = None, memory_limit: int | None = None) -> Table:
    """Reads a table as the command line does: CSV, TSV, .npy, .npz, Matrix Market, svmlight or .wav, also .gz and .zst.

    What is found by looking (a header, row names, labels), and could have been meant otherwise, is told in a warning and
    kept in `decisions`.

    Parameters
    ----------
    path : str or path, or list of them
        A file, or "-" for standard input; a list of files is parts of one table, row after row.
    format : str, optional
        'csv', 'tsv', 'npy', 'npz', 'mtx', 'svmlight' or 'wav', where the name does not tell.
    delimiter : str, optional
        Between the cells of text: a character, 'tab' or 'space'.
    header : bool, optional
        Whether the first line of text holds names.
    id, label : str or int, optional
        The columns with the rows' names and with a class for each: by name, or by number from 0; 'none': there is none.
    drop, columns : list of str or int
        Columns to leave out, or to take, in this order.
    na : list of str
        More words that stand for a missing value.
    array : str, optional
        Which array of an .npz file.
    dtype : 'float32' or 'float64', optional
        Of the numbers; as in the file by default, and float64 of text.
    sparse : bool
        Store zeros of dense input as nothing.
    stream : bool
        Take rows from the file as a fit needs them, instead of loading all.

    Examples
    --------
    >>> import fewdim
    >>> fewdim.write(fewdim.generate("iris"), "iris.csv", overwrite=True)
    >>> fewdim.read("iris.csv", label="Species")
    Table of 150 x 4 (float64), columns Sepal.Length, Sepal.Width, Petal.Length, Petal.Width, labels setosa, versicolor, virginica
    """
    options: dict[str, Any] = {
        "format": "" if format is None else one_of("format", format, FORMATS), "delimiter": _delimiter(delimiter),
        "header": header, "id": "" if id is None else _column(id), "label": "" if label is None else _column(label),
        "drop": _columns(drop), "columns": _columns(columns), "na": strings(na), "array": array or "",
        "sparse": bool(sparse), "stream": bool(stream)}
    if dtype is not None:
        options["single"] = one_of("dtype", np.dtype(dtype).name, ("float32", "float64")) == "float32"
    paths = [path] if isinstance(path, (str, os.PathLike)) else list(path)
    if stream and len(paths) > 1:
        raise OptionError("stream=True takes one file; give Batches of several")
    parts = []
    for one in paths:
        with speaking_to(READING):
            data, decisions = _core.read_table(os.fspath(one), options, threads_of(n_jobs), memory_limit or 0)
        notes = list(decisions)
        for note in notes:
            warnings.warn(f"{os.fspath(one)}: {note}", FewdimWarning, stacklevel=caller_level())
        parts.append(Table._of(data, notes))
    if not parts:
        raise OptionError("there is no file to read; give a path")
    return parts[0] if len(parts) == 1 else _joined(parts)


def write(table: Any, path: str | os.PathLike[str], *, format: str | None = None, overwrite: bool = False,
          header: bool = True, names: bool = True, wav_bits: int | None = None, sample_rate: int | None = None,
          n_jobs: int | None = None) -> None:
    """Writes a table so that it reads back to the same bits; the name's ending is the format.

    `table` is a Table, an array, a sparse matrix or a data frame. header, names: whether to write the names of columns
    and rows. wav_bits: 8, 16, 24 or 32, whole numbers; None: as they are. sample_rate: rows a second of sound.
    """
    if not isinstance(table, Table):
        table = Table(table)
    options: dict[str, Any] = {"format": "" if format is None else one_of("format", format, FORMATS),
                               "overwrite": bool(overwrite), "header": bool(header), "names": bool(names)}
    if wav_bits is not None:
        if wav_bits not in (8, 16, 24, 32):
            raise OptionError(f"wav_bits={wav_bits!r} must be 8, 16, 24 or 32")
        options["wav_bits"] = int(wav_bits)
    if sample_rate is not None:
        options["sample_rate"] = whole("sample_rate", sample_rate, 1)
    _core.write_table(table._data, os.fspath(path), options, threads_of(n_jobs))


def sample_rate(path: str | os.PathLike[str]) -> int:
    """Rows a second of a file of sound; 0 where it is none."""
    return int(_core.sample_rate_of(os.fspath(path)))


def tables() -> dict[str, str]:
    """What generate() makes, and what each is."""
    return {**_core.generators(), **_core.builtin_tables()}


def generate(name: str, *, rows: int | None = None, cols: int | None = None, noise: float | None = None,
             rank: int | None = None, clusters: int | None = None, random_state: Any = None) -> Table:
    """A synthetic table, or a built-in one: tables() lists them. Labels are the cluster, or the place on the manifold.

    >>> from fewdim import generate
    >>> generate("swiss-roll", rows=500).shape, generate("digits").shape
    ((500, 3), (1797, 64))
    """
    if name in _core.builtin_tables():
        if any(value is not None for value in (rows, cols, noise, rank, clusters)):
            raise OptionError(f"{name} is a table as it is: it has no rows, cols, noise, rank or clusters to set")
        return Table._of(_core.builtin_table(name))
    if name not in _core.generators():
        raise OptionError(f"there is no table {name!r}; there are {', '.join(tables())}")
    options = {key: whole(key, fallback if value is None else value, 1)
               for key, value, fallback in (("rows", rows, 1000), ("cols", cols, 10), ("rank", rank, 5),
                                            ("clusters", clusters, 3))}
    return Table._of(_core.generate(name, noise=0.05 if noise is None else float(noise), seed=seed_of(random_state),
                                    **options))


def _rating_options(delimiter: str | None, header: bool | None, user_column: Any, item_column: Any, value_column: Any,
                    repeated: str) -> dict[str, Any]:
    return {"delimiter": _delimiter(delimiter), "header": header,
            "user_column": "" if user_column is None else _column(user_column),
            "item_column": "" if item_column is None else _column(item_column),
            "value_column": "" if value_column is None else _column(value_column),
            "repeated": one_of("repeated", repeated, ("refuse", "mean", "first", "last"))}


def read_ratings(path: str | os.PathLike[str], *, delimiter: str | None = None, header: bool | None = None,
                 user_column: Any = None, item_column: Any = None, value_column: Any = None,
                 repeated: str = "refuse") -> Table:
    """Lines of user, item and value as a sparse table: users are rows, items are columns, for MatrixCompletion.

    Columns go by name, or by number from 0; by default by their usual names, or the first three. value_column='none':
    every line counts 1. repeated: of a second rating of an item by a user, 'refuse', 'mean', 'first' or 'last'.
    """
    options = _rating_options(delimiter, header, user_column, item_column, value_column, repeated)
    return Table._of(_core.read_ratings(os.fspath(path), options))


def read_rated_pairs(path: str | os.PathLike[str], *, delimiter: str | None = None, header: bool | None = None,
                     user_column: Any = None, item_column: Any = None,
                     value_column: Any = None) -> list[tuple[str, str, float]]:
    """The same lines as they come: (user, item, value), value NaN where there is none."""
    options = _rating_options(delimiter, header, user_column, item_column, value_column, "refuse")
    return list(_core.read_rated_pairs(os.fspath(path), options))


