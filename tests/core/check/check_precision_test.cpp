// The precision check, against doubles that the test keeps beside every element by the documents' formulas.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/check/check.h"
#include "core/engine/any_core.h"
#include "core/program/builder.h"
#include "core/text/count.h"
#include "tests/oracle/number.h"
#include "tests/support/instructions/stage.h"
#include "tests/support/record/dependence.h"
#include "tests/support/record/flow_program.h"
#include "tests/support/record/recorded.h"
#include "tests/support/scale.h"

namespace ts::test {
namespace {

// Only the precision check is on.
CheckOptions precision_only(std::uint64_t most_ulp) {
  CheckOptions options;
  for (int kind = 0; kind < kFindingKinds; ++kind) options.level[kind] = Level::Off;
  options.set(FindingKind::Precision, Level::Note);
  options.most_ulp = most_ulp;
  return options;
}

std::vector<Finding> findings_of(const Recording& recording, std::uint64_t most_ulp) {
  const CheckReport report = check(recording, precision_only(most_ulp));
  CHECK(report.complete);
  std::vector<Finding> found;
  for (const Finding& finding : report.findings)
    if (finding.kind() == FindingKind::Precision) found.push_back(finding);
  return found;
}

bool says(const Finding& finding, std::string_view part) {
  return finding.diagnostic.text.find(part) != std::string::npos;
}

// The place of a finite element among all of its type, in order of size; both zeros are one.
std::int64_t number_of(DType type, std::uint64_t bits) {
  const std::uint64_t sign = std::uint64_t{1} << (8 * size_bytes(type) - 1);
  const auto magnitude = static_cast<std::int64_t>(bits & (sign - 1));
  return (bits & sign) != 0 ? -magnitude : magnitude;
}
bool is_finite(DType type, std::uint64_t bits) {
  return !oracle::is_nan(type, bits) && std::isfinite(oracle::float_value(type, bits));
}
// Elements from one to where the number rounds to; nothing where one of them is not finite.
std::optional<std::uint64_t> ulps_between(DType type, std::uint64_t bits, double exact) {
  if (std::isnan(exact)) return {};
  const std::uint64_t nearest = oracle::nearest_float(type, exact);
  if (!is_finite(type, bits) || !is_finite(type, nearest)) return {};
  return static_cast<std::uint64_t>(std::abs(number_of(type, bits) - number_of(type, nearest)));
}

// --- programs by hand ---

struct Sums {
  Sums(Target target, DType type_) : type(type_), builder(target, "sums") {}
  TileId load(const char* name, std::vector<double> values) {
    values.resize(256);
    const TileId tile = this->tile(name);
    builder.add("tload", {View{builder.buffer(std::string(name) + "_in", type, values), 16, 16}}, {tile});
    return tile;
  }
  TileId tile(const char* name) { return builder.tile(name, vec_tile(type, 16, 16)); }
  TileId add(const char* name, TileId a, TileId b) {
    const TileId to = tile(name);
    builder.add("tadd", {a, b}, {to});
    return to;
  }
  SharedRecording run() { return Recording::run(build(builder), {.budget_bytes = kPlentyOfBytes}); }

