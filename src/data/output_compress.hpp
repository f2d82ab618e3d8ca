#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "base/output_file.hpp"
#include "data/input/input.hpp"

namespace fewdim {

/// Compresses what is written and hands it to a file. finish() writes the end; call it once.
class CompressedOutput {
 public:
  virtual ~CompressedOutput() = default;
  virtual void write(std::string_view text) = 0;
  virtual void finish() = 0;
};

std::unique_ptr<CompressedOutput> compressed_output(OutputFile& out, Compression kind);

}  // namespace fewdim
