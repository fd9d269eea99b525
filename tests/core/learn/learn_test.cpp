// Lessons: what is judged right is what the recording holds and what the tag machine says.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/debug/session/session.h"
#include "core/learn/bind_lesson.h"
#include "core/learn/element_name.h"
#include "core/learn/explain.h"
#include "core/learn/judge.h"
#include "core/learn/progress.h"
#include "core/learn/typed_value.h"
#include "core/record/operand_place.h"
#include "tests/support/record/flow_program.h"
#include "tests/support/record/recorded.h"
#include "tests/support/scale.h"

namespace ts::test {
namespace {

using learn::Find;
using learn::Judgement;
using learn::Lesson;
using learn::Page;
using learn::Predict;

// Values by hand: place 2k of the stream is src0[0,k], place 2k + 1 is src1[0,k], and dst1 begins at place 8.
constexpr std::string_view kZip = R"(module attributes {pto.target_arch = "a5"} {
  func.func @zip(%mask: !pto.tile_buf<vec, 1x32xui8, valid=1x1>, %src0: !pto.tile_buf<vec, 1x8xf32>,
                 %src1: !pto.tile_buf<vec, 1x8xf32>) {
    %first = pto.alloc_tile : !pto.tile_buf<vec, 1x8xf32>
    %second = pto.alloc_tile : !pto.tile_buf<vec, 1x8xf32>
    %sum = pto.alloc_tile : !pto.tile_buf<vec, 1x8xf32, valid=1x6>
    %kept = pto.alloc_tile : !pto.tile_buf<vec, 1x8xf32>
    %minus = arith.constant -1.0 : f32
    pto.tinterleave ins(%src0, %src1 : !pto.tile_buf<vec, 1x8xf32>, !pto.tile_buf<vec, 1x8xf32>)
        outs(%first, %second : !pto.tile_buf<vec, 1x8xf32>, !pto.tile_buf<vec, 1x8xf32>)
    pto.tsels ins(%mask, %src0, %minus : !pto.tile_buf<vec, 1x32xui8, valid=1x1>, !pto.tile_buf<vec, 1x8xf32>, f32)
        outs(%kept : !pto.tile_buf<vec, 1x8xf32>)
    pto.tadd ins(%src0, %src0 : !pto.tile_buf<vec, 1x8xf32>, !pto.tile_buf<vec, 1x8xf32>)
        outs(%kept : !pto.tile_buf<vec, 1x8xf32>)
    return
  }
}
)";

template <class T>
std::vector<std::byte> bytes_of_list(std::initializer_list<T> values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.begin(), bytes.size());
  return bytes;
}

struct Zip {
  Zip() {
    OpenRequest request;
    request.inputs.data["src0"] = bytes_of_list<float>({10, 11, 12, 13, 14, 15, 16, 17});
    request.inputs.data["src1"] = bytes_of_list<float>({20, 21, 22, 23, 24, 25, 26, 27});
    request.inputs.data["mask"] = bytes_of_list<std::uint8_t>({0x05});
    session = std::make_unique<Session>(record_text(kZip, request));
  }
  Page predict(std::uint32_t step, const std::string& tile, std::vector<Predict::Cell> cells,
               Predict::By by = Predict::By::Any) {
    Page page;
    page.position = step;
    page.question = Predict{.tile = tile, .cells = std::move(cells), .by = by};
    Lesson lesson{.title = "t", .teaches = "t", .family = "t", .pages = {page}};
    const auto problems = learn::bind_lesson(lesson, *session);
    CHECK_MESSAGE(problems.empty(), (problems.empty() ? "" : learn::problem_text(problems.front())));
    return lesson.pages.front();
  }
  Judgement judge(const Page& page, std::vector<std::string> answers) { return learn::judge(*session, page, answers); }
  std::unique_ptr<Session> session;
};

std::vector<learn::Problem> problems_of(Session& session, std::vector<Page> pages) {
  Lesson lesson{.title = "t", .teaches = "t", .family = "t", .pages = std::move(pages)};
  return learn::bind_lesson(lesson, session);
}

std::string problem_of(Session& session, const Page& page) {
  const auto problems = problems_of(session, {page});
  return problems.empty() ? "" : learn::problem_text(problems.front());
}

}  // namespace

