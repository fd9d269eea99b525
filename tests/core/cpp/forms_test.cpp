// Every form of every instruction, called from C++ in each way that kernels call: what arrives is what was written. The
// calls are made of the catalogue, and nothing of them is executed.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "core/catalogue/catalogue.h"
#include "core/cpp/build.h"
#include "core/cpp/call.h"
#include "core/cpp/header.h"
#include "core/cpp/live/child.h"
#include "core/cpp/live/source.h"
#include "core/cpp/options.h"
#include "core/cpp/process.h"
#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"

namespace ts::test {
namespace {

namespace border = ts_border;
using Kind = border::OperandKind;

// An argument of a form's call: how it is written, and what arrives.
struct Argument {
  std::string written;
  Kind kind = Kind::Tile;
  std::uint64_t bits = 0;
  std::uint8_t option = 0;
};
struct FormCall {
  const InstructionRow* row;
  std::string name;
  std::vector<Argument> arguments;
};

// The option that an argument is; nothing: it is a flag, or a number.
std::optional<Argument> option_of(const InstructionRow& row, std::string_view name) {
  for (std::size_t kind = 0; kind < cpp::option_kinds().size(); ++kind) {
    const cpp::OptionKind& one = cpp::option_kinds()[kind];
    if (one.attributes != name) continue;
    for (std::uint64_t value = 3; value-- > 0;)
      if (cpp::attribute_of(row, static_cast<std::uint8_t>(kind + 1), value))
        return Argument{fmt::format("{}::{}", one.name, cpp::word_of(static_cast<std::uint8_t>(kind + 1), value)),
                        Kind::Option, value, static_cast<std::uint8_t>(kind + 1)};
  }
  return {};
}

// Names that a form's call has for what its row has as numbers.
bool is_number_name(std::string_view name) {
  constexpr std::string_view kNames[] = {"indexRow", "indexCol", "preQuantScalar", "blockLen"};
  return std::ranges::find(kNames, name) != std::end(kNames);
}

// Tiles and views are variables of the kernel, told apart by where they stand.
class ArgumentWriter {
 public:
  Argument write(const InstructionRow& row, const FormRow& form, std::string_view name) {
    if (auto option = option_of(row, name)) return *option;
    const auto spec = std::ranges::find(form.operands, name, &OperandSpec::name);
    const bool is_attribute =
        std::ranges::any_of(row.attributes, [&](const AttributeSpec& one) { return one.name == name; });
    if (spec == form.operands.end() && is_attribute) return {"1", Kind::Integer, 1};
    const bool number = is_number_name(name) || (spec != form.operands.end() && spec->kind == OperandKind::Scalar);
    if (number) {
      ++numbers_;
      return {fmt::format("n{}", numbers_), Kind::Integer, 10u + numbers_};
    }
    if (spec != form.operands.end() && spec->kind == OperandKind::Global) {
      ++views_;
      return {fmt::format("g{}", views_), Kind::View, border::kGlobalBase + 1024 * views_};
    }
    ++tiles_;
    return {fmt::format("t{}", tiles_), Kind::Tile, 0x1000u * tiles_};
  }

