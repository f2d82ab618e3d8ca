"""Errors of coordinates Y, N x k, whoever made them.

isomap             procrustes  sqrt of what is left of the true sheet after the best shift, turn and scale; both of unit size
kernel-pca, mds    residual    max |B u - l u| / l1 with l = |y|^2 and u = y/|y| of each column y: B the centered kernel, or
                               -1/2 J D^2 J, by tiles in float64
kernel-transform   difference  from the exact places (eigenvectors by ARPACK at machine precision), relative
"""
from pathlib import Path

import numpy as np

import cases
import embedding_cases
import neighbor_maps


def coordinates(out, safetensors):
    out = Path(out)
    for name in ("embedding.npy", "values.npy"):
        if (out / name).exists():
            return np.load(out / name).astype(np.float64)
    return safetensors(out / "model.fewdim")["embedding"].astype(np.float64)


def procrustes(truth, y):
    a, b = (m - m.mean(axis=0) for m in (truth, y))
    a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
    scale = np.linalg.svd(a.T @ b, compute_uv=False).sum()
    return {"procrustes": float(np.sqrt(max(0.0, 1 - scale**2)))}


class Kernel:
    """The centered Gaussian kernel of the rows of x."""

    def __init__(self, x):
        self.x, self.gamma = x.astype(np.float64), embedding_cases.gamma(x)
        self.means = self.plain(np.full((len(x), 1), 1 / len(x)))[:, 0]
        self.mean = self.means.mean()

    def block(self, rows):
        squares = (self.x * self.x).sum(axis=1)
        return np.exp(-self.gamma * np.maximum((rows * rows).sum(axis=1)[:, None] + squares - 2 * rows @ self.x.T, 0))

    def plain(self, v):
        return np.concatenate([self.block(self.x[i:i + 1000]) @ v for i in range(0, len(self.x), 1000)])

    def apply(self, v):
        product = self.plain(v - v.mean(axis=0))
        return product - product.mean(axis=0)

    def place(self, fresh, vectors, values):
        """k~(x) . u / sqrt(l) for new rows."""
        parts = []
        for i in range(0, len(fresh), 1000):
            k = self.block(fresh[i:i + 1000])
            parts.append((k - k.mean(axis=1, keepdims=True) - self.means + self.mean) @ vectors / np.sqrt(values))
        return np.concatenate(parts)


class Distances:
    def __init__(self, d):
        self.d = d.astype(np.float64)

    def apply(self, v):
        v = v - v.mean(axis=0)
        product = np.concatenate([-0.5 * (self.d[i:i + 1000] ** 2 @ v) for i in range(0, len(v), 1000)])
        return product - product.mean(axis=0)


def residual(operator, y):
    values = (y * y).sum(axis=0)
    u = y / np.sqrt(values)
    return {"residual": float(np.linalg.norm(operator.apply(u) - u * values, axis=0).max() / values[0])}


def true_places(case):
    path = case.data.with_name(case.name + ".truth.npy")
    if not path.exists():
        from scipy.sparse.linalg import LinearOperator, eigsh

        kernel = Kernel(np.load(case.train))
        n = len(kernel.x)
        operator = LinearOperator((n, n), matvec=lambda v: kernel.apply(v.reshape(n, -1)).ravel(), dtype=np.float64)
        values, vectors = eigsh(operator, case.k, tol=0, rng=0)
        np.save(path, kernel.place(np.load(case.data), vectors[:, ::-1], values[::-1]))
    return np.load(path)


def difference(truth, y):
    y = y * np.sign((truth * y).sum(axis=0))
    return {"difference": float(abs(y - truth).max() / abs(truth).max())}


def judge(case, outs, safely, safetensors):
    if case.kind == "neighbors":
        return [{} for _ in outs]
    if case.kind in cases.NEIGHBOR_MAPS:
        return neighbor_maps.judge(case, outs, safely, lambda out: coordinates(out, safetensors))
    if case.kind == "isomap":
        truth = np.load(case.data.with_suffix(".truth.npy"))
        return [safely(lambda: procrustes(truth, coordinates(out, safetensors))) for out in outs]
    if case.kind == "kernel-transform":
        truth = true_places(case)
        return [safely(lambda: difference(truth, coordinates(out, safetensors))) for out in outs]
    data = np.load(case.data)
    operator = Kernel(data) if case.kind == "kernel-pca" else Distances(data)
    return [safely(lambda: residual(operator, coordinates(out, safetensors))) for out in outs]
