// What scripts write into files: tiles, traces, pages. Always new files below the current folder, by the host's leave.
#include <fmt/format.h>

#include "core/report/csv.h"
#include "core/report/html_report.h"
#include "core/report/trace_export.h"
#include "scripting/binding/object.h"
#include "scripting/objects/recording/finding.h"
#include "scripting/objects/values/elements.h"
#include "scripting/objects/values/tile.h"
#include "scripting/run/new_file.h"
#include "scripting/run/open_recording.h"
#include "scripting/sandbox/sandbox.h"

namespace ts::scripting {
namespace {

int recording_export_trace(lua_State* L) {
  constexpr std::uint64_t kWorkAStep = 50;
  const NewFile file = check_new_file(L, {".json"});
  const OptionTable options(L, 3, "options", {"first", "last"});
  const std::uint32_t count = own_session(L).count();
  TraceOptions trace{.rules = file.rules};
  if (const auto first = options.integer("first", 0, count)) trace.first = static_cast<std::uint32_t>(*first);
  if (const auto last = options.integer("last", 0, ~0u - 1)) trace.end = static_cast<std::uint32_t>(*last) + 1;
  const std::uint32_t steps = trace_length(count, trace);
  Sandbox::charge(L, kWorkAStep * steps);
  const data::Error error = ask_session(L, own_recording(L), "writing the trace", [&](Session& session) {
    trace.go_on = [&](std::uint32_t) { return !session.go_on || session.go_on(); };
    return export_trace(session.recording(), session.findings(), session.bookmarks(), file.path, trace);
  });
  if (!error.text.empty()) raise_error(L, error);
  lua_pushinteger(L, steps);
  return 1;
}

int recording_report(lua_State* L) {
  constexpr std::uint64_t kWork = 100'000;
  const NewFile file = check_new_file(L, {".html"});
  const OptionTable options(L, 3, "options", {"step", "finding", "tile", "row", "col"});
  HtmlReportRequest request{.launch = own_recording(L)->launch};
  const std::uint32_t count = own_session(L).count();
  if (const auto step = options.index("step", count)) request.step = *step;
  if (options.has("finding")) {
    options.push("finding");
    const auto* finding = to_object<FindingObject>(L, -1);
    if (finding == nullptr || finding->recording != own_recording(L))
      options.wrong("finding", "a finding of this recording");
    request.finding = finding->index;
    lua_pop(L, 1);
  }
  request.tile = options.text("tile").value_or("");
  request.row = static_cast<std::uint32_t>(options.integer("row", 0, ~0u).value_or(0));
  request.col = static_cast<std::uint32_t>(options.integer("col", 0, ~0u).value_or(0));
  Sandbox::charge(L, kWork);
  const data::Error error = ask_session(L, own_recording(L), "writing the page", [&](Session& session) {
    return write_html_report(session, request, file.path, file.rules);
  });
  if (!error.text.empty()) raise_error(L, error);
  return 0;
}

constexpr RowMaker kExportsRow{"rec", "local rec = pto.load(\"row_loop\"):record()\n"};

int place_save(lua_State* L, const Place& place) {
  const NewFile file = check_new_file(L, {".csv", ".npy"});
  const OptionTable options(L, 3, "options", {"region", "hex"});
  const CsvOptions csv{.hex = options.truth("hex")};
  const bool all = region_of(options) == Region::All;
  const std::uint32_t rows = all ? place.rows : place.valid_rows, cols = all ? place.cols : place.valid_cols;
  Sandbox::charge(L, std::uint64_t{rows} * cols);
  const Memory& memory = place.memory(L);
  const Program& program = recording_of(L, *place.recording).program();
  const Cells cells = place.is_buffer ? cells_of(memory, program.buffers[place.id])
                                      : cells_of(memory, place.tile, all ? Region::All : Region::Valid);
  const data::Error error = write_cells(cells, file.path, csv, file.rules);
  if (!error.text.empty()) raise_error(L, error);
  return 0;
}

template <class T>
std::vector<Binding> save_rows() {
  const PlaceWords w = T::words();
  return {
      {"save", Binding::Kind::Method, of_place<T, place_save>, w.signature("save", "(path: string, options?: table)"),
       "Writes a new .csv or .npy below the current folder: the valid region, or with {region='all'} everything. A "
       "number in a .csv has the digits that bring its bits back, undefined elements are empty cells, and with "
       "{hex=true} the bits of a row follow its values.",
       w.start + "t:save('values.csv', {hex=true})\nt:save('values.npy')"},
  };
}

std::vector<Binding> export_rows() {
  return {
      kExportsRow.method(
          "exportTrace", recording_export_trace, "(path: string, options?: table) -> integer",
          "Writes a .json for ui.perfetto.dev: a track for each pipe, an event for each step, arrows from flags "
          "to their waits. The axis counts steps, not time. {first=, last=} takes a part. Gives back how many "
          "steps are in it, a million at most.",
          "assert(rec:exportTrace(\"run.json\") == rec.count)\n"
          "assert(rec:exportTrace(\"part.json\", {first=3, last=7}) == 5)"),
      kExportsRow.method(
          "report", recording_report, "(path: string, options?: table)",
          "Writes a .html of one step that needs nothing else to be read: operands, where an element came from, "
          "its bits, how to get there again. {step=} or {finding=}; without both where it stands. {tile=, row=, "
          "col=} is the element.",
          "rec:report(\"sum.html\", {step=rec:find{op=\"tadd\"}().step, tile=\"y_even\", row=1, col=5})\n"
          "local ok, message = pcall(rec.report, rec, \"../out.html\")\n"
          "assert(not ok and message:find(\"below the current folder\", 1, true))"),
  };
}

const ListedRows kExportsRows{70, {RecordingObject::type, export_rows}};
const ListedRows kTile{20, {TileObject::type, save_rows<TileObject>}};
const ListedRows kBuffer{20, {BufferObject::type, save_rows<BufferObject>}};

}  // namespace

}  // namespace ts::scripting
