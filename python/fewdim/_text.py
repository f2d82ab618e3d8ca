"""Documents."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._base import CARDS, Estimator, plain
from ._display import described
from ._errors import OptionError
from ._results import Hit, Topic


@described(CARDS["lsi"])
class LSI(Estimator):
    """X is a list of strings. Words are counted and weighted by the engine, and search() asks what it has learned.

    Examples
    --------
    >>> from fewdim import LSI
    >>> texts = ["the cat sat on the mat", "a cat and a dog", "dogs chase cats", "stocks fell on the market",
    ...          "the market rose", "market and stocks"]
    >>> lsi = LSI(n_components=2, min_documents=1).fit(texts)
    >>> lsi.search("stocks", count=1)[0].document in (3, 5)
    True
    """

    _method = "lsi"
    _text = True
    _same = {"language": "language", "stop_words": "stop_words", "stems": "stems", "ngrams": "ngrams",
             "shortest": "shortest", "numbers": "numbers", "min_documents": "min_documents",
             "max_documents": "max_documents", "max_terms": "max_terms", "vocabulary": "vocabulary",
             "weighting": "weighting", "normalize": "normalize", "folding": "folding", "keep_texts": "keep_texts",
             "tol": "tolerance"}
    _arrays = {"components_": "components", "singular_values_": "singular_values",
               "explained_variance_ratio_": "explained_variance_ratio"}
    _docs = {"n_components": "concepts to keep: a number, a share, or 'auto': by the number of documents."}
    _learned = {"components_": "k x terms, the concepts.", "singular_values_": "their sizes.",
                "explained_variance_ratio_": "their shares of the sum of squares.", "terms_": "the words of the columns."}

    def __init__(self, n_components: Any = "auto", *, language: str = "auto", stop_words: str = "auto",
                 stems: bool = True, ngrams: int = 1, shortest: int = 2, numbers: bool = True, min_documents: float = 2,
                 max_documents: float = 1.0, max_terms: int = 0, vocabulary: str = "", weighting: str = "log-entropy",
                 normalize: bool = True, folding: str = "projection", keep_texts: bool = True, tol: float = 0.0,
                 random_state: Any = None, n_jobs: int | None = None, memory_limit: int | None = None) -> None:
        self.n_components = n_components
        self.language = language
        self.stop_words = stop_words
        self.stems = stems
        self.ngrams = ngrams
        self.shortest = shortest
        self.numbers = numbers
        self.min_documents = min_documents
        self.max_documents = max_documents
        self.max_terms = max_terms
        self.vocabulary = vocabulary
        self.weighting = weighting
        self.normalize = normalize
        self.folding = folding
        self.keep_texts = keep_texts
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory_limit = memory_limit

    def _keep(self, model: Any, data: Any = None) -> None:
        super()._keep(model, data)
        self.terms_ = np.asarray(_core.terms(model), dtype=object)

    def search(self, text: str, count: int = 10, *, match: float = 0.2) -> list[Hit]:
        """The documents nearest in meaning to a text, best first. `match` is the share of BM25 in the score."""
        if not isinstance(text, str):
            raise OptionError(f"text is of type {type(text).__name__}; give a string")
        return [Hit(**hit) for hit in _core.search(self._fitted(), text, count, match)]

    def similar(self, document: int, count: int = 10, *, match: float = 0.0) -> list[Hit]:
        """The documents nearest to a document of the fit, which is given by its number."""
        return [Hit(**hit) for hit in _core.similar(self._fitted(), document, count, match)]

    def near_terms(self, words: str, count: int = 10) -> list[tuple[str, float, int]]:
        """Terms near a term: (term, cosine, documents that hold it)."""
        return list(_core.near_terms(self._fitted(), words, count))

    def topics(self, count: int | None = None, *, top: int = 10) -> list[Topic]:
        """What the first components are about, or all of them: the `top` terms and documents at each end."""
        model = self._fitted()
        most = model.components
        count = most if count is None else plain(count)
        for name, value in (("count", count), ("top", plain(top))):
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise OptionError(f"{name}={value!r} must be a whole number of 1 or more")
        return [Topic(**topic) for topic in _core.topics(model, 0, min(count, most), plain(top))]
