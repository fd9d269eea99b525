// The operations that program text may hold. Instructions that the catalogue has are rows there and only there; this table
// adds the ones nobody emulates yet, and those of control flow, views and synchronisation.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/isa/target.h"

namespace ts::text {

enum class OpGroup : std::uint8_t {
  TileVector,  // tile operations of the vector core
  TileMove,    // tload, tmov, textract, ...
  TileCube,    // tmatmul, ...
  View,        // tiles, views, pointers
  Sync,        // flags, barriers, sections, queries
  Fifo,        // cross-core queues and asynchronous copies
  Micro,       // micro-instructions, legal in pto.vecscope or on pointers
  Shared,      // arith, scf, func, memref, builtin
};
const char* name(OpGroup group);

// An operand of a signature. `signature` of a row, in our own few words:
//   tile operations:  "src0:T src1:T -> dst:T"                      before the arrow ins(...), after it outs(...)
//   the others:       "a:V b:V mask:M -> dst:V"                     operands, then results
//   kinds             T tile, S scalar of any type, I integer, P pointer, W partition view, TV tensor view, V vector register,
//                     M predicate mask, A alignment state, X a pointer with an index in brackets, N a word, string or enum,
//                     E event, ? anything
//   x:T?              may be left out (only trailing ones, tmp, or those of a clause)   x:T*   any number
//   name(a:I b:I)     a clause, with ? or * behind it as above; name() is the word alone, (a:I) are parentheses without a word
//   alternatives      separated by " | "
//   "!"               an operation with a form of its own, which its parser or compiler knows
struct OpRow {
  std::string_view name;       // with its dialect: "pto.tmul"
  OpGroup group;
  std::string_view signature;
  std::string_view meaning;    // one line for people
  std::string_view current = {};  // an old name: the name to use now
  std::string_view only = {};     // "a5" or "a2a3" where one target alone has it
};

using OpCode = std::uint16_t;
inline constexpr OpCode kUnknownOp = 0xFFFF;

// All rows: the catalogue's instructions (as pto.NAME, without a signature), then this table's.
std::span<const OpRow> op_rows();
// kUnknownOp: none. The short names `module`, `call` and `return` are found too.
OpCode find_op(std::string_view name);
// The mnemonic of an operation on tiles or views without its dialect, as the synchronous form writes it.
OpCode find_bare_op(std::string_view mnemonic);
// The known names that are near to it (near.h).
std::vector<std::string> similar_ops(std::string_view name);

}  // namespace ts::text
