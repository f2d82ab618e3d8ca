#pragma once

#include <functional>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"

namespace fewdim {

/// What is done to each element on its way into a tile: (x − mean_j) · inverse_scale_j · root_weight_i.
/// Empty vectors do nothing.
struct Standardization {
  Vector<double> mean;
  Vector<double> inverse_scale;
  Vector<double> root_weights;
};

/// Walks the rows of a data set in tiles of fixed size, dealt out in turn to a fixed number of lanes: tile t
/// goes to lane t mod lanes. Lanes run in parallel, the tiles of one lane in order; neither number depends on
/// the threads, so a sum kept per lane and added up in lane order has the same bits at any thread count - and
/// the same whether the rows lie in memory or arrive as a stream.
///
/// C is the type the tile is computed in; the source may be float32 or float64, dense, sparse or a stream.
template <class C>
class RowTiles {
 public:
  /// tile holds `rows` rows, row-major, cols() apart, standardized.
  using Body = std::function<void(Index lane, Index first_row, Index rows, C* tile)>;

  /// spare_rows: room kept free behind each tile, for a body that appends rows of its own.
  RowTiles(const Dataset& data, const Standardization& standardization, Index lanes, Index tile_rows,
           Index spare_rows = 0);

  Index lanes() const { return lanes_; }
  Index tile_rows() const { return tile_rows_; }
  std::uint64_t bytes() const;  ///< of the buffers a scan takes

  /// One pass. Returns the number of rows seen.
  Index scan(const Execution& exec, std::string_view stage, const Body& body) const;

 private:
  Index scan_memory(const Execution& exec, std::string_view stage, const Body& body) const;
  Index scan_stream(const Execution& exec, std::string_view stage, const Body& body) const;
  void standardize(Index first_row, Index rows, C* tile) const;

  const Dataset& data_;
  const Standardization& standardization_;
  Index lanes_;
  Index tile_rows_;
  Index spare_rows_;
};

/// Rows first .. first+count of a dense or sparse data set, as they are, packed row-major.
template <class C>
void load_rows(const Dataset& data, Index first, Index count, C* out);

/// Columns first .. first+count of a dense data set, as they are, packed row-major (rows × count).
template <class C>
void load_columns(const Dataset& data, Index first, Index count, C* out);

/// Rows in a tile of about 1 MiB.
Index tile_rows_for(Index cols, std::size_t scalar_bytes);

}  // namespace fewdim
