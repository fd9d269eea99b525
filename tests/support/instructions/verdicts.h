// What generators of legal and of illegal operations share: types by target, and the check of what a program is told.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>

#include "core/isa/diagnostic.h"
#include "core/isa/dtype.h"
#include "core/isa/target.h"

namespace ts::test {

template <class T>
bool one_of(T value, std::initializer_list<T> values) {
  return std::ranges::count(values, value) != 0;
}

inline bool four_bits(DType type) { return one_of(type, {DType::E2M1, DType::E1M2}); }
// The element types that a target has, as far as the cube core and its moves go.
bool of_target(Target target, DType type);

// f(type) for every element type.
template <class F>
void each_type(F f) {
  for (int type = 0; type < kDTypes; ++type) f(static_cast<DType>(type));
}

struct Verdicts {
  int legal = 0, illegal = 0;
};
// What is legal is not refused; that it is not emulated may be told. What is not is refused with a rule and words. `what`
// says which it is.
void check_verdict(const Diagnostics& told, bool legal, const std::string& what, Verdicts& verdicts);

}  // namespace ts::test
