// The border between a compiled kernel and TileScope: the memory both map, and what the kernel writes into it. Plain data
// only, the same for every compiler and standard; `kVersion` changes with it.
//
// The kernel runs in a process of its own. It writes records into a ring; TileScope makes a step of each call. Where the
// kernel looks at memory itself (a pointer, GetValue), it waits until everything it asked for is done.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ts_border {

constexpr std::uint32_t kMagic = 0x54535043, kVersion = 7;

// Memories of a core stand at multiples of 4 GiB, so that the low half of a pointer is the address in the memory. Global
// buffers stand behind them, each between pages that nobody may touch.
constexpr std::uint64_t kSpaceBase = 0x100000000000, kSpaceDistance = 0x100000000, kGlobalBase = 0x200000000000;
constexpr std::uint32_t kSpaces = 8;   // by Loc
constexpr std::uint32_t kPage = 4096;  // that the host protects
constexpr std::uint32_t kMostBuffers = 1024, kMostArguments = 64, kMostOperands = 24, kMostDirty = 65536;
constexpr std::uint32_t kRing = 1u << 20;  // bytes
// How often one side looks whether the other has done something before it sleeps: some microseconds, which an answer takes
// that comes at once. To sleep and to be woken takes several times as long.
constexpr int kSpins = 3000;

// Where a tile stands; the number of its memory, too.
enum class Loc : std::uint8_t { Vec, Mat, Left, Right, Acc, Bias, Scaling, ScaleLeft };
// Which core of a block a process is; one that is no single kind of core is all of them at once.
enum class Core : std::uint32_t { Joint, Cube, Vector };
// Types of elements, in the order of the table of formats in core/isa.
enum class Type : std::uint8_t {
  I8,
  U8,
  I16,
  U16,
  I32,
  U32,
  I64,
  U64,
  F16,
  BF16,
  F32,
  F8E4M3,
  F8E5M2,
  HIF8,
  E8M0,
  E2M1,
  E1M2,
  I4,
  U4,
  None
};
// In the order of core/tile/operands.h.
enum class Layout : std::uint8_t { Nd, Dn, Nz, Nhwc, Nchw, Ncdhw, Nc1hwc0, Ndc1hwc0, FractalZ, FractalZ3d };

enum class OperandKind : std::uint8_t {
  Tile,
  View,
  Integer,  // bits: of 64, signed
  Number,   // bits: of a double
  Option,   // bits: the value; type: which kind of option (tilescope/options.h), 0: a plain number
  Address,  // bits: a host pointer
};

// What a call is given, by the order of its C++ arguments; options of the template before and behind them.
struct Operand {
  OperandKind kind;
  Type type;
  Loc loc;
  std::uint8_t blayout, slayout;  // 0 row, 1 column; 0 none, 1 row, 2 column
  std::uint8_t pad, layout;       // see PadValue; of a view
  std::uint8_t option;
  std::uint8_t conv;   // of a tile of the convolution unit: its Layout; else 0
  std::uint8_t place;  // of a tile: 0 it has none, 1 by the kernel, 2 it was given one
  std::uint32_t fractal;
  std::uint32_t rows, cols;
  std::int32_t static_rows, static_cols;  // valid; -1: the object says how much
  std::int64_t valid_rows, valid_cols;    // now
  std::uint64_t bits;                     // number; of a tile its address, of a view its pointer
  std::uint64_t object;                   // of a tile: which one, of all that there were
  std::int64_t shape[6], stride[5];       // of a view; of a tile of the convolution unit its dimensions, 0: no more
};

enum class RecordKind : std::uint32_t {
  Site,   // a place in the source: text `op`, `file`, `function`; from now on known by its number
  Call,   // an instruction
  Get,    // GetValue: the first operand is the tile, the second the element's place in its storage; waits for an answer
  Open,   // from now on the kernel looks at memory itself; waits until all of it is there
  Poll,   // the kernel looked at memory, and will look again: other cores go on before
  Block,  // the next block begins; of a main in a run that computes nothing, the last one of a launch
  Failed,  // the kernel ends by itself: exit, exception, signal; `site` the last place, then Failure
  Done,    // the end
  // Of a main on the host, with a place, and a DeviceRange or a text.
  Allocated,  // memory of the device; only in a run that computes nothing
  Written,    // the main copied into memory of the device
  Wanted,     // the main copies out of it, and waits until the bytes are there
  Wrong,      // what the main itself found wrong, or did wrong
  Meet,       // of a main that runs in several processes: waits until all of them came here
};

struct Record {
  std::uint32_t bytes;  // of all of it, a multiple of 8
  RecordKind kind;
  std::uint32_t site;   // number of the place; of a Block its number
  std::uint32_t count;  // of operands; of a Site the bytes of its three texts together, each with a 0 behind it
  std::uint32_t line, column;
};

// Return addresses, the innermost first; 0: no more.
struct SiteChain {
  std::uint64_t address[12];
};

// Of a Meet, as its count.
enum class MeetKind : std::uint32_t { Copy, Launch, Synchronise };
// Of what is Wrong, as its count.
enum class WrongKind : std::uint32_t { Call, Test, Status };
struct DeviceRange {
  std::uint64_t pointer, bytes;
};

// How a kernel ended by itself.
struct Failure {
  std::int32_t signal;    // 0: none
  std::int32_t status;    // of exit
  std::uint64_t address;  // that was touched
  SiteChain stack;
  char text[256];  // of an exception, and the like
};

struct Buffer {
  std::uint64_t pointer;  // in the kernel
  std::uint64_t bytes;
  std::uint64_t file_offset;                            // of its first byte, in the shared file
  std::uint64_t page_pointer, page_bytes, page_offset;  // the whole pages that it is in
};

// At the beginning of a core's part of the shared file. Counters go on for ever; the ring has their value modulo its size.
struct Shared {
  std::uint32_t magic, version, header_bytes;
  // Written by the kernel / done by TileScope.
  std::uint32_t written, done;
  std::uint32_t kernel_sleeps, host_sleeps;
  std::uint32_t kernel_wants;  // what has to be done before the kernel is woken
  // 1: the kernel looks at memory itself, and every call waits until it is done.
  std::uint32_t open;
  std::uint32_t asked_blocks;  // 1: of how many blocks it is, and nobody said
  // Of all blocks those that this process runs; as which core, the how-manieth of its kind, of how many.
  std::uint32_t first_block, own_blocks;
  Core core;
  std::uint32_t sub_core, sub_cores;
  std::uint32_t together;  // 1: others run beside this process, and wait for each other
  std::uint32_t sizing;    // 1: nothing is computed, and whoever allocates says how much
  // Pages that the kernel wrote by itself, by their number in the shared file.
  std::uint32_t dirty_count;
  std::uint64_t answer;
  // The launch.
  std::uint32_t entry, blocks, buffers, arguments;
  std::uint64_t space_bytes[kSpaces], space_offset[kSpaces];
  std::uint64_t argument[kMostArguments];  // pointers and bits of numbers
  Buffer buffer[kMostBuffers];
  std::uint32_t dirty[kMostDirty];
  alignas(64) unsigned char ring[kRing];
};

}  // namespace ts_border
