#pragma once

#include <memory>

#include "base/byte_sink.hpp"
#include "data/input/input.hpp"

namespace fewdim {

/// Compresses what is written and hands it to a file. finish() writes the end; call it once.
class CompressedOutput : public ByteSink {
 public:
  virtual void finish() = 0;
};

std::unique_ptr<CompressedOutput> compressed_output(ByteSink& out, Compression kind);

}  // namespace fewdim
