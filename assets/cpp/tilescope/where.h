// Where a call stands in the source.
#pragma once

#include <cstdint>
#if defined(__has_include)
#if __has_include(<source_location>) && __cplusplus >= 202002L
#include <source_location>
#endif
#endif

namespace tilescope {

// Where a call stands: the caller's line, by an argument that nobody writes.
struct Where {
  const char *file, *function;
  std::uint32_t line, column;
#if defined(__cpp_lib_source_location)
  static constexpr Where here(const std::source_location& at = std::source_location::current()) {
    return {at.file_name(), at.function_name(), at.line(), at.column()};
  }
#else
  static constexpr Where here(const char* file = __builtin_FILE(), const char* function = __builtin_FUNCTION(),
                              std::uint32_t line = __builtin_LINE()) {
    return {file, function, line, 0};
  }
#endif
};

}  // namespace tilescope
