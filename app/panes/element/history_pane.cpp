// Every write of the selected element's bytes, looked for piece by piece, so that the first rows come at once.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "app/draw/look.h"
#include "app/draw/row_scroll.h"
#include "app/draw/shapes.h"
#include "app/draw/subjects.h"
#include "app/draw/text.h"
#include "app/panes/pane.h"
#include "app/panes/parts/empty.h"
#include "app/view/later.h"
#include "core/debug/elements/cell_text.h"
#include "core/debug/origins/history.h"
#include "core/debug/session/session.h"

namespace ts::ui {
namespace {

class HistoryPane final : public Pane {
 public:
  void draw(DebugView& view, CommandQueue& out) override;
  void forget() override {
    search_.reset();
    later_ = {};
  }

 private:
  struct Row {
    HistoryRow row;
    std::uint64_t before = 0, after = 0;
  };
  // Rows found in one go, and how far it went.
  struct Piece {
    std::vector<Row> rows;
    std::uint32_t looked_at = 0;
    bool complete = false;
  };
  // What is looked through, in the thread that answers; it goes on from piece to piece.
  struct Search;

  void start(DebugView& view, const Element& element);
  void take_piece(DebugView& view);
  void draw_head(const DebugView& view, const Element& element) const;
  void draw_rows(DebugView& view, CommandQueue& out);
  void draw_row(DebugView& view, const Row& row, const Rect& rect, bool hovered) const;
  void draw_now(float y) const;

  std::uint64_t opening_ = 0;
  const Recording* recording_ = nullptr;
  ByteRange place_;
  const ElementFormat* format_ = nullptr;
  std::shared_ptr<Search> search_;
  Later<Piece> later_;
  std::uint32_t piece_ = 0, searches_ = 0, looked_at_ = 0;
  bool complete_ = false, found_place_ = false;
  std::vector<Row> rows_;
  RowScroll scroll_;
};

}  // namespace

struct HistoryPane::Search {
  Search(std::shared_ptr<const Recording> of, ByteRange range)
      : recording(std::move(of)), inspector(*recording), history(*recording, inspector, range) {}
  std::shared_ptr<const Recording> recording;
  Inspector inspector;
  History history;
};

namespace {

// A piece takes no longer than this.
constexpr auto kPieceTime = std::chrono::milliseconds(40);
constexpr std::uint32_t kStepsAtOnce = 4000;

std::uint64_t bits_of(std::span<const std::byte> bytes) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data(), std::min(bytes.size(), sizeof bits));
  return bits;
}

// The position right behind a write.
std::uint32_t position_behind(const HistoryRow& row) { return row.maker == Maker::Edit ? row.step : row.step + 1; }

std::string maker_text(const Recording& recording, const HistoryRow& row) {
  if (row.maker == Maker::Edit) return "edited by hand";
  if (row.maker == Maker::Block) return "a block began";
  return recording.bound(row.step).row->name;
}

}  // namespace

void HistoryPane::start(DebugView& view, const Element& element) {
  const ByteRange place = view.place_of(element, view.moment().position);
  const DType dtype = element.owner.kind == Owner::Kind::Tile
                          ? view.tile_at(element.owner.id, view.moment().position).type.dtype
                          : view.recording()->program().buffers[element.owner.id].dtype;
  format_ = &element_format(dtype);
  if (opening_ == view.opening() && place_ == place) return;
  opening_ = view.opening();
  recording_ = view.recording();
  place_ = place;
  search_ = nullptr;
  rows_.clear();
  piece_ = looked_at_ = 0;
  ++searches_;
  complete_ = found_place_ = false;
  scroll_.to_start();
}

