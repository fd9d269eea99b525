// Huge inputs that nobody gave: made where somebody looks, and the same as if they had been there from the start.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/compile/open.h"
#include "core/data/seeded.h"
#include "core/record/inspector.h"
#include "core/record/recording_file.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/record/recorded.h"
#include "tests/support/record/same_recording.h"
#include "tests/support/text/kernel_text.h"

namespace ts::test {
namespace {

constexpr std::uint32_t kRows = 3000, kCols = 2000;  // f32: 24 MB

// Reads two corners of a huge buffer, writes into it where no page begins, and reads what it wrote with what was there.
std::string corners() {
  KernelText kernel;
  kernel.buffer("small", "f32", 9, 50);
  kernel.buffer("huge", "f32", kRows, kCols);
  kernel.buffer("out", "f32", 16, 16);
  kernel.tile("t", "8x8xf32", 0);
  kernel.tile("u", "8x8xf32", 1024);
  kernel.load("t", "huge", "0", "0", 8, 8);
  kernel.load("u", "huge", "2992", "1992", 8, 8);
  kernel.op("tadd", {"t", "u"}, {"t"});
  kernel.store("t", "huge", "1500", "37", 8, 8);
  kernel.load("u", "huge", "1503", "41", 8, 8);
  kernel.store("u", "out", "0", "0", 8, 8);
  kernel.load("t", "small", "0", "0", 8, 8);
  return kernel.text();
}

SharedRecording record_corners(bool given, std::vector<Edit> edits = {}, std::size_t budget = kPlentyOfBytes) {
  OpenRequest request;
  if (given) request.inputs.data["huge"] = data::seeded(1, "huge", DType::F32, std::uint64_t{kRows} * kCols);
  return record_text(corners(), request, {.budget_bytes = budget, .edits = std::move(edits)});
}

const BufferDecl& huge_of(const Recording& recording) {
  return *std::ranges::find(recording.program().buffers, "huge", &BufferDecl::name);
}

void check_same(const Recording& late, const Recording& given) {
  CHECK(late.digest() == given.digest());
  check_same_steps(late, given);
  check_same_states(late, given, 5);
}

}  // namespace

TEST_CASE("late inputs: a program reads what it would have been given, and only that is made") {
  const SharedRecording late = record_corners(false), given = record_corners(true);
  const BufferDecl& huge = huge_of(*late);
  REQUIRE(huge.late != nullptr);
  CHECK(huge.data.empty());
  // Three times eight rows, and the edges.
  CHECK(late->final_memory().late_bytes() <= 40 * kPageBytes * 5 / 4);
  CHECK(late->timeline().used_bytes() < 1 << 20);
  check_same(*late, *given);
}

TEST_CASE("late inputs: every byte can be asked for at every position, without the memories") {
  const SharedRecording late = record_corners(false), given = record_corners(true);
  Inspector one(*late), other(*given);
  const std::uint32_t begin = huge_of(*late).address;
  for (const std::uint32_t position : {0u, 4u, late->count()})
    for (const std::uint32_t at : {0u, 5u, 4'000'001u, 1500 * kCols * 4 + 37 * 4 - 8, kRows * kCols * 4 - 3000}) {
      CAPTURE(position);
      CAPTURE(at);
      const ByteRange place{Space::Gm, begin + at, 3000};
      std::vector<std::byte> a(place.size), b(place.size);
      std::vector<Definedness> x(place.size), y(place.size);
      CHECK(one.peek(position, place, a) == other.peek(position, place, b));
      CHECK(a == b);
      one.peek_each(position, place, a, x);
      other.peek_each(position, place, b, y);
      CHECK(a == b);
      CHECK(x == y);
    }
}

TEST_CASE("late inputs: edits, thinned recordings and files are the same, too") {
  const std::uint32_t at = huge_of(*record_corners(false)).address + 1500 * kCols * 4 + 33 * 4;
  const std::vector<Edit> edits = {{0, Space::Gm, at, std::vector<std::byte>(40, std::byte{0x40})},
                                   {3, Space::Gm, at + 2, std::vector<std::byte>(3, std::byte{0x41})}};
  const SharedRecording late = record_corners(false, edits), given = record_corners(true, edits);
  check_same(*late, *given);
  Inspector one(*late), other(*given);
  for (const std::uint32_t position : {0u, 3u}) CHECK(same_state(one.unedited(position), other.unedited(position)));
}

TEST_CASE("late inputs: a recording's file holds the seed, and of pages what steps wrote") {
  const TempFolder folder;
  const std::string path = folder / "late.ptorec";
  const SharedRecording late = record_corners(false);
  REQUIRE(save_recording(*late, late->findings(), {}, path, {.full = true}).text == "");
  auto opened = open_recording(path);
  if (const auto* error = std::get_if<data::Error>(&opened)) FAIL(error->text);
  const RecordingFile& file = std::get<RecordingFile>(opened);
  CHECK(file.facts.file_bytes < 200'000);
  CHECK(file.facts.digest == file.recording->digest());
  check_same(*file.recording, *record_corners(true));
}

TEST_CASE("late inputs: a program that looks at more than its budget stops there, and says what to do") {
  KernelText kernel;
  kernel.buffer("huge", "f32", kRows, kCols);
  kernel.tile("t", "8x2000xf32", 0);
  for (std::uint32_t row = 0; row + 8 < 1000; row += 8) kernel.load("t", "huge", std::to_string(row), "0", 8, kCols);
  const SharedRecording run = record_text(kernel.text(), {}, {.budget_bytes = 4 << 20});
  CHECK(run->stop_reason() == StopReason::Budget);
  CHECK(run->count() > 10);
  REQUIRE(!run->findings().empty());
  const Diagnostic& told = run->findings().back().diagnostic;
  CHECK(told.rule == "E-BUDGET");
  CHECK(told.pos.line > 0);
  CHECK(told.text.find("of the budget of 4 MiB they may take 3") != std::string::npos);
  CHECK(run->final_memory().late_bytes() <= 4 << 20);
  CHECK(record_text(kernel.text(), {}, {.budget_bytes = 64 << 20})->stop_reason() == StopReason::End);
}

TEST_CASE("late inputs: what is given counts, and too much of it runs nothing") {
  const SharedRecording run = record_corners(true, {}, 32 << 20);
  CHECK(run->stop_reason() == StopReason::Budget);
  CHECK(run->count() == 0);
  REQUIRE(!run->findings().empty());
  CHECK(run->findings().back().diagnostic.text.find(", %huge alone 24000000, which take") != std::string::npos);
}

TEST_CASE("late inputs: buffers that do not fit together are refused before any is made") {
  KernelText kernel;
  kernel.tile("t", "8x8xf32", 0);
  for (int i = 0; i < 40; ++i) kernel.buffer(fmt::format("b{}", i), "f32", 22000, 24000);
  for (int i = 0; i < 40; ++i) kernel.load("t", fmt::format("b{}", i), "0", "0", 8, 8);
  Diagnostics told;
  const auto tree = read_program("many", kernel.text(), told);
  CHECK_FALSE(open_program(tree, entry_points(*tree, told).front(), {}, told).has_value());
  REQUIRE(!told.empty());
  CHECK(told.back().text.starts_with("the buffers take more than"));
}

TEST_CASE("late inputs: a step far out in global memory can be stepped into, and its sources are known") {
  constexpr std::uint32_t kFarRows = 9000, kFarCols = 8192, kRow = 8990, kCol = 96;
  KernelText kernel;
  kernel.buffer("huge", "f32", kFarRows, kFarCols);
  kernel.tile("t", "8x8xf32", 0);
  kernel.load("t", "huge", std::to_string(kRow), std::to_string(kCol), 8, 8);
  const SharedRecording run = record_text(kernel.text());
  REQUIRE(run->count() == 1);
  Inspector inspector(*run);
  CHECK(!inspector.trace(0).steps.empty());
  const Flow flow = inspector.flow(0);
  for (const std::uint32_t row : {0u, 7u}) {
    const auto sources = flow.sources(1, row, 3);
    REQUIRE(sources.size() == 1);
    CHECK(sources[0].operand == 0);
    CHECK(sources[0].place == ByteRange{Space::Gm, ((kRow + row) * kFarCols + kCol + 3) * 4, 4});
  }
}

TEST_CASE("late inputs: making them up ends when it is stopped") {
  OpenRequest request;
  request.limits.go_on = [&, asked = 0](std::uint64_t) mutable { return ++asked < 3; };
  Diagnostics told;
  const auto tree = read_program("corners", corners(), told);
  CHECK_FALSE(open_program(tree, entry_points(*tree, told).front(), request, told).has_value());
}

}  // namespace ts::test
