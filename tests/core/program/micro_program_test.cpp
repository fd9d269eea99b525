// Programs of vector micro-instructions: registers that loops and branches hand on, against a model that gives every value a
// place of its own; regions as places to step over; what such programs must not do.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <memory>

#include "core/check/check.h"
#include "core/debug/origins/named_registers.h"
#include "core/debug/session/session.h"
#include "core/isa/special_registers.h"
#include "core/record/inspector.h"
#include "tests/support/random.h"
#include "tests/support/record/by_plans.h"
#include "tests/support/scale.h"
#include "tests/support/text/open_text.h"

namespace ts::test {
namespace {

// --- random programs and their model ---------------------------------------------------------------------------------

constexpr std::uint32_t kLanes = 64;
using Vector = std::array<std::int32_t, kLanes>;

// A program that is written and modelled at once: what a statement does is kept as a function of the values so far.
class Modelled {
 public:
  explicit Modelled(Random& random) : random_(random) {
    line("%all = pto.pset_b32 \"PAT_ALL\" : !pto.mask<b32>");
    for (std::uint32_t k = 0; k < 3; ++k) {
      const std::string name = fresh();
      line("{} = pto.vlds %in[%i{}] : !pto.ptr<i32, ub> -> !pto.vreg<64xi32>", name, kLanes * k);
      const std::size_t value = place(name);
      does_->push_back([value, k](Modelled& m) {
        for (std::uint32_t lane = 0; lane < kLanes; ++lane)
          m.values_[value][lane] = static_cast<std::int32_t>(kLanes * k + lane) - 90;
      });
    }
  }

  void statements(int count, int depth) {
    while (count-- > 0) {
      const int kind = depth == 0 ? 0 : static_cast<int>(random_.below(6));
      if (kind == 4) loop(depth);
      else if (kind == 5) branch(depth);
      else arithmetic();
    }
  }

  std::string program(std::vector<std::size_t>& stored) {
    const std::size_t first = known_.size() > 4 ? known_.size() - 4 : 0;
    for (std::size_t i = first; i < known_.size(); ++i) {
      line("pto.vsts {}, %out[%i{}], %all : !pto.vreg<64xi32>, !pto.ptr<i32, ub>, !pto.mask<b32>", known_[i].first,
           kLanes * stored.size());
      stored.push_back(known_[i].second);
    }
    std::string text =
        "module attributes {pto.target_arch = \"a5\"} {\n  func.func @k(%src: !pto.ptr<i32, gm>, %dst: !pto.ptr<i32, gm>) {\n"
        "    %a0 = arith.constant 0 : i64\n    %a1 = arith.constant 4096 : i64\n    %one = arith.constant 1 : i64\n"
        "    %len = arith.constant 1024 : i64\n    %c0 = arith.constant 0 : index\n    %c1 = arith.constant 1 : index\n";
    for (int turns = 2; turns < 5; ++turns) text += fmt::format("    %c{} = arith.constant {} : index\n", turns, turns);
    for (std::uint32_t k = 0; k < 4; ++k)
      text += fmt::format("    %i{} = arith.constant {} : index\n", kLanes * k, kLanes * k);
    return text +
           "    %in = pto.castptr %a0 : i64 -> !pto.ptr<i32, ub>\n    %out = pto.castptr %a1 : i64 -> !pto.ptr<i32, ub>\n"
           "    pto.mte_gm_ub %src, %in, %a0, %len nburst(%one, %len, %len) : !pto.ptr<i32, gm>, !pto.ptr<i32, ub>, i64, i64, i64, "
           "i64, i64\n    pto.barrier <PIPE_ALL>\n    pto.vecscope {\n" +
           text_ +
           "    }\n    pto.barrier <PIPE_ALL>\n    pto.mte_ub_gm %out, %dst, %len nburst(%one, %len, %len) : !pto.ptr<i32, ub>, "
           "!pto.ptr<i32, gm>, i64, i64, i64, i64\n    return\n  }\n}\n";
  }
  const Vector& run(std::size_t value) {
    if (!ran_) run_all(*does_);
    ran_ = true;
    return values_[value];
  }

 private:
  using Does = std::vector<std::function<void(Modelled&)>>;
  void run_all(const Does& does) {
    for (const auto& one : does) one(*this);
  }
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    text_ += std::string(static_cast<std::size_t>(6 + indent_), ' ') +
             fmt::format(format, std::forward<Args>(args)...) + "\n";
  }
  std::string fresh() { return fmt::format("%v{}", names_++); }
  std::size_t place(const std::string& name) {
    values_.emplace_back();
    known_.emplace_back(name, values_.size() - 1);
    return values_.size() - 1;
  }
  const std::pair<std::string, std::size_t>& any() {
    return known_[random_.below(static_cast<std::uint32_t>(known_.size()))];
  }

