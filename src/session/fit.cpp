#include "base/remedy.hpp"
#include "fewdim/error.hpp"
#include "fewdim/session.hpp"
#include "session/memory_shares.hpp"
#include "session/stage.hpp"

namespace fewdim {

namespace {

bool takes_lines(const MethodCard& card, const OptionMap& options) {
  return card.takes_text && card.takes_text(options);
}

Model fit_once(const MethodCard& card, const Dataset& data, const OptionMap& options, const SessionContext& context) {
  const Stage stage(context, "fit");
  return card.fit(data, options, execution_beside(data, context.execution, card.name));
}

/// The same rows as they come, where memory was short and that can help.
std::optional<Dataset> as_stream(const MethodCard& card, const Dataset& data, const InputSource& source,
                                 const SessionContext& context) {
  const bool again = context.execution.memory_limit > 0 && card.takes.stream && data.is_dense() && !source.is_pipe() &&
                     !source.is_builtin();
  if (!again) return std::nullopt;
  std::optional<Dataset> stream = open_stream(source, context);
  if (stream) stream->weights = data.weights;
  return stream;
}

Fitted fit_to_documents(const MethodCard& card, const InputSource& source, const OptionMap& options,
                        const SessionContext& context) {
  const std::unique_ptr<DocumentSource> documents = [&] {
    const Stage stage(context, "open");
    return open_documents(source.paths, source.documents, context.execution);
  }();
  Fitted fitted{.model = [&] {
    const Stage stage(context, "fit");
    return card.fit_documents(*documents, options, context.execution);
  }()};
  fitted.data.source = documents->name();
  fitted.documents = documents->report();
  return fitted;
}

}  // namespace

Dataset load_for_fit(const MethodCard& card, const InputSource& source, const OptionMap& options,
                     const SessionContext& context) {
  if (takes_lines(card, options)) return load_lines(source, context);
  return load_table(source, card.takes.stream ? Streaming::if_needed : Streaming::never, context);
}

Fitted fit(const MethodCard& card, Dataset data, const InputSource& source, const OptionMap& options,
           const SessionContext& context) {
  try {
    Model model = fit_once(card, data, options, context);
    return {std::move(model), std::move(data)};
  } catch (const OverMemory& error) {
    std::optional<Dataset> stream = as_stream(card, data, source, context);
    if (!stream) throw with_shares(error, data, context.execution);
    data = std::move(*stream);
  }
  try {
    Model model = fit_once(card, data, options, context);
    return {std::move(model), std::move(data)};
  } catch (const OverMemory& error) {
    throw with_shares(error, data, context.execution);
  }
}

Fitted fit(const MethodCard& card, const InputSource& source, const OptionMap& options, const SessionContext& context) {
  if (card.fit_documents) return fit_to_documents(card, source, options, context);
  return fit(card, load_for_fit(card, source, options, context), source, options, context);
}

}  // namespace fewdim
