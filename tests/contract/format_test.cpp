// Walks the list of file formats: what a card says is whole, and true of the format.

#include <gtest/gtest.h>
#include <stdlib.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>
#include <set>

#include "fewdim/fewdim.hpp"
#include "support/data.hpp"

namespace fewdim {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// As a browser makes it of a heading.
bool has_heading(const std::string& page, const std::string& anchor) {
  return page.find("# " + anchor + "\n") != std::string::npos;
}

std::string gzipped(const std::string& text) {
  z_stream state{};
  deflateInit2(&state, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&state, text.size()) + 32, '\0');
  state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  state.avail_in = static_cast<uInt>(text.size());
  state.next_out = reinterpret_cast<Bytef*>(out.data());
  state.avail_out = static_cast<uInt>(out.size());
  deflate(&state, Z_FINISH);
  out.resize(out.size() - state.avail_out);
  deflateEnd(&state);
  return out;
}

std::vector<std::string> all_format_names() {
  std::vector<std::string> out;
  for (const FormatCard& card : formats()) out.push_back(card.name);
  return out;
}

/// Numbers that lose bits where a writer rounds.
template <class T>
Matrix<T> numbers() {
  Matrix<T> x = test::sample<T>(37, 5);
  x(0, 0) = T(-0.0);
  x(1, 1) = std::numeric_limits<T>::max();
  x(2, 2) = std::numeric_limits<T>::denorm_min();
  x(3, 3) = T(1) / T(3);
  x(36, 4) = T(-2.5);
  return x;
}

template <class T>
bool same_numbers(const Matrix<T>& a, const Matrix<T>& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(T)) == 0;
}

