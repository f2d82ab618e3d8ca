#pragma once

#include <type_traits>
#include <vector>

#include "fewdim/dataset.hpp"

namespace fewdim {

/// Some rows of dense data, copied, in the same precision; without names.
inline Dataset chosen_rows(const Dataset& data, const std::vector<Index>& rows) {
  const auto copy = [&](const auto& view) -> Dataset {
    using T = std::remove_const_t<std::remove_pointer_t<std::remove_const_t<decltype(view.data)>>>;
    RowMatrix<T> out(std::ssize(rows), view.cols);
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (Index j = 0; j < view.cols; ++j) out(static_cast<Index>(i), j) = view(rows[i], j);
    return Dataset(std::move(out));
  };
  return data.dense<float>() != nullptr ? copy(*data.dense<float>()) : copy(*data.dense<double>());
}

}  // namespace fewdim
