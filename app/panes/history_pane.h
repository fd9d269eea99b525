// Every write of the selected element's bytes, as they are found.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/draw/row_scroll.h"
#include "app/panes/pane.h"
#include "app/view/later.h"
#include "core/debug/origins/history.h"

namespace ts::ui {

class HistoryPane final : public Pane {
 public:
  HistoryPane();
  void draw(DebugView& view, CommandQueue& out) override;

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

}  // namespace ts::ui
