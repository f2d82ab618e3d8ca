#pragma once

#include <vector>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"

namespace fewdim {

/// The entries that a table of ratings has, by row and by column.
struct RatingsTable {
  Csr<double> rows{};     ///< of each user: items and values
  Csr<double> columns{};  ///< of each item: users and values
  double lowest = 0.0, highest = 0.0, mean = 0.0, deviation = 0.0;
  Index empty_rows = 0, empty_columns = 0;

  std::int64_t entries() const { return rows.offsets.back(); }
};

/// Dense rows have their entries where they are not NaN, sparse ones where they are stored. Throws DataError for an
/// entry that is not finite, and where there is none at all.
Csr<double> observed_entries(const Dataset& data, const char* who, const Execution& exec);
RatingsTable make_ratings(Csr<double> rows, const Execution& exec);
Csr<double> transposed(const Csr<double>& rows, const Execution& exec);

std::uint64_t ratings_bytes(Index rows, Index cols, std::int64_t entries);

/// Cuts rows into tasks of about as many entries, whatever the thread count; where each begins, and the end.
std::vector<Index> cut_by_entries(const Csr<double>& rows);

}  // namespace fewdim
