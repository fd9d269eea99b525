// Calls whose arguments are not those of one instruction.
#pragma once

#include "order.h"

namespace pto {

namespace detail {
template <class T>
struct IsGlobal : std::false_type {};
template <class E, class S, class T, Layout L>
struct IsGlobal<GlobalTensor<E, S, T, L>> : std::true_type {};
}  // namespace detail

namespace detail {
template <class T>
inline tilescope::Done place(const char* op, const T& target, std::uint64_t address, const tilescope::Where& where) {
  target.place(address);
  tilescope::Operands operands;
  operands.add(target);
  operands.add(address & 0xFFFFFFFFu);
  ts_post(ts_border::RecordKind::Call, tilescope::site_of(op, where), operands.list, operands.count);
  return {where};
}
}  // namespace detail

// A tile stands at an address; a global tensor begins at a pointer, and that is no step.
template <class T, class A>
inline tilescope::Done TASSIGN(const T& target, A address, tilescope::Where where = tilescope::Where::here()) {
  if constexpr (detail::IsGlobal<T>::value) {
    target.SetData(const_cast<typename T::RawDType*>(reinterpret_cast<const typename T::RawDType*>(address)));
  } else {
    ts_assigned();
    if constexpr (std::is_pointer<A>::value)
      return detail::place("TASSIGN", target, reinterpret_cast<std::uint64_t>(address), where);
    else return detail::place("TASSIGN", target, static_cast<std::uint64_t>(address), where);
  }
  return {where};
}
template <std::uint64_t Address, class T>
inline tilescope::Done TASSIGN(const T& tile, tilescope::Where where = tilescope::Where::here()) {
  static_assert(Address % 32 == 0, "TASSIGN: a tile stands at a multiple of 32 bytes");
  return TASSIGN(tile, Address, where);
}

// Another tile on the same bytes.
template <class D, class A>
inline tilescope::Done TRESHAPE(const D& target, const A& source, tilescope::Where where = tilescope::Where::here()) {
  source.settle();
  return detail::place("TRESHAPE", target, source.address(), where);
}

// A window of a tile, from an element on: another tile on the same bytes. The rows of both lie equally far apart.
template <class D, class A>
inline tilescope::Done TSUBVIEW(const D& target, const A& source, std::uint32_t row, std::uint32_t col,
                                tilescope::Where where = tilescope::Where::here()) {
  static_assert(std::is_same<typename D::DType, typename A::DType>::value && D::Loc == A::Loc,
                "TSUBVIEW: the window has the tile's elements and memory; TRESHAPE reads bytes as another type");
  static_assert(D::BFractal == A::BFractal && D::SFractal == A::SFractal && D::SFractalSize == A::SFractalSize,
                "TSUBVIEW: the window has the tile's layout");
  static_assert(
      D::isRowMajor ? D::Cols == A::Cols || D::Rows == D::InnerRows : D::Rows == A::Rows || D::Cols == D::InnerCols,
      "TSUBVIEW: the window has as many columns as the tile (rows, if column-major), and its valid size says "
      "how many of them count");
  source.settle();
  constexpr std::uint32_t kRows = D::InnerRows, kCols = D::InnerCols;
  const std::uint64_t box = D::isRowMajor ? std::uint64_t{row / kRows} * (A::Cols / kCols) + col / kCols
                                          : std::uint64_t{col / kCols} * (A::Rows / kRows) + row / kRows;
  target.place(source.address() + box * kRows * kCols * sizeof(typename D::DType));
  tilescope::Operands operands;
  operands.add(target);
  operands.add(target.address());
  operands.add(source);
  operands.add(row);
  operands.add(col);
  ts_post(ts_border::RecordKind::Call, tilescope::site_of("TSUBVIEW", where), operands.list, operands.count);
  return {where};
}

namespace detail {
// What a map knows of its windows goes with the call.
template <class C, class Add>
inline tilescope::Done of_map(const char* op, SetFmatrixMode mode, const C& map, const tilescope::Where& where,
                              Add add) {
  tilescope::Operands operands;
  operands.option(mode);
  operands.add(map);
  add(operands);
  ts_post(ts_border::RecordKind::Call, tilescope::site_of(op, where), operands.list, operands.count);
  return {where};
}
template <class D, class C>
inline tilescope::Done windows(SetFmatrixMode mode, const D& target, const C& map, std::uint32_t row, std::uint32_t col,
                               const tilescope::Where& where) {
  tilescope::Operands operands;
  operands.option(mode);
  operands.add(target);
  operands.add(map);
  operands.add(row);
  operands.add(col);
  map.windows([&](int number) { operands.add(number); });
  ts_post(ts_border::RecordKind::Call, tilescope::site_of("TIMG2COL", where), operands.list, operands.count);
  return {where};
}
}  // namespace detail

template <class D, class C, SetFmatrixMode Mode = SetFmatrixMode::FMATRIX_A_AUTO>
inline tilescope::Done TIMG2COL(const D& target, const C& map, std::uint32_t posM = 0, std::uint32_t posK = 0,
                                tilescope::Where where = tilescope::Where::here()) {
  return detail::windows(Mode, target, map, posM, posK, where);
}
template <class C, SetFmatrixMode Mode = SetFmatrixMode::FMATRIX_A_MANUAL>
inline tilescope::Done SETFMATRIX(const C& map, tilescope::Where where = tilescope::Where::here()) {
  return detail::of_map("SETFMATRIX", Mode, map, where,
                        [&](auto& operands) { map.sizes([&](int number) { operands.add(number); }); });
}
template <class C>
inline tilescope::Done SET_IMG2COL_RPT(const C& map, tilescope::Where where = tilescope::Where::here()) {
  return detail::of_map("SET_IMG2COL_RPT", SetFmatrixMode::FMATRIX_A_AUTO, map, where,
                        [&](auto& operands) { map.repeat([&](int number) { operands.add(number); }); });
}
template <class C>
inline tilescope::Done SET_IMG2COL_PADDING(const C& map, tilescope::Where where = tilescope::Where::here()) {
  return detail::of_map("SET_IMG2COL_PADDING", SetFmatrixMode::FMATRIX_A_AUTO, map, where,
                        [&](auto& operands) { operands.add(map.pad_value()); });
}

struct MrgSortExecutedNumList {
  std::uint16_t mrgSortList0 = 0, mrgSortList1 = 0, mrgSortList2 = 0, mrgSortList3 = 0;
};

}  // namespace pto
