#include "fewdim/faces.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "fewdim/error.hpp"
#include "fewdim/generate.hpp"
#include "fewdim/report.hpp"
#include "models/file/archive.hpp"
#include "models/file/model_file.hpp"
#include "support/images.hpp"
#include "vision/nearest.hpp"

namespace fewdim {
namespace {

using test::data_error_of;

/// `people` pictures of 6x5 with `each` noisy copies; labels "0", "1", ...
ImageSet crowd(Index people, Index each, double noise, Seed seed = 1) {
  constexpr Index height = 6, width = 5;
  RowMatrix<double> rows(people * each, height * width);
  ImageSet set{.rows = {}, .height = height, .width = width};
  std::vector<std::string> labels, names;
  for (Index i = 0; i < rows.rows(); ++i) {
    const Index person = i / each;
    for (Index j = 0; j < rows.cols(); ++j)
      rows(i, j) = 0.2 + 0.6 * Random(seed, static_cast<std::uint32_t>(person)).uniform(static_cast<std::uint64_t>(j)) +
                   noise * Random(seed, static_cast<std::uint32_t>(1000 + i)).normal(static_cast<std::uint64_t>(j));
    labels.push_back(std::to_string(person));
    names.push_back("image" + std::to_string(i));
  }
  set.rows = Dataset(std::move(rows));
  set.rows.labels = std::move(labels);
  set.rows.row_names = std::move(names);
  return set;
}

FaceOptions options_of(Index components, TrialKind trial = TrialKind::folds) {
  FaceOptions options;
  options.pca.components = components;
  options.trial = trial;
  return options;
}

TEST(Faces, RecognizesItsOwnImages) {
  const ImageSet images = crowd(5, 4, 0.02);
  const FaceFit fit = fit_faces(images, options_of(4));
  const Recognition found = recognize(fit.model, images);
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(found.nearest[i], static_cast<Index>(i));
    EXPECT_NEAR(found.distance[static_cast<Index>(i)], 0.0, 1e-12);  // transform of a training row is its embedding
  }
  // ‖x − x_k‖ by the definition.
  const Matrix<double> x = images.rows.matrix<double>();
  const RowMatrix<double> back = reconstructions(fit.model, x.row(3), {4});
  EXPECT_NEAR(found.face_distance[3], (x.row(3) - back.row(0)).norm(), 1e-12);
}

TEST(Faces, TrialsHoldImagesOut) {
  const ImageSet images = crowd(6, 5, 0.02);
  const FaceTrial folds = try_faces(images, 5, options_of(5));
  EXPECT_EQ(folds.tried, 30);
  EXPECT_EQ(folds.fits, 10);
  EXPECT_EQ(folds.distances.size(), 30);
  EXPECT_EQ(folds.right, folds.with_label);  // noise 0.02, people 0.6·√(30/6) apart
  EXPECT_TRUE(std::is_sorted(folds.distances.begin(), folds.distances.end()));
  FaceOptions split = options_of(5, TrialKind::split);
  split.share = 0.3;
  EXPECT_EQ(try_faces(images, 5, split).tried, 9);
  FaceOptions alone = options_of(5, TrialKind::leave_one_out);
  const FaceTrial others = try_faces(images, 5, alone);
  EXPECT_EQ(others.tried, 30);
  EXPECT_EQ(others.with_label, 30);
  EXPECT_EQ(others.right, 30);
  FaceOptions few = options_of(5);
  few.most_held_out = 7;
  const FaceTrial drawn = try_faces(images, 5, few);
  EXPECT_EQ(drawn.tried, 7);
  EXPECT_EQ(drawn.kind, TrialKind::split);
}

TEST(Faces, ALabelThatNobodyElseHasDoesNotCount) {
  ImageSet images = crowd(3, 2, 0.02);
  images.rows.labels[0] = "alone";
  const FaceTrial trial = try_faces(images, 2, options_of(2, TrialKind::leave_one_out));
  EXPECT_EQ(trial.with_label, 4);  // neither "alone" nor the other of that person
}

// A limit from images that a model has not seen: about 99 % of new ones of the same kind lie within it, and noise that
// is no such image does not.
TEST(Faces, LimitTellsFacesFromOthers) {
  const FaceFit fit = fit_faces(crowd(4, 50, 0.05), options_of(3));
  const ImageIndex& known = fit.model.images();
  EXPECT_GT(known.face_limit, 0.0);
  const ImageSet fresh = crowd(4, 50, 0.05, 1);
  const Recognition same = recognize(fit.model, fresh);
  EXPECT_GE(std::count(same.is_face.begin(), same.is_face.end(), true), 194);  // 198 expected of 200; these are the
                                                                               // training images, which lie nearer
  const ImageSet strangers = crowd(4, 1, 0.05, 2);                             // other people
  const Recognition others = recognize(fit.model, strangers);
  EXPECT_EQ(std::count(others.is_face.begin(), others.is_face.end(), true), 0);
  // The 99 % quantile of 200 distances is the 198th.
  EXPECT_EQ(known.face_limit, fit.trial.distances[197]);
}

TEST(Faces, SameBitsAtAnyNumberOfThreads) {
  const ImageSet images = crowd(7, 6, 0.05);
  const FaceFit one = fit_faces(images, options_of(6), Execution{.threads = 1});
  for (const int threads : {2, 3}) {
    const FaceFit other = fit_faces(images, options_of(6), Execution{.threads = threads});
    EXPECT_EQ(one.model.embedding(), other.model.embedding());
    EXPECT_EQ(one.trial.distances, other.trial.distances);
    EXPECT_EQ(one.trial.right, other.trial.right);
    const auto a = compression_table(one.model, images, 9, Execution{.threads = 1});
    const auto b = compression_table(other.model, images, 9, Execution{.threads = threads});
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].ssim, b[i].ssim);
  }
}

