// Reading and writing which cores are meant.
#include "core/debug/session/core_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/text/count.h"

namespace ts {
namespace {

// "AIV0": of a core, whatever its block.
std::string short_name(const Program& program, std::size_t in_block) {
  const std::string whole = name_of_core(program, static_cast<CoreId>(in_block));
  const std::size_t blank = whole.rfind(' ');
  return blank == std::string::npos ? whole : whole.substr(blank + 1);
}

bool same_word(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

bool take_word(std::string_view& text, std::string_view word) {
  if (text.size() < word.size() || !same_word(text.substr(0, word.size()), word)) return false;
  text.remove_prefix(word.size());
  while (text.starts_with(' ')) text.remove_prefix(1);
  return true;
}

Refusal no_block(const Program& program, std::string_view word, std::string_view text) {
  return {fmt::format("there is no {} {}", word, text), program.blocks == 1
                                                            ? "the program ran on core 0 alone"
                                                            : fmt::format("they are 0 to {}", program.blocks - 1)};
}

// Where blocks run one after the other, each is a core.
std::variant<CoreChoice, Refusal> read_block(std::string_view word, std::string_view text, const Program& program) {
  const auto number = text::whole_count(text);
  if (!number) return Refusal{fmt::format("'{}' is no {}", text, word), fmt::format("a number, as in {}:0", word)};
  if (*number >= program.blocks) return no_block(program, word, text);
  return CoreChoice{.block = *number};
}

Refusal no_core(const Program& program, std::string_view text) {
  std::vector<std::string> names;
  for (std::size_t core = 0; core < program.cores.size(); ++core) names.push_back(short_name(program, core));
  std::string hint = fmt::format("they are {}", fmt::join(names, ", "));
  if (program.blocks > 1)
    hint += fmt::format("; 1.{} is that of block 1, and blocks are 0 to {}", names.back(), program.blocks - 1);
  return {fmt::format("there is no core '{}'", text), hint};
}

// "AIV0", "1.AIV0", "block 1" or a number.
std::variant<CoreChoice, Refusal> read_named(std::string_view text, const Program& program) {
  std::string_view rest = text;
  if (const auto number = text::whole_count(text)) {
    if (*number >= program.cores_at_once()) return no_core(program, text);
    const auto cores = static_cast<std::uint32_t>(program.cores.size());
    return CoreChoice{.block = *number / cores, .in_block = *number % cores};
  }
  CoreChoice choice;
  const std::size_t dot = text.find('.');
  if (dot != std::string_view::npos || take_word(rest, "block")) {
    const std::size_t end = dot != std::string_view::npos ? dot : rest.find(' ');
    choice.block = text::whole_count(rest.substr(0, end));
    if (!choice.block || *choice.block >= program.blocks) return no_core(program, text);
    rest = end == std::string_view::npos ? "" : rest.substr(end + 1);
    if (rest.empty() && dot == std::string_view::npos) return choice;
  }
  for (std::uint32_t core = 0; core < program.cores.size(); ++core)
    if (same_word(rest, short_name(program, core))) choice.in_block = core;
  if (!choice.in_block) return no_core(program, text);
  return choice;
}

std::string text_of(const CoreChoice& choice, const Program& program) {
  if (!program.together()) return fmt::format("core {}", choice.block.value_or(0));
  if (!choice.in_block) return fmt::format("block {}", choice.block.value_or(0));
  const std::string core = short_name(program, *choice.in_block);
  return choice.block && program.blocks > 1 ? fmt::format("{}.{}", *choice.block, core) : core;
}

}  // namespace

bool CoreChoice::holds(const Recording& recording, std::uint32_t step) const {
  if (block && *block != recording.step(step).block) return false;
  return !in_block || recording.bound(step).core % recording.program().cores.size() == *in_block;
}

std::variant<CoreChoice, Refusal> read_core(std::string_view text, const Recording& recording) {
  const Program& program = recording.program();
  std::string_view rest = text;
  std::variant<CoreChoice, Refusal> read;
  if (program.together()) {
    read = read_named(text, program);
  } else {
    const char* word = take_word(rest, "block") ? "block" : "core";
    take_word(rest, "core");
    read = read_block(word, rest, program);
  }
  if (auto* choice = std::get_if<CoreChoice>(&read)) choice->text = text_of(*choice, program);
  return read;
}

}  // namespace ts
