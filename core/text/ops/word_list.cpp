// The families of words, and looking them up.
#include "core/text/ops/word_list.h"

#include <algorithm>
#include <cctype>

namespace ts::text {
namespace {

using enum Words;

// clang-format off
constexpr WordList kLists[] = {
    {"cmp",            "compare",         "eq ne lt le gt ge", "equal not_equal less_than less_equal greater_than greater_equal"},
    {"wait_cmp",       "compare",         "eq ne lt le gt ge", {}, Open},  // the manual shows ge alone
    {"notify_op",      "notification",    "set atomic_add"},
    {"reduce_op",      "reduction",       "sum max min"},
    {"atomic_type",    "atomic type",     "atomic_none atomic_add"},
    {"st_phase",       "phase",           "unspecified partial final"},
    {"acc_phase",      "phase",           "unspecified partial final", {}, Open},
    {"relu_pre_mode",  "relu",            "no_relu normal_relu"},
    {"sync_all_mode",  "mode",            "hard soft"},
    {"sync_core_type", "kind of cores",   "aiv_only aic_only mix"},
    {"fence_scope",    "scope",           "gm all"},
    {"cached_lines",   "part of a cache", "all single_cache_line"},
};
// clang-format on

bool same_letters(std::string_view a, std::string_view b) {
  const auto lower = [](unsigned char c) { return std::tolower(c); };
  return std::ranges::equal(a, b, {}, lower, lower);
}

bool holds(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const std::string_view first = words.substr(0, words.find(' '));
    if (same_letters(first, word)) return true;
    words.remove_prefix(std::min(words.size(), first.size() + 1));
  }
  return false;
}

}  // namespace

std::span<const WordList> word_lists() { return kLists; }

const WordList* find_word_list(std::string_view family) {
  const auto* found = std::ranges::find(kLists, family, &WordList::family);
  return found == std::end(kLists) ? nullptr : found;
}

bool knows_word(const WordList& list, std::string_view word) {
  return holds(list.words, word) || holds(list.other, word);
}

}  // namespace ts::text
