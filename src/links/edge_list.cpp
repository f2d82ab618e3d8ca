#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/remedy.hpp"
#include "data/input/input.hpp"
#include "data/input/line_pieces.hpp"
#include "data/table/block.hpp"
#include "links/edge_parse.hpp"
#include "links/formats.hpp"

namespace fewdim {

namespace {

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
                 fmt::format("{}: reading {} links", shown_name(bytes.path), most), raise_option("memory_limit"));
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
    require_memory(exec, 8 * static_cast<std::uint64_t>(list.count),
                   fmt::format("{}: sorting its numbers", shown_name(bytes.path)), raise_option("memory_limit"));
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
                   raise_option("memory_limit"));
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
