// What the host says it can give is there, and what cannot be had is made smaller.
#include "core/memory/host_memory.h"

#include <doctest/doctest.h>

#include <initializer_list>

namespace ts {

TEST_CASE("host memory: there is some, and no more to spare than is installed") {
  CHECK(installed_host_bytes() > std::size_t{64} << 20);
  CHECK(spare_host_bytes() > 0);
  CHECK(spare_host_bytes() <= installed_host_bytes());
}

TEST_CASE("host memory: what can be reserved is reserved whole, what cannot be is halved until it can") {
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{4096}, std::size_t{100} << 20})
    CHECK(reservable_bytes(bytes) == bytes);
  const std::size_t everything = std::size_t{1} << 60, some = reservable_bytes(everything);
  CHECK(some > 0);
  CHECK(some < everything);
}

}  // namespace ts
