// Files with a seal as SQLite reads them: what is not as it was when it was sealed is never read.
#pragma once

#include <cstdint>
#include <string>

struct sqlite3;

namespace ts::data {

// The name of SQLite's file system that does it, for sqlite3_open_v2. For reading only. A file without a seal is read as it
// is.
const char* sealed_file_system();

// Of a database that it opened.
struct SealedState {
  bool sealed = false;
  bool damaged = false;          // something was asked for that is not as it was
  std::uint64_t damaged_at = 0;  // the first such place
};
SealedState sealed_state(sqlite3* database);

}  // namespace ts::data
