// Moving tiles between global memory and the core, and giving tiles their addresses.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/instructions/data_movement.cpp"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "core/instructions/cube/cube_moves.h"
#include "core/instructions/cube/map_transfer.h"
#include "core/instructions/cube/paths.h"
#include "core/instructions/family-inl.h"
#include "core/instructions/transfer.h"

// TLOAD dst, src:  dst[r][c] = view[r][c] over dst's valid region.
// TSTORE dst, src: view[r][c] = src[r][c] over src's valid region, or += by attribute; nothing else of the view changes.
HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

// Evenly spaced runs of bytes, as one DMA instruction takes them.
struct Burst {
  std::uint32_t n, len;       // runs, bytes of each
  std::uint32_t gm, on_chip;  // of the first one
  std::uint64_t gm_stride;    // bytes from run to run
  std::uint32_t on_chip_stride;
};

inline constexpr std::uint32_t kMostBursts = 4095;

// Rows of a row-major tile or columns of a col-major one. Lines of a view are evenly spaced as long as its third-last
// dimension lasts, so each such group is a burst of its own.
template <class F>
void for_line_bursts(const TileRef& tile, const GlobalRef& view, Extent extent, F f) {
  const bool rows = view.layout == GlobalLayout::ND;
  const std::size_t inner = rows ? 3 : 4;
  const std::uint32_t size = tile.elem_bytes(), lines = rows ? extent.rows : extent.cols,
                      elements = rows ? extent.cols : extent.rows;
  const std::uint32_t pitch = tile.type.line_pitch() * size;
  const std::uint32_t most =
      pitch % BLK == 0 ? kMostBursts : 1;  // a vector laid across: no whole blocks between its lines
  for (std::uint32_t line = 0; line < lines && elements > 0;) {
    const std::uint32_t n = std::min({view.shape[inner] - line % view.shape[inner], lines - line, most});
    const auto gm = static_cast<std::uint32_t>(rows ? view.at(line, 0) : view.at(0, line));
    f(Burst{n, elements * size, gm, tile.address + line * pitch, std::uint64_t{view.stride[inner]} * size, pitch});
    line += n;
  }
}

// Columns of blocks, 16 rows a box and boxes below each other on both sides.
template <class F>
void for_group_bursts(const TileRef& tile, const GlobalRef& view, F f) {
  const std::uint32_t size = tile.elem_bytes(), lanes = BLK / size, groups = (tile.valid_cols + lanes - 1) / lanes;
  const std::uint32_t column = tile.strip_bytes();
  for (std::uint32_t group = 0; group < groups && tile.valid_rows > 0;) {
    const std::uint32_t n = std::min(view.shape[1] - group % view.shape[1], groups - group);
    f(Burst{n, tile.valid_rows * BLK, static_cast<std::uint32_t>(view.at(0, group * lanes)),
            tile.address + group * column, std::uint64_t{view.stride[1]} * size, column});
    group += n;
  }
}

// Lines of elements that go into boxes: f(bytes from group to group, from line to line, from element to element, lines, elements).
template <class F>
void fractal_shape(TransferKind kind, const TileRef& tile, const GlobalRef& view, Extent extent, F f) {
  const std::uint64_t size = tile.elem_bytes();
  if (extent.rows == 0 || extent.cols == 0) return;
  if (kind == TransferKind::NdToNz) return f(tile.strip_bytes(), view.stride[3] * size, size, extent.rows, extent.cols);
  if (kind == TransferKind::DnToZn) return f(tile.strip_bytes(), view.stride[4] * size, size, extent.cols, extent.rows);
  f(tile.strip_bytes(), size, view.stride[4] * size, extent.rows, extent.cols);
}

inline std::uint32_t to_block_end(std::uint32_t len) { return (len + BLK - 1) / BLK * BLK - len; }

