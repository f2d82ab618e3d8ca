"""What users pass in, as the engine takes it: without a copy wherever its numbers lie as they should.

Errors begin with scikit-learn's words, which people search for, and end with what to do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from . import _core
from ._errors import DataError
from ._table import Table


class Batches:
    """Rows that come in batches, for data larger than memory: `PCA(10).fit(Batches(make))`.

    Parameters
    ----------
    source : iterable or callable
        An iterable of two-dimensional arrays, or a callable that returns a new iterator of them. One that can be
        iterated again (a list, a `Dataset`, a callable) serves methods that need several passes; a generator serves
        those that need one.
    rows : int, optional
        How many rows there are, where that is known.
    """

    def __init__(self, source: Iterable[Any] | Callable[[], Iterator[Any]], rows: int | None = None) -> None:
        self.source = source
        self.rows = rows

    def __iter__(self) -> Iterator[Any]:
        return iter(self.source() if callable(self.source) else self.source)

    @property
    def again(self) -> bool:
        """Can it be iterated more than once?"""
        return callable(self.source) or not isinstance(self.source, Iterator)


def is_sparse(X: Any) -> bool:
    """SciPy is not needed to know that there is no sparse matrix of it."""
    return hasattr(X, "tocsr") and hasattr(X, "nnz") and hasattr(X, "shape")


def is_batches(X: Any) -> bool:
    return isinstance(X, (Batches, Iterator))


def column_names(X: Any) -> np.ndarray | None:
    """The names of a data frame's columns, where all of them are strings."""
    columns = getattr(X, "columns", None)
    if columns is None or is_sparse(X):
        return None
    names = list(columns)
    kinds = sorted({type(name).__qualname__ for name in names})
    strings = sum(isinstance(name, str) for name in names)
    if strings == 0:
        return None
    if strings < len(names):
        raise TypeError(
            "Feature names are only supported if all input features have string names, but your input has "
            f"{kinds} as feature name / column name types. If you want feature names to be stored and validated, you "
            "must convert them all to strings, by using X.columns = X.columns.astype(str) for example.")
    return np.asarray(names, dtype=object)


def _float_dtype(dtype: np.dtype) -> np.dtype:
    return dtype if dtype in (np.float32, np.float64) and dtype.isnative else np.dtype(np.float64)


def _shape_words(shape: tuple[int, ...]) -> str:
    return f"(shape={tuple(int(n) for n in shape)})"


def _require_size(shape: tuple[int, ...], least_rows: int, least_columns: int, who: str) -> None:
    if shape[0] < least_rows:
        raise DataError(f"Found array with {shape[0]} sample(s) {_shape_words(shape)} while a minimum of {least_rows} "
                        f"is required by {who}.")
    if shape[1] < least_columns:
        raise DataError(f"Found array with {shape[1]} feature(s) {_shape_words(shape)} while a minimum of "
                        f"{least_columns} is required by {who}.")


def dense_array(X: Any, name: str = "X") -> np.ndarray:
    """A two-dimensional array of float32 or float64 in native order; `X` itself where it is one."""
    original = X
    if is_sparse(X):
        raise TypeError(f"{name} is sparse, and dense rows are needed here. Use '.toarray()' to convert to a dense numpy "
                        "array.")
    if not isinstance(X, np.ndarray):
        X = np.asarray(X)
    elif isinstance(X, np.matrix):
        raise TypeError("np.matrix is not supported. Please convert to a numpy array with np.asarray.")
    if np.iscomplexobj(X):
        raise DataError(f"Complex data not supported\n{original!r}\nTake .real, .imag or abs() of it first.")
    if X.ndim != 2:
        kind = "scalar" if X.ndim == 0 else f"{X.ndim}D"
        if X.ndim < 2:
            raise DataError(
                f"Expected 2D array, got {kind} array instead:\narray={X!r}.\nReshape your data either using "
                "array.reshape(-1, 1) if your data has a single feature or array.reshape(1, -1) if it contains a single "
                "sample.")
        raise DataError(f"Found array with dim {X.ndim}, while dim <= 2 is required: Expected 2D array. Flatten it by "
                        "X.reshape(len(X), -1).")
    if X.dtype.kind in "USV":
        try:
            X = X.astype(np.float64)
        except ValueError as error:
            raise DataError(f"dtype='numeric' is not compatible with arrays of bytes/strings. Convert your data to "
                            f"numeric values explicitly instead. ({error})") from error
    if X.dtype.kind in "OMm":
        X = X.astype(np.float64)
    dtype = _float_dtype(X.dtype)
    if X.dtype != dtype:
        X = X.astype(dtype)  # once, in its own order
    unit = dtype.itemsize
    straight = X.strides[1] == unit or X.strides[0] == unit or X.size == 0
    if not straight or min(X.strides) < unit or any(s % unit for s in X.strides) or not X.flags.aligned:
        X = np.ascontiguousarray(X)
    return X


