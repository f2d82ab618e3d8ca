#pragma once

#include <string>
#include <vector>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/export.hpp"

namespace fewdim {

/// One criterion's word on the number of components.
struct KAdvice {
  std::string
      criterion{};  ///< "minka", "parallel", "gavish-donoho", "broken-stick", "kaiser", "elbow", "cross-validation"
  Index k = -1;     ///< -1: the criterion can't say
  std::string sentence{};  ///< why this k, or why none
};

struct ChooseOptions {
  bool center = true;  ///< false for SVD
  bool scale = false;
  int ddof = 1;
  Seed seed = 0;
  std::vector<std::string> criteria{};  ///< empty: all
};

FEWDIM_API std::vector<KAdvice> choose_components(const Dataset& data, const ChooseOptions& options = {},
                                                  const Execution& exec = {});
/// The names that `Components` and `-k auto:NAME` take, and the one that plain `auto` means.
FEWDIM_API const std::vector<std::string>& k_criteria();
FEWDIM_API const std::string& default_k_criterion();

}  // namespace fewdim
