#pragma once

#include "data/formats.hpp"
#include "links/storage.hpp"

/// One parser for each way to write a graph down.
namespace fewdim {

LinkGraph parse_edges(const Bytes& bytes, const LinkOptions& options, const Execution& exec);  // edge_list.cpp
LinkGraph parse_gml(const Bytes& bytes, const LinkOptions& options, const Execution& exec);    // gml.cpp

/// The first line that is neither empty nor a comment.
std::string_view first_data_line(std::string_view text);

/// How the cells of an edge list are cut: ' ' stands for runs of blanks and tabs.
char edge_delimiter(std::string_view line);

/// How many cells a line has.
Index count_cells(std::string_view line, char delimiter);

}  // namespace fewdim