  void arithmetic() {
    const auto [a, from_a] = any();
    const auto [b, from_b] = any();
    const auto x = from_a, y = from_b;
    const int kind = static_cast<int>(random_.below(4));
    constexpr const char* kNames[] = {"vadd", "vsub", "vmax", "vxor"};
    const std::string name = fresh();
    line("{} = pto.{} {}, {}, %all : !pto.vreg<64xi32>, !pto.vreg<64xi32>, !pto.mask<b32> -> !pto.vreg<64xi32>", name,
         kNames[kind], a, b);
    const std::size_t value = place(name);
    does_->push_back([=](Modelled& m) {
      for (std::uint32_t i = 0; i < kLanes; ++i) {
        const auto p = static_cast<std::uint32_t>(m.values_[x][i]), q = static_cast<std::uint32_t>(m.values_[y][i]);
        const std::int32_t larger = std::max(m.values_[x][i], m.values_[y][i]);
        m.values_[value][i] = kind == 0   ? static_cast<std::int32_t>(p + q)
                              : kind == 1 ? static_cast<std::int32_t>(p - q)
                              : kind == 2 ? larger
                                          : static_cast<std::int32_t>(p ^ q);
      }
    });
  }

  // A region of its own: what it knows ends with it. Gives the values that it hands on.
  std::vector<std::size_t> body(std::size_t count, int depth, Does& does) {
    Does* outer = does_;
    does_ = &does;
    indent_ += 2;
    statements(1 + static_cast<int>(random_.below(4)), depth - 1);
    std::vector<std::size_t> handed;
    std::string names, types;
    for (std::size_t i = 0; i < count; ++i) {
      const auto& [name, value] = any();
      handed.push_back(value);
      names += (i == 0 ? "" : ", ") + name, types += i == 0 ? "!pto.vreg<64xi32>" : ", !pto.vreg<64xi32>";
    }
    line("scf.yield {} : {}", names, types);
    indent_ -= 2;
    does_ = outer;
    return handed;
  }

  void loop(int depth) {
    const std::size_t count = 1 + random_.below(3);
    const int turns = static_cast<int>(random_.below(5));
    const std::string name = fresh();
    std::string starts, types;
    std::vector<std::size_t> from;
    std::vector<std::pair<std::string, std::size_t>> carried;
    for (std::size_t i = 0; i < count; ++i) {
      const auto& [start, value] = any();
      from.push_back(value);
      values_.emplace_back();
      carried.emplace_back(fresh(), values_.size() - 1);
      starts += fmt::format("{}{} = {}", i == 0 ? "" : ", ", carried.back().first, start);
      types += i == 0 ? "!pto.vreg<64xi32>" : ", !pto.vreg<64xi32>";
    }
    line("{}:{} = scf.for %t{} = %c0 to %c{} step %c1 iter_args({}) -> ({}) {{", name, count, names_++, turns, starts,
         types);
    const auto outside = known_;
    known_.insert(known_.end(), carried.begin(), carried.end());
    auto does = std::make_shared<Does>();
    const std::vector<std::size_t> handed = body(count, depth, *does);
    line("}}");
    known_ = outside;
    std::vector<std::size_t> places;
    for (const auto& [carried_name, value] : carried) places.push_back(value);
    does_->push_back([=](Modelled& m) {
      const auto take = [&](const std::vector<std::size_t>& of) {
        std::vector<Vector> taken;
        for (const std::size_t value : of) taken.push_back(m.values_[value]);
        for (std::size_t i = 0; i < taken.size(); ++i) m.values_[places[i]] = taken[i];
      };
      take(from);
      for (int turn = 0; turn < turns; ++turn) {
        m.run_all(*does);
        take(handed);
      }
    });
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t result = places[i];
      values_.emplace_back();
      const std::size_t value = values_.size() - 1;
      known_.emplace_back(count == 1 ? name : fmt::format("{}#{}", name, i), value);
      does_->push_back([=](Modelled& m) { m.values_[value] = m.values_[result]; });
    }
  }

