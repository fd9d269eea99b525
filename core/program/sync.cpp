// Rows of synchronisation.
#include "core/program/sync.h"

#include <algorithm>
#include <iterator>

#include "core/text/ops/op_table.h"

namespace ts {
namespace {

constexpr const char* kPipes =
    "PIPE_S|PIPE_V|PIPE_M|PIPE_MTE1|PIPE_MTE2|PIPE_MTE3|PIPE_ALL|PIPE_MTE4|PIPE_MTE5|PIPE_V2|PIPE_FIX";
constexpr Pipe kPipeOf[] = {Pipe::S,    Pipe::V,    Pipe::M,    Pipe::Mte1, Pipe::Mte2, Pipe::Mte3,
                            Pipe::None, Pipe::None, Pipe::None, Pipe::V,    Pipe::Fix};
constexpr const char* kEvents = "EVENT_ID0|EVENT_ID1|EVENT_ID2|EVENT_ID3|EVENT_ID4|EVENT_ID5|EVENT_ID6|EVENT_ID7";
constexpr const char* kFlags = "0|1|2|3|4|5|6|7|8|9|10|11|12|13|14|15|16|17|18|19|20|21|22|23|24|25|26|27|28|29|30|31";
constexpr const char* kClasses =
    "TLOAD|TSTORE_VEC|TSTORE_ACC|TMOV_M2L|TMOV_M2B|TMOV_M2S|TMOV_M2V|TMOV_V2M|TMATMUL|TVEC|TVECWAIT_EVENT";
constexpr Pipe kClassPipe[] = {Pipe::Mte2, Pipe::Mte3, Pipe::Fix, Pipe::Mte1, Pipe::Mte1, Pipe::Fix,
                               Pipe::V,    Pipe::Fix,  Pipe::M,   Pipe::V,    Pipe::V};

DTypeSet all_types(Target, const Options&) { return kAllTypes; }

InstructionRow row(const char* name, const char* summary, std::vector<AttributeSpec> attributes,
                   Effect effect = Effect::None, const char* typed_by = "") {
  return {.name = name,
          .summary = summary,
          .forms = {{"", {}, ""}},
          .attributes = std::move(attributes),
          .typed_by = typed_by,
          .types = all_types,
          .type_rules = {"", ""},
          .pipe = Pipe::None,
          .effect = effect,
          .machines = {}};
}

}  // namespace

const InstructionRow kSetFlag = row("set_flag", "raises a flag from one pipe for another",
                                    {{"src_pipe", kPipes}, {"dst_pipe", kPipes}, {"event", kEvents}});
const InstructionRow kWaitFlag = row("wait_flag", "holds a pipe until the flag is raised",
                                     {{"src_pipe", kPipes}, {"dst_pipe", kPipes}, {"event", kEvents}});
const InstructionRow kBarrier = row("barrier", "waits until a pipe has nothing left to do", {{"pipe", kPipes}});
const InstructionRow kGetBuffer = row("get_buf", "holds a pipe until earlier users of a buffer's number gave it back",
                                      {{"pipe", kPipes}, {"mode", "0|1"}, {"id", kFlags}});
const InstructionRow kReleaseBuffer = row("rls_buf", "gives a buffer's number back, once a pipe's earlier work is done",
                                          {{"pipe", kPipes}, {"mode", "0|1"}, {"id", kFlags}});
const InstructionRow kMemoryBarrier =
    row("mem_bar", "orders loads and stores of UB in a region of vector instructions",
        {{"order", "VV_ALL|VST_VLD|VLD_VST|VST_VST|VS_ALL|VST_LD|VLD_ST|VST_ST|SV_ALL|ST_VLD|LD_VST|ST_VST"}});
const InstructionRow kRecordEvent = row("record_event", "raises an event from one class of operations for another",
                                        {{"src_op", kClasses}, {"dst_op", kClasses}, {"event", kEvents}});
const InstructionRow kWaitEvent = row("wait_event", "holds a class of operations until the event is raised",
                                      {{"src_op", kClasses}, {"dst_op", kClasses}, {"event", kEvents}});
const InstructionRow kBeginBlock =
    row("begin_block", "a block starts on a core of its own: its memories hold nothing yet", {}, Effect::StartsBlock);

const InstructionRow kSetCoreFlag =
    row("sync.set", "sets a flag for another core of the block, once a pipe's earlier work is done",
        {{"pipe", kPipes}, {"ffts_mode", "0|1|2"}, {"mirrored", "no|yes"}, {"id", kFlags}});
const InstructionRow kWaitCoreFlag =
    row("sync.wait", "waits for a flag of another core of the block", {{"pipe", kPipes}, {"id", kFlags}});
const InstructionRow kMeet = row("syncall", "waits until the cores of all blocks are there",
                                 {{"mode", "hard|soft"}, {"core_type", "aiv_only|aic_only|mix"}});

const InstructionRow kWaitForDevice =
    row("comm.twait", "waits until a signal compares true", {{"cmp", "eq|ne|lt|le|gt|ge"}}, Effect::None, "signal");
const OperandSpec kSignalOperand{.name = "signal", .role = Role::In, .kind = OperandKind::Global};
const OperandSpec kAwaitedNumber{"value", Role::Scalar, OperandKind::Scalar};

const InstructionRow kCacheInvalid = row("cacheinvalid", "lets the scalar unit's cache forget what it holds", {});
const InstructionRow kPrint = row("print", "shows a value; nothing changes", {}, Effect::None, "src");

const OperandSpec kPrintedTile{.name = "src", .role = Role::In, .any_loc = true};
const OperandSpec kPrintedView{.name = "src", .role = Role::In, .kind = OperandKind::Global};
const OperandSpec kPrintedNumber{.name = "src", .role = Role::Scalar, .kind = OperandKind::Scalar};
const OperandSpec kEventOperand{"event", Role::Scalar, OperandKind::Scalar};
const OperandSpec kFlagOperand{"id", Role::Scalar, OperandKind::Scalar};
const OperandSpec kCoresOperand{"cores", Role::Scalar, OperandKind::Scalar};
const OperandSpec kWorkspaceOperand{.name = "workspace", .role = Role::In, .kind = OperandKind::Global};

const InstructionRow* sync_row(text::OpKind kind) {
  switch (kind) {
    case text::OpKind::SetFlag: return &kSetFlag;
    case text::OpKind::WaitFlag: return &kWaitFlag;
    case text::OpKind::Barrier: return &kBarrier;
    case text::OpKind::GetBuffer: return &kGetBuffer;
    case text::OpKind::ReleaseBuffer: return &kReleaseBuffer;
    case text::OpKind::MemoryBarrier: return &kMemoryBarrier;
    case text::OpKind::SetCoreFlag: return &kSetCoreFlag;
    case text::OpKind::WaitCoreFlag: return &kWaitCoreFlag;
    case text::OpKind::SyncAll: return &kMeet;
    case text::OpKind::WaitForDevice: return &kWaitForDevice;
    case text::OpKind::CacheInvalid: return &kCacheInvalid;
    case text::OpKind::Print: return &kPrint;
    case text::OpKind::RecordEvent: return &kRecordEvent;
    case text::OpKind::WaitEvent: return &kWaitEvent;
    default: return nullptr;
  }
}

const InstructionRow* find_sync(std::string_view name) { return sync_row(text::kind_of(text::find_op(name))); }

int sync_value(const AttributeSpec& attribute, std::string_view word) {
  if (const auto number = value_number(attribute.values, word)) return *number;
  if (std::string_view(attribute.values) == kPipes)
    if (const auto number = value_number(attribute.values, "PIPE_" + std::string(word))) return *number;
  return -1;
}

const char* comparison_sign(const std::vector<std::uint8_t>& attributes) {
  constexpr const char* kSigns[] = {"==", "!=", "<", "<=", ">", ">="};
  return kSigns[attributes.front()];
}

int pipe_of_class(std::string_view word) {
  const auto number = value_number(kClasses, word);
  if (!number) return -1;
  return static_cast<int>(std::ranges::find(kPipeOf, kClassPipe[*number]) - std::begin(kPipeOf));
}

Pipe sync_pipe(const InstructionRow& row, const std::vector<std::uint8_t>& attributes) {
  if (&row == &kSetFlag || &row == &kBarrier || &row == &kSetCoreFlag || &row == &kWaitCoreFlag ||
      &row == &kGetBuffer || &row == &kReleaseBuffer)
    return kPipeOf[attributes[0]];
  if (&row == &kWaitFlag) return kPipeOf[attributes[1]];
  if (&row == &kRecordEvent) return kClassPipe[attributes[0]];
  if (&row == &kWaitEvent) return kClassPipe[attributes[1]];
  if (&row == &kMemoryBarrier) return Pipe::V;
  return row.pipe;
}

}  // namespace ts
