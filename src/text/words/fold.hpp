#pragma once

#include <string>
#include <string_view>

namespace fewdim {

/// A word in the one form in which words are compared: case folded and composed (NFKC_Casefold but for the below).
/// Accents are kept. Compatible forms become plain (ﬁ, full width, Arabic presentation forms), since a reader takes
/// them for the same word; joiners, soft hyphens and blanks are dropped; apostrophes are ASCII; the dot of İ is
/// dropped, as i has one. Turkish keeps its two letters: I is ı, İ is i. The word must be UTF-8. Empty where nothing is
/// left.
void fold(std::string_view word, bool turkish, std::string& out);

/// Code points of UTF-8.
std::size_t characters(std::string_view text);

}  // namespace fewdim
