// Files of recordings that are damaged, or made to do harm: they are refused, or are recordings that can be looked into.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <filesystem>

#include "core/data/seal.h"
#include "core/debug/session/kept_work.h"
#include "core/record/recording_file.h"
#include "core/text/tree.h"
#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/record/recorded.h"
#include "tests/support/scale.h"

namespace ts::test {
namespace {

constexpr std::size_t kLittle = std::size_t{64} << 20;

// Opens it and looks at everything, as a person would. True: it opened.
bool look_into(const std::string& path, Random& random) {
  const auto opened = open_recording(path, kLittle);
  if (const auto* error = std::get_if<data::Error>(&opened)) {
    CHECK(error->text.starts_with(path));
    CHECK(error->text.size() < 2000);
    return false;
  }
  const auto& file = std::get<RecordingFile>(opened);
  const Recording& recording = *file.recording;
  std::vector<std::string> lost;
  const auto session = session_of(file, lost);
  for (int i = 0; i < 4; ++i) {
    const std::uint32_t position = random.below(recording.count() + 1);
    session->memory_at(position);
    if (position == recording.count()) continue;
    const Bound& bound = recording.bound(position);
    if (bound.row->machines.trace == nullptr) continue;
    session->trace(position);
    const auto writes = recording.writes(position);
    if (!writes.empty()) session->flow_of(position).sources_of_bytes(recording.map().locate(writes.front().base));
    for (std::size_t n = 0; n < bound.operands.size(); ++n) recording.program().operand_name(bound.operands[n]);
  }
  if (random.one_in(4)) recording.digest();
  recording.final_memory();
  return true;
}

struct Saved {
  TempFolder folder;
  std::string path = folder / "a.ptorec", other = folder / "b.ptorec", bytes;
  explicit Saved(const std::string& sample, const SaveOptions& options = {.every = 4}) {
    const auto recording = record_sample(sample);
    Session session(recording);
    session.bookmark("here", 2);
    REQUIRE_FALSE(session.note({.text = "odd", .step = 1}).has_value());
    StopRule rule;
    rule.op = recording->program().instructions[0].row->name;
    session.add_stop(rule);
    REQUIRE(save_session(session, path, options).text == "");
    bytes = get_text(path);
  }
};

// Changes a copy of the file by SQL, and seals it as whoever means harm would; "" when it was done.
std::string change(const Saved& saved, const std::string& sql) {
  put_text(saved.other, saved.bytes);
  sqlite3* file = nullptr;
  sqlite3_open(saved.other.c_str(), &file);
  char* error = nullptr;
  sqlite3_exec(file, sql.c_str(), nullptr, nullptr, &error);
  const std::string text = error == nullptr ? "" : error;
  sqlite3_free(error);
  sqlite3_close(file);
  CHECK(data::seal(saved.other).text == "");
  return text;
}

// The same with some of its bits.
std::string flipped(const std::string& bytes, Random& random) {
  std::string out = bytes;
  for (std::uint32_t count = random.between(1, 4); count > 0; --count)
    out[random.below(static_cast<std::uint32_t>(out.size()))] ^= static_cast<char>(1u << random.below(8));
  return out;
}

std::string error_of(const std::string& path) {
  const auto opened = open_recording(path, kLittle);
  return std::holds_alternative<data::Error>(opened) ? std::get<data::Error>(opened).text : "opened";
}

}  // namespace

TEST_CASE("recording file: cut off anywhere it is refused") {
  const Saved saved("row_loop");
  for (std::size_t size = 0; size < saved.bytes.size(); size += 512) {
    put_text(saved.other, std::string_view(saved.bytes).substr(0, size));
    const std::string error = error_of(saved.other);
    CAPTURE(size);
    CAPTURE(error);
    REQUIRE((error.find("truncated") != std::string::npos || error.find("is empty") != std::string::npos));
  }
}

TEST_CASE("recording file: flipped bits are refused, or what opens can be looked into") {
  Random random(11);
  const int flips = rounds(100, 400, 4000);
  for (const char* sample : {"row_loop", "table_lookup"}) {
    const Saved saved(sample);
    int opened = 0;
    for (int i = 0; i < flips; ++i) {
      put_text(saved.other, flipped(saved.bytes, random));
      REQUIRE(data::seal(saved.other).text == "");
      CAPTURE(i);
      opened += look_into(saved.other, random) ? 1 : 0;
    }
    CHECK(opened < flips);
  }
}

TEST_CASE("recording file: what a disk damages is told, or was never asked for") {
  Random random(14);
  const int flips = rounds(100, 400, 4000);
  for (const char* sample : {"row_loop", "table_lookup"}) {
    const Saved saved(sample);
    int told = 0;
    for (int i = 0; i < flips; ++i) {
      put_text(saved.other, flipped(saved.bytes, random));
      CAPTURE(i);
      const auto opened = open_recording(saved.other, kLittle);
      if (std::holds_alternative<data::Error>(opened)) {
        ++told;
        continue;
      }
      const auto& file = std::get<RecordingFile>(opened);
      const std::string digest = file.recording->digest();
      if (file.recording->timeline().is_damaged()) ++told;
      else CHECK(digest == file.facts.digest);
    }
    CHECK(told > flips / 2);
  }
}

TEST_CASE("recording file: one that another program changed is refused, one of the time before seals is not") {
  const Saved saved("row_loop");
  const std::string unsealed = saved.bytes.substr(0, saved.bytes.size() / 4096 * 4096);
  put_text(saved.other, unsealed);
  CHECK(error_of(saved.other).find("its sums are missing") != std::string::npos);
  std::string old = unsealed;
  old[63] = 1;  // user_version, the format
  put_text(saved.other, old);
  CHECK(error_of(saved.other) == "opened");
}

TEST_CASE("recording file: one of the time before a5 had memories for scales of operands is read") {
  const Saved saved("row_loop");
  const MemoryMap map(Target::A5, 0);
  const std::uint32_t first = map.origin(Space::Spr) / kPageBytes,
                      fewer = (map.origin(Space::Spr) - map.origin(Space::L0aScales)) / kPageBytes;
  REQUIRE(fewer > 0);
  std::string sql = "PRAGMA user_version = 3;";
  for (const char* table : {"kept_pages", "page_versions"})
    sql += fmt::format("UPDATE {} SET page = -page WHERE page >= {}; UPDATE {} SET page = -page - {} WHERE page < 0;",
                       table, first, table, fewer);
  REQUIRE(change(saved, sql) == "");
  const auto opened = open_recording(saved.other);
  REQUIRE(std::holds_alternative<RecordingFile>(opened));
  const Recording& recording = *std::get<RecordingFile>(opened).recording;
  REQUIRE(recording.program().target == Target::A5);
  CHECK(recording.digest() == record_sample("row_loop")->digest());
}

TEST_CASE("recording file: one of holes is not read") {
  const Saved saved("row_loop");
  put_text(saved.other, saved.bytes);
  std::filesystem::resize_file(saved.other, std::uintmax_t{8} << 30);
  CHECK(error_of(saved.other).find("are holes") != std::string::npos);
}

TEST_CASE("recording file: opening one ends when it is asked to") {
  const Saved saved("row_loop");
  int asked = 0;
  const auto stopped = open_recording(saved.path, kLittle, [&] { return ++asked < 0; });
  // So little work may be over before anybody asks.
  if (asked > 0) CHECK(std::get<data::Error>(stopped).text.find("it was stopped") != std::string::npos);
}

TEST_CASE("recording file: any number in any table is checked") {
  struct Column {
    std::string table, name;
  };
  Random random(12);
  for (const char* sample : {"row_loop", "masked_select", "table_lookup", "bug_uninitialised"}) {
    const Saved saved(sample);
    std::vector<Column> columns;
    sqlite3* file = nullptr;
    sqlite3_open(saved.path.c_str(), &file);
    const char* query =
        "SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table'";
    const auto take = [](void* out, int, char** values, char**) {
      static_cast<std::vector<Column>*>(out)->push_back({values[0], values[1]});
      return 0;
    };
    sqlite3_exec(file, query, take, &columns, nullptr);
    sqlite3_close(file);
    REQUIRE(columns.size() > 80);
    const int values = rounds(1, 1, 5);
    for (const Column& column : columns)
      for (int i = 0; i < values; ++i) {
        const std::string value =
            random.pick<std::string>({"-1", "0", "1", "7", "4294967295", "2147483648", "9223372036854775807",
                                      "-9223372036854775808", "NULL", "'x'", "x'00'", "1e300", "zeroblob(3000)",
                                      column.name + "+1", column.name + "*65536", column.name + "-1"});
        const std::string where =
            random.one_in(3)
                ? ""
                : fmt::format(
                      " WHERE rowid = (SELECT rowid FROM {0} LIMIT 1 OFFSET {1} % max(1, (SELECT count(*) FROM {0})))",
                      column.table, random.below(1000));
        std::string sql = fmt::format("UPDATE OR IGNORE {} SET {} = {}{}", column.table, column.name, value, where);
        if (!change(saved, sql).empty())  // tables without rowids
          change(saved, sql = fmt::format("UPDATE OR IGNORE {} SET {} = {}", column.table, column.name, value));
        CAPTURE(sql);
        look_into(saved.other, random);
      }
  }
}

TEST_CASE("recording file: rows that are missing, or too many, are told") {
  const Saved saved("row_loop");
  Random random(13);
  for (const char* table : {"meta", "program", "inputs", "instructions", "tiles", "bounds", "operands", "turns",
                            "steps", "writes", "kept_pages"}) {
    CAPTURE(table);
    REQUIRE(change(saved, fmt::format("DELETE FROM {}", table)) == "");
    const std::string error = error_of(saved.other);
    CAPTURE(error);
    CHECK(error != "opened");
  }
  REQUIRE(change(saved, "DELETE FROM steps WHERE id = 3") == "");
  CHECK(error_of(saved.other).find("table steps, row 3: column 0 is 4, expected 3 to 3") != std::string::npos);
  REQUIRE(change(saved, "UPDATE operands SET address = 16 WHERE tile IS NOT NULL") == "");
  CHECK(error_of(saved.other).find("[G3]") != std::string::npos);
  REQUIRE(change(saved, "UPDATE writes SET address = 4294967295 WHERE id = 0") == "");
  CHECK(error_of(saved.other).find("table writes, row 0") != std::string::npos);
  REQUIRE(change(saved, "UPDATE meta SET value = 1000000000 WHERE key = 'steps'") == "");
  CHECK(error_of(saved.other).find("table meta: steps is not 0 to") != std::string::npos);
  REQUIRE(
      change(
          saved,
          "UPDATE instructions SET text = 'pto.other' WHERE id = 1; UPDATE meta SET value = '9.9' WHERE key = 'program_version'") ==
      "");
  const std::string versions = error_of(saved.other);
  CHECK(versions.find("this version (") != std::string::npos);
  CHECK(versions.find("than version 9.9, which saved it: number 1 was 'pto.other'") != std::string::npos);
  for (const char* sums : {"[]", "{", R"({"a.py": 7})", R"({"a.py": {"b": "c"}})"}) {
    CAPTURE(sums);
    REQUIRE(change(saved, fmt::format("INSERT INTO meta VALUES('sources', '{}')", sums)) == "");
    CHECK(error_of(saved.other).find("table meta: sources are no names with sums") != std::string::npos);
  }
  REQUIRE(change(saved, "INSERT INTO meta VALUES('sources', printf('%.*c', 100000, ' '))") == "");
  CHECK(error_of(saved.other).find("table meta: sources is no text of up to") != std::string::npos);
  REQUIRE(change(saved, "UPDATE program SET text = 'not a program'") == "");
  CHECK(error_of(saved.other).find("does not compile") != std::string::npos);
}

TEST_CASE("recording file: snapshots that cannot be read any more are said to be damaged, and are never written") {
  const Saved saved("row_loop");
  REQUIRE(change(saved, "UPDATE page_data SET content = x'28b52ffd'") == "");
  const auto opened = open_recording(saved.other, kLittle);
  REQUIRE(std::holds_alternative<RecordingFile>(opened));
  const Recording& recording = *std::get<RecordingFile>(opened).recording;
  CHECK(!recording.timeline().is_damaged());
  recording.final_memory();
  CHECK(recording.timeline().is_damaged());
}

TEST_CASE("recording file: notes of strangers are cut, cleaned, left out or refused") {
  const Saved saved("row_loop");
  const auto notes_after = [&](const std::string& sql) -> std::optional<std::vector<Note>> {
    REQUIRE(change(saved, sql) == "");
    const auto opened = open_recording(saved.other, kLittle);
    if (!std::holds_alternative<RecordingFile>(opened)) return {};
    std::vector<std::string> lost;
    return session_of(std::get<RecordingFile>(opened), lost)->notes();
  };
  const auto only = [](const std::optional<std::vector<Note>>& notes) {
    return notes && notes->size() == 1 ? notes->front() : Note{};
  };
  const std::string note = "UPDATE notes SET text = ";
  const std::string which = " WHERE kind = 'note'";
  CHECK(only(notes_after("SELECT 1")) == Note{.text = "odd", .step = 1});
  CHECK(only(notes_after(note + "'plain' || char(27) || '[2J'" + which)) == Note{.text = "plain?[2J", .step = 1});
  CHECK(notes_after(note + "''" + which)->empty());
  CHECK(notes_after(note + "'{\"text\": \"x\", \"step\": 99999}'" + which)->empty());
  CHECK(notes_after(note + "'{\"text\": [], \"step\": 1}'" + which)->empty());
  CHECK(notes_after(note + "'{\"text\": \"x\", \"element\": [\"x_even\", 4294967295, 4294967295]}'" + which)->empty());
  CHECK(only(notes_after(note + "hex(zeroblob(5000000))" + which)).text.size() == kMostNoteBytes);
  // Columns of another type, and places that are none, are no recording.
  CHECK_FALSE(notes_after(note + "x'00ff'" + which).has_value());
  CHECK_FALSE(notes_after(note + "NULL" + which).has_value());
  CHECK_FALSE(notes_after("UPDATE notes SET position = 99999" + which).has_value());
  CHECK_FALSE(notes_after("UPDATE notes SET position = 'one'" + which).has_value());
  CHECK_FALSE(notes_after("DELETE FROM notes" + which).has_value());
}

TEST_CASE("recording file: nothing in it speaks to the terminal") {
  const Saved saved("bug_uninitialised");
  REQUIRE(change(saved, "UPDATE program SET name = 'a' || char(27) || '[2Jb'; UPDATE notes SET kind = char(7)") == "");
  const auto opened = open_recording(saved.other, kLittle);
  REQUIRE(std::holds_alternative<RecordingFile>(opened));
  CHECK(std::get<RecordingFile>(opened).recording->program().tree->source->name() == "a\\x1b[2Jb");
  for (const RecordingNote& note : std::get<RecordingFile>(opened).notes) CHECK(note.kind == "\\x07");
}

TEST_CASE("recording file: what is not a table of a recording is not looked at") {
  const Saved saved("row_loop");
  for (const char* sql :
       {"CREATE TABLE more(x)", "CREATE VIEW v AS SELECT 1", "CREATE INDEX i ON steps(block)",
        "CREATE TRIGGER t AFTER INSERT ON steps BEGIN SELECT 1; END", "DROP VIEW step_list", "DROP TABLE notes",
        "DROP TABLE steps; CREATE VIEW steps AS SELECT 0 AS id", "ALTER TABLE steps ADD COLUMN extra"}) {
    CAPTURE(sql);
    REQUIRE(change(saved, sql) == "");
    const std::string error = error_of(saved.other);
    CAPTURE(error);
    CHECK(error.find("this is not a recording") != std::string::npos);
  }
}

TEST_CASE("recording file: a small file cannot ask for much memory") {
  const Saved saved("row_loop");
  // 512 MiB of zeros in a few kilobytes.
  REQUIRE(change(saved, "UPDATE inputs SET elements = 500000000") == "");
  CHECK(error_of(saved.other) != "opened");
  const auto opened = open_recording(saved.path, 1024);
  REQUIRE(std::holds_alternative<data::Error>(opened));
  CHECK(std::get<data::Error>(opened).text.find("its inputs take more than") != std::string::npos);
}

}  // namespace ts::test
