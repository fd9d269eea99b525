// What the file of an instruction family includes, and how its lowerings become tables for the three machines.
//
//   TS_LOWERINGS(tadd, On<Target::A5, TaddA5, ByType>, ...);   inside HWY_NAMESPACE
//   TS_MACHINES(tadd);                                          under #if HWY_ONCE
// makes tadd_machines, {run, trace, tag} for the row.
#if defined(TS_INSTRUCTIONS_FAMILY_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TS_INSTRUCTIONS_FAMILY_INL_H
#undef TS_INSTRUCTIONS_FAMILY_INL_H
#else
#define TS_INSTRUCTIONS_FAMILY_INL_H
#endif

#include "core/a2a3/machine-inl.h"
#include "core/a5/machine-inl.h"
#include "core/engine/run-inl.h"
#include "core/engine/tag-inl.h"
#include "core/engine/trace-inl.h"
#include "core/isa/catalogue.h"
#include "core/isa/row.h"
#include "core/isa/rules.h"

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

template <Target target, class Core, class T>
using MachineOf = std::conditional_t<target == Target::A5, A5Machine<Core, T>, A2A3Machine<Core, T>>;

template <class Lowering, class Core, Target target, class T>
void enter(StepContext& context, const Bound& bound) {
  Core core(context);
  MachineOf<target, Core, T> machine(core);
  Lowering::lower(machine, bound);
  core.finish();
}

// One target's lowering, compiled for a list of lane types (each serves its element type) or of widths (each serves
// every element type of its size).
template <Target target, class Lowering, class Types>
struct On;

template <Target target, class Lowering, class... Lane>
struct On<target, Lowering, TypeList<Lane...>> {
  template <class Core>
  static constexpr void fill(LoweringTable& table) {
    ((table.entry[static_cast<int>(target)][static_cast<int>(dtype_of<Lane>)] = &enter<Lowering, Core, target, Lane>), ...);
  }
};

template <Target target, class Lowering, class... Lane>
struct On<target, Lowering, WidthList<Lane...>> {
  template <class Core>
  static constexpr void fill(LoweringTable& table) {
    for (int type = 0; type < kDTypes; ++type)
      ((size_bytes(static_cast<DType>(type)) == sizeof(Lane)
            ? void(table.entry[static_cast<int>(target)][type] = &enter<Lowering, Core, target, Lane>)
            : void()),
       ...);
  }
};

template <class Core, class... Ons>
constexpr LoweringTable make_table() {
  LoweringTable table;
  (Ons::template fill<Core>(table), ...);
  return table;
}

// A scalar operand on its way into lanes.
inline LaneScalar lane_scalar(const Bound& bound, std::string_view name) {
  const Operand* operand = bound.find(name);
  const auto origin = static_cast<std::uint32_t>(operand - bound.operands.data()) + 1;
  return {operand->scalar.bits, operand->scalar.dtype, origin};
}

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#define TS_LOWERINGS(name, ...)                                                            \
  struct name##_set {                                                                      \
    template <class Core>                                                                  \
    static const LoweringTable& table() {                                                  \
      static constexpr LoweringTable made = make_table<Core, __VA_ARGS__>();               \
      return made;                                                                         \
    }                                                                                      \
  };                                                                                       \
  inline const LoweringTable& name##_run() { return name##_set::table<RunCore>(); }        \
  static_assert(true)

#define TS_MACHINES(name)                                                                      \
  HWY_EXPORT(name##_run);                                                                      \
  const Machines name##_machines {                                                             \
    .run = []() -> const LoweringTable& { return HWY_DYNAMIC_DISPATCH(name##_run)(); },        \
    .trace = &HWY_NAMESPACE::name##_set::table<HWY_NAMESPACE::TraceCore>,                      \
    .tag = &HWY_NAMESPACE::name##_set::table<HWY_NAMESPACE::TagCore>,                          \
  }

#endif  // per-target include guard
