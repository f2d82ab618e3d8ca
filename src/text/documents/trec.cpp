#include <fmt/format.h>

#include <algorithm>

#include "base/remedy.hpp"
#include "fewdim/error.hpp"
#include "text/documents/markup.hpp"
#include "text/documents/parsers.hpp"

namespace fewdim {

namespace {

/// Where a tag of that name begins in the text; npos where none does.
std::size_t find_tag(std::string_view text, std::string_view name, bool closing) {
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string_view::npos; ++at) {
    if (!begins_with_name(text.substr(at + 1), closing ? "/" : "")) continue;
    const std::string_view rest = text.substr(at + (closing ? 2 : 1));
    if (!begins_with_name(rest, name) || rest.size() == name.size()) continue;
    const char next = rest[name.size()];
    if (next == '>' || next == ' ' || next == '\t' || next == '\n') return at;
  }
  return std::string_view::npos;
}

/// The value of an attribute in quotes, as in <doc id="12" url="...">.
std::string_view attribute(std::string_view tag, std::string_view name) {
  for (std::size_t at = 0; (at = tag.find(name, at)) != std::string_view::npos; ++at) {
    std::string_view rest = tag.substr(at + name.size());
    if (at == 0 || (tag[at - 1] != ' ' && tag[at - 1] != '\t') || rest.size() < 3 || rest[0] != '=') continue;
    if (rest[1] != '"' && rest[1] != '\'') continue;
    const std::size_t end = rest.find(rest[1], 2);
    if (end != std::string_view::npos) return rest.substr(2, end - 2);
  }
  return {};
}

/// Drops "Number:", "Topic:", "Description:" and the like, which topics have behind their tags.
std::string_view without_label(std::string_view text) {
  constexpr std::string_view labels[] = {"Number:", "Topic:", "Title:", "Description:", "Narrative:"};
  text = trimmed(text);
  for (const std::string_view label : labels)
    if (begins_with_name(text, label)) return trimmed(text.substr(label.size()));
  return text;
}

class Trec : public DocumentParser {
 public:
  explicit Trec(Input input) : input_(std::move(input)) {}

  bool next(Document& out) override {
    if (!find_start()) return false;
    collect();
    topic_ ? take_topic(out) : take_document(out);
    return true;
  }

 private:
  bool next_line() {
    if (!input_->next_line()) return false;
    rest_ = input_->line();
    return true;
  }

  /// Goes behind the "<DOC" or "<top" that comes next. Other tags may stand between documents, text may not.
  bool find_start() {
    for (; !rest_.empty() || next_line(); rest_ = {}) {
      const std::size_t document = find_tag(rest_, "DOC", false), topic = find_tag(rest_, "top", false);
      const std::size_t at = std::min(document, topic);
      if (!strip_html(trimmed(rest_.substr(0, at))).empty())
        input_->refuse(input_->line_number(),
                       "text outside of <DOC> and </DOC>; give the " + set_option("format") + " that fits");
      if (at == std::string_view::npos) continue;
      topic_ = topic < document;
      line_ = input_->line_number();
      rest_.remove_prefix(at);
      return true;
    }
    return false;
  }

  /// The document from its tag to the closing one, into raw_.
  void collect() {
    raw_.clear();
    const std::string_view name = topic_ ? "top" : "DOC";
    for (;;) {
      const std::size_t end = find_tag(rest_, name, true);
      input_->append(raw_, rest_.substr(0, end));
      if (end != std::string_view::npos) {
        const std::size_t close = rest_.find('>', end);
        rest_.remove_prefix(std::min(close, rest_.size() - 1) + 1);
        break;
      }
      raw_.push_back('\n');
      if (!next_line()) input_->refuse(line_, fmt::format("<{0}> without </{0}>; the file may be cut off", name));
    }
  }