TEST(Faces, ModelIsSavedAndLoaded) {
  const test::ImageFolder folder;
  const std::string path = folder.path() + "/faces.fewdim";
  const ImageSet images = crowd(3, 4, 0.05);
  const FaceFit fit = fit_faces(images, options_of(4));
  fit.model.save(path);
  const Model loaded = Model::load(path);
  const ImageIndex &before = fit.model.images(), &after = loaded.images();
  EXPECT_EQ(after.height, 6);
  EXPECT_EQ(after.width, 5);
  EXPECT_EQ(after.channels, 1);
  EXPECT_EQ(after.white, before.white);
  EXPECT_EQ(after.face_limit, before.face_limit);
  EXPECT_EQ(after.names, before.names);
  EXPECT_EQ(after.labels, before.labels);
  EXPECT_EQ(loaded.embedding(), fit.model.embedding());
  EXPECT_EQ(recognize(loaded, images).face_distance, recognize(fit.model, images).face_distance);
  EXPECT_NE(summary(loaded).find("6 x 5, gray; 3 labels"), std::string::npos) << summary(loaded);
  EXPECT_NE(json_report(loaded).find("\"face_limit\""), std::string::npos);
}

// Sealed anew, so that the hash can't tell.
TEST(Faces, AlteredFilesAreRefused) {
  const Archive whole = archive_of(fit_faces(crowd(3, 4, 0.05), options_of(4)).model);
  const auto with = [&](const std::string& from, const std::string& to) {
    Archive archive = whole;
    std::string& text = archive.metadata.at("fewdim");
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    seal(archive);
    return data_error_of([&] { model_of(archive, "faces"); });
  };
  EXPECT_NE(with(R"("height":6)", R"("height":7)").find("not as large as its map"), std::string::npos);
  EXPECT_NE(with(R"("height":6)", R"("height":0)").find("no shape"), std::string::npos);
  EXPECT_NE(with(R"("channels":1)", R"("channels":2)").find("no shape"), std::string::npos);
  EXPECT_NE(with(R"("white":1.0)", R"("white":0.0)").find("white"), std::string::npos);
  EXPECT_NE(with(R"("height":6)", R"("heighs":6)").find("height"), std::string::npos);
  EXPECT_NE(with(R"("face_share":0.99)", R"("face_share":9.99)").find("limit"), std::string::npos);
  Archive renamed = whole;
  for (Tensor& tensor : renamed.tensors)
    if (tensor.name == "image_names") tensor.name = "image_namez";
  seal(renamed);
  EXPECT_FALSE(data_error_of([&] { model_of(renamed, "faces"); }).empty());
}

