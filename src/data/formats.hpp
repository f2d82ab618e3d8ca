#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/byte_sink.hpp"
#include "fewdim/formats.hpp"
#include "fewdim/io.hpp"

/// One parser and one writer per file format, which its card names: fewdim::read() opens, decompresses, finds the card
/// and calls its functions. Each lives in the source file of its name.
namespace fewdim {

/// The bytes of an input: a file mapped into memory, or what a pipe or a decompressor delivered.
struct Bytes {
  std::string_view text;
  std::shared_ptr<const void> owner;  ///< keeps `text` alive; a Dataset that points into it must keep this
  std::string path;                   ///< for messages; "-" reads as "standard input" there
  bool mapped = false;                ///< `text` is a file's pages, which can be given back; see release_pages()
};

using ReadDecisions = std::vector<ReadDecision>;

Dataset parse_delimited(const Bytes& bytes, const ReadOptions& options, const Execution& exec,
                        ReadDecisions* decisions = nullptr);                               // delimited.cpp
Dataset parse_npy(const Bytes& bytes, const ReadOptions& options, const Execution& exec);  // npy.cpp
Dataset parse_npz(const Bytes& bytes, const ReadOptions& options, const Execution& exec);  // npz.cpp
Dataset parse_matrix_market(const Bytes& bytes, const ReadOptions& options,
                            const Execution& exec);                                             // matrix_market.cpp
Dataset parse_svmlight(const Bytes& bytes, const ReadOptions& options, const Execution& exec);  // svmlight.cpp
Dataset parse_wav(const Bytes& bytes, const ReadOptions& options, const Execution& exec);       // wav.cpp

/// Streams deliver rows without holding the whole input; "-" is standard input.
Dataset stream_delimited(const std::string& path, const ReadOptions& options, const Execution& exec,
                         ReadDecisions* decisions = nullptr);                                    // delimited_stream.cpp
Dataset stream_npy(const std::string& path, const ReadOptions& options, const Execution& exec);  // npy_stream.cpp

void write_delimited(const Dataset& data, ByteSink& out, char delimiter, const WriteOptions& options,
                     const Execution& exec);
void write_npy(const Dataset& data, ByteSink& out);
void write_npz(const Dataset& data, ByteSink& out);  ///< dense: array "data"; sparse: as scipy.sparse.save_npz does
void write_matrix_market(const Dataset& data, ByteSink& out);
void write_svmlight(const Dataset& data, ByteSink& out);
void write_wav(const Dataset& data, ByteSink& out, const WriteOptions& options);

/// What the functions of fewdim/formats.hpp do, with a list of cards.
const FormatCard* find_format(const std::vector<FormatCard>& cards, std::string_view name);
/// The same; throws InvalidOption with the nearest name.
const FormatCard& format(const std::vector<FormatCard>& cards, std::string_view name);
const FormatCard* format_of_name(const std::vector<FormatCard>& cards, const std::string& path);
/// The first that recognizes the beginning of a file, whose compression is undone; text in cells where none does.
const FormatCard& format_of_content(const std::vector<FormatCard>& cards, std::string_view head);
const FormatCard* format_of_target(const std::vector<FormatCard>& cards, const std::string& path,
                                   std::string_view name);

/// read() and write() with a list of formats: the public ones take formats().
Dataset read_from(const std::vector<FormatCard>& cards, const std::string& path, const ReadOptions& options,
                  const Execution& exec, ReadDecisions* decisions);
void write_to(const std::vector<FormatCard>& cards, const Dataset& data, const std::string& path,
              const WriteOptions& options, const Execution& exec);

std::string written_endings(const std::vector<FormatCard>& cards);

/// Throws InvalidOption for an option of another format, and for one of none. `own`: ReadOptions::own or that of
/// WriteOptions, whose fields are those of `fields`.
void require_own_options(const std::vector<FormatCard>& cards, const FormatCard& card, const OptionMap& own,
                         std::vector<OptionField> FormatCard::*fields, const std::string& file);
/// Titles of the cards that fit: "CSV and TSV", "CSV, TSV or NumPy .npy".
std::string titles_of(const std::vector<FormatCard>& cards, bool (*fits)(const FormatCard&), std::string_view word);

}  // namespace fewdim
