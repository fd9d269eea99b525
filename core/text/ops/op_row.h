// What program text knows of an operation: its name, its signature, and its kind, by which parser, printer and compiler
// tell what it does. None of them compares names.
#pragma once

#include <cstdint>
#include <string_view>

namespace ts {
struct InstructionRow;
}

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

// What an operation does, where more than its signature is known of it. Names that mean the same are of one kind.
// clang-format off
enum class OpKind : std::uint8_t {
  Other,  // an instruction of the catalogue, arithmetic, or nothing but a signature
  // Functions, control flow, regions.
  Module, Function, Call, Return, For, If, While, Condition, Yield, ExecuteRegion, IndexSwitch,
  VectorSection, CubeSection, VecScope, StrictVecScope, OtherRegion, BlockBranch,
  // Micro-instructions that are no steps.
  CastRegister, MemoryBarrier, ClearSpecial, SetControl,
  // Copies by pointers.
  CopyToUb, CopyFromUb, CopyToL1, OldCopyToUb, OldCopyFromUb, SetInnerLoopIn, SetOuterLoopIn, SetLoopSizesIn, SetInnerLoopOut,
  SetOuterLoopOut, SetLoopSizesOut,
  // Numbers.
  Constant, Compare, BlockIndex, BlockCount, SubblockIndex, SubblockCount,
  // Views and pointers.
  MakeView, PartitionView, ViewExtent, ViewStride, AddPointer, CastPointer, LoadScalar, StoreScalar,
  // Arrays and records of the scalar unit.
  DeclareArray, ArrayGet, ArraySet,
  // Tiles.
  AllocTile, SetValidShape, GetValidShape, ValidRows, ValidCols, Subset, Subview, AliasTile, AssignTile, AllocMemref,
  FreeMemref, AllocMultiTile, MultiTileGet, GetElement, SetElement,
  // Synchronisation.
  SetFlag, WaitFlag, Barrier, GetBuffer, ReleaseBuffer, RecordEvent, WaitEvent, SetCoreFlag, WaitCoreFlag, CacheInvalid, Fence, SyncAll, Print,
  // Queues between the cores.
  InitPipeCube, InitPipeVector, PushToVector, PushToCube, PopFromCube, PopFromVector, FreeFromCube, FreeFromVector,
  AllocToVector, AllocToCube, ReserveBuffer, ImportBuffer, SetQuantVector, SetQuantScalar,
  // Between devices.
  DeviceCopy, NotifyDevice, WaitForDevice, TestDevice, Broadcast, GatherGroup, ScatterGroup, ReduceGroup,
  PrefetchContext, BeginPrefetch, AsyncEvent,
};
// clang-format on
inline constexpr std::size_t kOpKinds = static_cast<std::size_t>(OpKind::AsyncEvent) + 1;

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
  std::string_view name;  // with its dialect: "pto.tmul"
  OpGroup group;
  std::string_view signature;
  std::string_view meaning;       // one line for people
  std::string_view current = {};  // an old name: the name to use now
  std::string_view only = {};     // "a5" or "a2a3" where one target alone has it
  OpKind kind = OpKind::Other;
  bool cube_path = false;  // the cube core has it as well, between memories of its own
  // Its attributes and clauses that take a word of a list (word_list.h): "cmp:wait_cmp", with blanks between them.
  std::string_view words = {};
  // Of micro-instructions.
  bool needs_ub = false;       // its pointers are to UB
  bool changes_width = false;  // predicate and lanes may differ in width
  std::uint8_t mask_bits = 0;  // the width of the lanes that the masks it names are for, where the name says it
  const InstructionRow* instruction = nullptr;  // of the catalogue
};

// The row, of this kind.
constexpr OpRow as(OpKind kind, OpRow row) {
  row.kind = kind;
  return row;
}

// The row, with attributes that take words of these lists.
constexpr OpRow with_words(std::string_view words, OpRow row) {
  row.words = words;
  return row;
}

}  // namespace ts::text
