#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/random.hpp"
#include "fewdim/error.hpp"
#include "fewdim/link_graph.hpp"
#include "links/formats.hpp"
#include "support/data.hpp"

namespace fewdim {
namespace {

Bytes bytes_of(std::string_view text, const std::string& path = "g.txt") { return {text, nullptr, path}; }

/// "a>b:2 …": all links of a graph, by names.
std::string shown(const LinkGraph& graph) {
  const LinkView view = graph.view();
  std::string out;
  for (Index v = 0; v < view.vertices; ++v)
    for (std::int64_t e = view.offsets[v]; e < view.offsets[v + 1]; ++e) {
      out += (out.empty() ? "" : " ") + graph.name(view.sources[e]) + ">" + graph.name(v);
      if (view.weights) out += ":" + std::to_string(view.weights[e]).substr(0, 3);
    }
  return out;
}

std::string fault(const std::function<void()>& work) {
  try {
    work();
  } catch (const DataError& error) {
    return error.message(speak_command_line);
  }
  return "no DataError";
}

std::string edges(std::string_view text, const LinkOptions& options = {}) {
  return shown(parse_edges(bytes_of(text), options, {}));
}

std::string edge_fault(std::string_view text, const LinkOptions& options = {}) {
  return fault([&] { parse_edges(bytes_of(text), options, {}); });
}

class Folder {
 public:
  Folder() { std::filesystem::create_directories(path_); }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string file(const std::string& name, std::string_view text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return (path_ / name).string();
  }

