#include "data/formats.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/describe.hpp"
#include "data/card_named.hpp"
#include "data/input/file_format.hpp"
#include "fewdim/error.hpp"

/// Every file format of rows, one line each: the function that makes its card, in its own source file. Where two
/// recognize the same beginning, the more special one comes first.
#define FEWDIM_FORMATS(CARD) \
  CARD(csv_format)           \
  CARD(tsv_format)           \
  CARD(npy_format)           \
  CARD(npz_format)           \
  CARD(matrix_market_format) \
  CARD(svmlight_format)      \
  CARD(wav_format)

namespace fewdim {

#define FEWDIM_DECLARE_FORMAT(CARD) FormatCard CARD();
FEWDIM_FORMATS(FEWDIM_DECLARE_FORMAT)
#undef FEWDIM_DECLARE_FORMAT

namespace {

/// What a file is taken for where nothing tells, and what goes to standard output.
constexpr std::string_view plain_text = "csv";

}  // namespace

const std::vector<FormatCard>& formats() {
#define FEWDIM_LIST_FORMAT(CARD) CARD(),
  static const std::vector<FormatCard> cards{FEWDIM_FORMATS(FEWDIM_LIST_FORMAT)};
#undef FEWDIM_LIST_FORMAT
  return cards;
}

const FormatCard* find_format(const std::vector<FormatCard>& cards, std::string_view name) {
  const auto found = std::ranges::find(cards, name, &FormatCard::name);
  return found == cards.end() ? nullptr : &*found;
}

const FormatCard& format(const std::vector<FormatCard>& cards, std::string_view name) {
  return card_named(cards, name, "");
}

const FormatCard* format_of_name(const std::vector<FormatCard>& cards, const std::string& path) {
  const auto found =
      std::ranges::find_if(cards, [&](const FormatCard& card) { return has_ending(path, card.endings); });
  return found == cards.end() ? nullptr : &*found;
}

const FormatCard& format_of_content(const std::vector<FormatCard>& cards, std::string_view head) {
  for (const FormatCard& card : cards)
    if (card.recognize && card.recognize(head)) return card;
  return format(cards, plain_text);
}

const FormatCard* format_of_target(const std::vector<FormatCard>& cards, const std::string& path,
                                   std::string_view name) {
  if (!name.empty()) return &format(cards, name);
  return path == "-" ? &format(cards, plain_text) : format_of_name(cards, path);
}

void require_own_options(const std::vector<FormatCard>& cards, const FormatCard& card, const OptionMap& own,
                         std::vector<OptionField> FormatCard::*fields, const std::string& file) {
  for (const auto& [name, value] : own) {
    const auto has_it = [&](const FormatCard& each) {
      return std::ranges::find(each.*fields, name, &OptionField::name) != (each.*fields).end();
    };
    if (has_it(card)) continue;
    std::vector<std::string> owners;
    for (const FormatCard& each : cards)
      if (has_it(each)) owners.push_back(each.title);
    throw InvalidOption(file, name, option_text(value), fmt::format("means nothing for {}", card.title),
                        owners.empty() ? "leave it out; no format has it"
                                       : fmt::format("leave it out; it is for {}", listed(owners, "and")));
  }
}

std::string titles_of(const std::vector<FormatCard>& cards, bool (*fits)(const FormatCard&), std::string_view word) {
  std::vector<std::string> titles;
  for (const FormatCard& card : cards)
    if (fits(card)) titles.push_back(card.title);
  return listed(titles, word);
}

std::string written_endings(const std::vector<FormatCard>& cards) {
  std::vector<std::string> endings;
  std::string compressed;
  for (const FormatCard& card : cards) {
    if (!card.write || card.endings.empty()) continue;
    endings.push_back(card.endings.front());
    if (card.writes_compressed && compressed.empty()) compressed = card.endings.front();
  }
  const std::string text = listed(endings, "or");
  return compressed.empty() ? text : fmt::format("{0} ({1}.gz and {1}.zst are compressed)", text, compressed);
}

const FormatCard* find_format(std::string_view name) { return find_format(formats(), name); }
const FormatCard& format(std::string_view name) { return format(formats(), name); }
const FormatCard* format_of_name(const std::string& path) { return format_of_name(formats(), path); }
const FormatCard* format_of_target(const std::string& path, std::string_view name) {
  return format_of_target(formats(), path, name);
}
std::string written_endings() { return written_endings(formats()); }

std::string read_titles() {
  return titles_of(
      formats(), [](const FormatCard& card) { return card.read != nullptr; }, "or");
}

OptionMap settings_of_file(const std::string& path) {
  const FormatCard* card = format_of_name(path);
  return card && card->settings ? card->settings(path) : OptionMap{};
}

std::string word_of(RowKind kind) {
  static constexpr const char* words[] = {"dense", "sparse", "sound"};
  return words[static_cast<std::size_t>(kind)];
}

std::string word_of(RowTag tag) {
  static constexpr const char* words[] = {"row names", "column names", "labels"};
  return words[static_cast<std::size_t>(tag)];
}

}  // namespace fewdim
