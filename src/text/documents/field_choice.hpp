#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Which columns or keys hold the text and the id where nobody says so.
namespace fewdim {

/// Best first: a document has its text in the first of them that is there, behind its title.
inline constexpr std::string_view usual_texts[] = {"text",     "body",        "content", "contents",
                                                   "abstract", "description", "summary"};
inline constexpr std::string_view usual_titles[] = {"title", "headline", "subject"};
inline constexpr std::string_view usual_ids[] = {"id", "_id", "docno", "doc_id", "docid", "key", "url", "name"};

/// Places in `names` of those that hold the text, title first; empty where none is usual.
std::vector<std::size_t> usual_text_fields(const std::vector<std::string>& names);

/// Place in `names` of the first usual id; npos where none is.
std::size_t usual_id_field(const std::vector<std::string>& names);

/// "id, title, text": for messages, shortened where they are many.
std::string list_names(const std::vector<std::string>& names);

}  // namespace fewdim
