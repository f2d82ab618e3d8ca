#include "text/documents/parsers.hpp"

namespace fewdim {

namespace {

class Lines : public DocumentParser {
 public:
  explicit Lines(Input input) : input_(std::move(input)) {}
  bool numbered() const override { return true; }

  bool next(Document& out) override {
    if (!input_->next_line()) return false;
    input_->append(out.text, input_->line());
    line_ = input_->line_number();
    return true;
  }

 private:
  Input input_;
};

}  // namespace

Parser parse_lines(Input input) { return std::make_unique<Lines>(std::move(input)); }

}  // namespace fewdim
