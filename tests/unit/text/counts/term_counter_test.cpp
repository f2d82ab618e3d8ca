#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

#include "fewdim/error.hpp"
#include "fewdim/words.hpp"

namespace fewdim {
namespace {

using Texts = std::vector<std::string>;

template <class T>
std::vector<T> listed(std::span<T> numbers) {
  return {numbers.begin(), numbers.end()};
}

WordOptions plain(Index ngrams = 1) {
  WordOptions options;
  options.language = "none";
  options.min_documents = 1;
  options.ngrams = ngrams;
  return options;
}

TermCounts counted(const Texts& texts, const WordOptions& options, std::size_t batch = 1'000'000, int threads = 1) {
  TermCounter counter(options);
  Execution exec;
  exec.threads = threads;
  for (std::size_t i = 0; i < texts.size(); i += batch)
    counter.add(Texts(texts.begin() + static_cast<std::ptrdiff_t>(i),
                      texts.begin() + static_cast<std::ptrdiff_t>(std::min(texts.size(), i + batch))),
                exec);
  EXPECT_EQ(counter.documents(), std::ssize(texts));
  return counter.finish(exec);
}

std::string message_of(const Texts& texts, const WordOptions& options) {
  try {
    counted(texts, options);
  } catch (const DataError& error) {
    return error.what();
  }
  return "no error";
}

class TermFile : public ::testing::Test {
 protected:
  std::string write(const std::string& content) {
    path_ = std::filesystem::temp_directory_path() /
            ("fewdim_terms_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::ofstream(path_) << content;
    return path_.string();
  }
  void TearDown() override { std::filesystem::remove(path_); }
  std::filesystem::path path_;
};

const Texts kFruit{"apple apple banana", "", "banana cherry", "apple banana cherry cherry"};

TEST(TermCounter, CountsTermsInOrder) {
  const TermCounts counts = counted(kFruit, plain());
  EXPECT_EQ(counts.terms, (Texts{"apple", "banana", "cherry"}));
  EXPECT_EQ(counts.counts.rows, 4);
  EXPECT_EQ(counts.counts.cols, 3);
  EXPECT_EQ(listed(counts.counts.offsets), (std::vector<std::int64_t>{0, 2, 2, 4, 7}));
  EXPECT_EQ(listed(counts.counts.columns), (std::vector<std::int32_t>{0, 1, 1, 2, 0, 1, 2}));
  EXPECT_EQ(listed(counts.counts.values), (std::vector<float>{2, 1, 1, 1, 1, 1, 2}));
  EXPECT_EQ(counts.lengths, (Vector<double>(4) << 3, 0, 2, 4).finished());
  EXPECT_EQ(counts.documents, (std::vector<std::int32_t>{2, 3, 2}));
  EXPECT_EQ(counts.words, 9);
  EXPECT_EQ(counts.distinct, 3);
  EXPECT_EQ(counts.rules.language, "none");
}

TEST(TermCounter, CaseIsFoldedAsTheLanguageDoes) {
  const Texts texts{"Kış KIŞ kış kiş", "ISI isi ısı @[`{ AZ az Ñandú ÑANDÚ ñandú AntidisestablishmentArianism"};
  EXPECT_EQ(counted(texts, plain()).terms,
            (Texts{"antidisestablishmentarianism", "az", "isi", "kiş", "kış", "ñandú", "ısı"}));
  WordOptions turkish = plain();
  turkish.language = "turkish";
  turkish.stems = false;
  const TermCounts counts = counted(texts, turkish);
  EXPECT_EQ(counts.counts.values[1], 3.0F);      // Kış KIŞ kış
  EXPECT_EQ(counts.counts.values.back(), 2.0F);  // ISI ısı
}

TEST(TermCounter, RunsAreTerms) {
  const TermCounts counts = counted({"new york city", "new york"}, plain(3));
  EXPECT_EQ(counts.terms, (Texts{"city", "new", "new york", "new york city", "york", "york city"}));
  EXPECT_EQ(counts.documents, (std::vector<std::int32_t>{1, 2, 2, 1, 2, 1}));
}

/// Text of a few hundred words, some rare, with stop words, of many lengths.
Texts random_texts(std::size_t count) {
  std::mt19937 random(7);
  const char* stops[] = {"the", "and", "of", "to", "in", "is"};
  Texts texts(count);
  for (std::string& text : texts)
    for (std::uint32_t i = random() % 120; i > 0; --i) {
      if (random() % 3 == 0)
        text += stops[random() % 6];
      else
        text += fmt::format("word{}{}", random() % (1 + random() % 3000), random() % 50 == 0 ? "élan" : "");
      text += random() % 9 == 0 ? ". " : " ";
    }
  return texts;
}

void expect_same(const TermCounts& a, const TermCounts& b) {
  EXPECT_EQ(a.rules.language, b.rules.language);
  EXPECT_EQ(a.terms, b.terms);
  EXPECT_EQ(listed(a.counts.offsets), listed(b.counts.offsets));
  EXPECT_EQ(listed(a.counts.columns), listed(b.counts.columns));
  EXPECT_EQ(listed(a.counts.values), listed(b.counts.values));
  EXPECT_EQ(a.lengths, b.lengths);
  EXPECT_EQ(a.documents, b.documents);
  EXPECT_EQ(a.words, b.words);
  EXPECT_EQ(a.distinct, b.distinct);
}

TEST(TermCounter, ResultsDoNotDependOnBatchesAndThreads) {
  const Texts texts = random_texts(3'000);
  WordOptions options;
  options.ngrams = 2;
  const TermCounts whole = counted(texts, options, 1'000'000, 1);
  EXPECT_EQ(whole.rules.language, "english");
  for (const int threads : {1, 2, 3})
    for (const std::size_t batch : {std::size_t{1}, std::size_t{97}, std::size_t{1'000'000}})
      expect_same(whole, counted(texts, options, batch, threads));
}

TEST(TermCounter, RowsAscendAndAgreeWithSplitter) {
  const Texts texts = random_texts(200);
  const TermCounts counts = counted(texts, plain(2));
  const WordSplitter splitter(counts.rules);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    std::map<std::string, float> expected, found;
    for (const Token& token : splitter.split(texts[i])) ++expected[token.term];
    for (auto at = static_cast<std::size_t>(counts.counts.offsets[i]);
         at < static_cast<std::size_t>(counts.counts.offsets[i + 1]); ++at) {
      if (at > static_cast<std::size_t>(counts.counts.offsets[i])) {
        EXPECT_LT(counts.counts.columns[at - 1], counts.counts.columns[at]);
      }
      found[counts.terms[static_cast<std::size_t>(counts.counts.columns[at])]] = counts.counts.values[at];
    }
    ASSERT_EQ(found, expected);
  }
  EXPECT_EQ(count_terms(texts, counts.terms, splitter).values, listed(counts.counts.values));
}

TEST(TermCounter, NewTextsHaveKnownTermsOnly) {
  const TermCounts counts = counted(kFruit, plain());
  const Csr<float> rows = count_terms({"Cherry pie, cherry", "", "pear"}, counts.terms, WordSplitter(counts.rules));
  EXPECT_EQ(rows.cols, 3);
  EXPECT_EQ(rows.offsets, (std::vector<std::int64_t>{0, 1, 1, 1}));
  EXPECT_EQ(rows.columns, (std::vector<std::int32_t>{2}));
  EXPECT_EQ(rows.values, (std::vector<float>{2}));
}

TEST(TermCounter, LimitsByDocuments) {
  const Texts texts{"a1 b1 c1", "a1 b1", "a1 d1", "a1"};
  WordOptions options = plain();
  options.min_documents = 2;
  EXPECT_EQ(counted(texts, options).terms, (Texts{"a1", "b1"}));
  options.max_documents = 3;
  EXPECT_EQ(counted(texts, options).terms, (Texts{"b1"}));
  options.min_documents = 0.5;
  options.max_documents = 0.5;
  EXPECT_EQ(counted(texts, options).terms, (Texts{"b1"}));
  options.min_documents = 0.26;  // of four: two
  options.max_documents = 1.0;
  EXPECT_EQ(counted(texts, options).terms, (Texts{"a1", "b1"}));
}

TEST(TermCounter, CountsTheWordsThatLimitsLeaveOut) {
  const Texts texts{"a1 b1 c1 c1", "a1 b1", "a1 d1", "a1"};
  WordOptions options = plain(2);
  options.min_documents = 2;
  options.max_documents = 3;
  for (const int threads : {1, 3}) {
    TermCounter counter(options);
    counter.add(texts, {.threads = threads});
    const TermCounts found = counter.finish({.threads = threads}, true);
    EXPECT_EQ(found.terms, (Texts{"a1 b1", "b1"}));
    EXPECT_EQ(found.other_words, (Texts{"a1", "c1", "d1"}));  // no runs
    EXPECT_EQ(found.other_counts.rows, 4);
    EXPECT_EQ(found.other_counts.cols, 3);
    EXPECT_EQ(listed(found.other_counts.offsets), (std::vector<std::int64_t>{0, 2, 3, 5, 6}));
    EXPECT_EQ(listed(found.other_counts.columns), (std::vector<std::int32_t>{0, 1, 0, 0, 2, 0}));
    EXPECT_EQ(listed(found.other_counts.values), (std::vector<float>{1, 2, 1, 1, 1, 1}));
  }
  options.max_documents = 1.0;
  options.max_terms = 1;
  TermCounter counter(options);
  counter.add(texts);
  const TermCounts most = counter.finish({}, true);
  EXPECT_EQ(most.terms, (Texts{"a1"}));
  EXPECT_EQ(most.other_words, (Texts{"b1", "c1", "d1"}));
  EXPECT_TRUE(counted(texts, options).other_words.empty()) << "where nobody asked";
}

TEST(TermCounter, SharesAreRoundedAsPeopleDo) {
  Texts texts(30, "common");
  for (std::size_t i = 0; i < 3; ++i) texts[i] += " rare";
  WordOptions options = plain();
  options.min_documents = 0.1;  // 0.1 · 30 is 3.0000000000000004 in binary
  EXPECT_EQ(counted(texts, options).terms, (Texts{"common", "rare"}));
}

TEST(TermCounter, MostTermsAreThoseInMostDocumentsThenByBytes) {
  WordOptions options = plain();
  options.max_terms = 2;
  EXPECT_EQ(counted(kFruit, options).terms, (Texts{"apple", "banana"}));
}

TEST(TermCounter, SaysWhatTookTheTerms) {
  WordOptions options = plain();
  EXPECT_NE(message_of({}, options).find("no documents"), std::string::npos);
  EXPECT_NE(message_of({"", "!"}, options).find("2 documents have 0 words"), std::string::npos);
  options.min_documents = 2;
  const std::string rare = message_of({"ab cd", "ef"}, options);
  EXPECT_NE(rare.find("none of 3 terms is left: 3 are in fewer than 2 documents (min_documents=2)"), std::string::npos)
      << rare;
  options.min_documents = 1;
  options.max_documents = 0.5;
  const std::string common = message_of({"ab", "ab"}, options);
  EXPECT_NE(common.find("1 in more than 1 (max_documents=0.5)"), std::string::npos) << common;
  EXPECT_EQ(common.find('\n'), std::string::npos);
}

TEST(TermCounter, IsEmptyAfterTheEnd) {
  WordOptions options = plain();
  options.min_documents = 2;
  TermCounter counter(options);
  counter.add({"ab cd", "ef"});
  EXPECT_THROW(counter.finish(), DataError);
  EXPECT_EQ(counter.documents(), 0);
  counter.add({"gh", "gh"});
  EXPECT_EQ(counter.finish().terms, (Texts{"gh"}));
  EXPECT_EQ(counter.documents(), 0);
}

TEST(TermCounter, RefusesNumbersOutOfBounds) {
  const auto refused = [](auto change) {
    WordOptions options = plain();
    change(options);
    EXPECT_THROW(TermCounter{options}, InvalidOption);
  };
  refused([](WordOptions& o) { o.ngrams = 0; });
  refused([](WordOptions& o) { o.ngrams = 9; });
  refused([](WordOptions& o) { o.shortest = 0; });
  refused([](WordOptions& o) { o.min_documents = -1; });
  refused([](WordOptions& o) { o.min_documents = std::nan(""); });
  refused([](WordOptions& o) { o.max_documents = 0; });
  refused([](WordOptions& o) { o.max_terms = -1; });
  refused([](WordOptions& o) { o.language = "elvish"; });
}

TEST_F(TermFile, StopWordsComeFromFile) {
  WordOptions options = plain();
  options.stop_words = write("\xef\xbb\xbf# fruit\n  Banana \r\n\nCHERRY\n");
  const TermCounts counts = counted(kFruit, options);
  EXPECT_EQ(counts.terms, (Texts{"apple"}));
  EXPECT_EQ(counts.rules.stop_words, (Texts{"banana", "cherry"}));
}

TEST_F(TermFile, BadFilesAreRefusedWithTheirPlace) {
  WordOptions options = plain();
  options.stop_words = write("apple\nbanan\xff\n");
  try {
    TermCounter counter(options);
    FAIL();
  } catch (const DataError& error) {
    EXPECT_NE(std::string(error.what()).find(":2:6: the byte 0xff"), std::string::npos) << error.what();
  }
  options.stop_words = path_.string() + ".is-not-there";
  EXPECT_THROW(TermCounter{options}, IoError);
  options.stop_words = "none";
  options.vocabulary = path_.string() + ".is-not-there";
  EXPECT_THROW(TermCounter{options}, IoError);
}

TEST_F(TermFile, VocabularyIsFoldedAndStemmedLikeText) {
  WordOptions options;
  options.language = "english";
  options.ngrams = 2;
  options.vocabulary = write("# ours\nRunning\nNew York\nunicorns\nthe\n");
  const TermCounts counts = counted({"He runs in New York", "apples"}, options);
  EXPECT_EQ(counts.terms, (Texts{"new york", "run"}));  // in one document each: limits are not for vocabularies
  EXPECT_EQ(listed(counts.counts.offsets), (std::vector<std::int64_t>{0, 2, 2}));
  EXPECT_NE(message_of({"pear"}, options).find("in the vocabulary"), std::string::npos);
  options.ngrams = 1;
  EXPECT_NE(message_of({"pear"}, options).find(":3: a term of 2 words, but ngrams=1"), std::string::npos);
}

TEST(TermCounter, LanguageIsNotNeededForFewWords) {
  WordOptions options;
  options.min_documents = 1;
  const TermCounts counts = counted({"the cats", "and dogs"}, options);
  EXPECT_EQ(counts.rules.language, "none");
  EXPECT_FALSE(counts.rules.stems);
  EXPECT_EQ(counts.terms, (Texts{"and", "cats", "dogs", "the"}));
}

TEST(TermCounter, TellsAndStopsOnRequest) {
  Execution exec;
  std::string stage;
  exec.progress = [&](const Progress& progress) {
    stage = progress.stage;
    return false;
  };
  TermCounter counter(plain());
  EXPECT_THROW(counter.add({"some text"}, exec), Interrupted);
  EXPECT_EQ(stage, "words");
}

TEST(TermCounter, KeepsToMemoryLimit) {
  Execution exec;
  exec.memory_limit = 1'000;
  TermCounter counter(plain());
  EXPECT_THROW(counter.add({"some text"}, exec), OverMemory);
}

// Far less than the text: 2 bytes for a term of a document.
TEST(TermCounter, HoldsLittle) {
  Texts texts(20'000,
              "some words that are said again and again in every document of this collection, 60 bytes and more");
  TermCounter counter(plain());
  counter.add(texts);
  EXPECT_LT(counter.bytes(), 20'000U * texts[0].size() / 3);
}

TEST(TermCounter, TakesAnyBytes) {
  std::mt19937 random(11);
  Texts texts(50);
  for (std::string& text : texts)
    for (int i = 0; i < 5'000; ++i) text.push_back(static_cast<char>(random()));
  texts.emplace_back(10'000'000, 'x');
  texts.emplace_back(10'000'000, '\0');
  std::string marks = "seen";
  for (int i = 0; i < 500'000; ++i) marks += "\u0301";
  texts.push_back(marks + " seen");
  WordOptions options;
  options.ngrams = 2;
  options.min_documents = 1;
  const TermCounts one = counted(texts, options, 1'000'000, 1);
  expect_same(one, counted(texts, options, 7, 2));
  EXPECT_TRUE(std::ranges::binary_search(one.terms, "seen"));
}

// More words than the cache of raw words holds (2^19): it forgets, the counts don't.
TEST(TermCounter, RemembersTermsWhenItForgetsWords) {
  Texts texts;
  for (const int count : {540, 40})
    for (int i = 0; i < count; ++i) {
      std::string& text = texts.emplace_back();
      for (int j = 0; j < 1'000; ++j) text += fmt::format("w{} ", i * 1'000 + j);
    }
  WordOptions options = plain();
  options.min_documents = 2;
  const TermCounts counts = counted(texts, options);
  EXPECT_EQ(counts.terms.size(), 40'000U);
  EXPECT_EQ(counts.distinct, 540'000);
  EXPECT_EQ(*std::ranges::max_element(counts.documents), 2);
}

}  // namespace
}  // namespace fewdim
