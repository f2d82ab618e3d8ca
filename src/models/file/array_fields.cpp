#include "models/file/array_fields.hpp"

#include "base/index.hpp"
#include "fewdim/error.hpp"
#include "fewdim/text_index.hpp"

namespace fewdim {

void ArrayAdder::array(const char* name, Vector<double>& v, const ArrayInfo& info) {
  add_array(archive_, name, v, info.single && single_);
}

void ArrayAdder::array(const char* name, Matrix<double>& m, const ArrayInfo& info) {
  const bool single = info.single && single_;
  if (!info.transposed) return add_array(archive_, name, m, single);
  // D×k in Eigen's order is k×D in C order.
  add_array(archive_, name, {at(m.cols()), at(m.rows())}, {m.data(), m.data() + m.size()}, single);
}

void ArrayAdder::integers(const char* name, std::vector<std::int32_t>& numbers) {
  add_array(archive_, name, {numbers.size()}, numbers);
}

void ArrayAdder::integers(const char* name, std::vector<std::int64_t>& numbers) {
  add_shared(archive_, name, SharedArray<std::int64_t>(numbers));
}

void ArrayAdder::links(const char* ends, const char* lengths, std::vector<Link>& links) {
  std::vector<std::int32_t> both;
  std::vector<double> each;
  for (const Link& link : links) {
    both.insert(both.end(), {link.first, link.second});
    each.push_back(link.length);
  }
  add_array(archive_, ends, {links.size(), 2}, std::move(both));
  add_array(archive_, lengths, {links.size()}, std::move(each), false);
}

void ArrayAdder::texts(const char* name, std::vector<std::string>& texts) { add_texts(archive_, name, texts); }

void ArrayAdder::shared(const char* name, SharedArray<float>& numbers, Index rows) {
  if (rows < 0)
    add_shared(archive_, name, {at(numbers.size())}, numbers);
  else
    add_shared(archive_, name, {at(rows), rows > 0 ? at(numbers.size() / rows) : 0}, numbers);
}

void ArrayAdder::shared(const char* name, SharedArray<std::int32_t>& numbers) { add_shared(archive_, name, numbers); }
void ArrayAdder::shared(const char* name, SharedArray<std::int64_t>& numbers) { add_shared(archive_, name, numbers); }
void ArrayAdder::shared(const char* name, StringList& strings) { add_shared(archive_, std::string(name), strings); }

void ArrayAdder::packed(const char* name, PackedTexts& texts) {
  add_shared(archive_, name, texts.bytes());
  add_shared(archive_, std::string(name) + "_frames", texts.frames());
  add_shared(archive_, std::string(name) + "_ends", texts.ends());
}

void ArrayTaker::array(const char* name, Vector<double>& v, const ArrayInfo&) { v = arrays_.vector(name); }

void ArrayTaker::array(const char* name, Matrix<double>& m, const ArrayInfo& info) {
  m = arrays_.transposed(name);
  if (!info.transposed) m = m.transpose().eval();
}

void ArrayTaker::integers(const char* name, std::vector<std::int32_t>& numbers) { numbers = arrays_.integers(name, 1); }

void ArrayTaker::integers(const char* name, std::vector<std::int64_t>& numbers) {
  const SharedArray<std::int64_t> found = arrays_.shared<std::int64_t>(name);
  numbers.assign(found.begin(), found.end());
}

void ArrayTaker::links(const char* ends, const char* lengths, std::vector<Link>& links) {
  const std::vector<std::int32_t> both = arrays_.integers(ends, 2);
  const Vector<double> each = arrays_.vector(lengths);
  if (std::ssize(both) != 2 * each.size())
    throw DataError(
        fmt::format("{}: not a model file: {} links have {} lengths", arrays_.path(), both.size() / 2, each.size()));
  for (Index i = 0; i < each.size(); ++i) links.push_back({both[at(2 * i)], both[at(2 * i + 1)], each[i]});
}

void ArrayTaker::texts(const char* name, std::vector<std::string>& texts) { texts = arrays_.texts(name); }

void ArrayTaker::shared(const char* name, SharedArray<float>& numbers, Index rows) {
  numbers = arrays_.shared<float>(name, rows < 0 ? 1 : 2);
}
void ArrayTaker::shared(const char* name, SharedArray<std::int32_t>& numbers) {
  numbers = arrays_.shared<std::int32_t>(name);
}
void ArrayTaker::shared(const char* name, SharedArray<std::int64_t>& numbers) {
  numbers = arrays_.shared<std::int64_t>(name);
}
void ArrayTaker::shared(const char* name, StringList& strings) { strings = arrays_.strings(name); }

void ArrayTaker::packed(const char* name, PackedTexts& texts) {
  const SharedArray<std::int64_t> ends = arrays_.shared<std::int64_t>(std::string(name) + "_ends");
  std::int64_t last = 0;
  for (const std::int64_t end : ends) {
    if (end < last) throw DataError(fmt::format("{}: not a model file: the texts' ends fall", arrays_.path()));
    last = end;
  }
  texts = PackedTexts(arrays_.shared<char>(name), arrays_.shared<std::int64_t>(std::string(name) + "_frames"), ends);
}

}  // namespace fewdim
