// A tile as text: bars and dashes where its valid region ends.
#include <doctest/doctest.h>

#include <bit>

#include "core/debug/elements/printed_elements.h"

namespace ts::test {
namespace {

Elements numbers(std::uint32_t rows, std::uint32_t cols, std::uint32_t valid_rows, std::uint32_t valid_cols) {
  Elements out{.format = &element_format(DType::F32), .rows = rows, .cols = cols};
  out.valid_rows = valid_rows;
  out.valid_cols = valid_cols;
  for (std::uint32_t i = 0; i < rows * cols; ++i)
    out.bits.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(i) + 0.5f));
  return out;
}

}  // namespace

TEST_CASE("printed elements: all of them, with a bar and a line where the valid ones end") {
  CHECK(printed(numbers(2, 3, 2, 3)) == " 0.5 1.5 2.5\n 3.5 4.5 5.5\n");
  CHECK(printed(numbers(2, 3, 1, 2), "  ") ==
        "   0.5 1.5 | 2.5\n"
        "  --------------\n"
        "   3.5 4.5 | 5.5\n");
  CHECK(printed(numbers(2, 2, 0, 0)) == "----------\n | 0.5 1.5\n | 2.5 3.5\n");
}

TEST_CASE("printed elements: what they are worth, and where it is enough") {
  Elements some = numbers(3, 2, 3, 2);
  some.worth.assign(6, Definedness::Written);
  some.worth[1] = Definedness::Never;
  some.worth[2] = Definedness::Unspecified;
  CHECK(printed(some) == "  0.5   ..\n 2.5?  3.5\n  4.5  5.5\n");
  CHECK(printed(numbers(3, 2, 3, 2), "", 4) == " 0.5 1.5\n 2.5 3.5\n and 1 more rows\n");
}

}  // namespace ts::test
