#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_map>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/utf8.hpp"
#include "data/input.hpp"
#include "data/line_pieces.hpp"
#include "data/number_scanner.hpp"
#include "links/formats.hpp"

/// GML (Himsolt, "GML: a portable graph file format", 1997): keys and values, a value being a number, a quoted text or
/// a list of keys and values in brackets.
namespace fewdim {

namespace {

struct GmlToken {
  enum class Kind { word, number, text, open, close, end } kind = Kind::end;
  std::string_view text;
  const char* at = nullptr;
};

class GmlScanner {
 public:
  explicit GmlScanner(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  GmlToken next() {
    using Kind = GmlToken::Kind;
    skip_space();
    const char* const start = at_;
    if (at_ == end_) return {Kind::end, {}, start};
    if (*at_ == '[' || *at_ == ']') return {*at_++ == '[' ? Kind::open : Kind::close, {}, start};
    if (*at_ == '"') {
      const auto* close =
          static_cast<const char*>(std::memchr(start + 1, '"', static_cast<std::size_t>(end_ - start - 1)));
      if (!close) throw TextFault{start, "the quotes that open here are never closed"};
      at_ = close + 1;
      return {Kind::text, {start + 1, static_cast<std::size_t>(close - start - 1)}, start};
    }
    while (at_ != end_ && !is_end(*at_)) ++at_;
    const std::string_view word(start, static_cast<std::size_t>(at_ - start));
    const bool letter = (*start | 0x20) >= 'a' && (*start | 0x20) <= 'z';
    return {letter || *start == '_' ? Kind::word : Kind::number, word, start};
  }

  const char* place() const { return at_; }

 private:
  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
  static bool is_end(char c) { return is_space(c) || c == '[' || c == ']' || c == '"'; }
  void skip_space() {
    while (at_ != end_) {
      if (is_space(*at_)) {
        ++at_;
      } else if (*at_ == '#') {
        while (at_ != end_ && *at_ != '\n') ++at_;
      } else {
        return;
      }
    }
  }

  const char *at_, *end_;
};

std::string token_text(const GmlToken& token, const char* end) {
  return token.kind == GmlToken::Kind::end ? "the end of the file" : shown_token(token.at, end);
}

class GmlReader {
 public:
  explicit GmlReader(std::string_view text) : scanner_(text), end_(text.data() + text.size()) {}

  void read() {
    bool found = false;
    each_key([&](std::string_view key, const GmlToken& value) {
      if (key != "graph" || value.kind != Kind::open) return skip(value);
      if (found) throw TextFault{value.at, "a second graph; one is read"};
      found = true;
      read_graph();
    });
    if (!found) throw TextFault{end_, "there is no 'graph [' in it"};
  }

  bool directed = false;
  std::vector<std::string> names;
  std::vector<Link> links;
  std::vector<const char*> places;  ///< of the links

 private:
  using Kind = GmlToken::Kind;

  /// Calls use(key, value token) for each pair up to the bracket that closes the list, or the end of the file.
  template <class Use>
  void each_key(Use&& use, const char* opened = nullptr) {
    while (true) {
      const GmlToken key = scanner_.next();
      if (key.kind == (opened ? Kind::close : Kind::end)) return;
      if (key.kind == Kind::end) throw TextFault{opened, "the list that opens here is never closed"};
      if (key.kind != Kind::word) throw TextFault{key.at, "a key should be here, found " + token_text(key, end_)};
      const GmlToken value = scanner_.next();
      if (value.kind == Kind::end || value.kind == Kind::close)
        throw TextFault{value.at, fmt::format("'{}' has no value", key.text.substr(0, 24))};
      use(key.text, value);
    }
  }

  /// Passes over a value; a list of any depth without recursion.
  void skip(const GmlToken& value) {
    if (value.kind != Kind::open) return;
    for (std::int64_t depth = 1; depth > 0;) {
      const GmlToken token = scanner_.next();
      if (token.kind == Kind::end) throw TextFault{value.at, "the list that opens here is never closed"};
      depth += token.kind == Kind::open ? 1 : token.kind == Kind::close ? -1 : 0;
    }
  }

