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

#include "app/files/source_texts.h"
#include "app/settings/tile_displays.h"
#include "app/view/desk_state.h"
#include "app/view/kept.h"
#include "app/view/later.h"
#include "core/debug/picture/tile_picture.h"
#include "core/debug/picture/tile_reduce.h"
#include "core/debug/session/session.h"

namespace ts::scripting {
struct CellTexts;
struct GuiItems;
struct Overlay;
}  // namespace ts::scripting

namespace ts::ui {

// How the tiles pane shows its tile, for panes that show another one beside it.
struct TilesLook {
  std::optional<Owner> owner = {};
  Moment moment = {};
  bool heat = false;
  int numbers = 0;  // a NumberStyle
  // The part that is seen. Whoever moves it gives it another number.
  float zoom = 0;
  double row = 0, col = 0;
  std::optional<Window> only = {};  // the slice
  std::uint64_t moved = 0;
};

class DebugView {
 public:
  // `state` and `journal` are the desk's, which changes them.
  DebugView(Answerer& answerer, const DeskState& state, const std::vector<JournalLine>& journal);

  // --- what is open ---
  const Document* document() const { return state_.opened.document.get(); }  // null: nothing
  // Of the forks the one that is shown; empty: the run that they came from.
  const std::string& fork() const { return state_.opened.fork; }
  const Recording* recording() const { return document() ? document()->recording.get() : nullptr; }
  // Its file does not run any more, and this is the run before; null: it does.
  const Broken* broken() const { return state_.opened.broken ? &*state_.opened.broken : nullptr; }
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
  const Standing& standing() const { return state_.walk.standing; }
  Moment moment() const { return standing().moment; }
  bool in_step() const { return moment().micro > 0; }
  // The step that the stage shows: the one that comes next, or the one just made. In the middle of a step it is that
  // one.
  std::optional<std::uint32_t> shown_step() const;
  bool shows_next() const;
  // What the user chose, where there is a choice.
  bool prefers_next() const { return state_.walk.prefers_next; }
  // Where one has to stand for the stage to show a step.
  std::uint32_t position_showing(std::uint32_t step) const { return prefers_next() ? step : step + 1; }

  // --- the lines that people wrote ---
  // Which these are; only with a recording.
  const SourceMap& sources() { return questions().sources(); }
  // The files, by their numbers there. Null while they are looked for; empty where the program does not say.
  const std::vector<SourceText>* source_texts();
  // Where the user said that they are, besides beside the program.
  std::vector<std::string>& source_folders() { return source_folders_; }
  const std::vector<std::string>& source_folders() const { return source_folders_; }

  // --- what was found ---
  // All findings of the recording, by step: what the run found, and once it was checked, everything.
  // None while a lesson asks for them.
  std::shared_ptr<const std::vector<Finding>> shared_findings() const;  // never null
  const std::vector<Finding>& findings() const { return *shared_findings(); }
  // Another number whenever there are others.
  std::uint64_t findings_number() const { return state_.walk.findings_number; }
  std::span<const Finding> findings_of(std::uint32_t step) const;
  // The gravest of all; nothing: there are none.
  std::optional<Severity> worst_finding() const;
  // The one that was gone to, as long as nobody goes elsewhere.
  std::optional<std::size_t> finding() const { return state_.walk.finding; }
  // The element that a finding is about; nothing where it is about none.
  std::optional<Element> element_of(const Finding& finding);
  const Checking& checking() const { return state_.checking; }

  // --- the lesson ---
  const ShownLesson* lesson() const { return state_.lesson ? &*state_.lesson : nullptr; }  // null: none is open
  const LessonScores& lesson_scores() const { return state_.lesson_scores; }
  // The step that a lesson asks about: what it does is shown nowhere. Nothing: there is none.
  std::optional<std::uint32_t> hidden_step() const;

  // --- what it is compared with ---
  const Against* against() const { return state_.comparison.against.get(); }  // null: with nothing
  // Another number whenever it is compared with something else.
  std::uint64_t against_number() const { return state_.comparison.number; }
  // While it is being compared: with what.
  const std::string& comparing_with() const { return state_.comparison.comparing_with; }
  // Of the differences the one that was gone to.
  std::optional<std::size_t> difference() const { return state_.comparison.difference; }
  bool marks_differences() const { return state_.comparison.marks; }
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
  // The name that it has in the text, where it goes by a shorter one; else empty.
  std::string written_name(const Owner& owner) const;
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
  const std::optional<Element>& selected() const { return state_.walk.selected; }
  // By any pane, in the frame before. A pane says what it sees under the mouse, in every frame that it does.
  const std::optional<Element>& hovered() const { return hovered_; }
  void hover(const Element& element) { hovering_ = element; }
  // Bytes under the mouse where no element is meant: in the byte view, in the buffer map.
  const std::optional<ByteRange>& hovered_bytes() const { return hovered_bytes_; }
  void hover(ByteRange place) { hovering_bytes_ = place; }
  const std::vector<TrailStop>& trail() const { return state_.walk.trail; }

