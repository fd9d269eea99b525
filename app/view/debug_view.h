// What panes look through: what is open, where the session stands, what the user points at, and quick answers about it.
// Panes change nothing here but what is hovered; everything else they ask for by commands.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "app/view/against.h"
#include "app/view/checking.h"
#include "app/view/document.h"
#include "app/view/element.h"
#include "app/view/journal_line.h"
#include "app/view/kept.h"
#include "app/view/later.h"
#include "app/view/tile_displays.h"
#include "core/debug/session/session.h"
#include "core/debug/picture/tile_picture.h"
#include "core/debug/picture/tile_reduce.h"

namespace ts::scripting {
struct CellTexts;
struct GuiItems;
struct Overlay;
}  // namespace ts::scripting

namespace ts::ui {

struct LessonView;

struct WatchLine {
  std::string expression, value;
  bool ok = true;
  bool changed = false;  // since the session stood elsewhere
};

struct ConsoleLine {
  enum class Kind : std::uint8_t { Typed, Printed, Error, Note };
  Kind kind = Kind::Printed;
  std::string text;
};

// How the end of a typed line may go on: whole names, that stand for everything from `begin` on.
struct Guesses {
  std::string line;
  std::size_t begin = 0;
  std::vector<std::string> names = {};
};

// Where the session stands and what was set in it, as it was told last. The window's thread has its own copy.
struct Standing {
  Moment moment;
  Stopped stopped;
  std::vector<StopEntry> stops;
  std::map<std::string, std::uint32_t> bookmarks;
  std::vector<Note> notes;
  std::vector<WatchLine> watches;
  std::shared_ptr<const std::vector<Finding>> findings = {};
};

// A long job that runs beside the window.
struct Busy {
  std::string what;         // "recording softmax"
  std::uint64_t done = 0;   // steps
  std::uint64_t total = 0;  // 0: nobody knows
  double seconds = 0;
};

// How the tiles pane shows its tile, for panes that show another one beside it.
struct TilesLook {
  std::optional<Owner> owner = {};
  Moment moment = {};
  bool heat = false;
  int numbers = 0;  // a NumberStyle
  // The part that is seen. Whoever moves it gives it another number.
  float zoom = 0;
  double row = 0, col = 0;
  std::uint64_t moved = 0;
};

class DebugView {
 public:
  explicit DebugView(Answerer& answerer);

  // --- what is open ---
  const Document* document() const { return document_.get(); }  // null: nothing
  const Recording* recording() const { return document_ ? document_->recording.get() : nullptr; }
  // Another number whenever something else was opened.
  std::uint64_t opening() const { return answerer_.opening(); }
  // Another session over the recording, for questions that take less than a frame. It stands nowhere in particular;
  // whoever asks names the position. Only with a recording.
  Session& questions();
  // Questions that may take longer, by `Later`.
  Answerer& answerer() { return answerer_; }

  // What drawings keep, by their own types, for as long as the program is open.
  Kept& kept() { return kept_; }

  // --- where the session stands ---
  const Standing& standing() const { return standing_; }
  Moment moment() const { return standing_.moment; }
  bool in_step() const { return standing_.moment.micro > 0; }
  // The step that the stage shows: the one that comes next, or the one just made. In the middle of a step it is that
  // one.
  std::optional<std::uint32_t> shown_step() const;
  bool shows_next() const;
  // What the user chose, where there is a choice.
  bool prefers_next() const { return show_next_; }
  // Where one has to stand for the stage to show a step.
  std::uint32_t position_showing(std::uint32_t step) const { return show_next_ ? step : step + 1; }

  // --- what was found ---
  // All findings of the recording, by step: what the run found, and once it was checked, everything.
  const std::vector<Finding>& findings() const;
  std::shared_ptr<const std::vector<Finding>> shared_findings() const { return standing_.findings; }
  // Another number whenever there are others.
  std::uint64_t findings_number() const { return findings_number_; }
  std::span<const Finding> findings_of(std::uint32_t step) const;
  // The gravest of all; nothing: there are none.
  std::optional<Severity> worst_finding() const { return worst_finding_; }
  // The one that was gone to, as long as nobody goes elsewhere.
  std::optional<std::size_t> finding() const { return finding_; }
  // The element that a finding is about; nothing where it is about none.
  std::optional<Element> element_of(const Finding& finding);
  const Checking& checking() const { return checking_; }

