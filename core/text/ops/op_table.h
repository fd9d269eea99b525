// The operations that program text may hold. Instructions that the catalogue has are rows there and only there; this table
// adds the ones nobody emulates yet, and those of control flow, views and synchronisation.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/ops/op_row.h"

namespace ts::text {

using OpCode = std::uint16_t;
inline constexpr OpCode kUnknownOp = 0xFFFF;

// All rows: the catalogue's instructions (as pto.NAME, without a signature), then this table's.
std::span<const OpRow> op_rows();
// Of kind Other and without a signature where nobody knows the operation.
const OpRow& op_row(OpCode code);
inline OpKind kind_of(OpCode code) { return op_row(code).kind; }
// kUnknownOp: none. The short names `module`, `call` and `return` are found too.
OpCode find_op(std::string_view name);
// The mnemonic of an operation on tiles or views without its dialect, as the synchronous form writes it.
OpCode find_bare_op(std::string_view mnemonic);
// The known names that are near to it (near.h).
std::vector<std::string> similar_ops(std::string_view name);

}  // namespace ts::text
