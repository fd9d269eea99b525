// Names of scalars, the table of types, and how a type is printed.
#include "core/text/type.h"

#include <fmt/format.h>

#include <utility>

namespace ts::text {
namespace {

struct ScalarRow {
  ScalarKind kind;
  const char* name;
  std::uint32_t bits;
  bool is_float;
  std::optional<DType> dtype;
};

constexpr ScalarRow kScalars[] = {
    {ScalarKind::I1, "i1", 1, false, {}},
    {ScalarKind::I4, "i4", 4, false, DType::I4},
    {ScalarKind::I8, "i8", 8, false, DType::I8},
    {ScalarKind::I16, "i16", 16, false, DType::I16},
    {ScalarKind::I32, "i32", 32, false, DType::I32},
    {ScalarKind::I64, "i64", 64, false, DType::I64},
    {ScalarKind::SI4, "si4", 4, false, DType::I4},
    {ScalarKind::SI8, "si8", 8, false, DType::I8},
    {ScalarKind::SI16, "si16", 16, false, DType::I16},
    {ScalarKind::SI32, "si32", 32, false, DType::I32},
    {ScalarKind::SI64, "si64", 64, false, DType::I64},
    {ScalarKind::UI4, "ui4", 4, false, DType::U4},
    {ScalarKind::UI8, "ui8", 8, false, DType::U8},
    {ScalarKind::UI16, "ui16", 16, false, DType::U16},
    {ScalarKind::UI32, "ui32", 32, false, DType::U32},
    {ScalarKind::UI64, "ui64", 64, false, DType::U64},
    {ScalarKind::Index, "index", 64, false, {}},
    {ScalarKind::F16, "f16", 16, true, DType::F16},
    {ScalarKind::BF16, "bf16", 16, true, DType::BF16},
    {ScalarKind::F32, "f32", 32, true, DType::F32},
    {ScalarKind::F64, "f64", 64, true, {}},
    {ScalarKind::TF32, "tf32", 32, true, {}},
    {ScalarKind::F8E4M3, "f8E4M3", 8, true, {}},
    {ScalarKind::F8E4M3FN, "f8E4M3FN", 8, true, DType::F8E4M3},
    {ScalarKind::F8E5M2, "f8E5M2", 8, true, DType::F8E5M2},
    {ScalarKind::F8E8M0FNU, "f8E8M0FNU", 8, true, DType::E8M0},
    {ScalarKind::F4E2M1FN, "f4E2M1FN", 4, true, DType::E2M1},
    {ScalarKind::HIF8, "!pto.hif8", 8, true, DType::HIF8},
    {ScalarKind::F8E8M0, "!pto.f8E8M0", 8, true, DType::E8M0},
    {ScalarKind::HIF8X2, "!pto.hif8x2", 16, true, {}},
    {ScalarKind::F4E2M1X2, "!pto.f4E2M1x2", 8, true, DType::E2M1},
    {ScalarKind::F4E1M2X2, "!pto.f4E1M2x2", 8, true, DType::E1M2},
    {ScalarKind::BF16X2, "!pto.bf16x2", 32, true, {}},
};

// Spellings of older pages, and of types that the hardware does not tell apart.
// clang-format off
constexpr std::pair<const char*, ScalarKind> kOldScalars[] = {
    {"int8", ScalarKind::I8},      {"int16", ScalarKind::I16},       {"int32", ScalarKind::I32},      {"int64", ScalarKind::I64},
    {"uint8", ScalarKind::UI8},    {"uint16", ScalarKind::UI16},     {"uint32", ScalarKind::UI32},    {"uint64", ScalarKind::UI64},
    {"u8", ScalarKind::UI8},       {"u16", ScalarKind::UI16},        {"u32", ScalarKind::UI32},       {"u64", ScalarKind::UI64},
    {"half", ScalarKind::F16},     {"float", ScalarKind::F32},       {"bfloat16", ScalarKind::BF16},  {"hif8", ScalarKind::HIF8},
    {"hifloat8", ScalarKind::HIF8}, {"float4_e2m1x2_t", ScalarKind::F4E2M1X2}, {"float4_e1m2x2_t", ScalarKind::F4E1M2X2},
    {"int4b_t", ScalarKind::I4},   {"f8E4M3FNUZ", ScalarKind::F8E4M3FN}, {"f8E4M3B11FNUZ", ScalarKind::F8E4M3FN},
};
// clang-format on

const ScalarRow& row(ScalarKind kind) { return kScalars[static_cast<int>(kind)]; }

std::string dim_text(std::int64_t dim) { return dim == kDynamic ? "?" : fmt::format("{}", dim); }

std::string shape_text(const std::vector<std::int64_t>& dims, ScalarKind scalar) {
  std::string text;
  for (const std::int64_t dim : dims) text += dim_text(dim) + "x";
  return text + name(scalar);
}

// mat, 1x2x8x8x16xf16, layout=nc1hwc0
std::string conv_tile_text(const Type& type) {
  const TileType& tile = type.tile;
  const std::vector<std::int64_t> dims(tile.conv_dims.begin(), tile.conv_dims.begin() + conv_rank(tile));
  return fmt::format("{}, {}, layout={}", name(tile.loc), shape_text(dims, type.scalar), name(tile.conv));
}

// vec, 16x64xf32, valid=?x64
std::string compact_tile(const Type& type) {
  const TileType& tile = type.tile;
  if (tile.conv != ConvLayout::None) return conv_tile_text(type);
  std::string text = fmt::format("{}, {}", name(tile.loc), shape_text({tile.rows, tile.cols}, type.scalar));
  if (tile.valid_rows != std::int64_t{tile.rows} || tile.valid_cols != std::int64_t{tile.cols})
    text += fmt::format(", valid={}x{}", dim_text(tile.valid_rows), dim_text(tile.valid_cols));
  if (tile.blayout == BoxOrder::ColMajor) text += ", blayout=col_major";
  if (tile.slayout != InnerOrder::None)
    text += tile.slayout == InnerOrder::RowMajor ? ", slayout=row_major" : ", slayout=col_major";
  if (tile.fractal != 512) text += fmt::format(", fractal={}", tile.fractal);
  if (tile.pad != PadKind::Null) text += fmt::format(", pad={}", static_cast<int>(tile.pad));
  if (type.compact != 0) text += fmt::format(", compact={}", type.compact);
  return text;
}

// loc=vec, dtype=f32, rows=16, ...: every key but the last, which front ends leave out where it is 0.
std::string keyed_tile(const Type& type) {
  constexpr const char *kOuter[] = {"row_major", "col_major"}, *kInner[] = {"none_box", "row_major", "col_major"};
  const TileType& tile = type.tile;
  std::string text =
      fmt::format("loc={}, dtype={}, rows={}, cols={}, v_row={}, v_col={}, blayout={}, slayout={}, fractal={}, pad={}",
                  name(tile.loc), name(type.scalar), tile.rows, tile.cols, dim_text(tile.valid_rows),
                  dim_text(tile.valid_cols), kOuter[static_cast<int>(tile.blayout)],
                  kInner[static_cast<int>(tile.slayout)], tile.fractal, static_cast<int>(tile.pad));
  if (type.compact != 0) text += fmt::format(", compact={}", type.compact);
  return text;
}

std::string tile_text(const Type& type, TypeSpelling spelling) {
  const TileType& tile = type.tile;
  const std::vector<std::int64_t> shape{tile.rows, tile.cols};
  if (type.short_tile)
    return fmt::format("!pto.tile<{}>", shape_text(type.dims.empty() ? shape : type.dims, type.scalar));
  // Tiles of the convolution unit have one spelling.
  const bool keyed =
      (spelling == TypeSpelling::Keyed || spelling == TypeSpelling::KeyedBare) && tile.conv == ConvLayout::None;
  const std::string body = keyed ? keyed_tile(type) : compact_tile(type);
  if (type.kind == TypeKind::MultiTile) return fmt::format("!pto.multi_tile_buf<{}, count={}>", body, type.dims[0]);
  const bool bare = spelling == TypeSpelling::Bare || spelling == TypeSpelling::KeyedBare;
  return fmt::format("{}<{}>", bare ? "" : "!pto.tile_buf", body);
}

}  // namespace

const char* name(ScalarKind kind) { return row(kind).name; }
std::uint32_t bits(ScalarKind kind) { return row(kind).bits; }
bool is_float(ScalarKind kind) { return row(kind).is_float; }
std::optional<DType> dtype(ScalarKind kind) { return row(kind).dtype; }

std::optional<ScalarKind> scalar_kind(std::string_view text) {
  static const auto kinds = [] {
    std::unordered_map<std::string_view, ScalarKind> by_name;
    for (const ScalarRow& r : kScalars) by_name.emplace(r.name, r.kind);
    for (const auto& [old_name, kind] : kOldScalars) by_name.emplace(old_name, kind);
    return by_name;
  }();
  const auto found = kinds.find(text);
  return found == kinds.end() ? std::nullopt : std::optional(found->second);
}

TypeId TypeTable::add(const Type& type) {
  const auto [place, is_new] = by_print_.try_emplace(print(type), size());
  if (is_new) types_.push_back(type);
  return place->second;
}

std::string TypeTable::print(TypeId id) const { return print(types_[id]); }

std::string TypeTable::print(const Type& type, TypeSpelling spelling) const {
  const auto list = [&](const std::vector<TypeId>& ids) {
    std::string text;
    for (const TypeId id : ids) text += (text.empty() ? "" : ", ") + print(id);
    return text;
  };
  switch (type.kind) {
    case TypeKind::Scalar: return name(type.scalar);
    case TypeKind::None: return "none";
    case TypeKind::Tile:
    case TypeKind::MultiTile: return tile_text(type, spelling);
    case TypeKind::TensorView: return fmt::format("!pto.tensor_view<{}>", shape_text(type.dims, type.scalar));
    case TypeKind::PartitionView:
      return fmt::format("!pto.partition_tensor_view<{}>", shape_text(type.dims, type.scalar));
    case TypeKind::Ptr:
      if (type.word == "gm") return fmt::format("!pto.ptr<{}>", name(type.scalar));
      return fmt::format("!pto.ptr<{}, {}>", name(type.scalar), type.word);
    case TypeKind::Vreg: return fmt::format("!pto.vreg<{}>", shape_text(type.dims, type.scalar));
    case TypeKind::Mask: return type.mask_bits == 0 ? "!pto.mask" : fmt::format("!pto.mask<b{}>", type.mask_bits);
    case TypeKind::Simple: return "!pto." + type.word;
    case TypeKind::LocalArray: return fmt::format("!pto.local_array<{}>", shape_text(type.dims, type.scalar));
    case TypeKind::Struct: return fmt::format("!pto.struct<{}>", list(type.inputs));
    case TypeKind::EventArray: return fmt::format("!pto.eventid_array<{}>", type.dims[0]);
    case TypeKind::Memref:
      return fmt::format("memref<{}{}{}>", shape_text(type.dims, type.scalar), type.word.empty() ? "" : ", ",
                         type.word);
    case TypeKind::Vector: return fmt::format("vector<{}>", shape_text(type.dims, type.scalar));
    case TypeKind::Function: {
      const std::string results = list(type.results);
      const bool bare = type.results.size() == 1 && types_[type.results[0]].kind != TypeKind::Function;
      return fmt::format("({}) -> {}", list(type.inputs), bare ? results : "(" + results + ")");
    }
    case TypeKind::Elided: return type.word;
  }
  return "";
}

}  // namespace ts::text
