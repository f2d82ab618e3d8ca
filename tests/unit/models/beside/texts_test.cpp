// Files of indices that are damaged, or were made to do harm.

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "fewdim/collection.hpp"
#include "fewdim/error.hpp"
#include "fewdim/search.hpp"
#include "models/beside/beside.hpp"
#include "models/file/model_file.hpp"
#include "support/documents.hpp"
#include "unit/models/sample_model.hpp"

namespace fewdim {
namespace {

using nlohmann::json;

Model small_index(Folding folding = Folding::projection) {
  LsiOptions options = test::title_options(3);
  options.folding = folding;
  options.weighting = Weighting::log_entropy;
  const test::Texts texts = test::titles() + test::Texts{{"empty"}, {""}};
  return fit_lsi(texts.dataset(), options);
}

/// Everything that an index is asked for. What it answers may be nonsense, but it lies within the collection.
void use(const Model& model) {
  const Index n = model.index().documents();
  const auto check = [&](const SearchResult& found) {
    for (const Hit& hit : found.hits) {
      ASSERT_TRUE(hit.document >= 0 && hit.document < n);
      for (const auto& [begin, end] : hit.snippet.marks) ASSERT_LE(end, hit.snippet.text.size());
    }
  };
  const auto attempt = [](auto&& work) {
    try {
      work();
    } catch (const Error&) {  // packed texts are looked at when they are asked for, and numbers may overflow
    }
  };
  attempt([&] { check(search(model, "human computer graph survey unknwon machine random", {.reasons = 3})); });
  attempt([&] { check(similar(model, 0, {.reasons = 3})); });
  attempt([&] { near_terms(model, "human system", 5); });
  attempt([&] { topics(model, 0, 3, 4); });
  attempt([&] { model.transform(Dataset::of_texts({"human computer", "graph"})); });
  attempt([&] {
    const Rankings rankings(model);
    rankings.by_meaning("graph trees", 2, 0.5);
    rankings.by_terms("graph trees");
    rankings.by_bm25("graph intersection");
  });
  for (const Revision how : {Revision::fold, Revision::update}) {
    attempt([&] {
      test::GivenDocuments more({"x1", "x2"}, {"human graph", "survey of trees"});
      RevisionReport report;
      add_documents(model, more, how, report);
    });
    attempt([&] {
      RevisionReport report;
      remove_documents(model, {std::string(model.index().ids[0])}, how, report);
    });
  }
}

/// Refused as bad data, or a model that can be used.
bool refused(const Archive& archive) {
  try {
    use(model_of(archive, "m"));
    return false;
  } catch (const DataError& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    return true;
  }
}

Archive archive_without_hash(const Model& model) {
  Archive archive = archive_of(model);
  json metadata = json::parse(archive.metadata.at("fewdim"));
  metadata["format"] = 1;  // the last that may have none
  archive.metadata = {{"fewdim", metadata.dump()}};
  return archive;
}

Tensor& tensor(Archive& archive, std::size_t at) { return archive.tensors[at]; }

void set_bytes(Tensor& tensor, std::string bytes) {
  auto owned = std::make_shared<std::vector<std::uint64_t>>(bytes.size() / 8 + 1);  // aligned as a file's are
  std::memcpy(owned->data(), bytes.data(), bytes.size());
  tensor.bytes = {reinterpret_cast<const char*>(owned->data()), bytes.size()};
  tensor.owner = owned;
}

/// What an index can't do without; all of it was in the file.
const std::set<std::string> needed{"components",
                                   "singular_values",
                                   "explained_variance_ratio",
                                   "global_weights",
                                   "terms",
                                   "terms_ends",
                                   "ids",
                                   "ids_ends",
                                   "texts",
                                   "texts_ends",
                                   "texts_frames",
                                   "stop_words",
                                   "stop_words_ends",
                                   "posting_offsets",
                                   "posting_documents",
                                   "posting_counts",
                                   "lengths",
                                   "places",
                                   "norms",
                                   "other_words",
                                   "other_words_ends",
                                   "other_offsets",
                                   "other_documents",
                                   "other_counts"};

TEST(IndexFile, TheSampleIsWhole) {
  for (const Folding folding : {Folding::projection, Folding::scaled}) {
    const Archive archive = archive_without_hash(small_index(folding));
    for (const std::string& name : needed) EXPECT_NE(archive.find(name), nullptr) << name;
    EXPECT_FALSE(refused(archive));
  }
}

TEST(IndexFile, OfAnOlderVersionHasNoOtherWords) {
  Archive archive = archive_without_hash(small_index());
  std::erase_if(archive.tensors, [](const Tensor& tensor) { return tensor.name.starts_with("other_"); });
  json metadata = json::parse(archive.metadata.at("fewdim"));
  metadata["text"].erase("all_words");
  archive.metadata["fewdim"] = metadata.dump();
  EXPECT_FALSE(refused(archive));
  const Model old = model_of(archive, "m");
  EXPECT_FALSE(old.index().all_words);
  EXPECT_EQ(old.index().other_words.size(), 0);
  EXPECT_EQ(search(old, "machine").unknown, std::vector<std::string>{"machine"});
  EXPECT_FALSE(search(old, "human").hits.empty());
  // What is added later does not make the list whole, so none is begun.
  test::GivenDocuments more({"x1"}, {"human zylofix"});
  RevisionReport report;
  const Model grown = add_documents(old, more, Revision::fold, report);
  EXPECT_FALSE(grown.index().all_words);
  EXPECT_EQ(grown.index().other_words.size(), 0);
}

TEST(IndexFile, EveryArrayMissing) {
  for (const Folding folding : {Folding::projection, Folding::scaled}) {
    const Archive whole = archive_without_hash(small_index(folding));
    for (std::size_t at = 0; at < whole.tensors.size(); ++at) {
      Archive archive = whole;
      archive.tensors.erase(archive.tensors.begin() + static_cast<std::ptrdiff_t>(at));
      const bool said = refused(archive);
      if (needed.contains(whole.tensors[at].name)) {
        EXPECT_TRUE(said) << whole.tensors[at].name;
      }
    }
  }
}

TEST(IndexFile, EveryArrayOfAnotherSize) {
  const Archive whole = archive_without_hash(small_index());
  for (std::size_t at = 0; at < whole.tensors.size(); ++at) {
    const Tensor& good = whole.tensors[at];
    const std::size_t size = size_of(good.type);
    for (std::size_t axis = 0; axis < good.shape.size(); ++axis)
      for (const int change : {-1, +1}) {
        Archive archive = whole;
        Tensor& bad = tensor(archive, at);
        bad.shape[axis] += static_cast<std::uint64_t>(static_cast<std::int64_t>(change));
        std::uint64_t count = 1;
        for (const std::uint64_t length : bad.shape) count *= length;
        std::string bytes(good.bytes);
        bytes.resize(count * size, '\0');
        set_bytes(bad, bytes);
        EXPECT_TRUE(refused(archive)) << good.name << " " << axis << " " << change;
      }
    Archive archive = whole;
    tensor(archive, at).shape = {0};
    tensor(archive, at).bytes = {};
    EXPECT_TRUE(refused(archive)) << good.name << " is empty";
    archive = whole;
    tensor(archive, at).shape.push_back(1);
    EXPECT_TRUE(refused(archive)) << good.name << " has another rank";
  }
}

TEST(IndexFile, EveryArrayOfAnotherType) {
  const Archive whole = archive_without_hash(small_index());
  for (std::size_t at = 0; at < whole.tensors.size(); ++at)
    for (const DType type : {DType::f32, DType::f64, DType::i32, DType::i64, DType::u8}) {
      const Tensor& good = whole.tensors[at];
      if (type == good.type) continue;
      Archive archive = whole;
      Tensor& bad = tensor(archive, at);
      bad.type = type;
      set_bytes(bad, std::string(good.bytes.size() / size_of(good.type) * size_of(type), '\0'));
      const bool said = refused(archive);
      const bool real =
          (good.type == DType::f32 || good.type == DType::f64) && (type == DType::f32 || type == DType::f64);
      if (!real) {
        EXPECT_TRUE(said) << good.name << " as " << name_of(type);
      }
    }
}

template <class T>
std::vector<std::string> bad_numbers() {
  std::vector<T> numbers;
  if constexpr (std::is_floating_point_v<T>) {
    using Limits = std::numeric_limits<T>;
    numbers = {Limits::quiet_NaN(),
               Limits::infinity(),
               -Limits::infinity(),
               T(-1),
               T(0),
               Limits::max(),
               Limits::denorm_min(),
               T(7)};
  } else {
    using Limits = std::numeric_limits<T>;
    numbers = {Limits::max(), Limits::min(), T(-1), T(0), T(1), T(9), T(10), T(1000)};
  }
  std::vector<std::string> out;
  for (const T number : numbers) out.emplace_back(reinterpret_cast<const char*>(&number), sizeof number);
  return out;
}

std::vector<std::string> bad_numbers(DType type) {
  switch (type) {
    case DType::f32:
      return bad_numbers<float>();
    case DType::f64:
      return bad_numbers<double>();
    case DType::i32:
      return bad_numbers<std::int32_t>();
    case DType::i64:
      return bad_numbers<std::int64_t>();
    default:
      return {std::string("\0", 1), "\xff", "a", "\x80", "\x1b"};
  }
}

TEST(IndexFile, EveryNumberChangedIsRefusedOrDoesNoHarm) {
  const Archive whole = archive_without_hash(small_index());
  Index refusals = 0;
  for (std::size_t at = 0; at < whole.tensors.size(); ++at) {
    const Tensor& good = whole.tensors[at];
    const std::size_t size = size_of(good.type), count = good.bytes.size() / size;
    const std::size_t step = std::max<std::size_t>(1, count / 3);
    for (std::size_t i = 0; i < count; i += (i + step < count || i + 1 == count) ? step : count - 1 - i)
      for (const std::string& number : bad_numbers(good.type)) {
        Archive archive = whole;
        std::string bytes(good.bytes);
        bytes.replace(i * size, size, number);
        set_bytes(tensor(archive, at), bytes);
        refusals += refused(archive) ? 1 : 0;
      }
  }
  EXPECT_GT(refusals, 200);
}

TEST(IndexFile, NumbersThatAreNoneAreAlwaysRefused) {
  const Archive whole = archive_without_hash(small_index(Folding::scaled));
  for (std::size_t at = 0; at < whole.tensors.size(); ++at) {
    const Tensor& good = whole.tensors[at];
    // A certificate may have no bound.
    if ((good.type != DType::f32 && good.type != DType::f64) ||
        !(needed.contains(good.name) || good.name == "output_scale"))
      continue;
    Archive archive = whole;
    std::string bytes(good.bytes);
    bytes.replace(0, size_of(good.type), bad_numbers(good.type)[0]);
    set_bytes(tensor(archive, at), bytes);
    EXPECT_TRUE(refused(archive)) << good.name;
  }
}

TEST(IndexFile, EveryEntryOfTheMetadata) {
  const Archive whole = archive_without_hash(small_index());
  const json metadata = json::parse(whole.metadata.at("fewdim"));
  ASSERT_TRUE(metadata.contains("text")) << metadata.dump();
  const auto after = [&](const json& index) {
    Archive archive = whole;
    json changed = metadata;
    changed["text"] = index;
    archive.metadata["fewdim"] = changed.dump();
    return refused(archive);
  };
  EXPECT_FALSE(after(metadata["text"]));
  for (const auto& [key, value] : metadata["text"].items()) {
    json index = metadata["text"];
    index.erase(key);
    EXPECT_EQ(after(index), key != "all_words") << "without " << key;  // older files have none
    for (const json& other : std::vector<json>{nullptr, "klingon", -1, 1e300, true, 99, json::array()}) {
      index = metadata["text"];
      if (index[key].is_boolean() && other.is_boolean()) continue;
      index[key] = other;
      const bool said = after(index);
      if (index[key].type() != value.type() && !(value.is_number() && other.is_number())) {
        EXPECT_TRUE(said) << key << " as " << other.dump();
      }
    }
  }
  json index = metadata["text"];
  index["language"] = "klingon";
  EXPECT_TRUE(after(index));
  index = metadata["text"];
  index["weighting"] = "heavy";
  EXPECT_TRUE(after(index));
  for (const std::int64_t bad : {std::int64_t{0}, std::int64_t{1} << 40}) {
    index = metadata["text"];
    index["ngrams"] = bad;
    EXPECT_TRUE(after(index)) << bad;
  }
  index = metadata["text"];
  index["folded"] = 11;
  EXPECT_TRUE(after(index));
  index = metadata["text"];
  index["more"] = 1;
  EXPECT_TRUE(after(index));
  // Without an index its arrays are none that is known.
  Archive archive = whole;
  json changed = metadata;
  changed.erase("text");
  archive.metadata["fewdim"] = changed.dump();
  EXPECT_TRUE(refused(archive));
}

TEST(IndexFile, EveryPrefixIsRefused) {
  const ScratchFolder scratch("index-prefix");
  small_index().save(scratch.file("m"));
  const std::string whole = bytes_of_file(scratch.file("m"));
  EXPECT_NO_THROW(model_of(parse_archive(whole, "m"), "m"));
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_THROW(model_of(parse_archive(std::string_view(whole).substr(0, size), "m"), "m"), DataError) << size;
}

TEST(IndexFile, AnyDamageToTheNumbersIsFound) {
  const ScratchFolder scratch("index-damage");
  small_index().save(scratch.file("m"));
  std::string bytes = bytes_of_file(scratch.file("m"));
  std::uint64_t header = 0;
  std::memcpy(&header, bytes.data(), sizeof header);
  for (std::size_t at = 8 + header; at < bytes.size(); at += 5) {
    bytes[at] = static_cast<char>(bytes[at] ^ 0x20);
    EXPECT_THROW(model_of(parse_archive(bytes, "m"), "m"), DataError) << at;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x20);
  }
}

TEST(IndexFile, ArraysMayLieAnywhere) {
  const ScratchFolder scratch("index-align");
  const Model model = small_index();
  model.save(scratch.file("m"));
  const std::string whole = bytes_of_file(scratch.file("m"));
  const std::string shifted = "x" + whole;  // no array is where its type wants it
  const Model loaded = model_of(parse_archive(std::string_view(shifted).substr(1), "m"), "m");
  EXPECT_EQ(test::places_of(loaded), test::places_of(model));
  use(loaded);
}

}  // namespace
}  // namespace fewdim