// What was found since the last frame; then the next piece is asked for.
void HistoryPane::take_piece(DebugView& view) {
  if (complete_) return;
  if (search_ == nullptr) search_ = std::make_shared<Search>(view.document()->recording, place_);
  const std::size_t have = rows_.size();
  const Piece* piece =
      later_.get(view.answerer(), fmt::format("{} {}", searches_, piece_),
                 [search = search_, have](Session&, const std::function<bool()>& go_on) {
                   const auto end = std::chrono::steady_clock::now() + kPieceTime;
                   History& history = search->history;
                   while (!history.complete() && std::chrono::steady_clock::now() < end && go_on())
                     history.look_on(kStepsAtOnce);
                   Piece found{.rows = {}, .looked_at = history.looked_at(), .complete = history.complete()};
                   for (std::size_t i = have; i < history.rows().size(); ++i)
                     found.rows.push_back({history.rows()[i], bits_of(history.before(i)), bits_of(history.after(i))});
                   return found;
                 });
  if (piece == nullptr) return;
  rows_.insert(rows_.end(), piece->rows.begin(), piece->rows.end());
  looked_at_ = piece->looked_at;
  complete_ = piece->complete;
  ++piece_;
}

void HistoryPane::draw_head(const DebugView& view, const Element& element) const {
  {
    const WithFont font(look().fonts.bold);
    ImGui::TextUnformatted(view.name_of(element).c_str());
  }
  ImGui::SameLine();
  const std::string found =
      complete_ ? fmt::format("{} write{}", rows_.size(), rows_.size() == 1 ? "" : "s")
                : fmt::format("{} so far, looked at {} of {} steps", rows_.size(), looked_at_, recording_->count());
  ImGui::TextDisabled("%s", fmt::format("{}+0x{:x}   {}", name(place_.space), place_.address, found).c_str());
}

void HistoryPane::draw_row(DebugView& view, const Row& row, const Rect& rect, bool hovered) const {
  const Theme& theme = *look().theme;
  ImDrawList& out = *ImGui::GetWindowDrawList();
  ImFont* font = look().fonts.mono;
  const bool changed = row.before != row.after || row.row.defined_before != row.row.defined_after;
  if (hovered) out.AddRectFilled(rect.min, rect.max, ink(theme.hovered));
  const float side = look().px(8), y = rect.center().y - side / 2, x = rect.min.x + look().px(6);
  // The same signs as in the grid: a filled corner for a change, an open one where the bits stayed.
  note_mark(changed ? "cell-written" : "cell-same", {{x, y}, {x + side, y + side}});
  if (changed) out.AddTriangleFilled({x, y}, {x + side, y}, {x + side, y + side}, ink(theme.written));
  else out.AddTriangle({x, y}, {x + side, y}, {x + side, y + side}, ink(theme.text_quiet), 1);
  // Numbers of steps as wide as the last one's, and the rest shared out: panes are narrow.
  const float step = font->GetCharAdvance('0') * static_cast<float>(fmt::formatted_size("@{} ", recording_->count()));
  const float left = rect.min.x + look().px(20), arrow_room = look().px(22);
  const float rest = std::max(1.0f, rect.max.x - left - step - arrow_room);
  const float op = std::min(rest * 0.36f, look().px(110)), value = std::min((rest - op) / 2, look().px(150));
  const float top = rect.center().y - font->FontSize / 2;
  const auto column = [&](float from, float room, const std::string& text, Color color) {
    put_text_cut({from, top}, std::max(1.0f, room - look().px(6)), text, color, font);
  };
  column(left, step + look().px(6), fmt::format("@{}", row.row.step), theme.text_quiet);
  column(left + step, op, maker_text(*view.recording(), row.row), theme.text);
  const auto text = [&](std::uint64_t bits, Definedness worth) {
    const auto most = static_cast<std::size_t>(std::max(0.0f, (value - look().px(6)) / font->GetCharAdvance('0')));
    return fitted_text(*format_, bits, worth, NumberStyle::Decimal, most);
  };
  column(left + step + op, value, text(row.before, row.row.defined_before), theme.text_quiet);
  const float arrow = left + step + op + value, mid = rect.center().y;
  out.AddLine({arrow, mid}, {arrow + look().px(12), mid}, ink(theme.text_quiet));
  out.AddTriangleFilled({arrow + look().px(9), mid - look().px(3)}, {arrow + look().px(14), mid},
                        {arrow + look().px(9), mid + look().px(3)}, ink(theme.text_quiet));
  column(arrow + arrow_room, value, text(row.after, row.row.defined_after), changed ? theme.written : theme.text_quiet);
  if (hovered && row.row.maker == Maker::Step)
    ImGui::SetTooltip("%s, %s", recording_->bound(row.row.step).row->name,
                      view.questions().line_text(row.row.step).c_str());
  const float behind = arrow + arrow_room + value;
  if (!changed && rect.max.x - behind > look().px(40)) column(behind, look().px(60), "same", theme.text_quiet);
}