def _sparse_data(X: Any) -> _core.Data:
    rows = X.tocsr()
    if rows.data.dtype.kind == "c":
        raise DataError("Complex data not supported\nTake .real, .imag or abs() of it first.")
    dtype = _float_dtype(rows.data.dtype)
    if rows.data.dtype != dtype:
        rows = rows.astype(dtype)
    if not rows.has_canonical_format:
        rows = rows.copy()
        rows.sum_duplicates()
    entries = int(rows.indptr[-1])
    return _core.Data.csr(rows.shape[0], rows.shape[1], rows.indptr, rows.indices[:entries],
                          np.ascontiguousarray(rows.data[:entries]))


def _stream_data(X: Any, who: str) -> _core.Data:
    batches = X if isinstance(X, Batches) else Batches(X)
    state: dict[str, Any] = {"iterator": iter(batches)}
    first = next(state["iterator"], None)
    if first is None:
        raise DataError(f"Found array with 0 sample(s) (there is no batch) while a minimum of 1 is required by {who}.")
    first = dense_array(first, "the first batch")
    dtype, cols = first.dtype, first.shape[1]
    state["pending"] = first

    def give() -> np.ndarray | None:
        pending = state.pop("pending", None)
        batch = pending if pending is not None else next(state["iterator"], None)
        if batch is None:
            return None
        batch = dense_array(batch, "a batch")
        if batch.shape[1] != cols:
            raise DataError(f"a batch has {batch.shape[1]} features, but the first had {cols}; give all the same columns")
        return np.ascontiguousarray(batch, dtype=dtype)

    def rewind() -> None:
        state["iterator"] = iter(batches)
        state.pop("pending", None)

    return _core.Data.stream(cols, dtype == np.float32, batches.rows, give, rewind if batches.again else None)


def as_texts(X: Any) -> list[str]:
    """A list of strings, from any sequence of them."""
    if isinstance(X, str):
        raise DataError("Iterable over raw text documents expected, string object received. Put it in a list: [text].")
    texts = list(X)
    for at, text in enumerate(texts):
        if not isinstance(text, str):
            raise TypeError(f"document {at} is of type {type(text).__name__}; give strings, decoded where they were bytes")
    if not texts:
        raise DataError("Found array with 0 sample(s) while a minimum of 1 is required: there are no documents.")
    return texts


def _table_data(X: Table, who: str, sparse: bool, stream: bool, least_rows: int, least_columns: int) -> _core.Data:
    if X.is_stream and not stream:
        raise TypeError(f"{who} needs all rows in memory; read the table without stream=True")
    if X.is_sparse and not sparse:
        raise TypeError(f"Sparse data was passed for X, but dense data is required by {who}: the table is sparse. Use "
                        "table.numbers.toarray() to convert to a dense numpy array.")
    rows, cols = X.shape
    if rows >= 0:
        _require_size((rows, cols), least_rows, least_columns, who)
    return _core.copy_data(X._data)  # names and weights may be put beside it; the numbers are not copied


def as_data(X: Any, who: str = "fewdim", *, sparse: bool = True, stream: bool = False, least_rows: int = 1,
            least_columns: int = 1) -> _core.Data:
    """`X` as the engine takes it. `who` stands in messages."""
    if isinstance(X, Table):
        return _table_data(X, who, sparse, stream, least_rows, least_columns)
    if is_batches(X):
        if not stream:
            raise TypeError(f"{who} needs all rows in memory and takes no iterator; give np.concatenate(list(batches))")
        return _stream_data(X, who)
    if is_sparse(X):
        if not sparse:
            raise TypeError(f"Sparse data was passed for X, but dense data is required by {who}: A sparse matrix was "
                            "passed. Use '.toarray()' to convert to a dense numpy array.")
        _require_size(X.shape, least_rows, least_columns, who)
        return _sparse_data(X)
    array = dense_array(X)
    _require_size(array.shape, least_rows, least_columns, who)
    return _core.Data.dense(array)
