// How much the random tests do. What the sanitizers look for does not need as many cases, and everything is several times
// slower there. The usual run is short enough to be started before every commit.
#pragma once

#include <cstdlib>

namespace ts::test {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif
#else
inline constexpr bool kSanitized = false;
#endif

// `./dev test full`: as many as there is time for.
inline bool in_full() { return std::getenv("TILESCOPE_FULL") != nullptr; }

template <class Number>
Number rounds(Number sanitized, Number usual, Number full) {
  return kSanitized ? sanitized : in_full() ? full : usual;
}

// Random shapes per instruction, target and element type, and how many of them make one program.
inline int random_shapes() { return rounds(10, 80, 500); }
inline constexpr int kShapesAProgram = 10;

}  // namespace ts::test
