"""Tables with their names, as files hold them."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from . import _core
from ._errors import DataError, FewdimWarning, OptionError
from ._words import PARAMETERS, in_python

FORMATS = ("csv", "tsv", "npy", "npz", "mtx", "svmlight", "wav")


def said(message: str) -> str:
    """A note of the engine in the words of Python."""
    return in_python(message, PARAMETERS)


def whole(name: str, value: Any, least: int) -> int:
    """A whole number of at least that much."""
    number = value.item() if isinstance(value, np.generic) else value
    if isinstance(number, bool) or not isinstance(number, int) or number < least:
        raise OptionError(f"{name}={value!r} must be a whole number of {least} or more")
    return number


def one_of(name: str, value: Any, choices: Sequence[str]) -> str:
    if value not in choices:
        listed = ", ".join(repr(choice) for choice in choices[:-1])
        raise OptionError(f"{name}={value!r} must be {listed} or {choices[-1]!r}")
    return str(value)


def strings(values: Any) -> list[str]:
    """A list of strings, of one or several."""
    return [values] if isinstance(values, str) else [str(value) for value in values]


class Table:
    """Rows of numbers, and the names and classes that travel with them.

    Estimators take it as they take a data frame; `np.asarray(table)` has the numbers of a dense one, `table.numbers` those
    of any: an array, or SciPy's sparse rows. Numbers belong to the table and can't be written to; copy them first.

    Parameters
    ----------
    numbers : array, sparse matrix or data frame
    columns, index : sequences of str, optional
        Names of the columns and rows; by default those of the data frame.
    labels : sequence, optional
        A class for each row, which takes no part in a fit.
    label_name, index_name : str
        What those columns are called in a file.

    Examples
    --------
    >>> from fewdim import Table
    >>> table = Table([[1.0, 2.0], [3.0, 4.0]], columns=["a", "b"], labels=["x", "y"])
    >>> table
    Table of 2 x 2 (float64), columns a, b, labels x, y
    >>> table[["b"]].numbers.tolist()
    [[2.0], [4.0]]
    """

    def __init__(self, numbers: Any, *, columns: Iterable[Any] | None = None, index: Iterable[Any] | None = None,
                 labels: Iterable[Any] | None = None, label_name: str = "label", index_name: str = "") -> None:
        from ._data import as_data, column_names

        if columns is None:
            columns = column_names(numbers)
        if index is None:
            index = _string_index(numbers)
        data = as_data(numbers, "Table")
        if columns is not None:
            data.name_columns([str(name) for name in columns])
        if index is not None:
            data.name_rows([str(name) for name in index])
        classes = [] if labels is None else [str(label) for label in labels]
        self._data = _core.with_parts(data, classes, label_name if classes else "", index_name)
        self._parts: dict[str, Any] | None = None
        self.decisions: list[str] = []  #: what the reader decided by looking

    @classmethod
    def _of(cls, data: Any, decisions: list[str] | None = None) -> Table:
        self = cls.__new__(cls)
        self._data = data
        self._parts = None
        self.decisions = decisions or []
        return self

    def _part(self, name: str) -> Any:
        if self._parts is None:
            self._parts = _core.table_parts(self._data)
        return self._parts[name]

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns; -1 rows where a stream does not know how many there are."""
        return int(self._data.rows), int(self._data.cols)

    @property
    def dtype(self) -> np.dtype:
        return np.dtype(np.float32 if self._data.single else np.float64)

    @property
    def is_sparse(self) -> bool:
        return bool(self._data.is_sparse)

    @property
    def is_stream(self) -> bool:
        """Do the rows come from the file, as they are needed?"""
        return bool(self._data.is_stream)

    @property
    def columns(self) -> list[str] | None:
        """Names of the columns, where there are any."""
        return self._part("column_names") or None

    @property
    def index(self) -> list[str] | None:
        """Names of the rows, where there are any."""
        return self._part("row_names") or None

    @property
    def labels(self) -> np.ndarray | None:
        """A class for each row, as strings, where there are any."""
        found = self._part("labels")
        return np.asarray(found, dtype=object) if found else None

    @property
    def label_name(self) -> str:
        return str(self._part("label_name"))

    @property
    def source(self) -> str:
        """Where it came from."""
        return str(self._part("source"))

    @property
    def numbers(self) -> Any:
        """An array, or SciPy's csr_matrix of a sparse table."""
        found = _core.table_numbers(self._data)
        if not self.is_sparse:
            return found
        try:
            from scipy.sparse import csr_matrix
        except ImportError as error:
            raise ImportError("the numbers of a sparse table need SciPy: pip install scipy") from error
        offsets, columns, values = found
        return csr_matrix((values, columns, offsets), shape=self.shape)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if self.is_sparse:
            raise TypeError("the table is sparse; use table.numbers.toarray() for dense numbers")
        found = np.asarray(self.numbers, dtype=dtype)
        return np.array(found) if copy else found

    def __len__(self) -> int:
        if self._data.rows < 0:
            raise TypeError("the table is a stream that does not know how many rows it has")
        return int(self._data.rows)

    def __getitem__(self, key: Any) -> Any:
        """The columns of a list of names, as a table; the numbers of anything else."""
        if isinstance(key, str):
            return self[[key]].numbers[:, 0]
        if isinstance(key, list) and key and all(isinstance(name, str) for name in key):
            if self.columns is None:
                raise DataError("the columns of this table have no names")
            return Table._of(_core.columns_by_name(self._data, key), self.decisions)
        return self.numbers[key]

    def to_frame(self) -> Any:
        """A pandas data frame; labels are a column of it."""
        try:
            import pandas
        except ImportError as error:
            raise ImportError("to_frame() needs pandas: pip install pandas") from error
        numbers = self.numbers
        make = pandas.DataFrame.sparse.from_spmatrix if self.is_sparse else pandas.DataFrame
        frame = make(numbers, columns=self.columns, index=self.index)
        if self.labels is not None:
            frame[self.label_name or "label"] = self.labels
        return frame

    def __repr__(self) -> str:
        def some(values: Any) -> str:
            return ", ".join(values[:4]) + (", ..." if len(values) > 4 else "")

        rows, cols = self.shape
        kind = "sparse " if self.is_sparse else "a stream of " if self.is_stream else ""
        text = f"Table of {'?' if rows < 0 else rows} x {cols} ({kind}{self.dtype})"
        if self.columns is not None:
            text += f", columns {some(self.columns)}"
        if self.labels is not None:
            text += f", labels {some(list(dict.fromkeys(self._part('labels'))))}"
        return text


