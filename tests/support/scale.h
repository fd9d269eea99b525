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

// Of a long list of cases that all go the same ways through the code: under the sanitizers one in so many.
class Thinned {
 public:
  explicit Thinned(int one_in) : one_in_(kSanitized ? one_in : 1) {}
  bool takes() { return seen_++ % one_in_ == 0; }
  // How many there have to be, of so many in all.
  int of(int all) const { return all / one_in_; }

 private:
  int one_in_, seen_ = 0;
};

// Random shapes per instruction, target and element type, and how many of them make one program.
inline int random_shapes() { return rounds(10, 20, 500); }
inline constexpr int kShapesAProgram = 10;

}  // namespace ts::test
