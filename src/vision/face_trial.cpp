#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "base/remedy.hpp"
#include "fewdim/error.hpp"
#include "fewdim/faces.hpp"
#include "vision/nearest.hpp"
#include "vision/parts.hpp"
#include "vision/row_choice.hpp"

namespace fewdim {

namespace {

constexpr std::uint32_t order_stream = 7;

using Rows = std::vector<Index>;

/// Which rows each model is tried on.
std::vector<Rows> held_out_parts(Index count, const FaceOptions& options) {
  const Rows order = draw_without_replacement(count, count, options.pca.seed, order_stream);
  const auto first = [&](Index many) {
    return Rows(order.begin(), order.begin() + std::clamp<Index>(many, 1, count - 2));
  };
  if (options.trial == TrialKind::split)
    return {first(std::min(options.most_held_out, static_cast<Index>(std::lround(options.share * double(count)))))};
  if (count > options.most_held_out) return {first(options.most_held_out)};
  std::vector<Rows> parts(static_cast<std::size_t>(std::min(options.folds, count)));
  for (std::size_t i = 0; i < order.size(); ++i) parts[i % parts.size()].push_back(order[i]);
  return parts;
}

void check(const ImageSet& images, const FaceOptions& options) {
  const auto refuse = [](const char* name, const std::string& value, const char* bound, const char* remedy) {
    throw InvalidOption("faces", name, value, bound, remedy);
  };
  if (options.folds < 2) refuse("folds", std::to_string(options.folds), "must be at least 2", "10 is usual");
  if (!(options.share > 0.0 && options.share < 1.0))
    refuse("split", fmt::format("{}", options.share), "must be above 0 and below 1", "0.3 holds out a third");
  if (!(options.face_share > 0.0 && options.face_share <= 1.0))
    refuse("face_share", fmt::format("{}", options.face_share), "must be above 0 and at most 1", "0.99 is usual");
  if (options.most_held_out < 1)
    refuse("most_held_out", std::to_string(options.most_held_out), "must be at least 1", "2000 is usual");
  if (images.rows.rows() < 3)
    throw DataError("faces: two images can't be tried on each other; give three or more, or " +
                    set_option("trial", "none"));
}

/// Counts those whose nearest has their label, of those whose label is among the others at all.
class Judge {
 public:
  Judge(const std::vector<std::string>& labels, FaceTrial& trial) : labels_(labels), trial_(trial) {}

  /// `own`: those that are tried are in the gallery, too; their own label does not count as another's.
  void count(const Rows& tried, const Rows& gallery, const std::vector<Index>& nearest, bool own = false) {
    if (labels_.empty()) return;
    std::multiset<std::string_view> there;
    for (const Index row : gallery) there.insert(labels_[static_cast<std::size_t>(row)]);
    for (std::size_t i = 0; i < tried.size(); ++i) {
      const std::string& label = labels_[static_cast<std::size_t>(tried[i])];
      const Index found = gallery[static_cast<std::size_t>(nearest[i])];
      if (there.count(label) < (own ? 2U : 1U)) continue;
      ++trial_.with_label;
      if (labels_[static_cast<std::size_t>(found)] == label) ++trial_.right;
    }
  }

 private:
  const std::vector<std::string>& labels_;
  FaceTrial& trial_;
};

}  // namespace

FaceTrial try_faces(const ImageSet& images, Index components, const FaceOptions& options, const Execution& exec) {
  check(images, options);
  const Index count = images.rows.rows();
  const std::vector<Rows> parts = held_out_parts(count, options);
  FaceTrial trial{.kind = options.trial};
  if (parts.size() == 1 && options.trial == TrialKind::folds) trial.kind = TrialKind::split;
  Judge judge(images.rows.labels, trial);
  std::vector<double> distances;
  Execution quiet = exec;
  quiet.progress = {};
  for (const Rows& held : parts) {
    report_progress(exec, "trial", trial.fits, std::ssize(parts), "fits");
    std::vector<char> is_held(static_cast<std::size_t>(count), 0);
    for (const Index row : held) is_held[static_cast<std::size_t>(row)] = 1;
    Rows gallery;
    for (Index i = 0; i < count; ++i)
      if (is_held[static_cast<std::size_t>(i)] == 0) gallery.push_back(i);
    require_memory(exec, images.rows.bytes(), "the copy of the images that a trial fits",
                   "use " + set_option("trial", "none"));
    const Dataset tried = chosen_rows(images.rows, held);
    const Index most = std::min(std::ssize(gallery) - 1, images.rows.cols());
    const Model model = fit_parts(chosen_rows(images.rows, gallery), std::min(components, most), options, quiet);
    ++trial.fits;
    for (const double distance : distances_to_space(model, tried, quiet)) distances.push_back(distance);
    if (options.trial != TrialKind::leave_one_out) {
      trial.tried += std::ssize(held);
      const auto nearest =
          nearest_places(model.embedding(), model.transform(tried, quiet).matrix<double>(), false, quiet);
      judge.count(held, gallery, nearest.row);
    }
  }
  if (options.trial == TrialKind::leave_one_out) {
    const Model model = fit_parts(images.rows, components, options, quiet);
    ++trial.fits;
    Rows all(static_cast<std::size_t>(count));
    std::iota(all.begin(), all.end(), Index{0});
    trial.tried = count;
    judge.count(all, all, nearest_places(model.embedding(), model.embedding(), true, quiet).row, true);
  }
  std::ranges::sort(distances);
  trial.distances = Eigen::Map<const Vector<double>>(distances.data(), std::ssize(distances));
  return trial;
}

}  // namespace fewdim
