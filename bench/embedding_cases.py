"""The data of the cases that compare objects: `make(case)` writes the file of a case, and the truth beside it."""
import numpy as np

SEED = 20240301


def swiss_roll(case, rng):
    """A sheet of 94 x 21, rolled up; the truth is the place on the sheet: arc length and height."""
    rows = case.shape[0]
    t = 1.5 * np.pi * (1 + 2 * rng.random(rows))
    height = 21 * rng.random(rows)
    arc = (t * np.sqrt(1 + t * t) + np.arcsinh(t)) / 2
    np.save(case.data.with_suffix(".truth.npy"), np.column_stack([arc, height]))
    return np.column_stack([t * np.cos(t), height, t * np.sin(t)])


def clusters(case, rng, seed=0):
    """Twenty Gaussian clusters of different spread, as cells or documents have them after a first PCA."""
    rows, cols = case.shape[:2]
    centers = 2 * rng.standard_normal((20, cols))
    spread = rng.uniform(0.5, 1.5, 20)
    draw = np.random.default_rng(SEED + 1 + seed)
    which = draw.integers(0, 20, rows)
    return centers[which] + spread[which, None] * draw.standard_normal((rows, cols))


def distances(case, rng):
    """Euclidean distances of points in 10 dimensions, variances 1, 1/2, 1/3 ..., with 1 % of noise: not quite Euclidean."""
    rows = case.shape[0]
    x = rng.standard_normal((rows, 10)) / np.sqrt(np.arange(1, 11))
    squares = (x * x).sum(axis=1)
    d = np.sqrt(np.maximum(squares[:, None] + squares[None] - 2 * x @ x.T, 0))
    noise = rng.standard_normal((rows, rows))
    d *= 1 + 0.01 * (noise + noise.T) / np.sqrt(2)
    np.fill_diagonal(d, 0)
    return np.abs(d)


def gamma(data):
    """One width for everyone: half a cluster's squared diameter, from the number of columns alone."""
    return 0.25 / data.shape[1]


def make(case):
    rng = np.random.default_rng(SEED)
    makers = {"isomap": swiss_roll, "mds": distances, "neighbors": clusters, "kernel-pca": clusters,
              "kernel-transform": lambda c, r: clusters(c, r, seed=1)}
    x = makers.get(case.kind, swiss_roll)(case, rng).astype(np.float32 if case.single else np.float64)
    part = case.data.with_suffix(".part.npy")
    np.save(part, x)
    part.rename(case.data)
