// Notes: what they may be about, one for each place, and what a file may bring along.
#include "core/debug/session/note.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/debug/session/kept_work.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/record/recorded.h"
#include "tests/support/scale.h"

namespace ts::test {
namespace {

std::shared_ptr<const Recording> sample() { return record_sample("row_loop"); }

std::string refused(Session& session, Note note) {
  const auto wrong = session.note(std::move(note));
  return wrong ? wrong->text : "";
}

}  // namespace

TEST_CASE("notes: there is one for each place, and an empty text takes it away") {
  std::vector<Note> notes;
  CHECK(put_note(notes, {.text = "a", .step = 3}));
  CHECK(put_note(notes, {.text = "b", .step = 3, .element = NotedElement{"t", 1, 2}}));
  CHECK(put_note(notes, {.text = "c", .step = {}, .element = NotedElement{"t", 1, 2}}));
  REQUIRE(notes.size() == 3);
  CHECK(put_note(notes, {.text = "d", .step = 3}));
  CHECK(notes[0].text == "d");
  CHECK(notes.size() == 3);
  CHECK(put_note(notes, {.text = "", .step = 3}));
  CHECK(put_note(notes, {.text = "", .step = 9}));
  REQUIRE(notes.size() == 2);
  CHECK(note_place(notes[0]) == "step 3, t[1,2]");
  CHECK(note_place(notes[1]) == "t[1,2]");
}

TEST_CASE("notes: no more than there is room for") {
  std::vector<Note> notes;
  for (std::uint32_t i = 0; i < kMostNotes; ++i) notes.push_back({.text = "x", .step = i});
  CHECK_FALSE(put_note(notes, {.text = "y", .step = 99'999}));
  CHECK(put_note(notes, {.text = "y", .step = 5}));
  CHECK(notes.size() == kMostNotes);
}

TEST_CASE("notes: a session takes only what is about something of its recording") {
  Session session(sample());
  const std::uint32_t count = session.count();
  CHECK(refused(session, {.text = "x"}) == "a note is about nothing");
  CHECK(refused(session, {.text = "x", .step = count}).starts_with("there is no step"));
  CHECK(refused(session, {.text = "x", .step = {}, .element = NotedElement{"nothing", 0, 0}}) ==
        "the program has no tile or buffer 'nothing'");
  CHECK(refused(session, {.text = "x", .step = {}, .element = NotedElement{"x_even", 0, 100'000}}) ==
        "x_even has no element [0,100000]");
  CHECK(refused(session, {.text = std::string(kMostNoteBytes + 1, 'x'), .step = 0}).starts_with("the note has"));
  CHECK(refused(session, {.text = "a\x1b[2Jb\tc\nd", .step = count - 1}) == "");
  REQUIRE(session.notes().size() == 1);
  CHECK(session.notes()[0].text == "a?[2Jb c\nd");
}

TEST_CASE("notes: a long text is cut between characters") {
  const std::string euros = [] {
    std::string text;
    for (std::size_t i = 0; i < kMostNoteBytes; ++i) text += "\xE2\x82\xAC";
    return text;
  }();
  const std::string cut = clean_note_text(euros);
  CHECK(cut.size() <= kMostNoteBytes);
  CHECK(cut.size() % 3 == 0);
}

TEST_CASE("notes: they are kept with the work, as JSON and in a recording's file") {
  Session session(sample());
  const Note first{.text = "the first sum", .step = 4},
      second{.text = "wrong\nhere", .step = 5, .element = NotedElement{"x_even", 0, 3}},
      third{.text = "\"quoted\"", .step = {}, .element = NotedElement{"x_even", 0, 0}};
  for (const Note& note : {first, second, third}) REQUIRE_FALSE(session.note(note).has_value());
  CHECK(load_work(save_work(work_of(session))).notes == session.notes());
  const TempFolder folder;
  REQUIRE(save_session(session, folder / "a.ptorec").text == "");
  auto opened = open_recording(folder / "a.ptorec");
  REQUIRE(std::holds_alternative<RecordingFile>(opened));
  std::vector<std::string> lost;
  const auto again = session_of(std::get<RecordingFile>(opened), lost);
  CHECK(lost.empty());
  CHECK(again->notes() == session.notes());
}

TEST_CASE("notes: what a file says wrongly is left out, and what is not there is told") {
  const auto recording = sample();
  const std::vector<RecordingNote> written = {
      {"note", "by hand", 2},
      {"note", "", 0},
      {"note", R"({"text": "no place"})", 0},
      {"note", R"({"text": 7, "step": 1})", 0},
      {"note", R"({"text": "x", "step": -1})", 0},
      {"note", R"({"text": "x", "element": ["x_even", 0]})", 0},
      {"note", R"({"text": "x", "element": ["x_even", "0", 1]})", 0},
      {"note", R"({"text": "x", "element": [3, 0, 1], "step": {}})", 0},
      {"note", "[[[[[[[[[[", 1},
      {"note", R"({"text": "gone", "step": 4000000000})", 0},
      {"note", R"({"text": "gone too", "element": ["other", 0, 1]})", 0},
      {"remark", R"({"text": "of another kind", "step": 1})", 0},
  };
  const KeptWork work = work_of(written);
  REQUIRE(work.notes.size() == 4);
  CHECK(work.notes[0] == Note{.text = "by hand", .step = 2});
  CHECK(work.notes[1] == Note{.text = "[[[[[[[[[[", .step = 1});
  Session session(recording);
  std::vector<std::string> lost;
  put_into(session, work, lost);
  CHECK(session.notes().size() == 2);
  REQUIRE(lost.size() == 2);
  CHECK(lost[0].starts_with("a note was dropped: there is no step 4000000000"));
}

TEST_CASE("notes: a file with very many of them, and very long ones, is read in a moment") {
  std::vector<RecordingNote> written;
  for (std::uint32_t i = 0; i < (kSanitized ? 30'000 : 300'000); ++i)
    written.push_back({"note", R"({"text": "x", "step": )" + std::to_string(i) + "}", 0});
  written.push_back({"note", std::string(10'000'000, 'y'), 0});
  CHECK(work_of(written).notes.size() == kMostNotes);
  CHECK(work_of({{"note", std::string(10'000'000, 'y'), 0}}).notes[0].text.size() == kMostNoteBytes);
}

}  // namespace ts::test
