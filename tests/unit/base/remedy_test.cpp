#include "base/remedy.hpp"

#include <gtest/gtest.h>

#include "fewdim/error.hpp"
#include "fewdim/types.hpp"

namespace fewdim {
namespace {

TEST(Remedy, IsSaidInTheWordsOfEachFront) {
  const OverMemory error("pca: needs 3 GiB; " + raise_option("memory_limit") + ", " + lower_option("components") +
                         ", or use " + set_option("route", "krylov"));
  EXPECT_STREQ(error.what(), "pca: needs 3 GiB; raise memory_limit, lower components, or use route = krylov");
  EXPECT_EQ(error.message(speak_command_line),
            "pca: needs 3 GiB; raise --memory-limit, lower -k, or use --route krylov");
}

TEST(Remedy, IsAValueThatAFrontCanOffer) {
  const DataError error(option_name("label") + " is wrong; use " + set_option("disconnected", "bridge") + " or " +
                        leave_out("stream") + ", or " + use_command("choose-k") + " or " + use_method("ppca"));
  using Action = Remedy::Action;
  const std::vector<Remedy> expected{{Action::set, "disconnected", "bridge"},
                                     {Action::leave_out, "stream", ""},
                                     {Action::command, "choose-k", ""},
                                     {Action::method, "ppca", ""}};
  EXPECT_EQ(error.remedies(), expected);
  EXPECT_EQ(error.message(speak_command_line),
            "--label is wrong; use --disconnected bridge or leave --stream out, or `fewdim choose-k` or ppca");
  EXPECT_STREQ(error.what(),
               "label is wrong; use disconnected = bridge or leave stream out, or choose_components() or ppca");
}

TEST(Remedy, SwitchesHaveNoValue) {
  EXPECT_EQ(spoken(set_option("header", true), speak_command_line), "--header");
  EXPECT_EQ(spoken(set_option("header", false), speak_command_line), "--no-header");
  EXPECT_EQ(spoken(set_option("header", false)), "header = false");
  EXPECT_EQ(spoken(set_option("overwrite", true), speak_command_line), "--force");
  EXPECT_EQ(spoken(set_option("neighbors", Index{7}), speak_command_line), "--neighbors 7");
  EXPECT_EQ(spoken(set_option("gamma"), speak_command_line), "--gamma");
}

TEST(Remedy, FlagsThatHaveAnotherName) {
  EXPECT_EQ(spoken(set_option("text_fields", "body"), speak_command_line), "--text-field body");
  EXPECT_EQ(spoken(set_option("WriteOptions::format"), speak_command_line), "--to");
  EXPECT_EQ(spoken(set_option("size", "8x8"), speak_command_line), "--resize 8x8");
  EXPECT_EQ(spoken(set_option("coloring", "rgb"), speak_command_line), "--color");
  EXPECT_EQ(spoken(set_option("trial", "none"), speak_command_line), "--no-trial");
  EXPECT_EQ(spoken(option_name("trial"), speak_command_line), "--trial");
}

TEST(Remedy, AValueIsTypedAsAShellTakesIt) {
  EXPECT_EQ(spoken(set_option("drop", "a,b c,42"), speak_command_line), "--drop a,'b c',42");
  EXPECT_EQ(spoken(set_option("drop", "a,b c,42")), "drop = a,b c,42");
  EXPECT_EQ(spoken(set_option("components", "auto:minka"), speak_command_line), "-k auto:minka");
}

TEST(Remedy, CommandsAreFunctionsInCpp) {
  EXPECT_EQ(spoken(use_command("inspect")), "summary()");
  EXPECT_EQ(spoken(use_command("methods")), "methods()");
  EXPECT_EQ(spoken(use_command("inspect"), speak_command_line), "`fewdim inspect`");
}

TEST(Remedy, AValueThatAnOptionHasIsNoProposal) {
  EXPECT_EQ(spoken(option_is("neighbors", "2"), speak_command_line), "neighbors=2");
  EXPECT_TRUE(remedies_of(option_is("neighbors", "2") + option_name("radius")).empty());
}

TEST(Remedy, AValueMayHoldWhatIsInsideOfMarks) {
  const std::vector<MessagePart> parts = message_parts("a" + set_option("drop", "x=y") + "b");
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(parts[1].remedy, (Remedy{Remedy::Action::set, "drop", "x=y"}));
}

TEST(Remedy, ForeignControlCharactersStayText) {
  for (const std::string text : {"\x0e", "\x0e\x0f", "a\x0ezb\x0f", "\x0es", "plain", ""})
    EXPECT_EQ(spoken(text, speak_command_line), text);
}

TEST(Remedy, AnInvalidOptionNamesItsValueAndItsWayOut) {
  const InvalidOption error("pca", "components", "80", "must be between 1 and 64", lower_option("components"));
  EXPECT_STREQ(error.what(), "pca: components=80 must be between 1 and 64; lower components");
  EXPECT_EQ(error.message(speak_command_line), "pca: components=80 must be between 1 and 64; lower -k");
  ASSERT_EQ(error.remedies().size(), 1U);
}

TEST(Remedy, AMessageInsideOfAnotherKeepsItsRemedies) {
  const NotConverged inner("svd: stopped; " + raise_option("tolerance"));
  const NotConverged outer("lsi: " + inner.marked());
  EXPECT_EQ(outer.message(speak_command_line), "lsi: svd: stopped; raise --tolerance");
}

}  // namespace
}  // namespace fewdim
