// Bookmarks, breakpoints and watches: so many of each at most, whoever sets them.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/debug/session/kept_work.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/record/recorded.h"
#include "tests/support/scale.h"

namespace ts::test {
namespace {

constexpr std::size_t kMost = Session::kMostMarks;
constexpr std::uint32_t kMany = kSanitized ? 20'000 : 200'000;

std::vector<RecordingNote> many(const std::string& kind, const std::string& before, const std::string& behind) {
  std::vector<RecordingNote> notes;
  for (std::uint32_t i = 0; i < kMany; ++i) notes.push_back({kind, fmt::format("{}{}{}", before, i, behind), 1});
  return notes;
}

std::vector<std::string> lines_of(Session& session, const KeptWork& work) {
  std::vector<std::string> lost;
  put_into(session, work, lost);
  return lost;
}

const std::string kLeftOut =
    fmt::format("{} marks were left out: there may be 1000 bookmarks, breakpoints and watches each, and 10000 notes",
                kMany - kMost);

}  // namespace

TEST_CASE("marks: of very many in a file or in kept work the first stay, and a line says so") {
  const SharedRecording recording = record_sample("row_loop");
  struct Row {
    std::vector<RecordingNote> notes;
    std::size_t bookmarks, watches, stops;
  };
  const Row rows[] = {{many("bookmark", "b", ""), kMost, 0, 0},
                      {many("watch", "rec.pos + ", ""), 0, kMost, 0},
                      {many("breakpoint", R"({"step": 1, "ignore": )", "}"), 0, 0, kMost}};
  for (const Row& row : rows) {
    const KeptWork work = work_of(row.notes);
    CHECK(work.left_out == kMany - kMost);
    Session session(recording);
    CHECK(lines_of(session, work) == std::vector<std::string>{kLeftOut});
    CHECK(session.bookmarks().size() == row.bookmarks);
    CHECK(session.watches().size() == row.watches);
    CHECK(session.stops().size() == row.stops);
  }
  nlohmann::json kept{{"bookmarks", nlohmann::json::object()}, {"watches", nlohmann::json::array()}};
  for (std::uint32_t i = 0; i < kMany; ++i) kept["bookmarks"][fmt::format("b{}", i)] = 1u;
  Session session(recording);
  CHECK(lines_of(session, load_work(kept)) == std::vector<std::string>{kLeftOut});
  CHECK(session.bookmarks().size() == kMost);
}

TEST_CASE("marks: a session takes no more, but changes those that it has") {
  Session session(record_sample("row_loop"));
  for (std::size_t i = 0; i < kMost; ++i) {
    REQUIRE_FALSE(session.bookmark(std::to_string(i), 0).has_value());
    REQUIRE_FALSE(session.watch("rec.pos").has_value());
    REQUIRE(std::holds_alternative<StopId>(session.add_stop({.step = 1})));
  }
  CHECK(session.bookmark("one more", 0)->text == "there are 1000 bookmarks already");
  CHECK(session.watch("one more")->text == "there are 1000 watches already");
  CHECK(std::get<Refusal>(session.add_stop({.step = 1})).text == "there are 1000 breakpoints already");
  CHECK_FALSE(session.bookmark("7", ~0u).has_value());
  CHECK(session.bookmarks().at("7") == session.count());
  CHECK(session.remove_bookmark("7"));
  CHECK_FALSE(session.bookmark("one more", 0).has_value());
}

TEST_CASE("marks: of what cannot be put into a session the first are told, and how many more there are") {
  Session session(record_sample("row_loop"));
  KeptWork work;
  for (std::uint32_t i = 0; i < 100; ++i) work.stops.push_back({.rule = {.step = 1'000'000 + i}});
  const std::vector<std::string> lost = lines_of(session, work);
  REQUIRE(lost.size() == 21);
  CHECK(lost[0].starts_with("a breakpoint was dropped: "));
  CHECK(lost[20] == "80 more were dropped");
}

}  // namespace ts::test