  // --- the lesson ---
  const LessonView* lesson() const { return lesson_.get(); }  // null: none is open
  // The step that a lesson asks about: what it does is shown nowhere. Nothing: there is none.
  std::optional<std::uint32_t> hidden_step() const;

  // --- what it is compared with ---
  const Against* against() const { return against_.get(); }  // null: with nothing
  // Another number whenever it is compared with something else.
  std::uint64_t against_number() const { return against_number_; }
  // While it is being compared: with what.
  const std::string& comparing_with() const { return comparing_with_; }
  // Of the differences the one that was gone to.
  std::optional<std::size_t> difference() const { return difference_; }
  bool marks_differences() const { return marks_differences_; }
  // Null: it is compared with nothing. Valid for this frame.
  const SideBySide* beside(const Owner& owner, const TilePicture& mine);

  // Signs of a picture's elements that it does not have itself: found in the shown step, different, noted.
  struct MoreSigns {
    std::vector<Sign> signs;   // empty: none
    std::uint64_t number = 0;  // another one for others
  };
  const MoreSigns& more_signs(const Owner& owner, const TilePicture& picture);

  // --- pictures ---
  // How a tile or buffer stands at a moment: elements, what they are worth, what the last step changed. Kept until
  // other moments are asked for; valid for this frame.
  const TilePicture& picture(const TileRef& tile, Moment moment);
  const TilePicture& picture(const Owner& owner, Moment moment);
  TileRef tile_at(std::uint32_t tile, std::uint32_t position) { return questions().tile_at(tile, position); }
  std::string name_of(const Owner& owner) const;
  std::string name_of(const Element& element) const;  // "t2[1,5]"
  // Where an element's bytes are at a position.
  ByteRange place_of(const Element& element, std::uint32_t position);
  // The element that a byte is part of, as the steps around `position` see it; of tiles that share it, the one that the
  // shown step works on, or else the newest.
  std::optional<Element> element_at(ByteRange place, std::uint32_t position);
  // The data flow of a step; kept for the step asked last, and valid until another one is asked for.
  const Flow& flow(std::uint32_t step);
  // The sources of an element of a step's results. Empty where the step did not make it.
  const std::vector<Source>& sources(std::uint32_t step, int operand, std::uint32_t row, std::uint32_t col);

  // --- what the user points at ---
  const std::optional<Element>& selected() const { return selected_; }
  // By any pane, in the frame before. A pane says what it sees under the mouse, in every frame that it does.
  const std::optional<Element>& hovered() const { return hovered_; }
  void hover(const Element& element) { hovering_ = element; }
  // Bytes under the mouse where no element is meant: in the byte view, in the buffer map.
  const std::optional<ByteRange>& hovered_bytes() const { return hovered_bytes_; }
  void hover(ByteRange place) { hovering_bytes_ = place; }
  const std::vector<TrailStop>& trail() const { return trail_; }

  TilesLook& tiles_look() { return tiles_look_; }
  // How the tiles of the open program are shown.
  TileDisplays& tile_displays() { return tile_displays_; }
  const TileDisplays& tile_displays() const { return tile_displays_; }

  // --- notes, and what scripts show ---
  const std::vector<Note>& notes() const { return standing_.notes; }
  // Another number whenever there are others.
  std::uint64_t notes_number() const { return notes_number_; }
  // What was done, oldest first.
  const std::vector<JournalLine>& journal() const { return *journal_; }
  // Panels, colours over cells and formats; never null.
  const scripting::GuiItems& script_items() const { return *script_items_; }
  // Which panel is to come to the front; another number each time that one is.
  const std::string& front_panel() const { return front_panel_; }
  std::uint64_t front_panel_number() const { return front_panel_number_; }
  // Of a tile or buffer; null: none.
  const scripting::Overlay* overlay_of(const Owner& owner) const;
  const scripting::CellTexts* texts_of(const Owner& owner) const;

