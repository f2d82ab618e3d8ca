#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

#include <bit>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "data/formats.hpp"
#include "fewdim/error.hpp"

namespace fewdim::text_files {

/// A folder of its own for one test, gone with it.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "fewdim-test-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string path(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(path(name), std::ios::binary) << content;
    return path(name);
  }
  std::size_t count() const {
    const std::filesystem::directory_iterator files(path_);
    return static_cast<std::size_t>(std::distance(begin(files), end(files)));
  }

 private:
  std::filesystem::path path_;
};

inline std::string slurp(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline Bytes bytes_of(const std::string& text, const std::string& path = "t.csv") {
  auto owner = std::make_shared<std::string>(text);
  return {*owner, owner, path};
}

inline Dataset parse(const std::string& text, const ReadOptions& options = {}, const Execution& exec = {}) {
  return parse_delimited(bytes_of(text), options, exec);
}

/// The bits of all numbers, by rows; every NaN counts as the same.
inline std::vector<std::uint64_t> bits_of(const Dataset& data) {
  std::vector<std::uint64_t> bits;
  const Matrix<double> m = data.matrix<double>();
  for (Index i = 0; i < m.rows(); ++i)
    for (Index j = 0; j < m.cols(); ++j)
      bits.push_back(std::isnan(m(i, j)) ? 0x7ff8U : std::bit_cast<std::uint64_t>(m(i, j)));
  return bits;
}

/// Expects that a call throws E, and returns its message.
template <class E, class Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const E& error) {
    return error.message(speak_command_line);
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another kind of error: " << error.what();
    return {};
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

inline std::string gzip(const std::string& text) {
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

inline std::string zstd(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

}  // namespace fewdim::text_files
