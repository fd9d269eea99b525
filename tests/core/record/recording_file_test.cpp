// Recordings saved and opened again: nobody can tell them from those that ran.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "core/debug/session/session.h"
#include "core/record/inspector.h"
#include "core/record/recording_file.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/record/recorded.h"
#include "tests/support/record/same_recording.h"
#include "tests/support/scale.h"

namespace ts::test {
namespace {

RecordingFile open(const std::string& path, std::size_t budget = kPlentyOfBytes) {
  auto opened = open_recording(path, budget);
  if (const auto* error = std::get_if<data::Error>(&opened)) FAIL(error->text);
  return std::move(std::get<RecordingFile>(opened));
}

RecordingFile save_and_open(const Recording& recording, const SaveOptions& options = {},
                            const std::vector<RecordingNote>& notes = {}) {
  const TempFolder folder;
  const std::string path = folder / "saved.ptorec";
  const data::Error error = save_recording(recording, recording.findings(), notes, path, options);
  REQUIRE(error.text == "");
  CHECK(folder.entries() == 1);
  return open(path);  // the file goes, and what was opened keeps it
}

void check_round_trip(const Recording& recording, std::uint64_t seed) {
  const SaveOptions ways[] = {{.every = 7}, {.full = true}, {}};
  for (const SaveOptions& options : ways) {
    CAPTURE(options.full);
    CAPTURE(options.every);
    const RecordingFile file = save_and_open(recording, options);
    CHECK(file.facts.digest == recording.digest());
    CHECK(file.facts.full == options.full);
    check_same_steps(recording, *file.recording);
    check_same_states(recording, *file.recording, seed, kSanitized ? 5 : 1);
    CHECK(same_findings(file.findings, recording.findings()));
  }
}

std::vector<std::string> sample_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator("samples"))
    if (entry.path().extension() == ".pto") names.push_back(entry.path().stem());
  std::ranges::sort(names);
  return names;
}

}  // namespace

TEST_CASE("recording file: kernels of several cores come back, and who waited for whom at their ends") {
  for (const char* name :
       {"scores_softmax", "projection_relu", "int8_weights", "bug_slot_never_freed", "bug_both_wait"}) {
    CAPTURE(name);
    const auto recording = record_sample(name);
    REQUIRE(recording->program().together());
    const RecordingFile file = save_and_open(*recording, {.every = 7});
    CHECK(file.facts.format == 5);
    CHECK(file.facts.digest == recording->digest());
    CHECK(file.recording->digest() == recording->digest());
    check_same_steps(*recording, *file.recording);
    check_same_states(*recording, *file.recording, 3, kSanitized ? 5 : 1);
    CHECK(same_findings(file.findings, recording->findings()));
    REQUIRE(file.recording->waits().size() == recording->waits().size());
    for (std::size_t i = 0; i < recording->waits().size(); ++i) {
      const CoreWait &now = file.recording->waits()[i], &then = recording->waits()[i];
      CHECK(now.core == then.core);
      CHECK(now.rule == then.rule);
      CHECK(now.whole(file.recording->program()) == then.whole(recording->program()));
    }
    CHECK(recording->waits().empty() == (recording->stop_reason() == StopReason::End));
    for (std::uint32_t step = 0; step < recording->count(); ++step)
      CHECK(file.recording->bound(step).core == recording->bound(step).core);
  }
}

TEST_CASE("recording file: every sample comes back as it was") {
  int turn = 0;
  for (const std::string& name : sample_names()) {
    if (kSanitized && ++turn % 3 != 0) continue;
    CAPTURE(name);
    check_round_trip(*record_sample(name), 1);
  }
}

TEST_CASE("recording file: random programs come back on both targets") {
  const std::uint64_t programs = kSanitized ? 2 : 12;
  for (const Target target : kBothTargets)
    for (std::uint64_t seed = 1; seed <= programs; ++seed) {
      CAPTURE(name(target));
      CAPTURE(seed);
      check_round_trip(*record_random_text(seed, target), seed);
    }
}

