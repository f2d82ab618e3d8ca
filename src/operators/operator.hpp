#pragma once

#include <concepts>
#include <functional>

#include "fewdim/types.hpp"

namespace fewdim {

/// What a solver sees of a matrix: its size and its products with a block of columns. Vectors are double;
/// float32 data keep their float32 inside the operator, in the products.
template <class A>
concept LinearOperator = requires(const A& a, ConstBlock<double> x, Block<double> y) {
  { a.rows() } -> std::same_as<Index>;
  { a.cols() } -> std::same_as<Index>;
  a.apply(x, y);          // y = A x
  a.apply_adjoint(x, y);  // y = Aᵀ x
};

/// A symmetric matrix by its products alone, so that a solver is compiled once.
class SymmetricOperator {
 public:
  using Apply = std::function<void(ConstBlock<double> x, Block<double> y)>;

  SymmetricOperator(Index size, Apply apply) : size_(size), apply_(std::move(apply)) {}

  Index size() const { return size_; }
  void apply(ConstBlock<double> x, Block<double> y) const { apply_(x, y); }

 private:
  Index size_;
  Apply apply_;
};

}  // namespace fewdim
