// A format is one card: formats that no list of the library has are read, written, found and refused by theirs.

#include "data/formats.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/describe.hpp"
#include "data/hash.hpp"
#include "unit/data/text_files.hpp"

namespace fewdim {

/// Options of a format of its own.
struct DotsReading {
  double unit = 1.0;
};

template <class Visitor>
void describe(DotsReading& o, Visitor&& field) {
  field(o.unit, {.name = "dot_unit", .minimum = 0, .help = "what a dot stands for"});
}

namespace {

using text_files::Folder;
using text_files::gzip;
using text_files::message_of;
using text_files::slurp;

/// "dots\n" and a line a row: as many dots as the one number of the row says.
FormatCard dots_card() {
  return {.name = "dots",
          .title = "dots",
          .endings = {".dots"},
          .reads = {RowKind::dense},
          .writes = {RowKind::dense},
          .writes_compressed = true,
          .read_fields = fields_of<DotsReading>(),
          .recognize = [](std::string_view head) { return head.starts_with("dots\n"); },
          .read =
              [](const Bytes& bytes, const ReadOptions& options, const Execution&, ReadDecisions*) {
                const double unit = options_from_map<DotsReading>(options.own, bytes.path).unit;
                std::vector<double> found;
                for (std::string_view text = bytes.text.substr(5); !text.empty();) {
                  const std::size_t end = std::min(text.find('\n'), text.size() - 1);
                  found.push_back(unit * static_cast<double>(end));
                  text.remove_prefix(end + 1);
                }
                Matrix<double> read(std::ssize(found), 1);
                for (std::size_t i = 0; i < found.size(); ++i) read(static_cast<Index>(i), 0) = found[i];
                return Dataset(std::move(read));
              },
          .write =
              [](const Dataset& data, ByteSink& out, const WriteOptions&, const Execution&) {
                out.write("dots\n");
                const Matrix<double> counts = data.matrix<double>();
                for (Index i = 0; i < counts.rows(); ++i)
                  out.write(std::string(static_cast<std::size_t>(counts(i, 0)), '.') + "\n");
              }};
}

/// A folder with a file "count": one row with the number in it.
FormatCard folder_card() {
  return {.name = "counted",
          .title = "counted folder",
          .reads = {RowKind::dense},
          .recognize_folder = [](const std::string& path) { return std::filesystem::exists(path + "/count"); },
          .read =
              [](const Bytes& bytes, const ReadOptions&, const Execution&, ReadDecisions*) {
                const std::string text = slurp(bytes.path + "/count");
                Dataset data(Matrix<double>(Matrix<double>::Constant(1, 1, std::stod(text))));
                Hasher hasher;
                hasher.update(text);
                data.hash = hasher.text();
                return data;
              }};
}

std::vector<FormatCard> with(FormatCard card) {
  std::vector<FormatCard> cards = formats();
  cards.push_back(std::move(card));  // the one line
  return cards;
}

Matrix<double> column(std::initializer_list<double> values) {
  Matrix<double> x(std::ssize(values), 1);
  std::copy(values.begin(), values.end(), x.data());
  return x;
}

TEST(Formats, OneCardIsAFormat) {
  const Folder folder;
  const std::vector<FormatCard> cards = with(dots_card());
  const Matrix<double> x = column({3, 0, 5});
  write_to(cards, Dataset(x), folder.path("x.dots"), {}, {});
  EXPECT_EQ(slurp(folder.path("x.dots")), "dots\n...\n\n.....\n");
  EXPECT_EQ(read_from(cards, folder.path("x.dots"), {}, {}, nullptr).matrix<double>(), x);
  write_to(cards, Dataset(x), folder.path("x.DOTS.gz"), {}, {});
  EXPECT_EQ(read_from(cards, folder.path("x.DOTS.gz"), {}, {}, nullptr).matrix<double>(), x);
  write_to(cards, Dataset(x), folder.path("x.csv"), {.format = "dots"}, {});
  EXPECT_EQ(read_from(cards, folder.path("x.csv"), {.format = "dots"}, {}, nullptr).matrix<double>(), x);
  const std::string unnamed = folder.write("plain", gzip("dots\n..\n"));
  const Dataset found = read_from(cards, unnamed, {}, {}, nullptr);
  EXPECT_EQ(found.matrix<double>(), column({2}));
  EXPECT_EQ(found.source, unnamed);
  EXPECT_FALSE(found.hash.empty());
}

TEST(Formats, MessagesNameThoseThatThereAre) {
  const Folder folder;
  const std::vector<FormatCard> cards = with(dots_card());
  const std::string path = folder.write("x.dots", "dots\n.\n");
  EXPECT_EQ(written_endings(cards),
            ".csv, .tsv, .npy, .npz, .mtx, .svm, .wav or .dots (.csv.gz and .csv.zst are compressed)");
  EXPECT_EQ(message_of<Unsupported>([&] { write_to(cards, Dataset(column({1})), folder.path("x.npy.gz"), {}, {}); }),
            folder.path("x.npy.gz") + ": only CSV, TSV and dots are written compressed; leave the last ending out");
  EXPECT_EQ(message_of<Unsupported>([&] { read_from(cards, path, {.stream = true}, {}, nullptr); }),
            path + ": dots can't be streamed; leave --stream out, or convert it to CSV, TSV or NumPy .npy");
  EXPECT_EQ(message_of<InvalidOption>([&] { read_from(cards, path, {.format = "dost"}, {}, nullptr); }),
            "format=dost is not one of csv, tsv, npy, npz, mtx, svmlight, wav, dots; did you mean dots?");
}

TEST(Formats, HaveOptionsOfTheirOwn) {
  const Folder folder;
  const std::vector<FormatCard> cards = with(dots_card());
  const std::string path = folder.write("x.dots", "dots\n..\n");
  EXPECT_EQ(read_from(cards, path, {.own = {{"dot_unit", 2.5}}}, {}, nullptr).matrix<double>(), column({5}));
  EXPECT_EQ(read_from(cards, path, {.own = {{"dot_unit", "2.5"}}}, {}, nullptr).matrix<double>(), column({5}));
  EXPECT_THROW(read_from(cards, path, {.own = {{"dot_unit", -1.0}}}, {}, nullptr), InvalidOption);
  const std::string text = folder.write("x.csv", "1\n");
  EXPECT_EQ(message_of<InvalidOption>([&] {
              read_from(cards, text, {.own = {{"dot_unit", "2"}}}, {}, nullptr);
            }),
            text + ": dot_unit=2 means nothing for CSV; leave it out; it is for dots");
}

TEST(Formats, OneMayBeAFolder) {
  const Folder folder;
  const std::vector<FormatCard> cards = with(folder_card());
  std::filesystem::create_directory(folder.path("in"));
  folder.write("in/count", "42");
  const Dataset found = read_from(cards, folder.path("in"), {}, {}, nullptr);
  EXPECT_EQ(found.matrix<double>(), column({42}));
  EXPECT_EQ(found.source, folder.path("in"));
  EXPECT_FALSE(found.hash.empty());
  EXPECT_EQ(read_from(cards, folder.path("in"), {.format = "counted"}, {}, nullptr).matrix<double>(), column({42}));
  EXPECT_THROW(read_from(cards, folder.path("in"), {.format = "csv"}, {}, nullptr), IoError);
  std::filesystem::create_directory(folder.path("other"));
  EXPECT_THROW(read_from(cards, folder.path("other"), {}, {}, nullptr), IoError);
  EXPECT_EQ(message_of<Unsupported>([&] { write_to(cards, found, "x", {.format = "counted"}, {}); }).substr(0, 46),
            "x: counted folder is read only; write CSV, TSV");
}

TEST(Formats, OneMayBeWrittenOnly) {
  const Folder folder;
  FormatCard card = dots_card();
  card.read = nullptr, card.reads = {};
  const std::string path = folder.write("x.dots", "dots\n");
  EXPECT_EQ(message_of<Unsupported>([&] { read_from(with(card), path, {}, {}, nullptr); }),
            path + ": dots is written only");
}

}  // namespace
}  // namespace fewdim
