#pragma once

#include <memory>
#include <utility>

namespace fewdim {

/// What stands beside a model: the documents of an index (TextIndex), how rows are images (ImageIndex), who has rated
/// what (RatingsIndex). A model has one of them or none.
class Attachment {
 public:
  Attachment() = default;
  template <class Held>
  explicit Attachment(Held held) : slot_(std::make_shared<const Slot<Held>>(std::move(held))) {}

  /// What is held, where it is of that kind; null otherwise.
  template <class Held>
  const Held* get() const {
    const auto* slot = dynamic_cast<const Slot<Held>*>(slot_.get());
    return slot ? &slot->held : nullptr;
  }
  explicit operator bool() const { return slot_ != nullptr; }

 private:
  struct Base {
    virtual ~Base() = default;
  };
  template <class Held>
  struct Slot final : Base {
    explicit Slot(Held h) : held(std::move(h)) {}
    Held held;
  };
  std::shared_ptr<const Base> slot_;
};

}  // namespace fewdim
