"""Probabilistic PCA by EM of rows with missing values: data, the peer, and the judge.

filled  root mean squared error of the filled values of 500 rows, by the fitted parameters, against those taken out
"""
import numpy as np

SEED = 20240318
NOISE, SHARE = 0.8, 0.2  # of the entries, a fifth is missing


def make(case):
    rows, cols, k = case.shape
    rng = np.random.default_rng(SEED)
    x = rng.standard_normal((rows, k)) @ (rng.standard_normal((cols, k)) * np.linspace(3, 1, k)).T
    x += NOISE * rng.standard_normal((rows, cols))
    np.save(case.data.with_suffix(".truth.npy"), x)
    x[rng.random(x.shape) < SHARE] = np.nan
    part = case.data.with_suffix(".part.npy")
    np.save(part, x)
    part.rename(case.data)


def numpy_em(setting, threads):
    """What one writes by hand: all rows at once, the k by k matrices of a row by one product with the mask. The setting is the number of steps."""
    steps = int(setting)

    def fit(x, k):
        there = ~np.isnan(x)
        mask = there.astype(float)
        mean = np.nanmean(x, axis=0)
        y = np.where(there, x - mean, 0.0)
        n, d = x.shape
        values, vectors = np.linalg.eigh(y.T @ y / n)
        w, noise = vectors[:, -k:] * np.sqrt(values[-k:]), values[:-k].mean()
        observed = mask.sum()
        for _ in range(steps):
            inner = (mask @ (w[:, :, None] * w[:, None, :]).reshape(d, k * k)).reshape(n, k, k) + noise * np.eye(k)
            inverse = np.linalg.inv(inner)
            z = np.einsum("nij,nj->ni", inverse, y @ w)
            second = noise * inverse + z[:, :, None] * z[:, None, :]
            mean = np.where(there, x - z @ w.T, 0.0).sum(axis=0) / mask.sum(axis=0)
            y = np.where(there, x - mean, 0.0)
            left = (mask.T @ second.reshape(n, k * k)).reshape(d, k, k)
            w = np.linalg.solve(left, (y.T @ z)[:, :, None])[:, :, 0]
            quadratic = np.einsum("dij,di,dj->", left, w, w)
            noise = ((y * y).sum() - 2 * (y * (z @ w.T)).sum() + quadratic) / observed
        return w.T, np.append(mean, noise)

    fit.facts = {"steps": steps}
    return fit


PEERS = {"numpy-em": numpy_em}


def parameters(out, safetensors):
    """Loadings (columns by k), mean, noise."""
    if (out / "components.npy").exists():
        tail = np.load(out / "variance.npy")
        return np.load(out / "components.npy").T, tail[:-1], tail[-1]
    model = safetensors(out / "model.fewdim")
    return model["loadings"].T, model["mean"], model["noise"].mean()


def judge(case, out, safetensors):
    w, mean, noise = parameters(out, safetensors)
    x, truth = np.load(case.data, mmap_mode="r"), np.load(case.data.with_suffix(".truth.npy"), mmap_mode="r")
    squares = count = 0
    for i in np.linspace(0, len(x) - 1, 500).astype(int):
        there = ~np.isnan(x[i])
        inner = w[there].T @ w[there] + noise * np.eye(w.shape[1])
        filled = mean + w @ np.linalg.solve(inner, w[there].T @ (x[i] - mean)[there])
        squares += ((filled - truth[i])[~there] ** 2).sum()
        count += (~there).sum()
    return {"filled": float(np.sqrt(squares / count))}
