#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "data/hash.hpp"
#include "fewdim/io.hpp"
#include "unit/data/text_files.hpp"

namespace fewdim {
namespace {

using text_files::bits_of;
using text_files::Folder;
using text_files::gzip;
using text_files::message_of;
using text_files::zstd;
using Names = std::vector<std::string>;

std::string name_of(const FormatCard* card) { return card ? card->name : ""; }
std::string by_content(std::string_view head) { return format_of_content(formats(), head).name; }

TEST(Read, FormatsByName) {
  EXPECT_EQ(name_of(format_of_name("a/b.csv")), "csv");
  EXPECT_EQ(name_of(format_of_name("B.CSV.GZ")), "csv");
  EXPECT_EQ(name_of(format_of_name("b.tsv.zst")), "tsv");
  EXPECT_EQ(name_of(format_of_name("b.tsv.zstd")), "tsv");
  EXPECT_EQ(name_of(format_of_name("b.tab")), "tsv");
  EXPECT_EQ(name_of(format_of_name("b.npy")), "npy");
  EXPECT_EQ(name_of(format_of_name("b.npz")), "npz");
  EXPECT_EQ(name_of(format_of_name("b.mtx.gz")), "mtx");
  for (const char* name : {"b.svm", "b.svmlight", "b.libsvm"}) EXPECT_EQ(name_of(format_of_name(name)), "svmlight");
  for (const char* name : {"b.txt", "b", "-", "b.dat.gz", "csv"}) EXPECT_EQ(format_of_name(name), nullptr) << name;
}

TEST(Read, FormatsByContent) {
  EXPECT_EQ(by_content("\x93NUMPY\x01"), "npy");
  EXPECT_EQ(by_content("PK\x03\x04"), "npz");
  EXPECT_EQ(by_content("%%MatrixMarket matrix array real general\n"), "mtx");
  EXPECT_EQ(by_content("1 1:0.5 7:2\n-1 3:1\n"), "svmlight");
  EXPECT_EQ(by_content("+1 qid:3 1:0.5 # note\n0\n"), "svmlight");
  EXPECT_EQ(by_content("1 1:0.5 7:2"), "svmlight");
  for (const char* text : {"", "1 2\n3 4\n", "a,b\n", "12:30 1:5\n", "1\n2\n", "x 1:2\n", "1 1:2 x\n"})
    EXPECT_EQ(by_content(text), "csv") << text;
}

TEST(Read, KeepsSourceAndHash) {
  const Folder folder;
  const std::string text = "a,b\n1,2\n";
  for (const std::string& stored : {text, gzip(text), zstd(text)}) {
    const std::string path = folder.write("x.csv", stored);
    const Dataset data = read(path);
    EXPECT_EQ(data.source, path);
    EXPECT_EQ(data.hash, hash_of(stored));  // of the bytes as they are stored
    EXPECT_EQ(data.column_names, (Names{"a", "b"}));
    EXPECT_EQ(data.matrix<double>()(0, 1), 2.0);
  }
}

TEST(Read, TheNameFixesTheTab) {
  const Folder folder;
  EXPECT_EQ(read(folder.write("x.tsv", "a,1\tb,1\n1\t2\n")).column_names, (Names{"a,1", "b,1"}));
}

TEST(Read, ErrorsNameTheFile) {
  const Folder folder;
  const std::string missing = folder.path("none.csv");
  EXPECT_EQ(message_of<IoError>([&] { read(missing); }), missing + ": can't be opened: No such file or directory");
  const std::string bad = folder.write("x.csv", "a,b\n1,x\n2,3\n");
  EXPECT_EQ(message_of<DataError>([&] { read(bad); }).substr(0, bad.size() + 25), bad + ":2:2 (b): found \"x\", expe");
}

TEST(Read, EveryPrefixOfACompressedFileIsReadOrRefused) {
  const Folder folder;
  const std::string text = "a,b\n1,2\n3,4\n";
  for (const std::string& packed : {gzip(text), zstd(text)})
    for (std::size_t length = 0; length < packed.size(); ++length) {
      const std::string path = folder.write("x.csv.gz", packed.substr(0, length));
      EXPECT_THROW(read(path), DataError) << length;
    }
}

TEST(Read, DecompressedTextTakesItsShareOfTheLimit) {
  const Folder folder;
  std::string text;
  for (int i = 0; i < 100000; ++i) text += "1,2\n";  // 400 kB of text, 1600 kB of numbers
  const std::string path = folder.write("x.csv.gz", gzip(text));
  EXPECT_NO_THROW(read(path, {}, {.memory_limit = 2100000}));
  EXPECT_EQ(message_of<OverMemory>([&] { read(path, {}, {.memory_limit = 1700000}); }).substr(0, path.size() + 46),
            path + ": a table of 100000 x 2 needs 1.5 MiB, the lim");
}

TEST(Read, OptionsOfOtherFormatsAreRefused) {
  const Folder folder;
  const std::string path = folder.write("x.mtx", "%%MatrixMarket matrix array real general\n1 1\n1\n");
  ReadOptions options;
  options.delimiter = ';';
  EXPECT_EQ(message_of<InvalidOption>([&] { read(path, options); }),
            path + ": delimiter=';' means nothing for Matrix Market; leave it out; it is for CSV and TSV");
  options = {};
  options.own = {{"array", "x"}};
  EXPECT_EQ(message_of<InvalidOption>([&] { read(folder.write("x.csv", "1\n"), options); }),
            folder.path("x.csv") + ": array=x means nothing for CSV; leave it out; it is for NumPy .npz");
  options.own = {{"arary", "x"}};
  EXPECT_EQ(message_of<InvalidOption>([&] { read(folder.path("x.csv"), options); }),
            folder.path("x.csv") + ": arary=x means nothing for CSV; leave it out; no format has it");
}

TEST(Read, StreamsTextAndSaysWhatItCannot) {
  const Folder folder;
  ReadOptions options;
  options.stream = true;
  const Dataset data = read(folder.write("x.txt", "a b\n1 2\n3 4\n"), options);
  ASSERT_TRUE(data.is_stream());
  double rows[4];
  EXPECT_EQ(data.stream()->read(rows, 2), 2);
  EXPECT_EQ(rows[3], 4.0);
  EXPECT_EQ(data.hash, "");
  const std::string path = folder.write("x.svm", "1 1:2\n");
  EXPECT_EQ(message_of<Unsupported>([&] { read(path, options); }),
            path + ": svmlight can't be streamed; leave --stream out, or convert it to CSV, TSV or NumPy .npy");
  options.sparse = true;
  EXPECT_THROW(read(folder.path("x.txt"), options), Unsupported);
}

std::string data_folder() {
  const char* named = std::getenv("FEWDIM_DATA");
  return named ? named : std::string(FEWDIM_SOURCE_DIR) + "/../shared/data";
}

TEST(Read, RealTables) {
  const std::string folder = data_folder();
  if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << "no data in " << folder << "; set FEWDIM_DATA";
  const Dataset arrests = read(folder + "/tables_classic/USArrests.csv");
  EXPECT_EQ(arrests.rows(), 50);
  EXPECT_EQ(arrests.column_names, (Names{"Murder", "Assault", "UrbanPop", "Rape"}));
  EXPECT_EQ(arrests.row_names[1], "Alaska");
  EXPECT_EQ(arrests.matrix<double>()(1, 3), 44.5);
  ReadOptions options;
  options.label = "Species";
  const Dataset iris = read(folder + "/tables_classic/iris.csv", options);
  EXPECT_EQ(iris.cols(), 4);
  EXPECT_EQ(iris.labels[149], "virginica");
  EXPECT_EQ(iris.row_names[149], "150");
  const Dataset colors = read(folder + "/dist_cities/smacof_ekman.csv");  // names that are numbers
  EXPECT_EQ(colors.rows(), 14);
  EXPECT_EQ(colors.row_names, colors.column_names);
  const Dataset words = read(folder + "/words_glove100/glove_top5000_100d.txt.gz");
  EXPECT_EQ(words.cols(), 100);
  EXPECT_EQ(words.row_names[0], "the");
  EXPECT_EQ(words.matrix<double>()(0, 0), -0.038194);
  const Dataset genes = read(folder + "/genes_golub/golub_72x7129_int.csv.gz");
  EXPECT_EQ(genes.rows(), 72);
  EXPECT_EQ(genes.cols(), 7129);
  EXPECT_TRUE(genes.column_names.empty());
}

}  // namespace
}  // namespace fewdim
