"""The peers of the cases about documents, in Python; the manner is that of peers.py."""
import time

import numpy as np

SEED = 20240303
HITS = 10


def scipy_svds(setting, threads):
    from scipy.sparse.linalg import svds

    def fit(x, k):
        _, s, vt = svds(x, k=k, solver="arpack", tol=float(setting), return_singular_vectors="vh", rng=0)
        order = np.argsort(-s)
        return vt[order], s[order] ** 2

    return fit


def gensim_chunks(setting, threads):
    """LsiModel as it is by default, one pass over a corpus."""
    from gensim.matutils import Sparse2Corpus
    from gensim.models import LsiModel

    def fit(x, k):
        corpus = Sparse2Corpus(x, documents_columns=False)
        model = LsiModel(corpus, num_topics=k, id2word={i: i for i in range(x.shape[1])}, chunksize=int(setting), random_seed=0)
        return model.projection.u.T, model.projection.s ** 2

    return fit


def sklearn_tfidf(setting, threads):
    from sklearn.feature_extraction.text import TfidfVectorizer

    def fit(texts, k):
        model = TfidfVectorizer(stop_words="english", min_df=2)
        model.fit_transform(texts)
        return {"terms": len(model.vocabulary_)}

    return fit


def gensim_words(setting, threads):
    from gensim.corpora import Dictionary
    from gensim.models import TfidfModel
    from gensim.utils import simple_preprocess

    def fit(texts, k):
        dictionary = Dictionary()
        corpus = [dictionary.doc2bow(simple_preprocess(text), allow_update=True) for text in texts]
        model = TfidfModel(corpus)
        for document in corpus:
            model[document]
        return {"terms": len(dictionary)}

    return fit


def places(path):
    """Where fewdim's documents are: rows of unit length, float32."""
    from check import safetensors

    return np.array(safetensors(path)["places"], dtype=np.float32)


def timed(answer, x, count):
    """Seconds of each query; queries are the places of documents."""
    queries = x[np.random.default_rng(SEED).integers(0, len(x), count)]
    answer(queries[0])
    each = []
    for query in queries:
        start = time.perf_counter()
        answer(query)
        each.append(time.perf_counter() - start)
    return {"each": each}


def numpy_query(setting, threads):
    """The floor: the product with all places, and the best ten."""

    def fit(x, count):
        def answer(query):
            cosines = x @ query
            best = np.argpartition(cosines, -HITS)[-HITS:]
            return best[np.argsort(-cosines[best])]

        return timed(answer, x, count)

    return fit


def gensim_query(setting, threads):
    from gensim.matutils import Dense2Corpus
    from gensim.similarities import MatrixSimilarity

    def fit(x, count):
        found = MatrixSimilarity(Dense2Corpus(x, documents_columns=False), num_best=HITS, num_features=x.shape[1])
        return timed(lambda query: found[query], x, count)

    return fit


PEERS = {
    "scipy-svds": scipy_svds,
    "gensim-chunks": gensim_chunks,
    "sklearn-tfidf": sklearn_tfidf,
    "gensim-words": gensim_words,
    "numpy-query": numpy_query,
    "gensim-query": gensim_query,
}