TEST_CASE("learn: names of elements") {
  const auto whole = learn::read_element(" %src1[3, 5] ");
  REQUIRE(whole);
  CHECK(whole->owner == "src1");
  CHECK(whole->row == 3);
  CHECK(whole->col == 5);
  const auto short_one = learn::read_element("dst[7]");
  REQUIRE(short_one);
  CHECK(!short_one->row);
  CHECK(short_one->col == 7);
  for (const char* wrong : {"", "src1", "[1,2]", "src1[", "src1[1", "src1[a]", "src1[1,]", "src1[,1]", "src1[1,2]x",
                            "src1[-1,2]", "src1[99999999999,0]", "%[0,0]"})
    CHECK_MESSAGE(!learn::read_element(wrong), wrong);
}

TEST_CASE("learn: values are judged by the bits of the element's type") {
  const ElementFormat& f32 = element_format(DType::F32);
  CHECK(learn::read_value(f32, "6") == 0x40C00000u);
  CHECK(learn::read_value(f32, " 6.0 ") == 0x40C00000u);
  CHECK(learn::read_value(f32, "-2.5") == 0xC0200000u);
  CHECK(learn::read_value(f32, "1e3") == 0x447A0000u);
  CHECK(learn::read_value(f32, ".5") == 0x3F000000u);
  CHECK(learn::read_value(f32, "0x40C00000") == 0x40C00000u);
  CHECK(learn::read_value(f32, "-inf") == 0xFF800000u);
  for (const char* wrong : {"", "x", "6x", "1,5", "0x1FFFFFFFF", "0x", "-0x1", "1e", "--1", "nanx"})
    CHECK_MESSAGE(!learn::read_value(f32, wrong), wrong);
  const ElementFormat& i8 = element_format(DType::I8);
  CHECK(learn::read_value(i8, "-1") == 0xFFu);
  CHECK(learn::read_value(i8, "12.0") == 12u);
  CHECK(!learn::read_value(i8, "128"));
  CHECK(!learn::read_value(i8, "1.5"));
  CHECK(!learn::read_value(i8, "nan"));
  // NaN is NaN whatever its bits, and zero has two signs.
  CHECK(learn::same_value(f32, 0x7FC00000, 0xFFC00001));
  CHECK(learn::same_value(f32, 0, 0x80000000));
  CHECK(!learn::same_value(f32, 1, 0));
  CHECK(!learn::same_value(i8, 0x80, 0));
}

TEST_CASE("learn: a moved element by its value, its source, and either name of the source's tile") {
  Zip zip;
  const Page page = zip.predict(0, "second", {{0, 0}, {0, 1}});
  for (const auto& answers : std::vector<std::vector<std::string>>{
           {"14", "24"}, {"src0[0,4]", "src1[0,4]"}, {"%src0[0, 4]", "24.0"}, {"src0[4]", "0x41c00000"}}) {
    CAPTURE(answers[0]);
    const Judgement judged = zip.judge(page, answers);
    CHECK(judged.right);
    CHECK(judged.parts[0].said == "second[0,0] is 14: it comes from src0[0,4]");
  }
  // The operand's own name means the same tile.
  CHECK(zip.judge(zip.predict(0, "dst1", {{0, 0}}), {"src0[0,4]"}).right);
}

TEST_CASE("learn: a wrong answer is explained from the true flow, and the right one is not told") {
  Zip zip;
  const Page page = zip.predict(0, "second", {{0, 3}});
  CHECK(zip.judge(page, {"src1[0,3]"}).parts[0].said ==
        "second[0,3] does not come from src1[0,3], which goes to first[0,7]");
  CHECK(zip.judge(page, {"23"}).parts[0].said == "second[0,3] is not 23; 23 is src1[0,3], which goes to first[0,7]");
  CHECK(zip.judge(page, {"99"}).parts[0].said == "second[0,3] is not 99");
  CHECK(zip.judge(page, {"first[0,7]"}).parts[0].said ==
        "second[0,3] does not come from first[0,7], which is a result of this step");
  CHECK(zip.judge(page, {"unchanged"}).parts[0].said == "second[0,3] does not stay as it was");
  CHECK(zip.judge(page, {"undefined"}).parts[0].said == "second[0,3] is not undefined");
  // A number of a byte, or of another tile's column, is a mistake like others.
  const Judgement outside = zip.judge(page, {"src0[0,64]"});
  CHECK(!outside.unread);
  CHECK(!outside.right);
  CHECK(outside.parts[0].said ==
        "second[0,3] cannot come from there: there is no src0[0,64]: rows of src0 are 0 to 0, columns 0 to 7");
}

