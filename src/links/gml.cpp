#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <unordered_map>

#include "base/memory.hpp"
#include "base/remedy.hpp"
#include "data/input/input.hpp"
#include "data/input/line_pieces.hpp"
#include "data/input/number_scanner.hpp"
#include "links/formats.hpp"
#include "links/gml_scanner.hpp"

/// GML (Himsolt, "GML: a portable graph file format", 1997): keys and values, a value being a number, a quoted text or
/// a list of keys and values in brackets.
namespace fewdim {

namespace {

class GmlReader {
 public:
  explicit GmlReader(std::string_view text) : scanner_(text), end_(text.data() + text.size()) {}

  void read() {
    bool found = false;
    each_key([&](std::string_view key, const gml::Token& value) {
      if (key != "graph" || value.kind != Kind::open) return skip(value);
      if (found) throw TextFault{value.at, "a second graph; one is read"};
      found = true;
      read_graph();
    });
    if (!found) throw TextFault{end_, "there is no 'graph [' in it"};
  }

  bool directed = false;
  std::vector<std::string> names;
  std::vector<DirectedLink> links;
  std::vector<const char*> places;  ///< of the links

 private:
  using Kind = gml::Token::Kind;

  /// Calls use(key, value token) for each pair up to the bracket that closes the list, or the end of the file.
  template <class Use>
  void each_key(Use&& use, const char* opened = nullptr) {
    while (true) {
      const gml::Token key = scanner_.next();
      if (key.kind == (opened ? Kind::close : Kind::end)) return;
      if (key.kind == Kind::end) throw TextFault{opened, "the list that opens here is never closed"};
      if (key.kind != Kind::word) throw TextFault{key.at, "a key should be here, found " + gml::token_text(key, end_)};
      const gml::Token value = scanner_.next();
      if (value.kind == Kind::end || value.kind == Kind::close)
        throw TextFault{value.at, fmt::format("'{}' has no value", key.text.substr(0, 24))};
      use(key.text, value);
    }
  }

  /// Passes over a value; a list of any depth without recursion.
  void skip(const gml::Token& value) {
    if (value.kind != Kind::open) return;
    for (std::int64_t depth = 1; depth > 0;) {
      const gml::Token token = scanner_.next();
      if (token.kind == Kind::end) throw TextFault{value.at, "the list that opens here is never closed"};
      depth += token.kind == Kind::open ? 1 : token.kind == Kind::close ? -1 : 0;
    }
  }

  std::int64_t whole(const gml::Token& value, const char* what) const {
    std::int64_t number = 0;
    const char* last = value.text.data() + value.text.size();
    const auto read = std::from_chars(value.text.data(), last, number);
    if (value.kind != Kind::number || read.ec != std::errc() || read.ptr != last)
      throw TextFault{value.at,
                      fmt::format("the {} should be a whole number, found {}", what, gml::token_text(value, end_))};
    return number;
  }

  double real(const gml::Token& value) const {
    const char* at = value.text.data();
    double number = 0.0;
    if (value.kind == Kind::open || !scan_real(at, value.text.data() + value.text.size(), number) ||
        at != value.text.data() + value.text.size())
      throw TextFault{value.at, "the weight should be a number, found " + gml::token_text(value, end_)};
    if (std::string fault = weight_fault(number); !fault.empty()) throw TextFault{value.at, std::move(fault)};
    return number;
  }

  void read_graph() {
    each_key(
        [&](std::string_view key, const gml::Token& value) {
          if (key == "directed") {
            directed = whole(value, "flag 'directed'") != 0;
          } else if (key == "node" && value.kind == Kind::open) {
            read_node(value.at);
          } else if (key == "edge" && value.kind == Kind::open) {
            read_edge(value.at);
          } else {
            skip(value);
          }
        },
        scanner_.place());
    resolve();
  }

  void read_node(const char* opened) {
    std::optional<std::int64_t> id;
    std::string label;
    each_key(
        [&](std::string_view key, const gml::Token& value) {
          if (key == "id") {
            id = whole(value, "id");
          } else if (key == "label" && value.kind != Kind::open) {
            label = gml::decoded(value.text);
          } else {
            skip(value);
          }
        },
        opened);
    if (!id) throw TextFault{opened, "this node has no id"};
    if (names.size() >= INT32_MAX) throw TextFault{opened, "more than 2^31 - 1 nodes"};
    if (!numbers_.emplace(*id, static_cast<std::int32_t>(names.size())).second)
      throw TextFault{opened, fmt::format("a second node with the id {}", *id)};
    names.push_back(label.empty() ? std::to_string(*id) : std::move(label));
  }

  void read_edge(const char* opened) {
    std::optional<std::int64_t> source, target;
    std::optional<double> value_weight, weight;
    each_key(
        [&](std::string_view key, const gml::Token& value) {
          if (key == "source") {
            source = whole(value, "source");
          } else if (key == "target") {
            target = whole(value, "target");
          } else if (key == "weight") {
            weight = real(value);
          } else if (key == "value") {
            value_weight = real(value);
          } else {
            skip(value);
          }
        },
        opened);
    if (!source || !target) throw TextFault{opened, fmt::format("this edge has no {}", source ? "target" : "source")};
    ends_.emplace_back(*source, *target);
    links.push_back({0, 0, weight ? *weight : value_weight.value_or(1.0)});
    places.push_back(opened);
  }

  /// Nodes may come after the edges that name them.
  void resolve() {
    for (std::size_t e = 0; e < links.size(); ++e) {
      const auto vertex = [&](std::int64_t id) {
        const auto found = numbers_.find(id);
        if (found == numbers_.end()) throw TextFault{places[e], fmt::format("no node has the id {} of this edge", id)};
        return found->second;
      };
      links[e].from = vertex(ends_[e].first);
      links[e].to = vertex(ends_[e].second);
    }
  }

  gml::Scanner scanner_;
  const char* end_;
  std::unordered_map<std::int64_t, std::int32_t> numbers_;
  std::vector<std::pair<std::int64_t, std::int64_t>> ends_;
};

}  // namespace

LinkGraph parse_gml(const Bytes& bytes, const LinkOptions& options, const Execution& exec) {
  GmlReader reader(bytes.text);
  // A node takes 14 characters at least and an edge 24: what is kept of them is a few times that.
  require_memory(exec, 6 * bytes.text.size(), fmt::format("{}: reading GML", shown_name(bytes.path)),
                 raise_option("memory_limit"));
  try {
    reader.read();
  } catch (const TextFault& fault) {
    throw_at_line(bytes, fault);
  }
  LinkList list = LinkList::with_room_for(reader.links.size(), true);
  for (const DirectedLink& link : reader.links) {
    list.from[list.count] = link.from;
    list.to[list.count] = link.to;
    list.weights[list.count++] = link.weight;
  }
  LinkOptions chosen = options;
  chosen.undirected = options.undirected || !reader.directed;
  const auto vertices = static_cast<Index>(reader.names.size());
  return build_links(vertices, std::move(list), chosen, VertexNames{std::move(reader.names), {}, 0},
                     shown_name(bytes.path), exec);
}

}  // namespace fewdim
