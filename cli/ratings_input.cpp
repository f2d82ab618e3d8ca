#include "ratings_input.hpp"

#include <fmt/format.h>

#include "text.hpp"

namespace fewdim::cli {

namespace {

constexpr const char* group = "Ratings";

}  // namespace

void RatingsColumns::declare(CLI::App& app, bool duplicates) {
  add_text(app, "--user-column", user_, "COLUMN", "its name or number [by the usual names, or 1]", group);
  add_text(app, "--item-column", item_, "COLUMN", "its name or number [by the usual names, or 2]", group);
  add_text(app, "--value-column", value_, "COLUMN",
           "its name or number; none: every line counts 1 [by the usual names, or 3]", group);
  if (duplicates)
    add_text(app, "--duplicates", duplicates_, "refuse|mean|first|last",
             "what becomes of a second rating of the same item by the same user [refuse]", group);
}

RatingsOptions RatingsColumns::options() const {
  RatingsOptions options;
  options.user_column = user_;
  options.item_column = item_;
  options.value_column = value_;
  if (duplicates_ == "mean")
    options.repeated = RepeatedRatings::mean;
  else if (duplicates_ == "first")
    options.repeated = RepeatedRatings::first;
  else if (duplicates_ == "last")
    options.repeated = RepeatedRatings::last;
  else if (!duplicates_.empty() && duplicates_ != "refuse")
    throw usage_error(fmt::format("--duplicates '{}' must be refuse, mean, first or last", duplicates_));
  return options;
}

void RatingsInput::declare(CLI::App& app) {
  input_.declare(app, {.help = "ratings, a line each (user,item,value), or a table with gaps; - for standard input"});
  add_switch(app, "--triples", triples_, "the input is lines of user, item and value [found by looking]", group);
  add_switch(app, "--matrix", matrix_, "the input is a table, a row a user, with gaps", group);
  columns_.declare(app, true);
}

RatingsOptions RatingsInput::options() const {
  RatingsOptions options = columns_.options();
  const ReadOptions table = input_.options();
  options.delimiter = table.delimiter;
  options.header = table.header;
  return options;
}

Dataset RatingsInput::load(Run& run) const {
  if (triples_ && matrix_) throw usage_error("give one of --triples and --matrix");
  const RatingsOptions how = options();
  if (matrix_ && columns_.given()) throw usage_error("--user-column and its like are for lines, not for --matrix");
  const ReadOptions table = input_.options();
  const FormatCard* asked = table.format.empty() ? nullptr : &format(table.format);
  const bool plain = !input_.is_builtin() && (!asked || asked->text_options.has(TextOption::delimiter));
  const bool lines =
      triples_ || columns_.given() || (!matrix_ && plain && (input_.is_pipe() || looks_like_ratings(path(), how)));
  if (!lines) return input_.load(run);
  return run.timed("read", [&] { return read_ratings(path(), how, run.execution()); });
}

std::vector<RatedPair> RatingsInput::load_pairs(Run& run, const std::string& path) const {
  return run.timed("read", [&] { return read_rated_pairs(path, options(), run.execution()); });
}

}  // namespace fewdim::cli
