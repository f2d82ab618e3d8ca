#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "fewdim/error.hpp"
#include "fewdim/model.hpp"

/// What tests of embeddings compare.
namespace fewdim::test {

inline Matrix<double> distances_of(const Matrix<double>& a, const Matrix<double>& b) {
  Matrix<double> d(a.rows(), b.rows());
  for (Index i = 0; i < a.rows(); ++i)
    for (Index j = 0; j < b.rows(); ++j) d(i, j) = (a.row(i) - b.row(j)).norm();
  return d;
}

/// `a` with the signs of its columns turned to those of `b`.
inline Matrix<double> aligned(Matrix<double> a, const Matrix<double>& b) {
  for (Index c = 0; c < a.cols(); ++c)
    if (a.col(c).dot(b.col(c)) < 0) a.col(c) *= -1;
  return a;
}

/// Equal up to the signs of columns, to a share of the largest entry.
inline void expect_same(const Matrix<double>& a, const Matrix<double>& b, double tolerance) {
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.cols(), b.cols());
  EXPECT_LE((aligned(a, b) - b).cwiseAbs().maxCoeff(), tolerance * b.cwiseAbs().maxCoeff());
}

/// A measure of the fit by its name.
inline double measure(const Model& model, const std::string& name) {
  if (const Diagnostic* found = find_diagnostic(model.head().diagnostics, name)) return found->value;
  ADD_FAILURE() << "no " << name;
  return std::nan("");
}

/// The message of what `run` throws; "accepted" where it throws nothing.
template <class Run>
std::string refusal(Run&& run) {
  try {
    run();
  } catch (const Error& e) {
    return e.message(speak_command_line);
  }
  return "accepted";
}

}  // namespace fewdim::test
