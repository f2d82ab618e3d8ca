"""One judge for all results, in float64. `python check.py SIZE CASE OUT...` prints a JSON list, one entry per OUT.

S is the covariance matrix of the data as they are in the file (for svd: X'X), never formed for a check: S v is computed
by tiles of rows. Of a result's components v and variances l it gives
  residual   max |S v - l v| / (|v| l1)
  variance   |sum l - sum of the true l| / sum of the true l
  angle      sine of the largest principal angle to the true subspace
  orthogonal max |V V' - I|
  singular   for svd: the largest relative error of a singular value
The truth (kept beside the data) comes from LAPACK's full precision on S or the Gram matrix, for sparse data from ARPACK
at machine precision; its own residual is in the output as "reference".
"""
import json
import struct
import sys
from pathlib import Path

import numpy as np

import cases


class Dense:
    def __init__(self, path, centered):
        self.x = np.load(path, mmap_mode="r")
        self.rows, self.cols = self.x.shape
        self.divisor = self.rows - 1 if centered else 1
        self.mean = np.zeros(self.cols)
        if centered:
            self.mean = sum(t.astype(np.float64).sum(axis=0) for t in self.raw_tiles()) / self.rows

    def raw_tiles(self):
        step = max(1, 8_000_000 // self.cols)
        return (self.x[i:i + step] for i in range(0, self.rows, step))

    def tiles(self):
        return (t.astype(np.float64) - self.mean for t in self.raw_tiles())

    def apply(self, v):
        return sum(t.T @ (t @ v) for t in self.tiles()) / self.divisor

    def truth(self, k):
        from scipy.linalg import eigh

        if self.cols <= self.rows:
            square = sum(t.T @ t for t in self.tiles())
        else:
            x = np.concatenate(list(self.tiles()))
            square = x @ x.T
        n = len(square)
        values, vectors = eigh(square, subset_by_index=(n - k, n - 1), overwrite_a=True)
        values, vectors = values[::-1], vectors[:, ::-1]
        if self.cols > self.rows:
            vectors = np.linalg.qr(x.T @ vectors)[0]
        return vectors, values / self.divisor


class Sparse:
    def __init__(self, path, centered):
        import scipy.sparse

        self.x = scipy.sparse.load_npz(path)
        self.rows, self.cols = self.x.shape
        self.divisor = self.rows - 1 if centered else 1
        self.mean = np.asarray(self.x.mean(axis=0)).ravel() if centered else np.zeros(self.cols)

    def apply(self, v):
        v = v.reshape(self.cols, -1)
        scores = self.x @ v - self.mean @ v
        return (self.x.T @ scores - np.outer(self.mean, scores.sum(axis=0))) / self.divisor

    def truth(self, k):
        from scipy.sparse.linalg import LinearOperator, eigsh

        operator = LinearOperator((self.cols, self.cols), matvec=lambda v: self.apply(v).ravel(), dtype=np.float64)
        values, vectors = eigsh(operator, k, ncv=min(self.cols, 4 * k), tol=0, rng=0)
        order = np.argsort(-values)
        return vectors[:, order], values[order]


def truth(case, data):
    path = case.data.with_name(case.name + ".truth.npz")
    if not path.exists():
        print(f"bench: {case.name}: computing the truth", file=sys.stderr)
        vectors, values = data.truth(case.k)
        np.savez(path, vectors=vectors, values=values)
    kept = np.load(path)
    return kept["vectors"], kept["values"]


def safetensors(path):
    raw = Path(path).read_bytes()
    (length,) = struct.unpack("<Q", raw[:8])
    header = json.loads(raw[8:8 + length])
    header.pop("__metadata__", None)
    types = {"F32": "<f4", "F64": "<f8", "I64": "<i8", "U64": "<u8", "I32": "<i4", "U8": "u1"}
    tensors = {}
    for name, entry in header.items():
        start, stop = (8 + length + offset for offset in entry["data_offsets"])
        tensors[name] = np.frombuffer(raw[start:stop], types.get(entry["dtype"], "u1")).reshape(entry["shape"])
    return tensors


def result(out, kind):
    """Components as columns, variances."""
    out = Path(out)
    model = out / "model.fewdim"
    if not model.exists():
        components, values = np.load(out / "components.npy"), np.load(out / "variance.npy")
    else:
        tensors = safetensors(model)
        document = json.loads((out / "stdout").read_text())
        components = tensors["components"]
        if kind == "svd":
            singular = tensors.get("singular_values", document.get("singular_values"))
            values = np.asarray(singular, dtype=np.float64) ** 2
        else:
            values = tensors.get("explained_variance", document.get("explained_variance"))
    return np.asarray(components, dtype=np.float64).T, np.asarray(values, dtype=np.float64)


def judge(data, reference, out, kind):
    true_vectors, true_values = reference
    v, values = result(out, kind)
    if v.shape != true_vectors.shape:
        return {"wrong": f"components are {v.shape[1]} x {v.shape[0]}"}
    residual = data.apply(v) - v * values
    basis = np.linalg.qr(v)[0]
    outside = basis - true_vectors @ (true_vectors.T @ basis)
    singular = np.abs(np.sqrt(np.abs(values) / true_values) - 1).max()
    return ({"singular": float(singular)} if kind == "svd" else {}) | {
        "residual": float((np.linalg.norm(residual, axis=0) / np.linalg.norm(v, axis=0)).max() / true_values[0]),
        "variance": float(abs(values.sum() - true_values.sum()) / true_values.sum()),
        "angle": float(np.linalg.norm(outside, 2)),
        "orthogonal": float(abs(v.T @ v - np.eye(v.shape[1])).max()),
    }


def judge_csv(case, out):
    expected = np.load(case.data.with_suffix(".truth.npy"))
    values = np.load(Path(out) / "values.npy")
    if values.shape != expected.shape:
        return {"wrong": f"the table is {values.shape[0]} x {values.shape[1]}"}
    same = np.ascontiguousarray(values, dtype=np.float64).view(np.int64) == expected.view(np.int64)
    return {"inexact": int(same.size - same.sum()), "numbers": int(same.size)}


def safely(function, *arguments):
    """A result that can't be read is that contestant's failure, not everyone's."""
    try:
        return function(*arguments)
    except (OSError, ValueError, KeyError, struct.error) as error:
        return {"wrong": f"unreadable result: {error!r}"[:200]}


def main():
    case = cases.find(sys.argv[2], sys.argv[1])
    if case.kind == "csv":
        print(json.dumps([safely(judge_csv, case, out) for out in sys.argv[3:]]))
        return
    if case.kind == "pagerank":
        import ranking

        print(json.dumps(ranking.judge(case, sys.argv[3:], safely)))
        return
    if case.kind == "als":  # what it finds is judged by the tests
        print(json.dumps([{} for _ in sys.argv[3:]]))
        return
    if case.kind in cases.PROJECTIONS:
        import embedding_check
        import projections

        print(json.dumps([safely(lambda: projections.judge(case, embedding_check.coordinates(out, safetensors), out)) for out in sys.argv[3:]]))
        return
    if case.kind == cases.MISSING:
        import missing

        print(json.dumps([safely(missing.judge, case, Path(out), safetensors) for out in sys.argv[3:]]))
        return
    if case.kind in cases.EMBEDDINGS:
        import embedding_check

        print(json.dumps(embedding_check.judge(case, sys.argv[3:], safely, safetensors)))
        return
    data = (Sparse if case.sparse else Dense)(case.data, case.kind == "pca")
    reference = truth(case, data)
    v, values = reference
    own = np.linalg.norm(data.apply(v) - v * values, axis=0).max() / values[0]
    print(json.dumps([safely(judge, data, reference, out, case.kind) | {"reference": own} for out in sys.argv[3:]]))


if __name__ == "__main__":
    main()
