// What the builder makes of the vector families, written as text: it reads back as the same instruction and leaves the
// same bytes.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstring>
#include <set>

#include "core/record/recording.h"
#include "core/text/type.h"
#include "tests/support/instructions/index_data.h"
#include "tests/support/instructions/stage.h"
#include "tests/support/instructions/vector_plan.h"
#include "tests/support/scale.h"
#include "tests/support/text/open_text.h"

namespace ts::test {
namespace {

std::string scalar_name(DType type) {
  for (int kind = 0;; ++kind)
    if (text::dtype(static_cast<text::ScalarKind>(kind)) == type)
      return text::name(static_cast<text::ScalarKind>(kind));
}
std::string type_text(const TileType& tile) {
  text::Type type;
  type.kind = text::TypeKind::Tile;
  type.tile = tile;
  for (int kind = 0;; ++kind) {
    type.scalar = static_cast<text::ScalarKind>(kind);
    if (text::dtype(type.scalar) == tile.dtype) break;
  }
  return text::TypeTable().print(type);
}

// The program of one instruction as a module.
class Written {
 public:
  Written(const Program& program, std::size_t index)
      : program_(program), instruction_(program.instructions[index]), bound_(bound_of(program, index)) {
    for (const Operand& operand : bound_.operands)
      if (operand.spec->kind == OperandKind::Tile && !operand.implicit) tile(operand.id);
    statement();
  }
  std::string text() const {
    return fmt::format(
        "module attributes {{pto.target_arch = \"{}\"}} {{\n  func.func @k() {{\n{}    return\n  }}\n}}\n",
        name(program_.target), body_);
  }

 private:
  std::string constant(std::uint64_t value, const char* type) {
    body_ += fmt::format("    %n{} = arith.constant {} : {}\n", numbers_, value, type);
    return fmt::format("%n{}", numbers_++);
  }
  void tile(std::uint32_t id) {
    if (!tiles_.insert(id).second) return;
    const TileDecl& decl = program_.tiles[id];
    std::string clauses = " addr = " + constant(decl.address, "i64");
    if (decl.type.valid_rows == kDynamic) clauses += " valid_row = " + constant(decl.valid_rows, "index");
    if (decl.type.valid_cols == kDynamic) clauses += " valid_col = " + constant(decl.valid_cols, "index");
    body_ += fmt::format("    %t{} = pto.alloc_tile{} : {}\n", id, clauses, type_text(decl.type));
  }
  std::string scalar(const Scalar& value) {
    const std::string type = scalar_name(value.dtype);
    const std::string bits = is_float(value.dtype) ? fmt::format("0x{:0{}X}", value.bits, 2 * size_bytes(value.dtype))
                                                   : format_value(value.dtype, value.bits);
    body_ += fmt::format("    %n{} = arith.constant {} : {}\n", numbers_, bits, type);
    return fmt::format("%n{}", numbers_++);
  }
  void statement() {
    std::string names[2], types[2];
    for (const Operand& operand : bound_.operands) {
      if (operand.implicit || operand.spec->by_attribute) continue;
      const int out = operand.spec->role == Role::Out ? 1 : 0;
      const bool is_tile = operand.spec->kind == OperandKind::Tile;
      const std::string comma = names[out].empty() ? "" : ", ";
      names[out] += comma + (is_tile ? fmt::format("%t{}", operand.id) : scalar(operand.scalar));
      types[out] += comma + (is_tile ? type_text(operand.tile.type) : scalar_name(operand.scalar.dtype));
    }
    std::string attributes;
    for (const Operand& operand : bound_.operands)
      if (operand.spec->by_attribute)
        attributes +=
            fmt::format("{}{} = {} : i32", attributes.empty() ? " {" : ", ", operand.spec->name, operand.scalar.bits);
    for (std::size_t i = 0; i < instruction_.attributes.size(); ++i) {
      const AttributeSpec& spec = instruction_.row->attributes[i];
      attributes += fmt::format("{}{} = \"{}\"", attributes.empty() ? " {" : ", ", spec.name,
                                value_name(spec.values, instruction_.attributes[i]));
    }
    if (!attributes.empty()) attributes += "}";
    const auto list = [&](int which) {
      return names[which].empty() ? "" : fmt::format("{} : {}", names[which], types[which]);
    };
    body_ += fmt::format("    pto.{} ins({}) outs({}){}\n", instruction_.row->name, list(0), list(1), attributes);
  }

  const Program& program_;
  const Instruction& instruction_;
  Bound bound_;
  std::string body_;
  std::set<std::uint32_t> tiles_;
  int numbers_ = 0;
};

// `built`: the same program as the builder has it, whose operands are known before it runs.
std::vector<std::byte> left_by(Program program, const Program& built, std::uint64_t seed) {
  const auto fill = [&](Memory& memory) {
    Random random(seed);
    for (std::byte& byte : memory.bytes(Space::Ub, 0, memory.map().size(Space::Ub)))
      byte = static_cast<std::byte>(random.next());
    draw_indices(built, random, [&](const ByteRange& place, std::uint64_t bits) {
      memory.set_element(place.space, place.address, place.size, bits);
    });
    memory.mark(memory.map().flat(Space::Ub, 0), memory.map().size(Space::Ub), Definedness::Written);
  };
  const auto recording = Recording::run(std::move(program), {.budget_bytes = std::size_t{2} << 20, .initial = fill});
  CHECK(recording->stop_reason() == StopReason::End);
  const auto bytes = recording->final_memory().bytes(Space::Ub, 0, recording->map().size(Space::Ub));
  return {bytes.begin(), bytes.end()};
}

}  // namespace

TEST_CASE("vector text: what is written reads back and leaves the same bytes") {
  const int all = rounds(1, 1, 20);
  Random random(991);
  int read = 0, turn = 0;
  for (const InstructionRow* row : vector_instructions())
    for (const Target target : kBothTargets)
      for (int t = 0; t < kDTypes; ++t)
        for (int round = 0; round < all && row->types(target, {}).contains(static_cast<DType>(t)); ++round) {
          if (kSanitized && ++turn % 5 != 0) continue;
          ProgramBuilder builder(target, "k");
          add_random_vector(builder, random, target, *row, static_cast<DType>(t));
          const Program program = build(builder);
          OpenRequest request;
          request.options.pad_float = 1;  // as the builder has it; programs of text pad with finite numbers on A5
          const std::string text = Written(program, 0).text();
          CAPTURE(text);
          OpenedText opened = open_text(text, target, request);
          std::string told;
          for (const Diagnostic& diagnostic : opened.diagnostics) told += diagnostic.format() + "\n";
          CAPTURE(told);
          if (!opened.opened) {
            CHECK(opened.opened.has_value());
            break;
          }
          CHECK(left_by(std::move(opened.opened->program), program, 5) == left_by(program, program, 5));
          ++read;
        }
  CHECK(read > (kSanitized ? 100 : 500));
}

}  // namespace ts::test
