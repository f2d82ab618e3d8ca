"""Graphs in all the ways they come, and their ranks: the same bits as the command line's."""

import numpy as np
import pytest

import fewdim

LINKS = [("a", "b"), ("b", "c"), ("c", "a"), ("d", "c"), ("d", "b", 2.0), ("e", "e")]


def adjacency():
    names = "abcde"
    A = np.zeros((5, 5))
    for link in LINKS:
        A[names.index(link[0]), names.index(link[1])] += link[2] if len(link) == 3 else 1
    return A


def write_edges(path):
    path.write_text("".join(f"{link[0]}\t{link[1]}\t{link[2] if len(link) == 3 else 1.0}\n" for link in LINKS))
    return path


def column(path, name):
    return fewdim.read(path, id="vertex")[name]


@pytest.mark.parametrize("options, flags", [({}, []), ({"alpha": 0.5, "dangling": "self"}, ["--damping", "0.5", "--dangling", "self"]),
                                            ({"personalization": ["c"]}, ["--restart", "c"]),
                                            ({"solver": "gauss-seidel"}, ["--solver", "gauss-seidel"])], ids=str)
def test_pagerank_has_the_bits_of_the_command_line(program, tmp_path, options, flags):
    path = write_edges(tmp_path / "links.tsv")
    told = program("pagerank", "links.tsv", "-o", "ranks.csv", "--json", *flags)
    for graph in [path, LINKS, fewdim.LinkGraph(path)]:
        found = fewdim.pagerank(graph, **options)
        assert (found.scores == column(tmp_path / "ranks.csv", "pagerank")).all()
        assert found.sweeps == told["sweeps"] and found.error_bound == told["error_bound"]
        assert found.solver == told["solver"] and found.residual == told["residual"]
        assert found.names == list("abcde") or sorted(found.names) == list("abcde")
        assert [name for name, _ in found.top(3)] == [one["vertex"] for one in told["top"][:3]]


def test_hits_has_the_bits_of_the_command_line(program, tmp_path):
    path = write_edges(tmp_path / "links.tsv")
    for norm in ("sum", "unit"):
        told = program("hits", "links.tsv", "-o", f"{norm}.csv", "--normalization", norm, "--json")
        found = fewdim.hits(path, norm=norm)
        assert (found.authorities == column(tmp_path / f"{norm}.csv", "authority")).all()
        assert (found.hubs == column(tmp_path / f"{norm}.csv", "hub")).all()
        assert found.singular_value == told["singular_value"] and found.converged
        assert found.top_authorities(1)[0][0] == told["top"][0]["vertex"]


def test_counts_of_a_graph_are_the_command_lines(program, tmp_path):
    path = write_edges(tmp_path / "links.tsv")
    told = program("pagerank", "links.tsv", "--json")["graph"]
    summary = fewdim.LinkGraph(path).summary()
    assert {name: getattr(summary, name) for name in told} == told
    assert summary.self_loops == 1 and summary.weak_components == 2


def test_matrices_and_links_are_one_graph():
    want = fewdim.pagerank(LINKS).scores
    sparse = pytest.importorskip("scipy.sparse")
    order = [fewdim.LinkGraph(LINKS).names.index(name) for name in "abcde"]
    for matrix in [adjacency(), adjacency().astype(np.float32), sparse.csr_matrix(adjacency()), sparse.coo_matrix(adjacency()),
                   fewdim.Table(adjacency())]:
        found = fewdim.pagerank(matrix)
        assert found.names is None
        np.testing.assert_allclose(found.scores, want[order], atol=1e-12)
    np.testing.assert_allclose(fewdim.pagerank(adjacency(), personalization={2: 1.0}).scores,
                               fewdim.pagerank(LINKS, personalization={"c": 1.0}).scores[order], atol=1e-12)


def test_tables_name_their_vertices():
    names = list("abcde")
    want = fewdim.pagerank(adjacency(), personalization={2: 1.0}).scores
    for table in [fewdim.Table(adjacency(), columns=names), fewdim.Table(adjacency(), index=names)]:
        found = fewdim.pagerank(table, personalization=["c"])
        assert found.names == names and (found.scores == want).all()
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(adjacency(), index=names, columns=names)
    assert (fewdim.pagerank(frame, personalization=["c"]).scores == want).all()


class Duck:
    """What NetworkX's graphs have in common."""

    def __init__(self, links, directed):
        self.links, self.directed = links, directed
        self.nodes = list("abcdef")  # f has no link

    def edges(self, data):
        assert data
        return [(link[0], link[1], {"weight": link[2]} if len(link) == 3 else {}) for link in self.links]

    def is_directed(self):
        return self.directed


def test_graphs_go_by_what_they_can_do():
    found = fewdim.pagerank(Duck(LINKS, True))
    assert found.names == list("abcdef") and found.dangling == 1
    without = fewdim.pagerank(Duck(LINKS, True), weight=None)
    assert abs(without.scores - found.scores).max() > 1e-3
    both = fewdim.LinkGraph(Duck(LINKS, False))
    assert both.summary().undirected and "both ways" in repr(both)
    np.testing.assert_allclose(fewdim.pagerank(both).scores[:5], fewdim.pagerank(Duck(LINKS, True), undirected=True).scores[:5])


