#include "data/delimited/parse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "data/delimited/number.hpp"
#include "data/input/input.hpp"
#include "fewdim/error.hpp"

namespace fewdim::delimited {

template <class T>
const char* RecordParser<T>::stop(Problem::Kind kind, const char* at) {
  problem_ = {kind, at, record_, field_};
  return nullptr;
}

template <class T>
template <bool Blanks>
bool RecordParser<T>::ends_cell(const char* p) const {
  if (Blanks ? is_padding(*p) : *p == layout_.delimiter) return true;
  return *p == '\n' || (*p == '\r' && p[1] == '\n');
}

template <class T>
template <bool Blanks>
const char* RecordParser<T>::take_cell(const char* p, Cell& cell) {
  const char* const start = p;
  while (!Blanks && *p == ' ') ++p;
  if (*p != '"') {
    bool quote = false;
    for (; !ends_cell<Blanks>(p); ++p) quote = quote || *p == '"';
    if (quote) return stop(Problem::Kind::stray_quote, start);
    cell = {trimmed({start, static_cast<std::size_t>(p - start)}), false};
    return p;
  }
  const char* const open = ++p;
  for (;;) {
    p = static_cast<const char*>(std::memchr(p, '"', static_cast<std::size_t>(end_ - p)));
    if (!p) return stop(Problem::Kind::open_quote, start);
    if (p[1] != '"') break;
    p += 2;
  }
  cell = {{open, static_cast<std::size_t>(p - open)}, true};
  for (++p; !Blanks && *p == ' '; ++p) {
  }
  return ends_cell<Blanks>(p) ? p : stop(Problem::Kind::stray_quote, start);
}

template <class T>
template <bool Blanks>
const char* RecordParser<T>::slow_number(const char* p, T& value) {
  Cell cell;
  const char* const next = take_cell<Blanks>(p, cell);
  if (!next) return nullptr;
  if (layout_.missing.holds(cell.text)) {
    value = std::numeric_limits<T>::quiet_NaN();
    return next;
  }
  if (!number::parse_whole(cell.text, layout_.decimal, value)) return stop(Problem::Kind::not_a_number, p);
  if (number::is_too_large(cell.text.data(), value))
    return stop(sizeof(T) == 4 ? Problem::Kind::beyond_float32 : Problem::Kind::beyond_float64, p);
  return next;
}

template <class T>
bool RecordParser<T>::is_missing_value(T value) const {
  const auto& values = layout_.missing.values;
  return std::any_of(values.begin(), values.end(), [&](double missing) { return value == static_cast<T>(missing); });
}

template <class T>
template <bool Blanks>
const char* RecordParser<T>::parse_fields(const char* p, T* row, std::string* name, std::string* label) {
  const Index* const roles = layout_.roles.data();
  const Index fields = layout_.fields;
  const char delimiter = layout_.delimiter, decimal = layout_.decimal;
  const bool plain = decimal != delimiter;  // else only quoted cells can have decimals
  const bool has_missing_values = !layout_.missing.values.empty();
  for (Index field = 0; field < fields; ++field) {
    if (Blanks) {
      while (is_padding(*p)) ++p;
    } else {
      if (field > 0 && *p++ != delimiter) return stop(Problem::Kind::fields, record_);
      while (*p == ' ') ++p;
    }
    const Index role = roles[field];
    if (role >= 0) {
      T value;
      const char* next = plain ? number::scan(p, end_, decimal, value) : nullptr;
      if (!next || !ends_cell<Blanks>(next)) {
        field_ = field;
        next = slow_number<Blanks>(p, value);
        if (!next) return nullptr;
      }
      if (has_missing_values && is_missing_value(value)) value = std::numeric_limits<T>::quiet_NaN();
      row[role] = value;
      p = next;
      continue;
    }
    Cell cell;
    field_ = field;
    p = take_cell<Blanks>(p, cell);
    if (!p) return nullptr;
    if (role == row_name && name) *name = cell_string(cell);
    if (role == row_label && label) *label = cell_string(cell);
  }
  while (Blanks && is_padding(*p)) ++p;
  p += *p == '\r';
  return *p == '\n' ? p + 1 : stop(Problem::Kind::fields, record_);
}

template <class T>
const char* RecordParser<T>::parse(const char* p, T* row, std::string* name, std::string* label) {
  record_ = p;
  field_ = 0;
  const bool blanks = layout_.delimiter == ' ';
  if (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n') {
    const char* q = p;
    while (*q == ' ' || (*q == '\t' && layout_.delimiter != '\t')) ++q;
    if (*q == '\n' || (*q == '\r' && q[1] == '\n')) return stop(Problem::Kind::blank_line, p);
  }
  return blanks ? parse_fields<true>(p, row, name, label) : parse_fields<false>(p, row, name, label);
}

template class RecordParser<float>;
template class RecordParser<double>;

}  // namespace fewdim::delimited