  DType type;
  ProgramBuilder builder;
};

std::vector<DType> float_types(Target target) {
  if (target == Target::A5) return {DType::F16, DType::BF16, DType::F32};
  return {DType::F16, DType::F32};
}
int fraction_bits(DType type) { return type == DType::F16 ? 10 : type == DType::BF16 ? 7 : 23; }

template <class F>
void for_all_types(F f) {
  for (const Target target : kBothTargets) {
    for (const DType type : float_types(target)) {
      CAPTURE(std::string(name(target)));
      CAPTURE(std::string(name(type)));
      f(target, type);
    }
  }
}

}  // namespace

TEST_CASE("check precision: what a sum lost shows where the large part is taken away") {
  for_all_types([](Target target, DType type) {
    const long double half = std::ldexp(1.0L, -fraction_bits(type) - 1);  // half a unit in the last place of 1
    const std::vector<double> small = {static_cast<double>(half / 2), static_cast<double>(half),
                                       static_cast<double>(half * 3 / 2), 0, 1};
    Sums sums(target, type);
    const TileId one = sums.load("one", {1, 1, 1, 1, 1}), tiny = sums.load("tiny", small),
                 less = sums.load("less", {-1, -1, -1, -1, -1});  // steps 0 to 2
    const TileId sum = sums.add("sum", one, tiny);                // 3
    sums.add("rest", sum, less);                                  // 4
    const SharedRecording recording = sums.run();
    const TileRef rest = recording->bound(4).tile("dst");
    // By hand: the sum is 1 in columns 0 and 1, one unit more in column 2.
    std::uint64_t worst = 0, worst_col = 0;
    int far = 0;
    for (std::uint32_t col = 0; col < 5; ++col) {
      const long double exact = (1.0L + static_cast<long double>(small[col])) - 1.0L;
      const std::uint64_t bits = recording->final_memory().element(Space::Ub, rest.at(0, col), size_bytes(type));
      const auto ulps = ulps_between(type, bits, static_cast<double>(exact));
      REQUIRE(ulps.has_value());
      if (*ulps > 16) ++far;
      if (*ulps > worst) worst = *ulps, worst_col = col;
    }
    CHECK(far == 3);
    const std::vector<Finding> found = findings_of(*recording, 16);
    REQUIRE(found.size() == 1);
    CAPTURE(found[0].diagnostic.text);
    CHECK(found[0].step == 4);
    CHECK(found[0].diagnostic.pos.line == 5);
    CHECK(found[0].diagnostic.rule == "CHK-PRECISION");
    CHECK(found[0].diagnostic.severity == Severity::Note);
    REQUIRE(found[0].element.has_value());
    CHECK(found[0].element->operand == 2);
    CHECK(found[0].element->row == 0);
    CHECK(found[0].element->col == worst_col);
    CHECK(found[0].element->place ==
          ByteRange{Space::Ub, rest.at(0, static_cast<std::uint32_t>(worst_col)), size_bytes(type)});
    CHECK(worst_col == 1);
    CHECK(says(found[0], fmt::format("%rest[0,1] = 0, and {} in double precision, {} ulp of {} away",
                                     static_cast<double>(half), text::grouped(worst), name(type))));
    CHECK(says(found[0],
               fmt::format("%sum[0,1] = 1 (rounded from {}), %less[0,1] = -1 (exact)", 1 + static_cast<double>(half))));
    CHECK(says(found[0], "2 more like it"));
    CHECK((found[0].diagnostic.hint.find("f32") != std::string::npos) == (type != DType::F32));
    // The bound is what people choose, and so is whether they hear of it.
    CHECK(findings_of(*recording, worst).empty());
    CHECK(findings_of(*recording, worst - 1).size() == 1);
    CheckOptions off = precision_only(16);
    off.set(FindingKind::Precision, Level::Off);
    CHECK(check(*recording, off).findings.empty());
  });
}

TEST_CASE("check precision: another order or a wider type is silent") {
  for_all_types([](Target target, DType type) {
    const double half = std::ldexp(1.0, -fraction_bits(type) - 1);
    Sums ordered(target, type);
    const TileId one = ordered.load("one", {1}), tiny = ordered.load("tiny", {half}), less = ordered.load("less", {-1});
    ordered.add("sum", ordered.add("none", one, less), tiny);
    CHECK(findings_of(*ordered.run(), 0).empty());
    if (type == DType::F32) return;
    Sums wide(target, DType::F32);
    const TileId one32 = wide.load("one", {1}), tiny32 = wide.load("tiny", {half}), less32 = wide.load("less", {-1});
    wide.add("rest", wide.add("sum", one32, tiny32), less32);
    CHECK(findings_of(*wide.run(), 0).empty());
  });
}

TEST_CASE("check precision: an error that jumped is not told again; one that was carried shows where it jumps") {
  for_all_types([](Target target, DType type) {
    const double half = std::ldexp(1.0, -fraction_bits(type) - 1);
    for (const bool early : {false, true}) {
      CAPTURE(early);
      Sums sums(target, type);
      ProgramBuilder& builder = sums.builder;
      const TileId one = sums.load("one", std::vector<double>(256, 1)),
                   tiny = sums.load("tiny", std::vector<double>(256, half)),
                   less = sums.load("less", std::vector<double>(256, -1)),
                   zero = sums.load("zero", {});         // steps 0 to 3
      TileId now = sums.add("sum", one, tiny);           // 4
      now = sums.add("same", now, early ? less : zero);  // 5: jumps here, early
      const TileId turned = sums.tile("turned"), mask = builder.tile("mask", vec_tile(DType::U8, 16, 32)),
                   chosen = sums.tile("chosen");
      builder.add("ttrans", {now}, {turned});
      builder.add(
          "tload",
          {View{builder.buffer("bits", DType::U8, 16 * 32, std::vector<std::byte>(16 * 32, std::byte{0x5A})), 16, 32}},
          {mask});
      builder.add("tsel", {mask, turned, zero}, {chosen});
      now = chosen;
      if (target == Target::A5) {
        const TileId low = sums.tile("low"), high = sums.tile("high");
        builder.add("tinterleave", {now, zero}, {low, high});
        now = low;
      }
      const BufferId out = builder.buffer("out", type, 256);
      const TileId back = sums.tile("back");
      builder.add("tstore", {now}, {View{out, 16, 16}});
      builder.add("tload", {View{out, 16, 16}}, {back});
      sums.add("last", back, early ? zero : less);
      const SharedRecording recording = sums.run();
      REQUIRE(recording->stop_reason() == StopReason::End);
      const std::vector<Finding> found = findings_of(*recording, 16);
      REQUIRE(found.size() == 1);
      CAPTURE(found[0].diagnostic.text);
      CHECK(found[0].step == (early ? 5 : recording->count() - 1));
      CHECK(says(found[0], fmt::format("= 0, and {} in double precision", half)));
    }
  });
}

TEST_CASE("check precision: edited and stored-again elements are exact, and so is what no float made") {
  for_all_types([](Target target, DType type) {
    const double half = std::ldexp(1.0, -fraction_bits(type) - 1);
    const std::uint32_t size = size_bytes(type);
    Sums sums(target, type);
    const TileId one = sums.load("one", {1, 1, 1}), tiny = sums.load("tiny", {half, half, half}),
                 less = sums.load("less", {-1, -1, -1});
    const TileId sum = sums.add("sum", one, tiny);  // 3
    sums.add("rest", sum, less);                    // 4
    const Program program = build(sums.builder);
    const SharedRecording plain = Recording::run(program, {.budget_bytes = kPlentyOfBytes});
    const std::uint32_t at = plain->bound(3).tile("dst").address;
    const std::uint64_t value = oracle::nearest_float(type, 1);
    std::vector<std::byte> bytes(size);
    std::memcpy(bytes.data(), &value, size);
    // The same bits, put there by hand; and one byte of an element.
    const Edit first{4, Space::Ub, at, bytes}, second{4, Space::Ub, at + 2 * size - 1, {bytes.back()}};
    const SharedRecording edited = Recording::run(program, {.budget_bytes = kPlentyOfBytes, .edits = {first, second}});
    const std::vector<Finding> found = findings_of(*edited, 16);
    REQUIRE(found.size() == 1);
    CHECK(found[0].element->col == 2);
    CHECK(!says(found[0], "more like it"));
  });
  Sums whole(Target::A5, DType::I32);
  const TileId a = whole.load("a", {2147483647}), b = whole.load("b", {1});
  whole.add("sum", a, b);
  CHECK(findings_of(*whole.run(), 0).empty());
}

TEST_CASE("check precision: infinities and NaN are for others to tell") {
  for_all_types([](Target target, DType type) {
    const double largest = oracle::float_value(type, oracle::nearest_float(type, HUGE_VAL) - 1);
    Sums sums(target, type);
    const TileId a = sums.load("a", {largest, HUGE_VAL, NAN}), b = sums.load("b", {largest, -HUGE_VAL, 1}),
                 less = sums.load("less", {-largest, 1, 1});
    sums.add("last", sums.add("sum", a, b), less);
    CHECK(findings_of(*sums.run(), 0).empty());
  });
}

// --- random programs ---

namespace {

// What every element of a float type would be in double precision, by the oracles' account of where values come from.
class Exact {
 public:
  Exact(const Recording& recording, std::uint64_t most_ulp)
      : recording_(recording), most_ulp_(most_ulp), before_(recording), after_(recording) {}

