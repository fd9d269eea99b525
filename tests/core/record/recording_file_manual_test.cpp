// What the manual says of the files of recordings: its questions give answers, and its tables are there.
#include <doctest/doctest.h>
#include <sqlite3.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "core/record/recording_file.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/record/recorded.h"

namespace ts::test {
namespace {

std::string manual() {
  std::ifstream in("assets/manual/recording_files.md");
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::string> between(const std::string& text, const std::string& before, const std::string& after) {
  std::vector<std::string> found;
  for (std::size_t at = text.find(before); at != std::string::npos; at = text.find(before, at)) {
    at += before.size();
    const std::size_t end = text.find(after, at);
    found.push_back(text.substr(at, end - at));
    at = end;
  }
  return found;
}

// Rows, their columns with | between; a failed check when it cannot be asked.
std::vector<std::string> ask(sqlite3* file, const std::string& sql) {
  std::vector<std::string> rows;
  const auto take = [](void* out, int count, char** values, char**) {
    std::string row;
    for (int i = 0; i < count; ++i) row += (i == 0 ? "" : "|") + std::string(values[i] == nullptr ? "" : values[i]);
    static_cast<std::vector<std::string>*>(out)->push_back(row);
    return 0;
  };
  char* error = nullptr;
  sqlite3_exec(file, sql.c_str(), take, &rows, &error);
  const std::string said = error == nullptr ? "" : error;
  sqlite3_free(error);
  CAPTURE(sql);
  CHECK(said == "");
  return rows;
}

struct Sample {
  TempFolder folder;
  SharedRecording recording = record_sample("row_loop");
  sqlite3* file = nullptr;
  Sample() {
    REQUIRE(save_recording(*recording, recording->findings(), {{"bookmark", "here", 1}}, folder / "a.ptorec").text ==
            "");
    REQUIRE(sqlite3_open_v2((folder / "a.ptorec").c_str(), &file, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK);
  }
  ~Sample() { sqlite3_close(file); }
};

}  // namespace

TEST_CASE("recording file: the manual's questions have answers") {
  Sample sample;
  const auto queries = between(manual(), "```sql\n", "```");
  REQUIRE(queries.size() == 5);
  for (const std::string& query : queries) {
    CAPTURE(query);
    CHECK(!ask(sample.file, query).empty());
  }
  CHECK(ask(sample.file, queries[1]).front().find("tload") != std::string::npos);
}

TEST_CASE("recording file: the manual names every table and column") {
  Sample sample;
  const std::string text = manual();
  const std::string rows = text.substr(text.find("## Tables"));
  const char* query =
      "SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table' AND "
      "c.name NOT IN ('id', 'key', 'value') AND c.name NOT GLOB 'shape?' AND c.name NOT GLOB 'stride?' AND "
      "c.name NOT GLOB 'element_*' AND c.name NOT GLOB 'found_[^b]*'";
  const auto columns = ask(sample.file, query);
  REQUIRE(columns.size() > 60);
  for (const std::string& column : columns) {
    CAPTURE(column);
    const std::string table = column.substr(0, column.find('|')), name = column.substr(column.find('|') + 1);
    const std::size_t row = rows.find("| `" + table + "` |");
    REQUIRE(row != std::string::npos);
    const std::string line = rows.substr(row, rows.find('\n', row) - row);
    const bool is_number = table == "instruction_operands" || name == "found_bytes";
    CHECK((is_number || line.find("`" + name + "`") != std::string::npos));
  }
}

TEST_CASE("recording file: the shell reads the truth") {
  Sample sample;
  const Recording& recording = *sample.recording;
  CHECK(ask(sample.file, "PRAGMA application_id") == std::vector<std::string>{"1347702610"});
  CHECK(ask(sample.file, "PRAGMA user_version") == std::vector<std::string>{"4"});
  CHECK(ask(sample.file, "SELECT count(*) FROM step_list") ==
        std::vector<std::string>{std::to_string(recording.count())});
  CHECK(ask(sample.file, "SELECT op, line, text FROM step_list WHERE step = 2") ==
        std::vector<std::string>{std::string(recording.bound(2).row->name) + "|" +
                                 std::to_string(recording.bound(2).pos.line) + "|" +
                                 recording.program().text(recording.step(2).instruction)});
  CHECK(ask(sample.file, "SELECT kind, text, position FROM notes") == std::vector<std::string>{"bookmark|here|1"});
  CHECK(ask(sample.file, "SELECT value FROM meta WHERE key = 'digest'") ==
        std::vector<std::string>{recording.digest()});
  CHECK(ask(sample.file, "PRAGMA integrity_check") == std::vector<std::string>{"ok"});
}

}  // namespace ts::test
