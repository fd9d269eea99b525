// The tables and views of a recording's file.
#include "core/record/recording_file_format.h"

#include <fmt/format.h>

namespace ts::recording_file {

namespace {

// A file that differs from this in a letter is not read: whoever changes a table or a view raises kFormat.
// clang-format off
constexpr SchemaRow kSchema[] = {
    {"table", "meta", "CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID"},
    {"table", "program", "CREATE TABLE program(name TEXT, entry TEXT, target TEXT, blocks INTEGER, text TEXT)"},
    {"table", "options", "CREATE TABLE options(name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID"},
    {"table", "inputs",
     "CREATE TABLE inputs(id INTEGER PRIMARY KEY, name TEXT, kind TEXT, type TEXT, elements INTEGER, bits INTEGER, value TEXT, "
     "data BLOB)"},
    {"table", "input_shapes", "CREATE TABLE input_shapes(id INTEGER PRIMARY KEY, input INTEGER, elements INTEGER)"},
    {"table", "edits",
     "CREATE TABLE edits(id INTEGER PRIMARY KEY, position INTEGER, space TEXT, address INTEGER, bytes BLOB)"},
    {"table", "instructions",
     "CREATE TABLE instructions(id INTEGER PRIMARY KEY, line INTEGER, col INTEGER, op TEXT, pipe TEXT, text TEXT)"},
    {"table", "instruction_operands",
     "CREATE TABLE instruction_operands(instruction INTEGER, number INTEGER, name TEXT, role TEXT, kind TEXT, "
     "PRIMARY KEY(instruction, number)) WITHOUT ROWID"},
    {"table", "tiles",
     "CREATE TABLE tiles(id INTEGER PRIMARY KEY, name TEXT, type TEXT, space TEXT, dtype TEXT, rows INTEGER, cols INTEGER, "
     "bytes INTEGER, address INTEGER, end_address INTEGER, end_valid_rows INTEGER, end_valid_cols INTEGER, end_known INTEGER)"},
    {"table", "buffers",
     "CREATE TABLE buffers(id INTEGER PRIMARY KEY, name TEXT, dtype TEXT, elements INTEGER, address INTEGER)"},
    {"table", "bounds", "CREATE TABLE bounds(id INTEGER PRIMARY KEY, instruction INTEGER, event INTEGER)"},
    {"table", "operands",
     "CREATE TABLE operands(id INTEGER PRIMARY KEY, bound INTEGER, number INTEGER, tile INTEGER, buffer INTEGER, "
     "address INTEGER, valid_rows INTEGER, valid_cols INTEGER, dtype TEXT, layout TEXT, shape0 INTEGER, shape1 INTEGER, "
     "shape2 INTEGER, shape3 INTEGER, shape4 INTEGER, stride0 INTEGER, stride1 INTEGER, stride2 INTEGER, stride3 INTEGER, "
     "stride4 INTEGER, bits INTEGER, value TEXT)"},
    {"table", "turns",
     "CREATE TABLE turns(id INTEGER PRIMARY KEY, variable INTEGER, turn INTEGER, entry INTEGER, line INTEGER, col INTEGER)"},
    {"table", "steps",
     "CREATE TABLE steps(id INTEGER PRIMARY KEY, instruction INTEGER, bound INTEGER, block INTEGER, first_turn INTEGER, "
     "turns INTEGER)"},
    {"table", "writes",
     "CREATE TABLE writes(id INTEGER PRIMARY KEY, step INTEGER, space TEXT, address INTEGER, size INTEGER, stride INTEGER, "
     "count INTEGER)"},
    {"table", "findings",
     "CREATE TABLE findings(id INTEGER PRIMARY KEY, step INTEGER, found_by TEXT, kind TEXT, rule TEXT, severity TEXT, "
     "line INTEGER, col INTEGER, span INTEGER, operand TEXT, text TEXT, expected TEXT, hint TEXT, element_row INTEGER, "
     "element_col INTEGER, found_operand INTEGER, found_row INTEGER, found_col INTEGER, found_space TEXT, "
     "found_address INTEGER, found_bytes INTEGER)"},
    {"table", "finding_notes",
     "CREATE TABLE finding_notes(id INTEGER PRIMARY KEY, finding INTEGER, line INTEGER, col INTEGER, text TEXT)"},
    {"table", "notes", "CREATE TABLE notes(id INTEGER PRIMARY KEY, kind TEXT, position INTEGER, text TEXT)"},
    {"table", "kept_pages",
     "CREATE TABLE kept_pages(page INTEGER PRIMARY KEY, space TEXT, address INTEGER, first INTEGER, count INTEGER)"},
    {"table", "page_versions", "CREATE TABLE page_versions(id INTEGER PRIMARY KEY, page INTEGER, position INTEGER)"},
    {"table", "page_data", "CREATE TABLE page_data(id INTEGER PRIMARY KEY, content BLOB)"},
    {"view", "step_list",
     "CREATE VIEW step_list AS SELECT s.id AS step, i.line, i.op, i.pipe, s.block, "
     "(SELECT t.variable FROM turns t WHERE t.id = s.first_turn + s.turns - 1 AND s.turns > 0) AS inner_loop, i.text "
     "FROM steps s JOIN instructions i ON i.id = s.instruction"},
    {"view", "operand_list",
     "CREATE VIEW operand_list AS SELECT s.id AS step, n.number, n.name, n.role, coalesce(t.name, b.name) AS owner, "
     "CASE WHEN b.id IS NULL THEN t.space ELSE 'gm' END AS space, o.address, t.bytes, o.valid_rows, o.valid_cols, "
     "coalesce(t.dtype, o.dtype) AS dtype, o.value FROM steps s JOIN operands o ON o.bound = s.bound "
     "JOIN instruction_operands n ON n.instruction = s.instruction AND n.number = o.number "
     "LEFT JOIN tiles t ON t.id = o.tile LEFT JOIN buffers b ON b.id = o.buffer"},
    {"view", "finding_list",
     "CREATE VIEW finding_list AS SELECT f.step, f.severity, f.kind, f.rule, f.line, f.text, f.hint FROM findings f "
     "WHERE f.found_by <> 'run, dropped' ORDER BY f.step, f.id"},
    {"view", "page_list",
     "CREATE VIEW page_list AS SELECT k.space, k.address, v.position, length(d.content) AS stored_bytes FROM kept_pages k "
     "JOIN page_versions v ON v.id >= k.first AND v.id < k.first + k.count JOIN page_data d ON d.id = v.id"},
};
// Of runs on several cores.
constexpr SchemaRow kCoreTables[] = {
    {"table", "bound_cores", "CREATE TABLE bound_cores(id INTEGER PRIMARY KEY, core INTEGER)"},
    {"table", "waits",
     "CREATE TABLE waits(id INTEGER PRIMARY KEY, core INTEGER, line INTEGER, col INTEGER, rule TEXT, text TEXT, hint TEXT)"},
    {"table", "awaited",
     "CREATE TABLE awaited(id INTEGER PRIMARY KEY, wait INTEGER, core INTEGER, act TEXT, state TEXT)"},
};
// clang-format on

}  // namespace

std::vector<SchemaRow> schema(int format) {
  std::vector<SchemaRow> rows(std::begin(kSchema), std::end(kSchema));
  if (format == kFormat) rows.insert(rows.end(), std::begin(kCoreTables), std::end(kCoreTables));
  return rows;
}

std::string_view stop_word(StopReason reason) {
  constexpr std::string_view kWords[kStopReasons] = {"end", "error", "not emulated", "budget", "limit", "interrupted"};
  return kWords[static_cast<int>(reason)];
}

std::string_view found_by_word(FoundBy by) {
  constexpr std::string_view kWords[] = {"run", "run, dropped", "check"};
  return kWords[static_cast<int>(by)];
}

}  // namespace ts::recording_file
