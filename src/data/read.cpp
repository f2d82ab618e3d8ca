#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/remedy.hpp"
#include "data/formats.hpp"
#include "data/hash.hpp"
#include "data/input/file_format.hpp"
#include "data/input/input.hpp"
#include "data/memory_budget.hpp"
#include "data/table/reshape.hpp"
#include "fewdim/error.hpp"

namespace fewdim {

namespace {

using Cards = std::vector<FormatCard>;

/// Options that mean something for some formats only are refused elsewhere: a wish must not be ignored silently.
void refuse_foreign_options(const Cards& cards, const ReadOptions& options, const FormatCard& card,
                            const std::string& path) {
  const auto refuse = [&](TextOption option, bool given, const char* name, const std::string& value) {
    if (!given || card.text_options.has(option)) return;
    std::vector<std::string> owners;
    for (const FormatCard& each : cards)
      if (each.text_options.has(option)) owners.push_back(each.title);
    throw InvalidOption(shown_name(path), name, value, fmt::format("means nothing for {}", card.title),
                        fmt::format("leave it out; it is for {}", listed(owners, "and")));
  };
  refuse(TextOption::delimiter, options.delimiter != '\0', "delimiter", fmt::format("'{}'", options.delimiter));
  refuse(TextOption::header, options.header.has_value(), "header", options.header.value_or(false) ? "true" : "false");
  refuse(TextOption::na_words, options.na_words != ReadOptions{}.na_words, "na_words", "...");
  require_own_options(cards, card, options.own, &FormatCard::read_fields, shown_name(path));
}

bool is_folder(const std::string& path) {
  std::error_code unknown;
  return path != "-" && std::filesystem::is_directory(path, unknown);
}

/// The one that was asked for or that recognizes the folder; null: the path is no folder, or one of no format, which
/// load() refuses.
const FormatCard* folder_format(const Cards& cards, const std::string& path, const std::string& asked) {
  if (!is_folder(path)) return nullptr;
  if (!asked.empty()) {
    const FormatCard& card = format(cards, asked);
    return card.recognize_folder ? &card : nullptr;
  }
  const auto fits = [&](const FormatCard& card) { return card.recognize_folder && card.recognize_folder(path); };
  const auto found = std::ranges::find_if(cards, fits);
  return found == cards.end() ? nullptr : &*found;
}

/// By the options, then by the name, then by the beginning that `head` delivers.
template <class Head>
const FormatCard& format_of_input(const Cards& cards, const std::string& path, const std::string& asked,
                                  const Head& head) {
  if (!asked.empty()) return format(cards, asked);
  const FormatCard* named = format_of_name(cards, path);
  return named ? *named : format_of_content(cards, head());
}

/// Nothing of a pipe: what is read from it is gone.
std::string first_bytes(const std::string& path) {
  if (path == "-") return {};
  std::string head(4096, '\0');
  const auto source = open_source(path);
  if (!source->rewindable()) return {};
  head.resize(source->read(head.data(), head.size()));
  return head;
}

Dataset stream(const Cards& cards, const std::string& path, const ReadOptions& options, const Execution& exec,
               ReadDecisions* decisions) {
  const FormatCard* folder = folder_format(cards, path, options.format);
  const FormatCard& card =
      folder ? *folder : format_of_input(cards, path, options.format, [&] { return first_bytes(path); });
  refuse_foreign_options(cards, options, card, path);
  if (options.sparse)
    throw Unsupported(fmt::format("{}: a stream's rows are dense; {}, or {}", shown_name(path), leave_out("sparse"),
                                  leave_out("stream")));
  if (!card.stream) {
    const auto streams = [](const FormatCard& each) { return each.stream && each.write; };
    throw Unsupported(fmt::format("{}: {} can't be streamed; {}, or convert it to {}", shown_name(path), card.title,
                                  leave_out("stream"), titles_of(cards, streams, "or")));
  }
  Dataset data = card.stream(path, options, exec, decisions);
  return card.chooses_columns ? data : select_columns(std::move(data), options, path, exec);
}

/// What a reader delivers, with the columns that were asked for.
Dataset read_as(const Cards& cards, const FormatCard& card, const Bytes& bytes, const ReadOptions& options,
                const Execution& exec, ReadDecisions* decisions) {
  refuse_foreign_options(cards, options, card, bytes.path);
  if (!card.read) throw Unsupported(fmt::format("{}: {} is written only", shown_name(bytes.path), card.title));
  Dataset data = card.read(bytes, options, exec, decisions);
  if (!card.chooses_columns) data = select_columns(std::move(data), options, bytes.path, exec);
  if (options.sparse) data = to_sparse(std::move(data), exec);
  return data;
}

/// The bytes as a data set: decompressed, of the format they are in.
Dataset parse_stored(const Cards& cards, const Bytes& stored, const std::string& path, const ReadOptions& options,
                     const Execution& exec, ReadDecisions* decisions) {
  const Bytes bytes = decompress(stored, exec);
  // What came through a pipe or was decompressed takes its share of the limit.
  const bool unpacked = bytes.text.data() != stored.text.data();
  const Execution rest = beside(exec, held_bytes(stored) + (unpacked ? held_bytes(bytes) : 0));
  const FormatCard& card = format_of_input(cards, path, options.format, [&] { return bytes.text; });
  return read_as(cards, card, bytes, options, rest, decisions);
}

/// Hashes the bytes as they are stored. What an archive holds is copied out of it as a rule: there the pages are given
/// back at once, so that they are not in memory beside the copy.
void hash_all(const Bytes& stored, Hasher& hasher, const std::atomic<bool>& stop) {
  constexpr std::size_t step = std::size_t{4} << 20;
  const bool archive = stored.text.starts_with("PK");
  for (std::size_t at = 0; at < stored.text.size() && !stop; at += step) {
    const std::string_view part = stored.text.substr(at, step);
    hasher.update(part);
    if (archive) release_pages(stored, part);
  }
}

}  // namespace

Dataset read_from(const std::vector<FormatCard>& cards, const std::string& path, const ReadOptions& options,
                  const Execution& exec, ReadDecisions* decisions) {
  if (options.stream) {
    Dataset data = stream(cards, path, options, exec, decisions);
    data.source = path;
    return data;
  }
  if (const FormatCard* folder = folder_format(cards, path, options.format)) {
    Bytes nothing;
    nothing.path = path;
    Dataset data = read_as(cards, *folder, nothing, options, exec, decisions);
    data.source = path;
    return data;
  }
  const Bytes stored = load(path, exec);
  // Side by side. The calling thread parses, so that progress is told there.
  Dataset data;
  Hasher hasher;
  std::atomic<bool> failed = false;
  parallel_for(exec, 2, [&](Index task) {
    if (task == 1) return hash_all(stored, hasher, failed);
    try {
      data = parse_stored(cards, stored, path, options, exec, decisions);
    } catch (...) {
      failed = true;
      throw;
    }
  });
  data.source = path;
  data.hash = hasher.text();
  return data;
}

Dataset read(const std::string& path, const ReadOptions& options, const Execution& exec, ReadDecisions* decisions) {
  return read_from(formats(), path, options, exec, decisions);
}

}  // namespace fewdim
