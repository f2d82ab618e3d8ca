#include "fewdim/formats.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "common.hpp"
#include "fewdim/documents.hpp"
#include "fewdim/images.hpp"
#include "fewdim/link_graph.hpp"
#include "method_options.hpp"
#include "text.hpp"
#include "verb.hpp"

namespace fewdim::cli {

namespace {

/// What a list says of a format, whatever comes out of its files.
struct ListedFormat {
  std::string kind, name, title, about;
  std::vector<std::string> endings, reads{}, writes{}, keeps{};
  bool streams = false, writes_compressed = false;
  std::vector<OptionField> read_fields{}, write_fields{};
  std::string page = "docs/formats.md";
};

/// Kinds of formats with what their files hold, in the order of the list.
constexpr std::pair<const char*, const char*> format_kinds[] = {
    {"rows", "Tables of numbers"}, {"documents", "Documents"}, {"links", "Links between things"}, {"images", "Images"}};

template <class Kind>
std::vector<std::string> words_of(const EnumSet<Kind>& kinds) {
  std::vector<std::string> out;
  for (const Kind kind : kinds.members()) out.push_back(word_of(kind));
  return out;
}

std::vector<ListedFormat> all_formats() {
  std::vector<ListedFormat> all;
  for (const FormatCard& card : formats())
    all.push_back({.kind = "rows",
                   .name = card.name,
                   .title = card.title,
                   .about = card.about,
                   .endings = card.endings,
                   .reads = words_of(card.reads),
                   .writes = words_of(card.writes),
                   .keeps = words_of(card.keeps),
                   .streams = card.stream != nullptr,
                   .writes_compressed = card.writes_compressed,
                   .read_fields = card.read_fields,
                   .write_fields = card.write_fields,
                   .page = card.page});
  for (const DocumentFormatCard& card : document_formats())
    all.push_back({.kind = "documents",
                   .name = card.name,
                   .title = card.name,
                   .about = card.about,
                   .endings = card.endings,
                   .reads = {"documents"},
                   .streams = true,
                   .page = "docs/documents.md"});
  for (const LinkFormatCard& card : link_formats())
    all.push_back({.kind = "links",
                   .name = card.name,
                   .title = card.name,
                   .about = card.about,
                   .endings = card.endings,
                   .reads = {"links"},
                   .page = "docs/methods/pagerank.md"});
  for (const ImageFormatCard& card : image_formats())
    all.push_back({.kind = "images",
                   .name = card.name,
                   .title = card.title,
                   .about = card.about,
                   .endings = card.endings,
                   .reads = {"images"},
                   .writes = card.writes ? std::vector<std::string>{"images"} : std::vector<std::string>{},
                   .page = "docs/images.md"});
  return all;
}

Json own_options(const std::vector<OptionField>& fields) {
  Json list = Json::array();
  for (const OptionField& field : fields)
    list.push_back(
        {{"name", field.name}, {"flag", flag_of(field.name)}, {"choices", field.choices}, {"help", field.help}});
  return list;
}

Json format_json(const ListedFormat& format) {
  return {{"kind", format.kind},
          {"name", format.name},
          {"title", format.title},
          {"about", format.about},
          {"endings", format.endings},
          {"reads", format.reads},
          {"writes", format.writes},
          {"streams", format.streams},
          {"keeps", format.keeps},
          {"writes_compressed", format.writes_compressed},
          {"read_options", own_options(format.read_fields)},
          {"write_options", own_options(format.write_fields)},
          {"page", format.page}};
}

std::string joined_or(const std::vector<std::string>& words, const char* none) {
  return words.empty() ? none : fmt::format("{}", fmt::join(words, ", "));
}

/// Tables of numbers have more to tell than the others. `wide`: with what they keep.
std::vector<std::vector<std::string>> rows_of(const std::string& kind, const std::vector<ListedFormat>& all,
                                              const char* none, bool wide) {
  const bool tables = kind == "rows";
  std::vector<std::vector<std::string>> rows;
  rows.push_back({"format", "endings"});
  if (tables) rows.back().insert(rows.back().end(), {"reads", "writes", "streams"});
  if (tables && wide) rows.back().push_back("keeps");
  rows.back().push_back("what");
  for (const ListedFormat& format : all) {
    if (format.kind != kind) continue;
    std::vector<std::string> row{format.name, joined_or(format.endings, none)};
    if (tables)
      row.insert(row.end(),
                 {joined_or(format.reads, none), joined_or(format.writes, none), format.streams ? "yes" : none});
    if (tables && wide) row.push_back(joined_or(format.keeps, none));
    row.push_back(format.about);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string markdown_row(const std::vector<std::string>& cells) {
  return fmt::format("| {} |\n", fmt::join(cells, " | "));
}

std::string formats_markdown(const std::vector<ListedFormat>& all) {
  std::string text;
  for (const auto& [kind, heading] : format_kinds) {
    std::vector<std::vector<std::string>> rows = rows_of(kind, all, "–", true);
    text += fmt::format("{}## {}\n\n", text.empty() ? "" : "\n", heading);
    text += markdown_row(rows.front()) + "|";
    for (std::size_t i = 0; i < rows.front().size(); ++i) text += "---|";
    text += "\n";
    for (std::size_t i = 1; i < rows.size(); ++i) {
      rows[i][0] = fmt::format("`{}`", rows[i][0]);
      if (rows[i][1] != "–") rows[i][1] = fmt::format("`{}`", fmt::join(split_list(rows[i][1]), "` `"));
      for (std::size_t at = 0; (at = rows[i].back().find('<', at)) != std::string::npos; at += 2)
        rows[i].back().insert(at, 1, '\\');  // not a tag
      text += markdown_row(rows[i]);
    }
  }
  return text;
}

class Formats {
 public:
  explicit Formats(CLI::App& app) : run_("formats") {
    app.add_option("NAME", name_, "those of one name, with their own options")->type_name("FORMAT");
    add_switch(app, "--markdown", markdown_, "as tables for a document", "Output");
    run_.declare(app);
  }

  int operator()() {
    std::vector<ListedFormat> all = all_formats();
    if (!name_.empty()) keep_named(all);
    if (run_.json()) {
      Json list = Json::array();
      for (const ListedFormat& each : all) list.push_back(format_json(each));
      run_.print_document({{"formats", list}});
    } else if (markdown_) {
      print(formats_markdown(all));
    } else {
      print(name_.empty() ? list_of(all) : details_of(all));
    }
    return 0;
  }

 private:
  void keep_named(std::vector<ListedFormat>& all) const {
    std::vector<std::string> names;
    for (const ListedFormat& each : all)
      if (std::ranges::find(names, each.name) == names.end()) names.push_back(each.name);
    std::erase_if(all, [&](const ListedFormat& each) { return each.name != name_; });
    if (!all.empty()) return;
    const std::string near = nearest(name_, names);
    throw usage_error(
        fmt::format("formats: there is no format '{}'; {}", name_,
                    near.empty() ? fmt::format("there are {}", all_of(names)) : fmt::format("did you mean {}?", near)));
  }

  static std::string list_of(const std::vector<ListedFormat>& all) {
    std::string text;
    for (const auto& [kind, heading] : format_kinds)
      text += fmt::format("{}{}\n{}", text.empty() ? "" : "\n", heading, table(rows_of(kind, all, "-", false)));
    return text +
           "\nTables, documents and links are read as .gz and .zst, too.\n"
           "`fewdim formats NAME` lists the options that a format has.\n";
  }

  static std::string details_of(const std::vector<ListedFormat>& all) {
    std::string text;
    for (const ListedFormat& each : all) {
      text += fmt::format("{}{}, {}: {}\n", text.empty() ? "" : "\n", each.name, each.kind, each.about);
      std::vector<std::vector<std::string>> rows{{"", ""}};
      rows.push_back({"  endings", joined_or(each.endings, "none")});
      rows.push_back({"  reads", joined_or(each.reads, "nothing")});
      rows.push_back({"  writes", joined_or(each.writes, "nothing") +
                                      (each.writes_compressed ? ", also compressed as .gz and .zst" : "")});
      rows.push_back({"  streams", each.streams ? "yes" : "no"});
      if (each.kind == "rows") rows.push_back({"  keeps", joined_or(each.keeps, "no names, no labels")});
      for (const auto* fields : {&each.read_fields, &each.write_fields})
        for (const OptionField& field : *fields)
          rows.push_back({"  " + flag_of(field.name), field.choices.empty()
                                                          ? field.help
                                                          : fmt::format("{} ({})", field.help, one_of(field.choices))});
      rows.push_back({"  page", each.page});
      const std::string lines = table(rows);
      text += lines.substr(lines.find('\n') + 1);
    }
    return text;
  }

  Run run_;
  std::string name_;
  bool markdown_ = false;
};

}  // namespace

Verb formats_verb() {
  return {"formats",
          "Help",
          "List the file formats that are read and written, or those of one name",
          "",
          {{"fewdim formats", "all"}, {"fewdim formats npz", "one, with its own options"}},
          [](CLI::App& app) -> Action {
            const auto verb = std::make_shared<Formats>(app);
            return [verb] { return (*verb)(); };
          }};
}

}  // namespace fewdim::cli
