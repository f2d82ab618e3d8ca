"""A fit, what it says of itself, and what can be done with it. Run: python examples/python/tour.py"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

import fewdim


def main() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 3)) @ rng.normal(size=(3, 40)) * 3 + rng.normal(size=(2000, 40))

    advice = fewdim.choose_k(X)
    print("components, by Minka's criterion:", advice["minka"].k)

    pca = fewdim.PCA(n_components=advice["minka"].k).fit(X)
    certificate: fewdim.Certificate = pca.certificate_
    print("shares:", pca.explained_variance_ratio_.round(3))
    print("converged:", certificate.converged, "by the route", certificate.route)

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pca.fewdim"
        pca.save(path)  # the command line reads it: fewdim info pca.fewdim
        again = fewdim.load(path)
    print("the same bits from the file:", bool((again.transform(X) == pca.transform(X)).all()))

    Y = fewdim.Isomap(n_neighbors=10).fit_transform(X[:500])
    print("trustworthiness of Isomap:", round(fewdim.trustworthiness(X[:500], Y), 2))


if __name__ == "__main__":
    main()
