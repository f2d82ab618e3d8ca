#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/remedy.hpp"
#include "fewdim/session.hpp"
#include "unit/data/text_files.hpp"
#include "unit/session/session_helpers.hpp"

namespace fewdim {
namespace {

using test::expect_refused;
using test::Listener;
using text_files::Folder;

const OptionMap two_components{{"components", std::int64_t{2}}};

std::string rows_of_text(Index rows, const std::string& row) {
  std::string text;
  for (Index i = 0; i < rows; ++i) text += row;
  return text;
}

TEST(SessionPlan, OfAFileIsThatOfItsShape) {
  const Folder folder;
  const RowMatrix<float> numbers = RowMatrix<float>::Random(300, 20);
  const std::string path = folder.path("table.npy");
  write(Dataset(numbers), path);
  Listener front;
  const FitPlan found = plan(method("pca"), {.paths = {path}}, two_components, front.context(std::uint64_t{1} << 30));
  const DataShape shape = shape_of(Dataset(numbers));
  const std::uint64_t left = (std::uint64_t{1} << 30) - (std::uint64_t{16} << 20) - numbers.size() * sizeof(float);
  const Plan direct = method("pca").plan(shape, two_components, {.memory_limit = left});
  EXPECT_EQ(found.plan.route, direct.route);
  EXPECT_EQ(found.plan.bytes, direct.bytes);
  EXPECT_EQ(found.plan.memory_limit, left);
  EXPECT_EQ(found.plan.considered.size(), direct.considered.size());
  EXPECT_EQ(found.input_bytes, numbers.size() * sizeof(float));
  EXPECT_EQ(found.input.shape.rows, 300);
  EXPECT_EQ(found.input.shape.precision, Precision::float32);
  EXPECT_FALSE(found.input.rows_estimated);
  EXPECT_EQ(front.stages, (std::vector<std::string>{"read"}));
}

TEST(SessionPlan, CountsTheRowsOfASmallText) {
  const Folder folder;
  const std::string path = folder.write("small.csv", "x,y\n" + rows_of_text(3000, "1.5,2\n"));
  const MeasuredInput input = measure_input(method("pca"), {.paths = {path}});
  EXPECT_EQ(input.shape.rows, 3000);
  EXPECT_EQ(input.shape.cols, 2);
  EXPECT_FALSE(input.rows_estimated);
  EXPECT_FALSE(input.shape.stream);
  const MeasuredInput twice = measure_input(method("pca"), {.paths = {path, path}});
  EXPECT_EQ(twice.shape.rows, 6000);
  EXPECT_EQ(twice.name, path + " and 1 more");
}

TEST(SessionPlan, EstimatesTheRowsOfALargeText) {
  const Folder folder;
  const Index rows = 600'000;  // of 16 bytes each: above the 8 MiB that are read whole
  const std::string path = folder.write("large.csv", "xxxxxxx,yyyyyyy\n" + rows_of_text(rows, "1.50000,2.25000\n"));
  const MeasuredInput input = measure_input(method("pca"), {.paths = {path}});
  EXPECT_TRUE(input.rows_estimated);
  EXPECT_NEAR(static_cast<double>(input.shape.rows), static_cast<double>(rows), 2.0);  // and the header is no row
}

TEST(SessionPlan, ReadsOnlyTheHeaderOfAMatrixMarketFile) {
  const Folder folder;
  // Entries that are not there would be refused by a reader.
  const std::string general =
      folder.write("general.mtx", "%%MatrixMarket matrix coordinate real general\n% a comment\n1000 400 30\n1 1 1.5\n");
  const FitPlan found = plan(method("pca"), {.paths = {general}}, two_components);
  EXPECT_EQ(found.input.shape.nonzeros, 30);
  EXPECT_EQ(found.input.shape.rows, 1000);
  EXPECT_EQ(found.input_bytes, 30U * 12U + 1001U * 8U);
  const std::string half =
      folder.write("half.mtx", "%%MatrixMarket matrix coordinate real symmetric\n9 9 4\n1 1 1.5\n");
  EXPECT_EQ(measure_input(method("pca"), {.paths = {half}}).shape.nonzeros, 8);
}

TEST(SessionPlan, StreamsWhereAFitWould) {
  const Folder folder;
  const RowMatrix<double> numbers = RowMatrix<double>::Zero(50'000, 100);  // 40 MB
  const std::string path = folder.path("table.npy");
  write(Dataset(numbers), path);
  const InputSource source{.paths = {path}};
  Listener front;
  const SessionContext tight = front.context(54 * test::mebibyte);
  const FitPlan streamed = plan(method("pca"), source, two_components, tight);
  EXPECT_TRUE(streamed.input.shape.stream);
  EXPECT_EQ(streamed.input_bytes, 0U);
  const MethodCard& other = method("isomap");  // takes no stream
  EXPECT_FALSE(measure_input(other, source, {}, tight).shape.stream);
  expect_refused(ErrorKind::over_memory, "plan: the program and the data take 54.1 MiB, the limit is 54.0 MiB",
                 [&] { plan(other, source, {}, tight); });
}

TEST(SessionPlan, OfABuiltInTableAndOfDocuments) {
  EXPECT_EQ(plan(method("pca"), {.paths = {"@digits"}}, two_components).input.shape.rows, 1797);
  const Folder folder;
  const std::string path = folder.write("notes.txt", "a red car\na red truck\nthe blue sea\nthe blue sky\n");
  const FitPlan found =
      plan(method("lsi"), {.paths = {path}, .documents = {.format = "lines"}}, {{"components", std::int64_t{1}}});
  ASSERT_TRUE(found.input.documents);
  EXPECT_EQ(found.input.documents->documents, 4);
  EXPECT_EQ(found.input.shape.rows, 4);
}

TEST(SessionPlan, PassesOnWhatIsWrong) {
  const Folder folder;
  const std::string path = folder.write("t.csv", "x,y\n1,2\n3,4\n5,7\n");
  EXPECT_THROW(plan(method("pca"), {.paths = {folder.path("nowhere.csv")}}), IoError);
  EXPECT_THROW(plan(method("pca"), {.paths = {folder.write("bad.csv", "x,y\n1,2\n3,abc\n")}}, two_components),
               DataError);
  EXPECT_THROW(plan(method("svd"), {.paths = {path}}, {{"scale", true}}), InvalidOption);
  expect_refused(ErrorKind::usage, "there is nothing to read", [] { plan(method("pca"), InputSource{}); });
}

TEST(PlanJson, HasWhatThePlanHas) {
  const Folder folder;
  const std::string path = folder.write("t.csv", "x,y\n1,2\n3,4\n5,7\n");
  FitPlan found = plan(method("pca"), {.paths = {path}}, two_components);
  found.input.name = "a \"b\" \xff.csv";  // neither quotes nor broken UTF-8 break it
  const auto document = nlohmann::ordered_json::parse(plan_json(found));
  EXPECT_EQ(document["method"], "pca");
  EXPECT_EQ(document["input"], "a \"b\" \xef\xbf\xbd.csv");
  EXPECT_EQ(document["rows"], 3);
  EXPECT_EQ(document["rows_estimated"], false);
  EXPECT_EQ(document["input_bytes"], 48);
  EXPECT_EQ(document["route"], word_of(found.plan.route));
  EXPECT_EQ(document["considered"].size(), found.plan.considered.size());
  EXPECT_EQ(document["estimated_seconds"], found.plan.seconds);
}

TEST(PlanJson, SpeaksInTheWordsOfTheFront) {
  FitPlan found;
  found.plan.considered = {{.route = Route::power, .verdict = Verdict::slow}};
  EXPECT_NE(plan_json(found).find("route = power"), std::string::npos);
  EXPECT_NE(plan_json(found, speak_command_line).find("--route power"), std::string::npos);
}

}  // namespace
}  // namespace fewdim
