#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cctype>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "data/block.hpp"
#include "data/delimited_number.hpp"
#include "data/input.hpp"
#include "data/line_pieces.hpp"
#include "data/number_scanner.hpp"
#include "links/edge_line.hpp"
#include "links/formats.hpp"
#include "links/name_table.hpp"

namespace fewdim {

namespace {

/// How an edge list is written: told by its first line.
struct EdgeLayout {
  char delimiter = ' ';
  bool weighted = false;
  std::string_view body;  ///< without the header
};

/// Links of one piece of the text.
struct EdgePiece {
  std::vector<std::uint32_t> from, to;
  std::vector<double> weights;
  NameTable names;  ///< of this piece; from and to count in it

  void clear() {
    from.clear(), to.clear(), weights.clear();
    if (!names.names().empty()) names.clear();
  }
};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

bool is_header(std::string_view line, char delimiter) {
  static constexpr std::array<std::string_view, 9> from{"source",       "from",  "src",       "start", "fromnodeid",
                                                        "from_node_id", "node1", "source_id", "citing"};
  static constexpr std::array<std::string_view, 10> to{"target",     "to",   "dst",   "end",       "tonodeid",
                                                       "to_node_id", "dest", "node2", "target_id", "cited"};
  const char* at = line.data();
  const std::string first = lower(edges::take_cell(at, line.data() + line.size(), delimiter));
  const std::string second = lower(edges::take_cell(at, line.data() + line.size(), delimiter));
  return std::ranges::find(from, first) != from.end() && std::ranges::find(to, second) != to.end();
}

EdgeLayout layout_of(const Bytes& bytes, const LinkOptions& options) {
  std::string_view text = bytes.text;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::string_view line = first_data_line(text);
  if (line.empty()) throw DataError(fmt::format("{}: there is no link in it", shown_name(bytes.path)));
  EdgeLayout layout{.delimiter = edge_delimiter(line), .weighted = false, .body = text};
  std::string_view sample = line;
  if (options.header.value_or(is_header(line, layout.delimiter))) {
    layout.body = text.substr(static_cast<std::size_t>(line.data() + line.size() - text.data()));
    sample = first_data_line(layout.body);
    if (sample.empty()) throw DataError(fmt::format("{}: there is no link below the header", shown_name(bytes.path)));
  }
  const Index cells = count_cells(sample, layout.delimiter);
  if (cells < 2 || cells > 3)
    throw_at_line(
        bytes, {sample.data(), fmt::format("a link is 'from to' or 'from to weight'; found {} column{}{}", cells,
                                           cells == 1 ? "" : "s",
                                           cells > 3 ? "; cut the others off, or use --format csv for a matrix" : "")});
  layout.weighted = cells == 3;
  return layout;
}

double take_weight(std::string_view cell) {
  double weight = 0.0;
  const char* const end = cell.data() + cell.size();
  const char* const next = cell.empty() ? nullptr : delimited::number::scan_in_range(cell.data(), end, '.', weight);
  if (next != end)
    throw TextFault{cell.data(), "the weight should be a number, found " + shown_token(cell.data(), end)};
  if (std::string fault = weight_fault(weight); !fault.empty()) throw TextFault{cell.data(), std::move(fault)};
  return weight;
}

/// Any names. The authority on what is wrong with a line.
void parse_names(std::string_view text, const EdgeLayout& layout, EdgePiece& piece) {
  piece.clear();
  edges::each_line(text, [&](std::string_view line) {
    const char *at = line.data(), *const end = at + line.size();
    const auto vertex = [&](const char* which) {
      const char* const place = at ? at : end;
      const std::string_view cell = edges::take_cell(at, end, layout.delimiter);
      if (cell.empty()) throw TextFault{place, fmt::format("the vertex that the link {} is missing", which)};
      return static_cast<std::uint32_t>(piece.names.number_of(cell));
    };
    const std::uint32_t from = vertex("comes from"), to = vertex("leads to");
    if (layout.weighted) {
      if (!at) throw TextFault{end, "the weight is missing, which other links have"};
      piece.weights.push_back(take_weight(edges::take_cell(at, end, layout.delimiter)));
    }
    if (at && at != end)
      throw TextFault{at, fmt::format("the link should end here, as the first has {} columns; found {}",
                                      layout.weighted ? 3 : 2, shown_token(at, end))};
    piece.from.push_back(from);
    piece.to.push_back(to);
    return true;
  });
}

/// A whole number below 2^32 without zeros before it; null where there is none.
inline const char* scan_vertex(const char* at, const char* end, std::uint32_t& value) {
  const char* const start = at;
  std::uint64_t sum = 0;
  while (at != end && delimited::number::is_digit(*at)) sum = sum * 10 + static_cast<unsigned>(*at++ - '0');
  if (at == start || at - start > 10 || sum > UINT32_MAX || (*start == '0' && at - start > 1)) return nullptr;
  value = static_cast<std::uint32_t>(sum);
  return at;
}

/// Whole numbers only; false at the first line that is anything else.
bool parse_numbers(std::string_view text, const EdgeLayout& layout, EdgePiece& piece) {
  piece.clear();
  piece.from.reserve(text.size() / 12);
  piece.to.reserve(text.size() / 12);
  const char *at = text.data(), *const end = at + text.size();
  const char delimiter = layout.delimiter;
  const bool closed = text.ends_with('\n');  // the fast scan may look at the byte after a number
  const auto separator = [&] {
    const char* const start = at;
    while (at != end && *at != delimiter && edges::is_space(*at)) ++at;
    if (delimiter == ' ') {
      while (at != end && edges::is_space(*at)) ++at;
      return at != start;
    }
    if (at == end || *at != delimiter) return false;
    ++at;
    while (at != end && *at == ' ') ++at;
    return true;
  };
  while (at != end) {
    while (at != end && edges::is_space(*at)) ++at;
    if (at == end) break;
    std::uint32_t from = 0, to = 0;
    const char* next = scan_vertex(at, end, from);
    if (!next) {
      if (*at == '\r' && at + 1 != end && at[1] == '\n') ++at;
      if (*at != '\n') {
        if (!edges::is_comment(at, end)) return false;
        at = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
        if (!at) break;
      }
      ++at;
      continue;
    }
    at = next;
    if (!separator()) return false;
    at = scan_vertex(at, end, to);
    if (!at) return false;
    if (layout.weighted) {
      if (!separator()) return false;
      double weight = 0.0;
      at = closed ? delimited::number::scan(at, end, '.', weight)
                  : delimited::number::scan_in_range(at, end, '.', weight);
      if (!at || !weight_fault(weight).empty()) return false;
      piece.weights.push_back(weight);
    }
    while (at != end && (edges::is_space(*at) || *at == '\r')) ++at;
    if (at != end && *at++ != '\n') return false;
    piece.from.push_back(from);
    piece.to.push_back(to);
  }
  return true;
}

/// Links as the numbers in the file, 32 bits each.
struct NumberList {
  std::shared_ptr<std::uint32_t[]> from, to;
  std::shared_ptr<double[]> weights;
  std::int64_t count = 0;
};

std::size_t count_lines(const std::vector<std::string_view>& pieces, const Execution& exec) {
  std::vector<std::size_t> lines(pieces.size());
  parallel_for(exec, std::ssize(pieces), [&](Index i) {
    const std::string_view piece = pieces[static_cast<std::size_t>(i)];
    lines[static_cast<std::size_t>(i)] = static_cast<std::size_t>(std::count(piece.begin(), piece.end(), '\n')) + 1;
  });
  std::size_t sum = 0;
  for (const std::size_t count : lines) sum += count;
  return sum;
}

/// Parses pieces in waves and gathers their links; `parse` fills a piece or returns false, which ends it all, and
/// `join` sees each piece in order before its links are copied.
template <class Parse, class Join>
bool gather(const Bytes& bytes, const EdgeLayout& layout, const Execution& exec, NumberList& list, Parse&& parse,
            Join&& join) {
  const std::vector<std::string_view> pieces = cut_into_pieces(layout.body);
  const std::size_t most = count_lines(pieces, exec);
  require_memory(exec, most * (layout.weighted ? 16 : 8),
                 fmt::format("{}: reading {} links", shown_name(bytes.path), most), "raise the limit");
  list.from = make_large_array<std::uint32_t>(most);
  list.to = make_large_array<std::uint32_t>(most);
  if (layout.weighted) list.weights = make_large_array<double>(most);
  list.count = 0;
  std::vector<EdgePiece> wave(std::min(pieces.size(), pieces_a_wave));
  std::atomic<bool> given_up = false;
  parse_pieces(
      bytes, pieces, exec,
      [&](std::size_t i, std::string_view text) {
        if (!given_up && !parse(text, wave[i % pieces_a_wave])) given_up = true;
      },
      [&](std::size_t first, std::size_t last) {
        if (given_up) return;
        std::vector<std::int64_t> starts;
        for (std::size_t p = 0; p < last - first; ++p) {
          join(p, wave[p]);
          starts.push_back(list.count);
          list.count += std::ssize(wave[p].from);
        }
        parallel_for(exec, std::ssize(starts), [&](Index p) {
          EdgePiece& piece = wave[static_cast<std::size_t>(p)];
          const std::int64_t to = starts[static_cast<std::size_t>(p)];
          std::copy(piece.from.begin(), piece.from.end(), list.from.get() + to);
          std::copy(piece.to.begin(), piece.to.end(), list.to.get() + to);
          if (layout.weighted) std::copy(piece.weights.begin(), piece.weights.end(), list.weights.get() + to);
        });
      });
  return !given_up;
}

/// Cuts a long array into tasks that don't depend on the thread count.
template <class Use>
void each_slice(const Execution& exec, std::int64_t count, Use&& use) {
  constexpr std::int64_t step = std::int64_t{1} << 18;
  parallel_for(exec, (count + step - 1) / step,
               [&](Index task) { use(task * step, std::min(count, (task + 1) * step)); });
}

LinkList as_links(NumberList&& list) {
  return {std::reinterpret_pointer_cast<std::int32_t[]>(list.from),
          std::reinterpret_pointer_cast<std::int32_t[]>(list.to), list.weights, list.count};
}

/// Numbers as they are become vertices 0, 1, …: the number of numbers below them.
LinkGraph number_vertices(const Bytes& bytes, NumberList&& list, const LinkOptions& options, const Execution& exec) {
  std::vector<std::uint32_t> largest(static_cast<std::size_t>((list.count >> 18) + 1), 0);
  each_slice(exec, list.count, [&](std::int64_t first, std::int64_t last) {
    std::uint32_t most = 0;
    for (std::int64_t e = first; e < last; ++e) most = std::max({most, list.from[e], list.to[e]});
    largest[static_cast<std::size_t>(first >> 18)] = most;
  });
  const std::uint64_t size = std::uint64_t{*std::ranges::max_element(largest)} + 1;
  VertexNames names;
  std::uint64_t vertices = 0;
  if (size > 16 * static_cast<std::uint64_t>(list.count) + (1U << 20)) {  // few and far between: sort them
    names.numbers.reserve(2 * static_cast<std::size_t>(list.count));
    names.numbers.assign(list.from.get(), list.from.get() + list.count);
    names.numbers.insert(names.numbers.end(), list.to.get(), list.to.get() + list.count);
    std::ranges::sort(names.numbers);
    names.numbers.erase(std::unique(names.numbers.begin(), names.numbers.end()), names.numbers.end());
    vertices = names.numbers.size();
    const auto place = [&](std::uint32_t number) {
      return static_cast<std::uint32_t>(std::ranges::lower_bound(names.numbers, number) - names.numbers.begin());
    };
    each_slice(exec, list.count, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t e = first; e < last; ++e) list.from[e] = place(list.from[e]), list.to[e] = place(list.to[e]);
    });
  } else {
    require_memory(exec, size * 5, fmt::format("{}: a table of {} numbers", shown_name(bytes.path), size),
                   "raise the limit");
    std::vector<std::uint8_t> there(size, 0);
    each_slice(exec, list.count, [&](std::int64_t first, std::int64_t last) {
      const auto mark = [&](std::uint32_t number) {
        std::atomic_ref<std::uint8_t>(there[number]).store(1, std::memory_order_relaxed);
      };
      for (std::int64_t e = first; e < last; ++e) mark(list.from[e]), mark(list.to[e]);
    });
    for (const std::uint8_t mark : there) vertices += mark;
    const std::uint32_t first_number = there[0] != 0 ? 0 : 1;
    if (vertices + first_number == size) {
      names.first = first_number;
    } else {
      names.numbers.reserve(vertices);
      for (std::size_t number = 0; number < size; ++number)
        if (there[number] != 0) names.numbers.push_back(static_cast<std::uint32_t>(number));
    }
    std::vector<std::uint32_t> place;
    if (!names.numbers.empty()) {
      place.resize(size);
      for (std::size_t v = 0; v < names.numbers.size(); ++v) place[names.numbers[v]] = static_cast<std::uint32_t>(v);
    }
    const auto renumber = [&](std::uint32_t& number) { number = place.empty() ? number - names.first : place[number]; };
    if (!place.empty() || names.first != 0)
      each_slice(exec, list.count, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t e = first; e < last; ++e) renumber(list.from[e]), renumber(list.to[e]);
      });
  }
  require_vertex_count(vertices, shown_name(bytes.path));
  return build_links(static_cast<Index>(vertices), as_links(std::move(list)), options, std::move(names),
                     shown_name(bytes.path), exec);
}