struct TloadA5 {
  template <class M>
  static void lower(M& m, const Bound& bound) {
    const TileRef dst = in_bytes(bound.tile("dst"));
    const GlobalRef src = in_bytes(bound.global("src"));
    const TransferKind kind = transfer_kind(dst.type, src);
    const Extent extent = transfer_extent(dst, src, bound.options->load_view_rows != 0);
    const Space space = dst.space();
    if (kind == TransferKind::Map) {
      load_map(m, dst, src);
    } else if (kind == TransferKind::Lines) {
      const bool padded = dst.type.pad != PadKind::Null,
                 to_line_end = padded && space == Space::Ub && !bound.options->pad_to_block;
      for_line_bursts(dst, src, extent, [&](const Burst& b) {
        const std::uint32_t tail = to_line_end ? b.on_chip_stride - b.len : to_block_end(b.len);
        m.mte_gm(space, {b.gm}, b.on_chip, b.len, b.n, b.gm_stride, b.on_chip_stride,
                 {tail, padded ? tail : 0, dst.type.pad_bits()});
      });
    } else if (kind == TransferKind::Scales) {
      const std::uint32_t bytes = bytes_of_scales(dst);
      if (bytes != 0) m.mte_gm(space, {src.address}, dst.address, bytes, 1, bytes, bytes, {0, 0, 0});
    } else if (kind == TransferKind::Groups) {
      for_group_bursts(dst, src, [&](const Burst& b) {
        m.mte_gm(space, {b.gm}, b.on_chip, b.len, b.n, b.gm_stride, b.on_chip_stride, {0, 0, 0});
      });
    } else {
      fractal_shape(kind, dst, src, extent,
                    [&](std::uint32_t group, std::uint64_t line, std::uint64_t element, std::uint32_t lines,
                        std::uint32_t elements) {
                      m.mte_gm_l1_frac(kind == TransferKind::DnToNz ? "dn2nz" : "nd2nz", {src.address}, dst.address,
                                       group, line, element, lines, elements);
                    });
    }
  }

 private:
  template <class M>
  static void load_map(M& m, const TileRef& dst, const GlobalRef& src) {
    if (is_same_map(dst.type, src.layout))
      return for_map_bursts(dst, src, [&](const MapBurst& b) {
        m.mte_gm(dst.space(), {static_cast<std::uint32_t>(b.gm)}, b.on_chip, b.len, b.n, b.gm_stride, b.on_chip_stride,
                 {0, 0, 0});
      });
    for_map_lines(dst, src, [&](const MapLines& l) {
      m.mte_gm_l1_frac(src.layout == GlobalLayout::NHWC ? "nd2nz" : "dn2nz", {static_cast<std::uint32_t>(l.gm)},
                       l.on_chip, l.group_stride, l.line_stride, l.channel_stride, l.lines, l.channels);
    });
  }
};

struct TloadA2A3 {
  template <class M>
  static void lower(M& m, const Bound& bound) {
    const TileRef dst = in_bytes(bound.tile("dst"));
    const GlobalRef src = in_bytes(bound.global("src"));
    const TransferKind kind = transfer_kind(dst.type, src);
    const Extent extent = transfer_extent(dst, src, bound.options->load_view_rows != 0);
    const auto burst = [&](const Burst& b) {
      if (dst.space() == Space::L1) return to_l1(m, dst, b);
      const std::uint32_t rest = to_block_end(b.len);
      const std::uint32_t right = dst.type.pad == PadKind::Null ? 0 : rest / dst.elem_bytes();
      m.copy_gm_to_ubuf_align({b.on_chip}, {b.gm}, b.n, b.len, right, dst.type.pad_bits(), b.gm_stride - b.len,
                              (b.on_chip_stride - b.len - rest) / BLK);
    };
    if (kind == TransferKind::Map) {
      for_map_bursts(dst, src, [&](const MapBurst& b) {
        m.copy_gm_to_cbuf(b.on_chip, {static_cast<std::uint32_t>(b.gm)}, b.n, b.len / BLK, b.gm_stride,
                          b.on_chip_stride);
      });
    } else if (kind == TransferKind::Lines) {
      for_line_bursts(dst, src, extent, burst);
    } else if (kind == TransferKind::Groups) {
      for_group_bursts(dst, src, burst);
    } else {
      fractal_shape(kind, dst, src, extent,
                    [&](std::uint32_t group, std::uint64_t line, std::uint64_t element, std::uint32_t lines,
                        std::uint32_t elements) {
                      m.copy_gm_to_cbuf_multi_nd2nz(dst.address, {src.address}, group, line, element, lines, elements);
                    });
    }
  }