TEST_CASE("learn: what says nothing that could be right is no try") {
  Zip zip;
  const Page page = zip.predict(0, "second", {{0, 3}, {0, 4}});
  const auto unread = [&](const std::string& answer, const std::string& said) {
    CAPTURE(answer);
    const Judgement judged = zip.judge(page, {answer, "16"});
    CHECK(judged.unread);
    CHECK(!judged.right);
    CHECK(judged.parts[0].said == said);
    // Of the other cell nothing is told yet.
    CHECK(judged.parts[1].said == "");
  };
  unread("", "second[0,3]: nothing is filled in");
  unread("nope[0,3]", "second[0,3]: nope is no operand of this step; it has src0 (src0), src1 (src1)");
  unread("perhaps", "second[0,3]: perhaps is neither a value of type f32 nor an element such as src0[0,3]");
  const Page by_source = zip.predict(0, "second", {{0, 3}}, Predict::By::Source);
  CHECK(zip.judge(by_source, {"25"}).parts[0].said ==
        "second[0,3]: name the element that it comes from, such as src0[0,3]");
  const Page by_value = zip.predict(0, "second", {{0, 3}}, Predict::By::Value);
  CHECK(zip.judge(by_value, {"src1[0,5]"}).parts[0].said == "second[0,3]: give the value");
}

TEST_CASE("learn: scalars, mask bits and sums") {
  Zip zip;
  const Page kept = zip.predict(1, "kept", {{0, 0}, {0, 1}});
  CHECK(zip.judge(kept, {"src0[0,0]", "scalar"}).right);
  CHECK(zip.judge(kept, {"10", "-1"}).right);
  const Judgement wrong = zip.judge(kept, {"scalar", "src0[0,1]"});
  CHECK(wrong.parts[0].said == "kept[0,0] is not the scalar -1");
  CHECK(wrong.parts[1].said == "kept[0,1] does not come from src0[0,1], which goes nowhere in this step");
  const Judgement right = zip.judge(kept, {"10", "-1"});
  CHECK(right.parts[0].said == "kept[0,0] is 10: it comes from src0[0,0], chosen by bit 0 of mask[0,0], which is 1");
  CHECK(right.parts[1].said == "kept[0,1] is -1: it is the scalar -1, chosen by bit 1 of mask[0,0], which is 0");
  // Of a + a both sources are one element.
  const Page sum = zip.predict(2, "kept", {{0, 2}});
  CHECK(zip.judge(sum, {"24"}).right);
  CHECK(zip.judge(sum, {"24"}).parts[0].said.starts_with("kept[0,2] is 24: it "));
}

TEST_CASE("learn: what is wrong with a lesson names its place") {
  Zip zip;
  Page page;
  page.say = "x";
  page.position = 4;
  CHECK(problem_of(*zip.session, page) == "step 1: at: there is no position 4");
  page.position = {};
  page.at = learn::StepName{.op = "ttrans"};
  CHECK(problem_of(*zip.session, page) == "step 1: at: no step of the program is ttrans");
  page.at = learn::StepName{.op = "tadd", .nth = 2};
  CHECK(problem_of(*zip.session, page) == "step 1: at: there is no tadd 2");
  page.at = learn::StepName{.op = "TADD"};
  CHECK(problem_of(*zip.session, page) == "");
  page.highlight = learn::NamedCell{"nope", 0, 0};
  CHECK(problem_of(*zip.session, page) == "step 1: highlight: there is no tile, buffer or operand nope");
  page.highlight = learn::NamedCell{"kept", 0, 8};
  CHECK(problem_of(*zip.session, page) == "step 1: highlight: kept has no cell [0,8]");
  page.highlight = {};
  page.show = {"gone"};
  CHECK(problem_of(*zip.session, page) == "step 1: show: there is no tile, buffer or operand gone");
  page = {};
  page.position = 0;
  page.question = Predict{.tile = "src0", .cells = {{0, 0}}};
  CHECK(problem_of(*zip.session, page) == "step 1: predict.tile: src0 is no result of step 0, tinterleave");
  page.question = Predict{.tile = "first", .cells = {{1, 0}}};
  CHECK(problem_of(*zip.session, page) == "step 1: predict: first has no cell [1,0]");
  page.question = Predict{.tile = "first", .cells = {{0, 0}, {0, 0}}};
  CHECK(problem_of(*zip.session, page) == "step 1: predict: [0,0] is asked for twice");
  page.position = 3;
  CHECK(problem_of(*zip.session, page) == "step 1: predict: no step comes next that could be predicted");
  page.position = 2;
  page.question = Predict{.tile = "kept", .cells = {{0, 0}}, .by = Predict::By::Value};
  CHECK(problem_of(*zip.session, page) == "");
  page.question = Find{.finding = FindingKind::Nan};
  CHECK(problem_of(*zip.session, page) == "step 1: find.finding: the checks find nothing of kind nan in this program");
  page.question = Find{.steps = {{.step = 9}}};
  CHECK(problem_of(*zip.session, page) == "step 1: find.step: there is no step 9");
  page.question = learn::Ask{.text = "?"};
  CHECK(problem_of(*zip.session, page) == "step 1: answer: nothing says what is right");
  page.question = learn::Ask{.text = "?", .choices = {"a", "b"}, .answers = {"c"}};
  CHECK(problem_of(*zip.session, page) == "step 1: answer: 'c' is none of the choices");
  CHECK(learn::problem_text(problems_of(*zip.session, {}).front()) == "steps: a lesson has at least one step");
}

