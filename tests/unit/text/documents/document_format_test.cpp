// Formats by names and by the first bytes.

#include <gtest/gtest.h>

#include "text/documents/parsers.hpp"

namespace fewdim {
namespace {

TEST(DocumentFormats, AreFound) {
  using Format = DocumentFormat;
  struct Case {
    std::string beginning, path;
    Format format;
  };
  const Case cases[] = {
      {"", "x", Format::lines},
      {"a b c\n", "x", Format::lines},
      {"{\"text\":1}", "x.jsonl.gz", Format::jsonl},
      {"", "x.NDJSON", Format::jsonl},
      {"", "x.csv.zst", Format::csv},
      {"", "x.tsv", Format::tsv},
      {"\n {\"text\": \"a\"}", "-", Format::jsonl},
      {"[\n", "x.json", Format::jsonl},
      {"[1] a remark\n", "x", Format::lines},
      {"<DOC>\n", "x", Format::trec},
      {"\n<doc id=\"1\">", "x", Format::trec},
      {"<top>\n<num>", "x", Format::trec},
      {"<DOCTOR> said\n", "x", Format::lines},
      {".I 1\n.W\n", "x", Format::smart},
      {".I\t12\r\n", "x", Format::smart},
      {"*TEXT 017 01/04/63 PAGE 020\n", "x", Format::smart},
      {"*FIND     1\n", "x", Format::smart},
      {"1\nwords\n   /\n2\n", "x", Format::smart},
      {"1\nwords\n", "x", Format::lines},
      {"Package: a\nVersion: 1\n", "-", Format::records},
      {"Package: a\nDescription: b\n c\n\nPackage: d\n", "-", Format::records},
      {"c1\tsome words\nc2\tother words\n", "-", Format::tsv},
      {"c1\tsome words\r\n\r\nc2\tother words\r\n", "x.txt", Format::tsv},
      {"c1\tsome words\n", "x", Format::lines},                    // one line says little
      {"c1\tsome words\nc2\tother\twords\n", "x", Format::lines},  // not the same number of tabs
      {"\tindented\n\ttwice\n", "x", Format::lines},
      {"Note: one line only", "x", Format::lines},
      {"From: a\nTo: b\n\nDear b,\nnothing here\n", "x", Format::lines},
      {"Two words: no field\nB: x\n", "x", Format::lines},
  };
  for (const Case& one : cases)
    EXPECT_EQ(detect_document_format(one.beginning, one.path), one.format) << one.beginning << one.path;
}

}  // namespace
}  // namespace fewdim
