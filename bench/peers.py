"""The peers in Python. `python peers.py NAME[:SETTING] DATA K THREADS OUT` runs one of them once.

Each entry of PEERS imports its library (not timed) and returns the function that is timed: data -> result. A result of
kind pca or svd is (components as rows, variances); of kind csv a table. Written to OUT: components.npy and variance.npy,
or values.npy, and timing.json. A dict (of kind words or query) goes into timing.json.
"""
import json
import sys
import time
from pathlib import Path

import numpy as np

import embedding_peers
import missing
import text_peers
import projections
import ranking
import ratings


def sklearn_pca(PCA, solver, setting=None):
    options = {"svd_solver": solver}
    if solver == "randomized":
        options |= {"iterated_power": int(setting), "random_state": 0}
    if solver == "arpack":
        options |= {"tol": float(setting), "random_state": 0}

    def fit(x, k):
        model = PCA(k, **options).fit(x)
        return model.components_, model.explained_variance_

    return fit


def sklearn(solver):
    def prepare(setting, threads):
        from sklearn.decomposition import PCA

        return sklearn_pca(PCA, solver, setting)

    return prepare


def sklearnex(solver):
    def prepare(setting, threads):
        import daal4py
        from sklearnex.decomposition import PCA

        daal4py.daalinit(threads)
        return sklearn_pca(PCA, solver)

    return prepare


def scipy_eigh(setting, threads):
    """What an expert writes by hand: the smaller product, then LAPACK's syevr for the top k."""
    import scipy.linalg

    def fit(x, k):
        centered = x - x.mean(axis=0)
        d = x.shape[1]
        values, vectors = scipy.linalg.eigh(centered.T @ centered / (len(x) - 1), subset_by_index=(d - k, d - 1),
                                            overwrite_a=True, check_finite=False)
        return vectors.T[::-1], values[::-1]

    return fit


def incremental(setting, threads):
    from sklearn.decomposition import IncrementalPCA

    def fit(x, k):
        model, batch = IncrementalPCA(k), int(setting)
        for start in range(0, len(x), batch):
            model.partial_fit(np.array(x[start:start + batch]), check_input=False)  # it centers in place
        return model.components_, model.explained_variance_

    return fit


def faiss(setting, threads):
    import faiss as library

    library.omp_set_num_threads(threads)

    def fit(x, k):
        rows, cols = x.shape
        model = library.PCAMatrix(cols, k)
        model.train(x)
        components = library.vector_to_array(model.PCAMat).reshape(-1, cols)[:k]
        # Its eigenvalues are those of X'X, not divided.
        return components, library.vector_to_array(model.eigenvalues)[:k] / (rows - 1)

    return fit


def svds(solver):
    def prepare(setting, threads):
        from scipy.sparse.linalg import LinearOperator, svds as library

        def fit(x, k):
            rows = x.shape[0]
            mean = np.asarray(x.mean(axis=0)).ravel()
            xt = x.T
            centered = LinearOperator(
                x.shape, dtype=x.dtype,
                matvec=lambda v: x @ v - mean @ v, rmatvec=lambda u: xt @ u - mean * u.sum(),
                matmat=lambda v: x @ v - mean @ v, rmatmat=lambda u: xt @ u - np.outer(mean, u.sum(axis=0)))
            _, s, vt = library(centered, k=k, solver=solver, tol=float(setting), return_singular_vectors="vh",
                               rng=0, maxiter=None if solver == "arpack" else 2000)
            order = np.argsort(-s)
            return vt[order], s[order] ** 2 / (rows - 1)

        return fit

    return prepare


def truncated(algorithm):
    def prepare(setting, threads):
        from sklearn.decomposition import TruncatedSVD

        options = {"tol": float(setting)} if algorithm == "arpack" else {"n_iter": int(setting)}

        def fit(x, k):
            model = TruncatedSVD(k, algorithm=algorithm, random_state=0, **options).fit(x)
            return model.components_, model.singular_values_ ** 2

        return fit

    return prepare


def gensim(setting, threads):
    from gensim.models import LsiModel

    def fit(x, k):
        # Documents are columns there; the transposed view is CSC, what it asks for.
        model = LsiModel(num_topics=k, id2word={i: i for i in range(x.shape[1])}, power_iters=int(setting),
                         extra_samples=100, random_seed=0, dtype=x.dtype)
        model.add_documents(x.T)
        return model.projection.u.T, model.projection.s ** 2

    return fit


def pandas(engine):
    def prepare(setting, threads):
        import pandas as library

        if engine == "pyarrow":
            import pyarrow
            import pyarrow.csv  # noqa: F401  (its import is not timed)

            pyarrow.set_cpu_count(threads)
            options = {"engine": "pyarrow"}
        else:
            options = {"engine": "c", "float_precision": None if engine == "c" else engine}
        return lambda path, k: library.read_csv(path, **options)

    return prepare


PEERS = {
    **{f"sklearn-{solver}": sklearn(solver) for solver in ("full", "covariance_eigh", "arpack", "randomized")},
    **{f"sklearnex-{solver}": sklearnex(solver) for solver in ("full", "covariance_eigh")},
    "scipy-eigh": scipy_eigh,
    "incremental": incremental,
    "faiss": faiss,
    **{f"svds-{solver}": svds(solver) for solver in ("arpack", "lobpcg", "propack")},
    **{f"truncated-{algorithm}": truncated(algorithm) for algorithm in ("arpack", "randomized")},
    "gensim": gensim,
    **{f"pandas-{engine}": pandas(engine) for engine in ("c", "round_trip", "pyarrow")},
    **embedding_peers.PEERS,
    **text_peers.PEERS,
    **ranking.PEERS,
    **projections.PEERS,
    **missing.PEERS,
    **ratings.PEERS,
}


def mark_loaded():
    """Resident memory now; the peak starts anew, so that what loading took at its worst is not the fit's."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        pass
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) * 1024


def load(path, mapped):
    if path.endswith(".npz"):
        import scipy.sparse

        return scipy.sparse.load_npz(path)
    if path.endswith(".csv"):
        return path
    if path.endswith(".txt"):
        return Path(path).read_text().splitlines()
    if path.endswith(".fewdim"):
        return text_peers.places(path)
    if path.endswith(".tsv"):
        return ranking.load(path)
    return np.load(path, mmap_mode="r" if mapped else None)


def main():
    contestant, path, k, threads, out, *train = sys.argv[1:]
    name, _, setting = contestant.partition(":")
    if train:
        solve = embedding_peers.sklearn_kernel_transform(setting or None, int(threads), *train)
    else:
        solve = PEERS[name](setting or None, int(threads))
    data = load(path, mapped=name == "incremental")
    if hasattr(solve, "prepare"):
        solve.prepare(data)
    rss = mark_loaded()
    start, cpu = time.perf_counter(), time.process_time()
    result = solve(data, int(k))
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    out = Path(out)
    timing = {"seconds": seconds, "cpu": cpu, "rss_loaded": rss} | getattr(solve, "facts", {})
    if isinstance(result, dict):
        timing |= result
    elif isinstance(result, tuple):
        np.save(out / "components.npy", np.asarray(result[0]))
        np.save(out / "variance.npy", np.asarray(result[1]))
    elif isinstance(result, np.ndarray):
        np.save(out / "embedding.npy", result)
    else:
        np.save(out / "values.npy", result.to_numpy())
    (out / "timing.json").write_text(json.dumps(timing))


if __name__ == "__main__":
    main()
