#include "face_pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "text.hpp"

namespace fewdim::cli {

namespace {

/// The picture that a component adds: a column for each.
const Matrix<double>& pictures_of(const LinearModel& linear) {
  return linear.inverse_map.size() > 0 ? linear.inverse_map : linear.map;
}

/// Parts that only add up start from black, all others from their mean.
bool has_mean(const LinearModel& linear) { return linear.mean.size() > 0; }

ImageGrid empty_grid(const ImageIndex& index, Index pictures) {
  ImageGrid grid;
  grid.height = index.height, grid.width = index.width, grid.channels = index.channels;
  grid.images.resize(pictures, index.pixels());
  return grid;
}

std::string short_name(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

Vector<double> as_row(const Image& image, double white) {
  Vector<double> row(image.size());
  for (Index j = 0; j < row.size(); ++j) row[j] = double(image.values[static_cast<std::size_t>(j)]) * white;
  return row;
}

std::string decibels(double psnr) { return std::isinf(psnr) ? "exact" : fmt::format("{:.1f} dB", psnr); }

double psnr_of(const Vector<double>& a, const Vector<double>& b, double white) {
  return 10.0 * std::log10(white * white * double(a.size()) / (a - b).squaredNorm());
}

}  // namespace

ImageGrid face_gallery(const Model& model, Index components) {
  const ImageIndex& index = model.images();
  const LinearModel& linear = model.linear();
  const Matrix<double>& parts = pictures_of(linear);
  const Index shown = std::min(components, model.components()), first = has_mean(linear) ? 1 : 0;
  ImageGrid grid = empty_grid(index, shown + first);
  grid.columns = std::min<Index>(shown + first, 7);
  if (has_mean(linear)) {
    grid.images.row(0) = linear.mean / index.white;
    grid.captions.emplace_back("mean");
  }
  for (Index j = 0; j < shown; ++j) {
    const double largest = std::max(parts.col(j).cwiseAbs().maxCoeff(), 1e-300);
    if (has_mean(linear))
      grid.images.row(j + 1) = parts.col(j).array() / (2.0 * largest) + 0.5;
    else
      grid.images.row(j) = parts.col(j) / largest;
    grid.captions.push_back(fmt::format("{}: {:.1f} %", j + 1, 100.0 * linear.explained_variance_ratio[j]));
  }
  grid.title = fmt::format("{} of {} images", has_mean(linear) ? "Mean and components" : "Parts",
                           show_count(model.head().provenance.rows));
  return grid;
}

ImageGrid reconstruction_strip(const Model& model, const Image& image, const std::string& name) {
  const ImageIndex& index = model.images();
  const Vector<double> row = as_row(image, index.white);
  const std::vector<Index> ranks = growing_ranks(model.components());
  const RowMatrix<double> back = reconstructions(model, row, ranks);
  ImageGrid grid = empty_grid(index, back.rows() + 1);
  grid.columns = std::min<Index>(back.rows() + 1, 7);
  grid.images.topRows(back.rows()) = back / index.white;
  grid.images.row(back.rows()) = row / index.white;
  for (Index i = 0; i < back.rows(); ++i)
    grid.captions.push_back(fmt::format("k = {}\n{}", ranks[static_cast<std::size_t>(i)],
                                        decibels(psnr_of(row, back.row(i), index.white))));
  grid.captions.emplace_back("original");
  grid.title = fmt::format("{} by its first k components", short_name(name));
  return grid;
}

ImageGrid recognition_sheet(const Model& model, const ImageSet& images, const Recognition& found) {
  constexpr Index most = 7;
  const ImageIndex& index = model.images();
  const LinearModel& linear = model.linear();
  const Index shown = std::min(most, images.rows.rows());
  ImageGrid grid = empty_grid(index, 3 * shown);
  grid.columns = shown;
  grid.captions.resize(static_cast<std::size_t>(3 * shown));
  grid.row_titles = {"new", "projected", "nearest"};
  for (Index i = 0; i < shown; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const Vector<double> row = as_row(images.image(i), index.white);
    const auto nearest = static_cast<std::size_t>(found.nearest[at]);
    grid.images.row(i) = row / index.white;
    grid.images.row(shown + i) = reconstructions(model, row, {model.components()}).row(0) / index.white;
    Vector<double> known = pictures_of(linear) * model.embedding().row(found.nearest[at]).transpose();
    if (has_mean(linear)) known += linear.mean;
    grid.images.row(2 * shown + i) = known / index.white;
    const std::string name = images.rows.row_names.empty() ? std::to_string(i + 1) : images.rows.row_names[at];
    grid.captions[at] = short_name(name);
    grid.captions[static_cast<std::size_t>(shown) + at] =
        fmt::format("off by {:.3g}{}", found.face_distance[i], found.is_face[at] ? "" : ": beyond");
    grid.captions[static_cast<std::size_t>(2 * shown) + at] =
        index.labels.empty() ? index.names[nearest] : index.labels[nearest];
  }
  grid.title = "New images and their nearest known ones";
  return grid;
}

}  // namespace fewdim::cli
