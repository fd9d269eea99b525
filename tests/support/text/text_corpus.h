// Program text to test readers with: one sample of every shape, and modules of any size.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace ts::test {

// Texts without a mistake: every form, every type's spelling, every shape of an operation.
struct TextSample {
  std::string_view name, text;
};
std::span<const TextSample> text_samples();

// A valid module of at least so many bytes, and little more: functions with views, tiles, loops, tile operations and vector
// regions. The same for the same size.
std::string large_module(std::size_t bytes);

}  // namespace ts::test
