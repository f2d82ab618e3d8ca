#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/describe.hpp"
#include "base/remedy.hpp"
#include "fewdim/completion.hpp"
#include "fewdim/factor_analysis.hpp"
#include "fewdim/ica.hpp"
#include "fewdim/isomap.hpp"
#include "fewdim/kernel_pca.hpp"
#include "fewdim/laplacian.hpp"
#include "fewdim/lle.hpp"
#include "fewdim/lsi.hpp"
#include "fewdim/mds.hpp"
#include "fewdim/method.hpp"
#include "fewdim/mvu.hpp"
#include "fewdim/nmf.hpp"
#include "fewdim/pca.hpp"
#include "fewdim/ppca.hpp"
#include "fewdim/random_projection.hpp"
#include "fewdim/smacof.hpp"
#include "fewdim/svd.hpp"

namespace fewdim {

const std::vector<MethodCard>& methods() {
  static const std::vector<MethodCard> cards{
      pca_card(),
      svd_card(),
      lsi_card(),
      kernel_pca_card(),
      mds_card(),
      smacof_card(),
      isomap_card(),
      lle_card(),
      modified_lle_card(),
      ltsa_card(),
      hessian_lle_card(),
      laplacian_card(),
      diffusion_card(),
      mvu_card(),
      ppca_card(),
      factor_analysis_card(),
      ica_card(),
      nmf_card(),
      random_projection_card(),
      completion_card(),
  };
  return cards;
}

const MethodCard* find_method(std::string_view name) {
  const auto found = std::ranges::find(methods(), name, &MethodCard::name);
  return found == methods().end() ? nullptr : &*found;
}

const MethodCard& method(std::string_view name) {
  if (const MethodCard* card = find_method(name)) return *card;
  std::vector<std::string> names;
  for (const MethodCard& card : methods()) names.push_back(card.name);
  const std::string near = nearest_name(name, names);
  throw InvalidOption("", "method", name, fmt::format("is not one of {}", fmt::join(names, ", ")),
                      near.empty() ? "see " + use_command("methods") : fmt::format("did you mean {}?", near));
}

}  // namespace fewdim