TEST_CASE("learn: a page without a place stands where the one before does, behind a prediction behind its step") {
  Zip zip;
  Page before, predict, after;
  before.at = learn::StepName{.op = "tinterleave"};
  before.next = true;
  predict.question = Predict{.tile = "first", .cells = {{0, 0}}};
  after.say = "x";
  Lesson lesson{.title = "t", .teaches = "t", .family = "t", .pages = {before, predict, after}};
  REQUIRE(learn::bind_lesson(lesson, *zip.session).empty());
  CHECK(lesson.pages[0].stands == 0);
  CHECK(lesson.pages[0].shows_next);
  CHECK(lesson.pages[1].stands == 0);
  CHECK(lesson.pages[1].shows_next);
  CHECK(lesson.pages[2].stands == 1);
  CHECK(!lesson.pages[2].shows_next);
  CHECK(lesson.pages[2].step == 0);
}

TEST_CASE("learn: choices, free answers, and a step that is to be found") {
  Zip zip;
  Page page;
  page.question = learn::Ask{.text = "?", .choices = {"even", "odd"}, .answers = {"odd"}, .why = {"no", "yes"}};
  CHECK(zip.judge(page, {"odd"}).right);
  CHECK(zip.judge(page, {"2"}).text == "yes");
  CHECK(zip.judge(page, {"Even"}).text == "no");
  CHECK(zip.judge(page, {"3"}).unread);
  CHECK(zip.judge(page, {"both"}).unread);
  page.question = learn::Ask{.text = "?", .answers = {"16", "sixteen"}};
  CHECK(zip.judge(page, {"16.0"}).right);
  CHECK(zip.judge(page, {"0x10"}).right);
  CHECK(zip.judge(page, {" Sixteen "}).right);
  CHECK(!zip.judge(page, {"61"}).right);
  CHECK(zip.judge(page, {" "}).unread);
  Find find{.right_steps = {1}};
  page.question = find;
  CHECK(zip.judge(page, {"step 1"}).right);
  CHECK(zip.judge(page, {"1"}).right);
  CHECK(zip.judge(page, {"step 0"}).text == "step 0, tinterleave, is not the one: look further on");
  CHECK(zip.judge(page, {"2"}).text == "step 2, tadd, is not the one: look further back");
  // Of a fault that the checks know there is more to say.
  find.finding = FindingKind::Defined;
  page.question = find;
  CHECK(zip.judge(page, {"step 0"}).text == "step 0, tinterleave, still does what it should: look further on");
  CHECK(zip.judge(page, {"2"}).text == "step 2, tadd, only goes on with what was wrong before it: look further back");
  CHECK(zip.judge(page, {"3"}).unread);
  CHECK(zip.judge(page, {"first"}).unread);
  find = {.what = Find::What::Cell, .right_cells = {{"kept", 0, 3}}};
  page.question = find;
  CHECK(zip.judge(page, {"kept[0,3]"}).right);
  CHECK(zip.judge(page, {"kept[0,2]"}).text == "kept[0,2] is not the one");
  CHECK(zip.judge(page, {"kept[0,8]"}).unread);
  CHECK(zip.judge(page, {"nope[0,0]"}).text == "there is no tile or buffer nope");
}