  // The text that the finding of the next step must hold, with its element; nothing: none.
  struct Expected {
    std::uint32_t step;
    ByteRange place;
    std::string text;
  };
  std::optional<Expected> step() {
    const std::uint32_t step = before_.position();
    after_.step();
    std::vector<std::pair<Flat, Known>> made;
    std::optional<Expected> expected;
    std::uint64_t worst = 0, count = 0;
    for (const oracle::Element& element : after_.effects().written) {
      Known known{.size = element.place.size};
      bool near = true;
      if (const auto type = type_of(step, element)) {
        known.exact = exact_of(element, *type, near);
        const auto ulps = ulps_between(*type, element.bits, known.exact);
        known.far = !ulps || *ulps > most_ulp_;
        if (known.exact == oracle::float_value(*type, element.bits)) known.far = false;
        if (ulps && *ulps > most_ulp_ && near && is_valid(step, element)) {
          ++count;
          const bool earlier = expected && *ulps == worst && flat(element.place) < flat(expected->place);
          if (*ulps > worst || earlier) {
            worst = *ulps;
            expected = Expected{step, element.place,
                                fmt::format(" and {} in double precision, {} ulp of {} away", known.exact,
                                            text::grouped(*ulps), name(*type))};
          }
        }
      }
      made.push_back({flat(element.place), known});
    }
    for (const ByteRange& place : after_.effects().unspecified) forget(flat(place), place.size);
    for (const auto& [at, known] : made) {
      forget(at, known.size);
      if (!std::isnan(known.exact)) known_[at] = known;
    }
    if (count > 1) expected->text += fmt::format("|; {} more like it", text::grouped(count - 1));
    before_.step();
    return expected;
  }
  int carried() const { return carried_; }

