// How a call of an instruction becomes a record: the place in the source, and what it was given.
#pragma once

#include <utility>

#include "conv.h"
#include "types.h"

extern "C" {
// The number of a place in the source. `op` and `file` are literals.
std::uint32_t ts_site(const char* op, const char* file, const char* function, std::uint32_t line, std::uint32_t column);
void ts_post(ts_border::RecordKind kind, std::uint32_t site, const ts_border::Operand* operands, std::uint32_t count);
// The same, and what comes back.
std::uint64_t ts_ask(ts_border::RecordKind kind, std::uint32_t site, const ts_border::Operand* operands,
                     std::uint32_t count);
std::uint32_t ts_block_idx(void);
std::uint32_t ts_block_num(void);
std::uint32_t ts_core(void);  // ts_border::Core
std::uint32_t ts_sub_core(void);
std::uint32_t ts_sub_cores(void);
// The block comes to a meeting of all blocks.
void ts_meet(void);
// The kernel looks at memory again and again.
void ts_poll(void);
}

namespace tilescope {

// What a call gives back: an event takes it and raises its flag.
struct Done {
  Where where;
};

// Which kind of option an enumeration is; 0: it is only a number (tilescope/instructions.h).
template <class E>
struct OptionOf {
  static constexpr std::uint8_t value = 0;
};

class Operands {
 public:
  ts_border::Operand list[ts_border::kMostOperands];
  std::uint32_t count = 0;

  template <pto::TileType L, class E, int R, int C, pto::BLayout B, int VR, int VC, pto::SLayout S, int F,
            pto::PadValue P, pto::CompactMode M>
  void add(const pto::Tile<L, E, R, C, B, VR, VC, S, F, P, M>& tile) {
    ts_border::Operand& out = next(ts_border::OperandKind::Tile);
    out.type = TypeOf<E>::value;
    out.loc = static_cast<ts_border::Loc>(L == pto::TileType::ScaleRight ? pto::TileType::ScaleLeft : L);
    out.layout = L == pto::TileType::ScaleRight ? 1 : 0;
    out.blayout = static_cast<std::uint8_t>(B);
    out.slayout = static_cast<std::uint8_t>(S);
    out.pad = static_cast<std::uint8_t>(P);
    out.fractal = F;
    out.rows = R;
    out.cols = C;
    out.static_rows = VR;
    out.static_cols = VC;
    out.valid_rows = tile.GetValidRow();
    out.valid_cols = tile.GetValidCol();
    put_place(out, tile);
  }
  template <pto::TileType L, class E, int N, pto::Layout Y, class S>
  void add(const pto::ConvTile<L, E, N, Y, S>& tile) {
    ts_border::Operand& out = next(ts_border::OperandKind::Tile);
    out.type = TypeOf<E>::value;
    out.loc = static_cast<ts_border::Loc>(L);
    out.conv = static_cast<std::uint8_t>(Y);
    out.fractal = 512;
    std::int64_t elements = 1;
    for (int i = 0; i < S::rank; ++i) elements *= out.shape[i] = tile.GetShape(i);
    const std::int64_t last = tile.GetShape(S::rank - 1);
    out.cols = static_cast<std::uint32_t>(last);
    out.rows = static_cast<std::uint32_t>(last == 0 ? 0 : elements / last);
    out.static_rows = out.valid_rows = out.rows;
    out.static_cols = out.valid_cols = out.cols;
    put_place(out, tile);
  }
  template <class E, class S, class T, pto::Layout L>
  void add(const pto::GlobalTensor<E, S, T, L>& tensor) {
    ts_border::Operand& out = next(ts_border::OperandKind::View);
    out.type = TypeOf<std::remove_cv_t<E>>::value;
    out.layout = static_cast<std::uint8_t>(L);
    out.bits = reinterpret_cast<std::uint64_t>(tensor.data());
    for (int i = 0; i < 5; ++i) {
      out.shape[i] = tensor.GetShape(i);
      out.stride[i] = tensor.GetStride(i);
    }
  }
  void add(half value) { number(static_cast<float>(value)); }
  void add(bfloat16_t value) { number(static_cast<float>(value)); }
  template <class T, std::enable_if_t<std::is_floating_point<T>::value, int> = 0>
  void add(T value) {
    number(static_cast<double>(value));
  }
  template <class T, std::enable_if_t<std::is_integral<T>::value, int> = 0>
  void add(T value) {
    ts_border::Operand& out = next(ts_border::OperandKind::Integer);
    out.type = TypeOf<T>::value;
    out.bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  }
  template <class T, std::enable_if_t<std::is_enum<T>::value, int> = 0>
  void add(T value) {
    ts_border::Operand& out = next(ts_border::OperandKind::Option);
    out.option = OptionOf<T>::value;
    out.bits = static_cast<std::uint64_t>(value);
  }
  template <class T>
  void add(T* pointer) {
    next(ts_border::OperandKind::Address).bits = reinterpret_cast<std::uint64_t>(pointer);
  }
  template <class T, std::size_t N>
  void add(const T (&numbers)[N]) {
    for (const T& one : numbers) add(one);
  }
  // Of the template: an option, or a number that stands for one.
  template <class T>
  void option(T value) {
    ts_border::Operand& out = next(ts_border::OperandKind::Option);
    out.option = OptionOf<T>::value;
    out.bits = static_cast<std::uint64_t>(value);
  }

