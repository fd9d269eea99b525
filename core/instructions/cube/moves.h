// Each way between memories, as moves, windows and insertions take it: its machines and its rules.
#pragma once

#include "core/instructions/cube/paths.h"

namespace ts::cube_moves {

// From L1 to where the cube core reads its operands, their scales, biases and factors.
const Machines& operand_move();
const char* operand_move_waits(const Bound& bound);
const Machines& scale_move();
const Machines& bias_move();
const Machines& factor_move();
void operand_move_rules(RuleCheck& check);
void operand_window_rules(RuleCheck& check);
void scale_move_rules(RuleCheck& check);
void scale_window_rules(RuleCheck& check);
void bias_rules(RuleCheck& check);
void factor_rules(RuleCheck& check);

// From the accumulator to a tile, through the fixpipe.
const Machines& acc_move();
const Machines& acc_window();
const Machines& acc_insert();
void acc_move_rules(RuleCheck& check);
void acc_window_rules(RuleCheck& check);
void acc_insert_rules(RuleCheck& check);
// The same to UB of the vector cores: all of them to the first one, or a half of the rows or columns to each.
const Machines& push_sums();
void push_sums_rules(RuleCheck& check);

// From UB to L1, and within UB.
const Machines& vec_move();
const Machines& vec_window();
const Machines& vec_insert();
void vec_move_rules(RuleCheck& check);
void vec_window_rules(RuleCheck& check);
void vec_insert_rules(RuleCheck& check);

}  // namespace ts::cube_moves
