// Formats by names and by the first bytes.

#include <gtest/gtest.h>

#include "text/documents/parsers.hpp"

namespace fewdim {
namespace {

TEST(DocumentFormats, AreFound) {
  struct Case {
    std::string beginning, path, format;
  };
  const Case cases[] = {
      {"", "x", "lines"},
      {"a b c\n", "x", "lines"},
      {"{\"text\":1}", "x.jsonl.gz", "jsonl"},
      {"", "x.NDJSON", "jsonl"},
      {"", "x.csv.zst", "csv"},
      {"", "x.tsv", "tsv"},
      {"\n {\"text\": \"a\"}", "-", "jsonl"},
      {"[\n", "x.json", "jsonl"},
      {"[1] a remark\n", "x", "lines"},
      {"<DOC>\n", "x", "trec"},
      {"\n<doc id=\"1\">", "x", "trec"},
      {"<top>\n<num>", "x", "trec"},
      {"<DOCTOR> said\n", "x", "lines"},
      {".I 1\n.W\n", "x", "smart"},
      {".I\t12\r\n", "x", "smart"},
      {"*TEXT 017 01/04/63 PAGE 020\n", "x", "smart"},
      {"*FIND     1\n", "x", "smart"},
      {"1\nwords\n   /\n2\n", "x", "smart"},
      {"1\nwords\n", "x", "lines"},
      {"Package: a\nVersion: 1\n", "-", "records"},
      {"Package: a\nDescription: b\n c\n\nPackage: d\n", "-", "records"},
      {"c1\tsome words\nc2\tother words\n", "-", "tsv"},
      {"c1\tsome words\r\n\r\nc2\tother words\r\n", "x.txt", "tsv"},
      {"c1\tsome words\n", "x", "lines"},                    // one line says little
      {"c1\tsome words\nc2\tother\twords\n", "x", "lines"},  // not the same number of tabs
      {"\tindented\n\ttwice\n", "x", "lines"},
      {"Note: one line only", "x", "lines"},
      {"From: a\nTo: b\n\nDear b,\nnothing here\n", "x", "lines"},
      {"Two words: no field\nB: x\n", "x", "lines"},
  };
  for (const Case& one : cases)
    EXPECT_EQ(detect_document_format(one.beginning, one.path).name, one.format) << one.beginning << one.path;
}

}  // namespace
}  // namespace fewdim
