// Matching of arguments and operands.
#include "core/cpp/call.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "core/catalogue/beside.h"
#include "core/catalogue/catalogue.h"
#include "core/compile/tiles.h"
#include "core/cpp/header.h"
#include "core/cpp/options.h"
#include "core/program/sync.h"

namespace ts::cpp {
namespace {

namespace border = ts_border;
using Kind = border::OperandKind;

// Words of C++ calls that rows know by another name.
constexpr std::pair<std::string_view, std::string_view> kOtherNames[] = {
    {"indexRow", "row"},       {"indexCol", "col"}, {"preQuantScalar", "factor"},
    {"blockLen", "block_len"}, {"posM", "pos_m"},   {"posK", "pos_k"}};

std::string_view name_in_row(std::string_view argument) {
  for (const auto& [cpp, row] : kOtherNames)
    if (argument == cpp) return row;
  return argument;
}

bool is_number(Kind kind) { return kind == Kind::Integer || kind == Kind::Number; }

bool fits(OperandKind wanted, Kind given) {
  switch (wanted) {
    case OperandKind::Tile: return given == Kind::Tile;
    case OperandKind::Global: return given == Kind::View;
    case OperandKind::Scalar: return is_number(given);
  }
  return false;
}

// One argument of a form's C++ call: an operand, or a value that rows know as an attribute.
struct Parameter {
  const OperandSpec* spec = nullptr;
  std::size_t attribute = 0;  // where there is no spec
  bool optional = false;
};

std::optional<std::vector<Parameter>> parameters_of(const InstructionRow& row, const FormRow& form) {
  std::vector<Parameter> out;
  std::vector<const OperandSpec*> left;
  for (const OperandSpec& spec : form.operands) left.push_back(&spec);
  const auto take = [&](const OperandSpec* spec) {
    std::erase(left, spec);
    out.push_back({spec, 0, spec->optional || spec->by_attribute});
  };
  const CppCall call = read_call(form.cpp);
  std::vector<std::size_t> unnamed;
  for (const std::string_view argument : call.arguments) {
    const std::string_view name = name_in_row(argument);
    const auto spec = std::ranges::find(left, name, [](const OperandSpec* one) { return one->name; });
    const auto attribute =
        std::ranges::find(row.attributes, name, [](const AttributeSpec& one) { return std::string_view(one.name); });
    if (spec != left.end()) take(*spec);
    else if (attribute != row.attributes.end())
      out.push_back({nullptr, static_cast<std::size_t>(attribute - row.attributes.begin()), true});
    else {
      unnamed.push_back(out.size());
      out.push_back({});
    }
  }
  // What both call differently: in their order.
  for (const std::size_t at : unnamed) {
    if (left.empty()) return {};
    out[at] = {left.front(), 0, left.front()->optional};
    left.erase(left.begin());
  }
  // What tiles of C++ know of themselves comes behind the arguments.
  for (const OperandSpec* spec : left)
    if (spec->by_attribute) out.push_back({spec, 0, true});
  return out;
}

// By parameter the argument that it gets; -1: none.
using Dealt = std::vector<int>;

bool takes(const Parameter& parameter, const border::Operand& given) {
  if (parameter.spec != nullptr) return fits(parameter.spec->kind, given.kind);
  return given.kind == Kind::Option || given.kind == Kind::Integer;
}

bool deal(std::span<const Parameter> parameters, std::span<const border::Operand> given,
          std::span<const std::size_t> arguments, Dealt& out) {
  if (parameters.empty()) return arguments.empty();
  if (!arguments.empty() && takes(parameters.front(), given[arguments.front()])) {
    out.push_back(static_cast<int>(arguments.front()));
    if (deal(parameters.subspan(1), given, arguments.subspan(1), out)) return true;
    out.pop_back();
  }
  if (!parameters.front().optional) return false;
  out.push_back(-1);
  if (deal(parameters.subspan(1), given, arguments, out)) return true;
  out.pop_back();
  return false;
}

Scalar scalar_from(const border::Operand& given, DType type) {
  if (given.kind == Kind::Number) {
    double value = 0;
    std::memcpy(&value, &given.bits, sizeof value);
    return {type, from_double(type, value)};
  }
  if (is_float(type)) return {type, from_double(type, static_cast<double>(static_cast<std::int64_t>(given.bits)))};
  const std::uint32_t bits = size_bits(type);
  return {type, bits == 64 ? given.bits : given.bits & ((std::uint64_t{1} << bits) - 1)};
}

DType type_of_scalar(const InstructionRow& row, const OperandSpec& spec, const std::vector<CallOperand>& operands) {
  if (spec.role == Role::Address) return DType::I64;
  if (spec.name == "factor") return DType::I64;
  if (spec.name == "scale") return DType::F32;
  if (is_count(spec.name)) return DType::I64;
  if (spec.by_attribute) return DType::I32;
  if (spec.name.starts_with("key") || spec.name.starts_with("counter")) return DType::U32;
  for (const CallOperand& one : operands)
    if (one.operand.spec->name == row.typed_by)
      return one.operand.spec->kind == OperandKind::Global ? one.operand.global.dtype : one.operand.tile.type.dtype;
  return DType::I32;
}

std::optional<CallOperand> operand_of(const OperandSpec& spec, const border::Operand& given, std::size_t argument,
                                      Target target, const Options& options) {
  CallOperand out;
  out.operand.spec = &spec;
  out.argument = argument;
  if (spec.kind == OperandKind::Tile) {
    const auto type = tile_type(given, target, options);
    if (!type) return {};
    out.operand.tile.type = *type;
    out.operand.tile.address = static_cast<std::uint32_t>(given.bits);
    const auto size = [](std::int64_t value) {
      return static_cast<std::uint32_t>(std::clamp<std::int64_t>(value, 0, 0xFFFFFFFF));
    };
    out.operand.tile.valid_rows = size(given.valid_rows);
    out.operand.tile.valid_cols = size(given.valid_cols);
  }
  if (spec.kind == OperandKind::Global) {
    if (given.type >= border::Type::None || given.layout >= std::size(kGlobalLayouts)) return {};
    out.pointer = given.bits;
    std::copy_n(given.shape, out.shape.size(), out.shape.begin());
    std::ranges::copy(given.stride, out.stride.begin());
    out.operand.global.dtype = static_cast<DType>(given.type);
    out.operand.global.layout = kGlobalLayouts[given.layout];
  }
  return out;
}

// A form by the name that C++ calls it.
struct Callable {
  const InstructionRow* row;
  std::size_t form;
  std::vector<Parameter> parameters;
};

const std::vector<Callable>* find_callables(std::string_view op) {
  static const auto all = [] {
    std::map<std::string, std::vector<Callable>, std::less<>> by_name;
    for (const InstructionRow* row : catalogue())
      for (std::size_t form = 0; form < row->forms.size() && !row->micro; ++form)
        if (const char* cpp = row->forms[form].cpp; cpp != nullptr)
          if (auto parameters = parameters_of(*row, row->forms[form]))
            by_name[std::string(read_call(cpp).name)].push_back({row, form, *std::move(parameters)});
    return by_name;
  }();
  const auto found = all.find(op);
  return found == all.end() ? nullptr : &found->second;
}

// Options of the template. One that the row has not is all right where it says what happens anyway.
bool set_options(Call& call, std::span<const border::Operand> given, CallProblem& problem) {
  for (const border::Operand& one : given) {
    if (one.kind != Kind::Option) continue;
    const auto value = attribute_of(*call.row, one.option, one.bits);
    if (value) {
      call.attributes[value->attribute] = value->value;
      continue;
    }
    if (one.option != 0) {
      if (one.bits == 0) continue;
      problem = {"E-EMULATE",
                 fmt::format("{}: {}::{} is not emulated", call.row->name, option_kinds()[one.option - 1].name,
                             word_of(one.option, one.bits)),
                 ""};
      return false;
    }
    // A plain number: the first attribute that has this value.
    const std::string word = std::to_string(one.bits);
    for (std::size_t i = 0; i < call.row->attributes.size(); ++i)
      if (const auto number = attribute_number(call.row->attributes[i], word)) call.attributes[i] = *number;
  }
  return true;
}

std::string shown(std::span<const border::Operand> given) {
  std::string out;
  for (const border::Operand& one : given) {
    constexpr const char* kWords[] = {"tile", "global tensor", "integer", "number", "option", "pointer"};
    out += fmt::format("{}{}", out.empty() ? "" : ", ", kWords[static_cast<std::size_t>(one.kind)]);
  }
  return out;
}

CallResult failed(std::string rule, std::string text, std::string hint) {
  return {{}, {std::move(rule), std::move(text), std::move(hint)}};
}

// --- what is no tile instruction ---

// By the numbers that kernels know pipes by.
constexpr const char* kPipeWords[] = {"PIPE_S",    "PIPE_V", "PIPE_MTE1", "PIPE_MTE2",
                                      "PIPE_MTE3", "PIPE_M", "PIPE_ALL",  "PIPE_FIX"};

CallResult understand_order(const InstructionRow& row, std::span<const border::Operand> given) {
  Call call{.row = &row, .operands = {}, .attributes = std::vector<std::uint8_t>(row.attributes.size())};
  for (std::size_t i = 0; i < row.attributes.size(); ++i) {
    const bool event = row.attributes[i].name == std::string_view("event");
    const std::uint64_t number = i < given.size() ? given[i].bits : 0;
    if (event ? number > 7 : number >= std::size(kPipeWords))
      return failed("E-CPP-ARG", fmt::format("{}: there is no {} {}", row.name, event ? "event" : "pipe", number), "");
    const int value = event ? static_cast<int>(number) : sync_value(row.attributes[i], kPipeWords[number]);
    call.attributes[i] = static_cast<std::uint8_t>(value);
  }
  return {std::move(call), {}};
}

// A flag of another core: on a2a3 a message says which and for whom, on a5 its number does.
CallResult understand_core_flag(std::string_view op, std::span<const border::Operand> given, Target target) {
  constexpr std::uint64_t kMostFlags = 32;
  const bool sets = op == "ffts_cross_core_sync" || op == "set_intra_block", a5 = target == Target::A5;
  const bool of_a5 = op == "set_intra_block" || op == "wait_intra_block";
  if (of_a5 != a5)
    return failed("E-CPP-ARG", fmt::format("{} is an operation of {}", op, of_a5 ? "a5" : "a2a3"),
                  fmt::format("on {} it is {}", name(target),
                              a5 ? (sets ? "set_intra_block" : "wait_intra_block")
                                 : (sets ? "ffts_cross_core_sync" : "wait_flag_dev")));
  const InstructionRow& row = sets ? kSetCoreFlag : kWaitCoreFlag;
  const std::uint64_t pipe = given.size() < 2 ? std::size(kPipeWords) : given[0].bits,
                      message = given.size() < 2 ? 0 : given[1].bits;
  const bool is_message = sets && !a5;
  const std::uint64_t flag = is_message ? message >> 8 & 15 : message, mode = is_message ? message >> 4 & 3 : 2;
  if (pipe >= std::size(kPipeWords) || flag >= kMostFlags || mode > 2)
    return failed("E-CPP-ARG", fmt::format("{}: there is no flag or pipe of this number", op),
                  "flags are 0 to 15, and 16 to 31 for the second vector core of a5");
  Call call{.row = &row, .operands = {}, .attributes = std::vector<std::uint8_t>(row.attributes.size())};
  call.attributes[0] = static_cast<std::uint8_t>(sync_value(row.attributes[0], kPipeWords[pipe]));
  if (sets) call.attributes[kFlagMode] = static_cast<std::uint8_t>(mode);
  call.attributes.back() = static_cast<std::uint8_t>(flag);
  return {std::move(call), {}};
}

// How it is done, which cores, how many of them.
CallResult understand_meeting(std::span<const border::Operand> given) {
  if (given.size() != 3 || given[0].bits > 1 || given[1].bits > 2)
    return failed("E-CPP-ARG", "SYNCALL: there are no such cores", "AIVOnly, AICOnly or Mix");
  Call call{.row = &kMeet, .operands = {}, .attributes = {}};
  for (const std::size_t i : {0, 1}) call.attributes.push_back(static_cast<std::uint8_t>(given[i].bits));
  if (given[2].bits != 0) {
    CallOperand cores;
    cores.operand.spec = &kCoresOperand;
    cores.operand.scalar = scalar_from(given[2], DType::I32);
    call.operands.push_back(std::move(cores));
  }
  return {std::move(call), {}};
}

bool is_core_flag(std::string_view op) {
  return op == "ffts_cross_core_sync" || op == "wait_flag_dev" || op == "set_intra_block" || op == "wait_intra_block";
}

// Tile, place in its storage, value.
CallResult understand_set(std::span<const border::Operand> given, Target target, const Options& options) {
  const InstructionRow* row = find_beside("tsetval");
  if (row == nullptr || given.size() != 3) return failed("E-CPP-ARG", "SetValue takes a place and a value", "");
  Call call{.row = row, .operands = {}, .attributes = std::vector<std::uint8_t>(row->attributes.size())};
  for (const OperandSpec& spec : row->forms.front().operands) {
    const std::size_t argument = spec.kind == OperandKind::Tile ? 0 : spec.name == "offset" ? 1 : 2;
    auto operand = operand_of(spec, given[argument], argument, target, options);
    if (!operand) return failed("E-CPP-ARG", "SetValue: no tile that there can be", "");
    if (argument == 1) operand->operand.scalar = scalar_from(given[1], DType::I64);
    if (argument == 2) operand->operand.scalar = scalar_from(given[2], static_cast<DType>(given[0].type));
    call.operands.push_back(*std::move(operand));
  }
  return {std::move(call), {}};
}

const InstructionRow* order_row(std::string_view op) {
  if (op == "set_flag") return &kSetFlag;
  if (op == "wait_flag") return &kWaitFlag;
  return op == "pipe_barrier" ? &kBarrier : nullptr;
}

}  // namespace

namespace {

// The numbers of the library's layouts are those of views.
std::optional<TileType> conv_type(const border::Operand& given, TileLoc loc) {
  constexpr std::int64_t kMost = 1 << 20;
  const auto layout = std::ranges::find_if(kConvLayouts, [&](ConvLayout one) {
    return given.conv < std::size(kGlobalLayouts) && std::string_view(name(one)) == name(kGlobalLayouts[given.conv]);
  });
  if (loc != TileLoc::Mat || layout == std::end(kConvLayouts)) return {};
  std::vector<std::uint32_t> dims;
  std::uint64_t elements = 1;
  for (const std::int64_t dim : given.shape) {
    if (dim == 0) break;
    if (dim < 0 || dim > kMost || (elements *= static_cast<std::uint64_t>(dim)) > 0x7FFFFFFF) return {};
    dims.push_back(static_cast<std::uint32_t>(dim));
  }
  if (dims.empty()) return {};
  return conv_tile(static_cast<DType>(given.type), *layout, dims);
}

}  // namespace

bool is_count(std::string_view name) {
  constexpr std::string_view kCounts[] = {"row",   "col",       "row1",   "col1",    "pos_m",
                                          "pos_k", "block_len", "offset", "diagonal"};
  return std::ranges::find(kCounts, name) != std::end(kCounts);
}

std::optional<TileType> tile_type(const border::Operand& given, Target target, const Options& options) {
  constexpr TileLoc kLocs[] = {TileLoc::Vec, TileLoc::Mat,  TileLoc::Left,   TileLoc::Right,
                               TileLoc::Acc, TileLoc::Bias, TileLoc::Scaling};
  constexpr std::uint32_t kMost = 1 << 20;
  const auto loc = static_cast<std::size_t>(given.loc);
  const bool sane = given.kind == Kind::Tile && given.type < border::Type::None && loc < std::size(kLocs) &&
                    given.rows >= 1 && given.cols >= 1 && given.rows <= kMost && given.cols <= kMost &&
                    given.blayout <= 1 && given.slayout <= 2 && given.pad <= 3 && given.fractal <= 4096 &&
                    given.static_rows >= -1 && given.static_cols >= -1;
  if (!sane) return {};
  if (given.conv != 0) return conv_type(given, kLocs[loc]);
  TileType type;
  type.loc = kLocs[loc];
  type.dtype = static_cast<DType>(given.type);
  type.rows = given.rows;
  type.cols = given.cols;
  type.valid_rows = given.static_rows;
  type.valid_cols = given.static_cols;
  type.blayout = static_cast<BoxOrder>(given.blayout);
  type.slayout = static_cast<InnerOrder>(given.slayout);
  type.fractal = given.fractal;
  type.pad = static_cast<PadKind>(given.pad);
  type.finite_pad = pads_with_finite(target, options);
  return type;
}

namespace {

// A window: its tile, where that stands, the tile that it is a part of, and from which element on.
CallProblem problem_of_window(std::span<const border::Operand> given) {
  constexpr std::size_t kArguments = 5;
  if (given.size() != kArguments || given[0].kind != Kind::Tile || given[2].kind != Kind::Tile)
    return {"E-CPP-ARG", "TSUBVIEW takes a window, a tile, a row and a column", ""};
  const border::Operand &window = given[0], &tile = given[2];
  const std::uint64_t row = given[3].bits, col = given[4].bits;
  const bool inside = row + static_cast<std::uint64_t>(std::max<std::int64_t>(window.valid_rows, 0)) <= tile.rows &&
                      col + static_cast<std::uint64_t>(std::max<std::int64_t>(window.valid_cols, 0)) <= tile.cols;
  if (!inside)
    return {"E-CPP-ARG",
            fmt::format("TSUBVIEW: a window of {} x {} from [{}, {}] on, of a tile of {} x {}", window.valid_rows,
                        window.valid_cols, row, col, tile.rows, tile.cols),
            "the valid size of the window is what counts"};
  // A box is 32 bytes wide or high, or a square of 16.
  const std::uint32_t width = 256 / std::max(size_bits(static_cast<DType>(window.type)), 1u);
  const bool square = window.fractal == 1024, by_rows = window.slayout == 1;
  const std::uint64_t rows = square || by_rows ? 16 : width, cols = square || !by_rows ? 16 : width;
  if (window.slayout != 0 && (row % rows != 0 || col % cols != 0))
    return {"E-CPP-ARG", fmt::format("TSUBVIEW: [{}, {}] is inside of a box of {} x {}", row, col, rows, cols),
            "elements of one box lie beside each other: a window begins at a box"};
  return {};
}

}  // namespace

CallResult understand(std::string_view called, std::span<const border::Operand> given, Target target,
                      const Options& options) {
  // Another tile on the same bytes stands where these are.
  if (called == "TSUBVIEW") {
    if (CallProblem wrong = problem_of_window(given); !wrong.rule.empty()) return {{}, std::move(wrong)};
    given = given.first(2);
  }
  const std::string_view op = called == "TRESHAPE" || called == "TSUBVIEW" ? "TASSIGN" : called;
  if (const InstructionRow* row = order_row(op)) return understand_order(*row, given);
  if (is_core_flag(op)) return understand_core_flag(op, given, target);
  if (op == "SYNCALL") return understand_meeting(given);
  if (op == "SetValue") return understand_set(given, target, options);
  std::vector<std::size_t> arguments;
  for (std::size_t i = 0; i < given.size(); ++i)
    if (given[i].kind != Kind::Option) arguments.push_back(i);
  const std::vector<Callable>* callables = find_callables(op);
  if (callables == nullptr) return failed("E-EMULATE", fmt::format("{} is not emulated", op), "");
  Dealt dealt;
  const auto found = std::ranges::find_if(*callables, [&](const Callable& one) {
    dealt.clear();
    return deal(one.parameters, given, arguments, dealt);
  });
  if (found == callables->end())
    return failed("E-CPP-ARG", fmt::format("{}: no form takes ({})", op, shown(given)),
                  "`tilescope explain` shows its forms");
  Call call{.row = found->row,
            .form = static_cast<std::uint8_t>(found->form),
            .operands = {},
            .attributes = std::vector<std::uint8_t>(found->row->attributes.size())};
  // In the order of the form, which is that of the row's rules and of text.
  for (const OperandSpec& spec : found->row->forms[found->form].operands)
    for (std::size_t i = 0; i < found->parameters.size(); ++i) {
      if (found->parameters[i].spec != &spec || dealt[i] < 0) continue;
      const auto argument = static_cast<std::size_t>(dealt[i]);
      auto operand = operand_of(spec, given[argument], argument, target, options);
      if (!operand)
        return failed("E-CPP-ARG", fmt::format("{}: argument {} is no tile or tensor that there can be", op, argument),
                      "");
      call.operands.push_back(*std::move(operand));
    }
  for (CallOperand& one : call.operands)
    if (one.operand.spec->kind == OperandKind::Scalar)
      one.operand.scalar =
          scalar_from(given[one.argument], type_of_scalar(*call.row, *one.operand.spec, call.operands));
  for (std::size_t i = 0; i < found->parameters.size(); ++i)
    if (found->parameters[i].spec == nullptr && dealt[i] >= 0)
      if (const auto number = attribute_number(call.row->attributes[found->parameters[i].attribute],
                                               given[static_cast<std::size_t>(dealt[i])].bits != 0 ? "true" : "false"))
        call.attributes[found->parameters[i].attribute] = *number;
  CallProblem problem;
  if (!set_options(call, given, problem)) return {{}, std::move(problem)};
  return {std::move(call), {}};
}

}  // namespace ts::cpp
