#include "models/file/metadata_fields.hpp"

namespace fewdim {

nlohmann::ordered_json MetadataWriter::inner(const std::function<void()>& body) {
  nlohmann::ordered_json made = nlohmann::ordered_json::object();
  nlohmann::ordered_json* outer = object_;
  object_ = &made;
  body();
  object_ = outer;
  return made;
}

void MetadataWriter::group(const char* name, bool present, const std::function<void()>& body) {
  if (present) put(name, inner(body));
}

void MetadataWriter::list(const char* name, Index size, const std::function<void(Index)>&,
                          const std::function<void(Index)>& each) {
  nlohmann::ordered_json entries = nlohmann::ordered_json::array();
  for (Index i = 0; i < size; ++i) entries.push_back(inner([&] { each(i); }));
  put(name, entries);
}

void MetadataReader::inside(const nlohmann::json& object, const char* name, const std::function<void()>& body) {
  const std::string what = what_ + ": " + name;
  JsonFields fields(object, what);
  MetadataReader outer = *this;
  object_ = &object;
  fields_ = &fields;
  what_ = what;
  body();
  fields.done();
  *this = outer;
}

void MetadataReader::group(const char* name, bool present, const std::function<void()>& body) {
  if (present || object_->contains(name)) inside(fields_->raw(name), name, body);
}

void MetadataReader::list(const char* name, Index, const std::function<void(Index)>& resize,
                          const std::function<void(Index)>& each) {
  const nlohmann::json& entries = fields_->list(name);
  resize(static_cast<Index>(entries.size()));
  for (std::size_t i = 0; i < entries.size(); ++i) inside(entries[i], name, [&] { each(static_cast<Index>(i)); });
}

}  // namespace fewdim
