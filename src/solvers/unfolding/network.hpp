#pragma once

#include <span>
#include <vector>

#include "fewdim/execution.hpp"
#include "fewdim/neighborhood.hpp"
#include "fewdim/types.hpp"

/// What the routes of unfolding share: the links in compressed rows, and their products with a map.
namespace fewdim {

/// Vertices of given weights (how many objects lie there) and links of given squared lengths above 0.
struct LinkNetwork {
  LinkNetwork(Index vertices, std::span<const Link> links, Vector<double> vertex_weights);

  Index vertices() const { return weights.size(); }
  Index links() const { return squares.size(); }

  std::vector<std::int32_t> first{}, second{};  ///< ends of each link
  Vector<double> squares{};                     ///< d² of each link
  Vector<double> weights{};                     ///< of each vertex
  double total = 0.0;                           ///< of the weights
  std::vector<std::int64_t> offsets{};          ///< where a vertex's links start
  std::vector<std::int32_t> targets{}, link{};  ///< the other end, and the number of the link
};

/// A map: one row a vertex, a multiple of four columns.
using UnfoldingMap = RowMatrix<double>;
inline auto flat(UnfoldingMap& m) { return Eigen::Map<Vector<double>>(m.data(), m.size()); }

/// Small work runs on one thread: dealing it out would take longer, and the bits are the same.
inline Execution for_work(const Execution& exec, bool large) {
  Execution out = exec;
  if (!large) out.threads = 1;
  return out;
}

/// Moves the weighted mean to 0.
void center_map(const LinkNetwork& network, UnfoldingMap& y);
/// Σ w‖y‖²: the objective, for a centered map.
double map_variance(const LinkNetwork& network, const UnfoldingMap& y);
/// ‖y_i − y_j‖² of every link.
void link_squares(const LinkNetwork& network, const UnfoldingMap& y, Vector<double>& out, const Execution& exec);
/// ⟨y_i − y_j, p_i − p_j⟩ and ‖p_i − p_j‖² of every link.
void link_products(const LinkNetwork& network, const UnfoldingMap& y, const UnfoldingMap& p, Vector<double>& cross,
                   Vector<double>& square, const Execution& exec);
/// out = L(s)y − Wy with L(s) the Laplacian whose links weigh s.
void stress_forces(const LinkNetwork& network, const Vector<double>& s, const UnfoldingMap& y, UnfoldingMap& out,
                   const Execution& exec);

}  // namespace fewdim
