#pragma once

#include <functional>

#include "fewdim/dataset.hpp"

namespace fewdim {

/// A stream whose rows are those of another stream, mapped block by block: scores of data larger than memory.
class MapStream : public RowStream {
 public:
  using Map = std::function<Dataset(const Dataset& block)>;

  /// `who` is for messages.
  MapStream(Dataset source, Index cols, Map map, std::string who);

  Index cols() const override { return cols_; }
  std::optional<Index> rows() const override { return source_.stream()->rows(); }
  Precision precision() const override { return source_.precision(); }
  bool rewindable() const override { return source_.stream()->rewindable(); }
  void rewind() override;
  Index read(double* out, Index max_rows) override { return read_as(out, max_rows); }
  Index read(float* out, Index max_rows) override { return read_as(out, max_rows); }
  const RowTags& tags() const override { return source_.stream()->tags(); }  // rows keep their names

 private:
  template <class T>
  Index read_as(T* out, Index max_rows);
  template <class S, class T>
  Index read_from(std::vector<S>& buffer, T* out, Index max_rows);

  Dataset source_;
  Index cols_;
  Map map_;
  std::string who_;
  Index done_ = 0;
  std::vector<double> doubles_;
  std::vector<float> singles_;
};

}  // namespace fewdim
