"""Tables with their names, as files hold them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from . import _core
from ._errors import DataError, OptionError


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
            index = string_index(numbers)
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
            missing = [name for name in key if name not in self.columns]
            if missing:
                raise DataError(f"there is no column {missing[0]!r}; there are {', '.join(self.columns[:8])}"
                                f"{', ...' if len(self.columns) > 8 else ''}")
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


def string_index(X: Any) -> list[str] | None:
    """The names of a data frame's rows, where they are strings."""
    index = getattr(X, "index", None)
    if index is None or callable(index) or not all(isinstance(name, str) for name in index):
        return None
    return list(index)
