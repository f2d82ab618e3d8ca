#include <fmt/format.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <new>
#include <system_error>

#include "common.hpp"
#include "fewdim/version.hpp"
#include "help.hpp"
#include "signals.hpp"
#include "text.hpp"
#include "verb.hpp"

namespace fewdim::cli {

namespace {

/// One line, and for a slip on the command line where to look.
int fail(ErrorKind kind, std::string message, const std::string& verb) {
  std::ranges::replace(message, '\n', ' ');
  std::string text = fmt::format("fewdim: {}\n", printable(message));  // ids and words of others may be in it
  if (kind == ErrorKind::usage) text += fmt::format("try: fewdim {}--help\n", verb.empty() ? "" : verb + " ");
  [[maybe_unused]] const auto ignored = ::write(STDERR_FILENO, text.data(), text.size());
  return static_cast<int>(kind);
}

void refuse_unknown(const CLI::App& app) {
  const std::vector<std::string> extras = app.remaining();
  if (extras.empty()) return;
  const auto found =
      std::ranges::find_if(extras, [](const std::string& word) { return word.size() > 1 && word[0] == '-'; });
  if (found == extras.end()) throw usage_error(fmt::format("'{}' is one word too many", extras.front()));
  const std::string word = found->substr(0, found->find('='));
  std::vector<std::string> flags{"--help"};
  for (const Argument& argument : arguments_of(app))
    flags.insert(flags.end(), argument.flags.begin(), argument.flags.end());
  const std::string near = nearest(word, flags);
  throw usage_error(
      fmt::format("there is no option {}{}", word, near.empty() ? "" : fmt::format("; did you mean {}?", near)));
}

/// CLI11's words in ours.
[[noreturn]] void refuse(const CLI::ParseError& error) {
  std::string text = error.what();
  const std::string name = text.substr(0, text.find(": "));
  if (text.ends_with(" is required")) text.replace(text.rfind(" is required"), std::string::npos, " is missing");
  if (text.find("At Most 1 required") != std::string::npos) text = name + " is given more than once";
  if (text.find(" required ") != std::string::npos && text.ends_with(" missing")) text = name + " needs a value";
  throw usage_error(text);
}

void parse(CLI::App& app, std::vector<std::string> words) {
  std::ranges::reverse(words);
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    refuse_unknown(app);
    refuse(error);
  }
  refuse_unknown(app);
}

bool asks_help(const std::vector<std::string>& words) {
  const auto end = std::ranges::find(words, "--");
  return std::any_of(words.begin(), end, [](const std::string& word) { return word == "--help" || word == "-h"; });
}

int run_verb(const std::string& name, const std::vector<std::string>& words) {
  const Verb& verb = find_verb(name);
  if (asks_help(words)) {
    print(help_of(verb));
    return 0;
  }
  const DeclaredVerb declared = declare(verb);
  parse(*declared.app, words);
  return declared.action();
}

int run(const std::vector<std::string>& words, std::string& verb) {
  if (words.empty()) throw usage_error("what shall it do? Give a verb, such as pca");
  const std::string& first = words.front();
  if (first == "--version" || first == "version") {
    print(fmt::format("fewdim {}\n", FEWDIM_VERSION));
    return 0;
  }
  if (first == "--help" || first == "-h" || first == "help") {
    print(words.size() > 1 && first == "help" ? help_of(find_verb(words[1])) : overview());
    return 0;
  }
  if (first.starts_with('-')) throw usage_error(fmt::format("a verb comes before options such as {}", first));
  const Verb& found = find_verb(first);
  verb = found.name;
  return run_verb(first, {words.begin() + 1, words.end()});
}

}  // namespace

/// No exception leaves this; the exit code says what kind of trouble it was.
int guarded(const std::vector<std::string>& words) noexcept {
  std::string verb;
  try {
    return run(words, verb);
  } catch (const Error& error) {
    return fail(error.kind(), error.message(speak_command_line), verb);
  } catch (const std::bad_alloc&) {
    return fail(ErrorKind::over_memory,
                "out of memory; set --memory-limit so that a leaner way is taken, or use --stream", verb);
  } catch (const std::system_error& error) {
    const bool scarce =
        error.code() == std::errc::resource_unavailable_try_again || error.code() == std::errc::not_enough_memory;
    if (!scarce)
      return fail(ErrorKind::internal, fmt::format("internal error: {}; please report it", error.what()), verb);
    return fail(ErrorKind::over_memory,
                fmt::format("the system has no more threads or memory for this: {}; use fewer --threads, or raise its "
                            "limits (ulimit -u, ulimit -v)",
                            error.what()),
                verb);
  } catch (const std::exception& error) {
    return fail(ErrorKind::internal, fmt::format("internal error: {}; please report it", error.what()), verb);
  } catch (...) {
    return fail(ErrorKind::internal, "internal error of unknown kind; please report it", verb);
  }
}

/// Blocks of some megabytes, which solvers ask for again and again, stay in the process: giving them back and taking
/// them anew costs a page fault for every 4 KB, a tenth of a short fit.
void keep_freed_memory() {
#ifdef __GLIBC__
  // Where address space is limited, none is set aside for a heap of each thread: 128 MiB, which OpenBLAS would lack
  // between the moment that it is found to be there and its own asking, for which it waits without end.
  rlimit space{};
  if (::getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY) mallopt(M_ARENA_MAX, 1);
  constexpr int kMegabyte = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, 32 * kMegabyte);
  mallopt(M_TRIM_THRESHOLD, 64 * kMegabyte);
  mallopt(M_TOP_PAD, 16 * kMegabyte);
#endif
}

}  // namespace fewdim::cli

int main(int argc, char** argv) {
  fewdim::cli::keep_freed_memory();
  fewdim::cli::install_signal_handlers();
  return fewdim::cli::guarded({argv + std::min(argc, 1), argv + argc});
}
