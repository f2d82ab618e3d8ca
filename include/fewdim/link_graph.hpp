#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/export.hpp"

namespace fewdim {

/// One vertex points to another.
struct DirectedLink {
  std::int32_t from = 0;
  std::int32_t to = 0;
  double weight = 1.0;
};

/// What becomes of links that are listed more than once.
enum class RepeatedLinks { sum, first, error };

struct Bytes;
struct LinkOptions;
class LinkGraph;

/// The single declaration of a way in which a graph stands in a file.
struct LinkFormatCard {
  std::string name{};                  ///< "gml": LinkOptions::format, --format
  std::string about{};                 ///< a few words for a list
  std::vector<std::string> endings{};  ///< of file names that tell it, in small letters
  /// Whether a file begins so; null: it is known by its name alone.
  bool (*recognize)(std::string_view text) = nullptr;
  LinkGraph (*read)(const Bytes&, const LinkOptions&, const Execution&) = nullptr;
};

/// Every one there is. A file whose name tells nothing is in the first that recognizes it, and an edge list where none
/// does.
FEWDIM_API const std::vector<LinkFormatCard>& link_formats();
/// The card of that name; throws InvalidOption with the nearest name.
FEWDIM_API const LinkFormatCard& link_format(std::string_view name);

struct LinkOptions {
  std::string format{};     ///< the name of one of link_formats(); empty: by the name, then by the content
  bool undirected = false;  ///< every link goes both ways
  RepeatedLinks repeats = RepeatedLinks::sum;  ///< weights of repeats add up (1 each where there are none)
  std::optional<bool> header{};                ///< of an edge list; unset: detected by the usual words
};

/// Incoming links in compressed rows: those of vertex v come from sources[offsets[v]] .. sources[offsets[v+1]],
/// ascending and without repeats.
struct LinkView {
  Index vertices = 0;
  const std::int64_t* offsets = nullptr;  ///< vertices + 1 of them
  const std::int32_t* sources = nullptr;
  const double* weights = nullptr;   ///< null: all are 1
  const double* outgoing = nullptr;  ///< sum of the weights that leave each vertex; 0: it is dangling

  std::int64_t links() const { return vertices == 0 ? 0 : offsets[vertices]; }
};

/// A directed graph with weights, to rank its vertices. Copies are cheap: they share the storage.
///
/// Links of weight 0 are none, though their vertices count; a loop from a vertex to itself is a link like any other,
/// and one of an undirected graph is one link.
class FEWDIM_API LinkGraph {
 public:
  LinkGraph() = default;
  struct Storage;
  explicit LinkGraph(std::shared_ptr<const Storage> storage) : storage_(std::move(storage)) {}

  Index vertices() const { return view().vertices; }
  std::int64_t links() const { return view().links(); }
  bool weighted() const { return view().weights != nullptr; }
  bool undirected() const;        ///< as asked for, or as the file says
  std::int64_t repeated() const;  ///< links of the input that were listed before
  LinkView view() const;

  std::string name(Index vertex) const;     ///< as in the file; of an unnamed one its number, from 0
  Index find(std::string_view name) const;  ///< -1: no vertex has it
  /// find(), or DataError with the nearest name.
  Index require(std::string_view name) const;

 private:
  std::shared_ptr<const Storage> storage_;
};

/// A graph of the given vertices, 0 .. vertices-1; names may be empty. Throws DataError for a vertex out of range or
/// a weight that is negative, not finite, or outside 1e-60 .. 1e60.
FEWDIM_API LinkGraph make_links(Index vertices, const std::vector<DirectedLink>& links, const LinkOptions& options = {},
                                std::vector<std::string> names = {}, const Execution& exec = {});

/// A graph from its adjacency matrix, dense or sparse: entry (i, j) is the weight of the link from i to j. Names are
/// those of the rows, or of the columns.
FEWDIM_API LinkGraph make_links(const Dataset& adjacency, const LinkOptions& options = {}, const Execution& exec = {});

/// Reads a graph from a file, or from standard input when path is "-"; .gz and .zst are undone. Edge lists ("from to"
/// or "from to weight" a line, cut by tabs, commas, semicolons or blanks; lines that start with #, % or // are passed
/// over), Matrix Market, GML, and adjacency matrices in CSV. Vertices of an edge list are those it names: in the order
/// of their numbers where all are whole numbers below 2^32, else in the order they come.
FEWDIM_API LinkGraph read_links(const std::string& path, const LinkOptions& options = {}, const Execution& exec = {});

struct LinkSummary {
  Index vertices = 0;
  std::int64_t links = 0;
  Index dangling = 0;  ///< no link leaves them
  Index unlinked = 0;  ///< no link leads to them
  Index self_loops = 0;
  std::int64_t repeated = 0;
  Index strong_components = 0, largest_strong = 0;  ///< from every vertex to every other along links
  Index weak_components = 0, largest_weak = 0;      ///< the same along links of either direction
};

FEWDIM_API LinkSummary summarize(const LinkGraph& graph, const Execution& exec = {});

}  // namespace fewdim