TEST_CASE("learn: progress counts tries until the first right answer") {
  learn::Progress progress;
  progress.take(1, false);
  progress.take(1, true);
  progress.take(1, false);
  progress.take(0, true);
  progress.show(2);
  progress.take(2, true);
  progress.show(0);
  CHECK(progress.answered() == 2);
  CHECK(progress.pages[1] == learn::PageProgress{.tries = 2, .right = true});
  CHECK(progress.pages[2] == learn::PageProgress{.tries = 0, .right = false, .shown = true});
  learn::Score score;
  learn::add_to(score, progress, 3);
  CHECK(learn::score_text(score) == "2 of 3 answered, 1 at once");
}

// Of every step that moves data in random programs: the value, and the single source where there is one, are judged
// right; any other source and any other value are judged wrong. The truth is asked here in another way: the elements of
// the operands as the memories hold them, and the sources one by one from the step map.
TEST_CASE("learn: the judged truth is what the recording holds, in random programs") {
  std::size_t values = 0, sources = 0, untouched = 0;
  for (const Target target : kBothTargets) {
    for (std::uint64_t seed = 1; seed <= rounds(2u, 6u, 60u); ++seed) {
      CAPTURE(seed);
      Random random(seed);
      const std::shared_ptr<const Recording> recording =
          Recording::run(random_flow_program(random, target, 12), {.budget_bytes = kPlentyOfBytes});
      Session session(recording);
      Inspector other(*recording);
      for (std::uint32_t step = 0; step < recording->count(); ++step) {
        const Bound& bound = recording->bound(step);
        if (bound.row->machines.tag == nullptr) continue;
        for (std::size_t i = 0; i < bound.operands.size(); ++i) {
          const Operand& operand = bound.operands[i];
          if (operand.spec == nullptr || operand.spec->role != Role::Out || operand.spec->kind != OperandKind::Tile)
            continue;
          const TileRef& tile = operand.tile;
          for (int sample = 0; sample < 6; ++sample) {
            const auto row = static_cast<std::uint32_t>(random.below(tile.rows()));
            const auto col = static_cast<std::uint32_t>(random.below(tile.cols()));
            Page page;
            page.question = Predict{.tile = "?", .cells = {{row, col}}, .step = step, .operand = static_cast<int>(i)};
            const ByteRange place{tile.space(), tile.at(row, col), tile.elem_bytes()};
            const ElementFormat& format = element_format(tile.type.dtype);
            std::vector<std::byte> bytes(place.size);
            const Definedness worth = other.peek(step + 1, place, bytes);
            std::uint64_t bits = 0;
            std::memcpy(&bits, bytes.data(), bytes.size());
            const Flow flow = other.flow(step);
            const bool wrote = flow.wrote(place);
            StepMap map;
            map.look_at(step);
            const auto& found = map.sources(*recording, flow, {static_cast<int>(i), row, col});
            std::vector<StepElement> moved;
            for (const Source& source : found)
              if (!source.decided && source.kind == Source::Kind::Element)
                if (const auto element = element_of_source(recording->program(), bound, source))
                  moved.push_back(*element);
            CAPTURE(step);
            CAPTURE(bound.row->name);
            CAPTURE(row);
            CAPTURE(col);
            const auto answer = [&](const std::string& text) {
              return learn::judge(session, page, std::vector{text}).right;
            };
            if (worth == Definedness::Written) {
              CHECK(answer(short_text(format, bits)));
              CHECK(answer(hex_text(format, bits)));
              CHECK(!answer(hex_text(format, bits ^ (std::uint64_t{1} << (format.size_bits - 2)))));
              ++values;
            }
            CHECK(answer("unchanged") == !wrote);
            CHECK(answer("undefined") == (worth == Definedness::Never));
            CHECK(answer("unspecified") == (worth == Definedness::Unspecified));
            untouched += wrote ? 0 : 1;
            const bool single = wrote && moved.size() == 1 && std::ranges::none_of(found, [](const Source& source) {
                                  return !source.decided && source.kind == Source::Kind::Scalar;
                                });
            if (single && worth == Definedness::Written) {
              CHECK(answer(learn::name_of(recording->program(), bound, moved.front())));
              ++sources;
            }
            // And the solution is always taken.
            CHECK(learn::judge(session, page, learn::solution(session, page)).right);
          }
        }
      }
    }
  }
  CHECK(values > 100);
  CHECK(sources > 40);
  CHECK(untouched > 5);
}

}  // namespace ts::test
