// Work whose error is a row of the table instead of the end of the run.
#pragma once

#include <exception>
#include <string>

#include "tests/bench/table.h"

namespace ts::bench {

template <class F>
void guarded(Table& table, const std::string& what, const F& work) {
  try {
    work();
  } catch (const std::exception& error) {
    table.fail(what, error.what());
  }
}

}  // namespace ts::bench