  // Which way is taken is known to the text alone.
  void branch(int depth) {
    const bool first = random_.one_in(2);
    const std::string name = fresh(), test = fmt::format("%b{}", names_++);
    line("{} = arith.cmpi {}, %c0, %c1 : index", test, first ? "slt" : "sgt");
    line("{} = scf.if {} -> (!pto.vreg<64xi32>) {{", name, test);
    const auto outside = known_;
    auto yes = std::make_shared<Does>(), no = std::make_shared<Does>();
    const std::size_t on = body(1, depth, *yes)[0];
    line("}} else {{");
    known_ = outside;
    const std::size_t off = body(1, depth, *no)[0];
    line("}}");
    known_ = outside;
    const std::size_t value = place(name);
    does_->push_back([=](Modelled& m) {
      m.run_all(first ? *yes : *no);
      m.values_[value] = m.values_[first ? on : off];
    });
  }

  Random& random_;
  std::string text_;
  int indent_ = 0, names_ = 0;
  std::vector<Vector> values_;
  std::vector<std::pair<std::string, std::size_t>> known_;
  Does all_;
  Does* does_ = &all_;
  bool ran_ = false;
};

std::shared_ptr<Recording> recorded_micro(const std::string& text, std::size_t budget = std::size_t{32} << 20) {
  OpenRequest request;
  std::vector<std::int32_t> in(256);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::int32_t>(i) - 90;
  std::vector<std::byte> bytes(in.size() * 4);
  std::memcpy(bytes.data(), in.data(), bytes.size());
  request.inputs.data["src"] = bytes;
  OpenedText opened = open_text(text, Target::A5, request);
  std::string told;
  for (const Diagnostic& one : opened.diagnostics) told += one.format() + "\n";
  CAPTURE(text);
  CAPTURE(told);
  REQUIRE(opened.opened);
  auto recording = Recording::run(std::move(opened.opened->program), {.budget_bytes = budget});
  for (const Finding& one : recording->findings()) told += one.diagnostic.format() + "\n";
  CHECK_MESSAGE(recording->stop_reason() == StopReason::End, told);
  check_by_plans(*recording);
  return recording;
}

// --- programs by hand ------------------------------------------------------------------------------------------------

// A kernel around the body of a region; %in and %out are to f32 in UB.
std::string region(const std::string& body, const std::string& before = "") {
  return "module attributes {pto.target_arch = \"a5\"} {\n  func.func @k(%src: !pto.ptr<f32, gm>, %dst: !pto.ptr<f32, gm>) {\n"
         "    %a0 = arith.constant 0 : i64\n    %a1 = arith.constant 4096 : i64\n    %one = arith.constant 1 : i64\n"
         "    %len = arith.constant 1024 : i64\n    %c0 = arith.constant 0 : index\n    %c1 = arith.constant 1 : index\n"
         "    %c4 = arith.constant 4 : index\n    %c64 = arith.constant 64 : index\n    %c256 = arith.constant 256 : index\n"
         "    %in = pto.castptr %a0 : i64 -> !pto.ptr<f32, ub>\n    %out = pto.castptr %a1 : i64 -> !pto.ptr<f32, ub>\n"
         "    pto.mte_gm_ub %src, %in, %a0, %len nburst(%one, %len, %len) : !pto.ptr<f32, gm>, !pto.ptr<f32, ub>, i64, i64, i64, "
         "i64, i64\n    pto.barrier <PIPE_ALL>\n" +
         before + "    pto.vecscope {\n      %all = pto.pset_b32 \"PAT_ALL\" : !pto.mask<b32>\n" + body +
         "    }\n    pto.barrier <PIPE_ALL>\n    pto.mte_ub_gm %out, %dst, %len nburst(%one, %len, %len) : !pto.ptr<f32, ub>, "
         "!pto.ptr<f32, gm>, i64, i64, i64, i64\n    return\n  }\n}\n";
}
const char* const kLoop =
    "      scf.for %i = %c0 to %c256 step %c64 {\n"
    "        %v = pto.vlds %in[%i] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>\n"
    "        %w = pto.vabs %v, %all : !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<64xf32>\n"
    "        pto.vsts %w, %out[%i], %all : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>\n"
    "      }\n";

// What opening and running a text says first.
std::string first_message(const std::string& text) {
  OpenedText opened = open_text(text, Target::A5);
  for (const Diagnostic& one : opened.diagnostics)
    if (one.severity == Severity::Error) return one.format();
  if (!opened.opened) return "not opened";
  const auto recording = Recording::run(std::move(opened.opened->program), {.budget_bytes = std::size_t{16} << 20});
  return recording->findings().empty() ? "" : recording->findings().front().diagnostic.format();
}
void refuses(const std::string& body, const char* rule, const char* says) {
  const std::string said = first_message(region(body));
  CAPTURE(body);
  CAPTURE(said);
  CHECK(said.find(rule) != std::string::npos);
  CHECK(said.find(says) != std::string::npos);
}

}  // namespace

