// Where elements came from and where they went, as lists and as a tree.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "core/debug/origins/slice_text.h"
#include "scripting/binding/object.h"
#include "scripting/objects/values/elements.h"
#include "scripting/objects/values/tile.h"
#include "scripting/run/open_recording.h"
#include "scripting/sandbox/sandbox.h"
#include "scripting/sandbox/weight.h"

namespace ts::scripting {
namespace {

using Kind = Binding::Kind;

const char* kind_name(Source::Kind kind) {
  switch (kind) {
    case Source::Kind::Element: return "element";
    case Source::Kind::MaskBit: return "maskBit";
    case Source::Kind::Scalar: return "scalar";
    case Source::Kind::Bytes: return "bytes";
    case Source::Kind::Unspecified: break;
  }
  return "unspecified";
}

// Row and column of an element of an operand; of a buffer the flow counts through all elements.
struct RowCol {
  std::uint32_t row, col;
};
RowCol place_in_operand(const Program& program, const Operand& operand, std::uint32_t row, std::uint32_t col) {
  if (operand.spec->kind != OperandKind::Global) return {row, col};
  const BufferShape shape = shape_of(program.buffers[operand.id]);
  return shape.cols == 0 ? RowCol{0, col} : RowCol{col / shape.cols, col % shape.cols};
}

// As scripts name it: without the %.
std::string plain_name(std::string name) {
  if (name.starts_with('%')) name.erase(0, 1);
  return name;
}

const ElementFormat& format_of(const Operand& operand) {
  switch (operand.spec->kind) {
    case OperandKind::Global: return element_format(operand.global.dtype);
    case OperandKind::Scalar: return element_format(operand.scalar.dtype);
    case OperandKind::Tile: break;
  }
  return element_format(operand.tile.type.dtype);
}

void set_place(lua_State* L, ByteRange place) {
  set_field(L, "region", name(place.space));
  set_integer(L, "offset", place.address);
  set_integer(L, "size", place.size);
  set_field(L, "bytes", place_text(place));
}

void set_step(lua_State* L, const Recording& recording, std::uint32_t step) {
  set_integer(L, "step", step);
  set_field(L, "op", recording.bound(step).row->name);
  set_integer(L, "line", recording.bound(step).pos.line);
}

// "chosen by bit of mask[0,1] = 1, read in step 6 tsels".
std::string source_text(const Recording& recording, const SourceUse& use) {
  const Source& source = use.source;
  std::string what = fmt::format("0x{:x}", source.bits);
  if (source.kind == Source::Kind::Unspecified) {
    what = "unspecified: " + source.why;
  } else if (source.operand < 0) {
    what = fmt::format("{} = {}", place_text(source.place), what);
  } else {
    const Operand& operand = recording.bound(use.step).operands[static_cast<std::size_t>(source.operand)];
    const std::string name = plain_name(recording.program().operand_name(operand));
    const RowCol at = place_in_operand(recording.program(), operand, source.row, source.col);
    const bool bit = source.kind == Source::Kind::MaskBit;
    const std::string value = bit                                        ? fmt::format("{}", source.bits)
                              : source.definedness == Definedness::Never ? ".."
                                                                         : short_text(format_of(operand), source.bits);
    what = source.kind == Source::Kind::Scalar
               ? fmt::format("{} = {}", operand.spec->name, value)
               : fmt::format("{}{}[{},{}] = {}", bit ? "bit of " : "", name, at.row, at.col, value);
  }
  return fmt::format("{}{}, read in step {} {}", source.decided ? "chosen by " : "", what, use.step,
                     recording.bound(use.step).row->name);
}

void push_source(lua_State* L, const Recording& recording, const SourceUse& use) {
  const Source& source = use.source;
  const Program& program = recording.program();
  lua_createtable(L, 0, 16);
  set_field(L, "text", source_text(recording, use));
  set_step(L, recording, use.step);
  set_field(L, "kind", kind_name(source.kind));
  set_truth(L, "decided", source.decided);
  if (source.kind == Source::Kind::Unspecified) return set_field(L, "why", source.why);
  set_integer(L, "bits", source.bits);
  const bool has_place = source.kind != Source::Kind::Scalar;
  if (has_place) {
    set_place(L, source.place);
    set_truth(L, "defined", source.definedness == Definedness::Written);
  }
  if (source.operand < 0) return;
  const Operand& operand = recording.bound(use.step).operands[static_cast<std::size_t>(source.operand)];
  set_field(L, "tile", plain_name(program.operand_name(operand)));
  set_field(L, "operand", operand.spec->name);
  if (source.kind == Source::Kind::MaskBit) set_integer(L, "value", source.bits), set_integer(L, "bit", source.bit);
  else if (source.definedness != Definedness::Never) set_element(L, "value", format_of(operand), source.bits);
  if (!has_place) return;
  const RowCol at = place_in_operand(program, operand, source.row, source.col);
  set_integer(L, "row", at.row);
  set_integer(L, "col", at.col);
}

void push_reader(lua_State* L, Session& session, const Reader& reader) {
  const Recording& recording = session.recording();
  const Operand& operand = recording.bound(reader.step).operands[static_cast<std::size_t>(reader.operand)];
  const RowCol at = place_in_operand(recording.program(), operand, reader.row, reader.col);
  std::uint64_t bits = 0;
  session.peek(reader.step + 1, reader.place, std::as_writable_bytes(std::span(&bits, 1)).first(reader.place.size));
  const std::string tile = plain_name(recording.program().operand_name(operand));
  lua_createtable(L, 0, 16);
  set_field(L, "text",
            fmt::format("{}{}[{},{}] = {} in step {} {}", reader.decided ? "chose " : "", tile, at.row, at.col,
                        short_text(format_of(operand), bits), reader.step, recording.bound(reader.step).row->name));
  set_step(L, recording, reader.step);
  set_field(L, "tile", tile);
  set_field(L, "operand", operand.spec->name);
  set_integer(L, "row", at.row);
  set_integer(L, "col", at.col);
  set_truth(L, "decided", reader.decided);
  set_integer(L, "bits", bits);
  set_element(L, "value", format_of(operand), bits);
  set_place(L, reader.place);
}

// --- the slice ---

struct SliceObject {
  std::shared_ptr<OpenRecording> recording;
  Slice slice;
  Weight weight;
  static const ObjectType& type();
};

void push_node(lua_State* L, Session& session, const SliceNode& node) {
  lua_createtable(L, 0, 16);
  set_field(L, "kind", kind_name(node.kind));
  set_field(L, "text", slice_node_text(session, node));
  set_integer(L, "depth", node.depth);
  if (!node.name.empty()) set_field(L, "tile", node.name);
  if (node.kind == Source::Kind::Unspecified) return set_field(L, "why", node.why);
  set_integer(L, "bits", node.bits);
  if (const ElementFormat* format = slice_node_format(session, node);
      format != nullptr && node.definedness != Definedness::Never)
    set_element(L, "value", *format, node.bits);
  if (node.kind == Source::Kind::Scalar) return;
  const auto [row, col] = slice_node_place(session, node);
  set_integer(L, "row", row);
  set_integer(L, "col", col);
  set_place(L, node.place);
  set_truth(L, "defined", node.definedness == Definedness::Written);
  if (node.maker == Maker::Step) set_step(L, session.recording(), node.step);
  set_field(L, "madeBy", slice_node_maker(session, node));
}

int slice_at(lua_State* L) {
  const SliceObject& slice = check_self<SliceObject>(L);
  const lua_Integer index = lua_tointeger(L, 2);
  if (index < 1 || index > static_cast<lua_Integer>(slice.slice.nodes.size())) return 0;
  Session& session = session_of(L, *slice.recording);
  const SliceNode& node = slice.slice.nodes[static_cast<std::size_t>(index - 1)];
  push_node(L, session, node);
  lua_createtable(L, static_cast<int>(node.from.size()), 0);
  for (std::size_t i = 0; i < node.from.size(); ++i) {
    lua_pushinteger(L, node.from[i].node + 1);
    lua_rawseti(L, -2, static_cast<lua_Integer>(i + 1));
  }
  lua_setfield(L, -2, "from");
  return 1;
}

int slice_count(lua_State* L) {
  lua_pushinteger(L, static_cast<lua_Integer>(check_self<SliceObject>(L).slice.nodes.size()));
  return 1;
}

int slice_complete(lua_State* L) {
  lua_pushboolean(L, check_self<SliceObject>(L).slice.complete ? 1 : 0);
  return 1;
}

int slice_leaves(lua_State* L) {
  const SliceObject& slice = check_self<SliceObject>(L);
  Session& session = session_of(L, *slice.recording);
  lua_newtable(L);
  lua_Integer count = 0;
  for (const SliceNode& node : slice.slice.nodes) {
    if (!node.from.empty()) continue;
    push_node(L, session, node);
    lua_rawseti(L, -2, ++count);
  }
  return 1;
}

int slice_text(lua_State* L) {
  const SliceObject& slice = check_self<SliceObject>(L);
  constexpr std::size_t kMostLines = 200;
  return push_text_result(L, ts::slice_text(session_of(L, *slice.recording), slice.slice, kMostLines));
}

const std::string kProvenanceStart = R"(local rec = pto.load("complex_split", {target="a5"}):record()
local tree = rec:tile("sum", {step=rec.count}):slice(1, 2)
)";

const ObjectType& SliceObject::type() {
  static const luaL_Reg operators[] = {{"__len", guarded<slice_count>}, {nullptr, nullptr}};
  static const ObjectType made{
      .name = "slice",
      .owner = "slice",
      .help =
          "All that an element was made of, down to what the program was given. slice[1] is the element; a node has "
          "text, kind, tile, row, col, value, bits, step, op, madeBy, region, depth, and `from`, the numbers of its "
          "sources. print(slice) draws the tree.",
      .bindings =
          {
              {"leaves", Kind::Method, slice_leaves, "slice:leaves() -> table[]",
               "The nodes that nothing else came before: inputs, constants, what was never written, and where the "
               "slice was cut.",
               kProvenanceStart + "local leaves = tree:leaves()\nassert(#leaves == 2 and leaves[1].tile == 'iq')"},
              {"count", Kind::Field, slice_count, "slice.count -> integer",
               "How many nodes there are; the same as #slice.", kProvenanceStart + "assert(tree.count == #tree)"},
              {"complete", Kind::Field, slice_complete, "slice.complete -> boolean",
               "False when `depth` or `nodes` cut it short.", kProvenanceStart + "assert(tree.complete)"},
          },
      .index = guarded<slice_at>,
      .to_text = guarded<slice_text>,
      .operators = operators};
  return made;
}

int place_sources(lua_State* L, const Place& place) {
  const CellArguments cell = check_cell(L, place);
  Session& session = session_of(L, *place.recording);
  const std::vector<SourceUse> uses = session.flow().sources(place.at(cell.row, cell.col), place.position);
  weigh(L, *place.recording);
  Sandbox::charge(L, 20 * uses.size());
  lua_createtable(L, static_cast<int>(uses.size()), 0);
  for (std::size_t i = 0; i < uses.size(); ++i) {
    push_source(L, session.recording(), uses[i]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(i + 1));
  }
  return 1;
}

int place_readers(lua_State* L, const Place& place) {
  constexpr std::int64_t kMost = 1000, kMostEver = 1'000'000;
  const CellArguments cell = check_cell(L, place);
  const OptionTable options(L, cell.next, "options", {"most"});
  const auto most = static_cast<std::size_t>(options.integer("most", 1, kMostEver).value_or(kMost));
  Session& session = session_of(L, *place.recording);
  Sandbox::CallWatch watch(L);
  const std::vector<Reader> readers =
      session.flow().readers(place.at(cell.row, cell.col), place.position, most, [&] { return watch.go_on(); });
  if (watch.is_late()) watch.raise("looking for the readers of an element");
  weigh(L, *place.recording);
  lua_createtable(L, static_cast<int>(readers.size()), 0);
  for (std::size_t i = 0; i < readers.size(); ++i) {
    push_reader(L, session, readers[i]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(i + 1));
  }
  return 1;
}

int place_slice(lua_State* L, const Place& place) {
  const CellArguments cell = check_cell(L, place);
  const OptionTable options(L, cell.next, "options", {"depth", "nodes"});
  SliceLimits limits;
  limits.depth = static_cast<std::uint32_t>(options.integer("depth", 0, ~0u).value_or(limits.depth));
  limits.nodes = static_cast<std::uint32_t>(options.integer("nodes", 1, 1'000'000).value_or(limits.nodes));
  Sandbox::need_memory(L, std::size_t{limits.nodes} / 4 * sizeof(SliceNode));
  Session& session = session_of(L, *place.recording);
  Sandbox::CallWatch watch(L);
  limits.go_on = [&] { return watch.go_on(); };
  Slice slice =
      session.flow().slice({place.at(cell.row, cell.col), place.name, cell.row, cell.col}, place.position, limits);
  if (watch.is_late()) watch.raise("following an element to its sources");
  for (SliceNode& node : slice.nodes) node.name = plain_name(std::move(node.name));
  slice.nodes.shrink_to_fit();
  constexpr std::size_t kNodeBytes = sizeof(SliceNode) + 128;  // and its name and edges
  Weight weight(L, slice.nodes.size() * kNodeBytes);
  make_object<SliceObject>(L, place.recording, std::move(slice), std::move(weight));
  weigh(L, *place.recording);
  return 1;
}

template <class T>
std::vector<Binding> provenance_rows() {
  const PlaceWords w = T::words();
  return {
      {"sources", Kind::Method, of_place<T, place_sources>, w.signature("sources", w.cell + " -> table[]"),
       "What the step that made the element made it of: a list of text, tile, row, col, step, op, value, bits, "
       "kind, decided, region, offset.",
       w.start + "for _, source in ipairs(t:sources(0, 0)) do assert(source.kind and source.step < rec.count) end"},
      {"readers", Kind::Method, of_place<T, place_readers>,
       w.signature("readers", w.cell.substr(0, w.cell.size() - 1) + ", options?: table) -> table[]"),
       "What became of the element until it is overwritten: a list of text, tile, row, col, step, op, value, bits, "
       "decided, region, offset. {most=} bounds it; 1000 if nothing is said.",
       w.start + "assert(type(t:readers(0, 0, {most=10})) == 'table')"},
      {"slice", Kind::Method, of_place<T, place_slice>,
       w.signature("slice", w.cell.substr(0, w.cell.size() - 1) + ", options?: table) -> slice"),
       "The sources of the element, their sources, and so on, down to what the program was given. {depth=, nodes=} "
       "bound it.",
       w.start + "local tree = t:slice(0, 0)\nassert(tree.complete and #tree:leaves() >= 1)"},
  };
}

const ListedRows kTileProvenance{41, {TileObject::type, provenance_rows<TileObject>}};
const ListedRows kBufferProvenance{41, {BufferObject::type, provenance_rows<BufferObject>}};
const ListedType kSliceType{140, SliceObject::type};

}  // namespace
}  // namespace ts::scripting
