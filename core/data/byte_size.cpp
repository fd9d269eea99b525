// Sizes with their units.
#include "core/data/byte_size.h"

#include <charconv>

namespace ts::data {

std::optional<std::uint64_t> parse_byte_size(std::string_view text) {
  struct Unit {
    std::string_view name;
    int shift;
  };
  constexpr Unit kUnits[] = {{"", 0}, {"B", 0}, {"KiB", 10}, {"MiB", 20}, {"GiB", 30}};
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return {};
  std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  for (const Unit& unit : kUnits)
    if (rest == unit.name && number <= ~std::uint64_t{0} >> unit.shift) return number << unit.shift;
  return {};
}

}  // namespace ts::data
