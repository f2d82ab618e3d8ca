#pragma once

#include <string>

#include "models/fields.hpp"

namespace fewdim {

/// Checks sizes and numbers as a description asks; throws DataError "<who>: ..." for the first that is wrong.
class SoundnessCheck : public ModelFields {
 public:
  enum class Depth { sizes, numbers };  ///< numbers: and every number
  SoundnessCheck(const std::string& who, Depth depth) : who_(who), depth_(depth) {}

  using ModelFields::value;
  void value(const char* name, double& number, Numbers must) override;
  void array(const char* name, Vector<double>& v, const ArrayInfo& info) override;
  void array(const char* name, Matrix<double>& m, const ArrayInfo& info) override;

 private:
  void require_numbers(const char* name, const double* numbers, Index size, Numbers must) const;

  const std::string& who_;
  Depth depth_;
};

}  // namespace fewdim