 private:
  // Whole blocks; a single line of any length goes the way of the boxes, which stand side by side then.
  template <class M>
  static void to_l1(M& m, const TileRef& dst, const Burst& b) {
    const std::uint32_t size = dst.elem_bytes();
    if (b.len % BLK == 0) return m.copy_gm_to_cbuf(b.on_chip, {b.gm}, b.n, b.len / BLK, b.gm_stride, b.on_chip_stride);
    m.copy_gm_to_cbuf_multi_nd2nz(b.on_chip, {b.gm}, BLK, b.gm_stride, size, 1, b.len / size);
  }
};

// What both targets' stores share: `burst` moves one burst.
template <class M, class F>
void store_tile(M& m, const Bound& bound, F burst) {
  TileRef src = in_bytes(bound.tile("src"));
  const GlobalRef dst = in_bytes(bound.global("dst"));
  const bool adding = bound.attribute("atomicType") != 0;
  if (adding) m.set_atomic_add();
  if (dst.layout == GlobalLayout::NZ) {
    for_group_bursts(src, dst, burst);
  } else {
    if (is_vector(src.type)) src.type = laid_out_as(src.type, dst.layout);
    if (fills_rows(src, dst)) src = in_rows_of(src, dst);
    for_line_bursts(src, dst, {src.valid_rows, src.valid_cols}, burst);
  }
  if (adding) m.set_atomic_none();
}

struct TstoreA5 {
  template <class M>
  static void lower(M& m, const Bound& bound) {
    const bool adding = bound.attribute("atomicType") != 0;
    store_tile(m, bound, [&](const Burst& b) {
      m.mte_ub_gm({b.on_chip}, {b.gm}, b.len, b.n, b.on_chip_stride, b.gm_stride, adding);
    });
  }
};

struct TstoreA2A3 {
  template <class M>
  static void lower(M& m, const Bound& bound) {
    const bool adding = bound.attribute("atomicType") != 0, from_l1 = bound.tile("src").space() == Space::L1;
    store_tile(m, bound, [&](const Burst& b) {
      if (from_l1) return m.copy_cbuf_to_gm({b.gm}, b.on_chip, b.n, b.len / BLK, b.on_chip_stride, b.gm_stride, adding);
      const std::uint32_t rounded = b.len + to_block_end(b.len);
      m.copy_ubuf_to_gm_align({b.gm}, {b.on_chip}, b.n, b.len, b.n == 1 ? 0 : (b.on_chip_stride - rounded) / BLK,
                              b.gm_stride - b.len, adding);
    });
  }
};

// TASSIGN gives a tile its address; no byte moves.
struct Tassign {
  template <class M>
  static void lower(M&, const Bound&) {}
};

TS_LOWERINGS(tload, On<Target::A5, TloadA5, ByWidth>, On<Target::A2A3, TloadA2A3, ByWidth>);
// What nothing is added to is stored by its width.
TS_LOWERINGS(tstore, On<Target::A5, TstoreA5, WidthList<std::uint8_t>>, On<Target::A5, TstoreA5, ByType>,
             On<Target::A2A3, TstoreA2A3, ByType>);
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

// The rule ids of one instruction: layouts, element sizes, shapes, bounds.
struct TransferIds {
  const char *layout, *size, *shape, *bounds;
};

// Shared exponents; text has no other name for their bytes than those of integers.
constexpr DTypeSet kExponents{DType::E8M0, DType::I8, DType::U8};

