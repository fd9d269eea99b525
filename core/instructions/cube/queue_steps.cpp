// Steps of the queues between the cores of a block: what goes in, what comes out, what is given back. On a2a3 an entry stands
// in global memory and is stored and loaded; on a5 it stands where it is used, and only going in moves it.
#include "core/catalogue/beside.h"
#include "core/instructions/cube/cube_moves.h"
#include "core/instructions/cube/moves.h"
#include "core/instructions/transfer.h"

namespace ts {
namespace {

using namespace cube_moves;

constexpr OperandSpec kEntry = any_in("src"), kSlot = any_out("dst"), kSecondSlot = any_out("dst1");
// Where it is used it is no result: the push wrote it.
constexpr OperandSpec kBoundEntry = any_in("dst");

bool in_global_memory(const Bound& bound) { return bound.target == Target::A2A3; }

std::vector<FormRow> push_forms() {
  return {{"stored", {kEntry, global_out("dst")}, "TPUSH(pipe, tile)"},
          {"whole", {kEntry, kSlot}, "TPUSH(pipe, tile)"},
          {"split", {kEntry, kSlot, kSecondSlot}, "TPUSH(pipe, tile)"},
          {"stored with a factor", {kEntry, scalar("factor"), global_out("dst")}, "TPUSH(pipe, tile)"},
          {"stored with factors of columns", {kEntry, any_in("fp"), global_out("dst")}, "TPUSH(pipe, tile)"},
          {"whole with a factor", {kEntry, scalar("factor"), kSlot}, "TPUSH(pipe, tile)"},
          {"whole with factors of columns", {kEntry, any_in("fp"), kSlot}, "TPUSH(pipe, tile)"}};
}
std::vector<FormRow> pop_forms() {
  return {{"loaded", {global_in("src"), kSlot}, "TPOP(pipe, tile)"}, {"bound", {kBoundEntry}, "TPOP(pipe, tile)"}};
}

// Sums leave through the fixpipe, tiles of UB as stores and moves do.
Pipe push_pipe(const Bound& bound) { return bound.tile("src").type.loc == TileLoc::Acc ? Pipe::Fix : Pipe::Mte3; }
const Machines* push_machines(const Bound& bound) {
  const bool sums = bound.tile("src").type.loc == TileLoc::Acc;
  if (in_global_memory(bound)) return sums ? tstore_from_acc(bound) : &machines_of_stores();
  return sums ? &push_sums() : &vec_move();
}
void push_rules(RuleCheck& check) {
  if (in_global_memory(check.bound())) return tstore_rules(check);
  if (check.tile("src").type.loc == TileLoc::Acc) push_sums_rules(check);
  else vec_move_rules(check);
}

Pipe pop_pipe(const Bound& bound) { return in_global_memory(bound) ? Pipe::Mte2 : Pipe::S; }
const Machines* pop_machines(const Bound& bound) {
  static const Machines none;
  return in_global_memory(bound) ? &machines_of_loads() : &none;
}
void pop_rules(RuleCheck& check) {
  if (in_global_memory(check.bound())) tload_rules(check);
}
Extent pop_reads(const Bound& bound, const Operand& operand) {
  if (operand.spec->kind == OperandKind::Global) return tload_reads(bound, operand);
  return {operand.tile.valid_rows, operand.tile.valid_cols};
}

InstructionRow push_row(const char* name, const char* summary) {
  return {.name = name,
          .summary = summary,
          .forms = push_forms(),
          .attributes = {{"atomicType", "atomic_none|atomic_add"},
                         {"reluPreMode", "no_relu|normal_relu"},
                         {"split", "none|rows|columns"}},
          .typed_by = "src",
          .types = every_type,
          .pipe_of = push_pipe,
          .draw = Drawing::Transfer,
          .rules = push_rules,
          .moves = true,
          .machines = {},
          .other_machines = push_machines};
}
InstructionRow pop_row(const char* name, const char* summary) {
  return {.name = name,
          .summary = summary,
          .forms = pop_forms(),
          .typed_by = "dst",
          .types = every_type,
          .pipe_of = pop_pipe,
          .draw = Drawing::Transfer,
          .rules = pop_rules,
          .reads_of = pop_reads,
          .moves = true,
          .machines = {},
          .other_machines = pop_machines};
}
InstructionRow free_row(const char* name, const char* summary) {
  return {.name = name,
          .summary = summary,
          .forms = {{"", {}, "TFREE(pipe)"}},
          .typed_by = "",
          .types = every_type,
          .pipe = Pipe::S,
          .machines = {}};
}

const InstructionRow push_to_vector = push_row("tpush_to_aiv", "puts a tile into the queue from cube to vector"),
                     push_to_cube = push_row("tpush_to_aic", "puts a tile into the queue from vector to cube"),
                     pop_from_cube =
                         pop_row("tpop_from_aic", "takes the oldest entry of the queue from cube to vector"),
                     pop_from_vector =
                         pop_row("tpop_from_aiv", "takes the oldest entry of the queue from vector to cube"),
                     free_from_cube = free_row("tfree_from_aic", "gives a slot of the queue from cube to vector back"),
                     free_from_vector =
                         free_row("tfree_from_aiv", "gives a slot of the queue from vector to cube back");
// a2a3: entries that the program itself stores to and loads from. What these do is count.
const InstructionRow alloc_to_vector = free_row("talloc_to_aiv", "waits for a free slot of the queue, and shows it"),
                     alloc_to_cube = free_row("talloc_to_aic", "waits for a free slot of the queue, and shows it"),
                     signal_to_vector = free_row("tpush_to_aiv", "says that a slot of the queue is filled"),
                     signal_to_cube = free_row("tpush_to_aic", "says that a slot of the queue is filled"),
                     shown_from_cube =
                         free_row("tpop_from_aic", "waits for the oldest entry of the queue, and shows it"),
                     shown_from_vector =
                         free_row("tpop_from_aiv", "waits for the oldest entry of the queue, and shows it");
const RegisteredBeside registered_of_views[] = {RegisteredBeside(alloc_to_vector),
                                                RegisteredBeside(alloc_to_cube),
                                                RegisteredBeside(signal_to_vector, "tpush_to_aiv of a view"),
                                                RegisteredBeside(signal_to_cube, "tpush_to_aic of a view"),
                                                RegisteredBeside(shown_from_cube, "tpop_from_aic of a view"),
                                                RegisteredBeside(shown_from_vector, "tpop_from_aiv of a view")};
const RegisteredBeside registered[] = {RegisteredBeside(push_to_vector), RegisteredBeside(push_to_cube),
                                       RegisteredBeside(pop_from_cube),  RegisteredBeside(pop_from_vector),
                                       RegisteredBeside(free_from_cube), RegisteredBeside(free_from_vector)};

}  // namespace
}  // namespace ts