// A line where the session stands among the writes.
void HistoryPane::draw_now(float y) const {
  const Rect& area = scroll_.area();
  const float side = look().px(5);
  ImDrawList& out = *ImGui::GetWindowDrawList();
  const ImU32 color = ink(look().theme->accent);
  out.AddLine({area.min.x, y}, {area.max.x, y}, color, look().px(2));
  out.AddTriangleFilled({area.min.x, y - side}, {area.min.x + side, y}, {area.min.x, y + side}, color);
}

void HistoryPane::draw_rows(DebugView& view, CommandQueue& out) {
  const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const auto count = static_cast<std::uint32_t>(rows_.size());
  const float high = look().fonts.mono->FontSize + look().px(7);
  scroll_.begin("writes", {at, {at.x + std::max(1.0f, room.x), at.y + std::max(1.0f, room.y)}}, high, count);
  const std::uint32_t position = view.moment().position;
  const auto behind =
      std::ranges::partition_point(rows_, [&](const Row& row) { return position_behind(row.row) <= position; });
  const auto now = static_cast<std::uint32_t>(behind - rows_.begin());
  // Where one stands, once it is known; from then on the user scrolls.
  if (!found_place_ && (complete_ || now < count)) {
    if (count != 0) scroll_.show(std::min(now, count - 1), count);
    found_place_ = true;
  }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(scroll_.area().min, scroll_.area().max, true);
  const std::uint32_t pointed = scroll_.is_hovered() ? scroll_.row_at(ImGui::GetIO().MousePos.y) : count;
  for (std::uint32_t row = scroll_.first_row(); row < scroll_.end_row(); ++row)
    draw_row(view, rows_[row], scroll_.row_rect(row), row == pointed);
  if (now >= scroll_.first_row() && now <= scroll_.end_row())
    draw_now(std::max(scroll_.row_y(now), scroll_.area().min.y + 1));
  list.PopClipRect();
  // By keys to the write before or behind.
  if (scroll_.moved() != 0 && count != 0) {
    const std::int64_t row = std::clamp<std::int64_t>(std::int64_t{now} - 1 + scroll_.moved(), 0, count - 1);
    scroll_.show(static_cast<std::uint32_t>(row), count);
    out.push("seek", {std::int64_t{position_behind(rows_[static_cast<std::size_t>(row)].row)}});
  }
  if (pointed >= count) return;
  ImGui::SetTooltip(
      "%s", fmt::format("{} to {}{}\ndouble click: to the state after it", hex_text(*format_, rows_[pointed].before),
                        hex_text(*format_, rows_[pointed].after),
                        rows_[pointed].before == rows_[pointed].after ? ", the same" : "")
                .c_str());
  if (scroll_.is_double_clicked()) out.push("seek", {std::int64_t{position_behind(rows_[pointed].row)}});
}

void HistoryPane::draw(DebugView& view, CommandQueue& out) {
  if (view.recording() == nullptr)
    return say_empty("No program is open.", "Open one, and select an element of a tile.");
  if (!view.selected())
    return say_empty("Nothing is selected.", "Click a cell: every write of its bytes is listed here.");
  if (view.hidden_step())
    return say_empty("The lesson asks what the step does.", "The list is here again when you have answered.");
  start(view, *view.selected());
  take_piece(view);
  draw_head(view, *view.selected());
  if (complete_ && rows_.empty())
    return say_empty("No step writes these bytes.", "They hold what they held before the first step.");
  draw_rows(view, out);
}

namespace {

const RegisteredPane kHistoryPane({
    .id = "history",
    .title = "History",
    .help = "Every write of the selected bytes, before and after.",
    .order = 160,
    .places = {{"debug", "right below", 1}, {"compare", "left below", 2}},
    .manual =
        R"(Every write to the bytes of the selected element, with the value before and after. A click goes to just after that step.)",
    .make = make_pane<HistoryPane>,
});

}  // namespace
}  // namespace ts::ui