  // --- the rest of the window ---
  // Something in a pane moves: the next frame is wanted soon. To be said in every frame of the motion.
  void keep_moving() { moving_ = true; }
  bool moving() const { return moving_; }
  const std::vector<ConsoleLine>& console() const { return console_; }
  // How many lines there have been; the oldest are forgotten.
  std::uint64_t console_said() const { return console_said_; }
  // The newest answer to the command `guess`.
  const Guesses& guesses() const { return guesses_; }
  const std::optional<Busy>& busy() const { return busy_; }
  bool showing_before() const { return showing_before_; }  // the key that shows the state before is held

 private:
  friend class Desk;
  Answerer& answerer_;
  std::shared_ptr<const Document> document_;
  std::shared_ptr<Session> questions_;
  Kept kept_;
  Standing standing_;
  bool show_next_ = false, showing_before_ = false, moving_ = false;
  std::optional<Element> selected_, hovered_, hovering_;
  std::optional<ByteRange> hovered_bytes_, hovering_bytes_;
  std::vector<TrailStop> trail_;
  std::vector<ConsoleLine> console_;
  std::uint64_t console_said_ = 0;
  Guesses guesses_;
  std::optional<Busy> busy_;
  std::uint64_t findings_number_ = 0, against_number_ = 0;
  std::optional<Severity> worst_finding_;
  std::optional<std::size_t> finding_, difference_;
  Checking checking_;
  std::shared_ptr<const Against> against_;
  std::shared_ptr<Session> other_questions_;
  std::string comparing_with_;
  bool marks_differences_ = true;
  std::uint64_t notes_number_ = 0, front_panel_number_ = 0;
  const std::vector<JournalLine>* journal_ = nullptr;  // the desk's
  std::shared_ptr<const scripting::GuiItems> script_items_;
  std::string front_panel_;
  TilesLook tiles_look_;
  std::shared_ptr<LessonView> lesson_;
  TileDisplays tile_displays_;
  void take_findings(std::shared_ptr<const std::vector<Finding>> findings);
  // A lesson hides them, or does so no more.
  void take_hidden_findings();
  void take_against(std::shared_ptr<const Against> against, std::shared_ptr<Session> other_questions);
  // --- answers that are kept ---
  struct KeptPicture {
    std::optional<TileRef> tile;
    std::uint32_t buffer = 0;
    Moment moment;
    std::unique_ptr<TilePicture> picture;
    std::uint64_t used = 0;  // in which frame
  };
  void begin_frame();
  void show(std::shared_ptr<const Document> document, std::shared_ptr<Session> questions);
  KeptPicture* find_picture(const std::optional<TileRef>& tile, std::uint32_t buffer, Moment moment);
  const TilePicture& keep_picture(KeptPicture made);
  std::vector<KeptPicture> pictures_;
  struct KeptSides {
    std::uint64_t of = 0;  // the picture's number
    std::unique_ptr<SideBySide> sides;
    std::uint64_t used = 0;
  };
  std::vector<KeptSides> sides_;
  struct KeptSigns {
    std::uint64_t of = 0, findings = 0, sides = 0, notes = 0;
    std::optional<std::uint32_t> step;
    std::unique_ptr<MoreSigns> signs;
    std::uint64_t used = 0;
  };
  std::vector<KeptSigns> signs_;
  std::uint64_t frame_ = 0;
  // Its own inspector, so that a flow stays valid while other things are asked.
  std::unique_ptr<Inspector> flow_inspector_;
  std::optional<Flow> flow_;
  std::uint32_t flow_step_ = 0;
  std::map<std::tuple<int, std::uint32_t, std::uint32_t>, std::vector<Source>> sources_;  // of `flow_step_`
};

}  // namespace ts::ui
