// Arithmetic on the scalars of a program: the arith dialect, on bits.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/text/ops/op_table.h"
#include "core/text/type.h"

namespace ts {

// The number of "arith.addi" and the like, -1 when it is none.
int find_scalar_op(std::string_view name);
int find_scalar_op(text::OpCode code);
struct ScalarOpShape {
  std::uint8_t operands, results;
  bool cast;       // has a type to convert to
  bool predicate;  // begins with one
};
ScalarOpShape scalar_op_shape(int op);
// The number of "slt", "oeq" and the like for the comparison `op`, -1 when there is none.
int find_predicate(int op, std::string_view word);

struct ScalarArguments {
  text::ScalarKind type, to;
  std::uint64_t in[3];  // bits, zero above the type's width
  int predicate;
};
// False: it divides by zero, or what it makes does not fit (the smallest number divided by -1).
bool evaluate(int op, const ScalarArguments& arguments, std::span<std::uint64_t> out);

// The bits of a number in this type; floats are rounded to nearest even.
std::uint64_t scalar_bits(text::ScalarKind kind, double value);
double scalar_number(text::ScalarKind kind, std::uint64_t bits);
std::int64_t sign_extended(text::ScalarKind kind, std::uint64_t bits);
std::uint64_t cut_to(text::ScalarKind kind, std::uint64_t bits);

}  // namespace ts
