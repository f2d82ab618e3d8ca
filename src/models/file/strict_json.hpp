#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "fewdim/types.hpp"

namespace fewdim {

/// What a JSON text from an unknown hand may cost. A text over a limit is refused before it is held in memory.
struct JsonLimits {
  int depth = 8;
  std::size_t values = 100'000;
};

/// Parses JSON without leniency: duplicate keys (readers differ on which one counts), text after the end, invalid
/// UTF-8 and numbers out of range are refused with a DataError "<what>: ...".
nlohmann::json parse_strict(std::string_view text, const std::string& what, const JsonLimits& limits = {});

/// One object of a parsed document, read by keys of known type. Each key is asked for once; done() refuses what
/// nobody has asked for. Every refusal is a DataError "<what> ...".
class JsonFields {
 public:
  JsonFields(const nlohmann::json& object, std::string what);

  const nlohmann::json& raw(const char* key);
  const nlohmann::json& list(const char* key);
  const std::string& text(const char* key);
  std::vector<std::string> texts(const char* key);
  std::uint64_t natural(const char* key);
  Index index(const char* key);
  double number(const char* key);  ///< null stands for NaN
  bool boolean(const char* key);
  void done() const;

  [[noreturn]] void refuse(const std::string& reason) const;

 private:
  const nlohmann::json& expect(const char* key, bool (*is_right)(const nlohmann::json&), const char* kind);

  const nlohmann::json& object_;
  std::string what_;
  std::size_t asked_ = 0;
};

}  // namespace fewdim
