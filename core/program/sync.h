// Flags, barriers and the start of a block: steps that move no data. They stand beside the catalogue, whose instructions
// are lowered and have pages.
#pragma once

#include <string_view>

#include "core/catalogue/row.h"
#include "core/text/ops/op_row.h"

namespace ts {

extern const InstructionRow kSetFlag, kWaitFlag, kBarrier, kRecordEvent, kWaitEvent, kBeginBlock, kCacheInvalid, kPrint;
// A5: numbers that pipes take in turns, each once the pipes before it gave them back.
extern const InstructionRow kGetBuffer, kReleaseBuffer;
inline constexpr std::size_t kBufferMode = 1, kBufferNumber = 2;  // attributes of theirs
inline bool is_of_buffer(const InstructionRow* row) { return row == &kGetBuffer || row == &kReleaseBuffer; }
// Orders accesses to UB in a region of vector instructions.
extern const InstructionRow kMemoryBarrier;
// Flags from core to core, and a meeting of all cores of a kind.
extern const InstructionRow kSetCoreFlag, kWaitCoreFlag, kMeet;
// A wait for a signal that may come from another device: its operands are the cells and a number.
extern const InstructionRow kWaitForDevice;
extern const OperandSpec kSignalOperand, kAwaitedNumber;
// Attributes of theirs; the flag's number is the last one.
inline constexpr std::size_t kFlagMode = 1, kFlagMirrored = 2, kMeetingCores = 1;
// What pto.tprint shows, and pto.print.
extern const OperandSpec kPrintedTile, kPrintedView, kPrintedNumber;

// The number of a flag's event, or of a flag from core to core, where it is a value; how many cores meet.
extern const OperandSpec kEventOperand, kFlagOperand, kCoresOperand;
// Where cores that meet count themselves: the first cell of it.
extern const OperandSpec kWorkspaceOperand;
inline constexpr std::uint32_t kWorkspaceBytes = 64;

// Null when it is none of them.
const InstructionRow* sync_row(text::OpKind kind);
// By the name in text, with "pto.", old names included.
const InstructionRow* find_sync(std::string_view name);
// ">=" of the comparison that a wait for a device's signal makes.
const char* comparison_sign(const std::vector<std::uint8_t>& attributes);
// The number of a pipe, event or class in the row's attribute; spelled PIPE_V, V, EVENT_ID3, TLOAD. -1: none.
int sync_value(const AttributeSpec& attribute, std::string_view word);
// The number, as a barrier's, of the pipe that a class of operations is for: TVEC, TLOAD. -1: there is no such class.
int pipe_of_class(std::string_view word);
// Whose queue the step stands in.
Pipe sync_pipe(const InstructionRow& row, const std::vector<std::uint8_t>& attributes);

}  // namespace ts
