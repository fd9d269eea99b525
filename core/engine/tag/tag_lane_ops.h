// The tag machine where values are computed: it makes nodes for them.
#pragma once

#include <cmath>
#include <limits>

#include "core/engine/tag/lane_shadows.h"
#include "core/engine/tag/tag_memory_ops.h"

namespace ts {

class TagLaneOps : public TagMemoryOps {
 public:
  void lanewise(AnyReg& out, LaneOp op, DType type, const AnyPred& pred,
                std::initializer_list<const AnyReg*> operands) override {
    const AnyReg* const* of = operands.begin();
    const AnyReg &a = *of[0], &b = *of[operands.size() > 1 ? 1 : 0], &c = *of[operands.size() > 2 ? 2 : 0];
    run_.lanewise(out, op, type, pred.p, a, b, c);
    if (std::ranges::none_of(operands, [](const AnyReg* reg) { return reg->tags.origin != Origin::None; }) &&
        !pred.tags.any())
      return;
    // Bits know no lanes: each byte is made of bytes.
    const bool bitwise = op == LaneOp::And || op == LaneOp::Or || op == LaneOp::Xor || op == LaneOp::Not;
    if (bitwise && !pred.tags.any()) {
      set_nodes(out, DType::U8,
                add_nodes(NodeKind::Combine, DType::U8, spans_of(DType::U8, a),
                          operands.size() > 1 ? spans_of(DType::U8, b) : no_spans()));
      return zero_inactive(out, type, pred);
    }
    Tag first =
        add_nodes(NodeKind::Combine, type, spans_of(type, a), operands.size() > 1 ? spans_of(type, b) : no_spans());
    if (operands.size() > 2) first = add_nodes(NodeKind::Combine, type, node_spans(type, first), spans_of(type, c));
    if (tags_.shadows != nullptr && has_shadow(op, type)) {
      double values[3][VL];
      for (std::size_t k = 0; k < operands.size(); ++k) shadows_of(type, *of[k], values[k]);
      Shadow* shadows = tags_.arena.add_shadows(first, lanes(type));
      for (std::uint32_t lane = 0; lane < lanes(type); ++lane)
        shadows[lane] = {lane_shadow(op, values[0][lane], values[1][lane], values[2][lane]), type};
    }
    set_nodes(out, type, first);
    finish(out, type, pred);
  }
  void compare(AnyPred& out, CompareOp op, DType type, const AnyPred& seed, const AnyReg& a, const AnyReg& b) override {
    run_.compare(out.p, op, type, seed.p, a, b);
    if (a.tags.origin == Origin::None && b.tags.origin == Origin::None && !seed.tags.any()) return;
    Tag first = add_nodes(NodeKind::Combine, type, spans_of(type, a), spans_of(type, b));
    if (seed.tags.any()) first = add_nodes(NodeKind::Combine, type, node_spans(type, first), spans_of(type, seed));
    auto list = std::make_shared<std::array<Tag, 256>>();
    for (std::uint32_t lane = 0, width = size_bytes(type); lane < lanes(type); ++lane)
      if (seed.tags.any() || lane_is_on(seed.p, lane * width)) (*list)[lane * width] = first + lane;
    set_list(out, std::move(list));
  }
  void reduce(AnyReg& out, ReduceOp op, ReduceScope scope, SumOrder order, DType type, const AnyPred& pred,
              const AnyReg& a) override {
    run_.reduce(out, op, scope, order, type, pred.p, a);
    if (a.tags.origin == Origin::None) return;
    // Lanes that are off have no part in it; data that says so has.
    LaneSpans spans = spans_of(type, a);
    LaneSpans bits;
    const bool decided = pred.tags.any();
    if (decided) {
      bits = spans_of(type, pred);
      spans = node_spans(type, add_nodes(NodeKind::Chosen, type, spans, bits));
    }
    double values[VL];
    const bool shadows = tags_.shadows != nullptr && is_float(type);
    if (shadows) shadows_of(type, a, values);
    constexpr double kIdentities[] = {0, -INFINITY, INFINITY, 1};
    const double identity = kIdentities[static_cast<int>(op)];
    for (std::uint32_t lane = 0, width = size_bytes(type); lane < lanes(type); ++lane) {
      if (lane_is_on(pred.p, lane * width)) continue;
      spans.first[lane] = decided ? bits.first[lane] : kNoTag;
      spans.count[lane] = 1;
      values[lane] = identity;
    }
    const std::uint32_t results = scope == ReduceScope::All ? 1 : scope == ReduceScope::Groups ? 8 : lanes(type) / 2;
    const Tag first = reduce_nodes(op, order, type, spans, shadows ? values : nullptr, results);
    const std::uint32_t width = size_bytes(type) * (sum_widens(op, scope, type) ? 2 : 1);
    TagPlanes& planes = clear_planes(out);
    for (std::uint32_t lane = 0; lane < results; ++lane) put_tag(planes, lane * width, width, first + lane);
    if (scope != ReduceScope::All || (op != ReduceOp::Max && op != ReduceOp::Min)) return;
    // Which lane it was: made of the same, but no number that has a shadow.
    LaneSpans value;
    value.first[0] = first, value.count[0] = 1;
    put_tag(planes, width, width, add_nodes(NodeKind::Combine, 1, value, no_spans()));
  }
  void convert(AnyReg& out, DType to, DType from, const Conversion& how, const AnyPred& pred,
               const AnyReg& a) override {
    run_.convert(out, to, from, how, pred.p, a);
    if (a.tags.origin == Origin::None) return;
    if (is_packed(to) || is_packed(from)) return convert_pairs(out, to, how, pred, a);
    const LaneSpans spans = spans_of(from, a);
    const std::uint32_t wide = std::max(size_bytes(to), size_bytes(from)),
                        ratio = wide / std::min(size_bytes(to), size_bytes(from)), count = VL / wide;
    const bool narrowing = size_bytes(to) < size_bytes(from);
    const auto source = [&](std::uint32_t i) { return narrowing || ratio == 1 ? i : i * ratio + how.part; };
    LaneSpans taken;
    for (std::uint32_t i = 0; i < count; ++i) {
      taken.first[i] = spans.first[source(i)];
      taken.count[i] = spans.count[source(i)];
    }
    Tag first = add_nodes(NodeKind::Combine, count, taken, no_spans());
    if (tags_.shadows != nullptr && is_float(from) && is_float(to)) {
      double values[VL];
      shadows_of(from, a, values);
      Shadow* shadows = tags_.arena.add_shadows(first, count);
      for (std::uint32_t i = 0; i < count; ++i) shadows[i] = {values[source(i)], to};
    }
    if (pred.tags.any()) {
      LaneSpans made, bits;
      for (std::uint32_t i = 0; i < count; ++i) {
        made.first[i] = first + i;
        bits.first[i] = pred.tags.tag(source(i) * size_bytes(from));
        made.count[i] = bits.count[i] = 1;
      }
      first = add_nodes(NodeKind::Chosen, count, made, bits);
    }
    TagPlanes& planes = clear_planes(out);
    for (std::uint32_t i = 0; i < count; ++i)
      if (lane_is_on(pred.p, source(i) * size_bytes(from)))
        put_tag(planes, (narrowing ? i * ratio + how.part : i) * size_bytes(to), size_bytes(to), first + i);
  }
  void add_with_carry(AnySum& out, bool subtract, const AnyReg& a, const AnyReg& b, const AnyPred& carry_in,
                      const AnyPred& pred) override {
    constexpr DType kWord = DType::U32;
    run_.add_with_carry(out.sum, out.carry.p, subtract, a, b, carry_in.p, pred.p);
    Tag first = add_nodes(NodeKind::Combine, kWord, spans_of(kWord, a), spans_of(kWord, b));
    if (carry_in.tags.any())
      first = add_nodes(NodeKind::Combine, kWord, node_spans(kWord, first), spans_of(kWord, carry_in));
    if (pred.tags.any()) first = add_nodes(NodeKind::Chosen, kWord, node_spans(kWord, first), spans_of(kWord, pred));
    auto carries = std::make_shared<std::array<Tag, 256>>();
    for (std::uint32_t lane = 0; lane < VL / 4; ++lane) (*carries)[lane * 4] = first + lane;
    set_list(out.carry, std::move(carries));
    set_nodes(out.sum, kWord, first);
    zero_inactive(out.sum, kWord, pred);
  }
  void broadcast(AnyReg& out, DType type, const LaneScalar& scalar, const AnyPred& pred) override {
    run_.broadcast(out, type, scalar.bits, pred.p);
    rule(out, scalar.origin, 0, 0);
    finish(out, type, pred);
  }
  // Every count is made of all bytes that might be counted, and of what decides which are.
  void histogram(AnyReg& out, std::uint32_t first, bool cumulative, const AnyReg& bytes, const AnyPred& pred) override {
    count_bytes(out, first, cumulative, bytes, pred.p);
    const LaneSpans values = spans_of(DType::U8, bytes), deciders = spans_of(DType::U8, pred);
    Tag all = kNoTag;
    for (std::uint32_t lane = 0; lane < VL; ++lane) {
      if (!lane_is_on(pred.p, lane) && deciders.first[lane] == kNoTag) continue;
      all = combined(all, combined(values.first[lane], deciders.first[lane]));
    }
    if (all != kNoTag) rule(out, all, 0, 0);
  }
  void rank(AnyReg& out, DType type, const AnyPred& pred) override {
    rank_lanes(out, size_bytes(type), pred.p);
    if (!pred.tags.any()) return;
    LaneSpans counted = no_spans();
    Tag so_far = kNoTag;
    for (std::uint32_t lane = 0; lane < lanes(type); ++lane) {
      counted.first[lane] = so_far;
      so_far = combined(so_far, pred.tags.tag(lane * size_bytes(type)));
    }
    set_nodes(out, type, add_nodes(NodeKind::Combine, type, counted, no_spans()));
  }