  /// What stands between the tags of that name, each such element in a line of its own; one that is not closed ends at
  /// the next tag.
  static std::string content(std::string_view text, std::string_view name) {
    std::string out;
    bool closed = true;
    for (std::size_t at; (at = find_tag(text, name, false)) != std::string_view::npos;) {
      text.remove_prefix(at);
      text.remove_prefix(std::min(text.find('>'), text.size() - 1) + 1);
      std::size_t end = closed ? find_tag(text, name, true) : std::string_view::npos;
      closed = end != std::string_view::npos;  // where there is none, there is none further on
      end = std::min(closed ? end : text.find('<'), text.size());
      if (!out.empty()) out.push_back('\n');
      out += trimmed(strip_html(text.substr(0, end)));
      text.remove_prefix(end);
    }
    return out;
  }

  void take_document(Document& out) const {
    const std::string_view tag = std::string_view(raw_).substr(0, raw_.find('>'));
    const std::string_view body = std::string_view(raw_).substr(std::min(tag.size() + 1, raw_.size()));
    const DocumentOptions& options = input_->options();
    out.id = content(body, options.id_field.empty() ? "DOCNO" : options.id_field);
    if (out.id.empty() && options.id_field.empty()) out.id = content(body, "DOCID");
    if (out.id.empty() && options.id_field.empty()) out.id = attribute(tag, "id");
    if (out.id.empty())
      input_->refuse(line_, fmt::format("a document without <{}>; name the tag of ids with {}",
                                        options.id_field.empty() ? "DOCNO" : options.id_field, set_option("id_field")));
    for (const std::string& field : options.text_fields) {
      const std::string part = content(body, field);
      if (!out.text.empty() && !part.empty()) out.text.push_back('\n');
      out.text += part;
    }
    if (options.text_fields.empty()) out.text = trimmed(strip_html(without_ids(body)));
  }

  static std::string without_ids(std::string_view body) {
    std::string out;
    while (!body.empty()) {
      const std::size_t plain = std::min(body.find('<'), body.size());
      out.append(body.substr(0, plain));
      body.remove_prefix(plain);
      const Tag tag = tag_at(body);
      const std::size_t size = std::max<std::size_t>(tag.size, body.empty() ? 0 : 1);
      const bool hidden = !tag.closing && tag.size > 0 && is_id_tag(tag.name);
      if (!hidden) out.append(body.substr(0, size));
      body.remove_prefix(size);
      if (hidden) body.remove_prefix(std::min(body.find('<'), body.size()));
    }
    return out;
  }

  static bool is_id_tag(std::string_view name) { return same_name(name, "DOCNO") || same_name(name, "DOCID"); }

  /// Tags of topics need not be closed: what follows one goes up to the next.
  void take_topic(Document& out) const {
    const auto& wanted = input_->options().text_fields;
    std::string_view rest = raw_;
    std::string_view name;
    std::string part;
    const auto settle = [&] {
      const std::string stripped = strip_html(part);
      const std::string_view value = without_label(stripped);
      part.clear();
      if (same_name(name, "num") && out.id.empty()) out.id = value;
      const bool usual = same_name(name, "title") || same_name(name, "desc");
      const bool chosen = std::ranges::any_of(wanted, [&](const std::string& field) { return same_name(name, field); });
      if (value.empty() || !(wanted.empty() ? usual : chosen)) return;
      if (!out.text.empty()) out.text.push_back('\n');
      out.text += value;
    };
    while (!rest.empty()) {
      const std::size_t plain = std::min(rest.find('<'), rest.size());
      part += rest.substr(0, plain);
      rest.remove_prefix(plain);
      const Tag tag = tag_at(rest);
      if (tag.size == 0) {
        part += rest.substr(0, 1);
        rest.remove_prefix(std::min<std::size_t>(1, rest.size()));
        continue;
      }
      settle();
      name = tag.closing ? std::string_view() : tag.name;
      rest.remove_prefix(tag.size);
    }
    settle();
    if (out.id.empty()) input_->refuse(line_, "a topic without <num>; number it");
  }

  Input input_;
  std::string_view rest_{};  ///< of the line at hand
  bool topic_ = false;
  std::string raw_;
};

}  // namespace

Parser parse_trec(Input input) { return std::make_unique<Trec>(std::move(input)); }

}  // namespace fewdim