TEST_CASE("recording file: several blocks, choices, numbers and sizes that were given") {
  OpenRequest request;
  request.blocks = 3;
  request.options.strict = 1;
  request.inputs.seed = 99;
  const auto recording = record_sample("row_loop", request);
  REQUIRE(recording->program().blocks == 3);
  check_round_trip(*recording, 5);
}

TEST_CASE("recording file: what was changed by hand is changed again") {
  const auto plain = record_sample("row_loop");
  Session session(plain);
  const Edit edits[] = {{0, Space::Gm, 4, {std::byte{1}, std::byte{2}}},
                        {5, Space::Ub, 64, std::vector<std::byte>(100, std::byte{9})}};
  const auto forked = session.fork({edits[0], edits[1]});
  REQUIRE(std::holds_alternative<std::shared_ptr<const Recording>>(forked));
  const auto& fork = *std::get<std::shared_ptr<const Recording>>(forked);
  REQUIRE(fork.digest() != plain->digest());
  check_round_trip(fork, 6);
}

TEST_CASE("recording file: a fork of an opened one is a fork of what was saved") {
  const auto plain = record_sample("row_loop");
  Session from_run(plain), from_file(save_and_open(*plain).recording);
  const Edit edit{3, Space::Ub, 0, {std::byte{0x55}}};
  const auto a = from_run.fork({edit}), b = from_file.fork({edit});
  CHECK(std::get<0>(a)->digest() == std::get<0>(b)->digest());
  CHECK(std::get<0>(a)->digest() != plain->digest());
}

