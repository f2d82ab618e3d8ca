"""Documents."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

from . import _core, _display
from ._base import CARDS, Callback, Estimator, caller_level, plain, seed_of
from ._display import described
from ._documents import Documents, cutoffs_of, judged_pairs, source_of, tell_of
from ._errors import FewdimWarning, OptionError
from ._trials import Evaluation, QueryWords, Revision, system_of
from ._results import Hit, Topic
from ._table import one_of, whole


@described(CARDS["lsi"])
class LSI(Estimator):
    """X is a list of strings, or Documents: files that are read one by one, with their ids. Words are counted and weighted
    by the engine, and search() asks what it has learned.

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
                "explained_variance_ratio_": "their shares of the sum of squares.", "terms_": "the words of the columns.",
                "ids_": "of the documents: those of files, or the beginnings of texts."}

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

    def fit(self, X: Any, y: Any = None, *, callback: Callback | None = None, progress: bool = False) -> Any:
        """Fits the model to documents.

        Parameters
        ----------
        X : list of str, or Documents
        y : ignored
        callback : callable, optional
            callback(stage, done, total) is told how far the fit is. False, or an exception, stops it.
        progress : bool
            Show a bar, with tqdm where it is installed.
        """
        if not isinstance(X, Documents):
            return super().fit(X, y, callback=callback, progress=progress)
        options = self._options(None)
        with self._speaking(), _display.progress_bar(callback, progress, "LSI") as told:
            model, report = _core.fit_documents(self._method, X._source, options, callback=told, **self._execution())
        self._keep(model, X)
        tell_of(report)
        return self

    def _data(self, X: Any, *, reset: bool, stream: bool = False, least_rows: int | None = None) -> Any:
        if isinstance(X, Documents):
            X = [one.text for one in X]
        return super()._data(X, reset=reset, stream=stream, least_rows=least_rows)

    def _keep(self, model: Any, data: Any = None) -> None:
        super()._keep(model, data)
        self.terms_ = np.asarray(_core.terms(model), dtype=object)
        self.ids_ = list(_core.document_ids(model))

    # Asking.

    def _ask(self, text: str | None, document: int, count: Any, match: float, snippet: Any, explain: bool) -> dict[str, Any]:
        with self._speaking():
            return dict(_core.ask(self._fitted(), text, document, plain(count), float(match), whole("snippet", snippet, 0),
                                  6 if explain else 0))

    def search(self, text: str, count: int = 10, *, match: float = 0.2, snippet: int = 200,
               explain: bool = False) -> list[Hit]:
        """The documents nearest in meaning to a text, best first.

        match: the share of BM25 in the score. snippet: characters of the text around the words that matter. explain: hits
        say which words, terms and concepts made them.
        """
        if not isinstance(text, str):
            raise OptionError(f"text is of type {type(text).__name__}; give a string")
        return [Hit(**hit) for hit in self._ask(text, 0, count, match, snippet, explain)["hits"]]

    def query_words(self, text: str, *, match: float = 0.2) -> QueryWords:
        """Which words of a question the collection has, and what is written nearly so where it has not."""
        if not isinstance(text, str):
            raise OptionError(f"text is of type {type(text).__name__}; give a string")
        found = self._ask(text, 0, 1, match, 0, False)
        return QueryWords(found["known"], found["unknown"], dict(found["outside"]), found["match"], dict(found["suggestions"]))

    def similar(self, document: int | str, count: int = 10, *, match: float = 0.0, snippet: int = 200,
                explain: bool = False) -> list[Hit]:
        """The documents nearest to a document of the fit, which is given by its number or its id."""
        model = self._fitted()
        number = _core.find_document(model, document) if isinstance(document, str) else plain(document)
        if isinstance(number, bool) or not isinstance(number, int):
            raise OptionError(f"document={document!r} must be a number from 0, or an id")
        return [Hit(**hit) for hit in self._ask(None, number, count, match, snippet, explain)["hits"]]

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

    # Documents that come and go.

    def _revise(self, found: tuple[Any, dict[str, Any], dict[str, Any]]) -> Revision:
        model, revision, report = found
        self._keep(model)
        tell_of(report)
        return Revision(**revision)

    def add(self, X: Any, *, update: bool = False) -> Revision:
        """Adds documents to the collection: a list of str, or Documents. No id may be there before.

        They are placed by the concepts there are, which is fast and approximate; what those miss is in the result.
        update: update the decomposition instead (Zha & Simon 1999), with all that was added before.

        >>> from fewdim import LSI, Documents
        >>> lsi = LSI(n_components=2, min_documents=1).fit(["a cat", "a dog", "cats and dogs", "stocks", "stocks and markets"])
        >>> lsi.add(Documents.of(["the stocks of markets"], ids=["new"])).documents, lsi.search("markets")[0].id in lsi.ids_
        (1, True)
        >>> lsi.remove("new").documents, len(lsi.ids_)
        (1, 5)
        """
        with self._speaking():
            revision = self._revise(_core.add_documents(self._fitted(), source_of(X), bool(update), **self._execution()))
        if not update and revision.unknown_words > 0.2:
            warnings.warn("many words of the new documents are none of the terms: they have no part in the concepts; fit anew "
                          "for those", FewdimWarning, stacklevel=caller_level())
        elif not update and revision.outside > revision.outside_of_fit + 0.1:
            warnings.warn("the concepts hold the new documents less well than their own; update=True takes them in, or fit "
                          "anew", FewdimWarning, stacklevel=caller_level())
        return revision

    def remove(self, ids: Any, *, update: bool = False) -> Revision:
        """Takes documents out of the collection, by their ids. update: out of the decomposition, too."""
        given = [ids] if isinstance(ids, str) else [str(one) for one in ids]
        with self._speaking():
            return self._revise(_core.remove_documents(self._fitted(), given, bool(update), **self._execution()))

    def evaluate(self, queries: Any, judgments: Any, *, concepts: Any = (), match: float = 0.2, at: Any = (5, 10, 20),
                 judged_by: str = "auto", random_state: Any = None, callback: Callback | None = None) -> Evaluation:
        """How good the index is, by queries with known answers.

        Ranks the documents for each query by plain term matching, BM25, LSI, and LSI mixed with BM25: average precision
        and its friends as trec_eval computes them, and a paired test against term matching.

        Parameters
        ----------
        queries : Documents, mapping of ids to texts, or path
        judgments : path, or mapping of queries to relevant documents (with or without grades)
        concepts : list of int
            Rank by the first so many concepts, too.
        match : float
            Share of BM25 in the mixed ranking.
        at : list of int
            Ranks at which precision, recall and nDCG are taken.
        judged_by : 'auto', 'id' or 'position'
            What judgments give of a document: its id, or its place in the collection, from 1.

        Examples
        --------
        >>> from fewdim import LSI, Documents
        >>> texts = {"a": "the cat sat on the mat", "b": "a cat and a dog", "c": "dogs chase cats",
        ...          "d": "stocks fell on the market", "e": "the market rose", "f": "market and stocks"}
        >>> lsi = LSI(n_components=2, min_documents=1).fit(Documents.of(texts.values(), texts))
        >>> found = lsi.evaluate({"q": "stocks"}, {"q": ["d", "e", "f"]}, at=[3])
        >>> list(found.systems), round(found["BM25"].mean.recall[3], 2)
        (['terms', 'BM25', 'LSI 2', 'LSI 2 + 0.2 BM25'], 0.67)
        """
        one_of("judged_by", judged_by, ("auto", "id", "position"))
        if not 0.0 <= match <= 1.0:
            raise OptionError(f"match={match!r} must be between 0 and 1")
        if isinstance(queries, Mapping):
            queries = Documents.of(queries.values(), queries)
        elif isinstance(queries, (str, os.PathLike)):
            queries = Documents(queries)
        counts = sorted(whole("concepts", k, 1) for k in ([concepts] if isinstance(concepts, int) else concepts))
        with self._speaking():
            found = _core.evaluate(self._fitted(), source_of(queries), judged_pairs(judgments), counts, cutoffs_of(at),
                                   float(match), judged_by, seed_of(random_state), self._execution()["threads"], callback)
        self._tell_of_judgments(found, judged_by)
        systems = {name: system_of(name, report, compared) for name, report, compared in found["systems"]}
        return Evaluation(systems, found["relevant"], "position" if found["documents_by_position"] else "id",
                          found["unknown_queries"], found["unknown_documents"])

    @staticmethod
    def _tell_of_judgments(found: dict[str, Any], judged_by: str) -> None:
        notes = []
        if found["queries_by_position"]:
            notes.append("the judgments give the places of the queries, from 1, instead of their ids; taken so")
        if found["documents_by_position"] and judged_by != "position":
            notes.append("the judgments give the places of the documents, from 1, instead of their ids; taken so "
                         "(judged_by='id' if they are ids)")
        if found["unknown_queries"]:
            notes.append(f"{found['unknown_queries']} judged queries are not among the queries")
        if found["unknown_documents"]:
            notes.append(f"{found['unknown_documents']} judged documents are not in the collection; they count as never found")
        for note in notes:
            warnings.warn(note, FewdimWarning, stacklevel=caller_level())
