#include "fewdim/faces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/remedy.hpp"
#include "fewdim/error.hpp"
#include "vision/nearest.hpp"
#include "vision/parts.hpp"

namespace fewdim {

namespace {

void require_images(const ImageSet& images) {
  if (!images.rows.is_dense() || images.rows.cols() != images.height * images.width * images.channels)
    throw DataError(fmt::format("faces: rows of {} numbers are no images of {}x{}x{}", images.rows.cols(),
                                images.height, images.width, images.channels));
  if (images.rows.rows() < 2) throw DataError("faces: one image has no components; give two or more");
}

/// The smallest of rising numbers that `share` of them are not above.
double quantile(const Vector<double>& rising, double share) {
  const auto place = static_cast<Index>(std::ceil(share * double(rising.size()))) - 1;
  return rising[std::clamp<Index>(place, 0, rising.size() - 1)];
}

}  // namespace

FaceFit fit_faces(const ImageSet& images, const FaceOptions& options, const Execution& exec) {
  require_images(images);
  FaceFit fit;
  fit.model = fit_parts(images.rows, options.pca.components, options, exec);
  if (options.trial != TrialKind::none) fit.trial = try_faces(images, fit.model.components(), options, exec);
  ImageIndex index{.height = images.height, .width = images.width, .channels = images.channels, .white = images.white};
  index.names = images.rows.row_names;
  if (index.names.empty())
    for (Index i = 0; i < images.rows.rows(); ++i) index.names.push_back(std::to_string(i + 1));
  index.labels = images.rows.labels;
  index.face_share = options.face_share;
  if (fit.trial.distances.size() > 0) index.face_limit = quantile(fit.trial.distances, options.face_share);
  fit.model.keep(Attachment(std::move(index)));
  return fit;
}

ImageSet images_of_table(const Dataset& table, Index height, Index width, Index channels, bool column_major,
                         double white) {
  if (!table.is_dense()) throw Unsupported("faces: sparse and streamed rows are no images; give a dense table");
  constexpr Index longest = 1'000'000'000;
  if (height < 1 || width < 1 || height > longest || width > longest || (channels != 1 && channels != 3) ||
      height * width * channels != table.cols())
    throw DataError(fmt::format(
        "{}: rows of {} numbers are no images of {}x{}{}; give another {}, or name a column of labels with {}",
        table.source.empty() ? "table" : table.source, table.cols(), height, width, channels == 3 ? "x3" : "",
        set_option("shape"), set_option("label")));
  ImageSet set{.rows = table, .height = height, .width = width, .channels = channels};
  const auto turned = [&](const auto& view) -> Dataset {
    using T = std::remove_const_t<std::remove_pointer_t<std::remove_const_t<decltype(view.data)>>>;
    RowMatrix<T> out(view.rows, view.cols);
    for (Index i = 0; i < view.rows; ++i)
      for (Index y = 0; y < height; ++y)
        for (Index x = 0; x < width; ++x)
          for (Index c = 0; c < channels; ++c)
            out(i, (y * width + x) * channels + c) = view(i, (x * height + y) * channels + c);
    return Dataset(std::move(out));
  };
  if (column_major) {
    set.rows = table.dense<float>() != nullptr ? turned(*table.dense<float>()) : turned(*table.dense<double>());
    set.rows.row_names = table.row_names, set.rows.row_names_header = table.row_names_header;
    set.rows.labels = table.labels, set.rows.label_name = table.label_name;
    set.rows.source = table.source, set.rows.hash = table.hash;
  }
  set.rows.column_names.clear();
  const auto largest = [](const auto& view) {
    double most = 0.0;
    for (Index i = 0; i < view.rows; ++i)
      for (Index j = 0; j < view.cols; ++j) most = std::max(most, double(view(i, j)));
    return most;
  };
  if (white == 0.0) {
    white = table.dense<float>() != nullptr ? largest(*table.dense<float>()) : largest(*table.dense<double>());
    if (!(white > 0.0))
      throw DataError("faces: no number of the table is above 0, so none is white; give " + set_option("white"));
  }
  if (!(white > 0.0) || !std::isfinite(white))
    throw InvalidOption("faces", "white", fmt::format("{}", white), "must be a number above 0", "255 for bytes");
  set.white = white;
  return set;
}

Recognition recognize(const Model& model, const ImageSet& images, const Execution& exec) {
  const ImageIndex& known = model.images();
  if (images.height != known.height || images.width != known.width || images.channels != known.channels)
    throw DataError(fmt::format("recognize: the images are {}x{}x{}, those of the model {}x{}x{}; use {}",
                                images.height, images.width, images.channels, known.height, known.width, known.channels,
                                set_option("size")));
  Dataset rows = images.rows;
  if (images.white != known.white)
    rows = Dataset(RowMatrix<double>(images.rows.matrix<double>() * (known.white / images.white)));
  Recognition out;
  NearestPlaces nearest = nearest_places(model.embedding(), model.transform(rows, exec).matrix<double>(), false, exec);
  out.nearest = std::move(nearest.row);
  out.distance = std::move(nearest.distance);
  out.face_distance = distances_to_space(model, rows, exec);
  for (const double distance : out.face_distance)
    out.is_face.push_back(known.face_limit == 0.0 || distance <= known.face_limit);
  return out;
}

}  // namespace fewdim