TEST_CASE("micro programs: random loops and branches hand registers on as a model says") {
  Random random(4711);
  for (int round = 0; round < rounds(20, 300, 10'000); ++round) {
    Modelled modelled(random);
    modelled.statements(3 + static_cast<int>(random.below(6)), 3);
    std::vector<std::size_t> stored;
    const std::string text = modelled.program(stored);
    const auto recording = recorded_micro(text);
    const Memory& memory = recording->final_memory();
    for (std::size_t k = 0; k < stored.size(); ++k) {
      const Vector& wanted = modelled.run(stored[k]);
      Vector got;
      std::memcpy(got.data(), memory.bytes(Space::Ub, static_cast<std::uint32_t>(4096 + 256 * k), 256).data(), 256);
      CAPTURE(text);
      CAPTURE(k);
      REQUIRE(got == wanted);
    }
  }
}

TEST_CASE("micro programs: one steps over a region, over a turn of its loop, and into it by micro-operations") {
  const auto recording = recorded_micro(region(kLoop));
  Session session(recording);
  session.seek({2, 0});
  session.over(Direction::Forward);
  CHECK(session.moment().position == 15);  // pset, and four turns of three
  session.over(Direction::Backward);
  CHECK(session.moment().position == 2);
  session.into(Direction::Forward);
  CHECK(session.moment() == Moment{3, 0});
  session.over(Direction::Forward);
  CHECK(session.moment().position == 6);
  session.into(Direction::Forward);
  session.over(Direction::Forward);
  CHECK(session.moment().position == 8);
  session.over(Direction::Forward);
  CHECK(session.moment().position == 9);
  session.over(Direction::Backward);
  CHECK(session.moment().position == 6);
}

TEST_CASE("micro programs: the bit of a mask that chose an element governs that element") {
  const auto recording = recorded_micro(region(kLoop));
  Inspector inspector(*recording);
  const Flow flow = inspector.flow(4);  // vabs
  const Bound& bound = recording->bound(4);
  const auto dst = static_cast<int>(bound.operands.size()) - 1;
  std::size_t bits = 0;
  for (const Source& source : flow.sources(dst, 0, 10)) {
    if (source.kind != Source::Kind::MaskBit) continue;
    CHECK(source.col == 10);
    ++bits;
  }
  CHECK(bits == 1);
}

TEST_CASE("micro programs: registers by name are those that the region made so far") {
  const auto recording = recorded_micro(region(kLoop));
  const StepIndex index(*recording);
  Inspector inspector(*recording);
  const auto at = [&](std::uint32_t position) {
    return named_registers(*recording, index, inspector.at(position), position);
  };
  CHECK(at(2).empty());
  const auto three = at(5);
  REQUIRE(three.size() == 3);
  const Program& program = recording->program();
  CHECK(program.tiles[three[0].tile].name == "w");
  CHECK(program.tiles[three[1].tile].name == "v");
  CHECK(program.tiles[three[2].tile].name == "all");
  CHECK(three[2].value.kind == TraceValue::Kind::Predicate);
  CHECK(three[2].lanes == DType::U32);
  CHECK(three[0].writer == 4);
  CHECK(at(15).size() == 3);  // still to be seen behind the last step
  CHECK(at(16).empty());
}

TEST_CASE("micro programs: accesses to the same bytes in a region want a barrier of the right word") {
  const auto found = [](const std::string& between) {
    const auto recording = recorded_micro(
        region("      %v = pto.vlds %in[%c0] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>\n"
               "      pto.vsts %v, %out[%c0], %all : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>\n" +
               between +
               "      %w = pto.vlds %out[%c0] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>\n"
               "      pto.vsts %w, %out[%c64], %all : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>\n"));
    std::string said;
    for (const Finding& one : check(*recording).findings)
      if (one.diagnostic.rule == "MEM-BAR") said += one.diagnostic.format() + one.diagnostic.hint;
    return said;
  };
  const std::string without = found("");
  CHECK(without.find("vlds reads %out[%c0][0,0], which step 4 wrote") != std::string::npos);
  CHECK(without.find("pto.mem_bar \"VST_VLD\"") != std::string::npos);
  CHECK(found("      pto.mem_bar \"VST_VLD\"\n").empty());
  CHECK(found("      pto.mem_bar \"VV_ALL\"\n").empty());
  CHECK(!found("      pto.mem_bar \"VLD_VST\"\n").empty());
  CHECK(!found("      pto.mem_bar \"VS_ALL\"\n").empty());
}

TEST_CASE("micro programs: what they must not do is refused with the place and what to do") {
  refuses("      pto.mem_bar \"VST_LOAD\"\n", "E-SYNC", "unknown order VST_LOAD");
  refuses("      %v = pto.vlds %in[%c0] {dist = \"BRC_B64\"} : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>\n", "E-ATTRIBUTE",
          "vlds has no dist BRC_B64");
  refuses("      %v = pto.vlds %in[%c1] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>\n", "M-", "32");
  refuses("      pto.vecscope {\n      }\n", "E-SCOPE", "inside of another");
  refuses(
      "      %v = pto.vlds %in[%c0] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>\n"
      "      %w = pto.vcvt %v, %all : !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<256xi8>\n",
      "VCVT-R1", "vcvt has no way from f32 to i8");
  refuses(
      "      %v = pto.vlds %in[%c0] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>\n"
      "      %w = pto.vcvt %v, %all {part = \"P2\"} : !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<128xf16>\n",
      "VCVT-R2", "no such part");
  refuses(
      "      %v = pto.vlds %in[%c0] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>\n"
      "      %w = pto.vshl %v, %v, %all : !pto.vreg<64xf32>, !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<64xf32>\n",
      "VSHL-R1", "no lanes of f32");
  const std::string outside = first_message(region("", "    %m = pto.pset_b32 \"PAT_ALL\" : !pto.mask<b32>\n"));
  CHECK(outside.find("E-SCOPE") != std::string::npos);
  const std::string leaks = first_message(
      "func.func @k() {\n  pto.vecscope {\n    %m = pto.pset_b32 \"PAT_ALL\" : !pto.mask<b32>\n  }\n  pto.vecscope {\n"
      "    %n = pto.pnot %m, %m : !pto.mask<b32>, !pto.mask<b32> -> !pto.mask<b32>\n  }\n  return\n}\n");
  CHECK(leaks.find("%m") != std::string::npos);
}

TEST_CASE("micro programs: CTRL decides for conversions whether they saturate, once it is told to") {
  // 1,000,000 as i16: the largest there is, or its low 16 bits.
  const auto converted = [](const std::string& bits, const char* word) {
    std::string sets = "    %old = pto.get_ctrl : i64\n";
    std::string last = "%old";
    for (const char bit : bits) {
      const std::string now = fmt::format("%with_{}", bit);
      sets += fmt::format(
          "    %bit_{0} = arith.constant {1} : i64\n    {2} = pto.sbitset1 {3}, %bit_{0} : i64, i64 -> i64\n", bit,
          bit == 'd' ? 60 : 59, now, last);
      last = now;
    }
    sets += fmt::format(
        "    pto.set_ctrl {} : i64\n    %million = arith.constant 1000000.0 : f32\n"
        "    %shorts = pto.castptr %a1 : i64 -> !pto.ptr<i16, ub>\n",
        last);
    const std::string body = fmt::format(
        "      %v = pto.vdup %million, %all : f32, !pto.mask<b32> -> !pto.vreg<64xf32>\n"
        "      %h = pto.vcvt %v, %all {{rnd = \"R\", sat = \"{}\", part = \"EVEN\"}} : !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<128xi16>\n"
        "      %m16 = pto.pset_b16 \"PAT_ALL\" : !pto.mask<b16>\n"
        "      pto.vsts %h, %shorts[%c0], %m16 : !pto.vreg<128xi16>, !pto.ptr<i16, ub>, !pto.mask<b16>\n",
        word);
    const auto recording = recorded_micro(region(body, sets));
    const Memory& memory = recording->final_memory();
    CHECK(memory.element(Space::Spr, a5::kCtrl, 8) == ((bits.find('d') != std::string::npos ? 1ull << 60 : 0) |
                                                       (bits.find('k') != std::string::npos ? 1ull << 59 : 0)));
    return memory.element(Space::Ub, 4096, 2);
  };
  constexpr std::uint64_t kLargest = 32767, kLowBits = 1'000'000 & 0xFFFF;
  CHECK(converted("", "SAT") == kLargest);
  CHECK(converted("", "NOSAT") == kLowBits);
  CHECK(converted("k", "SAT") == kLargest);
  CHECK(converted("k", "NOSAT") == kLowBits);
  CHECK(converted("d", "NOSAT") == kLargest);
  CHECK(converted("dk", "SAT") == kLowBits);
}

TEST_CASE("micro programs: streams that are not aligned, by a count and by the lanes that vsqz kept") {
  const auto recording = recorded_micro(region(
      "      %n = arith.constant 3 : i32\n      %one_more = pto.addptr %out, %c1 : !pto.ptr<f32, ub> -> !pto.ptr<f32, ub>\n"
      "      %far = pto.addptr %out, %c64 : !pto.ptr<f32, ub> -> !pto.ptr<f32, ub>\n"
      "      %shifted = pto.addptr %in, %c1 : !pto.ptr<f32, ub> -> !pto.ptr<f32, ub>\n"
      "      %align = pto.vldas %shifted : !pto.ptr<f32, ub> -> !pto.align\n"
      "      %v, %next = pto.vldus %shifted, %align : !pto.ptr<f32, ub>, !pto.align -> !pto.vreg<64xf32>, !pto.align\n"
      "      %empty = pto.init_align : !pto.align\n"
      "      %held = pto.vstus %empty, %n, %v, %one_more : !pto.align, i32, !pto.vreg<64xf32>, !pto.ptr<f32, ub> -> !pto.align\n"
      "      pto.vstas %held, %one_more, %n : !pto.align, !pto.ptr<f32, ub>, i32\n"
      "      pto.sprclr \"AR\"\n"
      "      %first = pto.init_align : !pto.align\n"
      "      %c8 = arith.constant 8 : i32\n"
      "      %eight, %rest = pto.plt_b32 %c8 : i32 -> !pto.mask<b32>, i32\n"
      "      %stream = scf.for %i = %c0 to %c4 step %c1 iter_args(%so_far = %first) -> (!pto.align) {\n"
      "        %kept = pto.vsqz %v, %eight : !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<64xf32>\n"
      "        %now = pto.vstur %so_far, %kept, %far, \"POST_UPDATE\" : !pto.align, !pto.vreg<64xf32>, !pto.ptr<f32, ub> -> !pto.align\n"
      "        scf.yield %now : !pto.align\n      }\n"
      "      pto.vstar %stream, %far : !pto.align, !pto.ptr<f32, ub>\n"));
  const Memory& memory = recording->final_memory();
  const auto in = [&](std::uint32_t i) { return memory.element(Space::Ub, 4 * i, 4); };
  const auto out = [&](std::uint32_t i) { return memory.element(Space::Ub, 4096 + 4 * i, 4); };
  for (std::uint32_t i = 0; i < 3; ++i) CHECK(out(1 + i) == in(1 + i));
  CHECK(memory.definedness(memory.map().flat(Space::Ub, 4096)) == Definedness::Never);
  CHECK(memory.definedness(memory.map().flat(Space::Ub, 4096 + 16)) == Definedness::Never);
  for (std::uint32_t i = 0; i < 32; ++i) CHECK(out(64 + i) == in(1 + i % 8));
  CHECK(memory.definedness(memory.map().flat(Space::Ub, 4096 + 4 * 96)) == Definedness::Never);
  OpenedText opened = open_text(
      region(
          "      %n = arith.constant 3 : i32\n"
          "      %v = pto.vlds %in[%c0] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>\n"
          "      %empty = pto.init_align : !pto.align\n"
          "      %held = pto.vstus %empty, %n, %v, %out : !pto.align, i32, !pto.vreg<64xf32>, !pto.ptr<f32, ub> -> !pto.align\n"),
      Target::A5);
  CHECK(std::ranges::count(opened.diagnostics, "STREAM-END", &Diagnostic::rule) == 1);
}

TEST_CASE("micro programs: an error that follows from one that was told is not told") {
  OpenedText opened =
      open_text(region("      %m = pto.pset_b32 \"PAT_NONE\" : !pto.mask<b32>\n"
                       "      %v = pto.vlds %in[%c0] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>\n"
                       "      %w = pto.vabs %v, %m : !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<64xf32>\n"
                       "      %x = pto.vabs %w, %m : !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<64xf32>\n"),
                Target::A5);
  std::size_t errors = 0;
  for (const Diagnostic& one : opened.diagnostics) errors += one.severity == Severity::Error ? 1 : 0;
  CHECK(errors == 1);
}

}  // namespace ts::test
