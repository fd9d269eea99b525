// Writing of the header.
#include "core/cpp/header.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/catalogue/catalogue.h"
#include "core/cpp/options.h"

namespace ts::cpp {
namespace {

// Their arguments are not those of an instruction (assets/cpp/tilescope/special.h).
bool is_written_by_hand(std::string_view name) {
  return name == "TIMG2COL" || name == "TASSIGN" || name == "TRESHAPE" || name == "TPUSH" || name == "TPOP" ||
         name == "TFREE";
}

// Behind its own arguments a call may have the events that it waits for.
constexpr std::size_t kMostEvents = 4;

struct Function {
  std::size_t fewest = 100, most = 0;
  bool options = false;
  int pipe = 0;
};

// The number that kernels know a pipe by.
int pipe_number(Pipe pipe) {
  switch (pipe) {
    case Pipe::V: return 1;
    case Pipe::Mte1: return 2;
    case Pipe::Mte2: return 3;
    case Pipe::Mte3: return 4;
    case Pipe::M: return 5;
    case Pipe::Fix: return 7;
    default: return 0;
  }
}

std::map<std::string, Function> all_functions() {
  std::map<std::string, Function> out;
  for (const InstructionRow* row : catalogue())
    for (const FormRow& form : row->forms) {
      if (row->micro || form.cpp == nullptr || form.cpp[0] != 'T') continue;
      const CppCall call = read_call(form.cpp);
      if (call.name.empty()) continue;
      Function& function = out[std::string(call.name)];
      std::size_t required = 0;
      for (const std::string_view argument : call.arguments) {
        const auto spec = std::ranges::find(form.operands, argument, &OperandSpec::name);
        if (spec != form.operands.end() && !spec->optional) ++required;
      }
      function.fewest = std::min(function.fewest, std::max<std::size_t>(required, 1));
      // An array of numbers is one argument, and there may be one more for what rows know as an option.
      function.most = std::max(function.most, call.arguments.size());
      function.options = function.options || !row->attributes.empty();
      function.pipe = pipe_number(row->pipe);
    }
  return out;
}

std::string listed(std::size_t count, std::string_view one) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) {
    out += i == 0 ? "" : ", ";
    out += fmt::format(fmt::runtime(one), i);
  }
  return out;
}

}  // namespace

CppCall read_call(std::string_view call) {
  CppCall out;
  const std::size_t open = call.find('('), close = call.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos) return out;
  out.name = call.substr(0, call.find_first_of("<("));
  std::string_view left = call.substr(open + 1, close - open - 1);
  while (!left.empty()) {
    const std::size_t comma = left.find(',');
    std::string_view one = left.substr(0, comma);
    while (one.starts_with(' ') || one.starts_with('&')) one.remove_prefix(1);
    out.arguments.push_back(one);
    left.remove_prefix(comma == std::string_view::npos ? left.size() : comma + 1);
  }
  return out;
}

std::string options_header() {
  std::string out =
      "// Made of the catalogue. The options of instructions, and the instructions' pipes for events.\n#pragma once\n\n"
      "namespace pto {\n\n";
  for (const OptionKind& kind : option_kinds()) {
    std::string words(kind.words);
    for (std::size_t at = 0; (at = words.find('|', at)) != std::string::npos;) words.replace(at, 1, ", ");
    out += fmt::format("enum class {} {{ {} }};\n", kind.name, words);
  }
  const std::map<std::string, Function> functions = all_functions();
  out += "enum class Op { NONE";
  for (const auto& [name, unused] : functions) out += ", " + name;
  out += " };\n\n}  // namespace pto\n\nnamespace tilescope {\n\n";
  std::size_t number = 0;
  for (const OptionKind& kind : option_kinds())
    out += fmt::format("template <> struct OptionOf<pto::{}> {{ static constexpr std::uint8_t value = {}; }};\n",
                       kind.name, ++number);
  out += "constexpr int kPipes[] = {0";
  for (const auto& [unused, function] : functions) out += fmt::format(", {}", function.pipe);
  out +=
      "};\nconstexpr int pipe_of(pto::Op op) { return kPipes[static_cast<int>(op)]; }\n\n}  // namespace tilescope\n";
  return out;
}

std::string instructions_header() {
  std::string out = "// Made of the catalogue: a function for each instruction.\n#pragma once\n\n";
  std::string body;
  std::set<std::pair<std::size_t, bool>> shapes;
  for (const auto& [name, function] : all_functions()) {
    if (is_written_by_hand(name)) continue;
    for (std::size_t count = function.fewest; count <= function.most + kMostEvents; ++count) {
      shapes.insert({count, function.options});
      body += fmt::format("TS_{}{}({})\n", count, function.options ? "_OPTIONS" : "", name);
    }
  }
  for (const auto& [count, options] : shapes)
    out +=
        fmt::format("#define TS_{0}{1}(NAME) TS_CALL{1}(NAME, ({2}), ({3}), ({4}))\n", count, options ? "_OPTIONS" : "",
                    listed(count, "class A{0}"), listed(count, "const A{0}& a{0}"), listed(count, "a{0}"));
  return out + "\nnamespace pto {\n\n" + body + "\n}  // namespace pto\n";
}

}  // namespace ts::cpp
