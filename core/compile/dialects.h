// The operations that the compiler gives a meaning, by dialect. A handler is found by the operation's kind, or, for whole
// tables of operations, by its row; an operation that no handler is named for is known by its signature only.
#pragma once

#include <span>

#include "core/compile/compilation.h"
#include "core/compile/signature_check.h"

namespace ts {

using Handler = void (*)(Compilation&, text::OpId, const text::Op&);

// True, and told: another target has the operation, this one has it not.
bool refused_on_target(Compilation& c, const text::Op& op, const text::OpRow& row);

// Rules of the operation's signature first: with an error its handler has nothing to add.
template <Handler handle>
void checked(Compilation& c, text::OpId id, const text::Op& op) {
  if (!refused_on_target(c, op, text::op_row(op.code)) && fits_signature(c, op)) handle(c, id, op);
}

struct DialectRow {
  text::OpKind kind;
  Handler handle;
};

std::span<const DialectRow> number_dialect();    // constants; arithmetic; where in the launch this block is
std::span<const DialectRow> control_dialect();   // loops, branches, regions
std::span<const DialectRow> function_dialect();  // calls
std::span<const DialectRow> micro_dialect();     // micro-instructions that are no steps
std::span<const DialectRow> pointer_copy_dialect();
std::span<const DialectRow> view_dialect();    // views of global memory, pointers
std::span<const DialectRow> tile_dialect();    // tiles and their aliases
std::span<const DialectRow> window_dialect();  // parts of tiles
std::span<const DialectRow> scalar_dialect();  // single elements, and arrays, of the scalar unit
std::span<const DialectRow> sync_dialect();    // flags, events, barriers, meetings
std::span<const DialectRow> queue_dialect();   // entries from core to core
std::span<const DialectRow> device_dialect();  // copies and signals between devices
// Addresses of storage, once all tiles are placed.
void settle_queues(Compilation& c);

// Makes no code where it stands: the operation around it, or a call, cares for it.
inline void makes_nothing(Compilation&, text::OpId, const text::Op&) {}

// Whole tables: the arithmetic of scalar_ops.h, the catalogue, and all that is left.
void scalar_operation(Compilation& c, text::OpId id, const text::Op& op);
void catalogue_instruction(Compilation& c, text::OpId id, const text::Op& op);
bool is_micro_operation(text::OpCode code);
void micro_operation(Compilation& c, text::OpId id, const text::Op& op);
bool reads_special(text::OpCode code);
void special_register(Compilation& c, text::OpId id, const text::Op& op);
bool is_pointer_step(text::OpCode code);
DTypeSet pointer_types(text::OpCode code);
void pointer_step(Compilation& c, text::OpId id, const text::Op& op);
// A view of global memory from a pointer on, the outermost dimension first: rows.
Slot pointed_view(Compilation& c, text::SourceRange where, Slot pointer, std::span<const Slot> shape,
                  std::span<const Slot> strides, DType type);
// A number divided by a constant, rounded up: bytes as elements.
Slot quotient_of(Compilation& c, text::SourceRange where, Slot number, std::int64_t by);
void partition_view(Compilation& c, text::OpId id, const text::Op& op);
void known_by_signature(Compilation& c, text::OpId id, const text::Op& op);

}  // namespace ts
