#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>

#include "base/utf8.hpp"
#include "data/input/input.hpp"
#include "fewdim/error.hpp"
#include "fewdim/retrieval.hpp"

namespace fewdim {

namespace {

using Columns = std::vector<std::string_view>;

struct Line {
  Index number;
  Columns columns;
};

[[noreturn]] void refuse(const std::string& path, Index line, const std::string& what) {
  throw DataError(fmt::format("{}:{}: {}", shown_name(path), line, what));
}

std::vector<Line> lines_with_columns(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\f\v";
  std::vector<Line> lines;
  for (Index number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    Columns columns;
    for (std::size_t at; (at = line.find_first_not_of(blanks)) != std::string_view::npos;) {
      line.remove_prefix(at);
      columns.push_back(line.substr(0, line.find_first_of(blanks)));
      line.remove_prefix(columns.back().size());
    }
    if (!columns.empty()) lines.push_back({number, std::move(columns)});
  }
  return lines;
}

std::optional<double> number_of(std::string_view text) {
  double value = 0.0;
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [last, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || last != text.data() + text.size() || !std::isfinite(value)) return {};
  return value;
}

bool is_natural(std::string_view text) {
  return !text.empty() && text.size() <= 18 && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Collects what lines say; of two judgments for one pair the last counts.
class Collector {
 public:
  void add(std::string_view query, std::string_view document, double grade) {
    const auto [place, is_new] = queries_.try_emplace(std::string(query), out_.queries.size());
    if (is_new) {
      out_.queries.push_back({std::string(query), {}});
      documents_.emplace_back();
    }
    auto& judged = out_.queries[place->second].documents;
    const auto [known, first] = documents_[place->second].try_emplace(std::string(document), judged.size());
    if (first)
      judged.push_back({std::string(document), grade});
    else
      judged[known->second].grade = grade;
  }
  Judgments take() { return std::move(out_); }

 private:
  Judgments out_;
  std::unordered_map<std::string, std::size_t> queries_;
  std::vector<std::unordered_map<std::string, std::size_t>> documents_;
};

/// NPL: a query, its documents and "/", over any number of lines.
void read_closed_lists(const std::vector<Line>& lines, const std::string& path, Collector& out) {
  std::string_view query;
  for (const Line& line : lines)
    for (const std::string_view column : line.columns) {
      if (column == "/")
        query = {};
      else if (!is_natural(column))
        refuse(path, line.number, fmt::format("\"{}\" is not a number of a query or document", column));
      else if (query.empty())
        query = column;
      else
        out.add(query, column, 1.0);
    }
}

/// LISA: a query, how many documents, and so many of them, over any number of lines. Empty where that does not add up
/// or the queries are not in order.
std::vector<std::string_view> counted_lists(const std::vector<Line>& lines) {
  std::vector<std::string_view> all;
  for (const Line& line : lines) all.insert(all.end(), line.columns.begin(), line.columns.end());
  std::size_t at = 0;
  double last = -1.0;
  while (at + 1 < all.size()) {
    const double query = *number_of(all[at]), count = *number_of(all[at + 1]);
    if (query <= last || count > static_cast<double>(all.size() - at - 2)) return {};
    at += 2 + static_cast<std::size_t>(count);
    last = query;
  }
  return at == all.size() ? all : std::vector<std::string_view>();
}

void read_lists(const std::vector<Line>& lines, Collector& out) {
  const std::vector<std::string_view> counted = counted_lists(lines);
  for (std::size_t at = 0; at < counted.size();) {
    const auto count = static_cast<std::size_t>(*number_of(counted[at + 1]));
    for (std::size_t i = 0; i < count; ++i) out.add(counted[at], counted[at + 2 + i], 1.0);
    at += 2 + count;
  }
  if (!counted.empty()) return;
  for (const Line& line : lines)  // TIME: a line a query
    for (std::size_t i = 1; i < line.columns.size(); ++i) out.add(line.columns[0], line.columns[i], 1.0);
}

bool is_list_form(const std::vector<Line>& lines) {
  const std::size_t columns = lines.front().columns.size();
  bool varies = false, long_ones = false;
  for (const Line& line : lines) {
    if (!std::ranges::all_of(line.columns, is_natural)) return false;
    varies |= line.columns.size() != columns;
    long_ones |= line.columns.size() > 4;
  }
  return varies && long_ones;
}

/// SMART's lines have the document second, where TREC's have a number that is always the same; then whether it is
/// relevant, where a system wrote them, or always 0, and a similarity that is of no use here.
bool is_smart_form(const std::vector<Line>& lines) {
  bool all_zero = true;
  for (const Line& line : lines) {
    if (line.columns.size() != 4 || !number_of(line.columns[3])) return false;
    if (line.columns[2] != "0" && line.columns[2] != "1") return false;
    all_zero &= line.columns[1] == "0" || line.columns[1] == "Q0";
  }
  return !all_zero;
}

void read_rows(std::vector<Line> lines, const std::string& path, Collector& out) {
  const bool smart = is_smart_form(lines);
  const bool flagged = smart && std::ranges::any_of(lines, [](const Line& line) { return line.columns[2] == "1"; });
  const std::size_t columns = lines.front().columns.size();
  if (columns == 3 && !number_of(lines.front().columns[2])) lines.erase(lines.begin());  // names of columns
  for (const Line& line : lines) {
    const std::size_t count = line.columns.size();
    if (count < 2 || count > 4)
      refuse(path, line.number,
             fmt::format("{} columns; judgments have \"query 0 document grade\" or \"query document\"", count));
    if (count != columns) refuse(path, line.number, fmt::format("{} columns, the first line has {}", count, columns));
    double grade = 1.0;
    if (count > 2 && !smart) {
      const auto value = number_of(line.columns.back());
      if (!value) refuse(path, line.number, fmt::format("the grade \"{}\" is not a number", line.columns.back()));
      grade = *value;
    }
    if (flagged) grade = line.columns[2] == "1" ? 1.0 : 0.0;
    out.add(line.columns[0], line.columns[count == 4 && !smart ? 2 : 1], grade);
  }
}

/// Numbers without leading zeros.
std::string_view plain_id(std::string_view id) {
  if (!is_natural(id)) return id;
  return id.substr(std::min(id.find_first_not_of('0'), id.size() - 1));
}

/// Which of a collection's ids a judged one means.
class IdMatch {
 public:
  IdMatch(const std::vector<std::string>& ids, const std::set<std::string_view>& judged, JudgedBy by) : ids_(ids) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
      exact_.emplace(ids[i], i);
      plain_.emplace(plain_id(ids[i]), i);
    }
    by_position_ = by == JudgedBy::position || (by == JudgedBy::automatic && looks_like_positions(judged));
  }
  bool by_position() const { return by_position_; }
  /// Null where there is none.
  const std::string* find(std::string_view id) const { return by_position_ ? position(id) : by_id(id); }

