#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fewdim/execution.hpp"
#include "fewdim/kernel.hpp"

namespace fewdim {

/// The longest substrings the spectrum kernel takes.
constexpr Index longest_substring = 100;

/// Strings by the substrings of one length that occur in them: the |alphabet|^p features of the spectrum kernel are
/// never formed. Strings lie in blocks; a block lists, for each substring in it, who has it and how often.
class SubstringCounts {
 public:
  /// `kernel` says how long substrings are; its texts are not used. Throws DataError "<who>: ..." for a text that is
  /// not UTF-8.
  SubstringCounts(const std::vector<std::string>& texts, const StringKernel& kernel, Index block, std::string_view who,
                  const Execution& exec);
  /// New strings, to be compared with those of `known`: a substring that occurs in none of them counts in K(s,s) alone.
  SubstringCounts(const std::vector<std::string>& texts, const SubstringCounts& known, Index block,
                  std::string_view who, const Execution& exec);

  Index size() const { return std::ssize(squares_); }
  Index block() const { return block_; }
  Index too_short() const;         ///< strings without a substring
  double diagonal(Index i) const;  ///< k(s_i, s_i): K(s,s), or 1 where it is normalized; 0 without a substring

  /// out[i·n + j] = k(string i of block `a_block` of a, string j of block `b_block` of b), row-major, for m×n at least
  /// as large as the blocks; what is beyond them is 0. K is a sum of whole numbers, and exact below 2^53.
  friend void spectrum_tile(const SubstringCounts& a, Index a_block, Index m, const SubstringCounts& b, Index b_block,
                            Index n, double* out);

 private:
  using Vocabulary = std::unordered_map<std::string_view, std::int32_t>;
  struct Holder {
    std::int32_t string;  ///< in its block
    std::int32_t count;
  };
  struct Block {
    std::vector<std::int32_t> ids;    ///< of substrings, rising
    std::vector<std::size_t> starts;  ///< of their holders, and the end
    std::vector<Holder> holders;
  };

  void count_all(const std::vector<std::string>& texts, const Vocabulary& vocabulary, const Execution& exec);
  void count_block(const std::vector<std::string>& texts, const Vocabulary& vocabulary, Index block);

  Index length_, block_;
  bool normalize_;
  Vocabulary vocabulary_;  ///< its keys lie in the texts of the first constructor, which must outlive this
  std::vector<Block> blocks_;
  std::vector<double> squares_;  ///< K(s,s)
};

void spectrum_tile(const SubstringCounts& a, Index a_block, Index m, const SubstringCounts& b, Index b_block, Index n,
                   double* out);

}  // namespace fewdim
