// Moving tiles between global memory and the core, and giving tiles their addresses.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/instructions/data_movement.cpp"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "core/instructions/family-inl.h"

// TLOAD dst, src:  dst[r][c] = view[r][c] over dst's valid region; row by row (nd) or column by column (dn).
// TSTORE dst, src: view[r][c] = src[r][c] over src's valid region; nothing else of the view changes.
HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

// A tile's lines (rows of a row-major tile, columns of a col-major one) and where they stand on both sides.
struct Lines {
  std::uint32_t count, elements;  // valid lines, valid elements of each
  std::uint32_t whole;            // elements of a line in the tile, padding included
  std::uint32_t tile_pitch;       // bytes from line to line in the tile
};

inline Lines lines_of(const TileRef& tile) {
  const bool rows = tile.type.row_major();
  const std::uint32_t whole = rows ? tile.cols() : tile.rows();
  return {rows ? tile.valid_rows : tile.valid_cols, rows ? tile.valid_cols : tile.valid_rows, whole, whole * tile.elem_bytes()};
}

// Lines of a view are evenly spaced as long as its third-last dimension lasts. Calls burst(first line, lines, address of
// the first, bytes from line to line) for each such group; `most` lines at a time.
template <class Burst>
void for_bursts(const GlobalRef& view, const Lines& lines, std::uint32_t most, Burst burst) {
  const bool rows = view.layout == GlobalLayout::ND;
  const std::size_t inner = rows ? 3 : 4;
  const std::uint64_t stride = std::uint64_t{view.stride[inner]} * size_bytes(view.dtype);
  for (std::uint32_t line = 0; line < lines.count;) {
    const std::uint32_t in_group = view.shape[inner] - line % view.shape[inner];
    const std::uint32_t n = std::min({in_group, lines.count - line, most});
    const auto from = static_cast<std::uint32_t>(rows ? view.at(line, 0) : view.at(0, line));
    burst(line, n, from, stride);
    line += n;
  }
}

inline constexpr std::uint32_t kMostBursts = 4095;

struct TloadA5 {
  template <class M>
  static void lower(M& m, const Bound& bound) {
    using T = typename M::T;
    const TileRef dst = bound.tile("dst");
    const GlobalRef& src = bound.global("src");
    const Lines lines = lines_of(dst);
    if (lines.count == 0 || lines.elements == 0) return;
    const auto data = static_cast<std::uint32_t>(lines.elements * sizeof(T));
    const std::uint32_t to_block = (data + BLK - 1) / BLK * BLK - data;
    const bool padded = dst.type.pad != PadKind::Null;
    const std::uint32_t tail = padded && !bound.options->pad_to_block ? lines.tile_pitch - data : to_block;
    for_bursts(src, lines, kMostBursts, [&](std::uint32_t line, std::uint32_t n, std::uint32_t from, std::uint64_t stride) {
      m.mte_gm_ub({from}, {dst.address + line * lines.tile_pitch}, data, n, stride, lines.tile_pitch,
                  {tail, padded, dst.type.pad_bits()});
    });
  }
};

struct TstoreA5 {
  template <class M>
  static void lower(M& m, const Bound& bound) {
    const TileRef src = bound.tile("src");
    const GlobalRef& dst = bound.global("dst");
    const Lines lines = lines_of(src);
    if (lines.count == 0 || lines.elements == 0) return;
    const auto data = static_cast<std::uint32_t>(lines.elements * sizeof(typename M::T));
    for_bursts(dst, lines, kMostBursts, [&](std::uint32_t line, std::uint32_t n, std::uint32_t to, std::uint64_t stride) {
      m.mte_ub_gm({src.address + line * lines.tile_pitch}, {to}, data, n, lines.tile_pitch, stride);
    });
  }
};

struct TloadA2A3 {
  template <class M>
  static void lower(M& m, const Bound& bound) {
    using T = typename M::T;
    const TileRef dst = bound.tile("dst");
    const GlobalRef& src = bound.global("src");
    const Lines lines = lines_of(dst);
    if (lines.count == 0 || lines.elements == 0) return;
    const auto data = static_cast<std::uint32_t>(lines.elements * sizeof(T));
    const std::uint32_t rounded = (data + BLK - 1) / BLK * BLK;
    const std::uint32_t right = dst.type.pad == PadKind::Null ? 0 : (rounded - data) / static_cast<std::uint32_t>(sizeof(T));
    for_bursts(src, lines, kMostBursts, [&](std::uint32_t line, std::uint32_t n, std::uint32_t from, std::uint64_t stride) {
      m.copy_gm_to_ubuf_align({dst.address + line * lines.tile_pitch}, {from}, n, data, right, dst.type.pad_bits(), stride - data,
                              (lines.tile_pitch - rounded) / BLK);
    });
  }
};

struct TstoreA2A3 {
  template <class M>
  static void lower(M& m, const Bound& bound) {
    const TileRef src = bound.tile("src");
    const GlobalRef& dst = bound.global("dst");
    const Lines lines = lines_of(src);
    if (lines.count == 0 || lines.elements == 0) return;
    const auto data = static_cast<std::uint32_t>(lines.elements * sizeof(typename M::T));
    const std::uint32_t rounded = (data + BLK - 1) / BLK * BLK;
    for_bursts(dst, lines, kMostBursts, [&](std::uint32_t line, std::uint32_t n, std::uint32_t to, std::uint64_t stride) {
      m.copy_ubuf_to_gm_align({to}, {src.address + line * lines.tile_pitch}, n, data, (lines.tile_pitch - rounded) / BLK, stride - data);
    });
  }
};

