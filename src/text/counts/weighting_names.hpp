#pragma once

#include <array>
#include <utility>

#include "base/describe.hpp"
#include "fewdim/words.hpp"

namespace fewdim {

template <>
struct EnumNames<Weighting> {
  static constexpr std::array names{
      std::pair{Weighting::log_entropy, "log-entropy"}, std::pair{Weighting::counts, "counts"},
      std::pair{Weighting::binary, "binary"},           std::pair{Weighting::histogram, "histogram"},
      std::pair{Weighting::tf_idf, "tf-idf"},           std::pair{Weighting::tf_idf_plain, "tf-idf-plain"},
      std::pair{Weighting::log_tf_idf, "log-tf-idf"},   std::pair{Weighting::bm25, "bm25"}};
};

}  // namespace fewdim