 private:
  struct Known {
    double exact = NAN;
    std::uint32_t size = 0;
    bool far = false;
  };
  Flat flat(const ByteRange& place) const { return recording_.map().flat(place); }
  void forget(Flat begin, std::uint32_t size) {
    for (Flat at = begin - 3; at < begin + size; ++at) {
      const auto found = known_.find(at);
      if (found != known_.end() && at + found->second.size > begin) known_.erase(found);
    }
  }
  const Operand* result(std::uint32_t step, const oracle::Element& element) const {
    return recording_.bound(step).find(element.operand);
  }
  std::optional<DType> type_of(std::uint32_t step, const oracle::Element& element) const {
    const Operand* operand = result(step, element);
    if (operand == nullptr || operand->spec == nullptr || operand->spec->role != Role::Out) return {};
    const DType type = operand->spec->kind == OperandKind::Global ? operand->global.dtype : operand->tile.type.dtype;
    return is_float(type) ? std::optional(type) : std::nullopt;
  }
  bool is_valid(std::uint32_t step, const oracle::Element& element) const {
    const Operand& operand = *result(step, element);
    return operand.spec->kind != OperandKind::Tile ||
           (element.row < operand.tile.valid_rows && element.col < operand.tile.valid_cols);
  }
  // The sum of what its elements would be, or what the one element would be; else the element's own value.
  double exact_of(const oracle::Element& element, DType type, bool& near) {
    double sum = 0;
    int elements = 0;
    for (const oracle::Origin& origin : element.from) {
      if (origin.kind != oracle::Origin::Kind::Element) continue;
      ++elements;
      const auto known = known_.find(flat(origin.place));
      const std::uint64_t bits = before_.bits(origin.place);
      if (known == known_.end() || known->second.size != origin.place.size) {
        sum += oracle::is_nan(type, bits) ? NAN : oracle::float_value(type, bits);
        continue;
      }
      sum += known->second.exact;
      if (known->second.far) near = false;
      if (known->second.exact != oracle::float_value(type, bits)) ++carried_;
    }
    if (oracle::is_nan(type, element.bits)) return NAN;
    return elements == 0 ? oracle::float_value(type, element.bits) : sum;
  }

