#include "fewdim/model_bytes.hpp"

#include <gtest/gtest.h>

#include "fewdim/error.hpp"
#include "unit/models/sample_model.hpp"

namespace fewdim {
namespace {

std::string file_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(ModelBytes, AreThoseOfTheFile) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / fmt::format("fewdim-bytes-{}.fewdim", ::getpid());
  for (const Precision precision : {Precision::float64, Precision::float32}) {
    Model model = sample_model(7, 3, {.precision = precision});
    model.keep_embedding(Matrix<double>::Ones(5, 3));
    model.save(path.string(), true);
    EXPECT_EQ(model_bytes(model), file_text(path));
  }
  std::filesystem::remove(path);
}

TEST(ModelBytes, ComeBackAsTheSameModel) {
  const Model model = sample_model(7, 3);
  const std::string bytes = model_bytes(model);
  const Model again = model_from_bytes(bytes);
  EXPECT_EQ(again.linear().map, model.linear().map);
  EXPECT_EQ(again.head().options, model.head().options);
  EXPECT_EQ(model_bytes(again), bytes);
}

TEST(ModelBytes, RefuseWhatIsNoWholeModel) {
  const std::string bytes = model_bytes(sample_model(3, 2));
  for (std::size_t length = 0; length < bytes.size(); length += 13)
    EXPECT_THROW(model_from_bytes(bytes.substr(0, length)), DataError) << length;
  std::string changed = bytes;
  changed.back() = static_cast<char>(changed.back() ^ 1);
  EXPECT_THROW(model_from_bytes(changed), DataError);
  EXPECT_THROW(model_bytes(Model()), Error);  // nothing was fitted
  try {
    model_from_bytes("abc", "cache entry 7");
    FAIL();
  } catch (const DataError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("cache entry 7: ")) << error.what();
  }
}

}  // namespace
}  // namespace fewdim
