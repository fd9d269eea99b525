// Counting, and opening each text as far as its first step.
#include "core/census/census.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "core/compile/has_meaning.h"
#include "core/text/ops/op_table.h"
#include "core/text/tree.h"
#include "core/text/type.h"

namespace ts {
namespace {

// What one entry point lacks on one target.
struct Trial {
  bool legal = false;
  std::set<std::string> missing = {};
  Diagnostic error = {};
};

// The name that an operation is counted under.
std::string operation_name(const text::Tree& tree, const text::Op& op) {
  if (op.code == text::kUnknownOp) return std::string(tree.name_of(op));
  const text::OpRow& row = text::op_row(op.code);
  return std::string(row.current.empty() ? row.name : row.current);
}

Trial try_entry(const std::shared_ptr<const text::Tree>& tree, const EntryPoint& entry, Target target,
                const std::function<bool()>& go_on) {
  OpenRequest request{.target = target};
  request.inputs.guess = false;
  if (go_on) request.limits.go_on = [&go_on](std::uint64_t) { return go_on(); };
  Diagnostics said;
  const std::optional<Opened> opened = open_program(tree, entry, request, said);
  Trial trial{.legal = opened.has_value()};
  if (!trial.legal) {
    const auto error = std::ranges::find(said, Severity::Error, &Diagnostic::severity);
    if (error != said.end()) trial.error = *error;
    return trial;
  }
  for (const CodeOp& op : opened->program.code)
    if (op.kind == CodeKind::Missing) trial.missing.insert(operation_name(*tree, tree->ops[op.data]));
  return trial;
}

// On the target where it lacks least.
Trial best_trial(const std::shared_ptr<const text::Tree>& tree, const EntryPoint& entry, std::optional<Target> target,
                 const std::function<bool()>& go_on) {
  if (!target) target = entry.target;
  if (target) return try_entry(tree, entry, *target, go_on);
  Trial best = try_entry(tree, entry, kBothTargets[0], go_on);
  if (best.legal && best.missing.empty()) return best;
  Trial other = try_entry(tree, entry, kBothTargets[1], go_on);
  const bool better = other.legal && (!best.legal || other.missing.size() < best.missing.size());
  return better ? std::move(other) : std::move(best);
}

void refuse(CensusFile& file, const Diagnostic& error) {
  file.verdict = Verdict::Refused;
  file.rule = error.rule;
  file.text = error.text;
  file.line = error.pos.line;
}

// Empty: a type of which nothing is counted.
std::string type_name(const text::Type& type) {
  using enum text::TypeKind;
  const auto of = [&](const char* what) { return fmt::format("{} of {}", what, text::name(type.scalar)); };
  switch (type.kind) {
    case Scalar: return text::name(type.scalar);
    case Tile: return type.predicate ? "tile of packed bits" : of("tile");
    case TensorView: return of("tensor view");
    case PartitionView: return of("partition view");
    case Ptr: return of("pointer");
    case Vreg: return of("vector register");
    case MultiTile: return of("several tiles");
    case LocalArray: return of("local array");
    case Struct: return "record";
    case Mask: return type.mask_bits == 0 ? "mask" : fmt::format("mask of b{}", type.mask_bits);
    case Memref: return of("memref");
    case Vector: return of("vector");
    case Simple: return type.word;
    case EventArray: return "array of events";
    case None:
    case Function:
    case Elided: break;
  }
  return "";
}

template <class Row>
void most_common_first(std::vector<Row>& rows) {
  std::ranges::sort(rows, [](const Row& a, const Row& b) {
    if (a.count.files != b.count.files) return a.count.files > b.count.files;
    if (a.count.uses != b.count.uses) return a.count.uses > b.count.uses;
    return a.name < b.name;
  });
}

}  // namespace

const char* name(Verdict verdict) {
  constexpr const char* kNames[kVerdicts] = {"runs", "not emulated", "refused"};
  return kNames[static_cast<std::size_t>(verdict)];
}

void Census::Tally::add(std::uint64_t file) {
  ++count.uses;
  if (last_file != file) ++count.files;
  last_file = file;
}

bool Census::add(std::string file, std::string text, std::optional<Target> target, const std::function<bool()>& go_on) {
  text::ParseLimits limits;
  limits.most_bytes = std::max<std::uint64_t>(limits.most_bytes, text.size());
  limits.go_on = go_on;
  Diagnostics said;
  const auto tree = read_program(file, std::move(text), said, limits);
  CensusFile out{.name = std::move(file)};
  std::vector<EntryPoint> entries;
  if (!has_error(said)) entries = entry_points(*tree, said, go_on);
  if (!has_error(said) && entries.empty())
    said.push_back({"E-ENTRY", Severity::Error, {}, "", "there is no function to start", ""});
  const auto error = std::ranges::find(said, Severity::Error, &Diagnostic::severity);
  if (error != said.end()) refuse(out, *error);
  std::set<std::string> missing;
  for (const EntryPoint& entry : entries) {
    if (out.verdict == Verdict::Refused) break;
    const Trial trial = best_trial(tree, entry, target, go_on);
    if (!trial.legal) refuse(out, trial.error);
    missing.insert(trial.missing.begin(), trial.missing.end());
  }
  if (go_on && !go_on()) return false;
  if (out.verdict != Verdict::Refused && !missing.empty()) out.verdict = Verdict::NotEmulated;
  if (out.verdict == Verdict::NotEmulated) out.missing.assign(missing.begin(), missing.end());
  files_.push_back(std::move(out));
  count_operations(*tree);
  count_types(*tree);
  return true;
}

void Census::count_operations(const text::Tree& tree) {
  for (const text::Op& op : tree.ops) operations_[operation_name(tree, op)].add(files_.size());
}

// As they are written: what the generic form means stands in the tree as well.
void Census::count_types(const text::Tree& tree) {
  for (const text::Op& op : tree.ops) count_types(tree, tree.op_items(op));
  for (const text::Block& block : tree.blocks) count_types(tree, tree.args(block));
}

void Census::count_types(const text::Tree& tree, std::span<const text::Item> items) {
  for (const text::Item& item : items) {
    if (item.kind != text::ItemKind::Type) {
      if (item.count != 0) count_types(tree, tree.children(item));
      continue;
    }
    const std::string name = type_name(tree.types[item.first]);
    if (!name.empty()) types_[name].add(files_.size());
  }
}

std::uint64_t Census::count(Verdict verdict) const {
  return static_cast<std::uint64_t>(std::ranges::count(files_, verdict, &CensusFile::verdict));
}

std::vector<CensusOperation> Census::operations() const {
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> stops;  // files, and files alone
  for (const CensusFile& file : files_)
    for (const std::string& missing : file.missing) {
      ++stops[missing].first;
      if (file.missing.size() == 1) ++stops[missing].second;
    }
  std::vector<CensusOperation> rows;
  for (const auto& [name, tally] : operations_) {
    const text::OpCode code = text::find_op(name);
    CensusOperation row{.name = name, .group = "unknown", .count = tally.count};
    if (code != text::kUnknownOp) row.group = text::name(text::op_row(code).group);
    row.emulated = has_meaning(code);
    if (const auto found = stops.find(name); found != stops.end())
      row.stops = found->second.first, row.alone = found->second.second;
    rows.push_back(std::move(row));
  }
  most_common_first(rows);
  return rows;
}

std::vector<CensusType> Census::types() const {
  std::vector<CensusType> rows;
  for (const auto& [name, tally] : types_) rows.push_back({name, tally.count});
  most_common_first(rows);
  return rows;
}

std::vector<CensusMissing> Census::missing() const {
  std::vector<CensusMissing> left;
  for (const CensusOperation& row : operations())
    if (row.stops > 0) left.push_back({row.name, row.stops, row.alone});
  std::vector<std::size_t> lacks;  // by file: how many of its operations are still missing
  for (const CensusFile& file : files_) lacks.push_back(file.missing.size());
  std::vector<CensusMissing> order;
  std::uint64_t runs = count(Verdict::Runs);
  while (!left.empty()) {
    std::map<std::string, std::uint64_t> gained;
    std::set<std::string> done;
    for (const CensusMissing& one : order) done.insert(one.name);
    for (std::size_t i = 0; i < files_.size(); ++i)
      if (lacks[i] == 1)
        for (const std::string& missing : files_[i].missing)
          if (!done.contains(missing)) ++gained[missing];
    const auto best = std::ranges::max_element(
        left, {}, [&](const CensusMissing& one) { return std::pair(gained[one.name], one.stops); });
    for (std::size_t i = 0; i < files_.size(); ++i)
      if (std::ranges::binary_search(files_[i].missing, best->name)) --lacks[i];
    runs += gained[best->name];
    best->run_then = runs;
    order.push_back(*best);
    left.erase(best);
  }
  return order;
}

std::vector<CensusType> Census::refusals() const {
  std::map<std::string, std::uint64_t> rules;
  for (const CensusFile& file : files_)
    if (file.verdict == Verdict::Refused) ++rules[file.rule];
  std::vector<CensusType> rows;
  for (const auto& [rule, files] : rules) rows.push_back({rule, {files, files}});
  most_common_first(rows);
  return rows;
}

}  // namespace ts
