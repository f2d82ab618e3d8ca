#pragma once

#include <deque>

#include "text/documents/table_rows.hpp"

namespace fewdim {

/// Whether the first line of a table names its columns or is a document itself, by the line and some that follow it.
/// What decides, in this order:
///   a usual name (id, text, title, ...) stands in it;
///   it has a word above a column of numbers, or a number above a column of numbers;
///   its ids look like those below ("c1" above "c2"), or unlike ("doc" above "c2");
///   its text is a sentence, or a name above sentences.
/// Where nothing does, it is a document: one document too many costs less than one that is lost.
bool has_header(const TableRow& first, const std::deque<TableRow>& rows);

/// The column with most text.
std::size_t longest_column(const TableRow& first, const std::deque<TableRow>& rows, std::size_t columns);

/// The first column besides `text` whose fields can tell documents apart: a word each, none twice. npos: none.
std::size_t distinct_column(const TableRow& first, const std::deque<TableRow>& rows, std::size_t text);

}  // namespace fewdim
