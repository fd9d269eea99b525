// Which bit of a comparison answers for which element, on both targets.
#include <doctest/doctest.h>

#include "core/debug/picture/answer_bits.h"
#include "tests/support/record/recorded.h"
#include "tests/support/text/small_text.h"

namespace ts::test {
namespace {

struct Compared {
  // A scalar where there is no second type.
  Compared(Target target, const std::string& src, const std::string& other, const std::string& dst,
           const std::string& mode) {
    SmallText text(target);
    text.tile("a", src).tile("d", dst);
    if (other.empty()) text.scalar("b", "f32", "0.0");
    else text.tile("b", other);
    text.step(other.empty() || other != src ? "tcmps" : "tcmp", {"a", "b"}, {"d"},
              "{cmpMode = #pto<cmp " + mode + ">}");
    recording = record_text(text.text());
    inspector.emplace(*recording);
    map.look_at(0);
    flow.emplace(inspector->flow(0));
    result = static_cast<int>(recording->bound(0).find("dst") - recording->bound(0).operands.data());
  }
  StepFlow asked() { return {*recording, *flow, map}; }
  AnswerRow row(std::uint32_t row) { return answers_of_row(asked(), result, 0, row, recording->final_memory()); }

  SharedRecording recording;
  std::optional<Inspector> inspector;
  StepMap map;
  std::optional<Flow> flow;
  int result = -1;
};

const std::string kSource = "4x16xf32, valid=4x12", kBytes = "4x32xui8";

}  // namespace

TEST_CASE("answer bits: a row begins with a row of the result, and padding is compared on A2A3 only") {
  for (const Target target : kBothTargets)
    for (const char* mode : {"lt", "ne"}) {
      CAPTURE(target);
      CAPTURE(std::string(mode));
      Compared compared(target, kSource, kSource, kBytes, mode);
      for (std::uint32_t row = 0; row < 4; ++row) {
        CAPTURE(row);
        const AnswerRow answers = compared.row(row);
        REQUIRE(answers.bytes.size() >= 2);
        CHECK(answers.bytes[0].offset == 32 * row);
        CHECK(answers.bytes[0].read == 0xFF);
        CHECK(answers.bytes[1].read == 0x0F);
        CHECK(answers.bytes[1].lane_of_bit0 == 8);
        CHECK(answers.padding[0] == 0);
        CHECK(answers.padding[1] == (target == Target::A2A3 ? 0xF0 : 0));
        for (std::size_t i = 2; i < answers.bytes.size(); ++i) CHECK(answers.bytes[i].read == 0);
        CHECK(answers.lanes == 8 * answers.bytes.size());
        CHECK_FALSE(answers.one_for_all);
      }
    }
}

TEST_CASE("answer bits: elements of 64 bits, wide rows, one row and one column") {
  Compared wide(Target::A5, "2x12xi64, valid=2x10", "2x12xi64, valid=2x10", "2x32xui8", "eq");
  CHECK(wide.row(1).bytes[1].read == 0x03);
  Compared rows(Target::A2A3, "2x512xf32", "2x512xf32", "2x64xui8", "gt");
  const AnswerRow answers = rows.row(1);
  REQUIRE(answers.bytes.size() == 64);
  for (const MaskByte& byte : answers.bytes) CHECK(byte.read == 0xFF);
  CHECK(answers.bytes[63].lane_of_bit0 == 504);
  for (const Target target : kBothTargets) {
    CAPTURE(target);
    Compared one(target, "1x8xf32, valid=1x1", "1x8xf32, valid=1x1", "1x32xui8", "le");
    CHECK(one.row(0).bytes[0].read == 1);
    CHECK(one.row(0).bytes[0].lane_of_bit0 == 0);
  }
}

TEST_CASE("answer bits: one value for all lanes") {
  for (const Target target : kBothTargets) {
    CAPTURE(target);
    CHECK(Compared(target, kSource, "", kBytes, "ge").row(1).one_for_all);
    CHECK(Compared(target, kSource, "1x8xf32", kBytes, "ge").row(1).one_for_all);
  }
}

TEST_CASE("answer bits: rows in one stream") {
  Compared stream(Target::A5, kSource, "", "4x32xui8, valid=4x12", "gt");
  const AnswerRow second = stream.row(1);
  REQUIRE(second.bytes.size() == 2);
  CHECK(second.bytes[0].offset == 1);
  CHECK(second.bytes[0].lane_of_bit0 == -4);
  CHECK(second.bytes[0].read == 0xF0);
  CHECK(second.bytes[1].read == 0xFF);
  CHECK(second.bytes[1].lane_of_bit0 == 4);
  // Byte 1 begins with the end of row 0.
  const ByteRange byte{Space::Ub, second.bytes[0].address, 1};
  CHECK(first_answered(stream.asked(), byte, 0) == StepElement{0, 0, 8});
}

TEST_CASE("answer bits: what is asked") {
  for (const auto& [mode, sign] :
       {std::pair{"eq", "="}, {"ne", "!="}, {"lt", "<"}, {"le", "<="}, {"gt", ">"}, {"ge", ">="}})
    CHECK(question_of(Compared(Target::A5, kSource, kSource, kBytes, mode).recording->bound(0)) == sign);
}

}  // namespace ts::test
