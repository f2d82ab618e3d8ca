#include "session/joined_stream.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace fewdim {

namespace {

class JoinedStream : public RowStream {
 public:
  explicit JoinedStream(std::vector<Dataset> parts) : parts_(std::move(parts)) {
    const auto all = [&](auto flag) {
      return std::ranges::all_of(parts_, [&](const Dataset& part) { return part.stream()->tags().*flag; });
    };
    tags_.named = all(&RowTags::named);
    tags_.labeled = all(&RowTags::labeled);
  }

  Index cols() const override { return parts_.front().cols(); }
  std::optional<Index> rows() const override {
    Index sum = 0;
    for (const Dataset& part : parts_) {
      if (part.rows() < 0) return std::nullopt;
      sum += part.rows();
    }
    return sum;
  }
  Precision precision() const override {
    const bool single =
        std::ranges::all_of(parts_, [](const Dataset& part) { return part.precision() == Precision::float32; });
    return single ? Precision::float32 : Precision::float64;
  }
  bool rewindable() const override {
    return std::ranges::all_of(parts_, [](const Dataset& part) { return part.stream()->rewindable(); });
  }
  void rewind() override {
    for (const Dataset& part : parts_) part.stream()->rewind();
    current_ = 0;
  }
  Index read(double* out, Index max_rows) override { return read_as(out, max_rows); }
  Index read(float* out, Index max_rows) override { return read_as(out, max_rows); }
  const RowTags& tags() const override { return tags_; }
  std::string hash() const override {
    std::vector<std::string> hashes;
    for (const Dataset& part : parts_) hashes.push_back(part.input_hash());
    return joined_hash(hashes);
  }

 private:
  /// As many rows as asked for while there are any: where the cuts between the parts lie changes no block.
  template <class T>
  Index read_as(T* out, Index max_rows) {
    Index done = 0;
    tags_.names.clear();
    tags_.labels.clear();
    while (done < max_rows && current_ < parts_.size()) {
      const Index got = parts_[current_].stream()->read(out + done * cols(), max_rows - done);
      done += got;
      if (got == 0)
        ++current_;
      else
        keep_tags(parts_[current_].stream()->tags());
    }
    return done;
  }
  void keep_tags(const RowTags& part) {
    if (tags_.named) tags_.names.insert(tags_.names.end(), part.names.begin(), part.names.end());
    if (tags_.labeled) tags_.labels.insert(tags_.labels.end(), part.labels.begin(), part.labels.end());
  }

  std::vector<Dataset> parts_;
  std::size_t current_ = 0;
  RowTags tags_;
};

}  // namespace

std::string joined_hash(const std::vector<std::string>& hashes) {
  const bool all = std::ranges::none_of(hashes, &std::string::empty);
  return all ? fmt::format("{}", fmt::join(hashes, ",")) : "";
}

std::shared_ptr<RowStream> joined_stream(std::vector<Dataset> parts) {
  return std::make_shared<JoinedStream>(std::move(parts));
}

}  // namespace fewdim
