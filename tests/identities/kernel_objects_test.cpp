// Kernel PCA of strings and of any objects.

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <map>
#include <span>

#include "fewdim/isomap.hpp"
#include "fewdim/kernel_pca.hpp"
#include "fewdim/mds.hpp"
#include "fewdim/pca.hpp"
#include "support/data.hpp"
#include "support/embedding.hpp"

namespace fewdim {
namespace {

using test::expect_same;
using Texts = std::vector<std::string>;

/// Words of 2 to 9 letters, of which some are vowels every other time, so that they look alike in parts.
Texts words(Index count, Seed seed) {
  constexpr std::string_view vowels = "aeiou", others = "bdgklmnrst";
  Texts out;
  for (Index i = 0; i < count; ++i) {
    const Random random(seed, static_cast<std::uint32_t>(i));
    std::string word;
    const std::uint64_t length = 2 + random.below(0, 8);
    for (std::uint64_t j = 1; j <= length; ++j)
      word += j % 2 == 0 ? vowels[random.below(j, vowels.size())] : others[random.below(j, others.size())];
    out.push_back(word);
  }
  return out;
}

/// The spectrum kernel of letters, as it is defined.
Matrix<double> spectrum_matrix(const Texts& a, const Texts& b, std::size_t length, bool normalize) {
  using Counts = std::map<std::string, double>;
  const auto counts = [&](const Texts& texts) {
    std::vector<Counts> out;
    for (const std::string& text : texts) {
      out.emplace_back();
      for (std::size_t i = 0; i + length <= text.size(); ++i) out.back()[text.substr(i, length)] += 1.0;
    }
    return out;
  };
  const auto product = [](const Counts& s, const Counts& t) {
    double sum = 0.0;
    for (const auto& [u, count] : s)
      if (const auto found = t.find(u); found != t.end()) sum += count * found->second;
    return sum;
  };
  const std::vector<Counts> rows = counts(a), cols = counts(b);
  Matrix<double> k(std::ssize(a), std::ssize(b));
  for (Index i = 0; i < k.rows(); ++i)
    for (Index j = 0; j < k.cols(); ++j) {
      const Counts &s = rows[static_cast<std::size_t>(i)], &t = cols[static_cast<std::size_t>(j)];
      k(i, j) = product(s, t);
      if (normalize && k(i, j) > 0.0) k(i, j) /= std::sqrt(product(s, s) * product(t, t));
    }
  return k;
}

bool same_bits(const Matrix<double>& a, const Matrix<double>& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(double)) == 0;
}

template <class F>
std::string message_of(F run) {
  try {
    run();
  } catch (const Error& error) {
    return error.message(speak_command_line);
  }
  return "nothing was thrown";
}

const Texts names = words(560, 1), others = words(90, 2);  // two tiles, and two blocks of new strings

TEST(StringIdentities, TheSpectrumKernelIsItsMatrix) {
  for (const bool normalize : {true, false}) {
    const Model text =
        fit_kernel_pca(Dataset::of_texts(names),
                       {.components = 3, .kernel = KernelKind::spectrum, .length = 2, .normalize = normalize});
    const Model given = fit_kernel_pca(Dataset(spectrum_matrix(names, names, 2, normalize)),
                                       {.components = 3, .kernel = KernelKind::precomputed});
    // The entries have the same bits, and so has all that is made of them.
    EXPECT_EQ(text.spectrum().explained_variance, given.spectrum().explained_variance);
    EXPECT_EQ(text.embedding(), given.embedding());
    EXPECT_EQ(text.transform(Dataset::of_texts(others)).matrix<double>(),
              given.transform(spectrum_matrix(others, names, 2, normalize)));
  }
}

TEST(StringIdentities, TrainingStringsComeToTheirPlaces) {
  Texts texts = words(150, 3);
  texts[7] = "";  // too short for a substring of 3
  texts[8] = "ab";
  const Dataset data = Dataset::of_texts(texts);
  for (const bool center : {true, false}) {
    const Model model =
        fit_kernel_pca(data, {.components = 4, .kernel = KernelKind::spectrum, .length = 3, .center = center});
    const Dataset placed = model.transform(data);
    expect_same(placed.matrix<double>(), model.embedding(), 1e-10);
    EXPECT_EQ(placed.row_names, texts);
    const Matrix<double> scores = placed.matrix<double>();
    EXPECT_EQ(scores.row(7), scores.row(8));  // like no other, both
    EXPECT_NE(words_of(model.certificate().why).find("have fewer than 3 characters"), std::string::npos);
  }
}

TEST(StringIdentities, SavedAndLoadedPlacesTheSame) {
  const Model model = fit_kernel_pca(Dataset::of_texts(names), {.components = 3, .kernel = KernelKind::spectrum});
  const auto path = std::filesystem::temp_directory_path() / ("fewdim-strings-" + std::to_string(::getpid()));
  model.save(path.string(), true);
  const Model loaded = Model::load(path.string());
  std::filesystem::remove(path);
  const Dataset fresh = Dataset::of_texts(others);
  EXPECT_TRUE(same_bits(model.transform(fresh).matrix<double>(), loaded.transform(fresh).matrix<double>()));
  EXPECT_EQ(loaded.kernel().strings.texts, names);
}

TEST(StringIdentities, SameBitsAtAnyThreadCount) {
  std::vector<Matrix<double>> scores, placed;
  for (const int threads : {1, 2, 3}) {
    Execution exec;
    exec.threads = threads;
    const Model model =
        fit_kernel_pca(Dataset::of_texts(names), {.components = 3, .kernel = KernelKind::spectrum}, exec);
    scores.push_back(model.embedding());
    placed.push_back(model.transform(Dataset::of_texts(others), exec).matrix<double>());
  }
  for (std::size_t i = 1; i < scores.size(); ++i) {
    EXPECT_TRUE(same_bits(scores[0], scores[i]));
    EXPECT_TRUE(same_bits(placed[0], placed[i]));
  }
}

TEST(StringIdentities, BadInput) {
  const auto message = [](const Texts& texts, KernelPcaOptions options) {
    options.kernel = KernelKind::spectrum;
    return message_of([&] { fit_kernel_pca(Dataset::of_texts(texts), options); });
  };
  EXPECT_NE(message({"ab", "cd"}, {.length = 0}).find("length=0 must be from 1 to 100"), std::string::npos);
  EXPECT_NE(message({"ab", "cd"}, {.length = 101}).find("length=101"), std::string::npos);
  EXPECT_NE(message({"ab", "c", ""}, {}).find("no string has 3 characters; lower --length"), std::string::npos);
  EXPECT_NE(message({"same", "same", "same"}, {}).find("all objects are alike"), std::string::npos);
  EXPECT_NE(message({"one"}, {}).find("at least 2 objects are needed, and there is one"), std::string::npos);
  EXPECT_NE(message({"fine", "na\xefve"}, {}).find("text 2 is not UTF-8 at byte 3"), std::string::npos);
  EXPECT_NE(message(names, {.approximation = KernelApproximation::nystrom}).find("has no approximation"),
            std::string::npos);
  EXPECT_NE(message_of([] {
              fit_kernel_pca(test::sample(20, 3), {.kernel = KernelKind::spectrum});
            }).find("compares strings, and the data have none"),
            std::string::npos);
}

TEST(StringIdentities, MethodsOfNumbersRefuseTexts) {
  const Dataset texts = Dataset::of_texts(names);
  for (const MethodCard& card : methods()) {
    if (card.takes_text && card.takes_text({})) continue;
    const std::string said = message_of([&] { card.fit(texts, {}, {}); });
    EXPECT_NE(said.find("the data are text, and numbers are needed"), std::string::npos) << card.name << ": " << said;
  }
  const std::string said = message_of([&] { fit_pca(test::sample(20, 3)).transform(texts); });
  EXPECT_EQ(said, "transform: the model has 3 features, and the data are text");
}

const Matrix<double> points = test::sample(600, 5), new_points = test::sample(40, 5, 9);

/// A point that is no row: something else altogether.
struct Point {
  Vector<double> at;
};

std::vector<Point> objects_of(const Matrix<double>& x) {
  std::vector<Point> out;
  for (Index i = 0; i < x.rows(); ++i) out.push_back({x.row(i).transpose()});
  return out;
}

double gaussian(const Point& a, const Point& b) { return std::exp(-0.3 * (a.at - b.at).squaredNorm()); }

TEST(ObjectIdentities, ACallableGaussianIsTheGaussian) {
  const std::vector<Point> objects = objects_of(points), fresh = objects_of(new_points);
  const Model rows = fit_kernel_pca(points, {.components = 4, .gamma = 0.3});
  const Model model = fit_kernel_pca(objects, gaussian, {.components = 4});
  EXPECT_LE(test::distance(rows.spectrum().explained_variance, model.spectrum().explained_variance), 1e-12);
  // The kernel's values differ by the rounding of the two ways to a distance, about 1e-15.
  expect_same(model.transform(kernel_values(fresh, objects, gaussian)), rows.transform(new_points), 1e-10);
  expect_same(model.transform(kernel_values(objects, objects, gaussian)), model.embedding(), 1e-10);
  EXPECT_EQ(model.features(), 600);
  EXPECT_EQ(model.kernel().kernel, KernelKind::precomputed);
  const Model spanned = fit_kernel_pca(std::span<const Point>(objects), gaussian, {.components = 4});
  EXPECT_TRUE(same_bits(spanned.embedding(), model.embedding()));
}

TEST(ObjectIdentities, EveryPairIsComputedOnceWhereItIsKept) {
  const std::vector<Point> objects = objects_of(points);
  std::atomic<Index> calls = 0;
  const auto counted = [&](const Point& a, const Point& b) {
    ++calls;
    return gaussian(a, b);
  };
  const Model kept = fit_kernel_pca(objects, counted, {.components = 2});
  constexpr Index sample = 200;  // 100 pairs in both orders
  EXPECT_LE(calls, 600 * 601 / 2 + sample);
  EXPECT_GT(calls, 600 * 601 / 2);
  Execution tight;  // the solver takes 8.2 MiB, and 6 MiB of tiles don't fit beside it
  tight.memory_limit = 10 << 20;
  calls = 0;
  const Model anew = fit_kernel_pca(objects, counted, {.components = 2}, tight);
  EXPECT_GT(calls, 2 * 600 * 601 / 2);
  EXPECT_NE(words_of(anew.certificate().why).find("anew"), std::string::npos);
  expect_same(anew.embedding(), kept.embedding(), 1e-9);
}

TEST(ObjectIdentities, SameBitsAtAnyThreadCount) {
  const std::vector<Point> objects = objects_of(points);
  std::vector<Matrix<double>> all;
  for (const int threads : {1, 2, 3}) {
    Execution exec;
    exec.threads = threads;
    all.push_back(fit_kernel_pca(objects, gaussian, {.components = 3}, exec).embedding());
  }
  EXPECT_TRUE(same_bits(all[0], all[1]));
  EXPECT_TRUE(same_bits(all[0], all[2]));
}

TEST(ObjectIdentities, BadKernels) {
  const std::vector<Point> objects = objects_of(points);
  const std::vector<int> few{1, 2, 3};
  const auto lopsided = [](const Point& a, const Point& b) { return a.at[0] * b.at[1]; };
  EXPECT_NE(message_of([&] { fit_kernel_pca(objects, lopsided); }).find("it must be symmetric"), std::string::npos);
  EXPECT_NE(message_of([&] {
              fit_kernel_pca(few, [](int a, int b) { return a == 3 && b == 2 ? std::nan("") : a * b * 1.0; });
            }).find("the kernel of object 2 and object 1 (counted from 0) is nan"),
            std::string::npos);
  EXPECT_NE(message_of([&] {
              kernel_values(few, few, [](int a, int) { return 1.0 / (a - 1); });
            }).find("the kernel of new object 0 and object 0 (counted from 0) is inf"),
            std::string::npos);
  EXPECT_NE(message_of([&] { fit_kernel_pca(std::vector<int>{1}, [](int, int) { return 1.0; }); }).find("there is one"),
            std::string::npos);
  EXPECT_NE(message_of([&] { fit_kernel_pca(few, [](int, int) { return 1.0; }); }).find("all objects are alike"),
            std::string::npos);
  // −ab is no inner product.
  EXPECT_NE(message_of([&] { fit_kernel_pca(few, [](int a, int b) { return -1.0 * a * b; }); }).find("kernel-pca: "),
            std::string::npos);
  EXPECT_EQ(kernel_values(std::vector<int>{}, few, [](int, int) { return 1.0; }).rows(), 0);
}

}  // namespace
}  // namespace fewdim
