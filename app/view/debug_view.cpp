// Quick answers for panes, kept for as long as they are looked at.
#include "app/view/debug_view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <utility>

#include "app/view/operand_element.h"
#include "app/view/shown_lesson.h"
#include "core/record/operand_place.h"
#include "scripting/run/gui_items.h"

namespace ts::ui {
namespace {

// Pictures that nobody looked at for so many frames are let go.
constexpr std::uint64_t kFramesKept = 3;

bool holds(const ByteRange& outer, const ByteRange& inner) {
  return outer.in_same_memory(inner) && inner.address >= outer.address &&
         std::uint64_t{inner.address} < std::uint64_t{outer.address} + outer.size;
}

// The element of a tile that stands at an address, or nothing between its lines.
std::optional<Element> element_in(std::uint32_t id, const TileRef& tile, const ByteRange& place) {
  const auto [row, col] =
      element_at(tile.type, element_number(tile.address, tile.type.dtype, place.address, place.part));
  if (row >= tile.rows() || col >= tile.cols()) return {};
  return Element{{Owner::Kind::Tile, id}, row, col};
}

}  // namespace

DebugView::DebugView(Answerer& answerer, const DeskState& state, const std::vector<JournalLine>& journal)
    : answerer_(answerer), state_(state), journal_(journal) {}

Session& DebugView::questions() {
  assert(state_.opened.questions != nullptr);
  return *state_.opened.questions;
}

const std::vector<SourceText>* DebugView::source_texts() {
  static const std::vector<SourceText> kNone;
  if (recording() == nullptr || sources().empty()) return &kNone;
  return source_texts_.get(answerer_, fmt::format("{}", fmt::join(source_folders_, "\n")),
                           [path = document()->path, folders = source_folders_, sums = document()->source_sums()](
                               Session& session, const auto&) {
                             SourceTexts texts(path, folders, sums);
                             std::vector<SourceText> found;
                             for (const std::string& file : session.sources().files())
                               found.push_back(texts.find(file));
                             return found;
                           });
}

bool DebugView::shows_next() const {
  const Recording* made = recording();
  if (in_step()) return true;
  if (made == nullptr || moment().position == 0) return true;
  return prefers_next() && moment().position < made->count();
}

std::optional<std::uint32_t> DebugView::shown_step() const {
  const Recording* made = recording();
  if (made == nullptr || made->count() == 0) return {};
  return shows_next() ? moment().position : moment().position - 1;
}

std::optional<std::uint32_t> DebugView::hidden_step() const {
  const learn::Predict* predict = lesson() != nullptr ? lesson()->hiding() : nullptr;
  return predict != nullptr ? std::optional(predict->step) : std::nullopt;
}

// --- pictures ---

DebugView::KeptPicture* DebugView::find_picture(const std::optional<TileRef>& tile, std::uint32_t buffer,
                                                Moment moment) {
  for (KeptPicture& kept : pictures_)
    if (kept.tile == tile && kept.buffer == buffer && kept.moment == moment) return &kept;
  return nullptr;
}

const TilePicture& DebugView::keep_picture(KeptPicture made) {
  made.used = frame_;
  pictures_.push_back(std::move(made));
  return *pictures_.back().picture;
}

const TilePicture& DebugView::picture(const TileRef& tile, Moment moment) {
  if (KeptPicture* kept = find_picture(tile, 0, moment)) {
    kept->used = frame_;
    return *kept->picture;
  }
  return keep_picture({tile, 0, moment, std::make_unique<TilePicture>(picture_of(questions(), tile, moment))});
}

const TilePicture& DebugView::picture(const Owner& owner, Moment moment) {
  if (owner.kind == Owner::Kind::Tile) return picture(tile_at(owner.id, moment.position), moment);
  if (KeptPicture* kept = find_picture({}, owner.id, moment)) {
    kept->used = frame_;
    return *kept->picture;
  }
  const BufferDecl& buffer = recording()->program().buffers[owner.id];
  return keep_picture({{}, owner.id, moment, std::make_unique<TilePicture>(picture_of(questions(), buffer, moment))});
}

std::string DebugView::name_of(const Owner& owner) const {
  const Program& program = recording()->program();
  return owner.kind == Owner::Kind::Tile ? program.tiles[owner.id].name : program.buffers[owner.id].name;
}

std::string DebugView::written_name(const Owner& owner) const {
  return owner.kind == Owner::Kind::Tile ? recording()->program().tiles[owner.id].written : "";
}

std::string DebugView::name_of(const Element& element) const {
  return fmt::format("{}[{},{}]", name_of(element.owner), element.row, element.col);
}

ByteRange DebugView::place_of(const Element& element, std::uint32_t position) {
  if (element.owner.kind == Owner::Kind::Tile) {
    const TileRef tile = tile_at(element.owner.id, position);
    return tile.place_of(element.row, element.col);
  }
  const BufferDecl& buffer = recording()->program().buffers[element.owner.id];
  return element_place(Space::Gm, buffer.address, buffer.dtype, element.row * shape_of(buffer).cols + element.col);
}

std::optional<Element> DebugView::element_at(ByteRange place, std::uint32_t position) {
  const Program& program = recording()->program();
  if (place.space == Space::Gm) {
    for (std::uint32_t id = 0; id < program.buffers.size(); ++id) {
      const BufferDecl& buffer = program.buffers[id];
      if (!holds({Space::Gm, buffer.address, buffer.size()}, place)) continue;
      const std::uint32_t index = element_number(buffer.address, buffer.dtype, place.address, place.part),
                          cols = std::max(1u, shape_of(buffer).cols);
      return Element{{Owner::Kind::Buffer, id}, index / cols, index % cols};
    }
    return {};
  }
  if (const auto step = shown_step())
    for (const Operand& operand : recording()->bound(*step).operands)
      if (operand.spec != nullptr && operand.spec->kind == OperandKind::Tile && holds(operand.tile.range(), place))
        if (const auto found = element_in(operand.id, operand.tile, place)) return found;
  for (std::uint32_t id = 0; id < program.tiles.size(); ++id) {
    const TileRef tile = tile_at(id, position);
    if (!holds(tile.range(), place)) continue;
    if (const auto found = element_in(id, tile, place)) return found;
  }
  return {};
}

// --- findings ---

std::shared_ptr<const std::vector<Finding>> DebugView::shared_findings() const {
  static const auto none = std::make_shared<const std::vector<Finding>>();
  if (standing().findings == nullptr || (lesson() != nullptr && lesson()->hides_findings())) return none;
  return standing().findings;
}

std::optional<Severity> DebugView::worst_finding() const {
  if (worst_ && worst_->number == findings_number()) return worst_->severity;
  worst_ = Worst{findings_number(), {}};
  for (const Finding& finding : findings())
    worst_->severity = std::max(worst_->severity.value_or(Severity::Note), finding.diagnostic.severity);
  return worst_->severity;
}

std::span<const Finding> DebugView::findings_of(std::uint32_t step) const {
  const std::vector<Finding>& all = findings();
  const auto first = std::ranges::lower_bound(all, step, {}, &Finding::step);
  return {first, std::ranges::upper_bound(first, all.end(), step, {}, &Finding::step)};
}

std::optional<Element> DebugView::element_of(const Finding& finding) {
  const Bound* bound = recording() != nullptr ? recording()->bound_of(finding) : nullptr;
  if (!finding.element || bound == nullptr) return {};
  const FoundElement& found = *finding.element;
  const auto& operands = bound->operands;
  if (found.operand < 0 || static_cast<std::size_t>(found.operand) >= operands.size())
    return found.place.size != 0 ? element_at(found.place, finding.step) : std::nullopt;
  const Operand& operand = operands[static_cast<std::size_t>(found.operand)];
  if (operand.spec->kind == OperandKind::Scalar) return {};
  return element_of_operand(recording()->program(), *bound, found.operand, found.row, found.col);
}

// --- another run ---

const SideBySide* DebugView::beside(const Owner& owner, const TilePicture& mine) {
  if (against() == nullptr) return nullptr;
  for (KeptSides& kept : sides_)
    if (kept.of == mine.number && kept.against == against_number()) {
      kept.used = frame_;
      return kept.sides.get();
    }
  Session* other = state_.comparison.other_questions.get();
  sides_.push_back({mine.number, against_number(),
                    std::make_unique<SideBySide>(side_by_side(*against(), other, owner, name_of(owner), mine)),
                    frame_});
  return sides_.back().sides.get();
}

const DebugView::MoreSigns& DebugView::more_signs(const Owner& owner, const TilePicture& picture) {
  const SideBySide* sides = marks_differences() ? beside(owner, picture) : nullptr;
  const std::uint64_t of_sides = sides != nullptr ? sides->number : 0;
  for (KeptSigns& kept : signs_)
    if (kept.of == picture.number && kept.findings == findings_number() && kept.sides == of_sides &&
        kept.notes == notes_number() && kept.step == shown_step()) {
      kept.used = frame_;
      return *kept.signs;
    }
  auto more = std::make_unique<MoreSigns>(signs_of(owner, picture, sides));
  signs_.push_back(
      {picture.number, findings_number(), of_sides, notes_number(), shown_step(), std::move(more), frame_});
  return *signs_.back().signs;
}

DebugView::MoreSigns DebugView::signs_of(const Owner& owner, const TilePicture& picture, const SideBySide* sides) {
  MoreSigns more{{}, ++signs_made_};
  const std::size_t count = picture.elements.bits.size();
  const auto mark = [&](std::size_t at, Sign sign) {
    more.signs.resize(count);
    more.signs[at] = more.signs[at] | sign;
  };
  const auto mark_element = [&](std::uint32_t row, std::uint32_t col, Sign sign) {
    const Window& window = picture.window;
    const bool seen =
        row >= window.row && col >= window.col && row < window.row + window.rows && col < window.col + window.cols;
    if (seen) mark(picture.elements.index(row - window.row, col - window.col), sign);
  };
  if (sides != nullptr && !sides->refused)
    for (std::size_t at = 0; at < std::min(count, sides->differs.size()); ++at)
      if (sides->differs[at] != 0) mark(at, Sign::Different);
  if (const auto step = shown_step())
    for (const Finding& finding : findings_of(*step))
      if (const auto element = element_of(finding); element && element->owner == owner)
        mark_element(element->row, element->col, Sign::Finding);
  const std::string owner_name = notes().empty() ? "" : name_of(owner);
  for (const Note& note : notes())
    if (note.element && note.element->owner == owner_name)
      mark_element(note.element->row, note.element->col, Sign::Note);
  return more;
}

// --- what scripts show ---

const scripting::Overlay* DebugView::overlay_of(const Owner& owner) const {
  for (const scripting::Overlay& overlay : state_.scripts.items->overlays)
    if (overlay.id == owner.id && overlay.is_buffer == (owner.kind == Owner::Kind::Buffer)) return &overlay;
  return nullptr;
}

const scripting::CellTexts* DebugView::texts_of(const Owner& owner) const {
  for (const scripting::CellTexts& texts : state_.scripts.items->texts)
    if (texts.id == owner.id && texts.is_buffer == (owner.kind == Owner::Kind::Buffer)) return &texts;
  return nullptr;
}

// --- data flow ---

const Flow& DebugView::flow(std::uint32_t step) {
  if (!flow_ || flow_step_ != step) {
    if (flow_inspector_ == nullptr) flow_inspector_ = std::make_unique<Inspector>(*recording());
    sources_.clear();
    flow_.emplace(flow_inspector_->flow(step));
    flow_step_ = step;
  }
  return *flow_;
}

const std::vector<Source>& DebugView::sources(std::uint32_t step, int operand, std::uint32_t row, std::uint32_t col) {
  const Flow& made = flow(step);
  const auto [kept, is_new] = sources_.try_emplace({operand, row, col});
  if (is_new) kept->second = made.sources(operand, row, col);
  return kept->second;
}

// --- for the desk ---

void DebugView::begin_frame() {
  ++frame_;
  moving_ = false;
  hovered_ = std::exchange(hovering_, std::nullopt);
  hovered_bytes_ = std::exchange(hovering_bytes_, std::nullopt);
  const auto unused = [&](const auto& kept) { return kept.used + kFramesKept < frame_; };
  std::erase_if(pictures_, unused);
  std::erase_if(sides_, unused);
  std::erase_if(signs_, unused);
}

void DebugView::forget() {
  kept_ = {};
  pictures_.clear();
  sides_.clear();
  signs_.clear();
  sources_.clear();
  flow_.reset();
  flow_inspector_.reset();
  tiles_look_ = {};
  // Panes that were drawn before this said what the next frame takes for hovered.
  hovered_ = hovering_ = {};
  hovered_bytes_ = hovering_bytes_ = {};
}

}  // namespace ts::ui
