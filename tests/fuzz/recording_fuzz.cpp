// Fuzz target: the files of recordings. Input is a way to change a good file: eight bytes each for a value in one of its
// tables, or for bytes anywhere in it; or a whole file. What opens is looked into as a person would, and nothing may come
// of it but states of memories.
#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "core/compile/open.h"
#include "core/data/seal.h"
#include "core/debug/session/kept_work.h"
#include "core/record/recording_file.h"

namespace {

using namespace ts;

constexpr std::size_t kBudget = std::size_t{32} << 20;
constexpr const char* kSamples[] = {"row_loop",      "masked_select",     "table_lookup",
                                    "complex_split", "bug_uninitialised", "transpose_loop"};

void require(bool good) {
  if (!good) std::abort();
}

struct Column {
  std::string table, name;
};

struct Good {
  std::string bytes;
  std::vector<Column> columns;
};

std::string file_path() {
  static const std::string path = fmt::format("/dev/shm/tilescope-fuzz-{}.ptorec", ::getpid());
  return path;
}

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

Good make_good(const char* sample, bool full) {
  Diagnostics told;
  const auto tree = read_program(sample, bytes_of(fmt::format("samples/{}.pto", sample)), told);
  const auto entries = entry_points(*tree, told);
  require(!entries.empty());  // run from the project's root
  auto opened = open_program(tree, entries.front(), {}, told);
  require(opened.has_value());
  RecordOptions options{.budget_bytes = kBudget};
  options.limits.most_steps = 40;
  const std::shared_ptr<const Recording> recording = Recording::run(std::move(opened->program), options);
  Session session(recording);
  session.bookmark("here", 1);
  session.note({.text = "odd", .step = 0});
  session.watch("rec.pos");
  require(save_session(session, file_path(), {.full = full, .every = 4}).text.empty());
  sqlite3* file = nullptr;
  sqlite3_open(file_path().c_str(), &file);
  // Small pages, so that damage hits something.
  sqlite3_exec(file, "PRAGMA page_size = 512; VACUUM", nullptr, nullptr, nullptr);
  Good good;
  const auto take = [](void* out, int, char** values, char**) {
    static_cast<Good*>(out)->columns.push_back({values[0], values[1]});
    return 0;
  };
  sqlite3_exec(file, "SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table'",
               take, &good, nullptr);
  sqlite3_close(file);
  require(data::seal(file_path()).text.empty());
  good.bytes = bytes_of(file_path());
  require(std::holds_alternative<RecordingFile>(open_recording(file_path(), kBudget)));
  ::unlink(file_path().c_str());
  return good;
}

const std::vector<Good>& all_good() {
  static const std::vector<Good> made = [] {
    std::vector<Good> all;
    for (const char* sample : kSamples) all.push_back(make_good(sample, all.size() % 2 == 0));
    return all;
  }();
  return made;
}

// A value as SQL writes it.
std::string value_of(const Column& column, const std::uint8_t* four) {
  std::int32_t number = 0;
  std::memcpy(&number, four, sizeof number);
  switch (four[3] % 8) {
    case 0: return fmt::format("{}", number & 0xFF);
    case 1: return fmt::format("{}", number);
    case 2: return fmt::format("{} + {}", column.name, number >> 16);
    case 3: return fmt::format("{} * {}", column.name, number & 0xFFFF);
    case 4: return fmt::format("1 << {}", number & 63);
    case 5: return fmt::format("(1 << {}) - 1", number & 63);
    case 6: return fmt::format("(SELECT {} FROM {} LIMIT 1 OFFSET {})", column.name, column.table, number & 0xFF);
    default: break;
  }
  constexpr const char* kOdd[] = {"NULL", "''", "x''", "1e300", "zeroblob(4000)", "'gm'", "'ub'", "-1"};
  return kOdd[four[0] % 8];
}

void change_value(sqlite3* file, const Good& good, const std::uint8_t* eight) {
  const Column& column = good.columns[eight[1] % good.columns.size()];
  const std::string value = value_of(column, eight + 4);
  const int row = eight[2] | eight[3] << 8;
  std::string sql = fmt::format(
      "UPDATE OR IGNORE {0} SET {1} = {2} WHERE rowid = (SELECT rowid FROM {0} LIMIT 1 OFFSET {3} % max(1, (SELECT "
      "count(*) FROM {0})))",
      column.table, column.name, value, row);
  if (sqlite3_exec(file, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK) return;
  // Tables without rowids have names for their rows.
  sql = fmt::format(
      "UPDATE OR IGNORE {0} SET {1} = {2} WHERE {1} = (SELECT {1} FROM {0} LIMIT 1 OFFSET {3} % max(1, (SELECT count(*) FROM {0})))",
      column.table, column.name, value, row);
  sqlite3_exec(file, sql.c_str(), nullptr, nullptr, nullptr);
}

std::string changed(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kMostChanges = 12;
  const Good& good = all_good()[data[0] % all_good().size()];
  std::string bytes = good.bytes;
  sqlite3* file = nullptr;
  sqlite3_open(":memory:", &file);
  auto* copy = static_cast<unsigned char*>(sqlite3_malloc64(bytes.size()));
  std::memcpy(copy, bytes.data(), bytes.size());
  sqlite3_deserialize(file, "main", copy, static_cast<sqlite3_int64>(bytes.size()),
                      static_cast<sqlite3_int64>(bytes.size()),
                      SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE);
  const std::size_t changes = std::min((size - 1) / 8, kMostChanges);
  for (std::size_t i = 0; i < changes; ++i)
    if (data[1 + 8 * i] % 4 != 0) change_value(file, good, data + 1 + 8 * i);
  sqlite3_int64 length = 0;
  if (unsigned char* now = sqlite3_serialize(file, "main", &length, 0)) {
    bytes.assign(reinterpret_cast<const char*>(now), static_cast<std::size_t>(length));
    sqlite3_free(now);
  }
  sqlite3_close(file);
  for (std::size_t i = 0; i < changes; ++i) {
    const std::uint8_t* eight = data + 1 + 8 * i;
    if (eight[0] % 4 != 0 || bytes.empty()) continue;
    const std::size_t at = (eight[1] | eight[2] << 8 | eight[3] << 16) % bytes.size();
    if (eight[0] & 4) bytes.resize(at);
    else std::memcpy(bytes.data() + at, eight + 4, std::min<std::size_t>(1 + eight[0] / 64, bytes.size() - at));
  }
  return bytes;
}

void look_into(const RecordingFile& file) {
  constexpr std::uint32_t kFewSteps = 100;
  const Recording& recording = *file.recording;
  std::vector<std::string> lost;
  const auto session = session_of(file, lost);
  const std::uint32_t count = recording.count();
  for (const std::uint32_t position : {count, 0u, count / 2, count / 3}) {
    session->memory_at(position);
    if (position == count) continue;
    const Bound& bound = recording.bound(position);
    for (const Operand& operand : bound.operands) recording.program().operand_name(operand);
    if (bound.row->machines.trace == nullptr) continue;
    session->trace(position);
    const auto writes = recording.writes(position);
    if (!writes.empty()) session->flow_of(position).sources_of_bytes(recording.map().locate(writes.front().base));
  }
  if (count < kFewSteps) recording.digest();
  recording.final_memory();
  for (const Finding& finding : file.findings) require(finding.step <= count);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::string_view kMagic = "SQLite format 3";
  if (size == 0) return 0;
  const bool whole = std::string_view(reinterpret_cast<const char*>(data), size).starts_with(kMagic);
  const std::string bytes = whole ? std::string(reinterpret_cast<const char*>(data), size) : changed(data, size);
  std::ofstream(file_path(), std::ios::binary) << bytes;
  // What is sealed again gets further; what is not shows whether the seal itself is read with care.
  if (!whole && data[0] % 8 != 0) require(data::seal(file_path()).text.empty());
  const auto opened = open_recording(file_path(), kBudget);
  if (const auto* error = std::get_if<data::Error>(&opened)) require(error->text.starts_with(file_path()));
  else look_into(std::get<RecordingFile>(opened));
  return 0;
}
