// Model files that earlier versions have written load, and are written again as they were.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "fewdim/model.hpp"
#include "fewdim/model_bytes.hpp"
#include "fewdim/report.hpp"

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
    EXPECT_FALSE(summary(model).empty());
  }
}

TEST(OldFiles, HashOfWeightsIsNoOption) {
  LinearModel shape;
  shape.map = Matrix<double>::Identity(3, 2);
  Model::Head head;
  head.method = "pca";
  head.options = {{"ddof", std::int64_t{1}}, {"weights", std::string("xxh3:0123")}};  // as version 0.1 has it
  const Model model = model_from_bytes(model_bytes(Model(head, shape)), "old");
  EXPECT_EQ(model.head().provenance.weights_hash, "xxh3:0123");
  EXPECT_EQ(model.head().options, (OptionMap{{"ddof", std::int64_t{1}}}));
  const Model again = model_from_bytes(model_bytes(model), "new");
  EXPECT_EQ(again.head().provenance.weights_hash, "xxh3:0123");
  EXPECT_EQ(again.head().options, model.head().options);
}

TEST(OldFiles, OtherShapesHaveAnOptionOfThatName) {
  NeighborModel shape;
  shape.configuration = Matrix<double>::Identity(3, 2);
  shape.objects = Matrix<double>::Identity(3, 3);
  shape.neighbors = 2;
  Model::Head head;
  head.method = "laplacian";
  head.options = {{"weights", std::string("heat")}};
  const Model model = model_from_bytes(model_bytes(Model(head, shape)), "map");
  EXPECT_EQ(model.head().options, head.options);
  EXPECT_TRUE(model.head().provenance.weights_hash.empty());
}

TEST(OldFiles, KeepTheWordsOfTheirReasons) {
  const Model model = Model::load(FEWDIM_SOURCE_DIR "/tests/models/pca.fdm");
  EXPECT_NE(model.certificate().route, Route::none);
  ASSERT_EQ(model.certificate().why.size(), 1U);
  EXPECT_EQ(model.certificate().why.front().kind, ReasonKind::told);
}

}  // namespace
}  // namespace fewdim
