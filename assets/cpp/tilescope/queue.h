// Queues between the cores of a block: a tile goes in on one side and comes out on the other.
#pragma once

#include "special.h"

namespace pto {

// Which way entries go, and how the two vector cores share one. Kernels may as well give numbers.
enum class Direction { DIR_C2V = 1, DIR_V2C = 2, DIR_BOTH = 3 };
enum class TileSplitAxis { TILE_NO_SPLIT, TILE_UP_DOWN, TILE_LEFT_RIGHT, TILE_UP_DOWN_ODD, TILE_LEFT_RIGHT_ODD };

template <int Flag, std::uint32_t SlotBytes, std::uint32_t Slots>
inline std::uint32_t queue_turns[4] = {};

// One end of a queue, or of two that go both ways: slots in global memory (a2a3), and where entries stand on the core that
// reads them.
template <int Flag, auto Way, std::uint32_t SlotBytes, std::uint32_t Slots, std::uint32_t LocalSlots = 2,
          bool NoSplit = false, bool UnitFlag = false>
class TPipe {
  static constexpr int kWay = static_cast<int>(Way);
  static_assert(kWay >= 1 && kWay <= 3, "TPipe: the direction is from cube to vector, from vector to cube, or both");
  static_assert(Flag >= 0 && Flag < 16, "TPipe: there are flags 0 to 15");
  static_assert(SlotBytes > 0 && Slots > 0 && LocalSlots > 0, "TPipe: it needs slots, and slots need bytes");

 public:
  static constexpr int kFlag = Flag;

  template <class P>
  TPipe(P* slots, std::uint32_t c2vBase, std::uint32_t v2cBase, tilescope::Where where = tilescope::Where::here())
      : slots_(reinterpret_cast<std::uint64_t>(slots)), base_{c2vBase, v2cBase} {
    begin(where);
  }
  TPipe(std::nullptr_t, std::uint32_t c2vBase, std::uint32_t v2cBase, tilescope::Where where = tilescope::Where::here())
      : slots_(0), base_{c2vBase, v2cBase} {
    begin(where);
  }

  // For the calls. The first entry that this core takes out has number 0.
  std::uint64_t place_of_entry(std::uint32_t number) const {
    return base_[takes_from_vector()] + std::uint64_t{number % kRing} * SlotBytes;
  }
  std::uint64_t slot_in_global_memory(std::uint32_t number, bool from_vector) const {
    const std::uint64_t ring = kWay == 3 && from_vector ? std::uint64_t{Slots} * SlotBytes : 0;
    return slots_ + ring + std::uint64_t{number % Slots} * SlotBytes;
  }
  // How often this core used the queue that way before: the number of the entry.
  static std::uint32_t next_turn(std::uint32_t act) { return queue_turns<Flag, SlotBytes, Slots>[act]++; }
  static bool is_cube() { return ts_core() == static_cast<std::uint32_t>(ts_border::Core::Cube); }
  static bool takes_from_vector() { return is_cube(); }

 private:
#if defined(PTO_NPU_ARCH_A5)
  static constexpr std::uint32_t kRing = Slots;
#else
  static constexpr std::uint32_t kRing = LocalSlots;
#endif

  void begin(const tilescope::Where& where) const {
    tilescope::Operands operands;
    for (const std::uint64_t number : {std::uint64_t{Flag}, std::uint64_t{kWay}, std::uint64_t{SlotBytes},
                                       std::uint64_t{Slots}, std::uint64_t{LocalSlots}, slots_, base_[0], base_[1]})
      operands.add(number);
    ts_post(ts_border::RecordKind::Call, tilescope::site_of("TPipe", where), operands.list, operands.count);
    // Where entries come out there is no tile that nobody placed.
    const bool from_vector = takes_from_vector();
    const auto memory = static_cast<std::uint32_t>(from_vector ? ts_border::Loc::Mat : ts_border::Loc::Vec);
    if ((kWay & (from_vector ? 2 : 1)) != 0) ts_hold(memory, base_[from_vector], std::uint64_t{kRing} * SlotBytes);
  }

