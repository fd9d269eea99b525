// Resolving, placing and checking a built program.
#include "core/program/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/catalogue/beside.h"
#include "core/catalogue/catalogue.h"
#include "core/catalogue/left_out.h"
#include "core/catalogue/rules.h"
#include "core/program/execution.h"
#include "core/program/literal.h"
#include "core/program/placement.h"

namespace ts {
namespace {

OperandKind kind_of(const BuildOperand& operand) {
  if (std::holds_alternative<TileId>(operand)) return OperandKind::Tile;
  return std::holds_alternative<Scalar>(operand) ? OperandKind::Scalar : OperandKind::Global;
}

const char* name(OperandKind kind) {
  return kind == OperandKind::Tile ? "a tile" : kind == OperandKind::Global ? "a view" : "a scalar";
}

}  // namespace

ProgramBuilder::ProgramBuilder(Target target, std::string name) {
  program_.target = target;
  program_.name = std::move(name);
}

BufferId ProgramBuilder::buffer(std::string name, DType dtype, std::uint32_t elements, std::vector<std::byte> data) {
  BufferDecl decl{.name = std::move(name),
                  .dtype = dtype,
                  .elements = elements,
                  .data = std::move(data),
                  .address = program_.gm_bytes};
  program_.gm_bytes = static_cast<std::uint32_t>(behind_buffer(program_.gm_bytes, decl.size()));
  program_.buffers.push_back(std::move(decl));
  return {static_cast<std::uint32_t>(program_.buffers.size() - 1)};
}

BufferId ProgramBuilder::buffer(std::string name, DType dtype, const std::vector<double>& values) {
  std::vector<std::byte> data(bytes_for(dtype, values.size()));
  for (std::size_t i = 0; i < values.size(); ++i) store_element(data.data(), dtype, i, from_double(dtype, values[i]));
  return buffer(std::move(name), dtype, static_cast<std::uint32_t>(values.size()), std::move(data));
}

TileId ProgramBuilder::tile(std::string name, const TileType& type, const TileOptions& options) {
  const auto valid = [](std::int32_t fixed, const std::optional<std::uint32_t>& dynamic, std::uint32_t whole) {
    return fixed != kDynamic ? static_cast<std::uint32_t>(fixed) : dynamic.value_or(whole);
  };
  TileType its = type;
  its.finite_pad = program_.options.pad_float == 2;
  program_.tiles.push_back({.name = std::move(name),
                            .type = its,
                            .address = options.address.value_or(0),
                            .valid_rows = valid(type.valid_rows, options.valid_rows, type.rows),
                            .valid_cols = valid(type.valid_cols, options.valid_cols, type.cols)});
  placed_.push_back(options.address.has_value());
  return {static_cast<std::uint32_t>(program_.tiles.size() - 1)};
}

void ProgramBuilder::add(std::string_view instruction, std::vector<BuildOperand> inputs,
                         std::vector<BuildOperand> outputs, std::vector<BuildAttribute> attributes) {
  drafts_.push_back({std::string(instruction), std::move(inputs), std::move(outputs), std::move(attributes)});
}

bool ProgramBuilder::set_attributes(const Draft& draft, Instruction& instruction, Diagnostics& diagnostics) const {
  const auto& specs = instruction.row->attributes;
  instruction.attributes.assign(specs.size(), 0);
  for (const BuildAttribute& given : draft.attributes) {
    if (std::ranges::any_of(instruction.operands, [&](const OperandUse& use) {
          return use.spec->by_attribute && use.spec->name == given.name;
        }))
      continue;
    const auto spec = std::ranges::find_if(specs, [&](const AttributeSpec& s) { return given.name == s.name; });
    const auto number = spec == specs.end() ? std::nullopt : attribute_number(*spec, given.value);
    if (!number) {
      diagnostics.push_back({"E-ATTRIBUTE", Severity::Error, instruction.pos, given.name,
                             fmt::format("{} has no attribute {} = {}", instruction.row->name, given.name, given.value),
                             spec == specs.end() ? "" : fmt::format("{} is {}", given.name, spec->values)});
      return false;
    }
    instruction.attributes[static_cast<std::size_t>(spec - specs.begin())] = *number;
  }
  return true;
}

View5 ProgramBuilder::five_dimensions(const View& view) const {
  View5 out{.buffer = view.buffer,
            .shape = {1, 1, 1, view.rows, view.cols},
            .stride = {},
            .offset = view.offset,
            .layout = view.layout};
  const bool rows_first = view.layout == GlobalLayout::ND;
  const std::uint32_t pitch = view.pitch != 0 ? view.pitch : (rows_first ? view.cols : view.rows);
  if (view.layout == GlobalLayout::NZ) {
    const auto lanes = static_cast<std::uint32_t>(elements_in(program_.buffers[view.buffer.index].dtype, BLK));
    const std::uint32_t boxes = (view.rows + 15) / 16;
    out.shape = {1, (view.cols + lanes - 1) / lanes, boxes, 16, lanes};
    out.stride = {out.shape[1] * boxes * 16 * lanes, boxes * 16 * lanes, 16 * lanes, lanes, 1};
  } else {
    const std::uint32_t whole = pitch * (rows_first ? view.rows : view.cols);
    out.stride = rows_first ? std::array{whole, whole, whole, pitch, 1u} : std::array{whole, whole, whole, 1u, pitch};
  }
  return out;
}

Slot ProgramBuilder::new_slot(Value value) {
  program_.slots.push_back(value);
  return static_cast<Slot>(program_.slots.size() - 1);
}

OperandUse ProgramBuilder::use_of(const BuildOperand& operand, const OperandSpec& spec) {
  if (const auto* tile = std::get_if<TileId>(&operand))
    return {.spec = &spec, .slot = new_slot(tile_value(tile->index))};
  if (const auto* scalar = std::get_if<Scalar>(&operand))
    return {.spec = &spec, .slot = new_slot(scalar_value(scalar->bits)), .dtype = scalar->dtype};
  const View5 view =
      std::holds_alternative<View>(operand) ? five_dimensions(std::get<View>(operand)) : std::get<View5>(operand);
  const BufferDecl& buffer = program_.buffers[view.buffer.index];
  ViewValue value{.buffer = view.buffer.index,
                  .dtype = buffer.dtype,
                  .layout = view.layout,
                  .offset = static_cast<std::int64_t>(bytes_for(buffer.dtype, view.offset))};
  std::ranges::copy(view.shape, value.shape.begin());
  std::ranges::copy(view.stride, value.stride.begin());
  program_.views.push_back(value);
  return {.spec = &spec, .slot = new_slot(view_value(static_cast<std::uint32_t>(program_.views.size() - 1)))};
}

bool ProgramBuilder::resolve(const Draft& draft, std::uint32_t line, Diagnostics& diagnostics) {
  const SourcePos pos{line, 1};
  const InstructionRow* row = find_instruction(draft.name);
  if (row == nullptr) row = find_beside(draft.name);
  if (row == nullptr) {
    diagnostics.push_back({"E-NAME", Severity::Error, pos, "", fmt::format("unknown instruction {}", draft.name), ""});
    return false;
  }
  std::vector<OperandKind> kinds;
  for (const BuildOperand& operand : draft.inputs) kinds.push_back(kind_of(operand));
  const int form = find_form(*row, kinds, draft.outputs.size());
  if (form < 0) {
    std::string got;
    for (OperandKind kind : kinds) got += std::string(got.empty() ? "" : ", ") + name(kind);
    std::string wanted;
    for (const FormRow& candidate : row->forms) {
      wanted += wanted.empty() ? "" : "; or ";
      for (const OperandSpec& spec : candidate.operands)
        wanted += fmt::format("{}{}", spec.role == Role::Out ? " -> " : " ", spec.name);
    }
    diagnostics.push_back({"E-OPERANDS", Severity::Error, pos, "",
                           fmt::format("{} does not take ({}) with {} results", row->name, got, draft.outputs.size()),
                           fmt::format("it takes{}", wanted)});
    return false;
  }
  Instruction instruction{
      .row = row, .form = static_cast<std::uint8_t>(form), .pos = pos, .operands = {}, .attributes = {}};
  const FormRow& chosen = row->forms[static_cast<std::size_t>(form)];
  const bool with_optional = draft.inputs.size() != chosen.inputs(false);
  std::size_t next_in = 0, next_out = 0;
  for (const OperandSpec& spec : chosen.operands) {
    if (spec.by_attribute) {
      const auto given = std::ranges::find(draft.attributes, spec.name, &BuildAttribute::name);
      const std::string number = given == draft.attributes.end() ? "0" : given->value;
      const auto bits = parse_scalar(number, text::ScalarKind::I32);
      if (!bits) {
        diagnostics.push_back({"E-ATTRIBUTE", Severity::Error, pos, std::string(spec.name),
                               fmt::format("{} '{}' is no number of 32 bits", spec.name, number), ""});
        return false;
      }
      instruction.operands.push_back(use_of(Scalar{DType::I32, *bits}, spec));
    } else if (spec.role == Role::Out) {
      instruction.operands.push_back(use_of(draft.outputs[next_out++], spec));
    } else if (!spec.optional || with_optional) {
      instruction.operands.push_back(use_of(draft.inputs[next_in++], spec));
    }
  }
  if (!set_attributes(draft, instruction, diagnostics)) return false;
  if (row->effect == Effect::BindsAddress) place_by(instruction);
  program_.instructions.push_back(std::move(instruction));
  add_scratch(program_.instructions.back());
  return true;
}

// A tile that tassign places needs no place of its own; until then it stands where the first tassign will put it.
void ProgramBuilder::place_by(const Instruction& assign) {
  std::uint32_t address = 0;
  // Without an address the result stands where the source does, which may have no place yet.
  if (std::ranges::none_of(assign.operands, [](const OperandUse& use) { return use.spec->role == Role::Address; }))
    return;
  for (const OperandUse& use : assign.operands)
    if (use.spec->role == Role::Address) address = static_cast<std::uint32_t>(program_.slots[use.slot].bits);
  for (const OperandUse& use : assign.operands) {
    const auto tile = static_cast<std::uint32_t>(program_.slots[use.slot].bits);
    if (use.spec->role != Role::Out || placed_[tile]) continue;
    program_.tiles[tile].address = address;
    placed_[tile] = true;
  }
}

void ProgramBuilder::add_scratch(Instruction& instruction) {
  for (const auto& [spec, type] : scratch_left_out(bind_at_start(program_, program_.instructions.size() - 1))) {
    const TileId scratch = tile(fmt::format("{}.{}", spec->name, program_.instructions.size()), type);
    program_.tiles[scratch.index].implicit = true;
    instruction.operands.push_back({.spec = spec, .slot = new_slot(tile_value(scratch.index))});
  }
}

Program ProgramBuilder::build(Diagnostics& diagnostics) {
  bool whole = true;
  for (std::size_t i = 0; i < drafts_.size(); ++i)
    whole = resolve(drafts_[i], static_cast<std::uint32_t>(i + 1), diagnostics) && whole;
  // Its author sees the addresses: each tile has its own.
  place_tiles(program_, {}, placed_, std::vector<char>(program_.tiles.size()), diagnostics);
  if (!whole || has_error(diagnostics)) return std::move(program_);
  // Programs from the builder have no control flow, so every rule can be checked before the first step.
  Execution walk(program_, nullptr, Execution::Kind::Check);
  while (walk.next()) {
    const Bound bound = *walk.bind(walk.instruction());
    check_rules(bound, diagnostics);
    walk.apply_effect(bound);
  }
  return std::move(program_);
}

}  // namespace ts
