#include "base/describe.hpp"
#include "features/metric.hpp"
#include "fewdim/quality.hpp"

namespace fewdim {

/// The one declaration of the options.
template <class Visitor>
void describe(QualityOptions& o, Visitor&& field) {
  field(o.neighbors,
        {.name = "neighbors",
         .minimum = 1,
         .help = "neighbors that trustworthiness, continuity and neighbors kept look at; below half of the "
                 "rows"});
  field(o.metric, {.name = "metric",
                   .help = "distance of two rows of the data; precomputed: they are distances; auto: precomputed where "
                           "they look like it, else euclidean"});
  field(o.geodesics, {.name = "geodesics",
                      .minimum = 0,
                      .help = "above 0: distances of the data along the graph of so many nearest neighbors, as Isomap "
                              "takes them"});
  field(o.sample, {.name = "sample",
                   .minimum = every_row,
                   .help = "rows to look at, each against all others; all (or -1): every row; 0: every row where that "
                           "takes seconds, else up to 1,000"});
  field(o.seed, {.name = "seed", .help = "of the drawing of rows"});
}

std::vector<OptionField> quality_fields() { return fields_of<QualityOptions>(); }

QualityOptions quality_options(const OptionMap& map) {
  OptionMap plain = map;
  if (const auto sample = plain.find("sample"); sample != plain.end())
    if (const auto* text = std::get_if<std::string>(&sample->second); text && *text == "all")
      sample->second = std::int64_t{every_row};
  return options_from_map<QualityOptions>(plain, "quality");
}

}  // namespace fewdim
