// Operations on whole tiles: vector core, data movement, cube core. Those that are emulated are in the catalogue instead.
#include "core/text/ops/op_rows.h"

namespace ts::text {
namespace {

using enum OpGroup;
using enum OpKind;

// clang-format off
constexpr OpRow kTileRows[] = {
    // Two tiles, element by element.

    // A tile and a scalar.

    // One tile.

    // Tiles made from numbers.

    // Along a row or a column.

    // Sources with different valid regions.

    // Comparing, moving elements about.
    as(Print, {"pto.tprint", TileVector, "src:?", "Prints a tile or a view; changes nothing."}),
    as(SetElement, {"pto.tsetval", TileVector, "offset:I value:S -> dst:T", "Writes one element by its place in storage."}),
    as(GetElement, {"pto.tgetval", TileVector, "src:T offset:I -> value:S", "Reads one element by its place in storage."}),

    {"pto.tmov.s2d", TileMove, "src:T -> dst:T", "Moves a tile to another memory.", "pto.tmov"},
    {"pto.tsetfmatrix", TileMove, "!", "Sets the size and padding of the feature map that timg2col reads."},
};
// clang-format on

}  // namespace

std::span<const OpRow> tile_op_rows() { return kTileRows; }

}  // namespace ts::text
