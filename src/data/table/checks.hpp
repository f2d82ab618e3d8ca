#pragma once

#include <string_view>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"

namespace fewdim {

/// Throws DataError when a number is missing (NaN) or infinite: how many of each, in how many columns, and where the
/// first is. Runs at the speed of memory. A stream is passed over: check its tiles.
void require_finite(const Dataset& data, std::string_view who, const Execution& exec);

/// The same for some rows of a stream, of which the first is row `first_row`; the names are those of `data`.
template <class T>
void require_finite_rows(const DenseView<T>& rows, Index first_row, const Dataset& data, std::string_view who);

/// Throws DataError for a data set of texts, naming the method that takes them.
void require_numbers(const Dataset& data, std::string_view who);

/// Throws DataError when there are no rows or no columns.
void require_nonempty(const Dataset& data, std::string_view who);

/// Throws DataError unless the offsets start at 0 and never fall, and each row's columns rise and lie in range. Only
/// then may the entries be touched.
template <class T>
void validate_csr(const CsrView<T>& csr, std::string_view who);

extern template void require_finite_rows(const DenseView<float>&, Index, const Dataset&, std::string_view);
extern template void require_finite_rows(const DenseView<double>&, Index, const Dataset&, std::string_view);
extern template void validate_csr(const CsrView<float>&, std::string_view);
extern template void validate_csr(const CsrView<double>&, std::string_view);

}  // namespace fewdim
