#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/formats.hpp"

/// The .npy format, as NEP 1 and numpy/lib/format.py define it: versions 1.0, 2.0 and 3.0.
namespace fewdim {

/// An array's element type, from a description such as "<f8".
struct NpyType {
  char kind = 'f';       ///< b bool, i u integers, f float; others (c O S U V M m) are known but not numbers to us
  int size = 8;          ///< bytes an element takes
  bool swapped = false;  ///< big-endian
  std::string name;      ///< as the file has it

  bool numeric() const;
  /// What holds the elements without loss: float32 for f2 and f4, else float64.
  Precision precision() const { return kind == 'f' && size <= 4 ? Precision::float32 : Precision::float64; }
  template <class T>
  bool is() const {
    return kind == 'f' && size == int{sizeof(T)} && !swapped;
  }
};

struct NpyHeader {
  NpyType type;
  bool fortran = false;
  std::vector<std::uint64_t> shape;
  std::size_t data_offset = 0;  ///< where the elements start

  // The array as a table: the first extent counts rows, the others are flattened to columns (a 1-d array is one
  // column).
  Index rows = 0;
  Index cols = 0;
  std::uint64_t data_bytes = 0;

  std::string shape_text() const;  ///< "(100, 28, 28)"
  /// Where column c (flattened in C order) lies among the columns of a Fortran-ordered array.
  Index fortran_column(Index c) const;
};

/// Bytes of the whole header, to be found in its first 12; throws DataError when these are not a .npy's.
constexpr std::size_t npy_prefix = 12;
std::size_t npy_header_bytes(std::string_view prefix, const std::string& name);

/// The dict literal that a header holds from `start` on: type, order and shape.
NpyHeader parse_npy_dict(std::string_view text, std::size_t start, const std::string& name);

/// Strict: exactly the three keys, Python literals and nothing else. Checks the shape for overflow. `name` is for
/// messages.
NpyHeader parse_npy_header(std::string_view text, const std::string& name);

/// Throws DataError with the reason and a remedy when the elements are not real numbers, or there is no axis of rows.
void require_numeric(const NpyHeader& header, const std::string& name);
/// Throws DataError unless exactly `found` bytes of elements are what the header promises.
void require_data_bytes(const NpyHeader& header, std::uint64_t found, const std::string& name);

/// Converts elements; returns how many, which is less than `count` when the next one is an integer beyond 2^53.
template <class T>
Index convert_npy(const NpyType& type, const char* raw, T* out, Index count);
/// The error for element `position` of the array (in the order of storage), which convert_npy refused.
[[noreturn]] void refuse_integer(const NpyHeader& header, Index position, const std::string& name);

/// A whole .npy as a data set: a view into the bytes where type, byte order and alignment allow, else a converted copy.
Dataset npy_dataset(const Bytes& bytes, const std::string& name, const ReadOptions& options, const Execution& exec);

/// A version 1.0 header in C order, padded so that the elements start at a multiple of 64.
std::string npy_header_text(std::string_view descr, const std::vector<std::uint64_t>& shape);
template <class T>
constexpr std::string_view npy_descr = sizeof(T) == 4 ? "<f4" : "<f8";

}  // namespace fewdim
