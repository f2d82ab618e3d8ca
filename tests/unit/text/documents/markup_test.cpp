// Markup taken off texts.

#include "text/documents/markup.hpp"

#include <gtest/gtest.h>

#include <ctime>

#include "unit/text/reading.hpp"

namespace fewdim {
namespace {

TEST(Html, LeavesTheText) {
  const std::pair<std::string, std::string> cases[] = {
      {"plain", "plain"},
      {"<b>bold</b>er", "bolder"},
      {"<p>one</p><p>two<br/>three", "one\ntwo\nthree"},
      {"<!DOCTYPE html><html><head><title>T</title><style>a{b:c}</style></head><body>x", "T\nx"},
      {"a<script>if (1 < 2) alert('</b>');</SCRIPT >b", "ab"},
      {"a<!-- <p> -- > -->b", "ab"},
      {"<a title='1 > 2' href=\"x\">y</a>", "y"},
      {"&lt;tag&gt; &amp;amp; caf&eacute; &#233;&#xE9; &#146;&hellip;", "<tag> &amp; café éé ’…"},
      {"&nbsp;&unknown; AT&T &; &#; &#x; &#xffffffff; &#55296;", " &unknown; AT&T &; &#; &#x; \uFFFD \uFFFD"},
      {"1 < 2 and 3 > 2 <3", "1 < 2 and 3 > 2 <3"},
      {"<td>a</td><td>b</td>", " a  b "},
      {"<", "<"},
      {"a <b c", "a <b c"},
      {"<script>never closed", ""},
      {"日本<em>語</em>", "日本語"}};
  for (const auto& [html, text] : cases) EXPECT_EQ(strip_html(html), text) << html;
}

TEST(Markdown, LeavesTheText) {
  const std::pair<std::string, std::string> cases[] = {
      {"# Title #\n\nText", "Title\n\nText"},
      {"Title\n=====\nx", "Title\nx"},
      {"a [link](http://x.org/a_(b)) and ![image](i.png)", "a link and image"},
      {"[text][ref]\n\n[ref]: http://x", "text\n\n"},
      {"**bold** and *it* _it_ snake_case ~~old~~ `code_x`", "bold and it it snake_case old code_x"},
      {"2 * 3 \\* 4", "2 * 3 * 4"},
      {"- one\n* two\n10. three\n> quoted", "one\ntwo\nthree\nquoted"},
      {"| a | b |\n|---|:-:|\n| 1 | 2 |", "  a   b  \n  1   2  "},
      {"```sh\n# not a title *x*\n```\nend", "# not a title *x*\nend"},
      {"[not a link] [x", "[not a link] [x"},
      {"###", ""},
      {"#tag", "#tag"}};
  for (const auto& [markdown, text] : cases) EXPECT_EQ(strip_markdown(markdown), text) << markdown;
}

TEST(Markup, TakesLinearTimeInHostileText) {
  // Quadratic work on 2 MB would take an hour of the processor; this takes some milliseconds.
  for (const char* unit :
       {"<",    "<a", "<a ", "<a=\"", "<a='<a=\"", "<!--",     "<!",       "</", "&",  "&#", "[", "](",   "[](",
        "](a(", "*",  "`",   "_",     "|",         "<script>", "</script", "![", "\\", "> ", "#", "[a]: "}) {
    std::string text;
    while (text.size() < 2'000'000) text += unit;
    const std::clock_t start = std::clock();
    strip_html(text);
    strip_markdown(text);
    EXPECT_LT(std::clock() - start, 5 * CLOCKS_PER_SEC) << unit;
  }
}

TEST(Markup, IsTakenOffDocuments) {
  DocumentOptions options;
  options.markup = Markup::html;
  EXPECT_EQ(test::read_text("<b>a</b>\n&eacute;\n", options).texts, (test::Texts{"a", "é"}));
  options.markup = Markup::markdown;
  EXPECT_EQ(test::read_text("**a**\n", options).texts, (test::Texts{"a"}));
}

}  // namespace
}  // namespace fewdim
