// Tables in global memory. MGATHER: dst[r][c] = the element of the table with the number indices[r][c]; or row r of dst is
// the table's row indices[r]. MSCATTER: the other way, one element after the other; what is there is replaced, or joined.
#include "core/instructions/indexed/index_family.h"

namespace ts {
namespace {

using namespace vec;

// --- what the operands say

// A tile, or a view of global memory.
struct IndexShape {
  std::uint32_t rows, cols;
};
IndexShape index_shape(const Bound& bound) {
  const Operand& indices = *bound.find("indices");
  if (indices.spec->kind == OperandKind::Global) return {indices.global.rows(), indices.global.cols()};
  return {indices.tile.valid_rows, indices.tile.valid_cols};
}
const TileRef& data_of(const Bound& bound) { return bound.has("dst") ? bound.tile("dst") : bound.tile("src"); }
std::uint32_t indices_in_all(const IndexShape& shape) { return shape.rows * shape.cols; }

// An index for each row of the tile, or for each element: as the instruction says, else as the shapes do.
enum class Coalesce : std::uint8_t { Auto, Row, Elem };
bool by_rows(const Bound& bound) {
  const auto said = static_cast<Coalesce>(bound.attribute("coalesce"));
  if (said != Coalesce::Auto) return said == Coalesce::Row;
  const TileRef& data = data_of(bound);
  const IndexShape shape = index_shape(bound);
  if (shape.rows == data.valid_rows && shape.cols == data.valid_cols) return false;
  return indices_in_all(shape) == data.valid_rows && (shape.rows == 1 || shape.cols == 1);
}

std::uint32_t table_rows(const GlobalRef& table) {
  return table.layout == GlobalLayout::NZ ? table.shape[2] * 16
                                          : table.shape[0] * table.shape[1] * table.shape[2] * table.shape[3];
}
std::uint32_t table_elements(const GlobalRef& table) {
  std::uint32_t count = 1;
  for (const std::uint32_t size : table.shape) count *= size;
  return count;
}
std::uint32_t capacity_of(const Bound& bound) {
  return by_rows(bound) ? table_rows(bound.global("table")) : table_elements(bound.global("table"));
}
// Past the last element that an index inside may mean; 64 bits, views may be anything.
std::uint64_t reach_of(const Bound& bound) {
  const GlobalRef& table = bound.global("table");
  const std::uint64_t size = size_bytes(table.dtype);
  if (table.layout == GlobalLayout::NZ) {
    std::uint64_t last = 0;
    for (std::size_t i = 0; i < 5; ++i) last += std::uint64_t{table.shape[i] - 1} * table.stride[i];
    return (last + 1) * size;
  }
  if (!by_rows(bound)) return table_elements(table) * size;
  return (std::uint64_t{table_rows(table) - 1} *
              (bound.target == Target::A5 ? data_of(bound).valid_cols : table.stride[3]) +
          data_of(bound).valid_cols) *
         size;
}
GmTable table_of(const Bound& bound, GmOutside outside) {
  const GlobalRef& table = bound.global("table");
  GmTable out{.place = {table.address, table.buffer_end - table.address, Space::Gm, true},
              .capacity = capacity_of(bound),
              // A5 knows no pitch.
              .row_elements = bound.target == Target::A5 ? data_of(bound).valid_cols : table.stride[3],
              .outside = outside};
  if (table.layout == GlobalLayout::NZ)
    out.boxes = GmBoxes{table.shape[0] * table.shape[1] * table.shape[4], table.shape[4], table.shape[1], table.stride};
  return out;
}
IndexList list_of(const Bound& bound) {
  const Operand& indices = *bound.find("indices");
  const IndexShape shape = index_shape(bound);
  if (indices.spec->kind == OperandKind::Global) {
    const GlobalRef& view = indices.global;
    return {Space::Gm,
            view.address,
            4,
            shape.rows,
            shape.cols,
            view.at(1, 0) - view.at(0, 0),
            view.at(0, 1) - view.at(0, 0)};
  }
  const TileRef& tile = indices.tile;
  const std::uint64_t pitch = tile.pitch_bytes();
  const bool down = tile.type.col_major();
  return {tile.space(), tile.address, 4, shape.rows, shape.cols, down ? 4 : pitch, down ? pitch : 4, tile.core};
}
// Those of a row of the data.
RowIndices indices_of(const Bound& bound, std::uint32_t row) {
  const IndexList list = list_of(bound);
  if (!by_rows(bound)) return {list.space, list.address + row * list.row_step, false};
  return {list.space, list.address + row * (list.rows == 1 ? list.col_step : list.row_step), true};
}

GmOutside gather_outside(const Bound& bound) { return static_cast<GmOutside>(bound.attribute("gatherOob")); }
GmOutside scatter_outside(const Bound& bound) {
  constexpr GmOutside kOrder[] = {GmOutside::Undefined, GmOutside::Dropped, GmOutside::Clamp, GmOutside::Wrap};
  return kOrder[bound.attribute("scatterOob")];
}
TableIndices table_indices(const Bound& bound) {
  return {.entries = capacity_of(bound),
          .rows = by_rows(bound),
          .outside = bound.has("dst") ? gather_outside(bound) : scatter_outside(bound)};
}

// --- lowerings

template <class M>
void mgather(M& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst");
  const GmTable table = table_of(bound, gather_outside(bound));
  if (table.outside == GmOutside::Undefined) m.watch_indices(list_of(bound), table.capacity, false);
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row) m.gm_gather(table, dst, row, indices_of(bound, row));
}
template <class M>
void mscatter(M& m, const Bound& bound) {
  const TileRef src = bound.tile("src");
  const GmTable table = table_of(bound, scatter_outside(bound));
  const auto join = static_cast<GmJoin>(bound.attribute("scatterAtomicOp"));
  if (table.outside == GmOutside::Undefined) m.watch_indices(list_of(bound), table.capacity, join == GmJoin::Replace);
  else if (join == GmJoin::Replace) m.watch_data();
  for (std::uint32_t row = 0; row < src.valid_rows; ++row) m.gm_scatter(table, src, row, indices_of(bound, row), join);
}
void mgather_a5(A5& m, const Bound& bound) { mgather(m, bound); }
void mgather_a2a3(A2A3& m, const Bound& bound) { mgather(m, bound); }
void mscatter_a5(A5& m, const Bound& bound) { mscatter(m, bound); }
void mscatter_a2a3(A2A3& m, const Bound& bound) { mscatter(m, bound); }

// --- rules

// R3: nd tables go with row-major tiles; boxes with boxes, on a2a3, and into mat.
bool layouts_fit(RuleCheck& check, const char* data_name) {
  const TileRef& data = check.tile(data_name);
  const GlobalRef& table = check.bound().global("table");
  const bool mat = data.type.loc == TileLoc::Mat, a5 = check.target() == Target::A5;
  const bool nz =
      data.type.slayout == InnerOrder::RowMajor && data.type.blayout == BoxOrder::ColMajor && data.type.fractal == 512;
  const bool boxes = table.layout == GlobalLayout::NZ && nz && !mat && !a5;
  const bool rows = table.layout == GlobalLayout::ND && (mat ? nz : data.type.row_major());
  if (boxes || rows) return true;
  check.error(
      check.own("R3"), data_name,
      fmt::format("{} table and {} {} tile do not go together", name(table.layout), name(data.type.loc),
                  data.type.layout_name()),
      a5 ? "nd goes with row_major, and into mat with nz" : "nd goes with row_major, and into mat with nz; nz with nz");
  return false;
}
void index_rules(RuleCheck& check, const char* data_name) {
  const TileRef& data = check.tile(data_name);
  const Operand& indices = *check.bound().find("indices");
  const IndexShape shape = index_shape(check.bound());
  const bool global = indices.spec->kind == OperandKind::Global;
  const DType type = global ? indices.global.dtype : indices.tile.type.dtype;
  if (!kIndices32.contains(type))
    check.error(check.own("R9"), "indices", fmt::format("indices are {}, needs {}", name(type), kIndices32.list()),
                "indices have four bytes");
  if (!global && indices.tile.type.boxed())
    check.error(check.own("R3"), "indices",
                fmt::format("indices is {}, needs row_major", indices.tile.type.layout_name()),
                "declare indices row_major, without boxes");
  const bool rows = by_rows(check.bound());
  const bool line = shape.rows == 1 || (shape.cols == 1 && check.target() == Target::A5);
  const bool fits = rows ? line && indices_in_all(shape) == data.valid_rows
                         : shape.rows == data.valid_rows && shape.cols == data.valid_cols;
  if (!fits)
    check.error(check.own("R4"), "indices",
                fmt::format("indices are {}x{}, {} is valid {}x{}", shape.rows, shape.cols, data_name, data.valid_rows,
                            data.valid_cols),
                rows ? fmt::format("one index for each row: 1x{}{}", data.valid_rows,
                                   check.target() == Target::A5 ? fmt::format(", or {}x1", data.valid_rows) : "")
                     : fmt::format("one index for each element: {}x{}; or for each row: 1x{}", data.valid_rows,
                                   data.valid_cols, data.valid_rows));
}
void table_rules(RuleCheck& check, const char* data_name) {
  const TileRef& data = check.tile(data_name);
  const GlobalRef& table = check.bound().global("table");
  if (table.dtype != data.type.dtype)
    check.error(check.own("R2"), "table",
                fmt::format("table {} != {} {}", name(table.dtype), data_name, name(data.type.dtype)),
                "a view of the element type of the tile");
  if (!layouts_fit(check, data_name)) return;
  if (by_rows(check.bound()) && table.layout == GlobalLayout::ND) {
    const bool a5 = check.target() == Target::A5;
    if (a5 ? table.shape[4] != data.valid_cols : table.shape[4] < data.valid_cols)
      check.error(check.own("R10"), "table",
                  fmt::format("rows of table have {} elements, {} has {} valid columns", table.shape[4], data_name,
                              data.valid_cols),
                  a5 ? "a5 takes whole rows, one behind the other" : "a row of the table is at least as long");
    else if (a5 && table.shape[3] > 1 && table.stride[3] != table.shape[4])
      check.warn(check.own("W2"), "table",
                 fmt::format("rows of table stand {} elements apart; a5 takes them to be {} apart", table.stride[3],
                             table.shape[4]),
                 "leave no gaps between the rows");
  }
  if (!by_rows(check.bound()) && table.layout == GlobalLayout::ND && table.shape[3] > 1 &&
      table.stride[3] != table.shape[4])
    check.warn(
        check.own("W2"), "table",
        fmt::format("rows of table stand {} elements apart; indices count as if they had no gaps", table.stride[3]),
        "leave no gaps between the rows, or gather rows");
  if (capacity_of(check.bound()) == 0) return;
  const std::uint64_t end = table.address + reach_of(check.bound());
  if (end > table.buffer_end || table.address < table.buffer_begin)
    check.error(check.own("R5"), "table",
                fmt::format("table reaches byte {} of a buffer of {}", end - table.buffer_begin,
                            table.buffer_end - table.buffer_begin),
                "check the shape, offset and strides of the view");
}
void mgather_rules(RuleCheck& check) {
  index_rules(check, "dst");
  table_rules(check, "dst");
  if (check.bound().find("indices")->spec->kind == OperandKind::Tile) {
    if (check.tile("dst").type.loc == TileLoc::Mat)
      check.error(check.own("R8"), "dst", "dst is in mat, indices in vec", "into mat indices come from global memory");
    else check.warn_overlap("dst", "indices", false);
  } else if (check.tile("dst").type.loc != TileLoc::Mat) {
    check.error(check.own("R8"), "dst",
                fmt::format("dst is in {}, indices in global memory", name(check.tile("dst").type.loc)),
                "load the indices into a vec tile");
  }
}
void mscatter_rules(RuleCheck& check) {
  index_rules(check, "src");
  table_rules(check, "src");
  constexpr DTypeSet kA2A3Adds{DType::I8, DType::I16, DType::I32, DType::F16, DType::BF16, DType::F32},
      kA5Adds{DType::I32, DType::U32, DType::F16, DType::BF16, DType::F32},
      kA5Picks{DType::I32, DType::U32, DType::F32};
  const auto join = static_cast<GmJoin>(check.bound().attribute("scatterAtomicOp"));
  if (join == GmJoin::Replace) return;
  const bool a5 = check.target() == Target::A5, adds = join == GmJoin::Add;
  const DTypeSet types = adds ? (a5 ? kA5Adds : kA2A3Adds) : a5 ? kA5Picks : DTypeSet{};
  const DType type = check.tile("src").type.dtype;
  if (types.contains(type)) return;
  const char* what = adds ? "add" : join == GmJoin::Max ? "max" : "min";
  check.error(check.own("R6"), "src",
              types.empty() ? fmt::format("{} has no atomic {}", name(check.target()), what)
                            : fmt::format("{} has no atomic {} for {}", name(check.target()), what, name(type)),
              types.empty() ? "a2a3 only adds" : fmt::format("atomic {} takes {}", what, types.list()));
}

// --- rules on data

void outside_rule(RuleCheck& check, const Memory& before) {
  const TableIndices table = table_indices(check.bound());
  each_index(list_of(check.bound()), before, [&](const DiagnosticElement& at, std::uint64_t index) {
    if (!table.is_outside(index)) return false;
    const Operand& indices = *check.bound().find("indices");
    const bool is_signed = indices.spec->kind == OperandKind::Tile ? is_signed_int(indices.tile.type.dtype)
                                                                   : is_signed_int(indices.global.dtype);
    const std::string minus =
        is_signed && index >> 31 != 0 ? fmt::format(" ({})", static_cast<std::int32_t>(index)) : "";
    check.error_about(FindingKind::Offset, at, check.own("R13"), "indices",
                      fmt::format("{}{} is outside table of {} {}", index_text(at, index), minus, table.entries,
                                  table.rows ? "rows" : "elements"),
                      "check the index, or say what becomes of such ones (attribute gatherOob, scatterOob)");
    return true;
  });
}
void mgather_data_rules(RuleCheck& check, const Memory& before) {
  if (gather_outside(check.bound()) == GmOutside::Undefined) outside_rule(check, before);
}

// Elements, or rows, that come to one place with different values.
void collision_rule(RuleCheck& check, const Memory& before) {
  const Bound& bound = check.bound();
  const TileRef& src = check.tile("src");
  const TableIndices table = table_indices(bound);
  const bool rows = table.rows;
  Collisions collisions;
  each_index(list_of(bound), before, [&](const DiagnosticElement& at, std::uint64_t index) {
    const std::optional<std::uint32_t> entry = table.entry(index);
    if (!entry) return false;
    const std::uint32_t row = rows ? std::max(at.row, at.col) : at.row, first = rows ? 0 : at.col,
                        end = rows ? src.valid_cols : at.col + 1;
    for (std::uint32_t col = first; col < end; ++col)
      collisions.add(rows ? std::uint64_t{*entry} * src.valid_cols + col : *entry, at, {row, col},
                     before.element(src.place_of(row, col)));
    return false;
  });
  collisions.tell(check, "table", rows ? src.valid_cols : 0);
}
void mscatter_data_rules(RuleCheck& check, const Memory& before) {
  if (scatter_outside(check.bound()) == GmOutside::Undefined) outside_rule(check, before);
  if (static_cast<GmJoin>(check.bound().attribute("scatterAtomicOp")) == GmJoin::Replace) collision_rule(check, before);
}

// --- rows

constexpr OperandSpec global_indices() {
  return {.name = "indices", .role = Role::Offsets, .kind = OperandKind::Global};
}
constexpr AttributeSpec kCoalesce{"coalesce", "auto|row|elem"};

const InstructionRow mgather_row{
    .name = "mgather",
    .summary = "Gathers rows or elements of a table in global memory by index.",
    .forms = {{"into vec",
               {global_in("table"), offsets("indices"), any_out("dst")},
               "MGATHER<Coalesce, GatherOOB>(dst, table, indices)"},
              {"into mat",
               {global_in("table"), global_indices(), any_out("dst")},
               "MGATHER<Coalesce, GatherOOB>(dst, table, indices)"},
              {"into mat, with scratch",
               {global_in("table"),
                global_indices(),
                {.name = "scratch", .role = Role::Tmp, .kind = OperandKind::Global},
                any_out("dst")},
               "MGATHER<Coalesce, GatherOOB>(dst, table, indices, scratch)"}},
    .attributes = {kCoalesce, {"gatherOob", "undefined|clamp|wrap|zero"}},
    .typed_by = "dst",
    .types = types_of<kTypesTo32, kTypesTo32>,
    .draw = Drawing::Table,
    .rules = mgather_rules,
    .data_rules = mgather_data_rules,
    .table = table_indices,
    .moves = true,
    .machines = machines_of<mgather_a5, mgather_a2a3>(),
};
const InstructionRow mscatter_row{
    .name = "mscatter",
    .summary = "Scatters rows or elements to a table in global memory by index.",
    .forms = {{"",
               {in("src"), offsets("indices"), global_out("table")},
               "MSCATTER<Coalesce, AtomicOp, OOB, Conflict>(table, src, indices)"}},
    .attributes = {kCoalesce,
                   {"scatterOob", "undefined|skip|clamp|wrap"},
                   {"scatterAtomicOp", "none|add|max|min"},
                   {"conflict", "last|default"}},
    .typed_by = "src",
    .types = types_of<kTypesTo32, kTypesTo32>,
    .draw = Drawing::Table,
    .rules = mscatter_rules,
    .data_rules = mscatter_data_rules,
    .table = table_indices,
    .machines = machines_of<mscatter_a5, mscatter_a2a3>(),
};
const Registered registered[] = {Registered(mgather_row), Registered(mscatter_row)};

}  // namespace
}  // namespace ts