  std::int64_t whole(const GmlToken& value, const char* what) const {
    std::int64_t number = 0;
    const char* last = value.text.data() + value.text.size();
    const auto read = std::from_chars(value.text.data(), last, number);
    if (value.kind != Kind::number || read.ec != std::errc() || read.ptr != last)
      throw TextFault{value.at,
                      fmt::format("the {} should be a whole number, found {}", what, token_text(value, end_))};
    return number;
  }

  double real(const GmlToken& value) const {
    const char* at = value.text.data();
    double number = 0.0;
    if (value.kind == Kind::open || !scan_real(at, value.text.data() + value.text.size(), number) ||
        at != value.text.data() + value.text.size())
      throw TextFault{value.at, "the weight should be a number, found " + token_text(value, end_)};
    if (std::string fault = weight_fault(number); !fault.empty()) throw TextFault{value.at, std::move(fault)};
    return number;
  }

  void read_graph() {
    each_key(
        [&](std::string_view key, const GmlToken& value) {
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
        [&](std::string_view key, const GmlToken& value) {
          if (key == "id") {
            id = whole(value, "id");
          } else if (key == "label" && value.kind != Kind::open) {
            label = decoded(value.text);
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
        [&](std::string_view key, const GmlToken& value) {
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

  /// The characters that GML writes as &quot; and &#233;.
  static std::string decoded(std::string_view raw) {
    std::string out;
    for (std::size_t at = 0; at < raw.size();) {
      const std::size_t stop = raw[at] == '&' ? raw.substr(0, at + 12).find(';', at) : std::string_view::npos;
      std::string character;
      if (stop != std::string_view::npos) character = entity(raw.substr(at + 1, stop - at - 1));
      out += character.empty() ? std::string(1, raw[at]) : character;
      at = character.empty() ? at + 1 : stop + 1;
    }
    return out;
  }

  static std::string entity(std::string_view name) {
    if (name == "quot") return "\"";
    if (name == "amp") return "&";
    if (name == "apos") return "'";
    if (name == "lt") return "<";
    if (name == "gt") return ">";
    std::uint32_t code = 0;
    if (name.size() < 2 || name[0] != '#') return {};
    const bool hex = name[1] == 'x';
    name.remove_prefix(hex ? 2 : 1);
    const auto read = std::from_chars(name.data(), name.data() + name.size(), code, hex ? 16 : 10);
    if (read.ec != std::errc() || read.ptr != name.data() + name.size()) return {};
    if (code < 0x20 || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return {};
    std::string out;
    if (code < 0x80) {
      out = {static_cast<char>(code)};
    } else if (code < 0x800) {
      out = {static_cast<char>(0xC0 | code >> 6), static_cast<char>(0x80 | (code & 0x3F))};
    } else if (code < 0x10000) {
      out = {static_cast<char>(0xE0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3F)),
             static_cast<char>(0x80 | (code & 0x3F))};
    } else {
      out = {static_cast<char>(0xF0 | code >> 18), static_cast<char>(0x80 | (code >> 12 & 0x3F)),
             static_cast<char>(0x80 | (code >> 6 & 0x3F)), static_cast<char>(0x80 | (code & 0x3F))};
    }
    return out;
  }

  GmlScanner scanner_;
  const char* end_;
  std::unordered_map<std::int64_t, std::int32_t> numbers_;
  std::vector<std::pair<std::int64_t, std::int64_t>> ends_;
};

}  // namespace

LinkGraph parse_gml(const Bytes& bytes, const LinkOptions& options, const Execution& exec) {
  GmlReader reader(bytes.text);
  // A node takes 14 characters at least and an edge 24: what is kept of them is a few times that.
  require_memory(exec, 6 * bytes.text.size(), fmt::format("{}: reading GML", shown_name(bytes.path)),
                 "raise the limit");
  try {
    reader.read();
  } catch (const TextFault& fault) {
    throw_at_line(bytes, fault);
  }
  LinkList list = LinkList::with_room_for(reader.links.size(), true);
  for (const Link& link : reader.links) {
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
