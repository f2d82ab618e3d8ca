#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fewdim/error.hpp"
#include "fewdim/inputs.hpp"

/// What the tests of a session share.
namespace fewdim::test {

inline constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

/// A front that keeps what it hears.
struct Listener {
  std::vector<std::string> notes, stages;

  SessionContext context(std::uint64_t memory_limit = 0) {
    SessionContext context;
    context.execution.memory_limit = memory_limit;
    context.note = [this](const ReadNote& note) { notes.push_back(note.text()); };
    context.spent = [this](std::string_view stage, double) { stages.emplace_back(stage); };
    return context;
  }
};

/// Expects that a call throws an error of this kind whose message, in the words of the command line, has this text.
template <class Call>
void expect_refused(ErrorKind kind, const std::string& text, const Call& call) {
  try {
    call();
    ADD_FAILURE() << "nothing was thrown; expected: " << text;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    EXPECT_NE(error.message(speak_command_line).find(text), std::string::npos) << error.message(speak_command_line);
    EXPECT_EQ(std::string(error.what()).find("--"), std::string::npos) << error.what();
  }
}

}  // namespace fewdim::test
