#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/output_file.hpp"
#include "fewdim/io.hpp"

/// One parser and one writer per file format. fewdim::read() opens, decompresses, finds the format and calls
/// one of these; each lives in the source file of its name.
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

void write_delimited(const Dataset& data, OutputFile& out, char delimiter, const WriteOptions& options,
                     const Execution& exec);
void write_npy(const Dataset& data, OutputFile& out);
void write_npz(const Dataset& data, OutputFile& out);  ///< dense: array "data"; sparse: as scipy.sparse.save_npz does
void write_matrix_market(const Dataset& data, OutputFile& out);
void write_svmlight(const Dataset& data, OutputFile& out);
void write_wav(const Dataset& data, OutputFile& out, const WriteOptions& options);

}  // namespace fewdim
