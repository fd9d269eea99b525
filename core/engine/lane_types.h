// C++ types of lanes and the element types they stand for.
#pragma once

#include <cstdint>

#include "core/isa/dtype.h"
#include "core/isa/half.h"

namespace ts {

// Lowerings that only move bits are compiled once per width, arithmetic once per type.
template <class... T>
struct WidthList {};
template <class... T>
struct TypeList {};

using ByWidth = WidthList<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>;
using ByWidthTo32 = WidthList<std::uint8_t, std::uint16_t, std::uint32_t>;
using ByType = TypeList<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
                        std::int64_t, std::uint64_t, f16, bf16, float>;

template <class T>
inline constexpr DType dtype_of = DType::U8;
template <>
inline constexpr DType dtype_of<std::int8_t> = DType::I8;
template <>
inline constexpr DType dtype_of<std::int16_t> = DType::I16;
template <>
inline constexpr DType dtype_of<std::uint16_t> = DType::U16;
template <>
inline constexpr DType dtype_of<std::int32_t> = DType::I32;
template <>
inline constexpr DType dtype_of<std::uint32_t> = DType::U32;
template <>
inline constexpr DType dtype_of<std::int64_t> = DType::I64;
template <>
inline constexpr DType dtype_of<std::uint64_t> = DType::U64;
template <>
inline constexpr DType dtype_of<f16> = DType::F16;
template <>
inline constexpr DType dtype_of<bf16> = DType::BF16;
template <>
inline constexpr DType dtype_of<float> = DType::F32;

template <std::size_t Bytes>
struct UnsignedOf;
template <>
struct UnsignedOf<1> {
  using type = std::uint8_t;
};
template <>
struct UnsignedOf<2> {
  using type = std::uint16_t;
};
template <>
struct UnsignedOf<4> {
  using type = std::uint32_t;
};
template <>
struct UnsignedOf<8> {
  using type = std::uint64_t;
};
// The lanes' bits without their meaning.
template <class T>
using BitsOf = typename UnsignedOf<sizeof(T)>::type;

}  // namespace ts
