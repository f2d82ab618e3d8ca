#include <fmt/format.h>

#include <algorithm>

#include "base/remedy.hpp"
#include "fewdim/error.hpp"
#include "text/documents/parsers.hpp"

namespace fewdim {

namespace {

/// How the classic test collections set their documents apart.
enum class Dialect {
  letters,  ///< ".I 12", then fields ".T", ".W": MED, CRAN, CISI, CACM, ADI
  stars,    ///< "*TEXT 017 01/04/63 PAGE 020", "*FIND  1", "*STOP": TIME
  titled,   ///< "Document 12", and a row of stars at the end: LISA
  numbered  ///< a number alone in its line, the text, and "/" or "#" at the end: NPL, queries of LISA
};

bool is_document_number(std::string_view text) {
  return !text.empty() && text.size() <= 18 && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// The field's letter of a line ".W"; 0 for every other line.
char letter_of(std::string_view line) {
  if (line.size() < 2 || line[0] != '.' || line[1] < 'A' || line[1] > 'Z') return 0;
  return trimmed(line.substr(2)).empty() ? line[1] : '\0';
}

/// ".I 12": the rest of the line, or none.
bool starts_document(std::string_view line, std::string_view& id) {
  if (!line.starts_with(".I") || line.size() < 3 || (line[2] != ' ' && line[2] != '\t')) return false;
  id = trimmed(line.substr(2));
  return !id.empty();
}

bool is_star_line(std::string_view line) {
  return line.starts_with("*TEXT") || line.starts_with("*FIND") || line.starts_with("*STOP");
}

bool star_document(std::string_view line, std::string_view& id) {
  if (!is_star_line(line) || line.starts_with("*STOP")) return false;
  id = trimmed(line.substr(5));
  id = id.substr(0, id.find_first_of(" \t"));
  return !id.empty();
}

bool titled_document(std::string_view line, std::string_view& id) {
  if (!line.starts_with("Document")) return false;
  id = trimmed(line.substr(8));
  return is_document_number(id);
}

bool is_star_row(std::string_view line) {
  const std::string_view row = trimmed(line);
  return row.size() >= 10 && row.find_first_not_of('*') == std::string_view::npos;
}

/// `end_mark` is what ends a numbered text.
bool dialect_of(std::string_view beginning, Dialect& out, char& end_mark) {
  beginning = beginning.substr(std::min(beginning.find_first_not_of(" \t\r\n"), beginning.size()));
  std::string_view first = beginning.substr(0, beginning.find('\n')), id;
  if (first.ends_with('\r')) first.remove_suffix(1);
  if (starts_document(first, id)) return out = Dialect::letters, true;
  if (star_document(first, id)) return out = Dialect::stars, true;
  if (titled_document(first, id)) return out = Dialect::titled, true;
  if (!is_document_number(trimmed(first))) return false;
  // A number alone says little: the first text must end as these do, and another number follow it.
  for (std::string_view rest = beginning; !rest.empty();) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = trimmed(rest.substr(0, end));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (line != "/" && !line.ends_with('#')) continue;
    end_mark = line.back();
    rest = rest.substr(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
    return out = Dialect::numbered, rest.empty() || is_document_number(trimmed(rest.substr(0, rest.find('\n'))));
  }
  return false;
}

class Smart : public DocumentParser {
 public:
  explicit Smart(Input input) : input_(std::move(input)) {
    if (!dialect_of(input_->beginning(std::size_t{64} << 10), dialect_, end_mark_)) dialect_ = Dialect::letters;
    for (std::string_view field : input_->options().text_fields) {
      if (field.starts_with('.')) field.remove_prefix(1);
      if (field.size() != 1 || field[0] < 'A' || field[0] > 'Z')
        throw DataError(fmt::format("{}: a field of this format is a capital letter, not \"{}\"; give {}",
                                    input_->place(1), field, set_option("text_fields", "W")));
      letters_.push_back(field[0]);
    }
    if (letters_.empty()) letters_ = "TW";
  }

  bool next(Document& out) override {
    if (!find_start(out.id)) return false;
    line_ = input_->line_number();
    if (dialect_ == Dialect::letters) read_fields(out.text);
    if (dialect_ == Dialect::stars) read_until(out.text, is_star_line);
    if (dialect_ == Dialect::titled) read_until(out.text, is_star_row);
    if (dialect_ == Dialect::numbered) read_numbered(out.text);
    return true;
  }

 private:
  /// The line that starts a document; blank lines and *STOP may stand before it.
  bool find_start(std::string& id) {
    while (input_->next_line()) {
      const std::string_view line = input_->line();
      std::string_view found;
      const bool starts = dialect_ == Dialect::letters  ? starts_document(line, found)
                          : dialect_ == Dialect::stars  ? star_document(line, found)
                          : dialect_ == Dialect::titled ? titled_document(line, found)
                                                        : is_document_number(found = trimmed(line));
      if (starts) return input_->append(id, found), true;
      if (trimmed(line).empty() || line.starts_with("*STOP") || (dialect_ == Dialect::titled && is_star_row(line)))
        continue;
      input_->refuse(input_->line_number(), "a line before the \".I\" and its id that starts a document; give the " +
                                                set_option("format") + " that fits");
    }
    return false;
  }

  void read_fields(std::string& text) {
    bool chosen = false;
    std::string_view id;
    while (input_->next_line()) {
      if (starts_document(input_->line(), id)) return input_->again();
      if (const char letter = letter_of(input_->line()))
        chosen = letters_.find(letter) != std::string::npos;
      else if (chosen)
        input_->append_line(text, input_->line());
    }
  }

  void read_until(std::string& text, bool (&ends)(std::string_view)) {
    while (input_->next_line()) {
      if (ends(input_->line())) return input_->again();
      input_->append_line(text, input_->line());
    }
  }

  void read_numbered(std::string& text) {
    while (input_->next_line()) {
      std::string_view line = trimmed(input_->line());
      const bool last = end_mark_ == '/' ? line == "/" : line.ends_with(end_mark_);
      if (last) line.remove_suffix(1);
      if (!last || !line.empty()) input_->append_line(text, line);
      if (last) return;
    }
  }

  Input input_;
  Dialect dialect_ = Dialect::letters;
  char end_mark_ = '/';
  std::string letters_;
};

}  // namespace

bool looks_like_smart(std::string_view beginning) {
  Dialect dialect;
  char end_mark;
  return dialect_of(beginning, dialect, end_mark);
}

Parser parse_smart(Input input) { return std::make_unique<Smart>(std::move(input)); }

}  // namespace fewdim
