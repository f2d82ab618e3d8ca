#pragma once

#include "data/memory_budget.hpp"
#include "data/numpy/npy.hpp"
#include "data/zip/zip.hpp"

/// The 1-d arrays of numbers that sparse matrices in .npz archives are made of.
namespace fewdim {

struct NpzArray {
  std::string name;  ///< "file.npz: array 'indptr'"
  NpyHeader header;
  Bytes bytes;

  const char* raw() const { return bytes.text.data() + header.data_offset; }
  std::int64_t count() const { return header.rows; }
  std::int64_t integer(std::int64_t i) const;  ///< of an int32 or int64 array
  /// Elements from .. to are copied, and their place in the archive is not needed any more.
  void release(std::int64_t from, std::int64_t to) const;
};

/// Numbers that a CsrView can point to: the archive's own where type and alignment allow, or a converted copy.
template <class T>
struct NpzNumbers {
  const T* data = nullptr;
  std::shared_ptr<const void> owner;
  T* own = nullptr;  ///< the same numbers where they are a copy, which may be changed
};

/// Unpacks and checks a member; throws DataError when it is not a 1-d array of numbers.
NpzArray load_array(const ZipReader& zip, const ZipMember& member, const std::string& name, const Execution& exec);
/// Throws DataError unless it holds int32 or int64.
void require_index_type(const NpzArray& array);

/// indptr, widened: `lines + 1` numbers that start at 0, never fall, and end within `entries`.
std::shared_ptr<std::int64_t[]> offsets_of(const NpzArray& array, std::int64_t lines, std::int64_t entries,
                                           MemoryBudget& budget);
/// The first `count` row or column numbers, each checked to be in 0 .. bound-1.
NpzNumbers<std::int32_t> indices_of(const NpzArray& array, std::int64_t count, std::int64_t bound, MemoryBudget& budget,
                                    const Execution& exec);
/// The first `count` values.
template <class T>
NpzNumbers<T> values_of(const NpzArray& array, std::int64_t count, MemoryBudget& budget, const Execution& exec);

}  // namespace fewdim
