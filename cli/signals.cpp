#include "signals.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>

#include "fewdim/io.hpp"
#include "fewdim/mapped_files.hpp"

namespace fewdim::cli {

namespace {

enum class Written { nothing, stdout_partly, files };
std::atomic<Written> written{Written::nothing};
std::atomic<bool> bar_on_screen{false};

void say(std::string_view text) {
  [[maybe_unused]] const auto ignored = ::write(STDERR_FILENO, text.data(), text.size());
}

// Everything called from here on is async-signal-safe.
extern "C" void on_interrupt(int) {
  discard_unfinished_outputs();
  if (bar_on_screen) say("\r\033[K");
  switch (written.load()) {
    case Written::nothing:
      say("fewdim: interrupted; nothing was written\n");
      break;
    case Written::stdout_partly:
      say("fewdim: interrupted; standard output is not complete\n");
      break;
    case Written::files:
      say("fewdim: interrupted; the files that were complete are kept\n");
      break;
  }
  ::_exit(130);
}

/// A mapped file that another program makes shorter ends where it is touched behind its end, in the middle of the work.
/// Whatever else raises SIGBUS takes its usual course.
extern "C" void on_lost_pages(int, siginfo_t* info, void*) {
  const char* name = mapped_file_at(info->si_addr);
  if (name == nullptr) {
    std::signal(SIGBUS, SIG_DFL);  // and again, as soon as this returns
    return;
  }
  static std::atomic_flag told;
  while (told.test_and_set()) ::pause();  // of several threads one speaks, and ends them all
  discard_unfinished_outputs();
  if (bar_on_screen) say("\r\033[K");
  std::array<char, 1024> shown;
  std::size_t size = 0;
  for (; *name != '\0' && size < shown.size(); ++name)  // names of others: nothing that a terminal would obey
    shown[size++] = static_cast<unsigned char>(*name) >= ' ' && *name != 127 ? *name : '?';
  say("fewdim: ");
  say({shown.data(), size});
  say(": became shorter, or its disk failed, while it was read; let its writer finish, then start again\n");
  ::_exit(4);
}

extern "C" void on_closed_pipe(int) {
  discard_unfinished_outputs();
  if (bar_on_screen) say("\r\033[K");
  std::signal(SIGPIPE, SIG_DFL);
  std::raise(SIGPIPE);
}

void handle(int signal, void (*handler)(int)) {
  struct sigaction action {};
  struct sigaction before {};
  // nohup and background jobs ignore some signals for us: that stays.
  if (signal != SIGPIPE && ::sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) return;
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = signal == SIGPIPE ? static_cast<int>(SA_NODEFER) : 0;
  ::sigaction(signal, &action, nullptr);
}

void handle_lost_pages() {
  struct sigaction action {};
  action.sa_sigaction = on_lost_pages;
  sigemptyset(&action.sa_mask);
  action.sa_flags = static_cast<int>(SA_SIGINFO);
  ::sigaction(SIGBUS, &action, nullptr);
}

/// A closed standard stream would hand its number to the next file that is opened: data could land in it. What takes
/// its place can't be written to, so that writing fails as it should.
void open_standard_streams() {
  for (int descriptor = 0; descriptor <= 2; ++descriptor)
    if (::fcntl(descriptor, F_GETFD) < 0) [[maybe_unused]]
      const int opened = ::open("/dev/null", O_RDONLY);
}

}  // namespace

void install_signal_handlers() {
  open_standard_streams();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) handle(signal, on_interrupt);
  handle(SIGPIPE, on_closed_pipe);
  handle_lost_pages();
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on file sizes: writing fails and says so
}

void note_written() { written = Written::files; }
void note_data_on_stdout() {
  Written nothing = Written::nothing;
  written.compare_exchange_strong(nothing, Written::stdout_partly);
}
void set_bar_on_screen(bool on_screen) { bar_on_screen = on_screen; }

}  // namespace fewdim::cli
