#include "targets.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "fewdim/formats.hpp"
#include "input.hpp"
#include "signals.hpp"
#include "text.hpp"

namespace fewdim::cli {

namespace fs = std::filesystem;

namespace {

/// Where a path leads, as OutputFile has it: the file that a symbolic link names, though it may not be there yet.
fs::path followed(fs::path path) {
  constexpr int most_links = 40;
  std::error_code error;
  for (int i = 0; i < most_links && fs::is_symlink(fs::symlink_status(path, error)); ++i) {
    const fs::path next = fs::read_symlink(path, error);
    if (error) break;
    path = path.parent_path() / next;  // next alone where it is absolute
  }
  return path;
}

/// One name for one place, however it is written.
std::string place_of(const std::string& path) {
  if (path == "-") return path;
  std::error_code error;
  const fs::path place = fs::weakly_canonical(fs::absolute(followed(path), error), error);
  return error ? path : place.string();
}

bool is_picture(const std::string& path) { return path.ends_with(".svg") || path.ends_with(".png"); }

}  // namespace

void Targets::add(const std::string& flag, const std::string& path, Kind kind, const std::string& format) {
  if (!path.empty()) targets_.push_back({flag, path, kind, format});
}

void Targets::check_format(const Target& target) {
  const FormatCard* card = format_of_target(target.path, target.format);
  if (!card)
    throw usage_error(
        fmt::format("{} '{}' has no ending that names a format; use {}", target.flag, target.path, written_endings()));
  if (!card->write)
    throw usage_error(
        fmt::format("{} '{}': {} is read only; use {}", target.flag, target.path, card->title, written_endings()));
}

void Targets::check_one(const Target& target) const {
  const std::string& path = target.path;
  if (path.size() > 1 && path.front() == '-')
    throw usage_error(
        fmt::format("{} takes a file, and '{}' looks like an option; ./{} names a file", target.flag, path, path));
  if (path == "-") {
    if (target.kind != Kind::table)
      throw usage_error(fmt::format("{} can't go to standard output; name a file", target.flag));
    if (run_.json())
      throw usage_error(
          fmt::format("{} - and --json both want standard output; give {} a file", target.flag, target.flag));
    return;
  }
  if (target.kind == Kind::picture && !is_picture(path))
    throw usage_error(fmt::format("{} '{}' must end in .svg or .png", target.flag, path));
  if (target.kind == Kind::table) check_format(target);
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) throw IoError(fmt::format("{}: is a folder; give a file name", path));
  if (fs::exists(status) && !fs::is_regular_file(status)) return;  // /dev/null, a named pipe
  if (fs::exists(status) && !run_.force())
    throw IoError(fmt::format("{}: exists already; use --force to replace it", path));
  const fs::path end = followed(path);
  const fs::path folder = end.has_parent_path() ? end.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, error))
    throw IoError(fmt::format("{}: there is no folder {}; create it first", path, folder.string()));
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    throw IoError(fmt::format("{}: the folder {} can't be written to", path, folder.string()));
}

void Targets::check() const {
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    const std::string place = place_of(targets_[i].path);
    for (std::size_t j = 0; j < i; ++j)
      if (place_of(targets_[j].path) == place && !place.starts_with("/dev/"))
        throw usage_error(
            fmt::format("{} and {} are the same file, {}", targets_[j].flag, targets_[i].flag, targets_[i].path));
    for (const std::string& input : inputs_)
      if (place != "-" && place_of(input) == place)
        throw usage_error(fmt::format("{} would replace the input {}; give it another name", targets_[i].flag, input));
  }
  for (const Target& target : targets_) check_one(target);
}

void Targets::write(const Dataset& data, const std::string& path, const std::string& format) {
  write_with_options(data, path, format, {});
}

void Targets::write_list(const Dataset& data, const std::string& path, const std::string& format) {
  WriteOptions options;
  options.label_mark = false;
  write_with_options(data, path, format, options);
}

void Targets::write_with_options(const Dataset& data, const std::string& path, const std::string& format,
                                 WriteOptions options) {
  if (path.empty()) return;
  options.overwrite = run_.force();
  options.own = own_;
  if (const FormatCard* card = format_of_target(path, format); card && !card->write_fields.empty())
    for (const std::string& input : inputs_)  // sound keeps its pace
      for (const auto& [name, value] : settings_of_file(input))
        if (std::ranges::find(card->write_fields, name, &OptionField::name) != card->write_fields.end())
          options.own.try_emplace(name, value);
  if (!format.empty()) options.format = parse_target_format(format);
  if (path == "-") {
    note_data_on_stdout();
    run_.timed("write", [&] { fewdim::write(data, path, options, run_.execution()); });
    return;
  }
  write_with(path, show_shape(data), [&] { fewdim::write(data, path, options, run_.execution()); });
}

void Targets::write_with(const std::string& path, const std::string& what, const std::function<void()>& write) {
  run_.timed("write", write);
  note_written();
  if (!run_.json()) run_.say(fmt::format("wrote {}: {}", path, what));
}

Json Targets::document() const {
  Json files = Json::object();
  for (const Target& target : targets_) files[target.flag.substr(target.flag.find_first_not_of('-'))] = target.path;
  return files;
}

}  // namespace fewdim::cli
