#pragma once

#include <functional>

#include "fewdim/dataset.hpp"

namespace fewdim {

/// Hands over all rows in order as dense row-major blocks (cols() apart), whatever the data set is made of: the one
/// loop of the writers. T must be the data set's own precision. Rewinds a stream first where it can.
template <class T>
void for_each_row_block(const Dataset& data, const std::function<void(const T* block, Index rows)>& use);

/// The number of rows; a stream that does not know is read once to count. Throws Unsupported where it could not be read
/// again.
Index count_rows(const Dataset& data);

}  // namespace fewdim
