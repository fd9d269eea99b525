// What a row of the instruction catalogue is: operands, rules, lowerings, drawing. One row says everything that the
// rest of the program knows of an instruction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/catalogue/table_indices.h"
#include "core/isa/diagnostic.h"
#include "core/isa/dtype.h"
#include "core/isa/options.h"
#include "core/isa/target.h"
#include "core/tile/operands.h"

namespace ts {

struct StepContext;
struct Product;
class RuleCheck;

enum class Role : std::uint8_t { In, Out, Tmp, Mask, Scalar, Offsets, Address };
enum class OperandKind : std::uint8_t { Tile, Global, Scalar };
const char* name(Role role);

// What the author may choose per instruction, as `name = value`; the first value is the default.
struct AttributeSpec {
  const char* name;
  const char* values;        // "auto|element|block"
  const char* aliases = "";  // other spellings: "less_than=lt|..."
};
// The number of the value that a program's text means: without case, and without the prefix CAST_.
std::optional<std::uint8_t> attribute_number(const AttributeSpec& spec, std::string_view word);

// One operand of a form, in text order: inputs first, then results.
struct OperandSpec {
  std::string_view name;
  Role role;
  OperandKind kind = OperandKind::Tile;
  bool optional = false;       // may be left out of the text; placed as implicit scratch where the target needs it
  TileLoc loc = TileLoc::Vec;  // the memory that its tile stands in
  bool any_loc = false;        // true: any memory, as far as the row's own rules go
  bool reads = false;          // of a result: what it held goes into what it holds
  bool overwritten = false;    // of an input: A2A3 uses it as scratch
  // A number that stands among the attributes, by this name; 0 where it is left out.
  bool by_attribute = false;
  // Whether it stands among the inputs of a statement.
  constexpr bool is_input(bool with_optional) const {
    return role != Role::Out && !by_attribute && (with_optional || !optional);
  }
};
constexpr OperandSpec in(std::string_view name) { return {name, Role::In}; }
constexpr OperandSpec out(std::string_view name) { return {name, Role::Out}; }
constexpr OperandSpec in_out(std::string_view name) { return {.name = name, .role = Role::Out, .reads = true}; }
constexpr OperandSpec overwritten(std::string_view name) {
  return {.name = name, .role = Role::In, .overwritten = true};
}
constexpr OperandSpec global_in(std::string_view name) { return {name, Role::In, OperandKind::Global}; }
constexpr OperandSpec global_out(std::string_view name) { return {name, Role::Out, OperandKind::Global}; }
constexpr OperandSpec address(std::string_view name) { return {name, Role::Address, OperandKind::Scalar}; }
constexpr OperandSpec any_in(std::string_view name) { return {.name = name, .role = Role::In, .any_loc = true}; }
constexpr OperandSpec any_out(std::string_view name) { return {.name = name, .role = Role::Out, .any_loc = true}; }
constexpr OperandSpec in_at(std::string_view name, TileLoc loc) { return {.name = name, .role = Role::In, .loc = loc}; }
constexpr OperandSpec out_at(std::string_view name, TileLoc loc) {
  return {.name = name, .role = Role::Out, .loc = loc};
}
constexpr OperandSpec offsets(std::string_view name) { return {name, Role::Offsets}; }
constexpr OperandSpec mask(std::string_view name) { return {name, Role::Mask}; }
constexpr OperandSpec scalar(std::string_view name) { return {name, Role::Scalar, OperandKind::Scalar}; }
constexpr OperandSpec attribute_number(std::string_view name) {
  return {.name = name, .role = Role::Scalar, .kind = OperandKind::Scalar, .by_attribute = true};
}
constexpr OperandSpec optional_tmp(std::string_view name) { return {name, Role::Tmp, OperandKind::Tile, true}; }

// An operand of an instruction that runs. `spec` is null for implicit ones of no form.
struct Operand {
  const OperandSpec* spec = nullptr;
  TileRef tile;
  GlobalRef global;
  Scalar scalar;
  std::uint32_t id = 0;   // the program's number of the tile or buffer
  bool implicit = false;  // scratch that the text does not name
  bool operator==(const Operand&) const = default;
};

struct InstructionRow;

// An instruction with everything bound, as rules and lowerings see it.
struct Bound {
  const InstructionRow* row = nullptr;
  std::uint8_t form = 0;
  Target target = Target::A5;
  const Options* options = nullptr;
  Pipe pipe = Pipe::V;
  CoreId core = 0;  // that it runs on
  SourcePos pos;
  std::vector<Operand> operands;
  std::vector<std::uint8_t> attributes;  // by the row's attributes: the number of the value

