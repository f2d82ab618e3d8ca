#include "report/plots/coloring.hpp"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <unordered_map>

namespace fewdim {

namespace {

bool is_missing(const std::string& label) { return label.empty() || label == "NA" || label == "NaN" || label == "nan"; }

std::optional<double> as_number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return {};
  return value;
}

struct Class {
  std::string name;
  std::optional<double> number;
  std::size_t count = 0;
  Color color = colors::other;
  Marker marker = Marker::disc;
  std::int32_t entry = -1;  // of the legend
};

/// The different labels: by value when all are numbers, else in natural order.
std::vector<Class> classes_of(const std::vector<std::string>& labels) {
  std::unordered_map<std::string, std::size_t> counts;
  for (const std::string& label : labels)
    if (!is_missing(label)) ++counts[label];
  std::vector<Class> classes;
  for (const auto& [name, count] : counts) classes.push_back({name, as_number(name), count});
  const bool numbers = std::all_of(classes.begin(), classes.end(), [](const Class& c) { return c.number.has_value(); });
  std::sort(classes.begin(), classes.end(), [&](const Class& a, const Class& b) {
    if (numbers && *a.number != *b.number) return *a.number < *b.number;
    return natural_less(a.name, b.name);
  });
  return classes;
}

void paint(Class& c, std::size_t place) {
  c.color = colors::classes[place % most_colors];
  c.marker = static_cast<Marker>(place / most_colors);
  c.entry = static_cast<std::int32_t>(place);
}

/// Gives the colors out; returns how many classes went without.
std::size_t assign_colors(std::vector<Class>& classes) {
  std::vector<Class*> by_count;
  for (Class& c : classes) by_count.push_back(&c);
  if (classes.size() > most_classes) {
    std::stable_sort(by_count.begin(), by_count.end(),
                     [](const Class* a, const Class* b) { return a->count > b->count; });
    by_count.resize(most_classes - 1);
  }
  std::size_t next = 0;
  for (Class& c : classes)  // in the legend's order, so that neighbors there differ most
    if (std::find(by_count.begin(), by_count.end(), &c) != by_count.end()) paint(c, next++);
  return classes.size() - by_count.size();
}

}  // namespace

bool natural_less(const std::string& a, const std::string& b) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (!digit(a[i]) || !digit(b[j])) {
      if (a[i] != b[j]) return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[j]);
      ++i, ++j;
      continue;
    }
    while (i + 1 < a.size() && a[i] == '0' && digit(a[i + 1])) ++i;
    while (j + 1 < b.size() && b[j] == '0' && digit(b[j + 1])) ++j;
    std::size_t end_a = i, end_b = j;
    while (end_a < a.size() && digit(a[end_a])) ++end_a;
    while (end_b < b.size() && digit(b[end_b])) ++end_b;
    if (end_a - i != end_b - j) return end_a - i < end_b - j;
    if (const int order = a.compare(i, end_a - i, b, j, end_b - j); order != 0) return order < 0;
    i = end_a, j = end_b;
  }
  if (a.size() - i != b.size() - j) return a.size() - i < b.size() - j;
  return a < b;
}

PointColoring color_by(const std::vector<std::string>& labels, const std::string& name) {
  std::vector<Class> classes = classes_of(labels);
  PointColoring coloring{std::vector<Color>(labels.size(), colors::other), {name, {}, {}}};
  const bool numbers = std::all_of(classes.begin(), classes.end(), [](const Class& c) { return c.number.has_value(); });
  const bool ramp = numbers && classes.size() > most_colors;
  if (ramp) {
    coloring.legend.ramp = Scale{*classes.front().number, *classes.back().number};
    for (Class& c : classes) c.color = viridis(coloring.legend.ramp->fraction(*c.number));
  } else {
    const std::size_t rest = assign_colors(classes);
    for (const Class& c : classes)
      if (c.entry >= 0) coloring.legend.entries.push_back({c.name, c.color, c.marker});
    if (rest > 0) coloring.legend.entries.push_back({fmt::format("other ({} classes)", rest), colors::other});
  }
  std::unordered_map<std::string, const Class*> class_of;
  for (const Class& c : classes) class_of.emplace(c.name, &c);
  coloring.classes.assign(labels.size(), -1);
  bool missing = false;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto found = class_of.find(labels[i]);
    missing = missing || found == class_of.end();
    if (found == class_of.end()) continue;
    coloring.colors[i] = found->second->color;
    coloring.classes[i] = found->second->entry;
  }
  if (missing && !ramp) coloring.legend.entries.push_back({"(none)", colors::other});
  return coloring;
}

PointColoring color_along(const Vector<double>& values, const std::string& name) {
  PointColoring coloring{std::vector<Color>(static_cast<std::size_t>(values.size()), colors::other), {name, {}, {}}};
  coloring.classes.assign(coloring.colors.size(), -1);
  bool any = false;
  Scale scale;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    scale = any ? Scale{std::min(scale.low, value), std::max(scale.high, value)} : Scale{value, value};
    any = true;
  }
  if (!any) return coloring;
  if (!(scale.low < scale.high)) scale = padded_scale(scale.low, scale.high, 0.0);
  coloring.legend.ramp = scale;
  for (Index i = 0; i < values.size(); ++i)
    if (std::isfinite(values[i])) coloring.colors[static_cast<std::size_t>(i)] = viridis(scale.fraction(values[i]));
  return coloring;
}

}  // namespace fewdim
