#include "data/input/file_format.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <iterator>

namespace fewdim {

namespace {

struct CompressedEnding {
  std::string_view text;
  Compression kind;
};
constexpr CompressedEnding compressed_endings[] = {
    {".gz", Compression::gzip}, {".zst", Compression::zstd}, {".zstd", Compression::zstd}};

/// Of a name in small letters; null where it has none.
const CompressedEnding* compressed_ending(std::string_view name) {
  const auto* found = std::ranges::find_if(compressed_endings,
                                           [&](const CompressedEnding& ending) { return name.ends_with(ending.text); });
  return found == std::end(compressed_endings) ? nullptr : found;
}

}  // namespace

std::string in_small_letters(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

Compression compression_of_name(const std::string& path) {
  const CompressedEnding* ending = compressed_ending(in_small_letters(path));
  return ending ? ending->kind : Compression::none;
}

bool has_ending(const std::string& path, const std::vector<std::string>& endings) {
  const std::string whole = in_small_letters(path);
  std::string_view name = whole;
  if (const CompressedEnding* ending = compressed_ending(name)) name.remove_suffix(ending->text.size());
  return std::ranges::any_of(endings, [&](const std::string& ending) { return name.ends_with(ending); });
}

std::string listed(const std::vector<std::string>& things, std::string_view word) {
  if (things.empty()) return {};
  const std::string last = things.back();
  const std::vector<std::string> before(things.begin(), things.end() - 1);
  return before.empty() ? last : fmt::format("{} {} {}", fmt::join(before, ", "), word, last);
}

}  // namespace fewdim
