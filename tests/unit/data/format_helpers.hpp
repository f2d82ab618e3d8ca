#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "base/output_file.hpp"
#include "data/formats.hpp"

/// What the tests of the file formats share.
namespace fewdim::test {

/// Content as read() hands it to a parser; not a byte more is there, so that a sanitizer sees reads beyond it.
inline Bytes as_bytes(std::string_view content, std::string path = "sample") {
  std::shared_ptr<char[]> owned(new char[content.size()]);
  std::memcpy(owned.get(), content.data(), content.size());
  return {{owned.get(), content.size()}, owned, std::move(path)};
}

inline ReadOptions in_precision(Precision precision) {
  ReadOptions options;
  options.precision = precision;
  return options;
}

/// A file that is gone when the test ends; in memory where the system has a place for that, as a sync to disk takes 15
/// ms.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view content = {}) {
    static int count = 0;
    namespace fs = std::filesystem;
    const fs::path folder = fs::is_directory("/dev/shm") ? fs::path("/dev/shm") : fs::temp_directory_path();
    path_ = folder / ("fewdim_test_" + std::to_string(::getpid()) + "_" + std::to_string(++count));
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }
  std::string content() const {
    std::ostringstream text;
    text << std::ifstream(path_, std::ios::binary).rdbuf();
    return text.str();
  }

 private:
  std::string path_;
};

/// Bytes of files that lie in this process's memory now.
inline std::int64_t resident_file_bytes() {
  std::int64_t size = 0, resident = 0, shared = 0;
  std::ifstream("/proc/self/statm") >> size >> resident >> shared;
  return shared * ::sysconf(_SC_PAGESIZE);
}

/// What a writer makes of a data set.
inline std::string written(const Dataset& data, void (*write)(const Dataset&, ByteSink&)) {
  TemporaryFile file;
  OutputFile out(file.path(), true);
  write(data, out);
  out.commit();
  return file.content();
}

/// The one line of the Error that a call throws; "" when it throws none.
inline std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    return error.message(speak_command_line);
  }
  return "";
}

inline void expect_message(const std::function<void()>& call, const std::string& part) {
  const std::string message = message_of(call);
  EXPECT_NE(message.find(part), std::string::npos) << "found: " << (message.empty() ? "no error" : message);
}

/// Looks at every number of a data set and checks what its view promises.
inline void expect_sound(const Dataset& data) {
  double sum = 0;
  const auto look = [&](const auto* view) {
    if (!view) return;
    for (Index i = 0; i < view->rows; ++i)
      for (Index j = 0; j < view->cols; ++j) sum += double((*view)(i, j));
  };
  look(data.dense<double>()), look(data.dense<float>());
  const auto check = [&](const auto* view) {
    if (!view) return;
    ASSERT_EQ(view->offsets[0], 0);
    for (Index i = 0; i < view->rows; ++i) {
      ASSERT_LE(view->offsets[i], view->offsets[i + 1]);
      for (std::int64_t e = view->offsets[i]; e < view->offsets[i + 1]; ++e) {
        ASSERT_GE(view->columns[e], e == view->offsets[i] ? 0 : view->columns[e - 1] + 1);
        ASSERT_LT(view->columns[e], view->cols);
        sum += double(view->values[e]);
      }
    }
  };
  check(data.sparse<double>()), check(data.sparse<float>());
  volatile double used = sum;
  static_cast<void>(used);
}

using Parser = std::function<Dataset(const Bytes&, const ReadOptions&, const Execution&)>;

/// Every prefix, and every byte changed to a few others: an Error of one line or a sound data set. A damaged size must
/// not lead to much memory: the limit is 64 MiB.
inline void expect_sound_when_damaged(const std::string& content, const Parser& parse) {
  Execution exec;
  exec.threads = 1;
  exec.memory_limit = 64 << 20;
  const auto attempt = [&](const std::string& damaged) {
    message_of([&] { expect_sound(parse(as_bytes(damaged), {}, exec)); });
  };
  for (std::size_t size = 0; size < content.size(); ++size) attempt(content.substr(0, size));
  for (std::size_t i = 0; i < content.size(); ++i) {
    const char was = content[i];
    for (const char now :
         {'\0', '\xff', '9', '-', ' ', '\n', static_cast<char>(was ^ 1), static_cast<char>(was ^ 0x80)}) {
      std::string damaged = content;
      damaged[i] = now;
      attempt(damaged);
    }
  }
}

/// The same bits; a NaN of any kind equals another (text keeps no payload).
template <class T>
bool same_bits(const Matrix<T>& a, const Matrix<T>& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  for (Index j = 0; j < a.cols(); ++j)
    for (Index i = 0; i < a.rows(); ++i) {
      const bool both_nan = std::isnan(a(i, j)) && std::isnan(b(i, j));
      if (!both_nan && std::memcmp(&a(i, j), &b(i, j), sizeof(T)) != 0) return false;
    }
  return true;
}

}  // namespace fewdim::test