// A combination of layouts that the DMA has, with what it does not read being what it takes for granted.
bool check_layouts(RuleCheck& check, const char* tile_name, const char* view_name, const TransferIds& ids,
                   bool storing) {
  const TileRef& tile = check.tile(tile_name);
  const GlobalRef& view = check.bound().global(view_name);
  const bool a5 = check.target() == Target::A5, mat = tile.type.loc == TileLoc::Mat;
  TransferKind kind = transfer_kind(tile.type, view);
  if (storing && is_vector(tile.type) && view.layout != GlobalLayout::NZ) kind = TransferKind::Lines;
  const bool fractal = kind == TransferKind::NdToNz || kind == TransferKind::DnToZn || kind == TransferKind::DnToNz;
  const bool fits = kind != TransferKind::None && kind != TransferKind::Map && !(fractal && (!mat || storing)) &&
                    !(kind == TransferKind::DnToNz && (!a5 || is_packed(tile.type.dtype))) &&
                    !(kind == TransferKind::Scales && (storing || !a5 || !kExponents.contains(tile.type.dtype))) &&
                    !(tile.elem_bytes() == 8 && kind != TransferKind::Lines);
  const auto error = [&](std::string text, std::string hint = "") {
    check.error(ids.layout, tile_name, std::move(text), std::move(hint));
    return false;
  };
  const auto out_of_reach = [&](std::string text, std::string hint) {
    error(std::move(text), std::move(hint));
    check.about(FindingKind::Reach);
    return false;
  };
  if (tile.type.loc != TileLoc::Vec && !mat)
    return out_of_reach(fmt::format("{} is in {}", tile_name, name(tile.type.loc)), "vec or mat");
  if (storing && mat && a5) return out_of_reach("a5 has no store from mat", "move it to a vec tile first");
  if (!fits)
    return error(
        fmt::format("{} view and {} {} tile of {} do not go together", name(view.layout), name(tile.type.loc),
                    tile.type.layout_name(), name(tile.type.dtype)),
        "nd goes with row_major, dn with col_major, nz with nz; into mat also nd with nz, dn with zn, and on a5 dn with nz; scales of e8m0 nd with zz and nn");
  const auto unread = [&](std::size_t dimension, std::uint32_t expected) {
    if (view.stride[dimension] == expected || view.shape[dimension] <= 1) return true;
    check.error(ids.layout, view_name,
                fmt::format("stride {} of dimension {} is not {}; the DMA does not read it", view.stride[dimension],
                            dimension, expected));
    return false;
  };
  if (view.layout == GlobalLayout::NZ) {
    const auto lanes = static_cast<std::uint32_t>(elements_in(tile.type.dtype, BLK));
    if (view.shape[3] != 16 || view.shape[4] != lanes)
      return error(fmt::format("nz view boxes are {}x{}, need 16x{}", view.shape[3], view.shape[4], lanes));
    if (!unread(4, 1) || !unread(3, lanes) || !unread(2, 16 * lanes)) return false;
  } else if (!unread(view.layout == GlobalLayout::ND ? 4 : 3, 1)) {
    return false;
  }
  if (fractal && (view.shape[0] != 1 || view.shape[1] != 1 || view.shape[2] != 1))
    return error("a view that goes into boxes has two dimensions");
  if (mat && !a5 && kind == TransferKind::Lines) {
    const bool rows = view.layout == GlobalLayout::ND;
    const auto line = static_cast<std::uint32_t>(bytes_for(tile.type.dtype, rows ? tile.valid_cols : tile.valid_rows));
    const std::uint32_t lines = rows ? tile.rows() : tile.cols();
    if (line % BLK != 0 && (lines > 1 || storing))
      return error(fmt::format("lines of {} bytes are no whole blocks; a2a3 moves blocks to and from mat", line),
                   "make the valid size a multiple of 32 bytes");
  }
  return true;
}

