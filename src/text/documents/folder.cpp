#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>

#include "fewdim/error.hpp"
#include "text/documents/parsers.hpp"

namespace fewdim {

namespace {

namespace fs = std::filesystem;

/// What a file or folder is, whatever leads to it.
using Identity = std::pair<dev_t, ino_t>;

/// Beginnings of files that are no text although they may lack a zero byte.
bool is_binary(std::string_view head) {
  constexpr std::string_view magics[] = {"%PDF-",
                                         "PK\3\4",
                                         "\x89PNG",
                                         "\xff\xd8\xff",
                                         "GIF87a",
                                         "GIF89a",
                                         "\x7f"
                                         "ELF",
                                         "BZh",
                                         "\xfd"
                                         "7zXZ",
                                         "7z\xbc\xaf",
                                         "Rar!",
                                         "\xd0\xcf\x11\xe0",
                                         "OggS",
                                         "fLaC",
                                         "ID3",
                                         "!<arch>\n",
                                         "SQLite format 3",
                                         "wOFF",
                                         "wOF2"};
  for (const std::string_view magic : magics)
    if (head.starts_with(magic)) return true;
  return head.find('\0') != std::string_view::npos;
}

/// The files below a folder, sorted by the bytes of their paths. Links are followed after all that is really there,
/// each to what has not been seen yet: loops end, and nothing is read twice.
class FileList {
 public:
  FileList(std::string root, DocumentReport& report) : root_(std::move(root)), report_(report) {
    walk("");
    while (!links_.empty()) {
      std::vector<std::string> links;
      links.swap(links_);
      std::ranges::sort(links);
      for (const std::string& link : links) follow(link);
    }
    std::ranges::sort(paths_);  // std::string compares as unsigned bytes
  }

  std::vector<std::string> take() { return std::move(paths_); }

 private:
  std::string full(const std::string& path) const { return path.empty() ? root_ : root_ + "/" + path; }

  bool stat_of(const std::string& path, struct stat& status) {
    if (::stat(full(path).c_str(), &status) == 0) return true;
    skip(path, std::strerror(errno));
    return false;
  }

  void skip(const std::string& path, const std::string& reason) {
    if (report_.unreadable++ == 0) report_.first_unreadable = fmt::format("{}: {}", full(path), reason);
  }

  void walk(const std::string& folder) {
    struct stat status {};
    if (!stat_of(folder, status) || !seen_.insert({status.st_dev, status.st_ino}).second) return;
    std::error_code problem;
    fs::directory_iterator entries(full(folder), problem);
    if (problem) return skip(folder, problem.message());
    std::vector<std::string> folders;
    for (; entries != fs::directory_iterator(); entries.increment(problem)) {
      const std::string name = entries->path().filename().string();
      if (name.starts_with('.')) continue;
      const std::string path = folder.empty() ? name : folder + "/" + name;
      std::error_code unknown;
      const fs::file_type type = entries->symlink_status(unknown).type();
      if (type == fs::file_type::symlink)
        links_.push_back(path);
      else if (type == fs::file_type::directory)
        folders.push_back(path);
      else
        add_file(path);
      if (problem) return skip(folder, problem.message());
    }
    for (const std::string& path : folders) walk(path);
  }

  /// Opening a pipe would wait for its writer: regular files only.
  void add_file(const std::string& path) {
    struct stat status {};
    if (!stat_of(path, status)) return;
    if (!S_ISREG(status.st_mode)) return skip(path, "not a regular file");
    seen_.insert({status.st_dev, status.st_ino});
    paths_.push_back(path);
  }

  void follow(const std::string& link) {
    struct stat status {};
    if (!stat_of(link, status)) return;
    if (S_ISDIR(status.st_mode)) return walk(link);
    if (!seen_.contains({status.st_dev, status.st_ino})) add_file(link);
  }

  std::string root_;
  DocumentReport& report_;
  std::set<Identity> seen_;
  std::vector<std::string> paths_, links_;
};

class Folder : public DocumentParser {
 public:
  Folder(const std::string& path, std::string prefix, const ReadingRules& rules)
      : root_(path), prefix_(std::move(prefix)), rules_(rules) {
    while (root_.size() > 1 && root_.ends_with('/')) root_.pop_back();
    single_ = !fs::is_directory(root_);
    if (single_)
      paths_ = {root_};
    else
      paths_ = FileList(root_, rules_.report).take();
    open_next();
    if (!input_) throw DataError(nothing_found());
  }

  bool next(Document& out) override {
    if (!input_) return false;
    out.id = prefix_ + current_;
    out.place = single_ ? shown_name(root_) : root_ + "/" + current_;
    const Input input = std::move(input_);
    input->append_rest(out.text);
    open_next();
    return true;
  }

 private:
  /// The next file that can be opened and holds text.
  void open_next() {
    input_.reset();
    while (!input_ && next_ < paths_.size()) {
      current_ = paths_[next_++];
      const std::string path = single_ ? root_ : root_ + "/" + current_;
      try {
        auto input = std::make_unique<TextInput>(open_source(path, rules_.most_bytes), path, rules_);
        if (is_binary(input->beginning(8192)))
          ++rules_.report.binary_files;
        else
          input_ = std::move(input);
      } catch (const Error& error) {
        if (error.kind() != ErrorKind::io && error.kind() != ErrorKind::data) throw;
        if (single_) throw;
        if (rules_.report.unreadable++ == 0) rules_.report.first_unreadable = error.marked();
      }
    }
  }

  std::string nothing_found() const {
    const DocumentReport& report = rules_.report;
    if (single_) return fmt::format("{}: is binary; give text", shown_name(root_));
    if (paths_.empty() && report.unreadable == 0)
      return fmt::format("{}: no file in this folder, but for hidden ones; give one with text files", root_);
    std::string text = fmt::format("{}: no text file in this folder: {} binary, {} unreadable", root_,
                                   report.binary_files, report.unreadable);
    if (!report.first_unreadable.empty()) text += fmt::format(" ({})", report.first_unreadable);
    return text + "; give one with text files";
  }

  std::string root_, prefix_;
  ReadingRules rules_;
  bool single_ = false;
  std::vector<std::string> paths_;
  std::size_t next_ = 0;
  std::string current_;
  Input input_;
};

}  // namespace

Parser parse_folder(const std::string& path, const std::string& prefix, const ReadingRules& rules) {
  return std::make_unique<Folder>(path, prefix, rules);
}

}  // namespace fewdim
