// Sums to elements, lane by lane.
#include "core/cube/fixpipe.h"

#include <cstring>

#include "core/cube/micro_ops.h"

namespace ts {

AnyReg FixpipeLanes::constant(DType type, std::uint64_t bits) {
  return core_.scalar_lanes(type, LaneScalar{bits, type, 0}, on_);
}

AnyReg FixpipeLanes::field(const AnyReg& words, std::uint32_t first_bit, std::uint32_t bits) {
  const AnyReg shifted = core_.lanewise<LaneOp::Shr>(DType::U32, on_, words, constant(DType::U32, first_bit));
  return core_.lanewise<LaneOp::And>(DType::U32, on_, shifted, constant(DType::U32, (1u << bits) - 1));
}

void FixpipeLanes::read_parameters(std::uint32_t col, std::uint32_t count) {
  if (how_.parameter) {
    LaneScalar low = *how_.parameter, high = low;
    low.dtype = high.dtype = DType::U32;
    low.bits &= quant_parameter::kScale;
    high.bits >>= 32;
    low_ = core_.scalar_lanes(DType::U32, low, on_);
    high_ = core_.scalar_lanes(DType::U32, high, on_);
    return;
  }
  const TileRef& tile = *how_.of_columns;
  if (tile.type.dtype == DType::F16) return read_plain_scales(tile, col, count);
  const std::uint32_t bytes = count * tile.elem_bytes();
  const AnyReg both = core_.load<LoadKind::Some>(tile.type.dtype, op_, tile.space(), tile.at(0, col), bytes, 1, bytes);
  const AnyRegPair words = core_.move2<Move2::Deinterleave>(DType::U32, both, core_.zero());
  low_ = core_.lanewise<LaneOp::And>(DType::U32, on_, words.lo, constant(DType::U32, quant_parameter::kScaleOfColumn));
  high_ = words.hi;
}

// Scales alone: no offset, and a sign where the result's type has one.
void FixpipeLanes::read_plain_scales(const TileRef& tile, std::uint32_t col, std::uint32_t count) {
  const std::uint32_t bytes = count * tile.elem_bytes();
  const AnyReg narrow =
      core_.load<LoadKind::Some>(tile.type.dtype, op_, tile.space(), tile.at(0, col), bytes, 1, bytes);
  const AnyReg spread = core_.move<Move::WidenZero>(DType::U16, 0, narrow, narrow);
  low_ = core_.convert(DType::F32, tile.type.dtype, {}, on_, spread);
  high_ = constant(DType::U32, how_.to == DType::I8 ? quant_parameter::kSigned >> 32 : 0);
}

const AnyReg& FixpipeLanes::station(const char* name, DType type, const AnyReg& value) {
  if (stations_ == nullptr) return value;
  std::uint64_t bits = 0;
  std::memcpy(&bits, value.bytes, size_bytes(type));
  stations_->push_back({name, type, bits});
  return value;
}

AnyReg FixpipeLanes::with_relu(DType type, const AnyReg& value) {
  if (how_.slope)
    return station("relu, with a slope", type,
                   core_.lanewise<LaneOp::Prelu>(type, on_, value, core_.scalar_lanes(type, *how_.slope, on_)));
  return how_.relu ? station("relu", type, core_.lanewise<LaneOp::Relu>(type, on_, value)) : value;
}

AnyReg FixpipeLanes::scaled(const AnyReg& value) {
  const AnyReg number =
      sums_ == DType::F32 ? value : station("as f32", DType::F32, core_.convert(DType::F32, sums_, {}, on_, value));
  station("scale", DType::F32, low_);
  return station("times the scale", DType::F32, core_.lanewise<LaneOp::Mul>(DType::F32, on_, number, low_));
}

// Nine bits with a sign, to which the offset is added; of that what eight bits hold.
AnyReg FixpipeLanes::to_byte(const AnyReg& scaled) {
  constexpr DType kInt = DType::I32;
  const auto between = [&](const AnyReg& value, const AnyReg& lowest, const AnyReg& highest) {
    return core_.lanewise<LaneOp::Min>(kInt, on_, core_.lanewise<LaneOp::Max>(kInt, on_, value, lowest), highest);
  };
  AnyReg whole = core_.convert(kInt, DType::F32, {.overflow = Overflow::Clamp}, on_, scaled);
  whole = station("whole, in 9 bits", kInt,
                  between(whole, constant(kInt, static_cast<std::uint32_t>(-256)), constant(kInt, 255)));
  const AnyReg offset = station("offset", kInt, field(high_, 5, 9));
  whole = station("plus the offset", kInt, core_.lanewise<LaneOp::Add>(kInt, on_, whole, offset));
  whole = with_relu(kInt, whole);
  const AnyReg is_signed = field(high_, 14, 1);
  const AnyReg below = core_.lanewise<LaneOp::Shl>(kInt, on_, is_signed, constant(DType::U32, 7));
  const AnyReg lowest = core_.lanewise<LaneOp::Sub>(kInt, on_, constant(kInt, 0), below);
  const AnyReg highest = core_.lanewise<LaneOp::Add>(kInt, on_, lowest, constant(kInt, 255));
  const AnyReg clipped = between(whole, lowest, highest);
  return core_.move<Move::PackByte>(DType::U32, 0, clipped, clipped);
}

AnyReg FixpipeLanes::shifted(const AnyReg& value) {
  const AnyReg places = core_.lanewise<LaneOp::Add>(DType::U32, on_, field(high_, 0, 4), constant(DType::U32, 1));
  station("places", DType::U32, places);
  return with_relu(sums_, station("shifted", sums_, core_.lanewise<LaneOp::Shr>(sums_, on_, value, places)));
}

// To the nearest element; what is beyond the largest becomes that.
AnyReg FixpipeLanes::narrowed(const AnyReg& value) {
  if (how_.to == DType::F32 || how_.to == DType::I32) return value;
  const DType from = how_.to == DType::I16 ? DType::I32 : DType::F32;
  const Conversion how{
      .rounding = how_.to == DType::HIF8 ? Rounding::Away : Rounding::Even,
      .overflow = how_.overflow.value_or(how_.to == DType::F8E4M3 ? Overflow::ClampInf : Overflow::Clamp)};
  const AnyReg narrow = core_.convert(how_.to, from, how, on_, value);
  return size_bytes(how_.to) == 1 ? core_.move<Move::PackByte>(DType::U32, 0, narrow, narrow)
                                  : core_.move<Move::PackHalf>(DType::U32, 0, narrow, narrow);
}

// Elements of the result, close together.
AnyReg FixpipeLanes::limited(const AnyReg& value, std::uint32_t count) {
  if (!how_.limit) return value;
  const AnyPred on = core_.predicate(first_lanes_of(size_bytes(how_.to), count));
  return station("limited", how_.to,
                 core_.lanewise<LaneOp::Min>(how_.to, on, value, core_.scalar_lanes(how_.to, *how_.limit, on)));
}

AnyReg FixpipeLanes::converted(const AnyReg& sums, std::uint32_t col, std::uint32_t count) {
  on_ = core_.predicate(first_lanes_of(size_bytes(sums_), count));
  station("sum", sums_, sums);
  if (!how_.has_factor()) return limited(station("result", how_.to, narrowed(with_relu(sums_, sums))), count);
  read_parameters(col, count);
  if (how_.to == DType::I16) return station("result", how_.to, narrowed(shifted(sums)));
  const AnyReg product = scaled(sums);
  if (how_.to == DType::I8 || how_.to == DType::U8) return station("result", how_.to, to_byte(product));
  return limited(station("result", how_.to, narrowed(with_relu(DType::F32, product))), count);
}

std::vector<Station> fixpipe_stations(const Fixpipe& how, const Memory& before, const TileRef& sums, std::uint32_t row,
                                      std::uint32_t col, std::uint32_t first_col) {
  const MicroOp& op = cube::op("copy_matrix_cc_to_gm");
  StepContext context(const_cast<Memory&>(before));  // only read
  BlockCorePlace place;
  BlockCore& run = make_block_core(place, context);
  AnyCore core(context, run, nullptr);
  std::vector<Station> stations;
  FixpipeLanes fixpipe(core, op, how, sums.type.dtype, &stations);
  const std::uint32_t bytes = sums.elem_bytes();
  const AnyReg sum = core.load<LoadKind::Some>(sums.type.dtype, op, sums.space(), sums.at(row, col), bytes, 1, bytes);
  fixpipe.converted(sum, col - first_col, 1);
  return stations;
}

}  // namespace ts
