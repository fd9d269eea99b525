// The tag machine where values move or are chosen: with the same function that moves the values.
#pragma once

#include "core/engine/tag/tag_lane_ops.h"

namespace ts {

class TagMoves : public TagLaneOps {
 public:
  void select(AnyReg& out, DType type, const AnyPred& pred, const AnyReg& on, const AnyReg& off) override {
    run_.select(out, type, pred.p, on, off);
    if (pred.tags.any()) {
      // Each lane is what it is because of its bit.
      LaneSpans chosen = spans_of(type, off);
      const LaneSpans taken = spans_of(type, on);
      for (std::uint32_t lane = 0, width = size_bytes(type); lane < lanes(type); ++lane) {
        if (!lane_is_on(pred.p, lane * width)) continue;
        chosen.first[lane] = taken.first[lane];
        chosen.count[lane] = taken.count[lane];
      }
      return set_nodes(out, type, add_nodes(NodeKind::Chosen, type, chosen, spans_of(type, pred)));
    }
    TagPlanes place[2];
    const TagPlanes &x = planes_of(on, place[0]), &y = planes_of(off, place[1]);
    TagPlanes& planes = make_planes(out);
    for (int i = 0; i < 4; ++i) run_.select(planes.plane[i], type, pred.p, x.plane[i], y.plane[i]);
  }
  void move(AnyReg& out, Move kind, DType type, std::uint32_t param, const AnyReg& a, const AnyReg& b) override {
    run_.move(out, kind, type, param, a, b);
    if (a.tags.origin == Origin::None && b.tags.origin == Origin::None) return;
    TagPlanes place[2];
    const TagPlanes &x = planes_of(a, place[0]), &y = planes_of(b, place[1]);
    TagPlanes& planes = make_planes(out);
    for (int i = 0; i < 4; ++i) run_.move(planes.plane[i], kind, type, param, x.plane[i], y.plane[i]);
  }
  void move2(AnyRegPair& out, Move2 kind, DType type, const AnyReg& a, const AnyReg& b) override {
    run_.move2(out.lo, out.hi, kind, type, a, b);
    TagPlanes place[2];
    const TagPlanes &x = planes_of(a, place[0]), &y = planes_of(b, place[1]);
    TagPlanes &lo = make_planes(out.lo), &hi = make_planes(out.hi);
    for (int i = 0; i < 4; ++i) run_.move2(lo.plane[i], hi.plane[i], kind, type, x.plane[i], y.plane[i]);
  }
  void move_predicate(AnyPred& out, PredMove kind, const AnyPred& a) override {
    out.p = ts::move_predicate(kind, a.p);
    set_moved(out, bit_map_of(kind), a, a);
  }
  void move_predicates(AnyPredPair& out, PredMove2 kind, const AnyPred& a, const AnyPred& b) override {
    const VPredPair pair = ts::move_predicates(kind, a.p, b.p);
    const auto& maps = bit_maps_of(kind);
    out.lo.p = pair.lo;
    out.hi.p = pair.hi;
    set_moved(out.lo, maps[0], a, b);
    set_moved(out.hi, maps[1], a, b);
  }
  void combine_predicates(AnyPred& out, PredLogic kind, const AnyPred& a, const AnyPred& b,
                          const AnyPred& mask) override {
    out.p = ts::combine_predicates(kind, a.p, b.p, mask.p);
    if (!a.tags.any() && !b.tags.any() && !mask.tags.any()) return;
    auto list = std::make_shared<std::array<Tag, 256>>();
    for (std::size_t k = 0; k < 256; ++k) {
      Tag both = combined(a.tags.tag(k), kind == PredLogic::Not ? kNoTag : b.tags.tag(k));
      if (kind == PredLogic::Select) both = (mask.p.word[k / 64] >> (k % 64) & 1 ? a : b).tags.tag(k);
      (*list)[k] = combined(both, mask.tags.tag(k));
    }
    set_list(out, std::move(list));
  }
  void pick(AnyReg& out, DType type, const AnyReg& a, const AnyReg& indices) override {
    pick_lanes(out, size_bytes(type), a, indices);
    TagPlanes place;
    const TagPlanes& from = planes_of(a, place);
    TagPlanes& planes = make_planes(out);
    for (int i = 0; i < 4; ++i) pick_lanes(planes.plane[i], size_bytes(type), from.plane[i], indices);
    if (indices.tags.origin != Origin::None)
      set_nodes(out, type, add_nodes(NodeKind::Chosen, type, spans_of(type, out), spans_of(type, indices)));
  }
  // Where a lane goes, and that it does, is decided by its bit and all bits before it.
  void squeeze(AnyReg& out, DType type, const AnyReg& a, const AnyPred& pred) override {
    squeeze_lanes(out, size_bytes(type), a, pred.p);
    TagPlanes place;
    const TagPlanes& from = planes_of(a, place);
    TagPlanes& planes = make_planes(out);
    for (int i = 0; i < 4; ++i) squeeze_lanes(planes.plane[i], size_bytes(type), from.plane[i], pred.p);
    if (!pred.tags.any()) return;
    LaneSpans deciders = no_spans();
    Tag so_far = kNoTag;
    std::uint32_t to = 0;
    for (std::uint32_t at = 0; at < VL; at += size_bytes(type)) {
      so_far = combined(so_far, pred.tags.tag(at));
      if (lane_is_on(pred.p, at)) deciders.first[to++] = so_far;
    }
    for (; to < lanes(type); ++to) deciders.first[to] = so_far;
    set_nodes(out, type, add_nodes(NodeKind::Chosen, type, spans_of(type, out), deciders));
  }

 protected:
  using TagLaneOps::TagLaneOps;
  ~TagMoves() = default;
};

}  // namespace ts