/// A name as it was meant: doubled quotes are one.
std::string unquoted(std::string_view raw) {
  std::string out(raw);
  for (std::size_t at = out.find("\"\""); at != std::string::npos; at = out.find("\"\"", at + 1)) out.erase(at, 1);
  return out;
}

LinkGraph read_named(const Bytes& bytes, const EdgeLayout& layout, const LinkOptions& options, const Execution& exec) {
  NumberList list;
  NameTable names;
  gather(
      bytes, layout, exec, list,
      [&](std::string_view text, EdgePiece& piece) {
        parse_names(text, layout, piece);
        return true;
      },
      [&](std::size_t, EdgePiece& piece) {
        std::vector<std::uint32_t> number;  // of the piece's names among all
        number.reserve(piece.names.names().size());
        for (std::size_t i = 0; i < piece.names.names().size(); ++i)
          number.push_back(static_cast<std::uint32_t>(names.number_of(piece.names.names()[i], piece.names.hash_at(i))));
        require_vertex_count(names.names().size(), shown_name(bytes.path));
        for (std::uint32_t& vertex : piece.from) vertex = number[vertex];
        for (std::uint32_t& vertex : piece.to) vertex = number[vertex];
      });
  VertexNames texts;
  texts.texts.reserve(names.names().size());
  for (const std::string_view name : names.names()) texts.texts.push_back(unquoted(name));
  const auto vertices = static_cast<Index>(texts.texts.size());
  return build_links(vertices, as_links(std::move(list)), options, std::move(texts), shown_name(bytes.path), exec);
}

}  // namespace

std::string_view first_data_line(std::string_view text) {
  std::string_view found;
  edges::each_line(text, [&](std::string_view line) {
    found = line;
    return false;
  });
  return found;
}

char edge_delimiter(std::string_view line) {
  for (const char delimiter : {'\t', ',', ';'})
    if (line.find(delimiter) != std::string_view::npos) return delimiter;
  return ' ';
}

Index count_cells(std::string_view line, char delimiter) {
  Index cells = 0;
  for (const char* at = line.data(); at; ++cells) edges::take_cell(at, line.data() + line.size(), delimiter);
  return cells;
}

LinkGraph parse_edges(const Bytes& bytes, const LinkOptions& options, const Execution& exec) {
  const EdgeLayout layout = layout_of(bytes, options);
  NumberList list;
  const auto nothing = [](std::size_t, EdgePiece&) {};
  if (gather(
          bytes, layout, exec, list,
          [&](std::string_view text, EdgePiece& piece) { return parse_numbers(text, layout, piece); }, nothing))
    return number_vertices(bytes, std::move(list), options, exec);
  list = {};
  return read_named(bytes, layout, options, exec);
}

}  // namespace fewdim
