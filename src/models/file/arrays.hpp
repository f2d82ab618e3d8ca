#pragma once

#include <string>
#include <vector>

#include "fewdim/text_index.hpp"
#include "fewdim/types.hpp"
#include "models/file/archive.hpp"

/// The numbers of a model as the arrays of an archive, and back.
namespace fewdim {

/// Adds an array, as float32 where that is the model's precision (`single`) and no bit is lost. An empty one is left
/// out.
void add_array(Archive& archive, std::string name, std::vector<std::uint64_t> shape, std::vector<double> numbers,
               bool single);
void add_array(Archive& archive, std::string name, const Vector<double>& v, bool single);
/// A matrix in C order: one row after the other.
void add_array(Archive& archive, std::string name, const Matrix<double>& m, bool single);

/// Whole numbers, as I32.
void add_array(Archive& archive, std::string name, std::vector<std::uint64_t> shape, std::vector<std::int32_t> numbers);

/// Strings, as their bytes one after the other (U8) and, under "<name>_ends", where each ends (I64).
void add_texts(Archive& archive, const std::string& name, const std::vector<std::string>& texts);

/// As they are, without a copy; an empty one is left out.
void add_shared(Archive& archive, std::string name, std::vector<std::uint64_t> shape,
                const SharedArray<float>& numbers);
void add_shared(Archive& archive, std::string name, const SharedArray<std::int32_t>& numbers);
void add_shared(Archive& archive, std::string name, const SharedArray<std::int64_t>& numbers);
void add_shared(Archive& archive, std::string name, const SharedArray<char>& bytes);
void add_shared(Archive& archive, const std::string& name, const StringList& strings);

/// Takes arrays out of an archive, each once; done() refuses what nobody has asked for.
class ArrayReader {
 public:
  ArrayReader(const Archive& archive, const std::string& path) : archive_(archive), path_(path) {}

  Vector<double> vector(const char* name);  ///< an absent array is an empty vector
  /// rows×cols in C order is cols×rows in Eigen's: the transposed matrix comes out.
  Matrix<double> transposed(const char* name);
  std::vector<std::int32_t> integers(const char* name, std::size_t rank);  ///< of type I32, in C order
  std::vector<std::string> texts(const std::string& name);                 ///< as add_texts() has stored them
  /// Where they lie in the file, which they keep open; an absent one is empty.
  template <class T>
  SharedArray<T> shared(const std::string& name, std::size_t rank = 1);
  StringList strings(const std::string& name);  ///< as add_shared() has stored them
  void done() const;
  const std::string& path() const { return path_; }

 private:
  [[noreturn]] void refuse(const std::string& name, const char* reason) const;
  const Tensor* take(const char* name, std::size_t rank, bool whole = false);
  const Tensor* take_vector(const std::string& name, DType type);

  const Archive& archive_;
  const std::string& path_;
  std::vector<std::string> taken_;
};

}  // namespace fewdim
