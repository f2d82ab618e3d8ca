#pragma once

#include <string_view>

namespace fewdim::cli {

/// Ctrl-C and its kin: unfinished files are removed, one line is said, the exit code is 130. A reader that has left
/// (SIGPIPE) ends the program without a word, an input that becomes shorter while it is read (SIGBUS) with one and exit
/// code 4. Standard streams that are closed are made safe first.
void install_signal_handlers();

/// From now on an interruption can't say that nothing was written.
void note_written();
/// Standard output may be cut in the middle by an interruption.
void note_data_on_stdout();
/// What wipes a progress bar off the terminal, or empty; said before the line of an interruption.
void set_bar_on_screen(bool on_screen);

}  // namespace fewdim::cli