TEST(Faces, TablesAreImages) {
  const Dataset digits = builtin_table("digits");
  const ImageSet set = images_of_table(digits, 8, 8);
  EXPECT_EQ(set.white, 16.0);  // digits has counts of 0 to 16
  const Image first = set.image(0);
  EXPECT_FLOAT_EQ(first.values[3], float((*digits.dense<double>())(0, 3) / 16.0));
  // Column after column: pixel (y, x) stands at x·height + y.
  RowMatrix<double> row(1, 6);
  row << 0, 1, 2, 3, 4, 5;
  const ImageSet turned = images_of_table(Dataset(row), 2, 3, 1, true);
  EXPECT_EQ(turned.rows.matrix<double>(), (Matrix<double>(1, 6) << 0, 2, 4, 1, 3, 5).finished());
  EXPECT_NE(data_error_of([&] { images_of_table(digits, 8, 9); }).find("8x9"), std::string::npos);
  EXPECT_NE(
      data_error_of([&] { images_of_table(Dataset(RowMatrix<double>::Zero(2, 4).eval()), 2, 2); }).find("--white"),
      std::string::npos);
}

TEST(Faces, WhiteOfAModelScalesImages) {
  RowMatrix<double> bytes = crowd(3, 4, 0.05).rows.matrix<double>() * 255.0;
  ImageSet large = images_of_table(Dataset(bytes), 6, 5, 1, false, 255.0);
  const FaceFit fit = fit_faces(large, options_of(4, TrialKind::none));
  const Recognition found = recognize(fit.model, crowd(3, 4, 0.05));  // values of 0 to 1
  for (Index i = 0; i < 12; ++i) EXPECT_NEAR(found.distance[i], 0.0, 1e-10);
  EXPECT_EQ(fit.model.images().face_limit, 0.0);
  EXPECT_TRUE(found.is_face[0]);  // not known to be none
}

TEST(Faces, BadRequestsAreRefused) {
  const ImageSet images = crowd(3, 4, 0.05);
  FaceOptions options = options_of(2, TrialKind::split);
  options.share = 1.0;
  EXPECT_THROW(fit_faces(images, options), InvalidOption);
  options = options_of(2);
  options.folds = 1;
  EXPECT_THROW(fit_faces(images, options), InvalidOption);
  EXPECT_FALSE(data_error_of([] { fit_faces(crowd(1, 1, 0.1), options_of(1)); }).empty());
  EXPECT_FALSE(data_error_of([] { fit_faces(crowd(1, 2, 0.1), options_of(1)); }).empty());
  const FaceFit fit = fit_faces(images, options_of(2));
  ImageSet other = images;
  other.height = 5, other.width = 6;
  EXPECT_NE(data_error_of([&] { recognize(fit.model, other); }).find("--resize"), std::string::npos);
  EXPECT_THROW(recognize(fit_pca(images.rows), images), Unsupported);
}

TEST(GrowingRanks, GoesBy125) {
  EXPECT_EQ(growing_ranks(1), (std::vector<Index>{1}));
  EXPECT_EQ(growing_ranks(5), (std::vector<Index>{1, 2, 5}));
  EXPECT_EQ(growing_ranks(30), (std::vector<Index>{1, 2, 5, 10, 20, 30}));
  EXPECT_EQ(growing_ranks(100), (std::vector<Index>{1, 2, 5, 10, 20, 50, 100}));
}

TEST(NearestPlaces, EqualsTheDefinition) {
  Matrix<double> places(700, 3), queries(45, 3);  // more than one block of places, and of queries
  fill_normal<double>(3, 0, places);
  fill_normal<double>(4, 0, queries);
  const NearestPlaces found = nearest_places(places, queries, false, {});
  for (Index q = 0; q < queries.rows(); ++q) {
    Index best = 0;
    const double least = (places.rowwise() - queries.row(q)).rowwise().norm().minCoeff(&best);
    EXPECT_EQ(found.row[static_cast<std::size_t>(q)], best);
    EXPECT_NEAR(found.distance[q], least, 1e-14);
  }
  const NearestPlaces others = nearest_places(places, places, true, {});
  for (Index i = 0; i < places.rows(); ++i) EXPECT_NE(others.row[static_cast<std::size_t>(i)], i);
}

}  // namespace
}  // namespace fewdim
