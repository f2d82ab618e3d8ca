#include <fmt/format.h>

#include <algorithm>
#include <atomic>

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

/// Options that mean something for delimited text only are refused elsewhere: a wish must not be ignored silently.
void refuse_foreign_options(const ReadOptions& options, Format format, const std::string& path) {
  const auto refuse = [&](const char* option, const std::string& value, const char* belongs) {
    throw InvalidOption(shown_name(path), option, value, fmt::format("means nothing for {}", format_name(format)),
                        fmt::format("leave it out; it is for {}", belongs));
  };
  const bool text = format == Format::csv || format == Format::tsv;
  if (!text && options.delimiter != '\0') refuse("delimiter", fmt::format("'{}'", options.delimiter), "delimited text");
  if (!text && options.header) refuse("header", *options.header ? "true" : "false", "delimited text");
  if (!text && options.na_words != ReadOptions{}.na_words) refuse("na_words", "...", "delimited text");
  if (format != Format::npz && !options.array.empty()) refuse("array", options.array, ".npz files");
}

Dataset parse(Format format, const Bytes& bytes, const ReadOptions& options, const Execution& exec,
              ReadDecisions* decisions) {
  if (format == Format::npy) return parse_npy(bytes, options, exec);
  if (format == Format::npz) return parse_npz(bytes, options, exec);
  if (format == Format::matrix_market) return parse_matrix_market(bytes, options, exec);
  if (format == Format::svmlight) return parse_svmlight(bytes, options, exec);
  if (format == Format::wav) return parse_wav(bytes, options, exec);
  ReadOptions delimited = options;
  delimited.format = format;  // tsv fixes the delimiter
  return parse_delimited(bytes, delimited, exec, decisions);
}

Format format_of_stream(const std::string& path) {
  const Format named = format_of_name(path);
  if (named != Format::automatic || path == "-") return named == Format::automatic ? Format::csv : named;
  std::string head(4096, '\0');
  const auto source = open_source(path);
  if (!source->rewindable()) return Format::csv;  // what is read from a pipe is gone
  head.resize(source->read(head.data(), head.size()));
  return format_of_content(head);
}

Dataset stream(const std::string& path, const ReadOptions& options, const Execution& exec, ReadDecisions* decisions) {
  const Format format = options.format == Format::automatic ? format_of_stream(path) : options.format;
  refuse_foreign_options(options, format, path);
  if (options.sparse)
    throw Unsupported(fmt::format("{}: a stream's rows are dense; {}, or {}", shown_name(path), leave_out("sparse"),
                                  leave_out("stream")));
  if (format == Format::npy && compression_of_name(path) != Compression::none)
    throw Unsupported(fmt::format("{}: a compressed .npy can't be streamed; unpack it, or {}", shown_name(path),
                                  leave_out("stream")));
  if (format == Format::npy) return select_columns(stream_npy(path, options, exec), options, path, exec);
  if (format != Format::csv && format != Format::tsv)
    throw Unsupported(fmt::format("{}: {} can't be streamed; {}, or convert it to .npy or CSV", shown_name(path),
                                  format_name(format), leave_out("stream")));
  ReadOptions delimited = options;
  delimited.format = format;
  return stream_delimited(path, delimited, exec, decisions);
}

/// The bytes as a data set: decompressed, of the format they are in, with the columns that were asked for.
Dataset parse_stored(const Bytes& stored, const std::string& path, const ReadOptions& options, const Execution& exec,
                     ReadDecisions* decisions) {
  const Bytes bytes = decompress(stored, exec);
  // What came through a pipe or was decompressed takes its share of the limit.
  const bool unpacked = bytes.text.data() != stored.text.data();
  const Execution rest = beside(exec, held_bytes(stored) + (unpacked ? held_bytes(bytes) : 0));
  Format format = options.format == Format::automatic ? format_of_name(path) : options.format;
  if (format == Format::automatic) format = format_of_content(bytes.text);
  refuse_foreign_options(options, format, path);
  Dataset data = parse(format, bytes, options, rest, decisions);
  if (format != Format::csv && format != Format::tsv) data = select_columns(std::move(data), options, path, rest);
  if (options.sparse) data = to_sparse(std::move(data), rest);
  return data;
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

Dataset read(const std::string& path, const ReadOptions& options, const Execution& exec, ReadDecisions* decisions) {
  if (options.stream) {
    Dataset data = stream(path, options, exec, decisions);
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
      data = parse_stored(stored, path, options, exec, decisions);
    } catch (...) {
      failed = true;
      throw;
    }
  });
  data.source = path;
  data.hash = hasher.text();
  return data;
}

}  // namespace fewdim
