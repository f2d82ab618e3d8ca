#include "fewdim/model_arrays.hpp"

#include "models/shapes/shapes.hpp"

namespace fewdim {

namespace {

class ArrayList : public ModelFields {
 public:
  void array(const char* name, Vector<double>& v, const ArrayInfo&) override {
    if (v.size() > 0) found.push_back({.name = name, .numbers = v.data(), .rows = v.size(), .vector = true});
  }
  void array(const char* name, Matrix<double>& m, const ArrayInfo& info) override {
    if (m.size() == 0) return;
    if (info.transposed)  // one component after the other, as they lie
      found.push_back({.name = name, .numbers = m.data(), .rows = m.cols(), .cols = m.rows(), .row_stride = m.rows()});
    else
      found.push_back({.name = name, .numbers = m.data(), .rows = m.rows(), .cols = m.cols(), .col_stride = m.rows()});
  }

  std::vector<ModelArray> found;
};

class NumberList : public ModelFields {
 public:
  using ModelFields::value;
  void value(const char* name, double& number, Numbers) override { put(name, number); }
  void value(const char* name, Index& number) override { put(name, static_cast<double>(number)); }
  void group(const char* name, bool present, const std::function<void()>& body) override {
    if (!present) return;
    const std::string outer = inside_;
    inside_ += std::string(name) + "_";
    body();
    inside_ = outer;
  }

  std::vector<std::pair<std::string, double>> found;

 private:
  void put(const char* name, double number) { found.emplace_back(inside_ + name, number); }

  std::string inside_;
};

}  // namespace

std::vector<ModelArray> shape_arrays(const Model& model) {
  ArrayList list;
  std::visit([&](const auto& shape) { describe_to(shape, list); }, model.shape());
  return std::move(list.found);
}

std::vector<std::pair<std::string, double>> shape_numbers(const Model& model) {
  NumberList list;
  std::visit([&](const auto& shape) { describe_to(shape, list); }, model.shape());
  return std::move(list.found);
}

}  // namespace fewdim
