"""Independent components, random projections and non-negative factors: data, peers, and the judge.

ica         index     minimum-distance index of the sources against the true ones (Ilmonen et al. 2010), 0 to 1
projection  most      largest | |y_i - y_j|^2 / |x_i - x_j|^2 - 1 | over 1,000 pairs of rows
nmf         loss      |X - W H'|^2 / |X|^2
"""
import sys
from pathlib import Path

import numpy as np

SEED = 20240317


def make_sources(case):
    """Laplacian, uniform and cubed normal sources in turn, mixed by a matrix of normals; float64."""
    rows, cols, k = case.shape
    rng = np.random.default_rng(SEED)
    s = np.empty((rows, k))
    for c in range(k):
        s[:, c] = (rng.laplace(size=rows), rng.random(rows), rng.standard_normal(rows) ** 3)[c % 3]
    s = (s - s.mean(axis=0)) / s.std(axis=0)
    np.save(case.data.with_suffix(".truth.npy"), s)
    return s @ rng.standard_normal((k, cols))


def make_rows(case):
    """Twenty clusters: distances of many sizes."""
    rows, cols, _ = case.shape
    rng = np.random.default_rng(SEED + 1)
    centers = 2 * rng.standard_normal((20, cols))
    out = np.lib.format.open_memmap(case.data.with_suffix(".part"), "w+", np.float64, (rows, cols))
    for start in range(0, rows, 500):
        stop = min(rows, start + 500)
        out[start:stop] = centers[rng.integers(0, 20, stop - start)] + rng.standard_normal((stop - start, cols))
    out.flush()


def make_counts(case):
    """Documents of about 100 words, each from a few of k topics; half of a topic's weight lies on few words."""
    import scipy.sparse

    rows, cols, k = case.shape
    rng = np.random.default_rng(SEED + 3)
    topics, mixtures = rng.dirichlet(np.full(cols, 0.05), k), rng.dirichlet(np.full(k, 0.2), rows)
    columns, values, offsets = [], [], [0]
    for shares in mixtures:
        words = np.concatenate([rng.choice(cols, n, p=topics[t]) for t, n in enumerate(rng.multinomial(rng.poisson(100) + 1, shares))])
        found, counts = np.unique(words, return_counts=True)
        columns.append(found), values.append(counts.astype(np.float64)), offsets.append(offsets[-1] + len(found))
    return scipy.sparse.csr_matrix((np.concatenate(values), np.concatenate(columns), offsets), shape=(rows, cols))


def make(case):
    if case.kind == "nmf":
        import scipy.sparse

        scipy.sparse.save_npz(case.data.with_suffix(".part.npz"), make_counts(case), compressed=False)
        case.data.with_suffix(".part.npz").rename(case.data)
        return
    if case.kind == "ica":
        np.save(case.data.with_suffix(".part.npy"), make_sources(case))
        case.data.with_suffix(".part.npy").rename(case.data)
        return
    make_rows(case)
    case.data.with_suffix(".part").rename(case.data)


def sklearn_fastica(setting, threads):
    """The setting is the tolerance."""
    from sklearn.decomposition import FastICA

    return lambda x, k: FastICA(k, whiten="unit-variance", tol=float(setting), max_iter=1000, random_state=0).fit_transform(x)


def sklearn_nmf(setting, threads):
    """The setting is the tolerance; 1e-4 is its default. Both factors, one below the other."""
    from sklearn.decomposition import NMF

    def fit(x, k):
        model = NMF(k, init="nndsvd", solver="cd", tol=float(setting), max_iter=1000, random_state=0)
        return np.vstack([model.fit_transform(x), model.components_.T])

    return fit


def sklearn_projection(setting, threads):
    from sklearn.random_projection import GaussianRandomProjection, SparseRandomProjection

    kind = GaussianRandomProjection if setting == "gaussian" else SparseRandomProjection
    return lambda x, k: kind(k, random_state=0).fit_transform(x)


def numpy_gemm(setting, threads):
    """The bare product with a matrix that is there already."""
    made = []

    def fit(x, k):
        return x @ made[0]

    def prepare(x):
        k = int(sys.argv[3])
        made.append(np.random.default_rng(0).standard_normal((x.shape[1], k)) / np.sqrt(k))
        np.ones((2000, 2000)) @ np.ones((2000, 2000))  # its threads are awake

    fit.prepare = prepare
    return fit


PEERS = {"sklearn-fastica": sklearn_fastica, "sklearn-nmf": sklearn_nmf, "sklearn-projection": sklearn_projection, "numpy-gemm": numpy_gemm}


def minimum_distance(gain):
    from scipy.optimize import linear_sum_assignment

    share = gain**2 / (gain**2).sum(axis=1, keepdims=True)
    rows, cols = linear_sum_assignment(-share)
    return float(np.sqrt(max(0.0, len(gain) - share[rows, cols].sum()) / (len(gain) - 1)))


def loss(case, w, h):
    import scipy.sparse

    x = scipy.sparse.load_npz(case.data)
    total = float((x.data**2).sum())
    return float(total - 2 * ((x @ h) * w).sum() + ((w.T @ w) * (h.T @ h)).sum()) / total


def judge(case, y, out):
    if case.kind == "nmf":
        right = Path(out) / "right.npy"
        w, h = (y, np.load(right)) if right.exists() else (y[: case.shape[0]], y[case.shape[0] :])
        return {"loss": loss(case, w, h)}
    if case.kind == "ica":
        truth = np.load(case.data.with_suffix(".truth.npy"))
        gain = np.linalg.lstsq(truth, y - y.mean(axis=0), rcond=None)[0].T
        return {"index": minimum_distance(gain)}
    x = np.load(case.data, mmap_mode="r")
    rng = np.random.default_rng(SEED + 2)
    pairs = [(a, b) for a, b in rng.integers(0, len(x), (1000, 2)) if a != b]
    ratios = [((y[a] - y[b]) ** 2).sum() / ((x[a] - x[b]) ** 2).sum() - 1 for a, b in pairs]
    return {"most": float(np.abs(ratios).max())}
