#pragma once

#include <vector>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"

namespace fewdim {

/// Entries in the order of the input, seen where they lie; row and column numbers are in range.
template <class T>
struct TripleView {
  const std::int32_t* rows = nullptr;
  const std::int32_t* columns = nullptr;
  const T* values = nullptr;
  std::int64_t count = 0;
};

/// The same, owned.
template <class T>
struct Triples {
  std::shared_ptr<std::int32_t[]> rows, columns;
  std::shared_ptr<T[]> values;
  std::int64_t count = 0;

  static Triples with_room_for(std::size_t entries);
  TripleView<T> view() const { return {rows.get(), columns.get(), values.get(), count}; }
};

/// Sparse rows from entries in any order. Entries of one place are summed in the order of the input; stored zeros are
/// kept. Bits do not depend on the thread count.
template <class T>
Dataset csr_from_triples(Index rows, Index cols, const TripleView<T>& entries, const Execution& exec);
/// Entries that come row by row already become the result without another copy.
template <class T>
Dataset csr_from_triples(Index rows, Index cols, Triples<T>&& entries, const Execution& exec);

/// Makes columns ascend in every row and sums repeats, in place; offsets shrink with them.
template <class T>
void order_rows(Index rows, std::int64_t* offsets, std::int32_t* columns, T* values, const Execution& exec);

/// Whether columns ascend in every row, without repeats.
bool rows_in_order(Index rows, const std::int64_t* offsets, const std::int32_t* columns, const Execution& exec);

/// Working bytes of csr_from_triples, the result included.
template <class T>
std::uint64_t csr_builder_bytes(std::uint64_t rows, std::uint64_t entries);

/// Keeps the parts of a CsrView alive together.
struct CsrParts {
  std::shared_ptr<const void> offsets, columns, values;
};

}  // namespace fewdim
