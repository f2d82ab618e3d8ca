#pragma once

#include <string>
#include <vector>

#include "fewdim/export.hpp"
#include "fewdim/model.hpp"

namespace fewdim {

/// An array of a model where it lies, by its name in the model file. It lives as long as the model.
struct ModelArray {
  std::string name;
  const double* numbers = nullptr;
  Index rows = 0, cols = 1;
  Index row_stride = 1, col_stride = 1;
  bool vector = false;
};

/// The arrays of numbers that a model's shape holds, empty ones left out.
FEWDIM_API std::vector<ModelArray> shape_arrays(const Model& model);
/// Its numbers that are no arrays.
FEWDIM_API std::vector<std::pair<std::string, double>> shape_numbers(const Model& model);

}  // namespace fewdim
