// Names in a source, in its code and in its conditions.
#include "core/cpp/core_parts.h"

#include <algorithm>

#include "core/cpp/words.h"

namespace ts::cpp {
namespace {

class Names {
 public:
  explicit Names(std::string_view text) : code_(words_of(text)), directives_(directive_words_of(text)) {}

  bool in_code(std::string_view name) const { return std::ranges::find(code_, name, &Word::text) != code_.end(); }
  bool in_directives(std::string_view name) const {
    return std::ranges::find(directives_, name, &Word::text) != directives_.end();
  }
  bool has(std::string_view name) const { return in_code(name) || in_directives(name); }
  bool has_one_that(bool (*wanted)(std::string_view)) const { return std::ranges::any_of(code_, wanted, &Word::text); }

  // By the source itself: `constexpr bool NAME = ..`, `#define NAME ..`.
  bool is_declared(std::string_view name) const {
    for (std::size_t i = 1; i + 2 < code_.size(); ++i) {
      const std::string_view before = code_[i - 1].text, behind = code_[i + 1].text;
      if (code_[i].text == name && (is_name(before) || before == ",") && (behind == "{" || behind == "=") &&
          code_[i + 2].text != "=")
        return true;
    }
    for (std::size_t i = 1; i < directives_.size(); ++i)
      if (directives_[i].text == name && directives_[i - 1].text == "define") return true;
    return false;
  }

 private:
  std::vector<Word> code_, directives_;
};

// How an entry is split, by whatever enumeration.
bool says_split(std::string_view word) {
  return word.find("UP_DOWN") != word.npos || word.find("LEFT_RIGHT") != word.npos;
}

}  // namespace

void CoresOfSource::add(const CoresOfSource& other) {
  two_kinds = two_kinds || other.two_kinds;
  second_vector = second_vector || other.second_vector;
  meet = meet || other.meet;
}

CoresOfSource cores_of_source(std::string_view text) {
  const Names names(text);
  CoresOfSource out;
  for (const char* cube : {"__DAV_CUBE__", "__DAV_C220_CUBE__", "__DAV_C310_CUBE__", "DAV_CUBE"})
    out.two_kinds = out.two_kinds || names.has(cube);
  // Entries of a queue that are not split are for the first vector core alone: the second one would wait for ever.
  const bool has_queue = names.in_code("TPipe");
  out.second_vector =
      has_queue ? names.has_one_that(says_split) : names.has("get_subblockid") || names.has("get_subblockdim");
  out.meet = names.has("SYNCALL");
  return out;
}

void set_cores(Program& program, const CoresOfSource& cores) {
  program.meets = cores.meet;
  if (!cores.two_kinds) return;
  const bool both = program.target == Target::A2A3 || cores.second_vector;
  program.cores = {{CoreKind::Cube, 0}, {CoreKind::Vector, 0}};
  if (both) program.cores.push_back({CoreKind::Vector, 0});
}

std::vector<std::string> core_macros(std::string_view text, bool a5, CoreKind kind) {
  const Names names(text);
  const bool two_kinds = kind != CoreKind::Joint, cube = kind == CoreKind::Cube;
  std::vector<std::string> out;
  const auto define = [&](const std::string& name) {
    if (two_kinds || names.has(name)) out.push_back(name);
  };
  define(cube ? "__DAV_CUBE__" : "__DAV_VEC__");
  define(std::string(a5 ? "__DAV_C310_" : "__DAV_C220_") + (cube ? "CUBE__" : "VEC__"));
  // What conditions of the preprocessor ask for is there or not; what code asks for has a value.
  for (const auto& [name, own] : {std::pair{"DAV_VEC", !cube}, {"DAV_CUBE", cube}}) {
    if (!names.has(name) || names.is_declared(name)) continue;
    if (own) out.push_back(std::string(name) + "=1");
    else if (!names.in_directives(name)) out.push_back(std::string(name) + "=0");
  }
  return out;
}

}  // namespace ts::cpp
