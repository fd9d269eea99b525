// What is known of names that are not there.
#include "core/cpp/unknown_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/catalogue/catalogue.h"
#include "core/cpp/header.h"
#include "core/text/near.h"
#include "core/text/ops/op_table.h"

namespace ts::cpp {
namespace {

// What stands between a quote and the next one; compilers write ' or, in other languages, two of their own.
std::string_view quoted(std::string_view text) {
  for (const auto& [open, close] : {std::pair<std::string_view, std::string_view>{"'", "'"}, {"\u2018", "\u2019"}}) {
    const std::size_t begin = text.find(open);
    if (begin == std::string_view::npos) continue;
    const std::string_view rest = text.substr(begin + open.size());
    return rest.substr(0, std::min(rest.find(close), rest.size()));
  }
  return {};
}

// Calls and types of the core's own instructions, which kernels use beside the library or instead of it.
bool is_raw(std::string_view name) {
  constexpr std::string_view kBeginnings[] = {"copy_gm_to_",   "copy_ubuf_to_", "copy_cbuf_to_", "copy_matrix_",
                                              "load_cbuf_to_", "load_gm_to_",   "vector_",       "__VEC_SCOPE__",
                                              "__simd_",       "img2col",       "mad_"};
  if (std::ranges::any_of(kBeginnings, [&](std::string_view one) { return name.starts_with(one); })) return true;
  const text::OpCode code = text::find_op(fmt::format("pto.{}", name));
  return name == "mad" || (code != text::kUnknownOp && text::op_row(code).group == text::OpGroup::Micro);
}

// As the library spells its instructions.
bool is_instruction_name(std::string_view name) {
  return name.size() > 2 && name.front() == 'T' &&
         std::ranges::all_of(name, [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; });
}

std::vector<std::string> near_instructions(std::string_view name) {
  std::vector<std::string_view> known;
  for (const InstructionRow* row : catalogue())
    for (const FormRow& form : row->forms)
      if (form.cpp != nullptr && !row->micro) known.push_back(read_call(form.cpp).name);
  std::ranges::sort(known);
  known.erase(std::unique(known.begin(), known.end()), known.end());
  return text::near_names(name, known);
}

}  // namespace

std::string_view undeclared_name(std::string_view message) {
  constexpr std::string_view kSayings[] = {
      "was not declared in this scope", "undeclared identifier", "is not a member of", "no member named",
      "does not name a type",           "unknown type name"};
  const bool says =
      std::ranges::any_of(kSayings, [&](std::string_view one) { return message.find(one) != std::string_view::npos; });
  return says ? quoted(message) : std::string_view();
}

void explain_unknown(Diagnostic& error) {
  const std::string name(undeclared_name(error.text));
  if (name.empty()) return;
  if (is_raw(name)) {
    error.rule = "E-CPP-RAW";
    error.text = fmt::format("{} is an intrinsic of the core", name);
    error.hint = "a kernel in C++ has tile instructions only; the .pto text form has micro-instructions";
  } else if (is_instruction_name(name)) {
    const std::vector<std::string> near = near_instructions(name);
    error.rule = "E-CPP-NAME";
    error.text = fmt::format("{} is not offered by TileScope's header", name);
    error.hint = near.empty() ? "`tilescope explain` lists the instructions that there are"
                              : fmt::format("did you mean {}?", fmt::join(near, " or "));
  } else if (name.starts_with("acl")) {
    error.rule = "E-CPP-NAME";
    error.text = fmt::format("{} is not emulated", name);
    error.hint = "which calls of a main are: assets/manual/cpp_kernels.md";
  } else {
    error.hint = "a name of the library that TileScope's header does not offer, or a missing #include";
  }
}

}  // namespace ts::cpp
