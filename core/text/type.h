// The types of program text, each kept once.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/isa/dtype.h"
#include "core/isa/target.h"
#include "core/tile/tile_type.h"

namespace ts::text {

// Scalars as text tells them apart. i8 and si8 have the same bits and stay two spellings.
// clang-format off
enum class ScalarKind : std::uint8_t {
  I1, I4, I8, I16, I32, I64, SI4, SI8, SI16, SI32, SI64, UI4, UI8, UI16, UI32, UI64, Index,
  F16, BF16, F32, F64, TF32, F8E4M3, F8E4M3FN, F8E5M2, F8E8M0FNU, F4E2M1FN, HIF8,
  F8E8M0, HIF8X2, F4E2M1X2, F4E1M2X2, BF16X2,  // of the dialect, as HIF8: !pto.f8E8M0; x2 are two in one element
};
// clang-format on
// Of 4 bits there are two words: f4E2M1FN is one number, !pto.f4E2M1x2 a byte of two. Pointers and registers count what the
// word says; tiles and views count numbers in either case (unverified).
const char* name(ScalarKind kind);                        // as printed: "ui8", "f8E4M3FN", "index"
std::optional<ScalarKind> scalar_kind(std::string_view);  // also the old spellings: int8, u8, half, float
std::uint32_t bits(ScalarKind kind);                      // index: 64
bool is_float(ScalarKind kind);
// The element type that emulated instructions know, where there is one: of pairs that of one number. iN is signed; i1 and index have none.
std::optional<DType> dtype(ScalarKind kind);

enum class TypeKind : std::uint8_t {
  Scalar,         // scalar
  None,           // none
  Tile,           // !pto.tile_buf<...>, or !pto.tile<16x16xf32> (short_tile)
  TensorView,     // !pto.tensor_view<16x?xf32>: dims, scalar
  PartitionView,  // !pto.partition_tensor_view<...>; old: !pto.tile_view
  Ptr,            // !pto.ptr<f32, ub>: scalar, space; spelled without a space: space = gm
  Vreg,           // !pto.vreg<64xf32>: dims[0] lanes, scalar
  Mask,           // !pto.mask<b32>: mask_bits; 0: !pto.mask, what makes it says for which lanes
  Simple,         // !pto.align and the like: word
  EventArray,     // !pto.eventid_array<4>: dims[0]
  LocalArray,     // !pto.local_array<4x32xi32>: dims, scalar
  MultiTile,      // !pto.multi_tile_buf<vec, 16x64xf32, count=2>: as Tile, dims[0] slots
  Struct,         // !pto.struct<i32, f32>: inputs
  Memref,  // memref<16x16xf16, strided<[..], offset: ..>, #pto.address_space<gm>>: dims, scalar, word = the rest as spelled
  Vector,    // vector<4xi16>: dims, scalar
  Function,  // (inputs) -> (results)
  Elided,    // !pto.tile<...> (short_tile), !pto.tile_buf<...>, !pto.tile<RxCxf32>, dtype: documents only; word
};

using TypeId = std::uint32_t;

struct Type {
  TypeKind kind = TypeKind::None;
  ScalarKind scalar = ScalarKind::F32;
  bool short_tile = false;   // spelled !pto.tile<...>, of no location
  bool predicate = false;    // a tile of i1: packed bits
  std::uint8_t compact = 0;  // of a tile: 0 null, 1 normal, 2 row_plus_one
  std::uint8_t mask_bits = 0;
  TileType tile = {};  // of a tile; its dtype is that of scalar, or unsigned of its size where there is none
  std::vector<std::int64_t> dims = {};  // kDynamic (-1) for `?`; of a tile only where a short one has not two
  std::string word = {};  // Ptr: the space as printed (ub, gm, l1, ...); Simple; Memref: the rest; Elided: all of it
  std::vector<TypeId> inputs = {}, results = {};  // of a function type; of a struct its fields
  bool operator==(const Type&) const = default;
};

// How a text writes a tile's type. It is the same type.
//   Compact  !pto.tile_buf<vec, 16x64xf32, valid=?x64>
//   Keyed    !pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=64, v_row=?, v_col=64, ...>
// Bare: without its name, where the operation knows that a tile stands there.
enum class TypeSpelling : std::uint8_t { Compact, Keyed, Bare, KeyedBare };

class TypeTable {
 public:
  TypeId add(const Type& type);  // the number of an equal type, or a new one
  const Type& operator[](TypeId id) const { return types_[id]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(types_.size()); }
  std::string print(TypeId id) const;  // the compact spelling, by which types are told apart
  std::string print(const Type& type, TypeSpelling spelling = TypeSpelling::Compact) const;

 private:
  std::deque<Type> types_;
  std::unordered_map<std::string, TypeId> by_print_;
};

}  // namespace ts::text
