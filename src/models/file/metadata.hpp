#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/describe.hpp"
#include "fewdim/model.hpp"
#include "models/names.hpp"

namespace fewdim {

/// Raised whenever a file changes so that an older fewdim would misread it.
/// 1: `data_hash` is that of the arrays alone, and may be missing.
/// 2: the archive is sealed, seal() in archive.hpp: a hash of everything, which can't be missing.
constexpr int model_format = 2;

/// All of a model that is not an array: the text under the key "fewdim" in the file's __metadata__.
struct Metadata {
  Model::Head head;  ///< with the certificate's scalars; its vectors are arrays of the file
  AnyShape shape;    ///< its values; its arrays are those of the file
  Attachment beside;
  int format = model_format;  ///< of the file it comes from
  std::string data_hash{};    ///< of the arrays, in format 1; empty: not to be checked
};

std::string metadata_text(const Model& model);
/// Throws DataError "<path>: ..." for anything missing, unknown, of the wrong type, or of a newer format.
/// `most_names` bounds what is held in memory: a model has no more names than numbers.
Metadata parse_metadata(std::string_view text, const std::string& path, std::size_t most_names);

/// As JSON: non-finite numbers have no place there and become their text ("inf").
nlohmann::ordered_json options_json(const OptionMap& options);

}  // namespace fewdim