  std::uint64_t slots_, base_[2];
};

namespace detail {
enum QueueAct : std::uint32_t { kPush, kPop, kFree, kAlloc };

template <class T>
struct IsPipe : std::false_type {};
template <int F, auto W, std::uint32_t B, std::uint32_t S, std::uint32_t L, bool N, bool U>
struct IsPipe<TPipe<F, W, B, S, L, N, U>> : std::true_type {};

constexpr TileSplitAxis kWhole = TileSplitAxis::TILE_NO_SPLIT;

template <auto Split, class P>
inline tilescope::Operands queue_operands() {
  tilescope::Operands operands;
  operands.add(static_cast<std::int64_t>(Split));
  operands.add(std::int64_t{P::kFlag});
  return operands;
}
inline tilescope::Done post_queue(const char* op, const tilescope::Where& where, const tilescope::Operands& operands) {
  ts_post(ts_border::RecordKind::Call, tilescope::site_of(op, where), operands.list, operands.count);
  return {where};
}
// The part of a slot that a core of a split entry fills or takes begins behind that of the first one.
template <auto Split, class G>
std::uint64_t own_part(const G& tensor) {
  if (static_cast<int>(Split) == 0 || ts_sub_core() == 0) return 0;
  const std::int64_t elements = tensor.GetShape(4) * (static_cast<int>(Split) == 1 ? tensor.GetShape(3) : 1);
  return static_cast<std::uint64_t>(elements) * sizeof(typename G::RawDType);
}
template <auto Split, class P, class G>
void show_slot(P& pipe, G& tensor, QueueAct act) {
  const bool fills = act == kAlloc;
  const bool from_vector = P::is_cube() != fills;
  const std::uint64_t slot = pipe.slot_in_global_memory(P::next_turn(act), from_vector);
  const std::uint64_t own = P::is_cube() ? 0 : own_part<Split>(tensor);
  tensor.SetData(reinterpret_cast<typename G::RawDType*>(slot + own));
}

// `argument`: which of the call's arguments the entry is.
template <auto Split, class P, class T>
tilescope::Done push(P&, T& entry, int argument, const tilescope::Where& where) {
  tilescope::Operands operands = queue_operands<Split, P>();
  operands.add(argument);
  operands.add(entry);
  return post_queue("TPUSH", where, operands);
}
template <auto Split, class P, class T>
tilescope::Done pop(P& pipe, T& entry, int argument, const tilescope::Where& where) {
  if constexpr (IsGlobal<T>::value) {
    show_slot<Split>(pipe, entry, kPop);
  } else {
    entry.place(pipe.place_of_entry(P::next_turn(kPop)));
  }
  tilescope::Operands operands = queue_operands<Split, P>();
  operands.add(argument);
  operands.add(entry);
  return post_queue("TPOP", where, operands);
}
}  // namespace detail

#define TS_QUEUE_CALL(NAME, FUNCTION)                                                                 \
  template <class P, class T, auto Split = detail::kWhole>                                            \
  inline tilescope::Done NAME(P& pipe, T& entry, tilescope::Where where = tilescope::Where::here()) { \
    if constexpr (detail::IsPipe<P>::value) return detail::FUNCTION<Split>(pipe, entry, 1, where);    \
    else return detail::FUNCTION<Split>(entry, pipe, 0, where); /* the older order: the tile first */ \
  }
TS_QUEUE_CALL(TPUSH, push)
TS_QUEUE_CALL(TPOP, pop)
#undef TS_QUEUE_CALL

template <class P, auto Split = detail::kWhole>
inline tilescope::Done TFREE(P&, tilescope::Where where = tilescope::Where::here()) {
  return detail::post_queue("TFREE", where, detail::queue_operands<Split, P>());
}
template <class P, class G, auto Split = detail::kWhole>
inline tilescope::Done TFREE(P&, G&, tilescope::Where where = tilescope::Where::here()) {
  return detail::post_queue("TFREE", where, detail::queue_operands<Split, P>());
}
// A slot to be filled by TSTORE, and then announced by TPUSH of the tensor.
template <class P, class G, auto Split = detail::kWhole>
inline tilescope::Done TALLOC(P& pipe, G& tensor, tilescope::Where where = tilescope::Where::here()) {
  detail::show_slot<Split>(pipe, tensor, detail::kAlloc);
  return detail::post_queue("TALLOC", where, detail::queue_operands<Split, P>());
}

}  // namespace pto