 private:
  bool looks_like_positions(const std::set<std::string_view>& judged) const {
    const auto all = std::ssize(judged);
    const auto unknown = std::ranges::count_if(judged, [&](std::string_view id) { return by_id(id) == nullptr; });
    const auto beyond = std::ranges::count_if(judged, [&](std::string_view id) { return position(id) == nullptr; });
    return unknown > 0 && 10 * unknown >= all && 20 * beyond <= all && 4 * beyond <= unknown;
  }
  const std::string* by_id(std::string_view id) const {
    if (const auto found = exact_.find(id); found != exact_.end()) return &ids_[found->second];
    const auto found = plain_.find(plain_id(id));
    return found == plain_.end() ? nullptr : &ids_[found->second];
  }
  const std::string* position(std::string_view id) const {
    if (!is_natural(id)) return nullptr;
    const auto number = static_cast<std::size_t>(*number_of(id));
    return number >= 1 && number <= ids_.size() ? &ids_[number - 1] : nullptr;
  }

  const std::vector<std::string>& ids_;
  std::unordered_map<std::string_view, std::size_t> exact_, plain_;
  bool by_position_ = false;
};

}  // namespace

Judgments read_judgments(const std::string& path, const Execution& exec) {
  const Bytes bytes = decompress(load(path, exec), exec);
  std::string_view text = bytes.text;
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const std::vector<Line> lines = lines_with_columns(text);
  if (lines.empty())
    throw DataError(fmt::format("{}: no judgment in it; give \"query 0 document grade\" lines", shown_name(path)));
  for (const Line& line : lines)
    for (const std::string_view column : line.columns)
      if (column.find('\0') != std::string_view::npos || first_not_utf8(column) != std::string_view::npos)
        refuse(path, line.number, "not UTF-8 text; give \"query 0 document grade\" lines");
  Collector out;
  const auto closes = [](const Line& line) { return line.columns.back() == "/"; };
  if (std::ranges::any_of(lines, closes))
    read_closed_lists(lines, path, out);
  else if (is_list_form(lines))
    read_lists(lines, out);
  else
    read_rows(lines, path, out);
  return out.take();
}

MatchedJudgments match_judgments(const Judgments& judgments, const std::vector<std::string>& queries,
                                 const std::vector<std::string>& documents, JudgedBy queries_by,
                                 JudgedBy documents_by) {
  std::set<std::string_view> judged_queries, judged_documents;
  for (const JudgedQuery& query : judgments.queries) {
    judged_queries.insert(query.query);
    for (const Judgment& judgment : query.documents) judged_documents.insert(judgment.document);
  }
  const IdMatch query_ids(queries, judged_queries, queries_by), document_ids(documents, judged_documents, documents_by);
  MatchedJudgments out;
  out.queries_by_position = query_ids.by_position();
  out.documents_by_position = document_ids.by_position();
  for (const JudgedQuery& query : judgments.queries) {
    const std::string* known = query_ids.find(query.query);
    if (!known) {
      ++out.unknown_queries;
      continue;
    }
    JudgedQuery& matched = out.judgments.queries.emplace_back(JudgedQuery{*known, {}});
    for (const Judgment& judgment : query.documents) {
      const std::string* document = document_ids.find(judgment.document);
      out.unknown_documents += document ? 0 : 1;
      matched.documents.push_back({document ? *document : judgment.document, judgment.grade});
    }
  }
  return out;
}

}  // namespace fewdim
