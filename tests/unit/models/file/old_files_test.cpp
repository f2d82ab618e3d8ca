// Model files that earlier versions have written load, and are written again as they were.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "fewdim/model.hpp"
#include "fewdim/model_bytes.hpp"

namespace fewdim {
namespace {

std::vector<std::filesystem::path> old_files() {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(FEWDIM_SOURCE_DIR "/tests/models"))
    if (entry.path().extension() == ".fdm") found.push_back(entry.path());
  return found;
}

TEST(OldFiles, OfEveryShapeLoadAndAreWrittenAsTheyWere) {
  ASSERT_GE(old_files().size(), 18U);
  for (const std::filesystem::path& path : old_files()) {
    SCOPED_TRACE(path.string());
    std::ifstream file(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    const Model model = Model::load(path.string());
    EXPECT_EQ(model.method(), path.stem().string());
    EXPECT_TRUE(model_bytes(model) == bytes);
    EXPECT_FALSE(model.summary().empty());
  }
}

}  // namespace
}  // namespace fewdim
