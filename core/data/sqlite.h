// SQLite databases: opened, asked and closed with the objects that stand for them. The first thing that goes wrong is
// kept, and everything behind it does nothing, so that a long job may look once at its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

struct sqlite3;
struct sqlite3_stmt;

namespace ts::data {

class Database {
 public:
  Database() = default;
  ~Database() { close(); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // Over an empty file that is there. Nothing is synchronised, locked or journalled: whoever asks replaces another file
  // by it when it is whole.
  bool create(const std::string& path, int page_bytes);
  // A file of a stranger's, which nobody changes meanwhile: only to be read, with every extra switched off. No text or
  // blob may be longer than `most_bytes`.
  bool open_stranger(const std::string& path, std::uint64_t most_bytes);
  // How much it may do from now on, in thousands of its machine's instructions.
  void allow_work(std::uint64_t thousands) { work_left_ = thousands; }
  // Asked a few hundred times a second while it works; false ends that. Null: nobody will.
  void ask(std::function<bool()> go_on) {
    go_on_ = std::move(go_on);
    stopped_ = false;
  }

  // What `ask` was given.
  const std::function<bool()>& question() const { return go_on_; }

  // It grows to no more of its pages.
  void bound(std::uint64_t pages);
  // What failed did so because there is no room.
  bool is_full() const;

  bool run(const char* sql);  // statements that give no rows
  // False: what is not written yet could not be. Also without being asked when it goes out of scope.
  bool close();

  bool failed() const { return !error_.empty(); }
  const std::string& error() const { return error_; }
  void fail(std::string text);
  // As SQLite says it, of what it was asked last; or that the file is not as it was when it was sealed.
  void fail_as_told();
  // Of a stranger's file: whether it has a seal (core/data/seal.h). What is read of one that has is as it was then.
  bool is_sealed() const;
  // Goes on as if nothing had gone wrong so far.
  void forget_failure() { error_.clear(); }
  sqlite3* handle() const { return handle_; }

 private:
  static int progress(void* self);

  sqlite3* handle_ = nullptr;
  std::string error_;
  std::uint64_t work_left_ = ~0ull;
  std::function<bool()> go_on_;
  bool stopped_ = false, full_ = false;
};

// One statement, for rows in or for rows out.
class Statement {
 public:
  Statement(Database& database, const char* sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  // A row in: numbers, texts, blobs, and std::nullopt or an empty optional for NULL, in the order of the ?s.
  template <class... Values>
  void put(const Values&... values) {
    int at = 0;
    (bind(++at, values), ...);
    next();
    reset();
  }
  void bind(int at, std::int64_t value);
  void bind(int at, std::uint64_t value) { bind(at, static_cast<std::int64_t>(value)); }
  void bind(int at, std::uint32_t value) { bind(at, std::int64_t{value}); }
  void bind(int at, int value) { bind(at, std::int64_t{value}); }
  void bind(int at, bool value) { bind(at, std::int64_t{value}); }
  void bind(int at, double value);
  void bind(int at, std::string_view text);
  void bind(int at, const char* text) { bind(at, std::string_view(text)); }
  void bind(int at, const std::string& text) { bind(at, std::string_view(text)); }
  void bind(int at, std::span<const std::byte> blob);
  void bind(int, std::nullopt_t) {}
  template <class T>
  void bind(int at, const std::optional<T>& value) {
    if (value) bind(at, *value);
  }

  // On to the next row; false: there is none, or it failed.
  bool next();
  void reset();
  // Of the row, by column from 0. Valid until `next`. Nothing where the column holds something of another kind.
  std::optional<std::int64_t> integer(int column) const;
  std::optional<std::string_view> text(int column) const;
  std::optional<std::span<const std::byte>> blob(int column) const;
  bool is_null(int column) const;

 private:
  Database& database_;
  sqlite3_stmt* handle_ = nullptr;
};

}  // namespace ts::data
