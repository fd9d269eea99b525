// The margin that the program's text and the list of steps share: signs of stops, findings and where one stands.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "app/draw/rect.h"
#include "app/draw/signs.h"
#include "core/debug/session/note.h"
#include "core/debug/session/stops.h"

namespace ts::ui {

// Where signs stand in a row.
struct Margin {
  explicit Margin(const Rect& row);
  Rect stop, found, here;
  float end;                             // behind them
  static constexpr float kSigns = 2.6f;  // their width, in heights of a row
};

// The sign of the stops that stand before a step and of which `is_here` holds.
std::optional<StopSign> stop_sign(std::span<const StopEntry> stops,
                                  const std::function<bool(const StopRule&)>& is_here);

// Whether a note is about a step of which this holds; `text` gets what such notes say.
bool has_note(std::span<const Note> notes, const std::function<bool(std::uint32_t step)>& is_here,
              std::string* text = nullptr);
// In the margin's place for what was found: what was found is said first.
void draw_margin_note(const Margin& margin, const std::string& text, bool beside);

// Messages, each once, for a tooltip.
class MessageList {
 public:
  void add(const Diagnostic& diagnostic, std::optional<std::uint32_t> step);
  void tooltip() const;

 private:
  struct Message {
    const Diagnostic* diagnostic;
    std::optional<std::uint32_t> first_step, last_step;
    std::size_t times;
  };
  std::vector<Message> messages_;
};

}  // namespace ts::ui
