#pragma once

#include <cstdint>
#include <string_view>

/// The Matrix Market exchange formats (Boisvert, Pozo & Remington, NISTIR 5935, 1996).
namespace fewdim::matrix_market {

enum class Field { real, integer, pattern };
enum class Symmetry { general, symmetric, skew };

struct Header {
  bool coordinate = true;  ///< else array: every number, column by column
  Field field = Field::real;
  Symmetry symmetry = Symmetry::general;
  std::int64_t rows = 0, cols = 0;
  std::int64_t entries = 0;         ///< lines that should follow
  const char* size_line = nullptr;  ///< for messages
  std::string_view body;            ///< what follows the size line
};

/// Reads banner, comments and size line, and checks the sizes against the bytes that follow. Throws TextFault.
Header parse_header(std::string_view text);

}  // namespace fewdim::matrix_market