 protected:
  using TagMemoryOps::TagMemoryOps;
  ~TagLaneOps() = default;

  static bool sum_widens(ReduceOp op, ReduceScope scope, DType type) {
    return op == ReduceOp::Sum && scope == ReduceScope::All && !is_float(type) && size_bytes(type) < 4;
  }

 private:
  // Lanes reduced to `results` lanes, each by a tree of neighbours, or one lane after the other. The nodes of the results
  // stand in a row. `values`, if there: what the lanes would be in double; they are used up.
  Tag reduce_nodes(ReduceOp op, SumOrder order, DType type, LaneSpans& spans, double* values, std::uint32_t results) {
    const std::uint32_t group = lanes(type) / results;
    const auto fold = [&](double a, double b) {
      return op == ReduceOp::Sum    ? a + b
             : op == ReduceOp::Prod ? a * b
             : op == ReduceOp::Max  ? std::fmax(a, b)
                                    : std::fmin(a, b);
    };
    const auto add = [&](std::uint32_t count, const auto& left, const auto& right) {
      LaneSpans a, b;
      for (std::uint32_t i = 0; i < count; ++i) {
        a.first[i] = spans.first[left(i)], a.count[i] = spans.count[left(i)];
        b.first[i] = spans.first[right(i)], b.count[i] = spans.count[right(i)];
      }
      const Tag first = add_nodes(NodeKind::Combine, count, a, b);
      if (values != nullptr) {
        Shadow* shadows = tags_.arena.add_shadows(first, count);
        double made[VL];
        for (std::uint32_t i = 0; i < count; ++i) {
          made[i] = fold(values[left(i)], values[right(i)]);
          shadows[i] = {made[i], type};
        }
        for (std::uint32_t i = 0; i < count; ++i) values[left(i)] = made[i];
      }
      return first;
    };
    Tag first = kNoTag;
    if (op == ReduceOp::Sum && order != SumOrder::Tree) {
      for (std::uint32_t k = 1; k < group; ++k) {
        first = add(
            results, [&](std::uint32_t i) { return i * group; }, [&](std::uint32_t i) { return i * group + k; });
        for (std::uint32_t i = 0; i < results; ++i) spans.first[i * group] = first + i, spans.count[i * group] = 1;
      }
      return first;
    }
    for (std::uint32_t count = lanes(type); count > results; count /= 2) {
      first = add(
          count / 2, [](std::uint32_t i) { return 2 * i; }, [](std::uint32_t i) { return 2 * i + 1; });
      for (std::uint32_t i = 0; i < count / 2; ++i) {
        spans.first[i] = first + i;
        spans.count[i] = 1;
        if (values != nullptr) values[i] = values[2 * i];
      }
    }
    return first;
  }

