#pragma once

#include "models/fields.hpp"
#include "models/file/arrays.hpp"

namespace fewdim {

/// Adds the arrays of a description to an archive; empty ones are left out.
class ArrayAdder : public ModelFields {
 public:
  /// `single`: of a model of float32.
  ArrayAdder(Archive& archive, bool single) : archive_(archive), single_(single) {}

  void array(const char* name, Vector<double>& v, const ArrayInfo& info) override;
  void array(const char* name, Matrix<double>& m, const ArrayInfo& info) override;
  void integers(const char* name, std::vector<std::int32_t>& numbers) override;
  void integers(const char* name, std::vector<std::int64_t>& numbers) override;
  void links(const char* ends, const char* lengths, std::vector<Link>& links) override;
  void texts(const char* name, std::vector<std::string>& texts) override;
  void shared(const char* name, SharedArray<float>& numbers, Index rows) override;
  void shared(const char* name, SharedArray<std::int32_t>& numbers) override;
  void shared(const char* name, SharedArray<std::int64_t>& numbers) override;
  void shared(const char* name, StringList& strings) override;
  void packed(const char* name, PackedTexts& texts) override;

 private:
  Archive& archive_;
  bool single_;
};

/// Takes them out of one.
class ArrayTaker : public ModelFields {
 public:
  explicit ArrayTaker(ArrayReader& arrays) : arrays_(arrays) {}

  bool has_arrays(bool) override { return true; }
  void array(const char* name, Vector<double>& v, const ArrayInfo& info) override;
  void array(const char* name, Matrix<double>& m, const ArrayInfo& info) override;
  void integers(const char* name, std::vector<std::int32_t>& numbers) override;
  void integers(const char* name, std::vector<std::int64_t>& numbers) override;
  void links(const char* ends, const char* lengths, std::vector<Link>& links) override;
  void texts(const char* name, std::vector<std::string>& texts) override;
  void shared(const char* name, SharedArray<float>& numbers, Index rows) override;
  void shared(const char* name, SharedArray<std::int32_t>& numbers) override;
  void shared(const char* name, SharedArray<std::int64_t>& numbers) override;
  void shared(const char* name, StringList& strings) override;
  void packed(const char* name, PackedTexts& texts) override;

 private:
  ArrayReader& arrays_;
};

}  // namespace fewdim