  std::uint8_t attribute(std::string_view name) const;
  const Operand* find(std::string_view name) const;
  const TileRef& tile(std::string_view name) const;
  const GlobalRef& global(std::string_view name) const;
  const Scalar& scalar(std::string_view name) const;
  bool has(std::string_view name) const { return find(name) != nullptr; }
  // The element type that selects the lowering: that of the row's `typed_by`.
  DType dtype() const;
};

// Lowerings of one machine kind: [target][element type], null where the target lacks the type.
using Lowering = void (*)(StepContext&, const Bound&);
struct LoweringTable {
  Lowering entry[kTargets][kDTypes] = {};
  const LoweringTable* others = nullptr;  // where this one has none
  Lowering at(Target target, DType type) const {
    const Lowering own = entry[static_cast<int>(target)][static_cast<int>(type)];
    return own == nullptr && others != nullptr ? others->at(target, type) : own;
  }
  Lowering of(const Bound& bound) const { return at(bound.target, bound.dtype()); }
};

// The three machines of an instruction. `run` asks anew each time, so that a test can switch SIMD levels.
struct Machines {
  const LoweringTable& (*run)() = nullptr;
  const LoweringTable& (*trace)() = nullptr;
  const LoweringTable& (*tag)() = nullptr;
};

// Rows and columns of an operand.
struct Extent {
  std::uint32_t rows = 0, cols = 0;
};

// A value on its way to an element of a result.
struct Station {
  const char* name;  // "times the scale"
  DType dtype;
  std::uint64_t bits;
};

// The picture of the instruction on the stage.
enum class Drawing : std::uint8_t {
  None,
  Interleave,
  Select,
  Lanes,
  Transfer,
  Transpose,
  Gather,
  Scatter,
  Fill,
  Reduce,
  Broadcast,
  Compare,
  Pad,
  Sort,
  Product,
  Quantise,
  Table,
  Windows
};

// What an instruction does beside what its lowering does to the memories.
enum class Effect : std::uint8_t {
  None,
  BindsAddress,  // a tile stands elsewhere from now on
  StartsBlock,   // the core's own memories hold nothing
};

struct FormRow {
  const char* name;                   // "two-source"; empty when there is one form only
  std::vector<OperandSpec> operands;  // text order
  const char* cpp;                    // the C++ call, whose order differs
  std::size_t results() const;
  std::size_t inputs(bool with_optional) const;  // those that stand among the operands
};

struct InstructionRow {
  const char* name;  // lower case, as in text
  const char* summary;
  std::vector<FormRow> forms;
  std::vector<AttributeSpec> attributes = {};
  // Operand whose element type selects the lowering.
  std::string_view typed_by;
  // Legal element types; empty: not on this target, and `absent` says which rule tells so, and what to do instead.
  DTypeSet (*types)(Target, const Options&);
  // The ids of the type rule, by target, and of the rule that tells that a target has it not; null: NAME-R1.
  const char* type_rules[kTargets] = {};
  const char* absent_rule = nullptr;
  const char* absent_hint = "";
  Pipe pipe = Pipe::V;
  // Where it depends on the memories of its operands; null: `pipe`.
  Pipe (*pipe_of)(const Bound&) = nullptr;
  Drawing draw = Drawing::None;
  Effect effect = Effect::None;
  // Of what gives a tile a place that is no operand: that place. Null: where the source stands.
  std::uint32_t (*address_of)(const Bound&) = nullptr;
  // Rules beyond the common ones (element type, location, alignment, bounds), with all operands bound.
  void (*rules)(RuleCheck&) = nullptr;
  // Rules on what the operands hold. They are asked only when a lowering found something odd (StepContext::odd_data), on
  // the memories as they were before it.
  void (*data_rules)(RuleCheck&, const Memory& before) = nullptr;
  // How much it means to read of an operand; null: of tiles the valid region, of views nothing.
  Extent (*reads_of)(const Bound&, const Operand&) = nullptr;
  // The type of the implicit scratch for an optional operand left out; rows == 0: none needed.
  TileType (*scratch)(const Bound&) = nullptr;
  // Where the bits of its mask stand, for people; null: it takes none.
  std::string (*mask_rule)(const Bound&) = nullptr;
  // The type of a vector that text may name among its results and no operation reads: what a special register holds then.
  std::string_view unread_result = {};
  // How it takes its indices into a table in global memory; null: it has none.
  TableIndices (*table)(const Bound&) = nullptr;
  // Whether a legal use of it is one that nobody emulates yet; null: there is none.
  bool (*waits)(const Bound&) = nullptr;
  // Of a matrix product: what is multiplied; null: it is none.
  Product (*product)(const Bound&) = nullptr;
  // The ways to its elements, for uses that change what they move one by one; by row and column of the result. Null, or no
  // stations: there is nothing between source and result.
  std::vector<Station> (*stations)(const Bound&, const Memory& before, std::uint32_t row, std::uint32_t col) = nullptr;
  // A micro-operation that programs name: its operands are registers, and what it reaches through pointers, whose places its
  // accesses check.
  bool micro = false;
  bool moves = false;  // it only moves elements about: none of its results is computed
  bool clips = false;  // it is worth telling what the range of dst cuts off
  // Whether it goes through its operands whatever of them is valid, so that it is no idle step where nothing is; null:
  // it never does.
  bool (*ignores_valid)(const Bound&) = nullptr;
  Machines machines;
  // Those of uses that another part of the core does; null: none.
  const Machines* (*other_machines)(const Bound&) = nullptr;
};
// What does this use of its instruction.
const Machines& machines_for(const Bound& bound);

// "TSUB-R3": the id of a rule of the instruction's own.
std::string own_rule(const InstructionRow& row, std::string_view number);
std::string type_rule(const InstructionRow& row, Target target);
std::string absent_rule(const InstructionRow& row);

// The form that takes these operands (kinds in text order), or -1.
int find_form(const InstructionRow& row, std::span<const OperandKind> inputs, std::size_t outputs);

}  // namespace ts
