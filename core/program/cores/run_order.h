// In which order the cores of a launch are asked whether they can go on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ts {

// A program whose cores wait for each other where they have to does the same in every order.
struct RunOrder {
  enum class Kind : std::uint8_t { Usual, Reverse, Random };
  Kind kind = Kind::Usual;
  std::uint64_t seed = 0;
  bool operator==(const RunOrder&) const = default;
};
std::string name(const RunOrder& order);  // "usual", "reverse", "seed:7"
std::optional<RunOrder> find_order(std::string_view name);

}  // namespace ts
