#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fewdim/dataset.hpp"
#include "fewdim/export.hpp"

namespace fewdim {

struct GenerateOptions {
  Index rows = 1000;
  Index cols = 10;      ///< where the shape leaves it open: blobs, low-rank-plus-noise
  double noise = 0.05;  ///< standard deviation
  Index rank = 5;       ///< low-rank-plus-noise
  Index clusters = 3;   ///< blobs, circles
  Seed seed = 0;
};

struct GeneratorCard {
  std::string name{};
  std::string help{};
};

FEWDIM_API const std::vector<GeneratorCard>& generators();
/// Synthetic data of that name. Labels hold the position along the manifold, or the cluster.
FEWDIM_API Dataset generate(std::string_view name, const GenerateOptions& options = {});

FEWDIM_API const std::vector<GeneratorCard>& builtin_tables();
/// "ten-points", "iris", "digits".
FEWDIM_API Dataset builtin_table(std::string_view name);

}  // namespace fewdim