 private:
  std::filesystem::path path_ = std::filesystem::temp_directory_path() / ("fewdim-links-" + std::to_string(::getpid()));
};

TEST(EdgeList, NumbersNamesAndDelimiters) {
  EXPECT_EQ(edges("0 1\n1 2\n2 0\n"), "2>0 0>1 1>2");
  EXPECT_EQ(edges("1\t2\n2\t3\n"), "1>2 2>3");
  EXPECT_EQ(edges("a,b\nb , c\n"), "a>b b>c");
  EXPECT_EQ(edges("New York\tOld Town\nOld Town\tNew York"), "Old Town>New York New York>Old Town");
  EXPECT_EQ(edges("\"a, b\",c\n\"say \"\"x\"\"\",c\n"), "a, b>c say \"x\">c");
  EXPECT_EQ(edges("1 2 0.5\r\n2 1 2\r\n"), "2>1:2.0 1>2:0.5");
}

TEST(EdgeList, CommentsBlankLinesAndHeader) {
  EXPECT_EQ(edges("# one\n% two\n// three\n\n  \n1 2\n# 5 6\n2 1\n"), "2>1 1>2");
  EXPECT_EQ(edges("\xEF\xBB\xBFsource,target,weight\na,b,2\n"), "a>b:2.0");
  EXPECT_EQ(edges("Source Target\n1 2\n"), "1>2");
  EXPECT_EQ(edges("x y\n1 2\n", {.header = true}), "1>2");
  EXPECT_EQ(edges("from to\nto from\n", {.header = false}), "to>from from>to");
}

TEST(EdgeList, VerticesAreThoseNamed) {
  const LinkGraph gaps = parse_edges(bytes_of("1 3\n1 6\n2 1\n10 6\n"), {}, {});
  EXPECT_EQ(gaps.vertices(), 5);
  EXPECT_EQ(gaps.name(4), "10");
  EXPECT_EQ(gaps.find("10"), 4);
  EXPECT_EQ(gaps.find("4"), -1);
  EXPECT_EQ(gaps.find("06"), gaps.find("6"));
  // Far apart, and beyond 32 bits.
  EXPECT_EQ(edges("4000000000 7\n7 123456\n"), "4000000000>7 7>123456");
  EXPECT_EQ(edges("99999999999 7\n7 99999999999\n"), "7>99999999999 99999999999>7");
  // Zeros before a number make it a name.
  EXPECT_EQ(parse_edges(bytes_of("007 7\n"), {}, {}).vertices(), 2);
  // One name among a million numbers.
  EXPECT_EQ(edges("2 1\n1 x\n"), "2>1 1>x");
}

TEST(EdgeList, LoopsRepeatsZerosAndBothWays) {
  EXPECT_EQ(edges("a a\na b\na b\n"), "a>a:1.0 a>b:2.0");
  EXPECT_EQ(edges("a a\na b\na b\n", {.repeats = RepeatedLinks::first}), "a>a a>b");
  EXPECT_EQ(edges("a b 2\na b 3\n", {.repeats = RepeatedLinks::first}), "a>b:2.0");
  EXPECT_EQ(edge_fault("a b\nb c\na b\n", {.repeats = RepeatedLinks::error}),
            "g.txt: the link from 'a' to 'b' is listed twice; remove one, or use --repeats sum or --repeats first");
  EXPECT_EQ(edges("a b\nc c\n", {.undirected = true}), "b>a a>b c>c");
  EXPECT_EQ(edges("a b 2\nb a 3\n", {.undirected = true}), "b>a:5.0 a>b:5.0");
  const LinkGraph zeros = parse_edges(bytes_of("a b 0\nb c 1\n"), {}, {});
  EXPECT_EQ(zeros.vertices(), 3);
  EXPECT_EQ(zeros.links(), 1);
}

TEST(EdgeList, FaultsHaveTheirPlace) {
  EXPECT_EQ(edge_fault("1 2\n3\n"), "g.txt:2:2: the vertex that the link leads to is missing");
  EXPECT_EQ(edge_fault("a,b\n,c\n"), "g.txt:2:1: the vertex that the link comes from is missing");
  EXPECT_EQ(edge_fault("a\n"), "g.txt:1:1: a link is 'from to' or 'from to weight'; found 1 column");
  EXPECT_EQ(edge_fault("a b c d\n").substr(0, 60), "g.txt:1:1: a link is 'from to' or 'from to weight'; found 4 ");
  EXPECT_EQ(edge_fault("1 2 3\n1 2\n"), "g.txt:2:4: the weight is missing, which other links have");
  EXPECT_EQ(edge_fault("1 2\n1 2 3\n"), "g.txt:2:5: the link should end here, as the first has 2 columns; found '3'");
  EXPECT_EQ(edge_fault("1 2 3\n\n1 2 -1\n"),
            "g.txt:3:5: the weight -1 is negative; ranking needs weights of 0 or more");
  EXPECT_EQ(edge_fault("1 2 nan\n").substr(0, 38), "g.txt:1:5: the weight is not a number;");
  EXPECT_EQ(edge_fault("1 2 inf\n").substr(0, 34), "g.txt:1:5: the weight is infinite;");
  EXPECT_EQ(edge_fault("1 2 1e999\n").substr(0, 39), "g.txt:1:5: the weight should be a numbe");
  EXPECT_EQ(edge_fault("1 2 1e99\n").substr(0, 32), "g.txt:1:5: the weight 1e+99 is o");
  EXPECT_EQ(edge_fault("1 2 x\n"), "g.txt:1:5: the weight should be a number, found 'x'");
  EXPECT_EQ(edge_fault("# nothing\n\n"), "g.txt: there is no link in it");
  EXPECT_EQ(edge_fault("source target\n"), "g.txt: there is no link below the header");
}

// Long enough for several pieces of text: faults and names keep their order at any thread count.
TEST(EdgeList, ManyPieces) {
  const Random random(3, 0);
  std::string numbers, names;
  for (std::uint64_t e = 0; e < 300'000; ++e) {
    const auto from = std::to_string(1 + random.below(2 * e, 20'000)),
               to = std::to_string(1 + random.below(2 * e + 1, 20'000));
    numbers += from + "\t" + to + "\n";
    names += "v" + from + " v" + to + "\n";
  }
  const LinkGraph by_number = parse_edges(bytes_of(numbers), {}, {.threads = 1});
  EXPECT_EQ(by_number.links() + by_number.repeated(), 300'000);
  for (const int threads : {1, 2, 3}) {
    const LinkGraph same = parse_edges(bytes_of(numbers), {}, {.threads = threads});
    const LinkGraph named = parse_edges(bytes_of(names), {}, {.threads = threads});
    const LinkView a = by_number.view(), b = same.view(), c = named.view();
    ASSERT_EQ(a.links(), b.links());
    EXPECT_TRUE(std::equal(a.sources, a.sources + a.links(), b.sources));
    EXPECT_TRUE(std::equal(a.weights, a.weights + a.links(), b.weights));
    EXPECT_TRUE(std::equal(a.outgoing, a.outgoing + a.vertices, b.outgoing));
    ASSERT_EQ(c.links(), a.links());
    EXPECT_EQ(named.name(0), "v" + numbers.substr(0, numbers.find('\t')));
    for (Index v = 0; v < c.vertices; v += 97) {
      const Index twin = by_number.require(named.name(v).substr(1));
      EXPECT_EQ(c.outgoing[v], a.outgoing[twin]);
      EXPECT_EQ(c.offsets[v + 1] - c.offsets[v], a.offsets[twin + 1] - a.offsets[twin]);
    }
  }
  numbers += "5\n";
  EXPECT_EQ(edge_fault(numbers), "g.txt:300001:2: the vertex that the link leads to is missing");
}

TEST(EdgeList, EveryPrefixIsReadOrRefused) {
  const std::string text = "# c\n\"a \"\"b\",c,1.5e1\n\"x\"y,,2\n1,2,3\n";
  for (std::size_t size = 0; size <= text.size(); ++size) {
    const std::string prefix = text.substr(0, size);  // on the heap, so that a sanitizer sees the end
    try {
      parse_edges(bytes_of(prefix), {}, {});
    } catch (const DataError&) {
    }
  }
  const std::string number = "1 2 0." + std::string(100, '0') + "1e" + std::string(100, '0') + "99";
  EXPECT_EQ(parse_edges(bytes_of(number), {}, {}).links(), 1);
}

const std::string gml =
    "Creator \"x [ \"\ngraph [\n  directed 1\n  node [ id 7 label \"a &amp; &#233;\" ]\n"
    "  node [ id -3 graphics [ x 1 [ ] y [ z 2 ] ] ]\n  edge [ source 7 target -3 value 2.5 ]\n"
    "  # a comment ]\n  edge [ source -3 target 7 ]\n]\n";

TEST(Gml, NodesEdgesAndLabels) {
  EXPECT_EQ(shown(parse_gml(bytes_of(gml), {}, {})), "-3>a & é:1.0 a & é>-3:2.5");
  EXPECT_EQ(shown(parse_gml(bytes_of("graph [ edge [ source 1 target 2 ] node [ id 1 ] node [ id 2 ] ]"), {}, {})),
            "2>1 1>2");  // undirected by default, nodes after edges
}

TEST(Gml, Faults) {
  const auto gml_fault = [](std::string_view text) { return fault([&] { parse_gml(bytes_of(text), {}, {}); }); };
  EXPECT_EQ(gml_fault("graph [ node [ id 1 ] edge [ source 1 target 2 ] ]"),
            "g.txt:1:28: no node has the id 2 of this edge");
  EXPECT_EQ(gml_fault("graph [\nnode [ label \"x\" ] ]"), "g.txt:2:6: this node has no id");
  EXPECT_EQ(gml_fault("graph [ node [ id 1 ] node [ id 1 ] ]"), "g.txt:1:28: a second node with the id 1");
  EXPECT_EQ(gml_fault("graph [ node [ id 1.5 ] ]"), "g.txt:1:19: the id should be a whole number, found '1.5'");
  EXPECT_EQ(gml_fault("graph [ edge [ source 1 ] ]"), "g.txt:1:14: this edge has no target");
  EXPECT_EQ(gml_fault("graph [ edge [ source 1 target 1 value -2 ] ]").substr(0, 32),
            "g.txt:1:40: the weight -2 is neg");
  EXPECT_EQ(gml_fault("graph [ ]"), "g.txt: there is no link in it, and no vertex to rank");
  EXPECT_EQ(gml_fault("a 1"), "g.txt:1:4: there is no 'graph [' in it");
  const std::string deep = "graph [ x " + std::string(200'000, '[');
  EXPECT_EQ(gml_fault(deep).substr(0, 49), "g.txt:1:11: the list that opens here is never clo");
  for (std::size_t size = 0; size < gml.size(); ++size) {
    const std::string prefix = gml.substr(0, size);
    EXPECT_NE(gml_fault(prefix), size + 1 == gml.size() ? "" : "no DataError") << size;
    if (size + 2 == gml.size()) break;
  }
}

TEST(ReadLinks, FindsTheFormat) {
  const Folder folder;
  EXPECT_EQ(shown(read_links(folder.file("a.gml", gml))), "-3>a & é:1.0 a & é>-3:2.5");
  EXPECT_EQ(shown(read_links(folder.file("a.txt", gml))), "-3>a & é:1.0 a & é>-3:2.5");
  const std::string mtx = "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 3\n";
  EXPECT_EQ(shown(read_links(folder.file("a.mtx", mtx))), "2>1 1>2 3>3");
  EXPECT_EQ(shown(read_links(folder.file("b.txt", mtx))), "2>1 1>2 3>3");
  const std::string csv = ",a,b,c\na,0,2,0\nb,0,0,0\nc,1,0,0\n";
  EXPECT_EQ(shown(read_links(folder.file("a.csv", csv))), "c>a:1.0 a>b:2.0");
  EXPECT_EQ(shown(read_links(folder.file("b.csv", "0,1\n1,0\n"), {.format = "csv"})), "2>1 1>2");
  EXPECT_EQ(shown(read_links(folder.file("e.csv", "a,b\nb,a\n"))), "b>a a>b");
}

TEST(ReadLinks, Faults) {
  const Folder folder;
  const auto file_fault = [&](const std::string& name, std::string_view text) {
    const std::string path = folder.file(name, text);
    const std::string found = fault([&] { read_links(path); });
    return found.starts_with(path) ? found.substr(path.size()) : found;
  };
  EXPECT_EQ(file_fault("a.csv", "1,2,3,4\n5,6,7,8\n"),
            ": 2 x 4 numbers; an adjacency matrix is square, with a row and a column for each vertex");
  EXPECT_EQ(file_fault("b.csv", "0,1,0,0\n0,0,0,0\n0,0,0,-2\n0,0,0,0\n"),
            ": row 3, column 4: the weight -2 is negative; ranking needs weights of 0 or more");
  EXPECT_EQ(file_fault("c.csv", "0,1,0,0\n0,0,NA,0\n0,0,0,2\n0,0,0,0\n").substr(0, 50),
            ": row 2, column 3: the weight is not a number; a l");
  EXPECT_EQ(file_fault("a.txt", ""), ": it is empty; there is no link in it");
  EXPECT_NE(file_fault("b.txt", std::string_view("\x93NUMPY\0\0", 8)), "no DataError");
  EXPECT_THROW(read_links("/nowhere/links.txt"), IoError);
}

TEST(MakeLinks, ChecksItsLinks) {
  EXPECT_EQ(fault([] { make_links(2, {{0, 2}}); }), "links: link 1 goes from 0 to 2, but vertices are 0 .. 1");
  EXPECT_EQ(fault([] { make_links(2, {{0, 1, -1.0}}); }).substr(0, 35), "links: link 1: the weight -1 is neg");
  EXPECT_NE(fault([] { make_links(0, {}); }), "no DataError");
  EXPECT_NE(fault([] { make_links(2, {}, {}, {"a"}); }), "no DataError");
  const LinkGraph graph = make_links(3, {{0, 1}}, {}, {"alpha", "beta", "gamma"});
  EXPECT_EQ(fault([&] { graph.require("bета"); }), "no vertex is called 'bета'");
  EXPECT_EQ(fault([&] { graph.require("betta"); }), "no vertex is called 'betta'; did you mean 'beta'?");
}

TEST(Summary, CountsParts) {
  // Two cycles with a bridge, a loop, a vertex alone.
  const LinkGraph graph = make_links(8, {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {4, 3}, {5, 5}, {6, 4}, {6, 4}});
  const LinkSummary s = summarize(graph);
  EXPECT_EQ(s.vertices, 8);
  EXPECT_EQ(s.links, 8);
  EXPECT_EQ(s.repeated, 1);
  EXPECT_EQ(s.self_loops, 1);
  EXPECT_EQ(s.dangling, 1);
  EXPECT_EQ(s.unlinked, 2);
  EXPECT_EQ(s.strong_components, 5);
  EXPECT_EQ(s.largest_strong, 3);
  EXPECT_EQ(s.weak_components, 3);
  EXPECT_EQ(s.largest_weak, 6);
}

// A path of a million vertices: recursion would end the program.
TEST(Summary, LongPath) {
  std::vector<DirectedLink> links;
  for (std::int32_t v = 0; v + 1 < 1'000'000; ++v) links.push_back({v, v + 1});
  EXPECT_EQ(summarize(make_links(1'000'000, links)).strong_components, 1'000'000);
  links.push_back({999'999, 0});
  EXPECT_EQ(summarize(make_links(1'000'000, links)).largest_strong, 1'000'000);
}

// NetworkX 3.6.1: number_strongly_connected_components, number_weakly_connected_components and their largest.
TEST(Summary, PoliticalBlogs) {
  const std::string path = test::shared_data("graph_polblogs/polblogs.gml");
  if (path.empty()) GTEST_SKIP() << "graph_polblogs is not here";
  const LinkSummary s = summarize(read_links(path));
  EXPECT_EQ(s.vertices, 1490);
  EXPECT_EQ(s.links, 19015);
  EXPECT_EQ(s.self_loops, 3);
  EXPECT_EQ(s.dangling, 426);
  EXPECT_EQ(s.unlinked, 500);
  EXPECT_EQ(s.strong_components, 689);
  EXPECT_EQ(s.largest_strong, 792);
  EXPECT_EQ(s.weak_components, 268);
  EXPECT_EQ(s.largest_weak, 1222);
}

}  // namespace
}  // namespace fewdim
