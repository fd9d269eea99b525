// Who went where is read off the flow of the step; what indices mean is said by the instruction's row.
#include "core/debug/picture/table_picture.h"

#include <algorithm>

#include "core/debug/elements/elements.h"
#include "core/record/operand_place.h"

namespace ts {
namespace {

class TablePainter {
 public:
  TablePainter(Questions& questions, std::uint32_t step, TablePicture& picture)
      : questions_(questions), step_(step), bound_(questions.recording().bound(step)), picture_(picture) {
    picture_.gathers = bound_.has("dst");
    picture_.joins = !picture_.gathers && bound_.attribute("scatterAtomicOp") != 0;
    picture_.table = number_of("table");
    picture_.tile = number_of(picture_.gathers ? "dst" : "src");
    picture_.indices = number_of("indices");
    picture_.how = bound_.row->table(bound_);
  }

  bool paint(const std::function<bool()>& go_on) {
    read_indices();
    if (go_on && !go_on()) return false;
    const Flow flow = questions_.flow_of(step_);
    if (!(picture_.gathers ? follow_tile(flow, go_on) : follow_table(flow, go_on))) return false;
    if (!picture_.gathers) find_rivals();
    return true;
  }

 private:
  int number_of(std::string_view name) const { return static_cast<int>(bound_.find(name) - bound_.operands.data()); }
  const Operand& operand(int number) const { return bound_.operands[static_cast<std::size_t>(number)]; }
  const Program& program() const { return questions_.recording().program(); }

  void read_indices() {
    const Memory& before = questions_.memory_at(step_);
    const Operand& indices = operand(picture_.indices);
    const TileRef& tile = operand(picture_.tile).tile;
    const bool view = indices.spec->kind == OperandKind::Global;
    const std::uint32_t rows = view ? indices.global.rows() : indices.tile.valid_rows,
                        cols = view ? indices.global.cols() : indices.tile.valid_cols;
    for (std::uint32_t row = 0; row < rows; ++row)
      for (std::uint32_t col = 0; col < cols; ++col) {
        const auto at = static_cast<std::uint32_t>(view ? indices.global.at(row, col) : indices.tile.at(row, col));
        const Space space = view ? Space::Gm : indices.tile.space();
        TableMove move{.bits = before.element(space, at, 4, view ? CoreId{0} : tile.core)};
        const OperandElement element = element_of(indices, at);
        move.index = in_shape(program(), bound_, picture_.indices, element.row, element.col);
        move.row = picture_.how.rows ? std::max(row, col) : row;
        move.col = picture_.how.rows ? 0 : col;
        move.cols = picture_.how.rows ? tile.valid_cols : 1;
        move.outside = picture_.how.is_outside(move.bits);
        move.entry = picture_.how.entry(move.bits);
        picture_.outside += move.outside ? 1 : 0;
        const auto number = static_cast<std::uint32_t>(picture_.moves.size());
        picture_.of_index[{move.index.row, move.index.col}] = number;
        for (std::uint32_t k = 0; k < move.cols; ++k) picture_.of_tile[{move.row, move.col + k}] = number;
        picture_.moves.push_back(move);
      }
  }

  // An element of the tile and one of the table belong together.
  void join(RowCol of_tile, const StepElement& of_table) {
    const auto found = picture_.of_tile.find(of_tile);
    if (found == picture_.of_tile.end()) return;
    picture_.of_table[{of_table.row, of_table.col}] = found->second;
    TableMove& move = picture_.moves[found->second];
    if (of_tile.second == move.col) move.place = of_table;
  }
  bool follow_tile(const Flow& flow, const std::function<bool()>& go_on) {
    const TileRef& tile = operand(picture_.tile).tile;
    for (std::uint32_t row = 0; row < tile.valid_rows; ++row) {
      if (go_on && !go_on()) return false;
      for (std::uint32_t col = 0; col < tile.valid_cols; ++col)
        for (const Source& source : flow.sources(picture_.tile, row, col))
          if (!source.decided && source.kind == Source::Kind::Element && source.operand == picture_.table)
            join({row, col}, in_shape(program(), bound_, picture_.table, source.row, source.col));
    }
    return true;
  }
  // Of a table only what the step wrote is looked at: it may be large.
  bool follow_table(const Flow& flow, const std::function<bool()>& go_on) {
    const std::uint32_t size = size_bytes(operand(picture_.table).global.dtype);
    const MemoryMap& map = flow.before().map();
    for (const WritePattern& pattern : questions_.recording().writes(step_)) {
      if (go_on && !go_on()) return false;
      for_runs(pattern, [&](Flat base, std::uint32_t bytes) {
        const ByteRange run = map.locate(base, bytes);
        if (run.space != Space::Gm) return;
        for (std::uint32_t at = run.address; at < run.address + run.size; at += size) follow_place(flow, at, size);
      });
    }
    return true;
  }
  void follow_place(const Flow& flow, std::uint32_t address, std::uint32_t size) {
    const OperandElement element = element_of(operand(picture_.table), address);
    const StepElement place = in_shape(program(), bound_, picture_.table, element.row, element.col);
    for (const Source& source : flow.sources_of_bytes({Space::Gm, address, size}))
      if (!source.decided && source.kind == Source::Kind::Element && source.operand == picture_.tile)
        join({source.row, source.col}, place);
  }

  // Of those that mean one entry the one that the flow knows stays.
  void find_rivals() {
    std::map<std::uint32_t, std::vector<std::uint32_t>> by_entry;
    for (std::uint32_t i = 0; i < picture_.moves.size(); ++i)
      if (picture_.moves[i].entry) by_entry[*picture_.moves[i].entry].push_back(i);
    for (const auto& [entry, rivals] : by_entry) {
      if (rivals.size() < 2) continue;
      ++picture_.disputed;
      const auto stays =
          std::ranges::find_if(rivals, [&](std::uint32_t one) { return picture_.moves[one].place.has_value(); });
      for (const std::uint32_t one : rivals) {
        picture_.moves[one].rivals = static_cast<std::uint32_t>(rivals.size()) - 1;
        if (!picture_.joins && stays != rivals.end() && one != *stays) picture_.moves[one].lost_to = *stays;
      }
    }
  }

  Questions& questions_;
  const std::uint32_t step_;
  const Bound& bound_;
  TablePicture& picture_;
};

}  // namespace

TablePicture table_picture(Questions& questions, std::uint32_t step, const std::function<bool()>& go_on) {
  TablePicture picture;
  if (!TablePainter(questions, step, picture).paint(go_on)) picture.moves.clear();
  return picture;
}

}  // namespace ts
