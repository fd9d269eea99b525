// The fixpipe: what becomes of sums on their way out of the accumulator. In this order: a factor, relu, what the result's
// type cuts off, rounding.
#pragma once

#include <optional>
#include <vector>

#include "core/catalogue/row.h"
#include "core/engine/any_core.h"
#include "core/isa/dtype.h"
#include "core/tile/operands.h"

namespace ts {

// The numbers of one factor, packed into 64 bits:
//   0..31   the scale, an f32
//   32..35  places to shift by, less one
//   37..45  an offset, without a sign (unverified)
//   46      whether results have a sign
namespace quant_parameter {
inline constexpr std::uint64_t kScale = 0xFFFFFFFF, kSigned = std::uint64_t{1} << 46;
// What the fixpipe reads of a scale that stands in its own memory.
inline constexpr std::uint32_t kScaleOfColumn = 0xFFFFE000;
}  // namespace quant_parameter

struct Fixpipe {
  DType to = DType::F32;
  bool relu = false;
  bool adding = false;                       // to what is in global memory
  std::optional<LaneScalar> slope = {};      // f32: of what is negative, where relu keeps a part of it
  std::optional<LaneScalar> limit = {};      // of the result's type: nothing becomes more
  std::optional<LaneScalar> parameter = {};  // of all sums
  std::optional<TileRef> of_columns = {};    // or one of each column, in the fixpipe's memory
  std::optional<Overflow> overflow = {};     // of results that are beyond the largest; none: as narrowed() has it
  bool has_factor() const { return parameter.has_value() || of_columns.has_value(); }
};

class FixpipeLanes {
 public:
  // `stations`: what becomes of the first sum, if somebody wants to know.
  FixpipeLanes(AnyCore& core, const MicroOp& op, const Fixpipe& how, DType sums,
               std::vector<Station>* stations = nullptr)
      : core_(core), op_(op), how_(how), sums_(sums), stations_(stations) {}

  // `count` sums, those of the columns from `col` on, as elements of the result's type, close together.
  AnyReg converted(const AnyReg& sums, std::uint32_t col, std::uint32_t count);

 private:
  void read_parameters(std::uint32_t col, std::uint32_t count);
  void read_plain_scales(const TileRef& tile, std::uint32_t col, std::uint32_t count);
  AnyReg scaled(const AnyReg& value);
  AnyReg to_byte(const AnyReg& scaled);
  AnyReg shifted(const AnyReg& value);
  AnyReg with_relu(DType type, const AnyReg& value);
  AnyReg narrowed(const AnyReg& value);
  AnyReg limited(const AnyReg& value, std::uint32_t count);
  AnyReg field(const AnyReg& words, std::uint32_t first_bit, std::uint32_t bits);
  AnyReg constant(DType type, std::uint64_t bits);
  const AnyReg& station(const char* name, DType type, const AnyReg& value);

  AnyCore& core_;
  const MicroOp& op_;
  const Fixpipe& how_;
  DType sums_;
  std::vector<Station>* stations_;
  AnyPred on_;
  AnyReg low_, high_;  // the words of the parameters, by lane
};

// Of the sum that stands there, on its way to column `col` of what moves.
std::vector<Station> fixpipe_stations(const Fixpipe& how, const Memory& before, const TileRef& sums, std::uint32_t row,
                                      std::uint32_t col, std::uint32_t first_col);

}  // namespace ts
