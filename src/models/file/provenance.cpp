#include "models/file/provenance.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <optional>

#include "fewdim/version.hpp"

namespace fewdim {

namespace {

std::optional<std::time_t> source_date_epoch() {
  const char* text = std::getenv("SOURCE_DATE_EPOCH");
  if (!text) return std::nullopt;
  constexpr std::int64_t end_of_9999 = 253402300799;  // ISO 8601 has four digits for the year
  std::int64_t seconds = 0;
  const char* end = text + std::strlen(text);
  const auto parsed = std::from_chars(text, end, seconds);
  if (parsed.ec != std::errc() || parsed.ptr != end || seconds < 0 || seconds > end_of_9999) return std::nullopt;
  return static_cast<std::time_t>(seconds);
}

}  // namespace

std::string utc_now() {
  const std::time_t now = source_date_epoch().value_or(std::time(nullptr));
  std::tm utc{};
  gmtime_r(&now, &utc);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday,
                     utc.tm_hour, utc.tm_min, utc.tm_sec);
}

Provenance provenance_of(const Dataset& data, Index rows, Seed seed) {
  return {.version = FEWDIM_VERSION,
          .date = utc_now(),
          .seed = seed,
          .input = data.source,
          .input_hash = data.hash,
          .rows = rows};
}

}  // namespace fewdim
