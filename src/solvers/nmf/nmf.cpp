#include "solvers/nmf/nmf.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "solvers/eigen/blocks.hpp"
#include "solvers/nmf/kernels.hpp"
#include "solvers/nmf/nonnegative.hpp"

namespace fewdim {

namespace {

constexpr Index kChunk = 512;  ///< rows of a factor that one task takes
/// Sweeps for each product with X, at most: ten of them cost as much as the product of sparse rows with 50 entries.
constexpr int kSweeps = 10;

Index chunks_of(Index rows) { return (rows + kChunk - 1) / kChunk; }

Matrix<double> gram_of(const Matrix<double>& f, const Execution& exec) { return project(f, f, exec); }

Matrix<double> with_ridge(Matrix<double> gram, double ridge) {
  gram.diagonal().array() += ridge;
  return gram;
}

double inner_product(const Matrix<double>& a, const Matrix<double>& b) {
  double sum = 0.0;
  for (Index c = 0; c < a.cols(); ++c) {
    double column = 0.0;
    for (Index i = 0; i < a.rows(); ++i) column += a(i, c) * b(i, c);
    sum += column;
  }
  return sum;
}

double sum_of(const Matrix<double>& f) {
  double sum = 0.0;
  for (Index i = 0; i < f.size(); ++i) sum += f.data()[i];
  return sum;
}

void descend(const Matrix<double>& gram, const Matrix<double>& products, double lasso, Matrix<double>& f,
             const Execution& exec) {
  parallel_for(exec, chunks_of(f.rows()), [&](Index chunk) {
    descend_rows(gram, products, lasso, kSweeps, chunk * kChunk, std::min(f.rows(), (chunk + 1) * kChunk), f);
  });
}

/// ‖∇ᴾ f_c‖ for each column.
Vector<double> projected_gradient(const Matrix<double>& gram, const Matrix<double>& products, double lasso,
                                  const Matrix<double>& f, const Execution& exec) {
  const Index chunks = chunks_of(f.rows()), k = f.cols();
  Matrix<double> squares = Matrix<double>::Zero(k, chunks);
  parallel_for(exec, chunks, [&](Index chunk) {
    add_projected_gradient(gram, products, lasso, chunk * kChunk, std::min(f.rows(), (chunk + 1) * kChunk), f,
                           squares.data() + chunk * k);
  });
  Vector<double> total = Vector<double>::Zero(k);
  for (Index chunk = 0; chunk < chunks; ++chunk)
    for (Index c = 0; c < k; ++c) total[c] += squares(c, chunk);
  return total.cwiseSqrt();
}

Matrix<double> exact_rows(const Matrix<double>& gram, const Matrix<double>& products, double lasso,
                          const Execution& exec) {
  const NonnegativeSolver solver(gram);
  const Index rows = products.rows(), k = products.cols();
  Matrix<double> f(rows, k);
  constexpr Index kRows = 64;
  parallel_for(exec, (rows + kRows - 1) / kRows, [&](Index task) {
    NonnegativeSolver::Scratch scratch(k);
    Vector<double> a(k), y(k);
    for (Index i = task * kRows; i < std::min(rows, (task + 1) * kRows); ++i) {
      for (Index c = 0; c < k; ++c) a[c] = products(i, c) - lasso;
      solver.solve(a.data(), y.data(), scratch);
      for (Index c = 0; c < k; ++c) f(i, c) = y[c];
    }
  });
  return f;
}

/// The iteration's state: both factors, and for each the products and the Gram matrix that its update needs.
class Alternation {
 public:
  Alternation(const NmfData& x, NmfFactors start, const NmfRequest& request, const Execution& exec)
      : x_(x), request_(request), exec_(exec), f_(std::move(start)) {
    of_w_.resize(x.rows(), f_.w.cols());
    of_h_.resize(x.cols(), f_.h.cols());
    look_at_h();
    look_at_w();
  }

  NmfFactors& factors() { return f_; }

