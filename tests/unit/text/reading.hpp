#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fewdim/documents.hpp"
#include "unit/data/text_files.hpp"

/// What tests of document formats share.
namespace fewdim::test {

using text_files::Folder;
using text_files::message_of;

struct Reading {
  std::vector<std::string> ids, texts, places;
  DocumentReport report;
};

inline Reading read_all(const std::vector<std::string>& paths, const DocumentOptions& options = {}) {
  Reading out;
  const auto source = open_documents(paths, options);
  for (Document document; source->next(document);) {
    out.ids.push_back(document.id);
    out.texts.push_back(document.text);
    out.places.push_back(document.place);
  }
  out.report = source->report();
  return out;
}

/// Of a file with that content, found by content alone unless the name says more.
inline Reading read_text(const std::string& content, const DocumentOptions& options = {},
                         const std::string& name = "x") {
  const Folder folder;
  return read_all({folder.write(name, content)}, options);
}

/// The refusal of that content, with "x" for the path.
inline std::string refusal_of(const std::string& content, const DocumentOptions& options = {},
                              const std::string& name = "x") {
  const Folder folder;
  const std::string path = folder.write(name, content);
  std::string text = message_of<DataError>([&] { read_all({path}, options); });
  for (std::size_t at; (at = text.find(path)) != std::string::npos;) text.replace(at, path.size(), name);
  return text;
}

/// Every prefix of a valid file is read, or refused as bad data; nothing else.
inline void expect_every_prefix_is_safe(const std::string& content, const DocumentOptions& options) {
  const Folder folder;
  for (std::size_t size = 0; size <= content.size(); ++size) {
    const std::string path = folder.write("x", content.substr(0, size));
    for (const EncodingErrors errors : {EncodingErrors::error, EncodingErrors::replace}) {
      DocumentOptions given = options;
      given.encoding_errors = errors;
      try {
        const Reading reading = read_all({path}, given);
        EXPECT_EQ(reading.report.documents, std::ssize(reading.ids));
      } catch (const DataError& error) {
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
      }
    }
  }
}

using Texts = std::vector<std::string>;

}  // namespace fewdim::test
