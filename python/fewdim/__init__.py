"""fewdim: many dimensions in, few out.

Estimators with scikit-learn's conventions over a C++ engine, which says how far its results can be trusted:

>>> import numpy as np
>>> import fewdim
>>> X = np.random.default_rng(0).normal(size=(100, 5))
>>> pca = fewdim.PCA(n_components=2).fit(X)
>>> pca.transform(X).shape, pca.certificate_.converged
((100, 2), True)
"""

from __future__ import annotations

import os
from typing import Any

try:
    import numpy  # noqa: F401
except ImportError as error:
    raise ImportError("fewdim needs NumPy, which this Python has not: pip install numpy") from error

from . import _core
from ._base import CARDS, Estimator
from ._data import Batches
from ._errors import (
    Cancelled,
    ConvergenceError,
    DataError,
    EngineError,
    FewdimWarning,
    FileError,
    MemoryLimitError,
    OptionError,
    UnsupportedError,
)
from ._factors import NMF, MatrixCompletion
from ._functions import choose_k, continuity, hits, pagerank, procrustes, trustworthiness
from ._gaussian import PPCA, FactorAnalysis
from ._kernel import MDS, ClassicalMDS, KernelPCA
from ._linear import PCA, FastICA, TruncatedSVD
from ._manifold import (
    DiffusionMaps,
    Isomap,
    LaplacianEigenmaps,
    LocallyLinearEmbedding,
    MaximumVarianceUnfolding,
    SpectralEmbedding,
)
from ._projection import GaussianRandomProjection, SparseRandomProjection
from ._reports import Picture
from ._results import Certificate, Check, Hit, Hits, KAdvice, PageRank, Plan, Procrustes, Recommendation, Topic, Verification
from ._text import LSI

__version__: str = _core.version

#: The class of each method, as its card names it.
_CLASSES: dict[str, type[Estimator]] = {name: globals()[card["python_class"]] for name, card in CARDS.items()}


def load(path: str | os.PathLike[str]) -> Any:
    """Reads a model file, of Python's or of the command line's: a fitted estimator of its method's class."""
    model = _core.Model.load(os.fspath(path))
    cls = _CLASSES.get(model.method)
    if cls is None:
        raise UnsupportedError(f"{os.fspath(path)}: holds a model of {model.method}, which has no class here")
    if model.method == "random-projection" and model.options.get("kind") == "sparse":
        cls = SparseRandomProjection
    return cls._of_model(model)


def methods() -> list[dict[str, Any]]:
    """The engine's methods: name, title, citation and task of each, what it takes and gives, and its options."""
    return list(_core.methods())


__all__ = [
    "Batches", "Cancelled", "Certificate", "Check", "ClassicalMDS", "ConvergenceError", "DataError", "DiffusionMaps",
    "EngineError", "Estimator", "FactorAnalysis", "FastICA", "FewdimWarning", "FileError", "GaussianRandomProjection",
    "Hit", "Hits", "Isomap", "KAdvice", "KernelPCA", "LSI", "LaplacianEigenmaps", "LocallyLinearEmbedding", "MDS",
    "MatrixCompletion", "MaximumVarianceUnfolding", "MemoryLimitError", "NMF", "OptionError", "PCA", "PPCA", "PageRank", "Picture", "Plan", "Procrustes",
    "Recommendation", "SparseRandomProjection", "SpectralEmbedding", "Topic", "TruncatedSVD", "UnsupportedError", "Verification", "choose_k", "continuity", "hits",
    "load", "methods", "pagerank", "procrustes", "trustworthiness",
]
