#include <csdp/blockmat.h>
#include <csdp/parameters.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <mutex>

#include "base/blas.hpp"
#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/remedy.hpp"
#include "fewdim/error.hpp"
#include "solvers/eigen/direct.hpp"
#include "solvers/unfolding/routes.hpp"

namespace fewdim {

namespace {

/// One call at a time: CSDP keeps a buffer of its own between calls.
std::mutex csdp_mutex;

/// What the hooks below need to know of the call that runs on this thread.
struct Call {
  const Execution* exec = nullptr;
  Index iterations = 0;
  bool stop = false;
};
thread_local Call call;

}  // namespace

}  // namespace fewdim

// Names that cmake/PrivateCsdp.cmake gives to CSDP's own and to what it calls.
extern "C" {
int fewdim_csdp_easy_sdp(int n, int k, blockmatrix c, double* a, constraintmatrix* constraints, double offset,
                         blockmatrix* x, double** y, blockmatrix* z, double* primal, double* dual);
void fewdim_csdp_initsoln(int n, int k, blockmatrix c, double* a, constraintmatrix* constraints, blockmatrix* x,
                          double** y, blockmatrix* z);
void fewdim_csdp_free_mat(blockmatrix a);

/// CSDP's defaults, but for its words.
void fewdim_csdp_initparams(paramstruc* p, int* printlevel) {
  *printlevel = 0;
  *p = {.axtol = 1e-8,
        .atytol = 1e-8,
        .objtol = 1e-8,
        .pinftol = 1e8,
        .dinftol = 1e8,
        .maxiter = 200,
        .minstepfrac = 0.90,
        .maxstepfrac = 0.97,
        .minstepp = 1e-8,
        .minstepd = 1e-8,
        .usexzgap = 1,
        .tweakgap = 0,
        .affine = 0,
        .perturbobj = 1,
        .fastmode = 0};
}

/// Called after each iteration; 1 stops.
int fewdim_csdp_user_exit(int, int, blockmatrix, double*, double, double, double, constraintmatrix*, blockmatrix,
                          double*, blockmatrix, paramstruc) {
  auto& call = fewdim::call;
  ++call.iterations;
  if (call.exec->progress && !call.exec->progress(fewdim::Progress{"unfold", call.iterations, 0, "iterations"}))
    call.stop = true;
  return call.stop ? 1 : 0;
}

[[noreturn]] void fewdim_csdp_exit(int) {
  throw fewdim::OverMemory("mvu: CSDP found no memory; use " + fewdim::set_option("solver", "factored"));
}
int fewdim_csdp_printf(const char*, ...) { return 0; }
int fewdim_csdp_checked_printf(int, const char*, ...) { return 0; }
int fewdim_csdp_puts(const char*) { return 0; }
int fewdim_csdp_putchar(int c) { return c; }
int fewdim_csdp_fflush(FILE*) { return 0; }
FILE* fewdim_csdp_stdout = nullptr;
}

namespace fewdim {

namespace {

/// A constraint on one block: its entries of the upper triangle, counted from 1 as CSDP counts.
struct Piece {
  sparseblock block{};
  std::vector<double> entries{0.0};
  std::vector<int> rows{0}, columns{0};

  void add(int i, int j, double value) {
    entries.push_back(value);
    rows.push_back(std::min(i, j));
    columns.push_back(std::max(i, j));
  }
  sparseblock* finish(int number, int constraint, int size) {
    block.entries = entries.data();
    block.iindices = rows.data();
    block.jindices = columns.data();
    block.numentries = static_cast<int>(entries.size()) - 1;
    block.blocknum = number;
    block.blocksize = size;
    block.constraintnum = constraint;
    return &block;
  }
};

/// Solves on the Gram matrix of all vertices but the last, which is the origin: then nothing is left to translate, and
/// no constraint is dense. C = W − wwᵀ/Σw.
class Program {
 public:
  Program(const LinkNetwork& network, bool inequality)
      : n_(static_cast<int>(network.vertices()) - 1),
        m_(static_cast<int>(network.links())),
        gram_(static_cast<std::size_t>(n_) * static_cast<std::size_t>(n_)),
        slack_(static_cast<std::size_t>(m_) + 1),
        right_(static_cast<std::size_t>(m_) + 1),
        pieces_(static_cast<std::size_t>(m_)),
        slacks_(inequality ? static_cast<std::size_t>(m_) : 0),
        constraints_(static_cast<std::size_t>(m_) + 1) {
    for (int e = 0; e < m_; ++e) scale_ += network.squares[e] / m_;
    for (int j = 0; j < n_; ++j)
      for (int i = 0; i < n_; ++i)
        gram_[static_cast<std::size_t>(j) * static_cast<std::size_t>(n_) + static_cast<std::size_t>(i)] =
            (i == j ? network.weights[i] : 0.0) - network.weights[i] * network.weights[j] / network.total;
    blocks_[1].blockcategory = MATRIX;
    blocks_[1].blocksize = n_;
    blocks_[1].data.mat = gram_.data();
    blocks_[2].blockcategory = DIAG;
    blocks_[2].blocksize = m_;
    blocks_[2].data.vec = slack_.data();
    objective_ = {inequality ? 2 : 1, blocks_};
    for (int e = 0; e < m_; ++e) {
      const auto at = static_cast<std::size_t>(e);
      const int i = network.first[at] + 1, j = network.second[at] + 1;
      Piece& piece = pieces_[at];
      if (i <= n_) piece.add(i, i, 1.0);
      if (i <= n_ && j <= n_) piece.add(i, j, -1.0);
      if (j <= n_) piece.add(j, j, 1.0);
      constraints_[at + 1].blocks = piece.finish(1, e + 1, n_);
      right_[at + 1] = network.squares[e] / scale_;
      if (!inequality) continue;
      slacks_[at].add(e + 1, e + 1, 1.0);
      piece.block.next = slacks_[at].finish(2, e + 1, m_);
    }
  }

