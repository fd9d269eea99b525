// A checked program: its tiles, buffers and instructions, and the code that says in which order they run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/catalogue/row.h"
#include "core/memory/memory.h"
#include "core/program/code.h"
#include "core/program/value.h"

namespace ts {

namespace text {
struct Tree;
enum class ScalarKind : std::uint8_t;
}  // namespace text

namespace data {
class Seeded;
}

class Kernel;

// Whose memory a tile stands in: that of the core which runs the step, or of one of its block.
enum class CoreOfBlock : std::uint8_t { Own, Cube, Vector0, Vector1 };
inline constexpr std::uint32_t kMostCores = 3;  // of a block
inline constexpr std::uint32_t kNoTile = 0xFFFFFFFFu;

struct TileDecl {
  std::string name;
  TileType type;
  std::uint32_t address = 0;
  std::uint32_t valid_rows = 0, valid_cols = 0;  // until the program says more
  bool implicit = false;                         // scratch that the text does not name
  bool alias = false;                            // stands on another tile's bytes
  bool placed = false;                           // the program says where it stands
  bool open_address = false;                     // only running tells where it stands
  bool unset = false;                            // has a valid dimension that only running tells
  bool pointed = false;                          // what one operation reaches through a pointer, at no fixed address
  std::uint8_t mask_bits = 0;                    // of a mask: the width of the lanes that it is for
  CoreOfBlock whose = CoreOfBlock::Own;
  CoreKind kind = CoreKind::Joint;   // of the cores that run the code which declares it
  std::vector<std::byte> data = {};  // of the valid region, row by row, where it is an input
  std::string written = {};          // its name in the text, where it goes by a shorter one
  bool is_called(std::string_view by) const { return by == name || (!written.empty() && by == written); }
};

// A global buffer. Bytes that `data` does not cover start as never written.
struct BufferDecl {
  std::string name;
  DType dtype = DType::F32;
  std::uint32_t elements = 0;
  std::vector<std::byte> data = {};
  // All of it, made page by page when somebody looks; `data` is empty then.
  std::shared_ptr<const data::Seeded> late = {};
  std::uint32_t address = 0;                   // in gm
  std::vector<std::uint32_t> view_shape = {};  // of the first view that is made of it
  std::uint32_t size() const { return static_cast<std::uint32_t>(bytes_for(dtype, elements)); }
};

// Where the buffer behind one of `bytes` begins. A gap is between them, so that running past one is seen and hits nobody.
inline std::uint64_t behind_buffer(std::uint64_t begin, std::uint64_t bytes) {
  constexpr std::uint64_t kAlign = 512;
  return (begin + bytes + kAlign - 1) / kAlign * kAlign + kAlign;
}

// Numbers that the scalar unit keeps beside all memories: a local array, or a record with its fields in a row.
struct ArrayDecl {
  std::string name;
  std::vector<std::int64_t> dims;
};

struct OperandUse {
  const OperandSpec* spec = nullptr;
  Slot slot = kNoSlot;
  DType dtype = DType::F32;  // of a scalar
};

// What a run has to be given: a buffer behind a pointer, the contents of a tile that nothing makes, a number.
struct ProgramInput {
  enum class Kind : std::uint8_t { Buffer, Tile, Scalar };
  std::string name;
  Kind kind = Kind::Buffer;
  std::uint32_t id = 0;  // of the buffer or tile; a scalar's slot
  text::ScalarKind scalar{};
  SourcePos pos;
};

// An argument that front ends add and a launch fills in: where in the launch a block is. Nobody has to give it.
struct HiddenInput {
  std::string name;
  Slot slot = kNoSlot;  // known where somebody gave it all the same
  text::ScalarKind scalar{};
  SourcePos pos;
};

inline constexpr std::uint32_t kNoQueueUse = 0xFFFFFFFFu;

// A place in the program that a step comes from.
struct Instruction {
  const InstructionRow* row = nullptr;
  std::uint8_t form = 0;
  bool fixed = true;  // all operands are the same whenever it runs
  SourcePos pos = {};
  std::uint32_t op = 0xFFFFFFFFu;  // in the text's tree
  std::vector<OperandUse> operands = {};
  std::vector<std::uint8_t> attributes = {};  // by the row's attributes
  std::uint32_t queue_use = kNoQueueUse;      // of a push, a pop, a free
};

// One direction of a queue between the cores of a block.
struct QueueDecl {
  std::uint32_t id = 0;
  bool to_vector = true;
  std::uint32_t slot_bytes = 0, slots = 0;
  std::uint32_t local_slots = 0;  // a2a3: of the ring that entries are copied to
  std::uint32_t first_slot = 0;   // bytes, from the beginning of its buffer in global memory
  bool by_views = false;          // a2a3: the program stores to slots and loads from them, and gives them back by tfree
  std::uint32_t reserved = 0;     // bytes, on the core that reads it; 0: nobody said
  std::optional<DType> sums = {};  // what sums become on their way
  SourcePos pos = {};
};
enum class QueueAct : std::uint8_t { Push, Pop, Free, Alloc };
// An operation that uses one.
struct QueueUse {
  QueueAct act = QueueAct::Push;
  std::uint8_t split = 0;  // 0 no, 1 rows, 2 columns, 3 and 4 the same of odd sizes
  std::uint32_t queue = 0;
  DType dtype = DType::F32;                         // of an entry
  std::uint32_t tile = kNoTile;                     // what is pushed, as far as it is valid; or what is popped
  std::uint32_t first = kNoTile, second = kNoTile;  // a5: the slots that a push fills
  TileType whole = {};                              // a5: of a slot in the cube core's memory
};

// A register that loops and branches hand on has several places, so that its next value does not go where one is that
// is still needed: the first of these tiles that no slot stands for is taken.
struct RegisterPlaces {
  std::uint32_t first = 0, count = 0;
  std::vector<Slot> handed_on;  // that may stand for one of them
};

// A core that runs the program: what it is, and where its code begins.
struct CoreDecl {
  CoreKind kind = CoreKind::Joint;
  std::uint32_t code = 0;
  bool operator==(const CoreDecl&) const = default;
};

struct Program {
  std::string name;
  Target target = Target::A5;
  Options options;
  std::vector<TileDecl> tiles;
  std::vector<BufferDecl> buffers;
  std::vector<ArrayDecl> arrays;
  std::vector<Instruction> instructions;
  std::vector<ProgramInput> inputs;
  std::vector<HiddenInput> hidden_inputs;
  std::uint32_t gm_bytes = 0;
  std::uint32_t reg_bytes = 0;  // of the registers that the text names, on each core with a vector unit
  std::uint32_t blocks = 1;
  // Of one block: a cube core before the vector cores that belong to it.
  std::vector<CoreDecl> cores = {{}};
  // Slots in global memory: of each block behind those of the block before, where the text gives all of them one buffer.
  bool private_slots = false;
  bool meets = false;  // blocks wait for each other
  // Blocks of one core run one after another, on the same memories; those of several, and those that wait for each other,
  // are all there at once.
  bool together() const { return cores.size() > 1 || meets; }
  std::uint32_t blocks_at_once() const { return together() ? blocks : 1; }
  std::uint32_t cores_at_once() const { return static_cast<std::uint32_t>(cores.size()) * blocks_at_once(); }
  // Where the memories of the cores end on the flat line; global memory stands behind them.
  std::uint64_t cores_end() const;
  MemoryMap memory_map() const;

  std::vector<Value> slots;      // as they start: constants and arguments; the others are unknown
  std::vector<ViewValue> views;  // the same, of views
  // Without code the instructions run in their order.
  std::vector<CodeOp> code;
  std::vector<QueueDecl> queues;
  std::vector<QueueUse> queue_uses;
  std::vector<RegisterPlaces> register_places;
  std::vector<Slot> code_slots;
  std::shared_ptr<const text::Tree> tree;  // of programs from text
  // What runs in the place of the code, where the program is compiled code. Its text is a list of the calls it made.
  std::shared_ptr<const Kernel> kernel;
  bool listed = false;  // the text is such a list, whether or not there is something to run

  // What it takes of the host, without its tree.
  std::size_t held_bytes() const;

  std::string text(std::size_t instruction) const;        // one line, whole
  std::string short_text(std::size_t instruction) const;  // without types
  std::string operand_name(const Operand& operand) const;
};

// "AIV0"; of several blocks "block 2 AIV0".
std::string name_of_core(const Program& program, CoreId core);

}  // namespace ts
