#include "solvers/dissection.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

namespace fewdim {

std::vector<std::int32_t> dissection_order(const SparseSymmetric& a, const Execution&) {
  const std::vector<int> offsets(a.offsets.begin(), a.offsets.end());
  const Eigen::Map<const Eigen::SparseMatrix<double>> view(a.size(), a.size(), a.nonzeros(), offsets.data(),
                                                           a.columns.data(), a.values.data());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(Eigen::SparseMatrix<double>(view), order);
  return {order.indices().data(), order.indices().data() + a.size()};
}

}  // namespace fewdim