TEST_CASE("recording file: the sums of the files that the program came from are kept, as far as there is room") {
  const auto recording = record_sample("row_loop");
  CHECK(save_and_open(*recording).facts.sources.empty());
  SaveOptions options{.every = 4};
  options.sources = {{"kernels/a \"b\".py", "crc32:cbf43926"}, {"\xc3\xa9.py", ""}};
  CHECK(save_and_open(*recording, options).facts.sources == options.sources);
  options.sources = {{std::string(100'000, 'a'), ""}};
  CHECK(save_and_open(*recording, options).facts.sources.empty());
}

TEST_CASE("recording file: a thinned recording is saved and opened, and its keyframes stay keyframes") {
  for (const Target target : kBothTargets) {
    const auto recording = record_random_text(21, target);
    if (recording->count() < 200) continue;
    const auto few = thinned(*recording);
    for (const SaveOptions& options : {SaveOptions{.every = 3}, SaveOptions{.every = 200}, SaveOptions{.full = true}}) {
      const RecordingFile file = save_and_open(*few, options);
      const Thinning& thinning = file.recording->thinning();
      CHECK(thinning.interval % few->thinning().interval == 0);
      CHECK(thinning.dense_start == (options.full ? few->thinning().dense_start : few->count()));
      check_same_steps(*few, *file.recording);
      check_same_states(*recording, *file.recording, 7, 3);
    }
  }
}

TEST_CASE("recording file: an opened file is saved again, also over itself") {
  const TempFolder folder;
  const std::string path = folder / "a.ptorec";
  const auto recording = record_sample("row_loop");
  REQUIRE(save_recording(*recording, recording->findings(), {}, path, {.every = 4}).text == "");
  const RecordingFile first = open(path);
  REQUIRE(save_recording(*first.recording, first.findings, first.notes, path, {.every = 8}).text == "");
  const RecordingFile second = open(path);
  CHECK(first.recording->thinning().interval == 4);
  CHECK(second.recording->thinning().interval == 8);
  check_same_steps(*recording, *second.recording);
  check_same_states(*recording, *first.recording, 8);
  check_same_states(*recording, *second.recording, 8);
}

TEST_CASE("recording file: every so many steps is kept, and the newest") {
  const auto recording = record_sample("row_loop");
  const RecordingFile file = save_and_open(*recording, {.every = 10});
  const Thinning& thinning = file.recording->thinning();
  CHECK(thinning.interval == 10);
  CHECK(thinning.dense_start == recording->count());
  const RecordingFile all = save_and_open(*recording, {.full = true});
  CHECK(!all.recording->thinning());
  CHECK(all.facts.page_versions > file.facts.page_versions);
}

TEST_CASE("recording file: notes and findings of a check come back in their order") {
  const auto recording = record_sample("bug_uninitialised");
  std::vector<Finding> kept = recording->findings();
  const std::uint32_t step = recording->count() - 1;
  const auto& operands = recording->bound(step).operands;
  const auto tile =
      std::ranges::find(operands, OperandKind::Tile, [](const Operand& operand) { return operand.spec->kind; });
  REQUIRE(tile != operands.end());
  Finding more{.step = step, .diagnostic = {"CHK-1", Severity::Note, {3, 4}, "src", "found \"by\" a check", "do this"}};
  more.diagnostic.kind = FindingKind::Defined;
  more.diagnostic.expected = "something";
  more.diagnostic.span = 5;
  more.diagnostic.notes = {{{1, 2}, "here"}, {{}, "and there"}};
  more.diagnostic.element = DiagnosticElement{1, 2};
  more.element = FoundElement{static_cast<int>(tile - operands.begin()), 1, 2, {Space::Ub, 32, 4}};
  kept.insert(kept.begin(), more);
  if (kept.size() > 2) kept.pop_back();
  const std::vector<RecordingNote> notes = {{"bookmark", "the \0 one", 2}, {"note", "", 0}, {"watch", "rec.pos", 1}};
  const TempFolder folder;
  REQUIRE(save_recording(*recording, kept, notes, folder / "a.ptorec").text == "");
  const RecordingFile file = open(folder / "a.ptorec");
  CHECK(same_findings(file.findings, kept));
  CHECK(same_findings(file.recording->findings(), recording->findings()));
  REQUIRE(file.notes.size() == notes.size());
  for (std::size_t i = 0; i < notes.size(); ++i) {
    CHECK(file.notes[i].kind == notes[i].kind);
    CHECK(file.notes[i].text == notes[i].text);
    CHECK(file.notes[i].position == notes[i].position);
  }
}

TEST_CASE("recording file: programs without a text are refused, with the reason") {
  const TempFolder folder;
  const auto built = record_random(1, Target::A5, 20);
  const data::Error error = save_recording(*built, {}, {}, folder / "a.ptorec");
  CHECK(error.text.find("has no text") != std::string::npos);
  CHECK(folder.entries() == 0);
  RecordOptions noisy{.budget_bytes = kPlentyOfBytes, .initial = [](Memory&) {}};
  const auto text = record_sample("row_loop", {}, noisy);
  CHECK(save_recording(*text, {}, {}, folder / "a.ptorec").text.find("before the first step") != std::string::npos);
}

TEST_CASE("recording file: two threads look into an opened one at the same time") {
  const auto recording = record_sample("row_loop");
  const RecordingFile file = save_and_open(*recording, {.full = true});
  const auto look = [&](std::uint64_t seed, bool& good) {
    Inspector mine(*recording), its(*file.recording);
    Random random(seed);
    for (int i = 0; i < 200; ++i) {
      const std::uint32_t position = random.below(recording->count() + 1);
      good = good && same_state(mine.at(position), its.at(position));
      std::byte a[64], b[64];
      const ByteRange place{Space::Ub, random.below(1000) * 16, 64};
      good = good && mine.peek(position, place, a) == its.peek(position, place, b) && std::equal(a, a + 64, b);
    }
  };
  bool first = true, second = true;
  std::thread other([&] { look(1, first); });
  look(2, second);
  other.join();
  CHECK(first);
  CHECK(second);
}

TEST_CASE("recording file: a cache that holds next to nothing changes nothing") {
  const TempFolder folder;
  const auto recording = record_sample("transpose_loop");
  REQUIRE(save_recording(*recording, {}, {}, folder / "a.ptorec", {.full = true}).text == "");
  const RecordingFile file = open(folder / "a.ptorec", 1 << 20);
  check_same_states(*recording, *file.recording, 9);
  CHECK(file.recording->timeline().used_bytes() <= (1 << 18));
}

TEST_CASE("recording file: a recording that stopped at a limit keeps the reason and the limit") {
  RecordOptions options{.budget_bytes = kPlentyOfBytes};
  options.limits.most_steps = 5;
  const auto recording = record_sample("row_loop", {}, options);
  REQUIRE(recording->stop_reason() == StopReason::Limit);
  check_round_trip(*recording, 3);
}

}  // namespace ts::test
