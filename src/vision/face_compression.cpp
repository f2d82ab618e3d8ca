#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "fewdim/error.hpp"
#include "fewdim/faces.hpp"
#include "models/shapes/linear.hpp"
#include "vision/parts.hpp"

namespace fewdim {

std::vector<Index> growing_ranks(Index k) {
  std::vector<Index> ranks;
  for (Index decade = 1; decade < k; decade *= 10)
    for (const Index step : {1, 2, 5})
      if (step * decade < k) ranks.push_back(step * decade);
  ranks.push_back(k);
  return ranks;
}

RowMatrix<double> reconstructions(const Model& model, const Vector<double>& row, const std::vector<Index>& components) {
  const LinearModel& linear = model.linear();
  if (row.size() != model.features())
    throw DataError("reconstruct: the image has another number of pixels than those of the model");
  Vector<double> sum = linear.mean.size() > 0 ? linear.mean : Vector<double>::Zero(row.size());
  const Vector<double> centered = row - sum;
  Vector<double> scores = Vector<double>::Zero(model.components());
  if (linear.row_fit == RowFit::product)
    for (Index c = 0; c < scores.size(); ++c)
      for (Index j = 0; j < row.size(); ++j) scores[c] += centered[j] * linear.map(j, c);
  else  // of all parts together: the first k add up to no more than a piece of the image
    scores = model.transform(Matrix<double>(row.transpose()), {.threads = 1}).row(0);
  RowMatrix<double> out(std::ssize(components), row.size());
  Index done = 0;
  for (std::size_t i = 0; i < components.size(); ++i) {
    for (; done < std::min(components[i], model.components()); ++done)
      sum += scores[done] * pictures_of(linear).col(done);
    out.row(static_cast<Index>(i)) = sum;
  }
  return out;
}

std::vector<CompressionRow> compression_table(const Model& model, const ImageSet& images, Index most,
                                              const Execution& exec) {
  const ImageIndex& index = model.images();
  const LinearModel& linear = model.linear();
  const Index count = images.rows.rows(), k = model.components(), pixels = index.pixels();
  if (images.rows.cols() != pixels || count != model.head().provenance.rows)
    throw DataError("compression: the images are not those of the fit");
  const Index sampled = std::min(most, count);
  const std::vector<Index> ranks = growing_ranks(k);
  const Index ks = std::ssize(ranks);
  std::vector<double> similarities(static_cast<std::size_t>(sampled * ks)), squares(similarities.size());
  parallel_for(exec, sampled, [&](Index i) {
    const Image image = images.image(i * count / sampled);
    Vector<double> row(pixels);
    for (Index j = 0; j < pixels; ++j) row[j] = double(image.values[static_cast<std::size_t>(j)]) * index.white;
    const RowMatrix<double> all = reconstructions(model, row, ranks);
    Image back = image;
    for (Index r = 0; r < ks; ++r) {
      for (Index j = 0; j < pixels; ++j)
        back.values[static_cast<std::size_t>(j)] = static_cast<float>(all(r, j) / index.white);
      similarities[static_cast<std::size_t>(i * ks + r)] = ssim(image, back);
      squares[static_cast<std::size_t>(i * ks + r)] = (all.row(r).transpose() - row).squaredNorm();
    }
  });
  // Σ‖x − x_k‖² = (N − ddof) Σ_{j>k} λ_j, what the components keep being (N − ddof) λ_j = σ_j².
  // Independent components are not orthogonal: there it is what the sampled images lack.
  const bool orthonormal = is_orthonormal(linear);
  double kept = 0.0;
  const double first = orthonormal ? linear.singular_values[0] * linear.singular_values[0] : 0.0;
  const double total = first > 0.0 ? linear.total_variance / linear.explained_variance[0] * first : 0.0;
  std::vector<CompressionRow> table;
  Index done = 0;
  for (Index r = 0; r < ks; ++r) {
    const Index rank = ranks[static_cast<std::size_t>(r)];
    for (; orthonormal && done < rank; ++done) kept += linear.singular_values[done] * linear.singular_values[done];
    double sum = 0.0, lacking = 0.0;
    for (Index i = 0; i < sampled; ++i) {
      sum += similarities[static_cast<std::size_t>(i * ks + r)];
      lacking += squares[static_cast<std::size_t>(i * ks + r)];
    }
    const double mean_square = orthonormal ? std::max(0.0, total - kept) / (double(count) * double(pixels))
                                           : lacking / (double(sampled) * double(pixels));
    table.push_back({.components = rank,
                     .bytes = static_cast<std::uint64_t>((rank + 1) * pixels + count * rank) * 4,
                     .psnr = 10.0 * std::log10(index.white * index.white / mean_square),
                     .ssim = sum / double(sampled)});
  }
  return table;
}

}  // namespace fewdim