  const Recording& recording_;
  std::uint64_t most_ulp_;
  Dependence before_, after_;
  std::map<Flat, Known> known_;  // by first byte
  int carried_ = 0;
};

int check_against_oracle(const Recording& recording, std::uint64_t most_ulp, int& carried) {
  const std::vector<Finding> found = findings_of(recording, most_ulp);
  Exact exact(recording, most_ulp);
  std::size_t next = 0;
  for (std::uint32_t step = 0; step < recording.count(); ++step) {
    CAPTURE(step);
    CAPTURE(recording.program().text(recording.step(step).instruction));
    const auto expected = exact.step();
    if (!expected) {
      if (next < found.size()) {
        CAPTURE(found[next].diagnostic.text);
        CHECK(found[next].step > step);
        if (found[next].step <= step) ++next;
      }
      continue;
    }
    CAPTURE(expected->text);
    REQUIRE(next < found.size());
    const Finding& finding = found[next++];
    CAPTURE(finding.diagnostic.text);
    CHECK(finding.step == step);
    CHECK(finding.element->place == expected->place);
    const std::size_t bar = expected->text.find('|');
    CHECK(says(finding, expected->text.substr(0, bar)));
    CHECK((bar == std::string::npos ? !says(finding, "more like it") : says(finding, expected->text.substr(bar + 1))));
  }
  CHECK(next == found.size());
  carried += exact.carried();
  return static_cast<int>(found.size());
}

// Sums with all sorts of moves between, in one type.
Program chain(Random& random, Target target, DType type) {
  const std::uint32_t size = size_bytes(type);
  ProgramBuilder builder(target, "chain");
  const auto number = [&] {
    const double sizes[] = {1, 1, -1, 1e-3, 300, 7};
    // One by one: which operand of a product comes first is the compiler's choice.
    const double size_of = sizes[random.below(6)], part_of = 1 + random.below(1000) / 1024.0;
    return random.one_in(2) ? size_of * part_of : -size_of * part_of;
  };
  std::vector<TileId> tiles;
  for (int i = 0; i < 5; ++i) tiles.push_back(builder.tile("t" + std::to_string(i), vec_tile(type, 16, 16)));
  const TileId part[2] = {builder.tile("p0", vec_tile(type, 16, 16, 9, 11)),
                          builder.tile("p1", vec_tile(type, 16, 16, 9, 11))};
  const TileId mask = builder.tile("mask", vec_tile(DType::U8, 16, 32)),
               offsets = builder.tile("offsets", vec_tile(DType::U32, 16, 16)),
               blocks =
                   builder.tile("blocks", vec_tile(DType::U32, 16, 8, 16, static_cast<std::int32_t>(16 * size / BLK)));
  std::vector<BufferId> numbers;
  for (int i = 0; i < 3; ++i) {
    std::vector<double> values(400);
    for (double& value : values) value = number();
    numbers.push_back(builder.buffer("g" + std::to_string(i), type, values));
  }
  const auto words = [&](std::uint32_t count, auto word) {
    std::vector<std::byte> bytes(count * 4);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t bits = word();
      std::memcpy(bytes.data() + 4 * i, &bits, 4);
    }
    return bytes;
  };
  builder.add("tload",
              {View{builder.buffer("bits", DType::U8, 16 * 32,
                                   words(128, [&] { return static_cast<std::uint32_t>(random.next()); })),
                    16, 32}},
              {mask});
  builder.add(
      "tload",
      {View{builder.buffer("off", DType::U32, 256, words(256, [&] { return random.below(256) * size; })), 16, 16}},
      {offsets});
  const std::uint32_t row_blocks = 16 * size / BLK;
  builder.add("tload",
              {View{builder.buffer("blk", DType::U32, 16 * row_blocks,
                                   words(16 * row_blocks, [&] { return random.below(256 * size / BLK) * BLK; })),
                    16, row_blocks}},
              {blocks});
  const auto any = [&] { return tiles[random.below(5)]; };
  const auto view = [&] {
    return View{.buffer = numbers[random.below(3)], .rows = 16, .cols = 16, .offset = random.below(9) * 16};
  };
  for (const TileId tile : tiles) builder.add("tload", {view()}, {tile});
  for (const TileId tile : part) builder.add("tload", {View{numbers[0], 9, 11}}, {tile});
  for (int i = 0; i < 40; ++i) {
    // Four different ones, in any order.
    for (std::uint32_t k = 4; k > 0; --k) std::swap(tiles[k], tiles[random.below(k + 1)]);
    const TileId a = tiles[0], b = tiles[1], c = tiles[2], d = tiles[3];
    switch (random.below(target == Target::A5 ? 14 : 12)) {
      case 0: builder.add("tload", {view()}, {a}); break;
      case 1: builder.add("tstore", {a}, {view()}); break;
      case 2: builder.add("tstore", {a}, {view()}, {{"atomicType", "atomic_add"}}); break;
      case 3: builder.add("tsel", {mask, a, b}, {c}); break;
      case 4: builder.add("ttrans", {a}, {b}); break;
      case 5: builder.add("tgatherb", {a, offsets}, {b}, {{"granularity", "element"}}); break;
      case 6: builder.add("tgatherb", {a, blocks}, {b}, {{"granularity", "block"}}); break;
      case 7: builder.add("tadd", {part[0], part[1]}, {part[random.below(2)]}); break;
      case 8:
        if (type != DType::BF16)
          builder.add("tsels", {mask, a, Scalar{type, oracle::nearest_float(type, number())}}, {b});
        break;
      case 12: builder.add("tinterleave", {a, b}, {c, d}); break;
      case 13: builder.add("tdeinterleave", {a, b}, {c, d}); break;
      default: builder.add("tadd", {any(), any()}, {any()}); break;
    }
  }
  return build(builder);
}

}  // namespace

