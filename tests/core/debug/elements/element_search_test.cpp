// What an element is found by.
#include "core/debug/elements/element_search.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace ts::test {

TEST_CASE("element search: values, tolerances, limits, bits and what is no number") {
  const ElementFormat& f32 = *find_element_format("f32");
  const auto bits = [&](double value) { return *element_bits(f32, value); };
  struct Row {
    const char* text;
    std::vector<double> found, not_found;
  };
  const Row rows[] = {{"1.5", {1.5, 1.54}, {1.6, -1.5}},
                      {"1.50", {1.5, 1.504}, {1.54}},
                      {"2", {2}, {2.01, 1.99}},
                      {"1.5~0.25", {1.25, 1.75}, {1.8}},
                      {"-3~1", {-2, -4}, {3}},
                      {"> 100", {101, 1e30}, {100, -101}},
                      {"<-1", {-2}, {-1, 0}},
                      {"1.5e2", {150, 154}, {156}},
                      {"0x3f800000", {1}, {2}}};
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const auto search = read_element_search(row.text);
    REQUIRE(search.has_value());
    for (const double value : row.found) CHECK(search->matches(f32, bits(value), Definedness::Written));
    for (const double value : row.not_found) CHECK(!search->matches(f32, bits(value), Definedness::Written));
    CHECK(!search->matches(f32, bits(row.found.front()), Definedness::Never));
    CHECK(!search->matches(f32, 0x7fc00000, Definedness::Written));
  }
  CHECK(read_element_search("NaN")->matches(f32, 0x7fc00001, Definedness::Written));
  CHECK(!read_element_search("nan")->matches(f32, 0x7f800000, Definedness::Written));
  CHECK(read_element_search("inf")->matches(f32, 0xff800000, Definedness::Written));
  CHECK(read_element_search("..")->matches(f32, 0, Definedness::Never));
  for (const char* wrong : {"", "abc", "1.5~", "0x", "0xzz", ">", "1..2", "~1", "infinite"}) {
    CAPTURE(wrong);
    CHECK(!read_element_search(wrong).has_value());
  }
}

}  // namespace ts::test
