// What every byte is made of, by the oracles: for each byte of each state the bytes of the start and the scalars that
// it depends on. Knows nothing of tags, makers or slices.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "core/record/recording.h"
#include "tests/oracle/effects.h"

namespace ts::test {

// Something that no step made: a byte as it was before the first step that wrote it (or as an edit or a block left it),
// a scalar operand of a step, or that nobody promises a value.
struct Leaf {
  enum class Kind : std::uint8_t { Byte, Scalar, Unspecified } kind = Kind::Byte;
  Flat at = 0;  // of Byte
  std::uint32_t since =
      0;  // of Byte: the position of the edit, or behind the block's begin; of Scalar and Unspecified: the step
  std::uint64_t bits = 0;  // of Scalar
  auto operator<=>(const Leaf&) const = default;
};
using LeafSet = std::set<Leaf>;
using SharedLeaves = std::shared_ptr<const LeafSet>;

class Dependence {
 public:
  explicit Dependence(const Recording& recording);

  std::uint32_t position() const { return position_; }
  void step();
  // Of the state at the position.
  LeafSet leaves(Flat begin, std::uint32_t size) const;
  // What the last step did.
  const oracle::Effects& effects() const { return effects_; }
  // The leaf that a byte is; nothing when a step made it.
  std::optional<Leaf> leaf(Flat at) const;
  const std::byte* bytes() const { return bytes_.data(); }
  std::uint64_t bits(const ByteRange& place) const { return now().read(place); }
  bool made_by_last_step(Flat at) const { return written_.contains(at); }

 private:
  oracle::Before now() const;
  SharedLeaves of_element(const oracle::Element& element) const;
  void apply(const Bound& bound);
  void edit();

  const Recording& recording_;
  std::vector<std::byte> bytes_;
  std::map<Flat, SharedLeaves> made_;    // by steps
  std::map<Flat, std::uint32_t> since_;  // of leaves that are not as they were at the start
  oracle::Effects effects_;
  std::set<Flat> written_;  // by the last step, and not edited since
  std::uint32_t position_ = 0;
};

}  // namespace ts::test