 private:
  template <class T>
  static void put_place(ts_border::Operand& out, const T& tile) {
    tile.settle();
    out.bits = tile.address();
    out.place = tile.placed();
    out.object = tile.object();
  }
  ts_border::Operand& next(ts_border::OperandKind kind) {
    ts_border::Operand& out = list[count < ts_border::kMostOperands ? count++ : count - 1];
    std::memset(&out, 0, sizeof out);
    out.kind = kind;
    out.type = ts_border::Type::None;
    return out;
  }
  void number(double value) {
    ts_border::Operand& out = next(ts_border::OperandKind::Number);
    std::memcpy(&out.bits, &value, sizeof value);
  }
};

inline std::uint32_t site_of(const char* op, const Where& where) {
  return ts_site(op, where.file, where.function, where.line, where.column);
}

struct IsEvent {};
template <class A>
void take(Operands& operands, const Where& where, const A& argument) {
  // An event that a call is given is waited for before it.
  if constexpr (std::is_base_of<IsEvent, A>::value) argument.wait(where);
  else operands.add(argument);
}

template <auto... Options>
struct Leading {};
template <auto... Options>
struct Trailing {};

template <auto... Before, auto... Behind, class... A>
inline Done call(const char* op, const Where& where, Leading<Before...>, Trailing<Behind...>, const A&... arguments) {
  Operands operands;
  (operands.option(Before), ...);
  (take(operands, where, arguments), ...);
  (operands.option(Behind), ...);
  ts_post(ts_border::RecordKind::Call, site_of(op, where), operands.list, operands.count);
  return {where};
}

}  // namespace tilescope

// An instruction with so many arguments; options of its template stand before the types of the arguments or behind them.
#define TS_CALL(NAME, ARGUMENTS, PARAMETERS, VALUES)                                                           \
  template <TS_UNWRAP ARGUMENTS>                                                                               \
  inline tilescope::Done NAME(TS_UNWRAP PARAMETERS, tilescope::Where where = tilescope::Where::here()) {       \
    return tilescope::call(#NAME, where, tilescope::Leading<>{}, tilescope::Trailing<>{}, TS_UNWRAP VALUES);   \
  }                                                                                                            \
  template <auto O0, TS_UNWRAP ARGUMENTS>                                                                      \
  inline tilescope::Done NAME(TS_UNWRAP PARAMETERS, tilescope::Where where = tilescope::Where::here()) {       \
    return tilescope::call(#NAME, where, tilescope::Leading<O0>{}, tilescope::Trailing<>{}, TS_UNWRAP VALUES); \
  }
#define TS_CALL_OPTIONS(NAME, ARGUMENTS, PARAMETERS, VALUES)                                                           \
  TS_CALL(NAME, ARGUMENTS, PARAMETERS, VALUES)                                                                         \
  template <TS_UNWRAP ARGUMENTS, auto O0>                                                                              \
  inline tilescope::Done NAME(TS_UNWRAP PARAMETERS, tilescope::Where where = tilescope::Where::here()) {               \
    return tilescope::call(#NAME, where, tilescope::Leading<>{}, tilescope::Trailing<O0>{}, TS_UNWRAP VALUES);         \
  }                                                                                                                    \
  template <TS_UNWRAP ARGUMENTS, auto O0, auto O1>                                                                     \
  inline tilescope::Done NAME(TS_UNWRAP PARAMETERS, tilescope::Where where = tilescope::Where::here()) {               \
    return tilescope::call(#NAME, where, tilescope::Leading<>{}, tilescope::Trailing<O0, O1>{}, TS_UNWRAP VALUES);     \
  }                                                                                                                    \
  template <TS_UNWRAP ARGUMENTS, auto O0, auto O1, auto O2>                                                            \
  inline tilescope::Done NAME(TS_UNWRAP PARAMETERS, tilescope::Where where = tilescope::Where::here()) {               \
    return tilescope::call(#NAME, where, tilescope::Leading<>{}, tilescope::Trailing<O0, O1, O2>{}, TS_UNWRAP VALUES); \
  }
#define TS_UNWRAP(...) __VA_ARGS__

namespace pto {

template <TileType L, class E, int R, int C, BLayout B, int VR, int VC, SLayout S, int F, PadValue P, CompactMode M>
E Tile<L, E, R, C, B, VR, VC, S, F, P, M>::GetValue(std::uint32_t index, tilescope::Where where) const {
  tilescope::Operands operands;
  operands.add(*this);
  operands.add(index);
  const std::uint64_t bits =
      ts_ask(ts_border::RecordKind::Get, tilescope::site_of("GetValue", where), operands.list, operands.count);
  E value;
  std::memcpy(static_cast<void*>(&value), &bits, sizeof value);
  return value;
}

template <TileType L, class E, int R, int C, BLayout B, int VR, int VC, SLayout S, int F, PadValue P, CompactMode M>
void Tile<L, E, R, C, B, VR, VC, S, F, P, M>::SetValue(std::uint32_t index, E value, tilescope::Where where) const {
  tilescope::Operands operands;
  operands.add(*this);
  operands.add(index);
  operands.add(value);
  ts_post(ts_border::RecordKind::Call, tilescope::site_of("SetValue", where), operands.list, operands.count);
}

}  // namespace pto
