// How much the random tests do. Under the sanitizers everything is several times slower, and what they look for does
// not need as many cases.
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

// Random shapes per instruction, target and element type, and how many of them make one program.
inline constexpr int kRandomShapes = kSanitized ? 10 : 500;
inline constexpr int kShapesAProgram = 10;

// `./dev test full`: as many as there is time for.
inline bool in_full() { return std::getenv("TILESCOPE_FULL") != nullptr; }

}  // namespace ts::test
