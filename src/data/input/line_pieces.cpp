#include "data/input/line_pieces.hpp"

#include <fmt/format.h>

#include "base/parallel.hpp"
#include "data/input/input.hpp"

namespace fewdim {

void throw_at_line(const Bytes& bytes, const TextFault& fault) {
  const auto before = bytes.text.substr(0, static_cast<std::size_t>(fault.at - bytes.text.data()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const auto column = before.size() - (before.rfind('\n') + 1) + 1;  // npos + 1 is 0: the text's start
  throw DataError(fmt::format("{}:{}:{}: {}", shown_name(bytes.path), line, column, fault.what));
}

std::vector<std::string_view> cut_into_pieces(std::string_view text) {
  constexpr std::size_t piece_bytes = std::size_t{1} << 20;
  std::vector<std::string_view> pieces;
  while (!text.empty()) {
    const std::size_t newline = text.find('\n', std::min(piece_bytes, text.size()) - 1);
    const std::size_t size = newline == std::string_view::npos ? text.size() : newline + 1;
    pieces.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return pieces;
}

void parse_pieces(const Bytes& bytes, const std::vector<std::string_view>& pieces, const Execution& exec,
                  const std::function<void(std::size_t, std::string_view)>& parse,
                  const std::function<void(std::size_t, std::size_t)>& join) {
  for (std::size_t first = 0; first < pieces.size(); first += pieces_a_wave) {
    const std::size_t last = std::min(pieces.size(), first + pieces_a_wave);
    std::vector<std::optional<TextFault>> faults(last - first);
    parallel_for(exec, static_cast<Index>(last - first), [&](Index i) {
      const auto p = static_cast<std::size_t>(i);
      try {
        parse(first + p, pieces[first + p]);
      } catch (TextFault& fault) {
        faults[p] = std::move(fault);
      }
    });
    for (const auto& fault : faults)
      if (fault) throw_at_line(bytes, *fault);
    join(first, last);
    const char* done = pieces[last - 1].data() + pieces[last - 1].size();
    report_progress(exec, "read", done - bytes.text.data(), static_cast<Index>(bytes.text.size()), "bytes");
  }
}

}  // namespace fewdim