class FormatTest : public ::testing::TestWithParam<std::string> {
 protected:
  FormatTest() {
    std::string name = (fs::temp_directory_path() / "fewdim-format-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    folder_ = name;
  }
  ~FormatTest() override { fs::remove_all(folder_); }

  const FormatCard& card() const { return format(GetParam()); }
  bool keeps(RowTag tag) const { return card().keeps.has(tag); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string usual() const { return path("x" + card().endings.front()); }
  std::string store(const std::string& name, const std::string& content) const {
    std::ofstream(path(name), std::ios::binary) << content;
    return path(name);
  }

  /// With the names and labels that the format keeps, so that a reader need not guess.
  Dataset tagged(Dataset data) const {
    for (Index i = 0; i < data.rows(); ++i) {
      if (keeps(RowTag::row_names)) data.row_names.push_back("row " + std::to_string(i));
      if (keeps(RowTag::labels)) data.labels.push_back(i % 3 == 0 ? "1" : "-1");
    }
    for (Index j = 0; j < data.cols() && keeps(RowTag::column_names); ++j)
      data.column_names.push_back("column " + std::to_string(j));
    return data;
  }
  /// A file of the format, as it is written; "" where it is read only.
  std::string sample_file() const {
    if (!card().write) return {};
    write(tagged(Dataset(numbers<double>())), usual(), {.overwrite = true});
    return text_of(usual());
  }

  /// Reads it, looks at every number; false: it was refused, by a fault of the data that names the file.
  static bool reads(const std::string& path, const ReadOptions& options = {}) {
    Execution exec;
    exec.threads = 1;
    exec.memory_limit = std::uint64_t{64} << 20;
    try {
      const Dataset data = read(path, options, exec);
      const auto* sparse = data.sparse<double>();  // an index may say that there are billions of columns
      volatile double sum = sparse ? std::accumulate(sparse->values, sparse->values + sparse->nonzeros(), 0.0)
                                   : data.matrix<double>().sum();
      static_cast<void>(sum);
      return true;
    } catch (const Error& error) {
      const std::string what = error.what();
      EXPECT_TRUE(error.kind() == ErrorKind::data || error.kind() == ErrorKind::io ||
                  error.kind() == ErrorKind::over_memory)
          << what;
      EXPECT_NE(what.find(path), std::string::npos) << what;
      EXPECT_EQ(what.find('\n'), std::string::npos) << what;
    }
    return false;
  }

  fs::path folder_;
};

INSTANTIATE_TEST_SUITE_P(Formats, FormatTest, ::testing::ValuesIn(all_format_names()),
                         [](const auto& each) { return each.param; });

TEST_P(FormatTest, SaysAllThereIsToSay) {
  EXPECT_FALSE(card().title.empty());
  EXPECT_FALSE(card().about.empty());
  ASSERT_FALSE(card().endings.empty());
  for (const std::string& ending : card().endings) {
    EXPECT_TRUE(ending.starts_with('.')) << ending;
    EXPECT_EQ(std::ranges::count_if(ending, [](unsigned char c) { return std::isupper(c) != 0; }), 0) << ending;
  }
  EXPECT_EQ(card().read != nullptr, !card().reads.empty());
  EXPECT_EQ(card().write != nullptr, !card().writes.empty());
  EXPECT_TRUE(card().read || card().write);
  if (card().stream) {
    EXPECT_NE(card().read, nullptr);
  }
  for (const auto* fields : {&card().read_fields, &card().write_fields})
    for (const OptionField& field : *fields) EXPECT_FALSE(field.help.empty()) << field.name;
  const std::size_t hash = card().page.find('#');
  const std::string page = text_of(fs::path(FEWDIM_SOURCE_DIR) / card().page.substr(0, hash));
  EXPECT_FALSE(page.empty()) << card().page;
  if (hash != std::string::npos) {
    EXPECT_TRUE(has_heading(page, card().page.substr(hash + 1))) << card().page;
  }
}

TEST(FormatList, HasEveryNameAndEndingOnce) {
  std::set<std::string> names, titles, endings;
  for (const FormatCard& card : formats()) {
    EXPECT_TRUE(names.insert(card.name).second) << card.name;
    EXPECT_TRUE(titles.insert(card.title).second) << card.title;
    for (const std::string& ending : card.endings) EXPECT_TRUE(endings.insert(ending).second) << ending;
  }
  EXPECT_EQ(find_format("xyz"), nullptr);
  try {
    format("cvs");
    FAIL();
  } catch (const InvalidOption& error) {
    EXPECT_NE(error.remedy().find("did you mean csv?"), std::string::npos) << error.what();
  }
}

TEST_P(FormatTest, EndingsFindIt) {
  for (const std::string& ending : card().endings) {
    std::string large = ending;
    std::ranges::transform(large, large.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    for (const std::string& name : {"a" + ending, "b/A.b" + large, "a" + ending + ".gz", "a" + large + ".ZST"})
      EXPECT_EQ(format_of_name(name), &card()) << name;
    EXPECT_EQ(format_of_name("a" + ending + "x"), nullptr);
    EXPECT_EQ(format_of_target("a" + ending), &card());
  }
  EXPECT_EQ(format_of_target("a", card().name), &card());
}

TEST_P(FormatTest, WhatIsWrittenReadsBackToTheSameBits) {
  if (!card().write || !card().read) GTEST_SKIP() << "it is not both written and read";
  for (const std::string& ending : card().endings) {
    const std::string file = path("x" + ending);
    const auto x = numbers<double>();
    const auto single = numbers<float>();
    write(tagged(Dataset(x)), file, {.overwrite = true});
    EXPECT_TRUE(same_numbers(read(file).matrix<double>(), x)) << file;
    write(tagged(Dataset(single)), file, {.overwrite = true});
    EXPECT_TRUE(same_numbers(read(file, {.precision = Precision::float32}).matrix<float>(), single)) << file;
    if (!card().writes.has(RowKind::sparse)) continue;
    const Matrix<double> thin = test::sparse_sample(40, 30, 0.1);
    write(tagged(Dataset(test::to_csr(thin))), file, {.overwrite = true});
    const Dataset back = read(file);
    EXPECT_TRUE(back.is_sparse()) << file;
    EXPECT_TRUE(same_numbers(back.matrix<double>(), thin)) << file;
  }
}

TEST_P(FormatTest, ItsBeginningAndItsNameFindItUnderAnotherEnding) {
  const std::string content = sample_file();
  if (content.empty() || !card().read) GTEST_SKIP() << "it is not both written and read";
  const auto x = numbers<double>();
  const std::string plain = store("plain", content), other = store("x.dat", content);
  const std::string foreign = store(card().name == "csv" ? "y.npy" : "y.csv", content);
  EXPECT_TRUE(same_numbers(read(foreign, {.format = card().name}).matrix<double>(), x));
  EXPECT_TRUE(same_numbers(read(other, {.format = card().name}).matrix<double>(), x));
  if (!card().recognize) return;
  EXPECT_TRUE(card().recognize(content));
  EXPECT_FALSE(card().recognize(""));
  for (const FormatCard& each : formats())
    if (each.recognize && each.name != card().name) {
      EXPECT_FALSE(each.recognize(content)) << each.name;
    }
  EXPECT_TRUE(same_numbers(read(plain).matrix<double>(), x));
  EXPECT_TRUE(same_numbers(read(other).matrix<double>(), x));
}

TEST_P(FormatTest, CompressionIsUndone) {
  const std::string content = sample_file();
  if (content.empty() || !card().read) GTEST_SKIP() << "it is not both written and read";
  const auto x = numbers<double>();
  EXPECT_TRUE(same_numbers(read(store("z" + card().endings.front() + ".gz", gzipped(content))).matrix<double>(), x));
  for (const std::string ending : {".gz", ".zst"}) {
    const std::string packed = path("p" + card().endings.front() + ending);
    if (!card().writes_compressed) {
      EXPECT_THROW(write(Dataset(x), packed), Unsupported) << packed;
      EXPECT_FALSE(fs::exists(packed));
      continue;
    }
    write(tagged(Dataset(x)), packed);
    EXPECT_NE(text_of(packed).substr(0, 4), content.substr(0, 4));
    EXPECT_TRUE(same_numbers(read(packed).matrix<double>(), x));
  }
}

TEST_P(FormatTest, StreamsWhereItSaysSo) {
  const std::string content = sample_file();
  if (content.empty() || !card().read) GTEST_SKIP() << "it is not both written and read";
  if (!card().stream) {
    try {
      read(usual(), {.stream = true});
      FAIL() << "it is streamed";
    } catch (const Unsupported& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with(usual() + ": " + card().title + " can't be streamed;"))
          << error.what();
    }
    return;
  }
  const Dataset data = read(usual(), {.stream = true});
  ASSERT_TRUE(data.is_stream());
  const auto x = numbers<double>();
  RowMatrix<double> found(x.rows(), x.cols());
  Index at = 0;
  for (Index got; at < x.rows() && (got = data.stream()->read(found.data() + at * x.cols(), 7)) > 0;) at += got;
  EXPECT_EQ(at, x.rows());
  EXPECT_TRUE(same_numbers<double>(found, x));
}

TEST_P(FormatTest, KeepsTheTagsThatItSays) {
  if (sample_file().empty() || !card().read) GTEST_SKIP() << "it is not both written and read";
  const Dataset given = tagged(Dataset(numbers<double>())), found = read(usual());
  if (keeps(RowTag::row_names)) {
    EXPECT_EQ(found.row_names, given.row_names);
  }
  if (keeps(RowTag::column_names)) {
    EXPECT_EQ(found.column_names, given.column_names);
  }
  if (keeps(RowTag::labels)) {
    EXPECT_EQ(found.labels, given.labels);
  }
  // What it does not say it does not keep either: the card would say too little. (Sound names its channels itself.)
  Dataset all(numbers<double>());
  for (Index i = 0; i < all.rows(); ++i) all.row_names.push_back("r" + std::to_string(i)), all.labels.push_back("7");
  for (Index j = 0; j < all.cols(); ++j) all.column_names.push_back("c" + std::to_string(j));
  write(all, usual(), {.overwrite = true});
  const Dataset back = read(usual());
  EXPECT_EQ(back.row_names == all.row_names, keeps(RowTag::row_names));
  EXPECT_EQ(back.column_names == all.column_names, keeps(RowTag::column_names));
  EXPECT_EQ(back.labels == all.labels, keeps(RowTag::labels));
}

TEST_P(FormatTest, RefusesEmptyAndTruncatedFiles) {
  if (!card().read) GTEST_SKIP() << "it is not read";
  EXPECT_FALSE(reads(store("empty" + card().endings.front(), "")));
  const std::string content = sample_file();
  for (std::size_t size = 1; size < content.size(); size += content.size() / 17) {
    const bool read_anyway = reads(store("cut" + card().endings.front(), content.substr(0, size)));
    EXPECT_FALSE(read_anyway && card().binary) << size << " of " << content.size() << " bytes";
  }
}

TEST_P(FormatTest, DamagedFilesAreReadOrRefused) {
  const std::string content = sample_file();
  if (content.empty() || !card().read) GTEST_SKIP() << "it is not both written and read";
  const Random random(7, 0);
  std::uint64_t next = 0;
  const auto draw = [&](std::size_t below) {
    return std::min(below - 1, static_cast<std::size_t>(random.uniform(next++) * static_cast<double>(below)));
  };
  int read_anyway = 0;
  for (int i = 0; i < 200; ++i) {
    std::string damaged = content;
    const std::size_t faults = 1 + draw(4);
    for (std::size_t f = 0; f < faults; ++f) {
      // Half of the faults hit the head, where sizes stand.
      const std::size_t at = draw(draw(2) == 0 ? std::min<std::size_t>(damaged.size(), 128) : damaged.size());
      switch (draw(4)) {
        case 0:
          damaged[at] = static_cast<char>(draw(256));
          break;
        case 1:
          damaged[at] = static_cast<char>(damaged[at] ^ (1 << draw(8)));
          break;
        case 2:
          damaged.erase(at, 1 + draw(8));
          break;
        default:
          damaged.insert(at, damaged.substr(draw(damaged.size()), 1 + draw(8)));
      }
      if (damaged.empty()) damaged = "x";
    }
    read_anyway += reads(store("d" + card().endings.front(), damaged)) ? 1 : 0;
  }
  EXPECT_LT(read_anyway, 200);
}

TEST_P(FormatTest, OptionsOfOthersAreRefused) {
  if (sample_file().empty()) GTEST_SKIP() << "it is not written";
  const auto has = [](const std::vector<OptionField>& fields, const std::string& name) {
    return std::ranges::find(fields, name, &OptionField::name) != fields.end();
  };
  for (const FormatCard& other : formats()) {
    for (const OptionField& field : other.read_fields)
      if (card().read && !has(card().read_fields, field.name)) {
        EXPECT_THROW(read(usual(), {.own = {{field.name, "1"}}}), InvalidOption) << field.name;
      }
    for (const OptionField& field : other.write_fields)
      if (!has(card().write_fields, field.name)) {
        EXPECT_THROW(
            write(Dataset(numbers<double>()), path("o" + card().endings.front()), {.own = {{field.name, "1"}}}),
            InvalidOption)
            << field.name;
      }
  }
}

TEST(FormatList, HasDocumentsLinksAndImagesLikewise) {
  std::set<std::string> names;
  for (const DocumentFormatCard& card : document_formats()) {
    EXPECT_TRUE(names.insert(card.name).second) << card.name;
    EXPECT_FALSE(card.about.empty()) << card.name;
    EXPECT_NE(card.parse == nullptr, card.parse_folder == nullptr) << card.name;
    EXPECT_EQ(&document_format(card.name), &card);
  }
  names.clear();
  for (const LinkFormatCard& card : link_formats()) {
    EXPECT_TRUE(names.insert(card.name).second) << card.name;
    EXPECT_FALSE(card.about.empty()) << card.name;
    EXPECT_NE(card.read, nullptr) << card.name;
    EXPECT_EQ(&link_format(card.name), &card);
  }
  names.clear();
  for (const ImageFormatCard& card : image_formats()) {
    EXPECT_TRUE(names.insert(card.name).second) << card.name;
    EXPECT_FALSE(card.about.empty()) << card.name;
    EXPECT_FALSE(card.endings.empty()) << card.name;
    EXPECT_NE(card.recognize, nullptr) << card.name;
    EXPECT_NE(card.decode, nullptr) << card.name;
  }
  EXPECT_THROW(document_format("jsn"), InvalidOption);
  EXPECT_THROW(link_format("gmll"), InvalidOption);
}

}  // namespace
}  // namespace fewdim
