#include <gtest/gtest.h>

#include "fewdim/pca.hpp"
#include "fewdim/session.hpp"
#include "unit/data/text_files.hpp"
#include "unit/session/session_helpers.hpp"

namespace fewdim {
namespace {

using Names = std::vector<std::string>;
using test::expect_refused;
using test::Listener;
using test::mebibyte;
using text_files::Folder;

std::string table_of_60_rows(const Folder& folder) {
  std::string text = "a,b,c\n";
  for (int i = 0; i < 60; ++i)
    text += std::to_string(i) + "," + std::to_string(i * i % 17) + "," + std::to_string(i * 7 % 11) + "\n";
  return folder.write("table.csv", text);
}

/// PCA whose work fits beside a stream only.
MethodCard large_card() {
  MethodCard card = method("pca");
  card.fit = [](const Dataset& data, const OptionMap& options, const Execution& exec) {
    if (!data.is_stream()) throw OverMemory("pca: the work needs much");
    return method("pca").fit(data, options, exec);
  };
  return card;
}

TEST(SessionFit, IsThatOfTheMethod) {
  const Folder folder;
  const std::string path = table_of_60_rows(folder);
  Listener front;
  const Fitted fitted = fit(method("pca"), {.paths = {path}}, {{"components", std::int64_t{2}}}, front.context());
  const Model alone = fit_pca(read(path), {.components = 2});
  EXPECT_EQ(fitted.model.linear().map, alone.linear().map);
  EXPECT_EQ(fitted.data.rows(), 60);
  EXPECT_EQ(front.stages, (Names{"read", "fit"}));
  EXPECT_FALSE(fitted.documents);
}

TEST(SessionFit, TakesRowsAsTheyComeWhereMemoryIsShort) {
  const Folder folder;
  const std::string path = table_of_60_rows(folder);
  const OptionMap options{{"components", std::int64_t{2}}};
  Listener front;
  const Fitted fitted = fit(large_card(), {.paths = {path}}, options, front.context(64 * mebibyte));
  EXPECT_TRUE(fitted.data.is_stream());
  EXPECT_EQ(front.stages, (Names{"read", "fit", "fit"}));
  const Fitted whole = fit(method("pca"), {.paths = {path}}, options);
  EXPECT_EQ(fitted.model.linear().map, whole.model.linear().map);
}

TEST(SessionFit, KeepsWeightsWhenItTakesRowsAsTheyCome) {
  const Folder folder;
  const InputSource source{.paths = {folder.write("t.csv", "x,w,y\n1,1,2\n3,2,4\n5,3,7\n8,1,1\n")},
                           .weights_column = "w"};
  const OptionMap options{{"components", std::int64_t{1}}};
  Listener front;
  const Fitted fitted = fit(large_card(), source, options, front.context(64 * mebibyte));
  ASSERT_TRUE(fitted.data.is_stream());
  EXPECT_EQ(fitted.data.column_names, (Names{"x", "y"}));
  EXPECT_EQ(fitted.data.weights.size(), 4);
  EXPECT_EQ(fitted.model.linear().mean, fit(method("pca"), source, options).model.linear().mean);
}

TEST(SessionFit, SaysWhatTheLimitIsSharedBy) {
  const Folder folder;
  const InputSource source{.paths = {table_of_60_rows(folder)}};
  MethodCard card = method("pca");
  card.fit = [](const Dataset&, const OptionMap&, const Execution&) -> Model { throw OverMemory("pca: too large"); };
  Listener front;
  // A stream was tried last, and its rows take no memory.
  expect_refused(ErrorKind::over_memory, "pca: too large (64.0 MiB less 16.0 MiB for the program)",
                 [&] { fit(card, source, {}, front.context(64 * mebibyte)); });
  card.takes.stream = false;
  expect_refused(ErrorKind::over_memory, "pca: too large (64.0 MiB less 16.0 MiB for the program and the data)",
                 [&] { fit(card, source, {}, front.context(64 * mebibyte)); });
  // Without a limit there is nothing to share.
  try {
    fit(card, source, {}, front.context());
    ADD_FAILURE() << "nothing was thrown";
  } catch (const OverMemory& error) {
    EXPECT_STREQ(error.what(), "pca: too large");
  }
}

TEST(SessionFit, RefusesALimitBelowTheProgramItself) {
  const Folder folder;
  Listener front;
  const InputSource source{.paths = {table_of_60_rows(folder)}, .reading = {.stream = true}};
  expect_refused(ErrorKind::over_memory, "pca: the program and the data take 16.0 MiB, the limit is 16.0 MiB",
                 [&] { fit(method("pca"), source, {}, front.context(16 * mebibyte)); });
}

TEST(SessionFit, ReadsLinesOfTextWhereTheOptionsSaySo) {
  const Folder folder;
  const std::string path = folder.write("words.txt", "banana\nbandana\nananas\ncabana\n");
  const Fitted fitted = fit(method("kernel-pca"), {.paths = {path}},
                            {{"kernel", std::string("spectrum")}, {"components", std::int64_t{2}}});
  EXPECT_TRUE(fitted.data.is_text());
  EXPECT_EQ(fitted.model.components(), 2);
}

TEST(SessionFit, ReadsDocumentsWhereTheMethodTakesThem) {
  const Folder folder;
  const std::string path = folder.write("notes.txt", "a red car\na red truck\nthe blue sea\nthe blue sky\n");
  Listener front;
  const Fitted fitted = fit(method("lsi"), {.paths = {path}, .documents = {.format = "lines"}},
                            {{"components", std::int64_t{1}}, {"stop_words", std::string("none")}}, front.context());
  ASSERT_TRUE(fitted.documents);
  EXPECT_EQ(fitted.documents->documents, 4);
  EXPECT_EQ(fitted.data.source, path);
  EXPECT_EQ(front.stages, (Names{"open", "fit"}));
}

TEST(SessionFit, PassesOnWhatIsWrongWithTheInputOrTheOptions) {
  const Folder folder;
  const InputSource source{.paths = {table_of_60_rows(folder)}};
  EXPECT_THROW(fit(method("pca"), source, {{"components", std::int64_t{9}}}), InvalidOption);
  EXPECT_THROW(fit(method("pca"), source, {{"nothing", true}}), InvalidOption);
  EXPECT_THROW(fit(method("pca"), {.paths = {folder.path("nowhere.csv")}}), IoError);
  EXPECT_THROW(fit(method("lsi"), {.paths = {folder.path("nowhere.txt")}}), IoError);
  EXPECT_THROW(fit(method("pca"), {.paths = {folder.write("empty.csv", "")}}), DataError);
}

}  // namespace
}  // namespace fewdim
