// The functions of a kernel that a launch may start, and how they take what they are given. For units that TileScope writes.
#pragma once

#include <cstdio>

#include "call.h"

namespace tilescope {

// A letter for what a parameter is, and the type of what it points to or holds: "p3", a pointer to elements of type 3.
template <class T>
void describe(std::FILE* out) {
  using Plain = std::remove_cv_t<std::remove_reference_t<T>>;
  if constexpr (std::is_pointer<Plain>::value) {
    using Element = std::remove_cv_t<std::remove_pointer_t<Plain>>;
    if constexpr (std::is_void<Element>::value) std::fprintf(out, " p%d", static_cast<int>(ts_border::Type::None));
    else std::fprintf(out, " p%d", static_cast<int>(TypeOf<Element>::value));
  } else {
    static_assert(std::is_arithmetic<Plain>::value || std::is_same<Plain, half>::value ||
                      std::is_same<Plain, bfloat16_t>::value || std::is_enum<Plain>::value,
                  "an entry takes pointers and numbers; give a struct by a pointer to global memory");
    if constexpr (std::is_same<Plain, double>::value) std::fprintf(out, " d");
    else if constexpr (std::is_enum<Plain>::value) std::fprintf(out, " n%d", static_cast<int>(ts_border::Type::I32));
    else std::fprintf(out, " n%d", static_cast<int>(TypeOf<Plain>::value));
  }
}

template <class T>
std::remove_reference_t<T> given(std::uint64_t bits) {
  using Plain = std::remove_cv_t<std::remove_reference_t<T>>;
  if constexpr (std::is_pointer<Plain>::value) {
    return reinterpret_cast<Plain>(bits);
  } else if constexpr (std::is_enum<Plain>::value) {
    return static_cast<Plain>(bits);
  } else if constexpr (std::is_same<Plain, bool>::value) {
    return bits != 0;
  } else if constexpr (std::is_same<Plain, double>::value) {
    const auto value = float_of_bits(static_cast<std::uint32_t>(bits));
    return value;
  } else {
    Plain value;
    std::memcpy(static_cast<void*>(&value), &bits, sizeof value);
    return value;
  }
}

template <class R, class... A>
struct Entry {
  static void start(R (*function)(A...), const std::uint64_t* arguments) {
    start(function, arguments, std::index_sequence_for<A...>());
  }
  template <std::size_t... I>
  static void start(R (*function)(A...), const std::uint64_t* arguments, std::index_sequence<I...>) {
    (void)arguments;
    function(given<A>(arguments[I])...);
  }
};
template <class R, class... A>
void start_entry(R (*function)(A...), const std::uint64_t* arguments) {
  Entry<R, A...>::start(function, arguments);
}
template <class R, class... A>
void describe_entry(R (*)(A...), std::FILE* out) {
  (describe<A>(out), ...);
}

}  // namespace tilescope

// What the unit has; runtime.cpp asks for it.
extern "C" {
struct ts_entry {
  const char* name;
  void (*start)(const std::uint64_t* arguments);
  void (*describe)(std::FILE* out);
};
extern const ts_entry ts_entries[];
extern const unsigned ts_entry_count;
}

#define TS_ENTRY(NAME, FUNCTION)                                               \
  {                                                                            \
    NAME, [](const std::uint64_t* a) { tilescope::start_entry(FUNCTION, a); }, \
        [](std::FILE* out) { tilescope::describe_entry(FUNCTION, out); }       \
  }