// Two elements share a byte, and the DMA moves bytes: each line has to begin with one.
bool lines_begin_with_bytes(RuleCheck& check, const char* view_name, const TransferIds& ids) {
  const GlobalRef& view = check.bound().global(view_name);
  for (std::size_t i = 0; is_packed(view.dtype) && i < view.stride.size(); ++i) {
    if (i == inner_dimension(view) || view.stride[i] % 2 == 0 || view.shape[i] <= 1) continue;
    check.error(ids.layout, view_name,
                fmt::format("stride {} of dimension {} ends in the middle of a byte; two {} share one", view.stride[i],
                            i, name(view.dtype)),
                "make it even");
    return false;
  }
  return true;
}

// Boxes of exponents stand in global memory as they do in the tile, whatever the view says of rows and columns.
void check_scales_inside(RuleCheck& check, const char* rule) {
  const GlobalRef& view = check.bound().global("src");
  const std::uint64_t end = std::uint64_t{view.address} + bytes_of_scales(check.tile("dst"));
  if (end > view.buffer_end)
    check.error(rule, "src",
                fmt::format("src reaches byte {} of a buffer of {}", end - view.buffer_begin,
                            view.buffer_end - view.buffer_begin),
                "exponents are loaded in whole boxes of 32 bytes, which stand one behind the other");
}

// What loads and stores share: layouts that fit, a view inside its buffer and no smaller than the valid region.
void check_transfer(RuleCheck& check, const char* tile_name, const char* view_name, const TransferIds& ids,
                    bool storing) {
  const TileRef& tile = check.tile(tile_name);
  const GlobalRef& view = check.bound().global(view_name);
  if (size_bits(view.dtype) != size_bits(tile.type.dtype)) {
    const auto size = [](DType type) { return is_packed(type) ? "1/2" : fmt::format("{}", size_bytes(type)); };
    check.error(ids.size, tile_name,
                fmt::format("element size {} here, {} in the view", size(tile.type.dtype), size(view.dtype)),
                fmt::format("{} as {}, then convert with pto.tcvt", storing ? "store" : "load", name(view.dtype)),
                "same size");
    return;
  }
  if (!storing && transfer_kind(tile.type, view) == TransferKind::Map) {
    check_map_transfer(check, ids.layout, ids.shape, ids.bounds);
    return;
  }
  if (!check_layouts(check, tile_name, view_name, ids, storing) || !lines_begin_with_bytes(check, view_name, ids))
    return;
  if (storing && fills_rows(tile, view))
    return check_inside_buffer(check, view_name, {view.rows(), view.cols()}, ids.bounds);
  if (!check_view_size(check, tile_name, view_name, ids.shape)) return;
  const bool view_rows = !storing && check.options().load_view_rows;
  if (view.rows() > tile.valid_rows || view.cols() > tile.valid_cols)
    check.warn(ids.shape, view_name,
               fmt::format("{} {}x{} is larger than {} valid {}x{}; only the valid {} move", view_name, view.rows(),
                           view.cols(), tile_name, tile.valid_rows, tile.valid_cols, view_rows ? "columns" : "region"));
  if (transfer_kind(tile.type, view) == TransferKind::Scales) return check_scales_inside(check, ids.bounds);
  Extent moved = transfer_extent(tile, view, view_rows);
  if (view.layout == GlobalLayout::NZ) moved.cols = (moved.cols + view.shape[4] - 1) / view.shape[4] * view.shape[4];
  check_inside_buffer(check, view_name, moved, ids.bounds);
}

}  // namespace

const Machines& machines_of_loads() { return tload_machines; }
const Machines& machines_of_stores() { return tstore_machines; }

Extent tload_reads(const Bound& bound, const Operand& view) {
  // Of a part of a map nobody says which rows and columns of it are read.
  if (const TileRef& dst = bound.tile("dst"); transfer_kind(dst.type, view.global) == TransferKind::Map) {
    const bool whole = !is_same_map(dst.type, view.global.layout) || map_box(dst.type, view.global).is_whole();
    return whole ? Extent{view.global.rows(), view.global.cols()} : Extent{};
  }
  return transfer_extent(bound.tile("dst"), view.global, bound.options->load_view_rows != 0);
}