def test_networkx_agrees():
    networkx = pytest.importorskip("networkx")
    G = networkx.DiGraph()
    G.add_weighted_edges_from((link[0], link[1], link[2] if len(link) == 3 else 1.0) for link in LINKS)
    want = networkx.pagerank(G, alpha=0.85, tol=1e-12)
    found = fewdim.pagerank(G, alpha=0.85)
    np.testing.assert_allclose(found.scores, [want[name] for name in found.names], atol=1e-9)


def test_numbers_are_names_where_vertices_have_names():
    """A key that is no vertex was taken as a place before."""
    links = [(5, 7), (7, 9), (9, 5), (5, 9)]
    seven = fewdim.pagerank(links, personalization={7: 1.0})
    np.testing.assert_array_equal(seven.scores, fewdim.pagerank(links, personalization=["7"]).scores)
    with pytest.raises(fewdim.OptionError, match="personalization has 0, which is no vertex"):
        fewdim.pagerank(links, personalization={0: 1.0})


def test_repeats_and_formats(tmp_path):
    twice = [("a", "b"), ("a", "b"), ("a", "c"), ("b", "a"), ("c", "a")]
    summed, first = fewdim.LinkGraph(twice), fewdim.LinkGraph(twice, repeats="first")
    assert summed.summary().repeated == first.summary().repeated == 1
    assert fewdim.pagerank(summed).scores[1] > fewdim.pagerank(first).scores[1]
    with pytest.raises(fewdim.DataError):
        fewdim.LinkGraph(twice, repeats="error")
    (tmp_path / "odd.txt").write_text("from to\na b\nb a\n")
    assert fewdim.LinkGraph(tmp_path / "odd.txt", format="edges", header=True).vertices == 2
    assert fewdim.LinkGraph(tmp_path / "odd.txt", format="edges", header=False).vertices == 4


def test_threads_give_the_same_ranks(rng):
    ends = rng.integers(0, 300, size=(3000, 2))
    graph = fewdim.LinkGraph(map(tuple, ends.tolist()))
    bits = {fewdim.pagerank(graph, n_jobs=n).scores.tobytes() + fewdim.hits(graph, n_jobs=n).hubs.tobytes() for n in (1, 2, 3)}
    assert len(bits) == 1


@pytest.mark.parametrize("call, error, words", [
    (lambda: fewdim.pagerank([("a", "b")], alpha=1.5), ValueError, "alpha"),
    (lambda: fewdim.pagerank([("a", "b")], dangling="foo"), fewdim.OptionError, "dangling='foo' must be"),
    (lambda: fewdim.pagerank([("a", "b")], dangling="error"), fewdim.DataError, ""),
    (lambda: fewdim.pagerank([("a", "b")], solver="foo"), fewdim.OptionError, "solver='foo'"),
    (lambda: fewdim.pagerank([("a", "b")], tol=-1.0), ValueError, "tol"),
    (lambda: fewdim.pagerank([("a", "b")], personalization={"z": 1.0}), fewdim.OptionError, "personalization has 'z'"),
    (lambda: fewdim.pagerank([("a", "b")], personalization={"a": -1.0}), ValueError, ""),
    (lambda: fewdim.pagerank([("a",)]), fewdim.DataError, r"link 0 is \('a',\)"),
    (lambda: fewdim.pagerank(["ab"]), fewdim.DataError, "link 0 is 'ab'"),
    (lambda: fewdim.pagerank([("a", "b", "heavy")]), fewdim.DataError, "weight 'heavy'"),
    (lambda: fewdim.pagerank([("a", "b", float("nan"))]), fewdim.DataError, ""),
    (lambda: fewdim.pagerank([]), fewdim.DataError, "no vertices"),
    (lambda: fewdim.pagerank(np.ones((3, 2))), fewdim.DataError, "square"),
    (lambda: fewdim.pagerank(np.full((3, 3), np.nan)), fewdim.DataError, ""),
    (lambda: fewdim.pagerank(7), TypeError, "type int"),
    (lambda: fewdim.pagerank("nothing-here.tsv"), fewdim.FileError, "nothing-here"),
    (lambda: fewdim.hits([("a", "b")], norm="foo"), fewdim.OptionError, "norm='foo' must be 'sum' or 'unit'"),
    (lambda: fewdim.LinkGraph([("a", "b")], format="gml"), fewdim.OptionError, "files"),
], ids=range(18))
def test_refuses_what_is_no_graph(call, error, words):
    with pytest.raises(error, match=words):
        call()


def test_says_where_vectors_are_as_good():
    with pytest.warns(fewdim.FewdimWarning, match="2 times"):
        assert fewdim.hits([("a", "b"), ("c", "d")]).multiplicity == 2


def test_political_blogs(shared, program, tmp_path):
    path = shared("graph_polblogs", "polblogs.gml")
    told = program("pagerank", path, "-o", "ranks.csv", "--json")
    graph = fewdim.LinkGraph(path)
    assert (fewdim.pagerank(graph).scores == fewdim.read(tmp_path / "ranks.csv", id="vertex").numbers[:, 0]).all()
    assert graph.summary().largest_strong == told["graph"]["largest_strong"]
