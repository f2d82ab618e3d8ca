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
from ._compress import CompressedImage, JpegPeer, compress, decompress, draw_ranks
from ._data import Batches
from ._denoise import Denoised, DenoisedImage, denoise, denoise_image
from ._documents import (
    Document,
    Documents,
    compare_paired,
    file_lock,
    judge_rankings,
    read_documents,
    read_judgments,
)
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
from ._faces import CompressionRow, Faces, FaceTrial, Recognition
from ._factors import NMF, MatrixCompletion
from ._functions import choose_k, continuity, plan, procrustes, trustworthiness
from ._gaussian import PPCA, FactorAnalysis
from ._images import (
    Images,
    draw_images,
    psnr,
    read_image,
    read_images,
    resize_image,
    ssim,
    write_image,
)
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
from ._quality import Measure, QualityReport, quality
from ._ranking import LinkGraph, hits, pagerank
from ._reports import Picture
from ._results import (
    Certificate,
    Check,
    GraphSummary,
    Hit,
    Hits,
    KAdvice,
    PageRank,
    Plan,
    Procrustes,
    Recommendation,
    Topic,
    Verification,
)
from ._table import Table
from ._tables import generate, read, read_rated_pairs, read_ratings, sample_rate, tables, write
from ._text import LSI
from ._trials import (
    Evaluation,
    Factor,
    PairedComparison,
    PredictorMeasures,
    QueryWords,
    RankedSystem,
    RatingTrial,
    RetrievalMeasures,
    Revision,
)

__version__: str = _core.version

#: The class of each method, as its card names it.
_CLASSES: dict[str, type[Estimator]] = {name: globals()[card["python_class"]] for name, card in CARDS.items()}


def load(path: str | os.PathLike[str]) -> Any:
    """Reads a model file, of Python's or of the command line's: a fitted estimator of its method's class."""
    model = _core.Model.load(os.fspath(path))
    cls = _CLASSES.get(model.method)
    if cls is None:
        raise UnsupportedError(f"{os.fspath(path)}: holds a model of {model.method}, which has no class here")
    if _core.image_index(model) is not None:
        cls = Faces
    if model.method == "random-projection" and model.options.get("kind") == "sparse":
        cls = SparseRandomProjection
    return cls._of_model(model)


def methods() -> list[dict[str, Any]]:
    """The engine's methods: name, title, citation and task of each, what it takes and gives, and its options."""
    return list(_core.methods())


def formats() -> list[dict[str, Any]]:
    """The file formats of the engine: what the files of each hold, its name and endings, what it reads and writes."""
    return list(_core.formats())


__all__ = [
    "Batches", "Cancelled", "Certificate", "Check", "ClassicalMDS", "CompressedImage", "CompressionRow", "ConvergenceError",
    "DataError", "Denoised", "DenoisedImage", "DiffusionMaps", "Document", "Documents", "EngineError", "Estimator",
    "Evaluation", "FaceTrial", "Faces", "Factor", "FactorAnalysis", "FastICA", "FewdimWarning", "FileError",
    "GaussianRandomProjection", "GraphSummary", "Hit", "Hits", "Images", "Isomap", "JpegPeer", "KAdvice",
    "KernelPCA", "LSI", "LaplacianEigenmaps", "LinkGraph", "LocallyLinearEmbedding", "MDS", "MatrixCompletion",
    "MaximumVarianceUnfolding", "Measure", "MemoryLimitError", "NMF", "OptionError", "PCA", "PPCA", "PageRank",
    "PairedComparison", "Picture", "Plan", "PredictorMeasures", "Procrustes", "QualityReport", "QueryWords", "RankedSystem",
    "RatingTrial", "Recognition", "Recommendation", "RetrievalMeasures", "Revision", "SparseRandomProjection",
    "SpectralEmbedding", "Table", "Topic", "TruncatedSVD", "UnsupportedError", "Verification", "choose_k",
    "compare_paired", "compress", "continuity", "decompress", "denoise", "denoise_image", "draw_images", "draw_ranks",
    "file_lock", "formats", "generate", "hits", "judge_rankings", "load", "methods", "pagerank", "plan", "procrustes",
    "psnr", "quality", "read", "read_documents", "read_image", "read_images", "read_judgments", "read_rated_pairs",
    "read_ratings", "resize_image", "sample_rate", "ssim", "tables", "trustworthiness", "write", "write_image",
]