  void update_w() {
    descend(gram_h_, of_w_, request_.lasso, f_.w, exec_);
    look_at_w();
  }
  void place_w() {
    f_.w = exact_rows(gram_h_, of_w_, request_.lasso, exec_);
    look_at_w();
  }
  void update_h() {
    descend(gram_w_, of_h_, request_.lasso, f_.h, exec_);
    objective_ = objective_of_h();
    look_at_h();
  }

  /// Right after the start, place_w() or update_h(): where XᵀW is that of the W there is.
  double objective_of_h() const {
    const Matrix<double> gram = gram_of(f_.h, exec_);
    double value = loss(gram);
    if (request_.ridge > 0.0) value += request_.ridge * (inner_product(f_.w, f_.w) + gram.trace());
    if (request_.lasso > 0.0) value += 2.0 * request_.lasso * (sum_of(f_.w) + sum_of(f_.h));
    return value;
  }
  double objective() const { return objective_; }
  double loss() const { return loss(gram_of(f_.h, exec_)); }

  /// One number per component; both products must be those of the factors there are.
  Vector<double> residuals() const {
    const Vector<double> of_w = projected_gradient(gram_h_, of_w_, request_.lasso, f_.w, exec_);
    const Vector<double> of_h = projected_gradient(gram_w_, of_h_, request_.lasso, f_.h, exec_);
    const Vector<double> w = column_norms(f_.w), h = column_norms(f_.h);
    return (of_w.array() * w.array() + of_h.array() * h.array()).matrix() / x_.square_sum();
  }

 private:
  /// What is needed of H: XH and HᵀH.
  void look_at_h() {
    x_.times(f_.h, of_w_);
    gram_h_ = with_ridge(gram_of(f_.h, exec_), request_.ridge);
  }
  void look_at_w() {
    x_.transposed_times(f_.w, of_h_);
    gram_w_ = with_ridge(gram_of(f_.w, exec_), request_.ridge);
  }
  /// ‖X‖² − 2⟨XᵀW, H⟩ + ⟨WᵀW, HᵀH⟩, or entry by entry where so little is left that the difference is rounding.
  double loss(const Matrix<double>& gram_h) const {
    Matrix<double> gram_w = gram_w_;
    gram_w.diagonal().array() -= request_.ridge;
    const double value = x_.square_sum() - 2.0 * inner_product(of_h_, f_.h) + inner_product(gram_w, gram_h);
    return value > 1e-9 * x_.square_sum() ? value : x_.residual(f_);
  }

  const NmfData& x_;
  const NmfRequest& request_;
  const Execution& exec_;
  NmfFactors f_;
  Matrix<double> of_w_, of_h_;      // XH and XᵀW
  Matrix<double> gram_h_, gram_w_;  // with the ridge
  double objective_ = 0.0;
};

}  // namespace

NmfResult factorize(const NmfData& x, NmfFactors start, const NmfRequest& request, const Execution& exec) {
  Alternation state(x, std::move(start), request, exec);
  NmfResult out;
  out.path.push_back(state.objective_of_h());
  const auto finish = [&] {  // the rows in their exact places, and both products of what there is then
    state.place_w();
    out.residuals = state.residuals();
    out.converged = out.residuals.maxCoeff() <= request.tolerance;
    return out.converged;
  };
  while (out.iterations < request.iterations) {
    state.update_w();
    state.update_h();
    ++out.iterations;
    out.path.push_back(state.objective());
    report_progress(exec, "nmf", out.iterations, request.iterations, "iterations");
    if (state.residuals().maxCoeff() <= request.tolerance && finish()) break;
  }
  if (!out.converged) finish();
  out.loss = state.loss();
  out.factors = std::move(state.factors());
  return out;
}

Matrix<double> place_rows(const NmfData& x, const Matrix<double>& h, const NmfRequest& request, const Execution& exec) {
  Matrix<double> products(x.rows(), h.cols());
  x.times(h, products);
  return exact_rows(with_ridge(gram_of(h, exec), request.ridge), products, request.lasso, exec);
}

}  // namespace fewdim
