#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace fewdim {

/// Maps the first `size` bytes of an open file for reading; null where the system refuses (errno says why). The pages
/// go with the last owner. Until then mapped_file_at() knows them: a file that becomes shorter raises SIGBUS where it
/// is touched behind its new end.
std::shared_ptr<const void> map_file(int descriptor, std::size_t size, const std::string& name);

}  // namespace fewdim
