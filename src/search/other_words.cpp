#include "search/other_words.hpp"

#include <algorithm>
#include <map>

#include "base/parallel.hpp"
#include "fewdim/text_index.hpp"

namespace fewdim {

namespace {

/// Postings that are put together word by word.
struct Lists {
  std::vector<std::string> words;
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int32_t> documents;
  std::vector<float> counts;

  void close(std::string word) {
    if (std::ssize(documents) == offsets.back()) return;
    words.push_back(std::move(word));
    offsets.push_back(std::ssize(documents));
  }
  void into(TextIndex& out) && {
    out.other_words = words;
    out.other_offsets = std::move(offsets);
    out.other_documents = std::move(documents);
    out.other_counts = std::move(counts);
  }
};

using Counts = std::map<std::string, float>;

Counts other_words_of(const TextIndex& index, const WordSplitter& splitter, const std::string& text) {
  Counts out;
  for (const Token& token : splitter.split(text))
    if (token.term.find(' ') == std::string::npos && index.terms.find(token.term) < 0) out[token.term] += 1.0F;
  return out;
}

}  // namespace

void add_other_words(const TextIndex& index, const std::vector<std::string>& texts, TextIndex& out,
                     const Execution& exec) {
  if (!index.all_words) return;
  const WordSplitter splitter(index.rules);
  std::vector<Counts> counts(texts.size());
  parallel_for(exec, std::ssize(texts), [&](Index i) {
    const auto at = static_cast<std::size_t>(i);
    counts[at] = other_words_of(index, splitter, texts[at]);
  });
  std::map<std::string, std::vector<std::pair<std::int32_t, float>>> arrived;
  for (std::size_t i = 0; i < counts.size(); ++i)
    for (const auto& [word, count] : counts[i])
      arrived[word].emplace_back(static_cast<std::int32_t>(index.documents() + static_cast<Index>(i)), count);

  Lists lists;
  const auto append_old = [&](Index other) {
    const WordPostings old = index.postings(index.terms.size() + other);
    lists.documents.insert(lists.documents.end(), old.documents.begin(), old.documents.end());
    lists.counts.insert(lists.counts.end(), old.counts.begin(), old.counts.end());
  };
  Index old = 0;
  for (const auto& [word, postings] : arrived) {
    for (; old < index.other_words.size() && index.other_words[old] < word; ++old) {
      append_old(old);
      lists.close(std::string(index.other_words[old]));
    }
    if (old < index.other_words.size() && index.other_words[old] == word) append_old(old++);
    for (const auto& [document, count] : postings) {
      lists.documents.push_back(document);
      lists.counts.push_back(count);
    }
    lists.close(word);
  }
  for (; old < index.other_words.size(); ++old) {
    append_old(old);
    lists.close(std::string(index.other_words[old]));
  }
  std::move(lists).into(out);
}

void keep_other_words(const TextIndex& index, const std::vector<Index>& kept, TextIndex& out) {
  std::vector<std::int32_t> number(static_cast<std::size_t>(index.documents()), -1);
  for (std::size_t i = 0; i < kept.size(); ++i)
    number[static_cast<std::size_t>(kept[i])] = static_cast<std::int32_t>(i);
  Lists lists;
  for (Index other = 0; other < index.other_words.size(); ++other) {
    const WordPostings postings = index.postings(index.terms.size() + other);
    for (std::size_t p = 0; p < postings.documents.size(); ++p) {
      const std::int32_t document = number[static_cast<std::size_t>(postings.documents[p])];
      if (document < 0) continue;
      lists.documents.push_back(document);
      lists.counts.push_back(postings.counts[p]);
    }
    lists.close(std::string(index.other_words[other]));
  }
  std::move(lists).into(out);
}

}  // namespace fewdim
