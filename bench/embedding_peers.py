"""Peers of the methods that compare objects. Each entry prepares (not timed) and returns data, k -> coordinates."""
import numpy as np

import embedding_cases
import neighbor_maps


def sklearn_isomap(setting, threads):
    from sklearn.manifold import Isomap

    def fit(x, k):
        return Isomap(n_neighbors=10, n_components=k, n_jobs=threads, eigen_solver=setting or "auto").fit_transform(x)

    return fit


def sklearn_kernel(setting, threads):
    from sklearn.decomposition import KernelPCA

    def fit(x, k):
        model = KernelPCA(k, kernel="rbf", gamma=embedding_cases.gamma(x), eigen_solver=setting, random_state=0, n_jobs=threads)
        return model.fit_transform(x)

    return fit


def sklearn_kernel_transform(setting, threads, train):
    from sklearn.decomposition import KernelPCA

    x = np.load(train)
    model = KernelPCA(20, kernel="rbf", gamma=embedding_cases.gamma(x), eigen_solver=setting, random_state=0, n_jobs=threads).fit(x)
    return lambda fresh, k: model.transform(fresh)


def numpy_mds(setting, threads):
    """What an expert writes by hand: double centering in place, then ARPACK."""
    from scipy.sparse.linalg import eigsh

    def fit(d, k):
        b = d * d
        mean = b.mean(axis=0)
        b -= mean
        b -= mean[:, None]
        b += mean.mean()
        b *= -0.5
        values, vectors = eigsh(b, k, which="LA", tol=0, rng=0)
        return (vectors * np.sqrt(values))[:, ::-1]

    return fit


def sklearn_neighbors(setting, threads):
    from sklearn.neighbors import NearestNeighbors

    return lambda x, k: NearestNeighbors(n_neighbors=k, algorithm="brute", n_jobs=threads).fit(x).kneighbors()[0]


def faiss_neighbors(setting, threads):
    import faiss

    faiss.omp_set_num_threads(threads)

    def fit(x, k):
        index = faiss.IndexFlatL2(x.shape[1])
        index.add(x)
        return index.search(x, k + 1)[0]

    return fit


def sgemm(setting, threads):
    """The products of all pairs and nothing else: the limit that the goal is a share of."""

    def fit(x, k):
        out = np.empty((1000, len(x)), dtype=x.dtype)
        for start in range(0, len(x), 1000):
            np.matmul(x[start:start + 1000], x.T, out=out[:len(x[start:start + 1000])])
        return out[:1, :1]

    return fit


PEERS = {"sklearn-isomap": sklearn_isomap, "sklearn-kernel": sklearn_kernel, "numpy-mds": numpy_mds,
         "sklearn-neighbors": sklearn_neighbors, "faiss-neighbors": faiss_neighbors, "sgemm": sgemm, **neighbor_maps.PEERS}
