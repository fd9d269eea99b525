// What the file of an instruction family includes, and how its lowerings become tables for the three machines.
//
// Most lowerings are compiled once, for a machine that is told the element type when it runs; the file is plain C++, and
// vector_family.h makes its table: machines_of<tsub_a5, tsub_a2a3>().
//
// Where speed counts, the run machine dissolves in the lowering, for each SIMD level and lane type; such a file goes
// through foreach_target:
//   TS_LOWERINGS(tsels, On<Target::A5, TselsA5, ByWidth>, ...);   inside HWY_NAMESPACE
//   TS_MACHINES(tsels);                                            under #if HWY_ONCE
// and one that is hot for some types only has both:
//   TS_HOT(tadd, On<Target::A5, TaddA5, TypeList<f16, float>>, ...);       inside HWY_NAMESPACE
//   TS_HOT_MACHINES(tadd, Any<Target::A5, TaddA5>, ...);                   under #if HWY_ONCE
//
// Each makes NAME_machines, {run, trace, tag} for the row.
#if defined(TS_INSTRUCTIONS_FAMILY_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TS_INSTRUCTIONS_FAMILY_INL_H
#undef TS_INSTRUCTIONS_FAMILY_INL_H
#else
#define TS_INSTRUCTIONS_FAMILY_INL_H
#endif

#include "core/a2a3/machine-inl.h"
#include "core/a5/machine-inl.h"
#include "core/catalogue/catalogue.h"
#include "core/catalogue/row.h"
#include "core/catalogue/rules.h"
#include "core/engine/any_core.h"
#include "core/engine/run-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

template <Target target, class Core, class T>
using MachineOf = std::conditional_t<target == Target::A5, A5Machine<Core, T>, A2A3Machine<Core, T>>;

// Whether a machine dissolves in its lowering at this level. With 16-byte vectors a register is sixteen of them: they take
// half of the time that all levels take to compile, for CPUs that nearly nobody has, so there the lowering that is
// compiled anyway for the other machines runs. Where there is one level only, it serves.
#if HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_SSSE3
inline constexpr bool kDissolves = false;
#else
inline constexpr bool kDissolves = true;
#endif

// The machine that dissolves in the lowering.
template <class Lowering, Target target, class T>
void enter(StepContext& context, const Bound& bound) {
  RunCore core(context);
  MachineOf<target, RunCore, T> machine(core, {}, *bound.options);
  Lowering::lower(machine, bound);
  core.finish();
}

// The machines that share one compiled lowering.
enum class MachineKind : std::uint8_t { Hot, Run, Trace, Tag };
template <class Lowering, Target target, class T>
void lower_any(AnyCore& core, const Bound& bound, DType lanes) {
  LaneOf<T> lane;
  if constexpr (std::is_same_v<T, AnyLane>) lane = {lanes};
  MachineOf<target, AnyCore, T> machine(core, lane, *bound.options);
  Lowering::lower(machine, bound);
}
template <class Lowering, MachineKind kind, Target target, class T>
void enter_any(StepContext& context, const Bound& bound) {
  constexpr auto kEnter = kind == MachineKind::Trace ? trace_any : kind == MachineKind::Tag ? tag_any : run_any;
  kEnter(context, bound, bound.dtype(), lower_any<Lowering, target, T>);
}
template <class Lowering, MachineKind kind, Target target, class T>
constexpr ts::Lowering entry_of() {
  if constexpr (kind == MachineKind::Hot) {
    return &enter<Lowering, target, T>;
  } else {
    return &enter_any<Lowering, kind, target, T>;
  }
}

// One target's lowering, compiled for a list of lane types (each serves its element type) or of widths (each serves
// every element type of its size).
template <Target target, class Lowering, class Types>
struct On;

template <Target target, class Lowering, class... T>
struct On<target, Lowering, TypeList<T...>> {
  template <MachineKind kind>
  static constexpr void fill(LoweringTable& table) {
    ((table.entry[static_cast<int>(target)][static_cast<int>(dtype_of<T>)] = entry_of<Lowering, kind, target, T>()),
     ...);
  }
};