  /// CSDP's code: 0 solved, 1 primal infeasible, 2 dual infeasible, above: less accurate.
  int solve() {
    const int size = n_ + (objective_.nblocks == 2 ? m_ : 0);
    fewdim_csdp_initsoln(size, m_, objective_, right_.data(), constraints_.data(), &x_, &y_, &z_);
    double primal = 0.0, dual = 0.0;
    return fewdim_csdp_easy_sdp(size, m_, objective_, right_.data(), constraints_.data(), 0.0, &x_, &y_, &z_, &primal,
                                &dual);
  }
  ~Program() {
    if (y_ == nullptr) return;
    fewdim_csdp_free_mat(x_);
    fewdim_csdp_free_mat(z_);
    std::free(y_);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  double gram(Index i, Index j) const { return i < n_ && j < n_ ? scale_ * x_.blocks[1].data.mat[j * n_ + i] : 0.0; }
  double stress(Index e) const { return y_[e + 1]; }

 private:
  int n_, m_;
  double scale_ = 0.0;
  std::vector<double> gram_, slack_, right_;
  std::vector<Piece> pieces_, slacks_;
  std::vector<constraintmatrix> constraints_;
  blockrec blocks_[3] = {};
  blockmatrix objective_{}, x_{}, z_{};
  double* y_ = nullptr;
};

}  // namespace

UnfoldedNetwork unfold_exactly(const LinkNetwork& network, const UnfoldingProblem& problem, const Execution& exec) {
  const Index n = network.vertices();
  const bool inequality = problem.form == UnfoldingForm::inequality;
  require_memory(
      exec, unfolding_bytes(UnfoldingRoute::exact, problem.form, n, network.links()),
      fmt::format("{}: the semidefinite program of {} objects and {} links in full", problem.who, n, network.links()),
      "use " + fewdim::set_option("solver", "factored"));
  blas::prepare();
  const std::lock_guard lock(csdp_mutex);
  Program program(network, inequality);
  call = {.exec = &exec};
  const int code = program.solve();
  if (call.stop) throw Interrupted("stopped on request while at: unfold");
  if (code == 1)
    throw DataError(fmt::format("{}: no points have these distances; use {}, which lets them shrink", problem.who,
                                set_option("form", "inequality")));
  if (code == 2 || code > 8)
    throw NotConverged(
        fmt::format("{}: CSDP gave up (code {}); use {}", problem.who, code, set_option("solver", "factored")));

  UnfoldedNetwork out;
  out.iterations = call.iterations;
  out.converged = code == 0;
  out.why = Reason(ReasonKind::csdp, code);
  out.stresses.resize(network.links());
  for (Index e = 0; e < network.links(); ++e)
    out.stresses[e] = inequality ? std::max(program.stress(e), 0.0) : program.stress(e);
  // K = JGJ on weighted vertices: centered at the weighted mean.
  Vector<double> mean = Vector<double>::Zero(n);
  double all = 0.0;
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < n; ++i) mean[j] += network.weights[i] * program.gram(i, j) / network.total;
    all += network.weights[j] * mean[j] / network.total;
  }
  Matrix<double> gram(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) gram(i, j) = program.gram(i, j) - mean[i] - mean[j] + all;
  SymmetricEigen eigen = eigen_symmetric(gram, n);
  Index rank = 0;
  while (rank < n && eigen.values[rank] > 1e-10 * eigen.values[0]) ++rank;
  out.rank = n - 1;
  out.map = eigen.vectors.leftCols(rank) * eigen.values.head(rank).cwiseSqrt().asDiagonal();
  out.lowest = lowest_stress(network, out.stresses, problem.who, exec);
  out.bound = stress_bound(network, out.stresses, out.lowest);
  return out;
}

}  // namespace fewdim