def _string_index(X: Any) -> list[str] | None:
    """The names of a data frame's rows, where they are strings."""
    index = getattr(X, "index", None)
    if index is None or callable(index) or not all(isinstance(name, str) for name in index):
        return None
    return list(index)


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


def read(path: str | os.PathLike[str], *, format: str | None = None, delimiter: str | None = None,
         header: bool | None = None, id: Any = None, label: Any = None, drop: Any = (), columns: Any = (),
         na: Any = (), array: str | None = None, dtype: Any = None, sparse: bool = False, stream: bool = False,
         n_jobs: int | None = None, memory_limit: int | None = None) -> Table:
    """Reads a table as the command line does: CSV, TSV, .npy, .npz, Matrix Market, svmlight or .wav, also .gz and .zst.

    What is found by looking (a header, row names, labels), and could have been meant otherwise, is told in a warning and
    kept in `decisions`.

    Parameters
    ----------
    path : str or path
        A file, or "-" for standard input.
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
    from ._base import caller_level, threads_of

    options: dict[str, Any] = {
        "format": "" if format is None else one_of("format", format, FORMATS), "delimiter": _delimiter(delimiter),
        "header": header, "id": "" if id is None else _column(id), "label": "" if label is None else _column(label),
        "drop": _columns(drop), "columns": _columns(columns), "na": strings(na), "array": array or "",
        "sparse": bool(sparse), "stream": bool(stream)}
    if dtype is not None:
        options["single"] = one_of("dtype", np.dtype(dtype).name, ("float32", "float64")) == "float32"
    data, decisions = _core.read_table(os.fspath(path), options, threads_of(n_jobs), memory_limit or 0)
    notes = [said(note) for note in decisions]
    for note in notes:
        warnings.warn(f"{os.fspath(path)}: {note}", FewdimWarning, stacklevel=caller_level())
    return Table._of(data, notes)


def write(table: Any, path: str | os.PathLike[str], *, format: str | None = None, overwrite: bool = False,
          header: bool = True, names: bool = True, wav_bits: int | None = None, sample_rate: int | None = None,
          n_jobs: int | None = None) -> None:
    """Writes a table so that it reads back to the same bits; the name's ending is the format.

    `table` is a Table, an array, a sparse matrix or a data frame. header, names: whether to write the names of columns
    and rows. wav_bits: 8, 16, 24 or 32, whole numbers; None: as they are. sample_rate: rows a second of sound.
    """
    from ._base import threads_of

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
    from ._base import seed_of

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


