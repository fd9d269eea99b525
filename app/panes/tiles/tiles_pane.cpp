// The tiles pane: which tile, in which way, and what the user does with it.
#include "app/panes/tiles/tiles_pane.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "app/draw/boxes.h"
#include "app/draw/look.h"
#include "app/view/key_hints.h"
#include "app/view/targets.h"
#include "core/data/fields.h"
#include "core/debug/origins/step_index.h"
#include "scripting/run/gui_items.h"

namespace ts::ui {

// --- what is shown ---

void TilesPane::show(const Owner& owner) {
  if (owner_ == owner) return;
  owner_ = owner;
  grids_[{static_cast<int>(owner.kind), owner.id}].clear_range();
}

namespace {

// The first tile that a step makes, or else the first that it reads.
std::optional<Owner> result_of(const Recording& recording, std::uint32_t step) {
  std::optional<Owner> found;
  for (const Operand& operand : recording.bound(step).operands) {
    if (operand.spec == nullptr || operand.spec->kind != OperandKind::Tile) continue;
    const Owner owner{Owner::Kind::Tile, operand.id};
    if (operand.spec->role == Role::Out) return owner;
    if (!found) found = owner;
  }
  return found;
}

}  // namespace

// Follows the selection; without one the result of the shown step.
void TilesPane::choose(DebugView& view) {
  const Recording& recording = *view.recording();
  if (opening_ != view.opening()) {
    opening_ = view.opening();
    owner_.reset();
    followed_.reset();
    followed_step_.reset();
    grids_.clear();
    part_ = {};
  }
  const auto& selected = view.selected();
  if (follows_ && selected && selected != followed_) {
    show(selected->owner);
    if (owner_) {
      slice_at(view, selected->row);
      grids_[{static_cast<int>(owner_->kind), owner_->id}].reveal({selected->row, selected->col});
      bytes_.reveal({selected->row, selected->col});
    }
  }
  followed_ = selected;
  if (follows_ && !selected && view.shown_step() != followed_step_)
    if (const auto result = result_of(recording, *view.shown_step())) show(*result);
  followed_step_ = view.shown_step();
  if (owner_) return;
  if (!recording.program().tiles.empty()) owner_ = Owner{Owner::Kind::Tile, 0};
  else if (!recording.program().buffers.empty()) owner_ = Owner{Owner::Kind::Buffer, 0};
}

TilesPane::Setting& TilesPane::setting(DebugView& view) { return view.tile_displays().of(view.name_of(*owner_)); }

// Its grid, seen first where it was left.
TileGrid& TilesPane::grid(DebugView& view) {
  const std::pair key{static_cast<int>(owner_->kind), owner_->id};
  const auto found = grids_.find(key);
  if (found != grids_.end()) return found->second;
  TileGrid& made = grids_[key];
  const Setting& set = setting(view);
  if (set.zoom > 0) made.set_zoom(set.zoom);
  made.scroll_to(set.row, set.col);
  return made;
}

void TilesPane::remember(DebugView& view, const TileGrid& grid) {
  Setting& set = setting(view);
  set.zoom = grid.fits() ? 0 : grid.zoom();
  set.row = grid.row();
  set.col = grid.col();
}

Moment TilesPane::shown_moment(const DebugView& view) const {
  const Moment now = view.moment();
  if (!view.showing_before()) return now;
  return {now.micro > 0 ? now.position : now.position - std::min(1u, now.position), 0};
}

const TilePicture& TilesPane::picture(DebugView& view) {
  const Moment moment = shown_moment(view);
  if (owner_->kind == Owner::Kind::Tile) return view.picture(*owner_, moment);
  const BufferDecl& buffer = view.recording()->program().buffers[owner_->id];
  const BufferShape shape = shape_of(buffer);
  if (std::uint64_t{shape.rows} * shape.cols <= kMostPictured) return view.picture(*owner_, moment);
  const TileGrid& grid = grids_[{static_cast<int>(owner_->kind), owner_->id}];
  const Rect about{{0, 0}, {look().px(2000), look().px(1200)}};
  const Window seen = grid.visible(shape, about);
  const bool same = part_.picture != nullptr && part_.owner == *owner_ && part_.moment == moment;
  const auto inside = [](const Window& part, const Window& all, const BufferShape& whole) {
    return part.row >= all.row && part.col >= all.col &&
           std::min(part.row + part.rows, whole.rows) <= all.row + all.rows &&
           std::min(part.col + part.cols, whole.cols) <= all.col + all.cols;
  };
  if (same && (grid.zoom() == 0 || inside(seen, part_.picture->window, shape))) return *part_.picture;
  // What is seen lies in the middle, so that some scrolling needs no other picture.
  const Window all = window_at(shape, 0, 0);
  const auto before = [](std::uint32_t at, std::uint32_t count, std::uint32_t room) {
    const std::uint32_t margin = room > count ? (room - count) / 2 : 0;
    return at > margin ? at - margin : 0;
  };
  const bool first = grid.zoom() == 0;
  const Window window = window_at(shape, first ? 0 : before(seen.row, seen.rows, all.rows),
                                  first ? 0 : before(seen.col, seen.cols, all.cols));
  part_ = {*owner_, moment, std::make_unique<TilePicture>(picture_of(view.questions(), buffer, moment, window))};
  return *part_.picture;
}

// --- rings ---

// Elements of this tile that an element of the shown step's results was made of.
void TilesPane::note_sources(DebugView& view, const Element& element) {
  const auto step = view.shown_step();
  if (!step || element.owner.kind != Owner::Kind::Tile || view.hidden_step() == step) return;
  const Bound& bound = view.recording()->bound(*step);
  for (std::size_t i = 0; i < bound.operands.size(); ++i) {
    const Operand& result = bound.operands[i];
    if (result.spec == nullptr || result.spec->role != Role::Out || result.spec->kind != OperandKind::Tile ||
        result.id != element.owner.id)
      continue;
    for (const Source& source : view.sources(*step, static_cast<int>(i), element.row, element.col)) {
      if (source.operand < 0 || (source.kind != Source::Kind::Element && source.kind != Source::Kind::MaskBit))
        continue;
      const Operand& operand = bound.operands[static_cast<std::size_t>(source.operand)];
      const bool is_tile = operand.spec->kind == OperandKind::Tile;
      if (operand.id != owner_->id || is_tile != (owner_->kind == Owner::Kind::Tile)) continue;
      GridCell cell{source.row, source.col};
      if (!is_tile) {
        const std::uint32_t cols = std::max(1u, shape_of(view.recording()->program().buffers[operand.id]).cols);
        cell = {source.col / cols, source.col % cols};
      } else if (source.kind == Source::Kind::MaskBit) {
        if (const auto at = view.element_at(source.place, *step); at && at->owner == *owner_) cell = {at->row, at->col};
      }
      rings_.push_back({cell, source.decided ? look().theme->mask : look().theme->read, 0, source.decided});
    }
  }
}

void TilesPane::note_rings(DebugView& view) {
  rings_.clear();
  if (view.hovered()) note_sources(view, *view.hovered());
  else if (view.selected()) note_sources(view, *view.selected());
  int number = 0;
  for (const TrailStop& stop : view.trail()) {
    ++number;
    if (stop.element.owner == *owner_)
      rings_.push_back({{stop.element.row, stop.element.col}, look().theme->accent, number, false});
  }
}

// --- the body ---

// Null: the tile has none.
const TileBoxes* TilesPane::boxes(const TilePicture& shown) {
  if (!shown.tile) return nullptr;
  if (boxes_of_ != shown.tile->type) {
    boxes_of_ = shown.tile->type;
    boxes_ = ts::boxes_of(*boxes_of_);
  }
  return boxes_ ? &*boxes_ : nullptr;
}

GridContent TilesPane::content_of(DebugView& view, const TilePicture& shown) {
  const Setting& set = setting(view);
  const DebugView::MoreSigns& more = view.more_signs(*owner_, shown);
  GridContent content{
      .picture = &shown, .more = more.signs, .more_number = more.number, .only = slice_shown(view), .rings = rings_};
  if (set.boxes) content.boxes = boxes(shown);
  if (set.mode == Mode::Hex) content.numbers = NumberStyle::Hex;
  if (set.mode == Mode::Bits) content.numbers = NumberStyle::Bits;
  if (set.mode == Mode::Exact) content.numbers = NumberStyle::Exact;
  if (const auto* overlay = view.overlay_of(*owner_); overlay != nullptr && overlay->cols == shown.shape.cols) {
    content.colors = overlay->colors;
    content.marks = overlay->marks;
    content.colors_number = overlay->number;
  }
  const auto* texts = set.mode == Mode::Numbers ? view.texts_of(*owner_) : nullptr;
  if (texts != nullptr && texts->cols == shown.shape.cols) {
    content.texts = texts->texts;
    content.texts_number = texts->number;
  }
  if (set.mode == Mode::Heat)
    content.heat =
        set.auto_range ? auto_range(shown) : HeatRange{set.low, set.high, set.low < 0 && set.high == -set.low};
  const auto in_this = [&](const std::optional<Element>& element) -> std::optional<GridCell> {
    if (!element || element->owner != *owner_) return {};
    return GridCell{element->row, element->col};
  };
  content.selected = in_this(view.selected());
  content.hovered = in_this(view.hovered());
  if (!content.hovered && view.hovered_bytes())
    content.hovered = in_this(view.element_at(*view.hovered_bytes(), view.moment().position));
  if (!content.hovered && second_.is_on()) content.hovered = second_.pointed();
  return content;
}

void TilesPane::draw_body(DebugView& view, CommandQueue& out, const TilePicture& shown, const Rect& area) {
  const Setting& set = setting(view);
  if (set.mode == Mode::Histogram) return histogram_.draw(area, shown);
  const GridContent content = content_of(view, shown);
  Rect grid_area = area, byte_area = area, second_area = area;
  if (second_.is_on()) {
    const float gap = look().px(8);
    Room room(area);
    grid_area = byte_area = area.width() > area.height() ? room.left((area.width() - gap) / 2, gap)
                                                         : room.top((area.height() - gap) / 2, gap);
    second_area = room.rest();
  }
  if (set.bytes) {
    // Side by side where there is width for it.
    const float gap = look().px(8);
    const Rect both = grid_area;
    Room room(both);
    grid_area = both.width() > 1.6f * both.height() ? room.left((both.width() - gap) / 2, gap)
                                                    : room.top((both.height() - gap) / 2, gap);
    byte_area = room.rest();
  }
  TileGrid& grid = this->grid(view);
  const bool moved = followed_look_ != view.tiles_look().moved && view.tiles_look().owner == owner_;
  if (moved) grid.set_zoom(view.tiles_look().zoom), grid.scroll_to(view.tiles_look().row, view.tiles_look().col);
  const GridInput input = grid.draw("grid", grid_area, content);
  remember(view, grid);
  followed_look_ = view.tiles_look().moved;
  view.tiles_look() = {.owner = owner_,
                       .moment = shown.moment,
                       .heat = content.heat.has_value(),
                       .numbers = static_cast<int>(content.numbers),
                       .zoom = grid.zoom(),
                       .row = grid.row(),
                       .col = grid.col(),
                       .only = content.only,
                       .moved = followed_look_};
  if (second_.is_on()) second_.draw(view, out, *owner_, shown, grid, content.numbers, second_area);
  take(view, out, input.hovered, input.clicked, input.menu);
  if (input.double_clicked) out.push("follow");
  if (input.hovered) draw_tip(view, shown, *input.hovered);
  if (!set.bytes) return;
  const ByteRowsInput bytes = bytes_.draw("bytes", byte_area, content);
  take(view, out, bytes.hovered, bytes.clicked, bytes.menu);
  if (bytes.hovered) draw_tip(view, shown, *bytes.hovered);
  if (bytes.gap) {
    view.hover(*bytes.gap);
    ImGui::SetTooltip(
        "%s",
        fmt::format("{} 0x{:x}: between rows, part of no element", name(bytes.gap->space), bytes.gap->address).c_str());
  }
}

void TilesPane::take(DebugView& view, CommandQueue& out, const std::optional<GridCell>& hovered, bool clicked,
                     bool menu) {
  if (!hovered) return;
  view.hover(Element{*owner_, hovered->row, hovered->col});
  if (clicked) out.push("select", {view.name_of(*owner_), std::int64_t{hovered->row}, std::int64_t{hovered->col}});
  if (!menu) return;
  menu_cell_ = *hovered;
  wants_menu_ = true;
}

void TilesPane::draw_tip(DebugView& view, const TilePicture& shown, GridCell cell) {
  const Window& window = shown.window;
  if (cell.row < window.row || cell.col < window.col || cell.row >= window.row + window.rows ||
      cell.col >= window.col + window.cols)
    return;
  const std::uint32_t row = cell.row - window.row, col = cell.col - window.col;
  const ElementFormat& format = *shown.elements.format;
  const std::uint64_t bits = shown.elements.at(row, col);
  const Definedness worth = shown.elements.worth_at(row, col);
  ImGui::BeginTooltip();
  ImGui::TextUnformatted(view.name_of(Element{*owner_, cell.row, cell.col}).c_str());
  if (const Slices all = slices(view); all.count() > 0)
    ImGui::TextDisabled("index %s", all.element_text(cell.row, cell.col).c_str());
  if (const std::string written = view.written_name(*owner_); !written.empty())
    ImGui::TextDisabled("in the text %%%s", written.c_str());
  {
    const WithFont font(look().fonts.mono);
    ImGui::TextUnformatted(cell_text(format, bits, worth, NumberStyle::Decimal).c_str());
    ImGui::SameLine();
    ImGui::TextDisabled("%s", hex_text(format, bits).c_str());
  }
  if (setting(view).boxes && boxes(shown) != nullptr) tell_box(*shown.tile, *boxes(shown), cell);
  if (worth != Definedness::Written) ImGui::TextDisabled("%s", worth_words(worth));
  if (!shown.is_valid(row, col)) ImGui::TextDisabled("outside the valid region");
  tell_other_side(view, *owner_, shown, row, col);
  tell_findings(view, *owner_, cell);
  const std::size_t at = shown.elements.index(row, col);
  if (shown.changed[at] != 0) ImGui::TextDisabled("changed by the step");
  else if (shown.written[at] != 0) ImGui::TextDisabled("written by the step, and the same as before");
  ImGui::EndTooltip();
}

// --- menus ---

void TilesPane::copy(DebugView& view, CommandQueue& out, CopyAs form, bool whole) {
  const TilePicture& shown = picture(view);
  const auto& range = grids_[{static_cast<int>(owner_->kind), owner_->id}].range();
  Window part{menu_cell_.row, menu_cell_.col, 1, 1};
  if (range) part = *range;
  if (whole) part = {shown.window.row, shown.window.col, shown.elements.valid_rows, shown.elements.valid_cols};
  if (const auto slice = slice_shown(view); whole && slice) part = *slice;
  const Window& window = shown.window;
  if (part.row < window.row || part.col < window.col || part.row + part.rows > window.row + window.rows ||
      part.col + part.cols > window.col + window.cols)
    return;
  out.copy(copy_text(shown.elements, {part.row - window.row, part.col - window.col, part.rows, part.cols}, form,
                     view.name_of(*owner_)));
}

void TilesPane::draw_copies(DebugView& view, CommandQueue& out) {
  const bool range = grids_[{static_cast<int>(owner_->kind), owner_->id}].range().has_value();
  for (const bool whole : {false, true}) {
    if (!ImGui::BeginMenu(whole   ? "Copy the valid region as"
                          : range ? "Copy the marked range as"
                                  : "Copy the value as"))
      continue;
    for (int form = 0; form < kCopyForms; ++form)
      if (ImGui::MenuItem(name(static_cast<CopyAs>(form)))) copy(view, out, static_cast<CopyAs>(form), whole);
    ImGui::EndMenu();
  }
}

void TilesPane::draw_menu(DebugView& view, CommandQueue& out) {
  if (std::exchange(wants_menu_, false)) ImGui::OpenPopup("cell");
  if (!ImGui::BeginPopup("cell")) return;
  const Element element{*owner_, menu_cell_.row, menu_cell_.col};
  const std::string called = view.name_of(element);
  const auto select = [&] {
    out.push("select", {view.name_of(*owner_), std::int64_t{element.row}, std::int64_t{element.col}});
  };
  ImGui::TextDisabled("%s", called.c_str());
  ImGui::Separator();
  if (ImGui::MenuItem("Select")) select();
  if (ImGui::MenuItem("Follow to its source", key_hint("follow").c_str())) select(), out.push("follow");
  if (ImGui::MenuItem("Next write", key_hint("nextWrite").c_str())) select(), out.push("nextWrite");
  if (ImGui::MenuItem("Previous write", key_hint("previousWrite").c_str())) select(), out.push("previousWrite");
  if (ImGui::MenuItem("Stop at writes", key_hint("watchSelection").c_str())) select(), out.push("watchSelection");
  if (ImGui::MenuItem("Change this value...", key_hint("editValue").c_str())) select(), out.push("editValue");
  ImGui::Separator();
  draw_copies(view, out);
  if (ImGui::MenuItem("Copy its name")) out.copy(called);
  ImGui::EndPopup();
}

// --- commands ---

// showTile(name, as, format, low, high): what is not given stays as it is.
void TilesPane::show_as(DebugView& view, const Command& command) {
  Setting& set = setting(view);
  constexpr struct {
    const char* format;
    Mode mode;
  } kFormats[] = {{"decimal", Mode::Numbers}, {"hex", Mode::Hex}, {"bits", Mode::Bits}, {"exact", Mode::Exact}};
  for (const auto& one : kFormats)
    if (command.text(2) == one.format) set.mode = one.mode;
  if (command.text(1) == "heat") set.mode = Mode::Heat;
  if (command.text(1) == "numbers" && set.mode == Mode::Heat) set.mode = Mode::Numbers;
  if (command.values.size() < 5) return;
  set.low = std::strtod(command.text(3).c_str(), nullptr);
  set.high = std::strtod(command.text(4).c_str(), nullptr);
  set.auto_range = !(set.low < set.high);
}

// What is marked, or else what is selected.
void TilesPane::change(DebugView& view, CommandQueue& out, bool pastes) {
  const auto& range = grids_[{static_cast<int>(owner_->kind), owner_->id}].range();
  const auto& selected = view.selected();
  if (!range && (!selected || selected->owner != *owner_)) {
    out.push("edit");  // which says what can be done
    return;
  }
  const Window part = range ? *range : Window{selected->row, selected->col, 1, 1};
  const std::string name = view.name_of(*owner_);
  if (pastes) return ValueEditor::paste(name, part, out);
  const TilePicture& shown = picture(view);
  const Window& window = shown.window;
  const bool seen = part.row >= window.row && part.col >= window.col && part.row < window.row + window.rows &&
                    part.col < window.col + window.cols;
  std::string now;
  if (seen) {
    const std::uint32_t row = part.row - window.row, col = part.col - window.col;
    now = cell_text(*shown.elements.format, shown.elements.at(row, col), shown.elements.worth_at(row, col),
                    NumberStyle::Decimal);
  }
  value_editor_.open(name, part, now);
}

void TilesPane::select_next(DebugView& view, CommandQueue& out, Sign wanted) {
  const TilePicture& shown = picture(view);
  const std::vector<Sign> signs = signs_of(shown, view.more_signs(*owner_, shown).signs);
  const std::size_t count = signs.size();
  std::size_t from = count - 1;
  if (const auto& selected = view.selected();
      selected && selected->owner == *owner_ && selected->row >= shown.window.row && selected->col >= shown.window.col)
    from = shown.elements.index(selected->row - shown.window.row, selected->col - shown.window.col);
  for (std::size_t i = 1; i <= count; ++i) {
    const std::size_t at = (from + i) % count;
    if (!has(signs[at], wanted) || has(signs[at], Sign::Padding)) continue;
    const auto row = static_cast<std::uint32_t>(at / shown.elements.cols),
               col = static_cast<std::uint32_t>(at % shown.elements.cols);
    out.push("select",
             {view.name_of(*owner_), std::int64_t{shown.window.row + row}, std::int64_t{shown.window.col + col}});
    return;
  }
}

// splitTiles(tile, position, type): without any of them on or off.
void TilesPane::split(const Command& command, DebugView& view) {
  if (command.values.empty()) {
    if (second_.is_on()) second_.hide();
    else second_.show({}, {}, "");
    return;
  }
  Session& session = view.questions();
  std::optional<Owner> owner;
  if (const auto tile = session.find_tile(command.text(0), view.moment().position)) owner = {Owner::Kind::Tile, *tile};
  else if (const auto buffer = session.find_buffer(command.text(0))) owner = {Owner::Kind::Buffer, *buffer};
  std::optional<std::uint32_t> position;
  if (command.values.size() > 1 && command.number(1) >= 0)
    position =
        static_cast<std::uint32_t>(std::min<std::int64_t>(command.number(1), std::int64_t{view.recording()->count()}));
  second_.show(owner, position, command.text(2));
}

bool TilesPane::act(const Command& command, DebugView& view, CommandQueue& out) {
  if (view.recording() == nullptr) return false;
  if (command.name == "showTile") {
    Session& session = view.questions();
    if (const auto tile = session.find_tile(command.text(0), view.moment().position)) show({Owner::Kind::Tile, *tile});
    else if (const auto buffer = session.find_buffer(command.text(0))) show({Owner::Kind::Buffer, *buffer});
    else return false;
    show_as(view, command);
    return true;
  }
  if (!owner_) return false;
  Setting& set = setting(view);
  if (command.name == "cycleFormat") {
    const Mode next[] = {Mode::Hex, Mode::Hex, Mode::Bits, Mode::Exact, Mode::Numbers, Mode::Numbers};
    set.mode = next[static_cast<std::size_t>(set.mode)];
  } else if (command.name == "showHeat") {
    set.mode = set.mode == Mode::Heat ? Mode::Numbers : Mode::Heat;
  } else if (command.name == "showBytes") {
    set.bytes = command.values.empty() ? !set.bytes : command.number(0) != 0;
  } else if (command.name == "showBoxes") {
    if (boxes(picture(view)) == nullptr) return false;
    set.boxes = command.values.empty() ? !set.boxes : command.number(0) != 0;
  } else if (command.name == "splitTiles") {
    split(command, view);
  } else if (command.name == "showSlice" || command.name == "nextSlice" || command.name == "previousSlice") {
    return show_slice(command, view);
  } else if (command.name == "showHistogram") {
    set.mode = set.mode == Mode::Histogram ? Mode::Numbers : Mode::Histogram;
  } else if (command.name == "find") {
    find_.open();
  } else if (command.name == "nextNan") {
    select_next(view, out, Sign::Nan | Sign::Inf);
  } else if (command.name == "editValue" || command.name == "pasteValues") {
    change(view, out, command.name == "pasteValues");
  } else if (command.name == "copyValue" || command.name == "copyAs") {
    const auto& selected = view.selected();
    if (!selected || selected->owner != *owner_) return false;
    menu_cell_ = {selected->row, selected->col};
    if (command.name == "copyAs") wants_menu_ = true;
    else copy(view, out, CopyAs::Text, false);
  } else {
    return false;
  }
  return true;
}

// --- settings ---

void TilesPane::save(nlohmann::json& settings) const { settings["follows"] = follows_; }

void TilesPane::load(const data::Fields& settings) { follows_ = settings.truth("follows").value_or(follows_); }

// --- all of it ---

void TilesPane::draw(DebugView& view, CommandQueue& out) {
  if (view.recording() == nullptr) {
    ImGui::TextWrapped("Nothing to show yet: open a program that runs, and its tiles appear here.");
    return;
  }
  choose(view);
  if (!owner_) {
    ImGui::TextWrapped("This program has no tiles and no buffers.");
    return;
  }
  const TilePicture* shown = &picture(view);
  draw_title(view, *shown);
  // Another tile may have been chosen just now.
  shown = &picture(view);
  if (targets_wanted()) note_target("tiles/" + view.name_of(*owner_), {ImGui::GetWindowPos(), ImGui::GetWindowPos()});
  {
    const WithFont font(look().fonts.small);
    draw_modes(view, out, boxes(*shown) != nullptr);
  }
  Setting& set = setting(view);
  if (set.mode == Mode::Heat) draw_heat_bar(set, *shown);
  if (const auto part = draw_statistics(*shown)) {
    constexpr Sign kSigns[] = {Sign::Nan, Sign::Inf, Sign::Denormal, Sign::Undefined};
    select_next(view, out, kSigns[static_cast<std::size_t>(*part)]);
  }
  if (find_.is_open()) draw_find(view, out, *shown);
  draw_slices(view);
  note_rings(view);
  const Rect area = rest_of_window();
  ImGui::BeginChild("body", ImGui::GetContentRegionAvail(), false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  draw_body(view, out, *shown, area);
  draw_menu(view, out);
  value_editor_.draw(view, out);
  ImGui::EndChild();
}

namespace {

const RegisteredPane kTilesPane({
    .id = "tiles",
    .title = "Tiles",
    .help = "Any tile or buffer at any step: grid, heat, histogram, bytes.",
    .order = 120,
    .places = {{"debug", "middle below", 1}, {"compare", "tile", 1}, {"learn", "stage", 2}, {"present", "right", 2}},
    .manual =
        R"(Any tile or buffer at this moment. The list above chooses one; the buttons show it as numbers, heat, hexadecimal, bits,
all digits, or a histogram, and Bytes beside it in the order of memory. Boxes draws those of a tile that stands in boxes over its
cells: their borders, the number of each in the order of memory, and the way along the bytes from box to box and, in the one
that is pointed at, from element to element; pointing tells its address. Each tile keeps how it was shown. Ctrl and the
wheel make cells larger; dragging marks a range that can be copied.

*Split* puts a second tile beside the first one: another one, the same a step before or at a position that is kept, or its
bytes as another type, such as f16 or f8e4m3. Both scroll, zoom and point together while they are linked, and the second one
marks what differs where they have the same shape and type.

What has more than two dimensions, such as a buffer whose view is 3x36x100, stands in rows of the last one. The line *slice*
shows the rows and columns of one index of the others, with their own numbers; *all* puts the slices below each other again.
It follows what is selected; the counts above, find and *Next NaN* go through all slices.)",
    .make = make_pane<TilesPane>,
});

}  // namespace
}  // namespace ts::ui
