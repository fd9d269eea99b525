// Names of clauses and words that the operations' own forms write and the generic form leaves out.
#include <algorithm>
#include <cassert>
#include <iterator>

#include "core/text/tree.h"

namespace ts::text {
namespace {

constexpr std::string_view kWords[] = {"ins",
                                       "outs",
                                       "iter_args",
                                       "unsigned",
                                       "addr",
                                       "valid_row",
                                       "valid_col",
                                       "shape",
                                       "strides",
                                       "offsets",
                                       "sizes",
                                       "valid",
                                       "pad_mode",
                                       "pad_value",
                                       "eq",
                                       "ne",
                                       "left_padding_num",
                                       "right_padding_num",
                                       "init_condition",
                                       "slt",
                                       "sle",
                                       "sgt",
                                       "sge",
                                       "ult",
                                       "ule",
                                       "ugt",
                                       "uge",
                                       "false",
                                       "oeq",
                                       "ogt",
                                       "oge",
                                       "olt",
                                       "ole",
                                       "one",
                                       "ord",
                                       "ueq",
                                       "une",
                                       "uno",
                                       "true",
                                       "gm_slot_buffer",
                                       "gm_slot_tensor",
                                       "c2v_consumer_buf",
                                       "v2c_consumer_buf",
                                       "buf",
                                       "recv",
                                       "group"};

}  // namespace

std::string_view implied_word(std::uint32_t number) { return kWords[number]; }

std::uint32_t find_implied_word(std::string_view word) {
  const auto* found = std::ranges::find(kWords, word);
  assert(found != std::end(kWords) && "a word that the generic form does not imply");
  return static_cast<std::uint32_t>(found - std::begin(kWords));
}

}  // namespace ts::text
