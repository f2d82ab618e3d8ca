#include <gtest/gtest.h>
#include <sys/stat.h>

#include "fewdim/io.hpp"
#include "unit/data/text_files.hpp"

namespace fewdim {
namespace {

using text_files::bits_of;
using text_files::Folder;
using text_files::message_of;
using text_files::slurp;

RowMatrix<double> numbers() {
  RowMatrix<double> m(2, 2);
  m << 1, 0.1, -3, 4;
  return m;
}

TEST(Write, GoesByTheName) {
  const Folder folder;
  const RowMatrix<double> m = numbers();
  write(Dataset(m), folder.path("x.csv"));
  write(Dataset(m), folder.path("x.tsv"));
  EXPECT_EQ(slurp(folder.path("x.csv")), "1,0.1\n-3,4\n");
  EXPECT_EQ(slurp(folder.path("x.tsv")), "1\t0.1\n-3\t4\n");
  EXPECT_EQ(
      message_of<InvalidOption>([&] { write(Dataset(m), "x.foo"); }),
      "output=x.foo has no ending that names a format; use .csv, .tsv, .npy, .npz, .mtx, .svm or .wav (.csv.gz and "
      ".csv.zst are "
      "compressed), or give --to");
  WriteOptions options;
  options.format = "tsv";
  write(Dataset(m), folder.path("x.foo"), options);
  EXPECT_EQ(slurp(folder.path("x.foo")), "1\t0.1\n-3\t4\n");
}

TEST(Write, EveryFormatReadsBack) {
  const Folder folder;
  const RowMatrix<double> m = numbers();
  Dataset data(m);
  for (const char* name : {"x.csv", "x.tsv", "x.csv.gz", "x.tsv.zst", "x.npy", "x.npz", "x.mtx", "x.svm"}) {
    write(data, folder.path(name));
    EXPECT_EQ(bits_of(read(folder.path(name))), bits_of(data)) << name;
  }
  EXPECT_EQ(slurp(folder.path("x.csv.gz")).substr(0, 2), "\x1f\x8b");
  EXPECT_EQ(slurp(folder.path("x.tsv.zst")).substr(0, 4), "\x28\xb5\x2f\xfd");
  EXPECT_EQ(message_of<Unsupported>([&] { write(data, "x.npy.gz"); }),
            "x.npy.gz: only CSV and TSV are written compressed; leave the last ending out");
}

TEST(Write, LargeCompressedFilesReadBack) {
  const Folder folder;
  RowMatrix<double> m(60000, 4);
  for (Index i = 0; i < m.size(); ++i) m.data()[i] = std::sin(static_cast<double>(i));
  for (const char* name : {"x.csv.gz", "x.csv.zst"}) {
    write(Dataset(m), folder.path(name), {}, {.threads = 2});
    EXPECT_EQ(bits_of(read(folder.path(name))), bits_of(Dataset(m))) << name;
  }
}

TEST(Write, ReplacesOnlyWhenTold) {
  const Folder folder;
  const RowMatrix<double> m = numbers();
  const std::string path = folder.write("x.csv", "old");
  EXPECT_EQ(message_of<IoError>([&] { write(Dataset(m), path); }),
            path + ": exists already; use --force to replace it");
  EXPECT_EQ(slurp(path), "old");
  WriteOptions options;
  options.overwrite = true;
  write(Dataset(m), path, options);
  EXPECT_EQ(slurp(path), "1,0.1\n-3,4\n");
}

TEST(Write, LeavesNothingBehindWhenStopped) {
  const Folder folder;
  const RowMatrix<double> m = numbers();
  Execution exec;
  exec.progress = [](const Progress&) { return false; };
  EXPECT_THROW(write(Dataset(m), folder.path("x.csv"), {}, exec), Interrupted);
  EXPECT_EQ(folder.count(), 0u);
}

TEST(Write, WritesAStream) {
  const Folder folder;
  const std::string text = "id,a,b\nx,1,2.5\ny,3,4\n";
  ReadOptions options;
  options.stream = true;
  write(read(folder.write("x.csv", text), options), folder.path("y.csv"));
  EXPECT_EQ(slurp(folder.path("y.csv")), text);  // the names of its rows too
}

TEST(Write, RefusesWhatDoesNotFit) {
  const RowMatrix<double> m = numbers();
  Dataset data(m);
  data.row_names = {"only one"};
  EXPECT_EQ(message_of<DataError>([&] { write(data, "x.csv"); }),
            "write: 1 row names, 0 labels and 0 column names do not fit a table of 2 x 2");
  EXPECT_EQ(message_of<DataError>([&] { write(Dataset(), "x.csv"); }), "write: there is no data to write");
}

}  // namespace
}  // namespace fewdim
