#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "models/fields.hpp"
#include "models/file/strict_json.hpp"

namespace fewdim {

/// Writes the values of a description to a JSON object.
class MetadataWriter : public ModelFields {
 public:
  explicit MetadataWriter(nlohmann::ordered_json& object) : object_(&object) {}

  void value(const char* name, double& number, Numbers) override { put(name, number); }
  void value(const char* name, Index& number) override { put(name, number); }
  void value(const char* name, std::uint64_t& number) override { put(name, number); }
  void value(const char* name, bool& flag) override { put(name, flag); }
  void value(const char* name, std::string& text) override { put(name, text); }
  void group(const char* name, bool present, const std::function<void()>& body) override;
  void list(const char* name, Index size, const std::function<void(Index)>& resize,
            const std::function<void(Index)>& each) override;

 protected:
  void word(const char* name, std::string& text) override { put(name, text); }

 private:
  template <class T>
  void put(const char* name, const T& what) {
    (*object_)[name] = what;
  }
  nlohmann::ordered_json inner(const std::function<void()>& body);

  nlohmann::ordered_json* object_;
};

/// Reads them from one; refuses what is missing or of another type. Fields that nobody asks for are refused by the
/// caller's JsonFields::done().
class MetadataReader : public ModelFields {
 public:
  MetadataReader(const nlohmann::json& object, JsonFields& fields, std::string what)
      : object_(&object), fields_(&fields), what_(std::move(what)) {}

  void value(const char* name, double& number, Numbers) override { number = fields_->number(name); }
  void value(const char* name, Index& number) override { number = fields_->index(name); }
  void value(const char* name, std::uint64_t& number) override { number = fields_->natural(name); }
  void value(const char* name, bool& flag) override { flag = fields_->boolean(name); }
  void value(const char* name, std::string& text) override { text = fields_->text(name); }
  bool has_value(const char* name, bool) override { return object_->contains(name); }
  void group(const char* name, bool present, const std::function<void()>& body) override;
  void list(const char* name, Index size, const std::function<void(Index)>& resize,
            const std::function<void(Index)>& each) override;

 protected:
  void word(const char* name, std::string& text) override { text = fields_->text(name); }
  [[noreturn]] void refuse(const std::string& reason) const override { fields_->refuse(reason); }

 private:
  void inside(const nlohmann::json& object, const char* name, const std::function<void()>& body);

  const nlohmann::json* object_;
  JsonFields* fields_;
  std::string what_;
};

}  // namespace fewdim