TEST_CASE("check precision: random chains of sums and moves tell what plain doubles tell") {
  int found = 0, carried = 0;
  for_all_types([&](Target target, DType type) {
    for (std::uint64_t seed = 0; seed < (kSanitized ? 2 : 10); ++seed) {
      CAPTURE(seed);
      Random random(7000 + seed);
      const SharedRecording recording = Recording::run(chain(random, target, type), {.budget_bytes = kPlentyOfBytes});
      REQUIRE(recording->stop_reason() == StopReason::End);
      found += check_against_oracle(*recording, random.pick<std::uint64_t>({0, 1, 2, 16}), carried);
    }
  });
  CHECK(found > (kSanitized ? 30 : 120));
  CHECK(carried > 5000);
}

TEST_CASE("check precision: random programs of all instructions, thinned too") {
  int found = 0, carried = 0;
  for (const Target target : kBothTargets) {
    for (std::uint64_t seed = 300; seed < (kSanitized ? 302 : 308); ++seed) {
      CAPTURE(std::string(name(target)));
      CAPTURE(seed);
      Random random(seed);
      const SharedRecording recording =
          Recording::run(random_flow_program(random, target, 60), {.budget_bytes = kPlentyOfBytes});
      found += check_against_oracle(*recording, 0, carried);
    }
  }
  CHECK(found > (kSanitized ? 1 : 20));
  std::size_t told = 0;
  for (std::uint64_t seed = 330; seed < 334; ++seed) {
    Random random(seed);
    const SharedRecording whole =
        Recording::run(chain(random, Target::A5, DType::F16), {.budget_bytes = kPlentyOfBytes});
    const std::vector<Finding> expected = findings_of(*whole, 0), got = findings_of(*thinned(*whole), 0);
    REQUIRE(expected.size() == got.size());
    for (std::size_t i = 0; i < got.size(); ++i) CHECK(got[i].diagnostic.text == expected[i].diagnostic.text);
    told += got.size();
  }
  CHECK(told > 0);
}

