// The operations that the compiler gives a meaning, by dialect. A handler is found by the operation's kind, or, for whole
// tables of operations, by its row; an operation that no handler is named for is known by its signature only.
#pragma once

#include <span>

#include "core/compile/compilation.h"

namespace ts {

using Handler = void (*)(Compilation&, text::OpId, const text::Op&);

struct DialectRow {
  text::OpKind kind;
  Handler handle;
};

std::span<const DialectRow> number_dialect();    // constants; arithmetic; where in the launch this block is
std::span<const DialectRow> control_dialect();   // loops, branches, regions
std::span<const DialectRow> function_dialect();  // calls
std::span<const DialectRow> view_dialect();      // views of global memory, pointers
std::span<const DialectRow> tile_dialect();      // tiles and their aliases
std::span<const DialectRow> window_dialect();    // parts of tiles
std::span<const DialectRow> scalar_dialect();    // single elements, and arrays, of the scalar unit
std::span<const DialectRow> sync_dialect();
std::span<const DialectRow> queue_dialect();
// Addresses of storage, once all tiles are placed.
void settle_queues(Compilation& c);  // flags, events, barriers

// Makes no code where it stands: the operation around it, or a call, cares for it.
inline void makes_nothing(Compilation&, text::OpId, const text::Op&) {}

// Whole tables: the arithmetic of scalar_ops.h, the catalogue, and all that is left.
void scalar_operation(Compilation& c, text::OpId id, const text::Op& op);
void catalogue_instruction(Compilation& c, text::OpId id, const text::Op& op);
void partition_view(Compilation& c, text::OpId id, const text::Op& op);
void known_by_signature(Compilation& c, text::OpId id, const text::Op& op);

}  // namespace ts
