// One step as the stage shows it: its operands with their colours and pictures, what is in focus, what it came from.
#include "app/stage/stage_step.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/draw/look.h"
#include "app/draw/role_color.h"
#include "app/stage/motion/motion.h"
#include "app/stage/motion/rising_sums.h"
#include "app/stage/parts/parts.h"
#include "app/view/operand_element.h"
#include "app/view/targets.h"
#include "core/debug/picture/stage_window.h"
#include "core/record/operand_place.h"

namespace ts::ui {
namespace {

// --- operands ---

void add_operands(StageStep& step) {
  std::size_t values = 0;
  for (std::size_t i = 0; i < step.bound.operands.size(); ++i) {
    const Operand& operand = step.bound.operands[i];
    // Numbers among the attributes are usually left out.
    if (operand.spec->by_attribute && operand.scalar.bits == 0) continue;
    const Role role = operand.spec->role;
    const bool value = role == Role::In || role == Role::Scalar, result = role == Role::Out;
    StageOperand shown{.index = static_cast<int>(i),
                       .operand = &operand,
                       .title = fmt::format("{} {}", operand.spec->name, step.program().operand_name(operand)),
                       .letter = value ? static_cast<char>('a' + values) : '\0',
                       .color = role_color(role, values),
                       .result = result};
    const auto picture_at = [&](std::uint32_t position) -> const TilePicture* {
      if (operand.spec->kind == OperandKind::Scalar) return nullptr;
      return operand.spec->kind == OperandKind::Tile ? &step.view.picture(operand.tile, {position, 0})
                                                     : &step.view.picture(owner_of(operand), {position, 0});
    };
    shown.picture = picture_at(result && step.made ? step.step + 1 : step.step);
    if (result && step.move) shown.before = picture_at(step.step);
    values += value ? 1 : 0;
    step.operands.push_back(std::move(shown));
  }
}

// --- the focus ---

// The element among the operands: of a tile that is both, the result.
std::optional<StageCell> cell_of(const StageStep& step, const Element& element) {
  std::optional<StageCell> found;
  for (const StageOperand& operand : step.operands) {
    if (operand.picture == nullptr || owner_of(*operand.operand) != element.owner) continue;
    const Elements& elements = operand.picture->elements;
    if (element.row >= elements.rows || element.col >= elements.cols) continue;
    if (!found || operand.result) found = StageCell{operand.index, element.row, element.col};
  }
  return found;
}

bool is_result(const StageStep& step, const StageCell& cell) {
  const StageOperand* operand = step.operand(cell.operand);
  return operand != nullptr && operand->result;
}

std::optional<StageCell> pointed_cell(const StageStep& step) {
  const std::optional<Element>& hovered = step.view.hovered();
  if (!hovered) return std::nullopt;
  // The stage knows which of two operands of one tile is meant.
  const std::optional<StageCell>& pointed = step.memory.pointed;
  if (pointed && step.operand(pointed->operand) != nullptr && step.element_at(*pointed) == *hovered) return pointed;
  return cell_of(step, *hovered);
}

// What the move has come to.
std::optional<StageCell> landing(const StageStep& step) {
  const Travel* current = step.move->motion->current(step.move->mode, step.move->progress);
  return current != nullptr ? std::optional(current->first) : nth_element(step, 0);
}

std::optional<StageCell> resting_focus(StageStep& step) {
  if (step.memory.plays && step.move) return landing(step);
  if (step.view.selected()) {
    const std::optional<StageCell> selected = cell_of(step, *step.view.selected());
    if (selected && is_result(step, *selected)) return selected;
    if (selected) {
      const auto& reached = step.reached_by(*selected);
      if (!reached.empty()) return reached.front();
    }
  }
  return step.move ? landing(step) : nth_element(step, 0);
}

void set_focus(StageStep& step) {
  const std::optional<StageCell> pointed = pointed_cell(step);
  step.focus = pointed && is_result(step, *pointed) ? pointed : resting_focus(step);
  if (pointed && !is_result(step, *pointed)) {
    step.reached = step.reached_by(*pointed);
    if (!step.reached.empty() && (!step.focus || !std::ranges::count(step.reached, *step.focus)))
      step.focus = step.reached.front();
  }
  if (step.focus) step.sources = step.sources_of(*step.focus);
  for (const Source& source : step.sources)
    for (const StageCell& cell : step.cells_of(source)) step.source_cells.push_back(cell);
  std::ranges::sort(step.source_cells);
  step.focus_moved = step.focus != step.memory.kept_focus;
  step.memory.kept_focus = step.focus;
}

// --- walking through the results ---

// Of a view its elements in the order of the matrix that it is to a tile.
std::uint32_t count_of(const Operand& operand) {
  if (operand.spec->kind == OperandKind::Tile) return operand.tile.valid_rows * operand.tile.valid_cols;
  return operand.global.rows() * operand.global.cols();
}

std::optional<StageCell> nth_of(const StageStep& step, const StageOperand& shown, std::uint32_t nth) {
  const Operand& operand = *shown.operand;
  if (operand.spec->kind == OperandKind::Tile) {
    const auto element = element_in_order(operand.tile, nth);
    if (!element) return std::nullopt;
    return StageCell{shown.index, element->first, element->second};
  }
  const GlobalRef& view = operand.global;
  const auto index = static_cast<std::uint32_t>(elements_in(view.dtype, view.address - view.buffer_begin) +
                                                view.number_of(nth / view.cols(), nth % view.cols()));
  const std::uint32_t cols = shape_of_operand(step.program(), operand).second;
  return StageCell{shown.index, index / cols, index % cols};
}

// Back. Of elements of the buffer that are not in the view: 0.
std::uint32_t order_in_view(const StageStep& step, const StageOperand& shown, const StageCell& cell) {
  const GlobalRef& view = shown.operand->global;
  const ByteRange place = place_of(step.program(), step.bound, cell);
  const std::uint64_t number = element_number(view.buffer_begin, view.dtype, place.address, place.part),
                      before = elements_in(view.dtype, view.address - view.buffer_begin);
  for (std::uint32_t row = 0; row < view.rows() && number >= before; ++row) {
    if (view.cols() == 0 || number - before < view.number_of(row, 0) ||
        number - before > view.number_of(row, view.cols() - 1))
      continue;
    for (std::uint32_t col = 0; col < view.cols(); ++col)
      if (view.number_of(row, col) == number - before) return row * view.cols() + col;
  }
  return 0;
}

bool moves_elements(const StageOperand& operand) { return operand.result && operand.picture != nullptr; }

}  // namespace

bool StageStep::has_landed(const StageCell& result) const {
  if (!move) return true;
  const auto lands = move->motion->lands(move->mode, result);
  return !lands || *lands <= move->progress;
}

bool StageStep::has_left(const StageCell& result) {
  if (has_landed(result)) return true;
  return std::ranges::any_of(sources_of(result), [&](const Source& source) {
    const auto from = source.kind == Source::Kind::Scalar ? StageCell{source.operand, 0, 0} : cell_of(source);
    if (!from) return false;
    const auto way = move->motion->way(move->mode, result, *from);
    return way && way->departs < move->progress;
  });
}

void StageStep::note_place(const StageCell& cell, const Rect& rect) const {
  if (move && !memory.measured) memory.places.emplace_back(cell, rect);
}

const StageOperand* StageStep::find(Role role, std::size_t nth) const {
  for (const StageOperand& operand : operands)
    if (operand.operand->spec->role == role && nth-- == 0) return &operand;
  return nullptr;
}

const StageOperand* StageStep::operand(int index) const {
  const auto found = std::ranges::find(operands, index, &StageOperand::index);
  return found == operands.end() ? nullptr : &*found;
}

const std::vector<Source>& StageStep::sources_of(const StageCell& cell) {
  return memory.map.sources(*view.recording(), view.flow(step), cell);
}

const std::vector<StageCell>& StageStep::reached_by(const StageCell& cell) {
  return memory.map.reached_by(*view.recording(), view.flow(step), cell);
}

const StageOperand* StageStep::origin_of(const StageCell& cell) {
  int origin = -1;
  for (const Source& source : sources_of(cell)) {
    if (source.decided || source.operand < 0) continue;
    if (origin >= 0 && origin != source.operand) return nullptr;
    origin = source.operand;
  }
  return operand(origin);
}

std::optional<StageCell> StageStep::cell_of(const Source& source) const {
  return element_of_source(program(), bound, source);
}

std::vector<StageCell> StageStep::cells_of(const Source& source) const {
  const std::optional<StageCell> first = cell_of(source);
  if (!first) return {};
  std::vector<StageCell> cells{*first};
  const Operand& operand = bound.operands[static_cast<std::size_t>(first->operand)];
  for (const StageOperand& other : operands)
    if (other.index != first->operand && !other.result && other.operand->spec->kind == OperandKind::Tile &&
        other.operand->tile == operand.tile)
      cells.push_back({other.index, first->row, first->col});
  return cells;
}

bool StageStep::is_source(const StageCell& cell) const { return std::ranges::binary_search(source_cells, cell); }

bool StageStep::in_view(const StageCell& cell) {
  const Operand& what = bound.operands[static_cast<std::size_t>(cell.operand)];
  if (what.spec->kind != OperandKind::Global) return true;
  std::vector<std::uint32_t>& addresses = memory.viewed[cell.operand];
  if (addresses.empty()) {
    for (std::uint32_t row = 0; row < what.global.rows(); ++row)
      for (std::uint32_t col = 0; col < what.global.cols(); ++col)
        addresses.push_back(static_cast<std::uint32_t>(what.global.at(row, col)));
    std::ranges::sort(addresses);
  }
  return std::ranges::binary_search(addresses, place_of(program(), bound, cell).address);
}

CellLook StageStep::look_of(const StageCell& cell, float width) {
  const StageOperand* shown = operand(cell.operand);
  if (shown == nullptr || shown->picture == nullptr) return {};
  const bool landed = !shown->result || has_landed(cell);
  const TilePicture& picture = landed || shown->before == nullptr ? *shown->picture : *shown->before;
  const Elements& elements = picture.elements;
  CellLook cell_look;
  const Definedness worth = elements.worth_at(cell.row, cell.col);
  if (worth == Definedness::Never) cell_look.marks = cell_look.marks | Mark::Undefined;
  if (worth == Definedness::Unspecified) cell_look.marks = cell_look.marks | Mark::Unspecified;
  if (!picture.is_valid(cell.row, cell.col)) cell_look.marks = cell_look.marks | Mark::Padding;
  if (!in_view(cell)) cell_look.marks = cell_look.marks | Mark::Faded;
  const StageOperand* origin = !shown->result ? shown : landed ? origin_of(cell) : nullptr;
  if (origin != nullptr && !has(cell_look.marks, Mark::Padding) && !has(cell_look.marks, Mark::Faded)) {
    cell_look.source = origin->color;
    cell_look.letter = origin->letter;
    cell_look.edge_right = origin->letter == 'b';
  }
  const std::size_t index = elements.index(cell.row, cell.col);
  if (shown->result && made && landed && index < picture.written.size() && picture.written[index] != 0)
    cell_look.marks = cell_look.marks | Mark::Written;
  const DebugView::MoreSigns& more = view.more_signs(owner_of(*shown->operand), picture);
  if (!more.signs.empty() && has(more.signs[index], Sign::Finding)) cell_look.marks = cell_look.marks | Mark::Finding;
  if (!more.signs.empty() && has(more.signs[index], Sign::Different)) {
    cell_look.marks = cell_look.marks | Mark::Different;
    cell_look.ground = mix(look().theme->cell, look().theme->difference, 0.3);
  }
  if (!more.signs.empty() && has(more.signs[index], Sign::Note)) cell_look.marks = cell_look.marks | Mark::Noted;
  if (is_source(cell) || std::ranges::count(reached, cell) != 0) cell_look.marks = cell_look.marks | Mark::Provenance;
  if (view.selected() && *view.selected() == element_at(cell)) cell_look.marks = cell_look.marks | Mark::Selected;
  if (focus == cell) cell_look.marks = cell_look.marks | Mark::Hovered;
  // As high as cells usually are: marks have room of their own beside the text.
  const MarkRoom room = mark_room(cell_look.marks, {{0, 0}, {width, look().px(24)}});
  const float text_room = width - room.left - room.right;
  cell_look.text = value_text(*elements.format, elements.at(cell.row, cell.col), worth, text_room);
  if (const auto sum = landed ? std::nullopt : rising_sum(*this, cell)) {
    cell_look.marks = static_cast<Mark>(static_cast<int>(cell_look.marks) & ~static_cast<int>(Mark::Undefined));
    cell_look.text = value_text(*elements.format, *sum, Definedness::Written, text_room);
    cell_look.ground = mix(look().theme->cell, look().theme->written, 0.18);
  }
  return cell_look;
}

Element StageStep::element_at(const StageCell& cell) const {
  return {owner_of(bound.operands[static_cast<std::size_t>(cell.operand)]), cell.row, cell.col};
}

void StageStep::note_shown(std::uint32_t shown, std::uint32_t all) const {
  if (memory.measured && all > 0)
    memory.measured->shown = std::min(memory.measured->shown, static_cast<double>(shown) / all);
}

void StageStep::mark_target(const StageCell& cell, const Rect& rect) const {
  note_place(cell, rect);
  // What is scrolled out of sight cannot be pointed at.
  const ImVec2 middle = rect.center();
  if (memory.measured || !targets_wanted() ||
      !ImGui::IsRectVisible({middle.x - 1, middle.y - 1}, {middle.x + 1, middle.y + 1}))
    return;
  note_target("stage/" + view.name_of(element_at(cell)), rect);
}

void StageStep::point_at(const StageCell& cell) {
  if (memory.measured) return;
  const Element element = element_at(cell);
  memory.pointing = cell;
  view.hover(element);
  if (!ImGui::IsMouseClicked(ImGuiMouseButton_Left)) return;
  // From the result that is selected, a click on a source is a step back along the trail.
  const bool walks = view.selected() && focus && *view.selected() == element_at(*focus) && is_source(cell);
  out.push(walks ? "follow" : "select",
           {view.name_of(element.owner), static_cast<std::int64_t>(cell.row), static_cast<std::int64_t>(cell.col)});
}

std::optional<StageStep> stage_step(DebugView& view, CommandQueue& out, StageMemory& memory) {
  const Recording* recording = view.recording();
  const std::optional<std::uint32_t> shown = view.shown_step();
  if (recording == nullptr || !shown || *shown >= recording->count()) return std::nullopt;
  const bool is_new = memory.opening != view.opening() || memory.map.step() != *shown;
  if (is_new) static_cast<StepMemory&>(memory) = {};
  memory.opening = view.opening();
  memory.map.look_at(*shown);
  memory.pointed = std::exchange(memory.pointing, std::nullopt);
  memory.places.clear();
  std::optional<StageStep> step;
  step.emplace(StageStep{.view = view,
                         .out = out,
                         .memory = memory,
                         .step = *shown,
                         .bound = recording->bound(*shown),
                         .made = !view.shows_next()});
  step->is_new = is_new;
  step->move = move_of(*step);
  step->made = step->made || step->move;
  add_operands(*step);
  set_focus(*step);
  return step;
}

std::uint32_t elements_of_results(const StageStep& step) {
  std::uint32_t count = 0;
  for (const StageOperand& operand : step.operands)
    if (moves_elements(operand)) count += count_of(*operand.operand);
  return count;
}

std::optional<StageCell> nth_element(const StageStep& step, std::uint32_t nth) {
  for (const StageOperand& operand : step.operands) {
    if (!moves_elements(operand)) continue;
    const std::uint32_t count = count_of(*operand.operand);
    if (nth < count) return nth_of(step, operand, nth);
    nth -= count;
  }
  return std::nullopt;
}

std::uint32_t number_of(const StageStep& step, const StageCell& cell) {
  std::uint32_t before = 0;
  for (const StageOperand& operand : step.operands) {
    if (!moves_elements(operand)) continue;
    if (operand.index != cell.operand) {
      before += count_of(*operand.operand);
      continue;
    }
    return before + (operand.operand->spec->kind == OperandKind::Tile
                         ? order_of(operand.operand->tile, {cell.row, cell.col})
                         : order_in_view(step, operand, cell));
  }
  return before;
}

}  // namespace ts::ui
