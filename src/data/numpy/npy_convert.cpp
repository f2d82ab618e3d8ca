#include <fmt/format.h>

#include <cstring>

#include "data/numpy/npy.hpp"

namespace fewdim {

namespace {

template <class Stored>
Stored load_element(const char* raw, bool swapped) {
  char bytes[sizeof(Stored)];
  std::memcpy(bytes, raw, sizeof(Stored));
  if (swapped) std::reverse(bytes, bytes + sizeof(Stored));
  Stored value;
  std::memcpy(&value, bytes, sizeof(Stored));
  return value;
}

template <class Stored, class T>
Index convert_as(const char* raw, T* out, Index count, bool swapped) {
  constexpr std::int64_t exact = std::int64_t{1} << 53;  // float64 holds every integer up to here
  for (Index i = 0; i < count; ++i) {
    const Stored value = load_element<Stored>(raw + i * Index{sizeof(Stored)}, swapped);
    if constexpr (std::is_same_v<Stored, std::int64_t>)
      if (value > exact || value < -exact) return i;
    if constexpr (std::is_same_v<Stored, std::uint64_t>)
      if (value > std::uint64_t{exact}) return i;
    out[i] = static_cast<T>(value);
  }
  return count;
}

template <class T>
Index convert_halves(const char* raw, T* out, Index count, bool swapped) {
  for (Index i = 0; i < count; ++i) {
    const auto bits = Eigen::half_impl::raw_uint16_to_half(load_element<std::uint16_t>(raw + 2 * i, swapped));
    out[i] = static_cast<T>(Eigen::half_impl::half_to_float(bits));
  }
  return count;
}

template <class T>
Index convert_bools(const char* raw, T* out, Index count) {
  for (Index i = 0; i < count; ++i) out[i] = raw[i] != 0 ? T{1} : T{0};
  return count;
}

template <class Small, class Large, class T>
Index convert_sized(int size, const char* raw, T* out, Index count, bool swapped) {
  return size == int{sizeof(Small)} ? convert_as<Small>(raw, out, count, swapped)
                                    : convert_as<Large>(raw, out, count, swapped);
}

}  // namespace

template <class T>
Index convert_npy(const NpyType& type, const char* raw, T* out, Index count) {
  const bool swapped = type.swapped;
  if (type.is<T>()) {
    if (count > 0) std::memcpy(out, raw, static_cast<std::size_t>(count) * sizeof(T));
    return count;
  }
  if (type.kind == 'b') return convert_bools(raw, out, count);
  if (type.kind == 'f' && type.size == 2) return convert_halves(raw, out, count, swapped);
  if (type.kind == 'f') return convert_sized<float, double>(type.size, raw, out, count, swapped);
  if (type.kind == 'i' && type.size <= 2)
    return convert_sized<std::int8_t, std::int16_t>(type.size, raw, out, count, swapped);
  if (type.kind == 'i') return convert_sized<std::int32_t, std::int64_t>(type.size, raw, out, count, swapped);
  if (type.size <= 2) return convert_sized<std::uint8_t, std::uint16_t>(type.size, raw, out, count, swapped);
  return convert_sized<std::uint32_t, std::uint64_t>(type.size, raw, out, count, swapped);
}

template Index convert_npy<float>(const NpyType&, const char*, float*, Index);
template Index convert_npy<double>(const NpyType&, const char*, double*, Index);

void refuse_integer(const NpyHeader& header, Index position, const std::string& name) {
  const Index row = header.fortran ? position % header.rows : position / header.cols;
  Index column = position % header.cols;
  if (header.fortran) {  // from the place in storage back to the flattened column
    column = 0;
    while (header.fortran_column(column) != position / header.rows) ++column;
  }
  throw DataError(
      fmt::format("{}: row {}, column {}: an integer beyond 2^53, which float64 can't hold exactly; save it with "
                  ".astype('float64') "
                  "if losing its last digits is fine",
                  name, row + 1, column + 1));
}

}  // namespace fewdim
