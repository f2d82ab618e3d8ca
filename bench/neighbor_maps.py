"""Maps from neighborhoods: LLE and its relatives, Laplacian eigenmaps, maximum variance unfolding. Peers and errors.

residual   max |M v - l v| / |M|_1 over the coordinates v, of unit length and without mean, l = v'Mv; M is built here, by
           NumPy, from the neighbors alone: for Laplacian eigenmaps I - D^-1/2 A D^-1/2 and v = D^1/2 y
affine     what the best affine map of the coordinates leaves of the true sheet, as a share
"""
import json
from pathlib import Path

import numpy as np

NEIGHBORS = 12
METHODS = {"lle": "standard", "modified-lle": "modified", "ltsa": "ltsa", "hessian-lle": "hessian"}


def sklearn_lle(setting, threads):
    from sklearn.manifold import LocallyLinearEmbedding

    def fit(x, k):
        return LocallyLinearEmbedding(n_neighbors=NEIGHBORS, n_components=k, method=setting, eigen_solver="arpack", n_jobs=threads,
                                      random_state=0).fit_transform(x)

    return fit


def sklearn_laplacian(setting, threads):
    """own: as SpectralEmbedding makes its graph, links weigh 1/2 or 1; same: the graph that fewdim has, links weigh 1."""
    from sklearn.manifold import SpectralEmbedding
    from sklearn.neighbors import kneighbors_graph

    def own(x, k):
        return SpectralEmbedding(n_components=k, n_neighbors=NEIGHBORS, affinity="nearest_neighbors", random_state=0,
                                 n_jobs=threads).fit_transform(x)

    def same(x, k):
        return SpectralEmbedding(n_components=k, affinity="precomputed", random_state=0).fit_transform(union(x, threads))

    def union(x, threads):
        a = kneighbors_graph(x, NEIGHBORS, n_jobs=threads)
        return a.maximum(a.T)

    return own if setting == "own" else same


PEERS = {"sklearn-lle": sklearn_lle, "sklearn-laplacian": sklearn_laplacian}


def neighbors_of(x):
    from sklearn.neighbors import NearestNeighbors

    return NearestNeighbors(n_neighbors=NEIGHBORS).fit(x).kneighbors(return_distance=False)


def pieces(kind, x, near, k):
    """The matrix of each object: N x m x m, of its neighbors, or of itself and its neighbors."""
    n, m = near.shape
    if kind in ("lle", "modified-lle"):
        z = x[near] - x[:, None]
        gram = z @ z.transpose(0, 2, 1)
        trace = np.trace(gram, axis1=1, axis2=2)
        w = np.linalg.solve(gram + 1e-3 * trace[:, None, None] * np.eye(m), np.ones((n, m, 1)))[:, :, 0]
        w /= w.sum(axis=1, keepdims=True)
        if kind == "lle":
            a = np.concatenate([-np.ones((n, 1)), w], axis=1)
            return a[:, :, None] * a[:, None]
        return modified(gram, w, k, min(m, x.shape[1]))
    z = x[near] - x[near].mean(axis=1, keepdims=True)
    u = np.linalg.svd(z, full_matrices=False)[0][:, :, :k]
    if kind == "ltsa":
        return np.eye(m) - 1 / m - u @ u.transpose(0, 2, 1)
    pairs = [u[:, :, i] * u[:, :, j] for i in range(k) for j in range(i, k)]
    q = np.linalg.qr(np.concatenate([np.ones((n, m, 1)), u, np.stack(pairs, axis=2)], axis=2))[0][:, :, 1 + k:]
    return q @ q.transpose(0, 2, 1)


def modified(gram, w, k, rank):
    """Zhang & Wang 2006, with the eigenvectors themselves."""
    values, vectors = np.linalg.eigh(gram)
    values, vectors = values[:, ::-1][:, :rank], vectors[:, :, ::-1]
    sums = values.cumsum(axis=1)
    share = sums[:, -1:] / sums - 1  # beyond 1, 2, ... directions
    eta = np.median(share[:, k - 1])
    n, m = w.shape
    out = np.empty((n, m + 1, m + 1))
    for i in range(n):
        kept = next((r for r in range(1, rank) if share[i, r - 1] < eta), rank)
        v = vectors[i, :, kept:]
        s = v.shape[1]
        ones = v.sum(axis=0)
        alpha = np.linalg.norm(ones) / np.sqrt(s)
        h = alpha - ones
        h = h / np.linalg.norm(h) if np.linalg.norm(h) > 1e-12 else 0 * h
        weights = np.concatenate([-np.ones((1, s)), v - 2 * np.outer(v @ h, h) + (1 - alpha) * w[i][:, None]])
        out[i] = weights @ weights.T
    return out


def matrix(kind, x, k):
    import scipy.sparse as sp

    near = neighbors_of(x)
    n = len(x)
    small = pieces(kind, x, near, k)
    if small.shape[1] > near.shape[1]:
        near = np.concatenate([np.arange(n)[:, None], near], axis=1)
    m = near.shape[1]
    rows, columns = np.repeat(near, m, axis=1).ravel(), np.tile(near, (1, m)).ravel()
    return sp.coo_matrix((small.ravel(), (rows, columns)), shape=(n, n)).tocsr(), np.ones(n)


def laplacian(x, own):
    import scipy.sparse as sp

    near = neighbors_of(x)
    n, m = near.shape
    a = sp.csr_matrix((np.ones(n * m), near.ravel(), np.arange(0, n * m + 1, m)), shape=(n, n))
    a = 0.5 * (a + a.T) if own else a.maximum(a.T)
    root = np.sqrt(np.asarray(a.sum(axis=1)).ravel())
    return sp.identity(n) - sp.diags(1 / root) @ a @ sp.diags(1 / root), root


def residual(m, root, y):
    null = root / np.linalg.norm(root)
    v = y * root[:, None]
    v = v - np.outer(null, null @ v)
    v = v / np.linalg.norm(v, axis=0)
    images = m @ v
    return float(np.linalg.norm(images - v * (v * images).sum(axis=0), axis=0).max() / abs(m).sum(axis=0).max())


def affine(truth, y):
    a, b = np.column_stack([y, np.ones(len(y))]), truth - truth.mean(axis=0)
    return float(np.linalg.norm(b - a @ np.linalg.lstsq(a, b, rcond=None)[0]) / np.linalg.norm(b))


def judge(case, outs, safely, coordinates):
    x, truth = np.load(case.data), np.load(case.data.with_suffix(".truth.npy"))
    found = {}

    def errors(out):
        y = coordinates(out)
        result = {"affine": affine(truth, y)}
        if case.kind == "mvu":
            measures = json.loads((Path(out) / "stdout").read_text())["diagnostics"]
            return result | {"violation": measures["constraint_violation"], "gap": measures.get("certified_gap")}
        own = case.kind == "laplacian" and Path(out).name.endswith("own")
        if own not in found:
            found[own] = laplacian(x, own) if case.kind == "laplacian" else matrix(case.kind, x, case.k)
        return {"residual": residual(*found[own], y)} | result

    return [safely(errors, out) for out in outs]
