// Models that keep strings: what a file must hold to be believed.

#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "fewdim/error.hpp"
#include "fewdim/kernel_pca.hpp"
#include "fewdim/report.hpp"
#include "models/file/model_file.hpp"

namespace fewdim {
namespace {

using Texts = std::vector<std::string>;

Model text_model() {
  return fit_kernel_pca(Dataset::of_texts({"anna", "", "hanna", "日本 hanoi", "annan"}),
                        {.components = 2, .kernel = KernelKind::spectrum, .length = 2});
}

Tensor& tensor_of(Archive& archive, const std::string& name) {
  for (Tensor& tensor : archive.tensors)
    if (tensor.name == name) return tensor;
  throw std::logic_error("no array " + name);
}

void set_bytes(Tensor& tensor, std::string bytes) {
  const auto owned = std::make_shared<std::string>(std::move(bytes));
  tensor.bytes = *owned;
  tensor.owner = owned;
}

std::string ends_of(const std::vector<std::int64_t>& ends) {
  std::string bytes(ends.size() * sizeof(std::int64_t), '\0');
  std::memcpy(bytes.data(), ends.data(), bytes.size());
  return bytes;
}

/// The words of the refusal after something was done to the arrays; it is sealed anew, so that the hash can't tell.
std::string text_refusal(const std::function<void(Archive&)>& damage) {
  Archive archive = archive_of(text_model());
  damage(archive);
  seal(archive);
  try {
    model_of(archive, "m");
  } catch (const DataError& error) {
    return error.what();
  }
  return "taken";
}

TEST(TextModel, ComesBackFromItsArchive) {
  const Model model = text_model();
  const Model again = model_of(archive_of(model), "m");
  EXPECT_EQ(again.kernel().strings.texts, (Texts{"anna", "", "hanna", "日本 hanoi", "annan"}));
  EXPECT_EQ(again.kernel().strings.length, 2);
  EXPECT_TRUE(again.kernel().strings.normalize);
  EXPECT_TRUE(again.takes_text());
  EXPECT_EQ(again.features(), 0);
  const Dataset fresh = Dataset::of_texts({"hanna", "x", "本 han"});
  EXPECT_EQ(model.transform(fresh).matrix<double>(), again.transform(fresh).matrix<double>());
  EXPECT_NE(summary(model).find("2 components of strings, by substrings of 2 characters"), std::string::npos);
}

TEST(TextModel, RefusesDamagedTexts) {
  // The texts end at 4, 4, 9, 21 and 26: 日 and 本 take three bytes each.
  const auto with_ends = [](const std::vector<std::int64_t>& ends) {
    return text_refusal([&](Archive& archive) {
      Tensor& tensor = tensor_of(archive, "texts_ends");
      tensor.shape = {ends.size()};
      set_bytes(tensor, ends_of(ends));
    });
  };
  EXPECT_EQ(with_ends({4, 4, 9, 21, 26}), "taken");
  for (const auto& ends : std::vector<std::vector<std::int64_t>>{
           {4, 3, 9, 21, 26}, {4, 4, 9, 21, 27}, {4, 4, 9, 21, 25}, {-1, 4, 9, 21, 26}, {4, 4, 9, 1LL << 62, 26}})
    EXPECT_NE(with_ends(ends).find("'texts_ends' does not rise to the size of the texts"), std::string::npos)
        << with_ends(ends);
  EXPECT_NE(with_ends({4, 9, 21, 26}).find("4 texts don't fit a kernel of 5 objects"), std::string::npos);
  EXPECT_NE(with_ends({4, 4, 10, 10, 26}).find("text 3 is not UTF-8"), std::string::npos);  // cut in a character
  EXPECT_NE(text_refusal([](Archive& a) { tensor_of(a, "texts_ends").type = DType::f64; }).find("not of type I64"),
            std::string::npos);
  EXPECT_NE(text_refusal([](Archive& a) {
              std::erase_if(a.tensors, [](const Tensor& t) { return t.name == "texts_ends"; });
            }).find("'texts' has no ends"),
            std::string::npos);
  EXPECT_NE(text_refusal([](Archive& a) {
              std::erase_if(a.tensors, [](const Tensor& t) { return t.name.starts_with("texts"); });
            }).find("0 texts don't fit"),
            std::string::npos);
}

TEST(TextModel, RefusesUnsoundOptions) {
  const auto replaced = [](const std::string& from, const std::string& to) {
    return text_refusal([&](Archive& archive) {
      std::string& text = archive.metadata.at("fewdim");
      const std::size_t at = text.find(from, text.find(R"("strings":)"));
      ASSERT_NE(at, std::string::npos);
      text.replace(at, from.size(), to);
    });
  };
  EXPECT_NE(replaced(R"("length":2)", R"("length":0)").find("substrings of 0 characters are none"), std::string::npos);
  EXPECT_NE(replaced(R"("length":2)", R"("length":101)").find("substrings of 101 characters"), std::string::npos);
  EXPECT_NE(replaced(R"("length":2)", R"("size":2)"), "taken");
}

TEST(TextModel, TakesTextOnly) {
  const Model model = text_model();
  try {
    model.transform(Dataset(Matrix<double>(Matrix<double>::Ones(2, 3))));
    FAIL();
  } catch (const DataError& error) {
    EXPECT_STREQ(error.what(), "transform: the model compares strings, and the data have none; give lines of text");
  }
  EXPECT_THROW(model.inverse_transform(Dataset(Matrix<double>(Matrix<double>::Ones(2, 2)))), Unsupported);
}

}  // namespace
}  // namespace fewdim
