// Values changed by hand: what people write, and what becomes of the run.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/debug/edits/edit_text.h"
#include "core/debug/edits/fork.h"
#include "core/debug/elements/elements.h"
#include "core/debug/origins/history.h"
#include "core/debug/session/kept_work.h"
#include "tests/support/random.h"
#include "tests/support/record/recorded.h"
#include "tests/support/scale.h"

namespace ts::test {
namespace {

std::string refusal_of(const SharedRecording& run, const std::string& text, std::optional<std::uint32_t> here = {}) {
  Questions questions(run);
  const auto read = read_edit(questions, text, here);
  const auto* no = std::get_if<Refusal>(&read);
  return no == nullptr ? "" : no->text;
}

SharedRecording edited(const SharedRecording& run, const std::vector<std::string>& edits) {
  auto made = fork_by_text(run, edits);
  const auto* no = std::get_if<Refusal>(&made);
  REQUIRE_MESSAGE(no == nullptr, (no == nullptr ? "" : no->text));
  return std::get<Forked>(made).recording;
}

std::string element(const SharedRecording& run, const std::string& name, std::uint32_t position, std::uint32_t row,
                    std::uint32_t col) {
  Questions questions(run);
  const TileRef tile = questions.tile_at(*questions.find_tile(name, position), position);
  const Elements held = elements_of(questions.memory_at(position), tile);
  return short_text(*held.format, held.at(row, col));
}

// All memories but the special registers, at a position.
std::vector<std::byte> state_at(const SharedRecording& run, std::uint32_t position) {
  Questions questions(run);
  const Memory& memory = questions.memory_at(position);
  const MemoryMap& map = run->map();
  std::vector<std::byte> bytes;
  for (const Space space : {Space::Ub, Space::Gm}) {
    const std::byte* begin = memory.base() + map.origin(space);
    bytes.insert(bytes.end(), begin, begin + map.size(space));
  }
  return bytes;
}

}  // namespace

TEST_CASE("edits: values as people write them") {
  const auto bits = [](DType type, const std::string& text) -> std::string {
    const auto read = read_value(element_format(type), text);
    if (const auto* no = std::get_if<Refusal>(&read)) return no->text;
    return fmt::format("{:x}", std::get<std::uint64_t>(read));
  };
  CHECK(bits(DType::F32, "1") == "3f800000");
  CHECK(bits(DType::F32, "-0") == "80000000");
  CHECK(bits(DType::F32, "+2.5") == "40200000");
  CHECK(bits(DType::F32, "1e40") == "7f800000");
  CHECK(bits(DType::F32, "inf") == "7f800000");
  CHECK(bits(DType::F32, "-inf") == "ff800000");
  CHECK((std::stoul(bits(DType::F32, "nan"), nullptr, 16) & 0x7fc00000) == 0x7fc00000);
  CHECK(bits(DType::F32, "0x40400000") == "40400000");
  CHECK(bits(DType::F16, "0.1") == "2e66");
  CHECK(bits(DType::I8, "-1") == "ff");
  CHECK(bits(DType::U8, "255") == "ff");
  CHECK(bits(DType::U8, "0b1010") == "a");
  CHECK(bits(DType::U8, "256") == "'256' does not fit u8");
  CHECK(bits(DType::I32, "1.5") == "'1.5' does not fit i32");
  CHECK(bits(DType::U8, "0x100") == "'0x100' has more than the 8 bits of u8");
  for (const char* wrong : {"", "x", "1,5", "1.5.2", "0x", "0b2", "--1", "1 2"}) {
    CAPTURE(wrong);
    CHECK(bits(DType::F32, wrong).ends_with("is no number"));
  }
}

TEST_CASE("edits: what cannot be is refused in clear words") {
  const SharedRecording run = record_sample("masked_sum");
  const std::uint32_t count = run->count();
  CHECK(refusal_of(run, "a[0,0]") == "'a[0,0]' changes nothing: there is no =");
  CHECK(refusal_of(run, "a[0,0]=") == "'a[0,0]=' gives no value");
  CHECK(refusal_of(run, "=3@5") == "'=3@5' names nothing");
  CHECK(refusal_of(run, "a[0,0]=3") == "'a[0,0]=3' does not say when");
  CHECK(refusal_of(run, "a[0,0]=3", 5) == "");
  CHECK(refusal_of(run, "%a[0,0]=3@5") == "");
  CHECK(refusal_of(run, "a[0,0]=3@x") == "'x' is no step");
  CHECK(refusal_of(run, "a[0,0]=3@99999999999") == "'99999999999' is no step");
  CHECK(refusal_of(run, fmt::format("a[0,0]=3@{}", count + 1)) ==
        fmt::format("there is no step {}: the run has {}", count + 1, count));
  CHECK(refusal_of(run, fmt::format("a[0,0]=3@{}", count)) == "");
  CHECK(refusal_of(run, "a[2,0]=3@5") == "a[2,0] is outside: a has 2 rows of 8");
  CHECK(refusal_of(run, "a[0..1,0..8]=3@5") == "a[1,8] is outside: a has 2 rows of 8");
  CHECK(refusal_of(run, "a[0]=3@5") == "'[0]' is no element of a");
  CHECK(refusal_of(run, "a[3..1,0]=3@5") == "'[3..1,0]' is no element of a");
  CHECK(refusal_of(run, "a[-1,0]=3@5") == "'[-1,0]' is no element of a");
  CHECK(refusal_of(run, "a[0,0=3@5") == "'a[0,0' has no ] at its end");
  CHECK(refusal_of(run, "nothing[0,0]=3@5") == "there is no tile or buffer nothing");
  CHECK(refusal_of(run, "a[0,0]=x@5") == "a[0,0]: 'x' is no number");
  CHECK(refusal_of(run, "mask[0,0]=300@5") == "mask[0,0]: '300' does not fit u8");
  CHECK(refusal_of(run, "a[0..1,0..1]=1 2;3@5") == "2 rows of 2 values are given for 2 rows of 2");
  CHECK(refusal_of(run, "a[0,0]=..@5") == "'a[0,0]=..@5' leaves everything as it is");
  CHECK(refusal_of(run, "a.bit[0,0]=1@5") == "a is no mask");
  CHECK(refusal_of(run, "mask.bit[0,0]=2@5") == "'2' is no bit");
  CHECK(refusal_of(run, "mask.bit[0,256]=1@5") == "mask[0,256] is outside: mask has 2 rows of 256 bits");
  CHECK(refusal_of(run, "a[0,0]=3@0") == "a was not written yet where step 0 begins");
  CHECK(refusal_of(run, "ub[0x40]=0f1@5") == "'0f1' are no bytes");
  CHECK(refusal_of(run, "ub[0x40,0x40)=00@5") == "'[0x40,0x40' are no bytes of ub");
  CHECK(refusal_of(run, "ub[0xfffffff0]=00@5").find("are beyond") != std::string::npos);
  CHECK(refusal_of(run, "ub@7[0]=00@5").find("are beyond") != std::string::npos);
  CHECK(refusal_of(run, "nothing=5@5") == "there is no number nothing that can be changed");
  CHECK(refusal_of(run, "minus_one=x@5") == "minus_one: 'x' is no number");
  CHECK(refusal_of(run, std::string(100'000, '[') + "=1@5") != "");
  CHECK(refusal_of(run, std::string("a[0,0]=\0@5", 10)) != "");
}

TEST_CASE("edits: an element, a mask's bit, bytes and a number change what is made of them, and nothing before") {
  const SharedRecording run = record_sample("masked_sum");
  // tload, tload, tload, flags, tadd is step 5, tsels step 6.
  REQUIRE(std::string(run->bound(5).row->name) == "tadd");
  struct Row {
    const char *edit, *tile;
    std::uint32_t at, row, col;
    const char* value;
  } const rows[] = {
      {"a[1,3]=1000@5", "a", 5, 1, 3, "1000"},      {"sum[0..1,0..7]=7@6", "out", 7, 0, 0, ""},
      {"minus_one=-5@6", "out", 7, 0, 0, ""},       {"mask.bit[0,2]=0@6", "out", 7, 0, 2, "-1"},
      {"mask.bit[1,0..7]=1@6", "out", 7, 1, 7, ""}, {"x[0,0]=9@0", "a", 5, 0, 0, "9"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.edit);
    const SharedRecording fork = edited(run, {row.edit});
    REQUIRE(fork->count() == run->count());
    const std::uint32_t at = *position_in_edit(row.edit);
    for (std::uint32_t position = 0; position < at; ++position)
      CHECK(state_at(fork, position) == state_at(run, position));
    CHECK(state_at(fork, run->count()) != state_at(run, run->count()));
    if (*row.value != 0) CHECK(element(fork, row.tile, row.at, row.row, row.col) == row.value);
  }
  // The scalar stands where the mask has no 1; the sum where it has one.
  const SharedRecording all = edited(run, {"mask.bit[0,0..7]=1@6", "minus_one=-5@6", "mask.bit[0,5]=0@6"});
  CHECK(element(all, "out", 7, 0, 5) == "-5");
  CHECK(element(all, "out", 7, 0, 4) == element(run, "sum", 6, 0, 4));
  const SharedRecording same = edited(run, {"mask[0,0]=0b11011111@6", "minus_one=-5@6"});
  CHECK(state_at(all, run->count()) == state_at(same, run->count()));
}

TEST_CASE("edits: the history of an element names the edit") {
  const SharedRecording fork = edited(record_sample("masked_sum"), {"a[1,3]=1000@5"});
  Session session(fork);
  const TileRef tile = session.tile_at(*session.find_tile("a", 5), 5);
  const std::vector<Made> makers = session.flow().makers(tile.place_of(1, 3), 6);
  REQUIRE(makers.size() == 1);
  CHECK(makers[0].maker == Maker::Edit);
  CHECK(makers[0].step == 5);
}

TEST_CASE("edits: parts are what a plain loop over their elements makes of them") {
  Random random(27);
  const SharedRecording run = record_sample("row_loop");
  std::uint32_t at = 0;
  while (std::string(run->bound(at).row->name) != "tadd") ++at;
  Questions base(run);
  const TileRef tile = base.tile_at(*base.find_tile("x_even", at), at);
  for (int round = 0; round < (kSanitized ? 3 : 20); ++round) {
    const std::uint32_t row = random.below(tile.rows()), col = random.below(tile.cols());
    const std::uint32_t rows = random.between(1, tile.rows() - row), cols = random.between(1, tile.cols() - col);
    const bool fills = random.one_in(3);
    std::string values;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> wanted;
    for (std::uint32_t r = 0; r < rows; ++r)
      for (std::uint32_t c = 0; c < cols; ++c) {
        const bool stays = !fills && random.one_in(5);
        const std::string value = fills ? "42" : stays ? ".." : fmt::format("{}", random.below(1000));
        if (!fills) values += (c == 0 ? "" : random.one_in(2) ? " " : ", ") + value;
        if (!fills && c + 1 == cols) values += ";";
        wanted[{row + r, col + c}] = stays ? "" : value;
      }
    const std::string text =
        fmt::format("x_even[{}..{},{}..{}]={}@{}", row, row + rows - 1, col, col + cols - 1, fills ? "42" : values, at);
    CAPTURE(text.substr(0, 200));
    const auto read = read_edit(base, text);
    if (const auto* no = std::get_if<Refusal>(&read)) {
      CHECK(no->text.ends_with("leaves everything as it is"));
      continue;
    }
    const SharedRecording fork = edited(run, {text});
    Questions now(fork);
    const Elements before = elements_of(base.memory_at(at), tile), after = elements_of(now.memory_at(at), tile);
    for (std::uint32_t r = 0; r < tile.rows(); ++r)
      for (std::uint32_t c = 0; c < tile.cols(); ++c) {
        const auto found = wanted.find({r, c});
        if (found == wanted.end() || found->second.empty()) CHECK(after.at(r, c) == before.at(r, c));
        else CHECK(short_text(*after.format, after.at(r, c)) == found->second);
      }
  }
}

TEST_CASE("edits: what a spreadsheet puts onto the clipboard") {
  const SharedRecording run = record_sample("masked_sum");
  const SharedRecording fork = edited(run, {"a[0..1,0..2]=1\t2\t3\r\n4\t-5e1\t6\r\n@5"});
  CHECK(element(fork, "a", 5, 1, 1) == "-50");
  CHECK(element(fork, "a", 5, 0, 2) == "3");
  const SharedRecording gaps = edited(run, {"a[0..1,0..2]=1\t\t3\r\n4\t5\t@5"});
  CHECK(element(gaps, "a", 5, 0, 1) == element(run, "a", 5, 0, 1));
  CHECK(element(gaps, "a", 5, 0, 2) == "3");
  Questions questions(run);
  const auto kept = read_edit(questions, "a[0,0..2]=1\t\t3\n", 5);
  REQUIRE(std::holds_alternative<ReadEdit>(kept));
  CHECK(std::get<ReadEdit>(kept).text == "a[0,0..2]=1\t\t3@5");
  CHECK(element(gaps, "a", 5, 1, 1) == "5");
  CHECK(element(gaps, "a", 5, 1, 2) == element(run, "a", 5, 1, 2));
  CHECK(refusal_of(run, "a[0,0..1]=1,5\t2@5") == "a[0,0]: '1,5' is no number");
}

TEST_CASE("edits: forks are kept with the run that they came from") {
  Session session(record_sample("masked_sum"));
  CHECK_FALSE(session.keep_fork({"one", {"a[1,3]=1000@5"}}));
  CHECK_FALSE(session.keep_fork({"two", {"a[1,3]=1000@5", "sum[0,0]=1@6"}}));
  CHECK(session.keep_fork({"", {"a[1,3]=1000@5"}}));
  CHECK(session.keep_fork({"long", {std::string(kMostForkBytes + 1, '1')}}));
  const KeptWork kept = work_of(session);
  CHECK(load_work(save_work(kept)).forks == session.forks());
  CHECK(work_of(notes_of(kept)).forks == session.forks());
  std::vector<std::string> lost;
  Session again(session.shared_recording());
  put_into(again, kept, lost);
  CHECK(lost.empty());
  CHECK(again.forks() == session.forks());
  CHECK(again.remove_fork("one"));
  CHECK_FALSE(again.remove_fork("one"));
  for (std::size_t i = again.forks().size(); i < kMostForks; ++i)
    CHECK_FALSE(again.keep_fork({fmt::format("fork {}", i), {"a[1,3]=1@5"}}));
  CHECK(again.keep_fork({"one too many", {"a[1,3]=1@5"}}));
  // Files of strangers.
  CHECK(work_of({{"fork", "{}", 0}, {"fork", "[", 0}, {"fork", R"({"name": 7, "edits": [1]})", 0}}).forks.empty());
}

TEST_CASE("edits: names of forks, and positions in their texts") {
  CHECK(fork_name({"a[1,3]=1000@5"}, {}) == "a[1,3]=1000@5");
  CHECK(fork_name({"a[1,3]=1000@5"}, {{"a[1,3]=1000@5", {}}}) == "a[1,3]=1000@5 (2)");
  const std::string name = fork_name({"a[0..1,0..7]=1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16@5"}, {});
  CHECK(name.size() <= 40);
  CHECK(name.ends_with("...@5"));
  CHECK(position_in_edit("a[1,3]=1000@5") == 5u);
  CHECK_FALSE(position_in_edit("ub@2[0]=00"));
  CHECK(edit_at("ub@2[0]=00@5", 9) == "ub@2[0]=00@9");
  CHECK(edit_at("ub@2[0]=00", 9) == "ub@2[0]=00@9");
}

}  // namespace ts::test
