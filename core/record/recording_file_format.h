// How a recording stands in its file: tables, views, numbers. assets/manual/recording_files.md says what each column is.
// For the files recording_file_*.cpp only.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/compress.h"
#include "core/data/sqlite.h"
#include "core/memory/place_word.h"
#include "core/record/recording_file.h"

namespace ts::recording_file {

inline constexpr std::uint32_t kApplicationId = 0x50544F52;  // "PTOR"
// 2: with a seal behind its end. Before, what another program or a disk had changed was not always seen.
// 3: has an input that is made up again from a seed. A recording that has none is a file of format 2.
// 4: a5 has memories for the scales of operands, which move the pages behind them.
// 5: of several cores that were there at once. Words of memories have the core behind them, "ub@2", and bounds have a core.
inline constexpr int kFormat = 5, kFormatScales = 4, kFormatLate = 3, kFormatSealed = 2;
int format_of(const Program& program);

struct SchemaRow {
  const char* type;  // table, view
  const char* name;
  const char* sql;
};
std::vector<SchemaRow> schema(int format);

// Words of enumerations, by number.
inline constexpr std::size_t kMostSourcesBytes = std::size_t{64}
                                                 << 10;  // of the sums of files that a program came from
inline constexpr int kStopReasons = 6, kSeverities = 3, kLayouts = std::size(kGlobalLayouts);
std::string_view stop_word(StopReason reason);
// Who found something: the run, and it is kept; the run, and a check left it out; a check alone.
enum class FoundBy : std::uint8_t { Run, RunDropped, Check };
std::string_view found_by_word(FoundBy by);

// --- the program (recording_file_program.cpp) ---
// Why it cannot be in a file; empty: it can.
std::string not_savable(const Recording& recording);
void save_program(data::Database& file, const Recording& recording);

// --- reading (recording_file_load.cpp) ---
// Rows out of a file that may hold anything. The first thing wrong is kept, and ends all reading.
class Rows {
 public:
  Rows(data::Database& file, const char* table, const char* sql) : file_(file), table_(table), statement_(file, sql) {}
  bool next() {
    at_ = 0;
    ++row_;
    return statement_.next();
  }
  // The columns in their order, each within its bounds; else the file is wrong, and the least comes back.
  std::int64_t number(std::int64_t least, std::int64_t most);
  std::uint32_t index(std::uint64_t count) {
    return static_cast<std::uint32_t>(number(0, static_cast<std::int64_t>(count) - 1));
  }
  std::uint32_t word32() { return static_cast<std::uint32_t>(number(0, 0xFFFFFFFF)); }
  std::optional<std::uint32_t> maybe32();  // NULL or a number
  std::uint64_t bits() { return static_cast<std::uint64_t>(number(INT64_MIN, INT64_MAX)); }
  std::string text();
  // Of a text that people are shown: what would tell a terminal something is a question mark.
  std::string shown();
  std::span<const std::byte> blob();
  bool skip_null();  // true, and the column is passed, when it is NULL
  // The next column counts the rows from `first` on.
  void counts(std::uint64_t first = 0);
  // One of the words that `name` has for the numbers below `count`.
  template <class Name>
  int word(int count, Name name) {
    const std::string given = text();
    for (int i = 0; i < count; ++i)
      if (given == name(i)) return i;
    wrong("the word '" + given.substr(0, 40) + "'");
    return 0;
  }
  // A memory of one of the map's cores.
  MemoryOfCore memory(const MemoryMap& map);
  void wrong(const std::string& what);
  std::uint64_t row() const { return row_ - 1; }

 private:
  data::Database& file_;
  const char* table_;
  data::Statement statement_;
  std::uint64_t row_ = 0;
  int at_ = 0;
};

// The program compiled again. `made_by` is the version that saved it. Nothing: the file's error says why.
std::optional<Program> load_program(data::Database& file, const std::string& made_by, std::uint64_t most_input_bytes,
                                    const std::function<bool()>& go_on);

// --- pages (recording_file_pages.cpp) ---
std::uint64_t versions_to_keep(const Recording& recording, const Thinning& thinning);
// `go_on` takes the versions written so far; false ends it.
void save_pages(data::Database& file, const Recording& recording, const Thinning& thinning,
                const std::function<bool(std::uint64_t)>& go_on);
// Which versions of which pages there are. `versions` and `pages` are how many the file says.
struct PageList {
  struct Run {
    std::uint32_t first = 0, count = 0;  // numbers of versions
    std::uint32_t number = 0;            // of the page, as the file has it
  };
  std::vector<Run> by_page = {};
};
PageList load_page_list(data::Database& file, const MemoryMap& map, std::uint64_t versions, std::uint64_t pages);
// Keeps the file open. `steps`: no version is of a later position.
std::unique_ptr<PageSource> page_source(std::unique_ptr<data::Database> file, PageList list, std::uint32_t steps);

}  // namespace ts::recording_file
