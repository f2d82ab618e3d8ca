#include "data/numpy/npz_arrays.hpp"

#include <fmt/format.h>

#include <cstring>

#include "base/parallel.hpp"
#include "data/input/input.hpp"
#include "data/table/block.hpp"
#include "data/table/first_place.hpp"

namespace fewdim {

namespace {

template <class T>
bool usable_in_place(const NpzArray& array, char kind) {
  const NpyType& type = array.header.type;
  return type.kind == kind && type.size == int{sizeof(T)} && !type.swapped &&
         reinterpret_cast<std::uintptr_t>(array.raw()) % alignof(T) == 0;
}

void each_piece(std::int64_t count, const Execution& exec,
                const std::function<void(std::int64_t, std::int64_t)>& task) {
  constexpr std::int64_t piece = std::int64_t{1} << 18;
  parallel_for(exec, (count + piece - 1) / piece, [&](Index p) { task(p * piece, std::min(count, (p + 1) * piece)); });
}

template <class T>
T stored(const char* raw, bool swapped) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, raw, sizeof(T));
  if (swapped) std::reverse(bytes, bytes + sizeof(T));
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

}  // namespace

std::int64_t NpzArray::integer(std::int64_t i) const {
  const char* at = raw() + i * header.type.size;
  return header.type.size == 8 ? stored<std::int64_t>(at, header.type.swapped)
                               : stored<std::int32_t>(at, header.type.swapped);
}

void NpzArray::release(std::int64_t from, std::int64_t to) const {
  const auto size = static_cast<std::size_t>(header.type.size);
  release_pages(bytes, {raw() + static_cast<std::size_t>(from) * size, static_cast<std::size_t>(to - from) * size});
}

NpzArray load_array(const ZipReader& zip, const ZipMember& member, const std::string& name, const Execution& exec) {
  NpzArray array{name, {}, zip.read(member, exec)};
  array.header = parse_npy_header(array.bytes.text, name);
  require_numeric(array.header, name);
  require_data_bytes(array.header, array.bytes.text.size() - array.header.data_offset, name);
  if (array.header.shape.size() != 1)
    throw DataError(
        fmt::format("{} has shape {}; in a sparse matrix it has one dimension", name, array.header.shape_text()));
  return array;
}

void require_index_type(const NpzArray& array) {
  if (array.header.type.kind != 'i' || array.header.type.size < 4)
    throw DataError(fmt::format("{} has type '{}'; int32 or int64 is needed", array.name, array.header.type.name));
}

std::shared_ptr<std::int64_t[]> offsets_of(const NpzArray& array, std::int64_t lines, std::int64_t entries,
                                           MemoryBudget& budget) {
  require_index_type(array);
  if (array.count() != lines + 1)
    throw DataError(fmt::format("{} has {} numbers; the shape needs {}", array.name, array.count(), lines + 1));
  budget.take(std::uint64_t(lines + 1) * sizeof(std::int64_t), array.name);
  auto out = make_large_array<std::int64_t>(std::size_t(lines) + 1);
  std::int64_t least = 0, most = 0;
  for (std::int64_t i = 0; i <= lines; ++i) {
    const std::int64_t offset = array.integer(i);
    if (offset < least || offset > most)
      throw DataError(
          fmt::format("{} has {} at position {}; {} .. {} is possible", array.name, offset, i, least, most));
    out[std::size_t(i)] = least = offset;
    most = entries;
  }
  array.release(0, array.count());
  return out;
}

NpzNumbers<std::int32_t> indices_of(const NpzArray& array, std::int64_t count, std::int64_t bound, MemoryBudget& budget,
                                    const Execution& exec) {
  require_index_type(array);
  const bool in_place = usable_in_place<std::int32_t>(array, 'i');
  std::shared_ptr<std::int32_t[]> copy;
  if (!in_place) {
    budget.take(std::uint64_t(count) * sizeof(std::int32_t), array.name);
    copy = make_large_array<std::int32_t>(std::size_t(count));
  }
  FirstPlace bad;
  each_piece(count, exec, [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t e = from; e < to; ++e) {
      const std::int64_t index = array.integer(e);
      if (index < 0 || index >= bound) return bad.note(e);
      if (!in_place) copy[std::size_t(e)] = static_cast<std::int32_t>(index);
    }
    if (!in_place) array.release(from, to);
  });
  if (bad.any())
    throw DataError(fmt::format("{} has {} at position {}; below {} is possible", array.name, array.integer(bad.get()),
                                bad.get(), bound));
  if (!in_place) return {copy.get(), copy, copy.get()};
  return {reinterpret_cast<const std::int32_t*>(array.raw()), array.bytes.owner};
}

template <class T>
NpzNumbers<T> values_of(const NpzArray& array, std::int64_t count, MemoryBudget& budget, const Execution& exec) {
  if (usable_in_place<T>(array, 'f')) return {reinterpret_cast<const T*>(array.raw()), array.bytes.owner};
  budget.take(std::uint64_t(count) * sizeof(T), array.name);
  const auto copy = make_large_array<T>(std::size_t(count));
  FirstPlace refused;
  each_piece(count, exec, [&](std::int64_t from, std::int64_t to) {
    const char* raw = array.raw() + from * array.header.type.size;
    const Index done = convert_npy(array.header.type, raw, copy.get() + from, to - from);
    if (done < to - from) refused.note(from + done);
    array.release(from, to);
  });
  if (refused.any()) refuse_integer(array.header, refused.get(), array.name);
  return {copy.get(), copy, copy.get()};
}

template NpzNumbers<float> values_of(const NpzArray&, std::int64_t, MemoryBudget&, const Execution&);
template NpzNumbers<double> values_of(const NpzArray&, std::int64_t, MemoryBudget&, const Execution&);

}  // namespace fewdim