void tload_rules(RuleCheck& check) {
  check_transfer(check, "dst", "src", {"TLOAD-R2", "TLOAD-R3", "TLOAD-R4", "TLOAD-R5"}, false);
}

void tstore_rules(RuleCheck& check) {
  const bool from_acc = check.tile("src").type.loc == TileLoc::Acc;
  if (const char* factor = stray_factor(check.bound()))
    return check.error("E-EMULATE", factor, "factors are emulated for sums on their way out of acc",
                       "multiply the tile with tmuls before");
  if (from_acc) tstore_from_acc_rules(check);
  else check_transfer(check, "src", "dst", {"TSTORE-R2", "TSTORE-R3", "TSTORE-R4", "TSTORE-R5"}, true);
  constexpr DTypeSet kAdding{DType::F32, DType::F16, DType::BF16, DType::I32, DType::I16, DType::I8};
  const DType type = from_acc ? check.bound().global("dst").dtype : check.tile("src").type.dtype;
  if (!from_acc && check.bound().attribute("reluPreMode") != 0)
    check.error("TSTORE-R8", "src", "relu is for sums on their way out of acc", "apply trelu to the tile");
  if (check.bound().attribute("atomicType") != 0 && !kAdding.contains(type))
    check.error("TSTORE-R6", "src", fmt::format("{} cannot be added in global memory", name(type)),
                fmt::format("atomic_add takes {}", kAdding.list()));
}

namespace {

// No document says what a factor does to a tile that holds no sums.
bool tstore_waits(const Bound& bound) { return stray_factor(bound) != nullptr; }

// The address itself obeys G3, which every tile operand is held to.
const InstructionRow tassign{
    .name = "tassign",
    .summary = "Gives a tile its address. No byte moves.",
    .forms = {{"",
               {address("address"), {.name = "tile", .role = Role::Out, .any_loc = true}},
               "TASSIGN(tile, address)"}},
    .typed_by = "tile",
    .types = any_bits,
    .type_rules = {"TASSIGN-R1", "TASSIGN-R1"},
    .pipe = Pipe::None,
    .effect = Effect::BindsAddress,
    .machines = tassign_machines,
};
const Registered tassign_registered(tassign);

const InstructionRow tload{
    .name = "tload",
    .summary = "Copies a view of global memory into a tile.",
    .forms = {{"", {global_in("src"), any_out("dst")}, "TLOAD(dst, src)"}},
    .typed_by = "dst",
    .types = every_type,
    .type_rules = {"TLOAD-R1", "TLOAD-R1"},
    .pipe = Pipe::Mte2,
    .draw = Drawing::Transfer,
    .rules = tload_rules,
    .reads_of = tload_reads,
    .moves = true,
    .machines = tload_machines,
};
const Registered tload_registered(tload);

const InstructionRow tstore{
    .name = "tstore",
    .summary = "Copies a tile's valid region to a view of global memory.",
    .forms = {{"plain", {any_in("src"), global_out("dst")}, "TSTORE(dst, src)"},
              {"scalar", {any_in("src"), scalar("factor"), global_out("dst")}, "TSTORE(dst, src, preQuantScalar)"},
              {"columns", {any_in("src"), any_in("fp"), global_out("dst")}, "TSTORE_FP(dst, src, fp)"}},
    .attributes = {{"atomicType", "atomic_none|atomic_add"},
                   {"reluPreMode", "no_relu|normal_relu"},
                   {"stPhase", "unspecified|partial|final"}},
    .typed_by = "src",
    .types = every_type,
    .type_rules = {"TSTORE-R1", "TSTORE-R1"},
    .pipe = Pipe::Mte3,
    .pipe_of = tstore_pipe,
    .draw = Drawing::Transfer,
    .rules = tstore_rules,
    .data_rules = fixpipe_data_rules<source_window>,
    .waits = tstore_waits,
    .stations = stations_of<source_window>,
    .machines = tstore_machines,
    .other_machines = tstore_from_acc,
};
const Registered tstore_registered(tstore);

}  // namespace
}  // namespace ts
#endif