// TASSIGN gives a tile its address; no byte moves.
struct Tassign {
  template <class M>
  static void lower(M&, const Bound&) {}
};

TS_LOWERINGS(tload, On<Target::A5, TloadA5, ByWidth>, On<Target::A2A3, TloadA2A3, ByWidth>);
TS_LOWERINGS(tstore, On<Target::A5, TstoreA5, ByWidth>, On<Target::A2A3, TstoreA2A3, ByWidth>);
TS_LOWERINGS(tassign, On<Target::A5, Tassign, ByWidth>, On<Target::A2A3, Tassign, ByWidth>);

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <fmt/format.h>

namespace ts {
namespace {

TS_MACHINES(tload);
TS_MACHINES(tstore);
TS_MACHINES(tassign);

DTypeSet every_type(Target, const Options&) { return kAllTypes; }

// What loads and stores share: layouts that fit, a view inside its buffer and no smaller than the valid region.
void check_transfer(RuleCheck& check, const char* tile_name, const char* view_name, const char* const ids[4]) {
  const TileRef& tile = check.tile(tile_name);
  const GlobalRef& view = check.bound().global(view_name);
  const bool fits = (view.layout == GlobalLayout::ND && tile.type.row_major()) || (view.layout == GlobalLayout::DN && tile.type.col_major());
  if (!fits)
    check.error(ids[0], tile_name, fmt::format("{} view and {} tile do not go together", name(view.layout), tile.type.layout_name()),
                "nd goes with row_major, dn with col_major");
  if (size_bytes(view.dtype) != tile.elem_bytes())
    check.error(ids[1], view_name, fmt::format("{} {} and {} {} differ in size", view_name, name(view.dtype), tile_name, name(tile.type.dtype)));
  if (!fits || size_bytes(view.dtype) != tile.elem_bytes()) return;
  const std::size_t unread = view.layout == GlobalLayout::ND ? 4 : 3;
  if (view.stride[unread] != 1 && view.shape[unread] > 1)
    check.error(ids[0], view_name, fmt::format("stride {} of dimension {} is not 1; the DMA does not read it", view.stride[unread], unread));
  if (view.rows() < tile.valid_rows || view.cols() < tile.valid_cols) {
    check.error(ids[2], view_name, fmt::format("{} {}x{} is smaller than {} valid {}x{}", view_name, view.rows(), view.cols(), tile_name,
                                               tile.valid_rows, tile.valid_cols),
                "make the view at least as large as the valid region");
    return;
  }
  if (view.rows() > tile.valid_rows || view.cols() > tile.valid_cols)
    check.warn(ids[2], view_name, fmt::format("{} {}x{} is larger than {} valid {}x{}; only the valid region moves", view_name, view.rows(),
                                              view.cols(), tile_name, tile.valid_rows, tile.valid_cols));
  if (tile.valid_rows == 0 || tile.valid_cols == 0) return;
  const std::uint64_t end = view.at(tile.valid_rows - 1, tile.valid_cols - 1) + size_bytes(view.dtype);
  if (end > view.buffer_end || view.address < view.buffer_begin)
    check.error(ids[3], view_name, fmt::format("{} reaches byte {} of a buffer of {}", view_name, end - view.buffer_begin,
                                               view.buffer_end - view.buffer_begin),
                "check the offsets and strides of the view");
}

void tload_rules(RuleCheck& check) {
  static constexpr const char* kIds[] = {"TLOAD-R2", "TLOAD-R3", "TLOAD-R4", "TLOAD-R5"};
  check_transfer(check, "dst", "src", kIds);
}

void tstore_rules(RuleCheck& check) {
  static constexpr const char* kIds[] = {"TSTORE-R2", "TSTORE-R3", "TSTORE-R4", "TSTORE-R5"};
  check_transfer(check, "src", "dst", kIds);
}

// The address itself obeys G3, which every tile operand is held to.
const InstructionRow tassign{
    .name = "tassign",
    .summary = "Gives a tile its address. No byte moves.",
    .forms = {{"", {address("address"), {.name = "tile", .role = Role::Out, .any_loc = true}}, "TASSIGN(tile, address)"}},
    .typed_by = "tile",
    .types = every_type,
    .type_rules = {"TASSIGN-R1", "TASSIGN-R1"},
    .pipe = Pipe::None,
    .effect = Effect::BindsAddress,
    .machines = tassign_machines,
};
const Registered tassign_registered(tassign);

const InstructionRow tload{
    .name = "tload",
    .summary = "Copies a view of global memory into a tile.",
    .forms = {{"", {global_in("src"), out("dst")}, "TLOAD(dst, src)"}},
    .typed_by = "dst",
    .types = every_type,
    .type_rules = {"TLOAD-R1", "TLOAD-R1"},
    .pipe = Pipe::Mte2,
    .draw = Drawing::Transfer,
    .rules = tload_rules,
    .machines = tload_machines,
};
const Registered tload_registered(tload);

const InstructionRow tstore{
    .name = "tstore",
    .summary = "Copies a tile's valid region to a view of global memory.",
    .forms = {{"", {in("src"), global_out("dst")}, "TSTORE(dst, src)"}},
    .typed_by = "src",
    .types = every_type,
    .type_rules = {"TSTORE-R1", "TSTORE-R1"},
    .pipe = Pipe::Mte3,
    .draw = Drawing::Transfer,
    .rules = tstore_rules,
    .machines = tstore_machines,
};
const Registered tstore_registered(tstore);

}  // namespace
}  // namespace ts
#endif
