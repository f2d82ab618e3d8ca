#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/describe.hpp"
#include "features/kernel.hpp"
#include "fewdim/image_index.hpp"
#include "fewdim/model.hpp"
#include "fewdim/ratings_index.hpp"

namespace fewdim {

template <>
struct EnumNames<Precision> {
  static constexpr std::array names{std::pair{Precision::float32, "float32"}, std::pair{Precision::float64, "float64"}};
};
template <>
struct EnumNames<Extension> {
  static constexpr std::array names{std::pair{Extension::exact, "exact"}, std::pair{Extension::nystrom, "nystrom"},
                                    std::pair{Extension::heuristic, "heuristic"}, std::pair{Extension::none, "none"}};
};

template <>
struct EnumNames<ProjectionKind> {
  static constexpr std::array names{std::pair{ProjectionKind::gaussian, "gaussian"},
                                    std::pair{ProjectionKind::sparse, "sparse"},
                                    std::pair{ProjectionKind::hadamard, "hadamard"}};
};

template <>
struct EnumNames<RowFit> {
  static constexpr std::array names{std::pair{RowFit::product, "product"},
                                    std::pair{RowFit::nonnegative, "nonnegative"},
                                    std::pair{RowFit::observed, "observed"}, std::pair{RowFit::implicit, "implicit"}};
};

template <>
struct EnumNames<Similarity> {
  static constexpr std::array names{
      std::pair{Similarity::kernel, "kernel"}, std::pair{Similarity::distance, "distance"},
      std::pair{Similarity::geodesic, "geodesic"}, std::pair{Similarity::fourier, "fourier"}};
};

template <>
struct EnumNames<Preimage> {
  static constexpr std::array names{std::pair{Preimage::none, "none"}, std::pair{Preimage::ridge, "ridge"},
                                    std::pair{Preimage::fixed_point, "fixed-point"},
                                    std::pair{Preimage::distances, "distances"}};
};

template <>
struct EnumNames<Placement> {
  static constexpr std::array names{
      std::pair{Placement::barycentric, "barycentric"}, std::pair{Placement::random_walk, "random-walk"},
      std::pair{Placement::symmetric, "symmetric"}, std::pair{Placement::unnormalized, "unnormalized"}};
};

template <>
struct EnumNames<OwnLink> {
  static constexpr std::array names{std::pair{OwnLink::ignored, "ignored"}, std::pair{OwnLink::none, "none"},
                                    std::pair{OwnLink::one, "one"}};
};

template <>
struct EnumNames<Disparity> {  // R's names, and those of the two kinds of scaling
  static constexpr std::array names{std::pair{Disparity::ratio, "ratio"}, std::pair{Disparity::interval, "interval"},
                                    std::pair{Disparity::ordinal, "ordinal"}, std::pair{Disparity::ratio, "metric"},
                                    std::pair{Disparity::ordinal, "nonmetric"}};
};

/// Raised whenever a file changes so that an older fewdim would misread it.
/// 1: `data_hash` is that of the arrays alone, and may be missing.
/// 2: the archive is sealed, seal() in archive.hpp: a hash of everything, which can't be missing.
constexpr int model_format = 2;

/// All of a model that is not an array: the text under the key "fewdim" in the file's __metadata__.
struct Metadata {
  Model::Head head;  ///< with the certificate's scalars; its vectors are arrays of the file
  double total_variance = 0.0;
  std::vector<DistanceLimits> limits{};     ///< of the linear shape
  RandomMap random{};                       ///< of the linear shape
  RowFit row_fit = RowFit::product;         ///< of the linear shape
  RowRegression regression{};               ///< of the linear shape: all that is no array
  std::optional<KernelModel> kernel{};      ///< of the kernel shape: all that is no array
  std::optional<StressModel> stress{};      ///< of the stress shape: all that is no array
  std::optional<NeighborModel> neighbor{};  ///< of the neighbor shape: all that is no array
  std::optional<TextIndex> index{};         ///< of a model of texts: all that is no array
  std::optional<ImageIndex> images{};       ///< of a model of images: all that is no array
  std::optional<RatingsIndex> ratings{};    ///< of a model of ratings: all that is no array
  int format = model_format;                ///< of the file it comes from
  std::string data_hash{};                  ///< of the arrays, in format 1; empty: not to be checked
};

/// A kernel shape without its arrays.
KernelModel kernel_scalars(const KernelModel& model);
/// The same of a stress shape.
StressModel stress_scalars(const StressModel& model);
/// The same of a neighbor shape.
NeighborModel neighbor_scalars(const NeighborModel& model);

std::string metadata_text(const Metadata& metadata);
/// Throws DataError "<path>: ..." for anything missing, unknown, of the wrong type, or of a newer format.
/// `most_names` bounds what is held in memory: a model has no more names than numbers.
Metadata parse_metadata(std::string_view text, const std::string& path, std::size_t most_names);

/// As JSON: non-finite numbers have no place there and become their text ("inf").
nlohmann::ordered_json options_json(const OptionMap& options);

}  // namespace fewdim