 private:
  unsigned numbers_ = 0, views_ = 0, tiles_ = 0;
};

// Those whose arguments are those of their call.
bool is_table_form(const FormRow& form) {
  constexpr std::string_view kOthers[] = {"TASSIGN", "TRESHAPE", "TIMG2COL", "TPUSH", "TPOP", "TFREE"};
  if (form.cpp == nullptr || form.cpp[0] != 'T') return false;
  const std::string_view call = form.cpp;
  return call.find('&') == std::string_view::npos && call.find("executed") == std::string_view::npos &&
         std::ranges::find(kOthers, cpp::read_call(call).name) == std::end(kOthers);
}

std::vector<FormCall> all_calls() {
  std::vector<FormCall> out;
  for (const InstructionRow* row : catalogue())
    for (const FormRow& form : row->forms) {
      if (row->micro || !is_table_form(form)) continue;
      const cpp::CppCall read = cpp::read_call(form.cpp);
      FormCall call{row, std::string(read.name), {}};
      ArgumentWriter writer;
      for (const std::string_view name : read.arguments) call.arguments.push_back(writer.write(*row, form, name));
      out.push_back(std::move(call));
    }
  return out;
}

std::string listed(const FormCall& call, const char* first = nullptr) {
  std::vector<std::string> words;
  for (const Argument& one : call.arguments) words.push_back(one.written);
  if (first != nullptr) words.front() = first;
  return fmt::format("{}", fmt::join(words, ", "));
}

// The ways to write a call; each is one line.
constexpr int kWays = 7;
std::string written(const FormCall& call, int way) {
  const std::string plain = listed(call);
  switch (way) {
    case 0: return fmt::format("{}({});", call.name, plain);
    case 1: return fmt::format("pto::{}({}, event);", call.name, plain);
    case 2: return fmt::format("[&] {{ {}({}, event, event); }}();", call.name, plain);
    case 3: return fmt::format("CALL({}, {});", call.name, plain);
    case 4: return fmt::format("with(t1, [&](auto& first) {{ {}({}); }});", call.name, listed(call, "first"));
    case 5: {
      std::vector<std::string> types;
      for (const Argument& one : call.arguments)
        types.push_back(fmt::format("std::decay_t<decltype({})>", one.written));
      return fmt::format("{}<{}>({});", call.name, fmt::join(types, ", "), plain);
    }
    default: return fmt::format("other = {}({});", call.name, plain);
  }
}

constexpr const char* kBegin = R"(#include <pto/pto-inst.hpp>
using namespace pto;
#define CALL(NAME, ...) NAME(__VA_ARGS__)
template <class T, class F> void with(T& first, F call) { call(first); }
using V = Tile<TileType::Vec, float, 8, 8>;
using G = GlobalTensor<float, Shape<1, 1, 1, 8, 8>, Stride<64, 64, 64, 8, 1>>;
extern "C" void forms(int) {
  V t1, t2, t3, t4, t5, t6, t7, t8;
  int number = 0;
  for (V* tile : {&t1, &t2, &t3, &t4, &t5, &t6, &t7, &t8}) TASSIGN(*tile, 0x1000 * ++number);
  const int n1 = 11, n2 = 12, n3 = 13, n4 = 14, n5 = 15, n6 = 16;
  G g1((float*)0x200000000400), g2((float*)0x200000000800);
  Event<Op::TLOAD, Op::TADD> event;
  Event<Op::TADD, Op::TSTORE_FP> other;
)";

struct Arrived {
  cpp::Site site;
  std::vector<border::Operand> operands;
};

std::vector<Arrived> run_calls(const std::string& program) {
  Program empty;
  const cpp::Launch launch = cpp::launch_of(empty, 0);
  cpp::SharedFile file;
  cpp::Child child;
  std::vector<Arrived> out;
  if (!file.make(launch, 1).empty() || !child.start(program, launch, file, cpp::whole_launch(launch)).empty())
    return out;
  std::vector<cpp::Site> sites = {{}};
  cpp::ChildRecord record;
  while (child.next(record, {}) == cpp::Child::State::Record && record.head.kind != border::RecordKind::Done) {
    if (record.head.kind == border::RecordKind::Site && !cpp::read_site(record, sites.emplace_back())) return out;
    if (record.head.kind == border::RecordKind::Call && record.head.site < sites.size()) {
      const auto operands = record.operands();
      out.push_back({sites[record.head.site], {operands.begin(), operands.end()}});
    }
    child.done();
  }
  return out;
}

void check_arguments(const FormCall& call, const Arrived& arrived) {
  REQUIRE(arrived.operands.size() == call.arguments.size());
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const Argument& wanted = call.arguments[i];
    const border::Operand& got = arrived.operands[i];
    CAPTURE(i);
    CHECK(got.kind == wanted.kind);
    CHECK(got.bits == wanted.bits);
    if (wanted.kind == Kind::Option) CHECK(got.option == wanted.option);
  }
}

// It is an instruction of that name, which has each argument where its own call names it.
void check_meaning(const FormCall& call, const Arrived& arrived) {
  const cpp::CallResult result = cpp::understand(call.name, arrived.operands, Target::A5, {});
  REQUIRE_MESSAGE(result.call, result.problem.text);
  const char* its = result.call->row->forms[result.call->form].cpp;
  REQUIRE(its != nullptr);
  const cpp::CppCall form = cpp::read_call(its);
  CHECK(form.name == call.name);
  for (const cpp::CallOperand& one : result.call->operands) {
    const auto named = std::ranges::find(form.arguments, one.operand.spec->name);
    if (named == form.arguments.end() || result.call->operands.size() != form.arguments.size()) continue;
    CHECK(one.argument == static_cast<std::size_t>(named - form.arguments.begin()));
  }
  for (const Argument& one : call.arguments) {
    if (one.kind != Kind::Option) continue;
    const auto value = cpp::attribute_of(*result.call->row, one.option, one.bits);
    REQUIRE(value);
    CHECK(result.call->attributes[value->attribute] == value->value);
  }
}

void check_all(const std::string& standard, const std::string& compiler) {
  const std::vector<FormCall> calls = all_calls();
  REQUIRE(calls.size() > 120);
  TempFolder folder;
  const std::string path = folder.path() + "/forms.cpp";
  std::string text = kBegin;
  std::uint32_t line = static_cast<std::uint32_t>(std::ranges::count(text, '\n')) + 1;
  std::map<std::uint32_t, std::pair<const FormCall*, int>> by_line;
  for (const FormCall& call : calls)
    for (int way = 0; way < kWays; ++way) {
      // A view is no tile, and a lambda with another first argument would be another call.
      if (way == 4 && call.arguments.front().written != "t1") continue;
      text += "  " + written(call, way) + "\n";
      by_line[line++] = {&call, way};
    }
  put_text(path, text + "}\n");
  cpp::BuildRequest request{.compiler = compiler, .standard = standard};
  const cpp::Built built = cpp::build_kernel({path}, {"forms"}, Target::A5, CoreKind::Joint, request);
  for (const Diagnostic& one : built.errors) CHECK_MESSAGE(false, one.format());
  REQUIRE_FALSE(built.program.empty());

  std::map<std::uint32_t, int> waited;
  std::set<std::uint32_t> seen;
  for (const Arrived& one : run_calls(built.program)) {
    const auto found = by_line.find(one.site.line);
    if (found == by_line.end()) continue;
    const auto& call = found->second.first;
    const auto& way = found->second.second;
    if (one.site.op == "wait_flag") ++waited[one.site.line];
    if (one.site.op != call->name) continue;
    CAPTURE(written(*call, way));
    seen.insert(one.site.line);
    check_arguments(*call, one);
    check_meaning(*call, one);
  }
  for (const auto& one : by_line) {
    const std::uint32_t at = one.first;
    const auto& call = one.second;
    CAPTURE(written(*call.first, call.second));
    CHECK(seen.contains(at));
    CHECK(waited[at] == (call.second == 1 ? 1 : call.second == 2 ? 2 : 0));
  }
}

}  // namespace

TEST_CASE("cpp forms: each, with 0 to 2 events, qualified, in lambdas, helpers and macros, with its types spelled") {
  check_all("c++20", "");
}

TEST_CASE("cpp forms: in C++17, and in C++23 by clang where there is one") {
  check_all("c++17", "");
  if (!cpp::find_program("clang++").empty()) check_all("c++2b", "clang++");
}

}  // namespace ts::test
