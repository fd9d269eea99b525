// The few calls of SQLite that recordings need.
#include "core/data/sqlite.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <climits>

#include "core/data/sealed_vfs.h"

namespace ts::data {
namespace {

constexpr int kProgressEvery = 1000;  // instructions of SQLite's machine

// A path as a part of a URI.
std::string escaped(const std::string& path) {
  std::string out;
  for (const char c : path)
    if (c == '%' || c == '?' || c == '#') out += fmt::format("%{:02X}", static_cast<int>(c));
    else out += c;
  return out;
}

}  // namespace

void Database::fail(std::string text) {
  if (!failed()) error_ = std::move(text);
}

void Database::fail_as_told() {
  if (!failed()) full_ = sqlite3_errcode(handle_) == SQLITE_FULL;
  const SealedState state = handle_ == nullptr ? SealedState{} : sealed_state(handle_);
  if (sqlite3_errcode(handle_) == SQLITE_INTERRUPT)
    fail(stopped_ ? "it was stopped" : "reading it takes far too long for its size");
  else if (state.damaged)
    fail(fmt::format("it is damaged: what it holds from byte {} on is not what was saved", state.damaged_at));
  else fail(sqlite3_errmsg(handle_));
}

bool Database::is_sealed() const { return sealed_state(handle_).sealed; }

int Database::progress(void* self) {
  auto& database = *static_cast<Database*>(self);
  if (database.work_left_ == 0) return 1;
  constexpr std::uint64_t kAskEvery = 64;
  if (--database.work_left_ % kAskEvery == 0 && database.go_on_ && !database.go_on_()) database.stopped_ = true;
  return database.stopped_ ? 1 : 0;
}

bool Database::create(const std::string& path, int page_bytes) {
  // Without SQLite's own locks, and with nothing that a killed process would leave behind.
  if (sqlite3_open_v2(path.c_str(), &handle_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, "unix-none") != SQLITE_OK) {
    fail_as_told();
    return false;
  }
  return run(fmt::format("PRAGMA page_size = {}", page_bytes).c_str()) && run("PRAGMA journal_mode = OFF") &&
         run("PRAGMA synchronous = OFF") && run("PRAGMA locking_mode = EXCLUSIVE") && run("PRAGMA cache_size = -32768");
}

bool Database::open_stranger(const std::string& path, std::uint64_t most_bytes) {
  // Immutable: no journal of a stranger's is played back, and nothing is created beside the file.
  const std::string uri = fmt::format("file:{}?mode=ro&immutable=1", escaped(path));
  const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE;
  if (sqlite3_open_v2(uri.c_str(), &handle_, flags, sealed_file_system()) != SQLITE_OK) {
    fail_as_told();
    return false;
  }
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  const int longest = static_cast<int>(std::min<std::uint64_t>(most_bytes, INT_MAX));
  const struct {
    int what, most;
    // clang-format off
  } limits[] = {
      {SQLITE_LIMIT_LENGTH, longest},      {SQLITE_LIMIT_SQL_LENGTH, 20000}, {SQLITE_LIMIT_COLUMN, 100},
      {SQLITE_LIMIT_EXPR_DEPTH, 40},       {SQLITE_LIMIT_COMPOUND_SELECT, 5}, {SQLITE_LIMIT_VDBE_OP, 25000},
      {SQLITE_LIMIT_FUNCTION_ARG, 8},      {SQLITE_LIMIT_ATTACHED, 0},       {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 50},
      {SQLITE_LIMIT_VARIABLE_NUMBER, 40},  {SQLITE_LIMIT_TRIGGER_DEPTH, 1},  {SQLITE_LIMIT_WORKER_THREADS, 0},
  };
  // clang-format on
  for (const auto& limit : limits) sqlite3_limit(handle_, limit.what, limit.most);
  sqlite3_progress_handler(handle_, kProgressEvery, progress, this);
  // A mapped file that gets shorter would end the process.
  return run("PRAGMA mmap_size = 0") && run("PRAGMA cell_size_check = ON") && run("PRAGMA cache_size = -16384");
}

void Database::bound(std::uint64_t pages) {
  // 0 would leave it as it is.
  const std::uint64_t most = std::clamp<std::uint64_t>(pages, 1, 0xFFFFFFFE);
  run(fmt::format("PRAGMA max_page_count = {}", most).c_str());
}

bool Database::is_full() const { return failed() && full_; }

bool Database::run(const char* sql) {
  if (failed()) return false;
  if (sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail_as_told();
  return !failed();
}

bool Database::close() {
  if (handle_ != nullptr && sqlite3_close(handle_) != SQLITE_OK) fail("it could not be closed");
  handle_ = nullptr;
  return !failed();
}

Statement::Statement(Database& database, const char* sql) : database_(database) {
  if (database_.failed()) return;
  if (sqlite3_prepare_v2(database_.handle(), sql, -1, &handle_, nullptr) != SQLITE_OK) database_.fail_as_told();
}

Statement::~Statement() { sqlite3_finalize(handle_); }

// Binding to a statement that could not be made is an error that SQLite reports and nobody needs.
void Statement::bind(int at, std::int64_t value) { sqlite3_bind_int64(handle_, at, value); }
void Statement::bind(int at, double value) { sqlite3_bind_double(handle_, at, value); }
void Statement::bind(int at, std::string_view text) {
  const char* data = text.data() == nullptr ? "" : text.data();
  if (sqlite3_bind_text64(handle_, at, data, text.size(), SQLITE_STATIC, SQLITE_UTF8) == SQLITE_TOOBIG)
    database_.fail(fmt::format("a text of {} bytes is too long for the file", text.size()));
}
void Statement::bind(int at, std::span<const std::byte> blob) {
  if (sqlite3_bind_blob64(handle_, at, blob.data(), blob.size(), SQLITE_STATIC) == SQLITE_TOOBIG)
    database_.fail(fmt::format("data of {} bytes are too long for the file", blob.size()));
}

bool Statement::next() {
  if (database_.failed() || handle_ == nullptr) return false;
  const int status = sqlite3_step(handle_);
  if (status == SQLITE_ROW) return true;
  if (status != SQLITE_DONE) database_.fail_as_told();
  return false;
}

// SQLite takes no statement for one that was reset, but not for one without bindings.
void Statement::reset() {
  if (handle_ == nullptr) return;
  sqlite3_reset(handle_);
  sqlite3_clear_bindings(handle_);
}

std::optional<std::int64_t> Statement::integer(int column) const {
  if (sqlite3_column_type(handle_, column) != SQLITE_INTEGER) return {};
  return sqlite3_column_int64(handle_, column);
}

std::optional<std::string_view> Statement::text(int column) const {
  if (sqlite3_column_type(handle_, column) != SQLITE_TEXT) return {};
  // Null when there is no memory for it.
  const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(handle_, column));
  if (data == nullptr) return {};
  return std::string_view(data, static_cast<std::size_t>(sqlite3_column_bytes(handle_, column)));
}

std::optional<std::span<const std::byte>> Statement::blob(int column) const {
  if (sqlite3_column_type(handle_, column) != SQLITE_BLOB) return {};
  const auto* data = static_cast<const std::byte*>(sqlite3_column_blob(handle_, column));
  return std::span(data, data == nullptr ? 0 : static_cast<std::size_t>(sqlite3_column_bytes(handle_, column)));
}

bool Statement::is_null(int column) const { return sqlite3_column_type(handle_, column) == SQLITE_NULL; }

}  // namespace ts::data