  TilesLook& tiles_look() { return tiles_look_; }
  // How the tiles of the open program are shown.
  TileDisplays& tile_displays() { return tile_displays_; }
  const TileDisplays& tile_displays() const { return tile_displays_; }

  // --- notes, and what scripts show ---
  const std::vector<Note>& notes() const { return standing().notes; }
  // Another number whenever there are others.
  std::uint64_t notes_number() const { return state_.walk.notes_number; }
  // What was done, oldest first.
  const std::vector<JournalLine>& journal() const { return journal_; }
  // Panels, colours over cells and formats; never null.
  const scripting::GuiItems& script_items() const { return *state_.scripts.items; }
  // Which panel is to come to the front; another number each time that one is.
  const std::string& front_panel() const { return state_.scripts.front_panel; }
  std::uint64_t front_panel_number() const { return state_.scripts.front_panel_number; }
  // Of a tile or buffer; null: none.
  const scripting::Overlay* overlay_of(const Owner& owner) const;
  const scripting::CellTexts* texts_of(const Owner& owner) const;

  // --- the rest of the window ---
  // Something in a pane moves: the next frame is wanted soon. To be said in every frame of the motion.
  void keep_moving() { moving_ = true; }
  bool moving() const { return moving_; }
  const std::vector<ConsoleLine>& console() const { return state_.console.lines; }
  // How many lines there have been; the oldest are forgotten.
  std::uint64_t console_said() const { return state_.console.said; }
  // The newest answer to the command `guess`.
  const Guesses& guesses() const { return state_.console.guesses; }
  const std::optional<Busy>& busy() const { return state_.busy; }
  bool showing_before() const { return state_.walk.holds_before; }  // the key that shows the state before is held

  // --- for the desk ---
  // What was hovered in the frame before counts now.
  void begin_frame();
  // Something else is open: answers about what was open before are worth nothing.
  void forget();

 private:
  struct KeptPicture {
    std::optional<TileRef> tile;
    std::uint32_t buffer = 0;
    Moment moment;
    std::unique_ptr<TilePicture> picture;
    std::uint64_t used = 0;  // in which frame
  };
  struct KeptSides {
    std::uint64_t of = 0, against = 0;  // the picture's number, and the comparison's
    std::unique_ptr<SideBySide> sides;
    std::uint64_t used = 0;
  };
  struct KeptSigns {
    std::uint64_t of = 0, findings = 0, sides = 0, notes = 0;
    std::optional<std::uint32_t> step;
    std::unique_ptr<MoreSigns> signs;
    std::uint64_t used = 0;
  };
  KeptPicture* find_picture(const std::optional<TileRef>& tile, std::uint32_t buffer, Moment moment);
  const TilePicture& keep_picture(KeptPicture made);
  MoreSigns signs_of(const Owner& owner, const TilePicture& picture, const SideBySide* sides);

  Answerer& answerer_;
  const DeskState& state_;
  const std::vector<JournalLine>& journal_;
  // --- what panes say ---
  bool moving_ = false;
  std::optional<Element> hovered_, hovering_;
  std::optional<ByteRange> hovered_bytes_, hovering_bytes_;
  TilesLook tiles_look_;
  TileDisplays tile_displays_;
  Kept kept_;  // by drawings
  std::vector<std::string> source_folders_;
  // --- answers that are kept ---
  Later<std::vector<SourceText>> source_texts_;
  struct Worst {
    std::uint64_t number = 0;  // of the findings
    std::optional<Severity> severity;
  };
  mutable std::optional<Worst> worst_;
  std::vector<KeptPicture> pictures_;
  std::vector<KeptSides> sides_;
  std::vector<KeptSigns> signs_;
  std::uint64_t frame_ = 0, signs_made_ = 0;
  // Its own inspector, so that a flow stays valid while other things are asked.
  std::unique_ptr<Inspector> flow_inspector_;
  std::optional<Flow> flow_;
  std::uint32_t flow_step_ = 0;
  std::map<std::tuple<int, std::uint32_t, std::uint32_t>, std::vector<Source>> sources_;  // of `flow_step_`
};

}  // namespace ts::ui
