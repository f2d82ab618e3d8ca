#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <thread>

#include "data/hash.hpp"
#include "data/numpy/npy.hpp"
#include "unit/data/format_helpers.hpp"
#include "unit/data/numpy_samples.hpp"

namespace fewdim {
namespace {

using test::expect_message, test::TemporaryFile, test::written;

/// All rows, `tile` at a time.
template <class T>
RowMatrix<T> drain(RowStream& stream, Index tile) {
  RowMatrix<T> all(0, stream.cols()), block(tile, stream.cols());
  while (const Index got = stream.read(block.data(), tile)) {
    all.conservativeResize(all.rows() + got, Eigen::NoChange);
    all.bottomRows(got) = block.topRows(got);
  }
  return all;
}

/// Feeds content to a named pipe while `use` reads from it.
void through_pipe(const std::string& content, const std::function<void(const std::string&)>& use) {
  const TemporaryFile place;
  std::filesystem::remove(place.path());
  std::signal(SIGPIPE, SIG_IGN);  // a refused pipe is closed while its feeder still writes
  ASSERT_EQ(::mkfifo(place.path().c_str(), 0600), 0);
  std::thread feeder([&] {
    std::ofstream pipe(place.path(), std::ios::binary);
    for (std::size_t i = 0; i < content.size(); i += 7) pipe << content.substr(i, 7) << std::flush;  // in small gulps
  });
  use(place.path());
  feeder.join();
}

std::string with_header(const std::string& descr, bool fortran, const std::string& shape, const std::string& elements) {
  std::string dict =
      "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape + ", }\n";
  return std::string("\x93NUMPY\x01\x00", 8) + char(dict.size()) + '\0' + dict + elements;
}

TEST(NpyStream, DeliversTheRowsOfTheFileInAnyTiles) {
  RowMatrix<double> m(1000, 7);
  for (Index i = 0; i < m.size(); ++i) m.data()[i] = 0.5 * double(i);
  const TemporaryFile file(written(m, write_npy));
  const Dataset data = stream_npy(file.path(), {}, {});
  ASSERT_TRUE(data.is_stream());
  EXPECT_EQ(data.rows(), 1000);
  EXPECT_EQ(data.cols(), 7);
  EXPECT_EQ(data.precision(), Precision::float64);
  for (const Index tile : {1, 3, 64, 1000, 5000}) {
    EXPECT_EQ(drain<double>(*data.stream(), tile), m);
    EXPECT_EQ(data.stream()->read(static_cast<double*>(nullptr), 10), 0);
    data.stream()->rewind();
  }
  EXPECT_EQ(drain<float>(*data.stream(), 100), m.cast<float>());
}

TEST(NpyStream, EveryTypeAndOrderEqualsTheWholeRead) {
  for (const std::string& content : {samples::npy_f8, samples::npy_f4_fortran, samples::npy_i2_big_endian,
                                     samples::npy_f2, samples::npy_i8_3d_fortran, samples::npy_version_2}) {
    const TemporaryFile file(content);
    const Dataset whole = parse_npy(test::as_bytes(content), {}, {});
    for (const Index tile : {1, 2, 5}) {
      const Dataset rows = stream_npy(file.path(), {}, {});
      EXPECT_EQ(rows.precision(), whole.precision());
      EXPECT_EQ(Matrix<double>(drain<double>(*rows.stream(), tile)), whole.matrix<double>());
      rows.stream()->rewind();
      EXPECT_EQ(Matrix<float>(drain<float>(*rows.stream(), tile)), whole.matrix<float>());
    }
  }
}

TEST(NpyStream, LargeFortranFileIsGathered) {
  const Index rows = 40000, cols = 11;  // more rows than one gulp of the gather, columns no multiple of eight
  std::string elements(std::size_t(rows * cols * 4), '\0');
  for (Index j = 0; j < cols; ++j)
    for (Index i = 0; i < rows; ++i) {
      const auto value = static_cast<std::int32_t>(i * cols + j);
      std::memcpy(elements.data() + (j * rows + i) * 4, &value, 4);
    }
  const TemporaryFile file(with_header("<i4", true, "(40000, 11)", elements));
  const Dataset data = stream_npy(file.path(), {}, {});
  const RowMatrix<double> all = drain<double>(*data.stream(), 30011);
  for (Index i = 0; i < all.size(); ++i) ASSERT_EQ(all.data()[i], double(i));
}

TEST(NpyStream, FromAPipe) {
  through_pipe(samples::npy_f8, [](const std::string& path) {
    const Dataset data = stream_npy(path, {}, {});
    EXPECT_EQ(data.rows(), 2);
    EXPECT_FALSE(data.stream()->rewindable());
    EXPECT_EQ(Matrix<double>(drain<double>(*data.stream(), 1)),
              (Matrix<double>(2, 3) << 1, 2, 3, 4, 5, 6.5).finished());
    EXPECT_THROW(data.stream()->rewind(), Unsupported);
  });
}

TEST(NpyStream, APipeThatEndsEarlyOrLate) {
  through_pipe(samples::npy_f8.substr(0, samples::npy_f8.size() - 5), [](const std::string& path) {
    const Dataset data = stream_npy(path, {}, {});
    expect_message([&] { drain<double>(*data.stream(), 1); }, "takes 48 bytes, but 43 are there");
  });
  through_pipe(samples::npy_f8 + "x", [](const std::string& path) {
    const Dataset data = stream_npy(path, {}, {});
    expect_message([&] { drain<double>(*data.stream(), 1); }, "goes on after the 48 bytes");
  });
  through_pipe(samples::npy_f8.substr(0, 50), [](const std::string& path) {
    expect_message([&] { stream_npy(path, {}, {}); }, "header takes 128 bytes, but only 50 are there");
  });
}

TEST(NpyStream, FortranFromAPipeIsRefusedWithAWayOut) {
  through_pipe(samples::npy_f4_fortran,
               [](const std::string& path) { expect_message([&] { stream_npy(path, {}, {}); }, "fewdim convert"); });
}

TEST(NpyStream, SizesAreCheckedBeforeTheFirstRow) {
  const TemporaryFile file(with_header("<f8", false, "(65536, 65536)", ""));
  expect_message([&] { stream_npy(file.path(), {}, {}); }, "takes 34359738368 bytes, but 0 are there");
  const TemporaryFile more(samples::npy_f8 + "x");
  expect_message([&] { stream_npy(more.path(), {}, {}); }, "remove the 1 at the end");
  through_pipe(with_header("<f8", false, "(1, 1152921504606846975)", ""), [](const std::string& path) {
    EXPECT_THROW(stream_npy(path, {}, {}), OverMemory);  // one row of 8 EiB
  });
}

TEST(NpyStream, DamagedFilesGiveAnErrorOrRows) {
  test::expect_sound_when_damaged(samples::npy_f4_fortran,
                                  [](const Bytes& bytes, const ReadOptions& options, const Execution& exec) {
                                    const TemporaryFile file(bytes.text);
                                    Dataset data = stream_npy(file.path(), options, exec);
                                    drain<double>(*data.stream(), 3);
                                    return data;
                                  });
}

TEST(NpyStream, AStreamIsWrittenAsItsFileWas) {
  const TemporaryFile file(samples::npy_f8);
  EXPECT_EQ(written(stream_npy(file.path(), {}, {}), write_npy), samples::npy_f8);
}

TEST(NpyStream, MissingFile) {
  expect_message([] { stream_npy("/no/such/file.npy", {}, {}); }, "/no/such/file.npy: can't be opened: No such file");
}

TEST(NpyStream, HashIsThatOfTheFileAfterAWholePass) {
  RowMatrix<double> m(1000, 7);
  for (Index i = 0; i < m.size(); ++i) m.data()[i] = 0.5 * double(i);
  const TemporaryFile file(written(m, write_npy));
  const Dataset data = stream_npy(file.path(), {}, {});
  RowMatrix<double> few(10, 7);
  data.stream()->read(few.data(), 10);
  EXPECT_EQ(data.input_hash(), "");
  data.stream()->rewind();
  drain<double>(*data.stream(), 64);
  EXPECT_EQ(data.input_hash(), hash_of(file.content()));
  through_pipe(file.content(), [&](const std::string& path) {
    const Dataset pipe = stream_npy(path, {}, {});
    drain<double>(*pipe.stream(), 64);
    EXPECT_EQ(pipe.input_hash(), hash_of(file.content()));
  });
}

TEST(NpyStream, ColumnsThatNameAndLabelRowsAreKept) {
  const TemporaryFile file(written((RowMatrix<double>(3, 3) << 7, 0.5, 1, 8, 1.5, 2, 9, 2.5, 1).finished(), write_npy));
  ReadOptions options;
  options.id = "1", options.label = "3", options.stream = true, options.format = "npy";
  const Dataset data = read(file.path(), options);
  EXPECT_TRUE(data.stream()->tags().named && data.stream()->tags().labeled);
  RowMatrix<double> rows(3, 1);
  ASSERT_EQ(data.stream()->read(rows.data(), 3), 3);
  EXPECT_EQ(rows, (RowMatrix<double>(3, 1) << 0.5, 1.5, 2.5).finished());
  EXPECT_EQ(data.stream()->tags().names, (std::vector<std::string>{"7", "8", "9"}));
  EXPECT_EQ(data.stream()->tags().labels, (std::vector<std::string>{"1", "2", "1"}));
}

}  // namespace
}  // namespace fewdim
