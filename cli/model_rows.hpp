#pragma once

#include <string>

#include "fewdim/model.hpp"
#include "input.hpp"
#include "targets.hpp"

namespace fewdim::cli {

/// What verbs share that take a model and rows, and make a table: transform, inverse, fill, score.
class ModelRows {
 public:
  struct Words {
    const char *verb, *model;
    Input::Declared input;
    const char* output;
  };

  ModelRows(CLI::App& app, const Words& words);
  virtual ~ModelRows() = default;
  ModelRows(const ModelRows&) = delete;
  ModelRows& operator=(const ModelRows&) = delete;

  int operator()();

 protected:
  virtual void add_targets(Targets&) const {}
  virtual Dataset load(const Model& model) = 0;
  /// Writes the results; returns what --json tells of them.
  virtual Json work(const Model& model, const Dataset& data, Targets& targets) = 0;

  std::string output() const { return output_.empty() ? "-" : output_; }

  Run run_;
  Input input_;
  std::string model_, output_, to_;
};

}  // namespace fewdim::cli
