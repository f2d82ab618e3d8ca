#include "session/memory_shares.hpp"

#include <fmt/format.h>

#include <string>

#include "base/memory.hpp"
#include "base/remedy.hpp"
#include "fewdim/inputs.hpp"

namespace fewdim {

Execution execution_beside(std::uint64_t data_bytes, bool streamed, const Execution& exec, std::string_view who) {
  Execution left = exec;
  if (left.memory_limit == 0) return left;
  const std::uint64_t taken = own_bytes + data_bytes;
  if (left.memory_limit <= taken)
    throw OverMemory(fmt::format("{}: the program and the data take {}, the limit is {}; {}{}", who,
                                 format_bytes(taken), format_bytes(left.memory_limit), raise_option("memory_limit"),
                                 streamed ? "" : fmt::format(", or use {}", set_option("stream", true))));
  left.memory_limit -= taken;
  return left;
}

Execution execution_beside(const Dataset& data, const Execution& exec, std::string_view who) {
  return execution_beside(data.bytes(), data.is_stream(), exec, who);
}

OverMemory with_shares(const OverMemory& error, const Dataset& data, const Execution& exec) {
  const std::uint64_t limit = exec.memory_limit, taken = own_bytes + data.bytes();
  if (limit <= taken) return error;
  return OverMemory(fmt::format("{} ({} less {} for the program{})", error.marked(), format_bytes(limit),
                                format_bytes(taken), data.is_stream() ? "" : " and the data"));
}

}  // namespace fewdim
