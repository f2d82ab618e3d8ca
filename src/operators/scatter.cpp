#include "operators/scatter.hpp"

#include <fmt/format.h>

#include <cmath>

#include "data/table/checks.hpp"

namespace fewdim {

const double* weights_at(const ScatterOptions& options, Index first, Index rows) {
  if (!options.weights || options.weights->size() == 0) return nullptr;
  if (first + rows > options.weights->size())
    throw DataError(fmt::format("{}: {} weights for at least {} rows; give one per row", options.who,
                                options.weights->size(), first + rows));
  return options.weights->data() + first;
}

void require_all_weights_used(const ScatterOptions& options, Index rows) {
  if (options.weights && options.weights->size() > 0 && options.weights->size() != rows)
    throw DataError(
        fmt::format("{}: {} weights for {} rows; give one per row", options.who, options.weights->size(), rows));
}

template <class C>
void require_finite_tile(const Vector<double>& mean, const C* tile, Index first, Index rows, const Dataset& data,
                         std::string_view who, const Execution& exec) {
  const Index cols = mean.size();
  Index bad = 0;
  while (bad < cols && std::isfinite(mean[bad])) ++bad;
  if (bad == cols) return;
  if (!data.is_stream()) {
    require_finite(data, who, exec);
  } else {
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < cols; ++j)
        if (const auto x = static_cast<double>(tile[i * cols + j]); !std::isfinite(x))
          throw DataError(fmt::format(
              "{}: a value that is not a number ({}) at row {}, column {} of a stream; fill or drop such rows first",
              who, x, first + i + 1, j + 1));
  }
  throw DataError(fmt::format("{}: the values of column {} are too large to be summed; rescale them", who, bad + 1));
}

template void require_finite_tile(const Vector<double>&, const float*, Index, Index, const Dataset&, std::string_view,
                                  const Execution&);
template void require_finite_tile(const Vector<double>&, const double*, Index, Index, const Dataset&, std::string_view,
                                  const Execution&);

}  // namespace fewdim