  // Two lanes of 16 bits to or from the elements of one byte: each has an origin of its own. The results are exact, or
  // shorter than what shadows are kept of.
  void convert_pairs(AnyReg& out, DType to, const Conversion& how, const AnyPred& pred, const AnyReg& a) {
    constexpr std::uint32_t kLanes = VL / 2, kRatio = 4;
    const bool narrows = is_packed(to);
    const LaneSpans spans = spans_of(narrows ? DType::U16 : DType::U8, a);
    const auto source = [&](std::uint32_t lane) { return narrows ? lane : lane / 2 * kRatio + how.part; };
    const auto bit = [&](std::uint32_t lane) { return narrows ? 2 * lane : source(lane); };
    LaneSpans taken = no_spans(), bits = no_spans();
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      if (!lane_is_on(pred.p, bit(lane))) continue;
      const std::uint32_t from = source(lane);
      taken.first[lane] = narrows ? spans.first[from] : half_of(spans.first[from], lane % 2);
      taken.count[lane] = narrows ? spans.count[from] : std::uint8_t{1};
      bits.first[lane] = pred.tags.tag(bit(lane));
    }
    Tag first = add_nodes(NodeKind::Combine, kLanes, taken, no_spans());
    if (pred.tags.any()) {
      LaneSpans made = no_spans();
      for (std::uint32_t lane = 0; lane < kLanes; ++lane) made.first[lane] = first + lane;
      first = add_nodes(NodeKind::Chosen, kLanes, made, bits);
    }
    TagPlanes& planes = clear_planes(out);
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      if (!lane_is_on(pred.p, bit(lane))) continue;
      if (!narrows) put_tag(planes, 2 * lane, 2, first + lane);
      else if (lane % 2 == 0) put_tag(planes, lane / 2 * kRatio + how.part, 1, pair_of(first + lane, pred, lane));
    }
  }
  // A byte of two elements; of the upper one only where its lane is on.
  Tag pair_of(Tag low, const AnyPred& pred, std::uint32_t lane) {
    const bool both = lane_is_on(pred.p, 2 * (lane + 1));
    return tags_.arena.add(NodeKind::Halves, {low, 1}, {both ? low + 1 : kNoTag, 1});
  }

  // What the lanes would be in double precision. A lane without a shadow of its type is its own.
  void shadows_of(DType type, const AnyReg& reg, double* out) {
    const LaneSpans spans = spans_of(type, reg);
    for (std::uint32_t lane = 0, width = size_bytes(type); lane < lanes(type); ++lane) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, reg.bytes + lane * width, width);
      const Shadow shadow = tags_.shadow({spans.first[lane], spans.count[lane]});
      out[lane] = shadow && shadow.type == type ? shadow.value : to_double(type, bits);
    }
  }
};

}  // namespace ts
