#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "fewdim/export.hpp"
#include "fewdim/remedy.hpp"

namespace fewdim {

/// What kind of trouble stopped a call. The command line's exit code is the number beside it.
enum class ErrorKind {
  internal = 1,       ///< a defect of fewdim itself
  usage = 2,          ///< a parameter out of its bounds, or a request that can't be met
  data = 3,           ///< the input is not what it should be
  io = 4,             ///< a file can't be read or written
  not_converged = 5,  ///< the tolerance was missed on every route
  over_memory = 6,    ///< the work does not fit the memory limit
  interrupted = 130,  ///< the progress callback said stop
};

/// Base of everything the library throws. `what()` is one line: what was found, its bound, the remedy; options are
/// named as members of the options. `message()` says the same in the words of another front.
class FEWDIM_API Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& marked);
  ErrorKind kind() const { return kind_; }
  std::string message(Speech speech) const { return spoken(marked_, speech); }
  std::vector<Remedy> remedies() const { return remedies_of(marked_); }
  /// With remedies as marks, for a message that contains this one.
  const std::string& marked() const { return marked_; }

 private:
  ErrorKind kind_;
  std::string marked_;
};

/// A parameter outside its bounds: "pca: components=80 must be between 1 and 64; lower components". Where it is the
/// data that set the bound, the kind is `data`.
class FEWDIM_API InvalidOption : public Error {
 public:
  InvalidOption(std::string_view method, std::string_view parameter, std::string_view value, std::string_view bound,
                std::string_view remedy, ErrorKind kind = ErrorKind::usage);
  const std::string& parameter() const { return parameter_; }
  const std::string& value() const { return value_; }
  const std::string& bound() const { return bound_; }
  const std::string& remedy() const { return remedy_; }

 private:
  std::string parameter_, value_, bound_, remedy_;
};

/// The request makes sense, but not for this model; says why and what to use instead.
class FEWDIM_API Unsupported : public Error {
 public:
  explicit Unsupported(const std::string& message) : Error(ErrorKind::usage, message) {}
};

class FEWDIM_API DataError : public Error {
 public:
  explicit DataError(const std::string& message) : Error(ErrorKind::data, message) {}
};

class FEWDIM_API IoError : public Error {
 public:
  explicit IoError(const std::string& message) : Error(ErrorKind::io, message) {}
};

class FEWDIM_API NotConverged : public Error {
 public:
  explicit NotConverged(const std::string& message) : Error(ErrorKind::not_converged, message) {}
};

class FEWDIM_API OverMemory : public Error {
 public:
  explicit OverMemory(const std::string& message) : Error(ErrorKind::over_memory, message) {}
};

class FEWDIM_API Interrupted : public Error {
 public:
  explicit Interrupted(const std::string& message) : Error(ErrorKind::interrupted, message) {}
};

}  // namespace fewdim
