// census: what the programs below a folder are made of, and what keeps them from running.
#include "core/census/census.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/program_file.h"
#include "app/cli/terminal/terminal.h"
#include "app/files/files.h"
#include "core/compile/has_meaning.h"
#include "core/data/fields.h"
#include "core/data/files_below.h"

namespace ts {
namespace {

using CensusJson = nlohmann::ordered_json;

constexpr std::size_t kMostRows = 20;  // of a list for people; JSON has all

// A file that could not be read.
struct Unread {
  std::string file, why;
};

struct Counted {
  Census census = {};
  std::vector<Unread> unread = {};
  data::FilesBelow found = {};
  bool complete = true;  // false: Ctrl+C came before
};

void count_files(const CensusArguments& arguments, Counted& out) {
  const Watch watch(fmt::format("counting {}", arguments.folder));
  std::uint64_t done = 0;
  const auto go_on = [&] { return watch.question()(done); };
  std::optional<Target> target;
  if (!arguments.target.empty()) target = arguments.target == "a5" ? Target::A5 : Target::A2A3;
  for (const std::string& file : out.found.files) {
    ProgramText text = program_text(file, arguments.most_bytes);
    if (!text.error.empty()) out.unread.push_back({file, text.error});
    else if (!out.census.add(file, std::move(text.text), target, go_on)) out.complete = false;
    if (interrupted()) out.complete = false;
    if (!out.complete) return;
    ++done;
  }
}

std::string plural_text(std::uint64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

void print_summary(const Counted& counted) {
  const Census& census = counted.census;
  fmt::print("{}: {} run{}, {} hold operations that are not emulated yet, {} are refused\n",
             plural_text(census.files().size(), "file"), census.count(Verdict::Runs),
             census.count(Verdict::Runs) == 1 ? "s" : "", census.count(Verdict::NotEmulated),
             census.count(Verdict::Refused));
  for (const Unread& one : counted.unread) fmt::print("not read: {}\n", one.why);
  for (const std::string& folder : counted.found.closed) fmt::print("not read: the folder {}\n", folder);
  if (counted.found.links > 0) fmt::print("{} not followed\n", plural_text(counted.found.links, "link"));
  if (!counted.found.complete) fmt::print("there is more than could be listed\n");
}

template <class Row, class Print>
void print_rows(const char* heading, const std::vector<Row>& rows, Print print) {
  if (rows.empty()) return;
  fmt::print("\n{}\n", heading);
  for (std::size_t i = 0; i < std::min(rows.size(), kMostRows); ++i) print(rows[i]);
  if (rows.size() > kMostRows) fmt::print("  and {} more; --json lists them\n", rows.size() - kMostRows);
}

void print_census(const Counted& counted) {
  const Census& census = counted.census;
  print_summary(counted);
  print_rows("missing most: in this order most files come to run\n   stops  alone  run then  operation",
             census.missing(), [](const CensusMissing& row) {
               fmt::print("  {:>6} {:>6} {:>9}  {}{}\n", row.stops, row.alone, row.run_then, row.name,
                          has_meaning(text::find_op(row.name)) ? ", in some forms or with some element types" : "");
             });
  print_rows("refused by\n   files  rule", census.refusals(),
             [](const CensusType& row) { fmt::print("  {:>6}  {}\n", row.count.files, row.name); });
  fmt::print("\noperations\n   files     uses  emulated  operation\n");
  for (const CensusOperation& row : census.operations())
    fmt::print("  {:>6} {:>8}  {:<8}  {}\n", row.count.files, row.count.uses,
               !row.emulated   ? "no"
               : row.stops > 0 ? "in part"
                               : "yes",
               row.name);
  fmt::print("\ntypes\n   files     uses  type\n");
  for (const CensusType& row : census.types())
    fmt::print("  {:>6} {:>8}  {}\n", row.count.files, row.count.uses, row.name);
}

CensusJson file_json(const CensusFile& file) {
  CensusJson out{{"file", file.name}, {"verdict", name(file.verdict)}};
  if (!file.missing.empty()) out["missing"] = file.missing;
  if (file.verdict == Verdict::Refused) out["rule"] = file.rule, out["line"] = file.line, out["text"] = file.text;
  return out;
}

void print_json_census(const Counted& counted) {
  const Census& census = counted.census;
  CensusJson out{{"files", census.files().size()},
                 {"runs", census.count(Verdict::Runs)},
                 {"not_emulated", census.count(Verdict::NotEmulated)},
                 {"refused", census.count(Verdict::Refused)},
                 {"complete", counted.complete && counted.found.complete},
                 {"links", counted.found.links},
                 {"unread", CensusJson::array()},
                 {"missing", CensusJson::array()},
                 {"refusals", CensusJson::array()},
                 {"operations", CensusJson::array()},
                 {"types", CensusJson::array()},
                 {"by_file", CensusJson::array()}};
  for (const Unread& one : counted.unread) out["unread"].push_back({{"file", one.file}, {"why", one.why}});
  for (const std::string& folder : counted.found.closed)
    out["unread"].push_back({{"file", folder}, {"why", "the folder cannot be read"}});
  for (const CensusMissing& row : census.missing())
    out["missing"].push_back(
        {{"operation", row.name}, {"stops", row.stops}, {"alone", row.alone}, {"run_then", row.run_then}});
  for (const CensusType& row : census.refusals())
    out["refusals"].push_back({{"rule", row.name}, {"files", row.count.files}});
  for (const CensusOperation& row : census.operations())
    out["operations"].push_back({{"operation", row.name},
                                 {"group", row.group},
                                 {"files", row.count.files},
                                 {"uses", row.count.uses},
                                 {"emulated", row.emulated},
                                 {"stops", row.stops},
                                 {"alone", row.alone}});
  for (const CensusType& row : census.types())
    out["types"].push_back({{"type", row.name}, {"files", row.count.files}, {"uses", row.count.uses}});
  for (const CensusFile& file : census.files()) out["by_file"].push_back(file_json(file));
  fmt::print("{}\n", data::json_text(out, 1));
}

}  // namespace

int census_command(const CensusArguments& arguments) {
  auto found = data::files_below(arguments.folder, ".pto", [] { return !interrupted(); });
  if (const auto* error = std::get_if<data::Error>(&found)) return fail(error->text, error->hint);
  Counted counted{.found = std::move(std::get<data::FilesBelow>(found))};
  if (counted.found.files.empty())
    return fail(fmt::format("{}: no .pto file in it, nor below it", arguments.folder),
                counted.found.links > 0 ? "links are not followed" : "");
  count_files(arguments, counted);
  arguments.json ? print_json_census(counted) : print_census(counted);
  return counted.complete && counted.found.complete ? kOk : kLimit;
}

}  // namespace ts
