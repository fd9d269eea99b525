// The parts of instructions of both cores that are the cube core's: tiles that move into the operands' memories, and
// accumulators that are stored.
#pragma once

#include "core/catalogue/row.h"
#include "core/catalogue/rules.h"

namespace ts {

// Of TMOV, where either tile is not in vec, or boxes are filled there. Null machines: no use of the cube core, or one that
// nobody emulates yet.
bool moves_on_cube(const Bound& bound);
const Machines* tmov_on_cube(const Bound& bound);
bool tmov_on_cube_waits(const Bound& bound);
void tmov_on_cube_rules(RuleCheck& check);
Pipe tmov_pipe(const Bound& bound);

// Loads and stores as a whole, for what is made of them.
const Machines& machines_of_loads();
const Machines& machines_of_stores();
void tload_rules(RuleCheck& check);
void tstore_rules(RuleCheck& check);
Extent tload_reads(const Bound& bound, const Operand& view);

// Of TFILLPAD, where both tiles are in mat. Null: they are not.
bool pads_in_mat(const Bound& bound);
const Machines* mat_pad(const Bound& bound);
void mat_pad_rules(RuleCheck& check);

// Of TSTORE, from acc.
const Machines* tstore_from_acc(const Bound& bound);
void tstore_from_acc_rules(RuleCheck& check);
Pipe tstore_pipe(const Bound& bound);

}  // namespace ts