// --- operations and their shadows ---

namespace {

// One register through an operation, to 0x400.
template <LaneOp op, DType kType>
void one_operation(AnyCore& core, const Bound&, DType) {
  const MicroOp micro{};
  const AnyPred lanes = core.predicate(first_lanes_of(4, 64));
  const AnyReg value = core.load<LoadKind::Norm>(kType, micro, Space::Ub, 0, VL, 1);
  core.store_lanes(kType, micro, 0x400, 1, core.lanewise<op>(kType, lanes, value), lanes);
}

}  // namespace

TEST_CASE("shadows: an operation on floats gives its own in double, and one on bits gives none") {
  Memory memory(Target::A5, 0);
  TagMemory tags(memory.map());
  ShadowMemory shadows(memory.map());
  const Flat ub = memory.map().origin(Space::Ub);
  for (std::uint32_t i = 0; i < 64; ++i) memory.set_element(Space::Ub, 4 * i, 4, from_double(DType::F32, i));
  shadows.keep(ub + 4, {1.25, DType::F32});
  shadows.keep(ub + 8, {2.5, DType::F16});  // of another element that once was there
  StepContext context(memory);
  context.tags = &tags;
  const Bound bound;
  const auto run = [&](AnyLowering lowering) {
    tags.begin_step();
    tag_any(context, bound, DType::F32, lowering);
  };
  const auto shadow = [&](std::uint32_t lane) { return tags.shadow({tags.tag(ub + 0x400 + 4 * lane), 1}); };
  tags.shadows = &shadows;
  run(one_operation<LaneOp::Neg, DType::F32>);
  CHECK(shadow(1).value == -1.25);
  CHECK(shadow(2).value == -2);
  CHECK(shadow(63).value == -63);
  CHECK(shadow(63).type == DType::F32);
  run(one_operation<LaneOp::Exp, DType::F32>);
  CHECK(shadow(1).value == std::exp(1.25));
  run(one_operation<LaneOp::Not, DType::U32>);
  CHECK(!shadow(1));
  tags.shadows = nullptr;
  run(one_operation<LaneOp::Neg, DType::F32>);
  CHECK(!tags.arena.shadow(tags.tag(ub + 0x404)));
}

TEST_CASE("shadows: kept by their first byte, and gone with any byte of their element") {
  const MemoryMap map(Target::A5, 1 << 26);
  ShadowMemory shadows(map);
  const Flat at = map.origin(Space::Ub) + kPageBytes;  // a page begins
  CHECK(shadows.empty());
  for (const std::uint32_t touched : {0u, 1u, 2u, 3u, 4u, 5u}) {
    CAPTURE(touched);
    shadows.keep(at, {1.5, DType::F32});
    shadows.keep(at + 4, {2.5, DType::F16});
    shadows.keep(at - 2, {3.5, DType::F32});  // over the border of two pages
    shadows.forget(at + touched, 1);
    CHECK(bool{shadows.at(at)} == (touched > 3));
    CHECK(bool{shadows.at(at + 4)} == (touched < 4));
    CHECK(bool{shadows.at(at - 2)} == (touched > 1));
  }
  CHECK(shadows.any(at - 2, 1));
  CHECK(!shadows.any(at - 1, 1));
  shadows.forget(at - 2, 100);
  CHECK(shadows.empty());
  CHECK(!shadows.any(at - 100, 200));
  // However much a program computes, only so many are kept: the newest.
  const Flat gm = map.origin(Space::Gm);
  for (Flat page = gm; page < gm + (1 << 26); page += kPageBytes) shadows.keep(page, {1, DType::F32});
  CHECK(!shadows.at(gm));
  CHECK(shadows.at(gm + (1 << 26) - kPageBytes));
  shadows.forget(gm, 1 << 26);
  CHECK(shadows.empty());
}

}  // namespace ts::test