template <Target target, class Lowering, class... T>
struct On<target, Lowering, WidthList<T...>> {
  template <MachineKind kind>
  static constexpr void fill(LoweringTable& table) {
    for (int type = 0; type < kDTypes; ++type)
      ((size_bytes(static_cast<DType>(type)) == sizeof(T)
            ? void(table.entry[static_cast<int>(target)][type] = entry_of<Lowering, kind, target, T>())
            : void()),
       ...);
  }
};

// One target's lowering, compiled once for every element type; rules say which of them are legal.
template <Target target, class Lowering>
struct Any {
  template <MachineKind kind>
  static constexpr void fill(LoweringTable& table) {
    for (int type = 0; type < kDTypes; ++type)
      table.entry[static_cast<int>(target)][type] = entry_of<Lowering, kind, target, AnyLane>();
  }
};

// Lowerings that hold more registers than a host of sixteen vectors has: there their plans run, which go from memory to
// memory a part at a time.
template <class Ons>
struct Roomy {
  template <MachineKind kind>
  static constexpr void fill(LoweringTable& table) {
    constexpr bool kHasRoom = HWY_TARGET <= HWY_AVX3;
    Ons::template fill<kind == MachineKind::Hot && !kHasRoom ? MachineKind::Run : kind>(table);
  }
};

template <MachineKind kind, class... Ons>
constexpr LoweringTable make_table() {
  LoweringTable table;
  (Ons::template fill<kind>(table), ...);
  return table;
}
template <class... Ons>
struct LoweringSet {
  template <MachineKind kind>
  static const LoweringTable& table() {
    static constexpr LoweringTable made = make_table<kind, Ons...>();
    return made;
  }
};

inline LoweringTable with_others(LoweringTable table, const LoweringTable& others) {
  table.others = &others;
  return table;
}
// What runs at this level, of lowerings that are hot for some types.
template <class Set, bool dissolves = kDissolves>
const LoweringTable& hot_table(const LoweringTable& others) {
  if constexpr (dissolves) {
    static const LoweringTable made = with_others(Set::template table<MachineKind::Hot>(), others);
    return made;
  } else {
    return others;
  }
}
inline constexpr MachineKind kRunKind = kDissolves ? MachineKind::Hot : MachineKind::Run;

// A scalar operand on its way into lanes.
inline LaneScalar lane_scalar(const Bound& bound, std::string_view name) {
  const Operand* operand = bound.find(name);
  const auto origin = static_cast<std::uint32_t>(operand - bound.operands.data()) + 1;
  return {operand->scalar.bits, operand->scalar.dtype, origin};
}

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#define TS_LOWERINGS(name, ...)                                                      \
  using name##_set = LoweringSet<__VA_ARGS__>;                                       \
  inline const LoweringTable& name##_run() { return name##_set::table<kRunKind>(); } \
  static_assert(true)

#define TS_MACHINES(name)                                                               \
  HWY_EXPORT(name##_run);                                                               \
  const Machines name##_machines {                                                      \
    .run = []() -> const LoweringTable& { return HWY_DYNAMIC_DISPATCH(name##_run)(); }, \
    .trace = &HWY_NAMESPACE::name##_set::table<HWY_NAMESPACE::MachineKind::Trace>,      \
    .tag = &HWY_NAMESPACE::name##_set::table<HWY_NAMESPACE::MachineKind::Tag>,          \
  }

#define TS_HOT(name, ...)                                               \
  inline const LoweringTable& name##_hot(const LoweringTable& others) { \
    return hot_table<LoweringSet<__VA_ARGS__>>(others);                 \
  }                                                                     \
  static_assert(true)

#define TS_HOT_MACHINES(name, ...)                                                                 \
  HWY_EXPORT(name##_hot);                                                                          \
  using name##_set = HWY_NAMESPACE::LoweringSet<__VA_ARGS__>;                                      \
  const LoweringTable& name##_run() {                                                              \
    return HWY_DYNAMIC_DISPATCH(name##_hot)(name##_set::table<HWY_NAMESPACE::MachineKind::Run>()); \
  }                                                                                                \
  const Machines name##_machines {                                                                 \
    .run = &name##_run, .trace = &name##_set::table<HWY_NAMESPACE::MachineKind::Trace>,            \
    .tag = &name##_set::table<HWY_NAMESPACE::MachineKind::Tag>,                                    \
  }

#endif  // per-target include guard
