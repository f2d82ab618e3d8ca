#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/describe.hpp"
#include "fewdim/neighborhood.hpp"
#include "fewdim/text_index.hpp"
#include "fewdim/types.hpp"

/// The single declaration of what a model holds. A shape, or what stands beside a model, writes
///
///   void describe(StressModel& m, ModelFields& f) {
///     f.choice("type", m.type);
///     f.value("shift", m.shift);
///     f.array("configuration", m.configuration);
///     f.array("point_stress", m.point_stress, {.rows = m.configuration.rows(), .must = Numbers::share});
///   }
///
/// and its file, the checks of what was read, JSON and Python's arrays are made from it: each is a ModelFields. Values
/// go to the file's metadata, arrays to its tensors, both in the order of the description. When a file is read, all
/// values come first, so that a description may ask them which arrays there are.
namespace fewdim {

/// What the numbers of an array must be.
enum class Numbers { any, finite, positive, nonnegative, share };

struct ArrayInfo {
  Index rows = -1, cols = -1;  ///< −1: as they are. An array is empty, or has these
  Numbers must = Numbers::finite;
  bool single = false;      ///< kept as float32 where the model is one of float32 and no bit is lost
  bool transposed = false;  ///< one component after the other: D×k here, k×D outside
};

class ModelFields {
 public:
  virtual ~ModelFields() = default;

  virtual void value(const char*, double&, Numbers = Numbers::finite) {}
  virtual void value(const char*, Index&) {}
  virtual void value(const char*, std::uint64_t&) {}
  virtual void value(const char*, bool&) {}
  virtual void value(const char*, std::string&) {}
  template <class E>
  void choice(const char* name, E& value);
  /// Whether a value that files may lack is there; `written`: whether it is to be.
  virtual bool has_value(const char*, bool written) { return written; }
  /// Values that stand together under a name of their own. Where they are not `present` they are not written; what a
  /// file holds is read.
  virtual void group(const char*, bool present, const std::function<void()>& body) {
    if (present) body();
  }
  /// So many records of values: `resize` makes room for those that a file holds, `each` describes one.
  virtual void list(const char*, Index, const std::function<void(Index)>& /*resize*/,
                    const std::function<void(Index)>& /*each*/) {}

  /// Whether arrays that files may lack are asked for; `written`: whether they are to be written.
  virtual bool has_arrays(bool written) { return written; }
  virtual void array(const char*, Vector<double>&, const ArrayInfo& = {}) {}
  virtual void array(const char*, Matrix<double>&, const ArrayInfo& = {}) {}
  virtual void integers(const char*, std::vector<std::int32_t>&) {}
  virtual void integers(const char*, std::vector<std::int64_t>&) {}
  virtual void links(const char* /*ends*/, const char* /*lengths*/, std::vector<Link>&) {}
  virtual void texts(const char*, std::vector<std::string>&) {}
  /// Numbers that stay where they are in a file. `rows` ≥ 0: a table of so many rows.
  virtual void shared(const char*, SharedArray<float>&, Index /*rows*/ = -1) {}
  virtual void shared(const char*, SharedArray<std::int32_t>&) {}
  virtual void shared(const char*, SharedArray<std::int64_t>&) {}
  virtual void shared(const char*, StringList&) {}
  virtual void packed(const char*, PackedTexts&) {}

 protected:
  virtual void word(const char*, std::string&) {}
  [[noreturn]] virtual void refuse(const std::string& reason) const;
};

template <class E>
void ModelFields::choice(const char* name, E& value) {
  std::string text = enum_text(value);
  word(name, text);
  for (const auto& [known, its_name] : EnumNames<E>::names)
    if (text == its_name) {
      value = known;
      return;
    }
  refuse(fmt::format("has {} '{}', which this fewdim does not know", name, text));
}

/// Describes something to those who only look at it.
template <class Described>
void describe_to(const Described& what, ModelFields& reader) {
  describe(const_cast<Described&>(what), reader);  // the one function serves reading and writing
}

}  // namespace fewdim
