// Whether a breach is told, and nothing else, and nothing is disturbed.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "core/record/recording.h"
#include "tests/support/instructions/breach.h"
#include "tests/support/instructions/diagnose.h"
#include "tests/support/instructions/vector_plan.h"

namespace ts::test {
namespace {

constexpr std::uint32_t kApart = 0x4000;

// Every operand far from the others, in text order.
Sample sample_of(const InstructionRow& row, Target target, const VectorPlan& plan) {
  Sample sample{.target = target, .row = &row, .parts = {}, .attributes = plan.attributes, .options = {}, .data = {}};
  std::size_t next = 0, next_scalar = 0;
  std::uint32_t at = kApart;
  for (const OperandSpec& spec : row.forms[plan.form].operands) {
    if ((spec.role == Role::Tmp && !plan.names_scratch) || spec.by_attribute) continue;
    Part part{.name = std::string(spec.name), .alias = {}, .role = spec.role, .type = {}, .valid = {}, .scalar = {}};
    part.is_scalar = spec.kind == OperandKind::Scalar;
    if (part.is_scalar) {
      part.scalar = plan.scalars.at(next_scalar++);
    } else {
      const TilePlan& tile = plan.tiles.at(next++);
      part.type = tile.type;
      part.valid = tile.valid;
      if (tile.name == "full" || tile.name == "small") part.alias = tile.name;
      part.address = at;
      at += kApart + static_cast<std::uint32_t>(tile.type.size_bytes() / kApart * kApart);
    }
    sample.parts.push_back(std::move(part));
  }
  return sample;
}

std::optional<Sample> legal_sample(const RuleSet& set, const Breach& breach, const InstructionRow& row, Target target,
                                   DType type) {
  Random random(std::hash<std::string>{}(row.name + breach.rule) + static_cast<std::uint64_t>(type));
  constexpr int kMostDraws = 200;
  for (int i = 0; i < kMostDraws; ++i) {
    const VectorPlan plan = plan_vector(random, target, row, type, breach.from.shape);
    if (breach.from.form >= 0 && plan.form != static_cast<std::size_t>(breach.from.form)) continue;
    Sample sample = sample_of(row, target, plan);
    sample.options = breach.from.options;
    if (set.tidy) set.tidy(sample);
    if (breach.from.which != nullptr && !breach.from.which(sample)) continue;
    if (breach.from.scratch) sample.add_scratch();
    if (breach.from.prepare) breach.from.prepare(sample);
    return sample;
  }
  return std::nullopt;
}

ProgramBuilder builder_of(const Sample& sample) {
  ProgramBuilder builder = builder_with_a_start(sample.target);
  builder.options() = sample.options;
  std::vector<BuildOperand> inputs, results;
  for (const Part& part : sample.parts) {
    std::vector<BuildOperand>& where = part.role == Role::Out ? results : inputs;
    if (part.is_scalar) {
      where.emplace_back(part.scalar);
      continue;
    }
    const TileOptions options{.address = part.address, .valid_rows = part.valid.rows, .valid_cols = part.valid.cols};
    where.emplace_back(builder.tile(part.name, part.type, options));
  }
  builder.add(sample.row->name, inputs, results, sample.attributes);
  return builder;
}

struct Expected {
  std::string rule, operand;
  Severity severity;
  std::vector<std::string> text = {};
  std::optional<FindingKind> kind = {};
};
Severity usual_severity(const std::string& number) {
  return number[0] == 'W' || number == "G5" ? Severity::Warning : Severity::Error;
}
std::string full_id(const InstructionRow& row, const std::string& number) {
  if (number[0] == 'G' || number.starts_with("TILE")) return number;
  std::string id = row.name;
  for (char& c : id) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return id + "-" + number;
}
Expected expected_of(const InstructionRow& row, const std::string& told) {
  const std::vector<std::string> parts = words(told);
  return {full_id(row, parts.at(0)), parts.size() > 1 ? parts[1] : "", usual_severity(parts[0])};
}

std::vector<Expected> all_expected(const RuleSet& set, const Breach& breach, const Sample& sample, const Part& it) {
  const InstructionRow& row = *sample.row;
  Expected main{full_id(row, breach.rule), filled(breach.named, sample, it), usual_severity(breach.rule)};
  if (breach.severity) main.severity = *breach.severity;
  main.kind = breach.kind;
  for (std::string pattern : breach.says) {
    const std::size_t at = pattern.find("{limit}");
    if (at != std::string::npos) pattern.replace(at, 7, std::to_string(breach.limit(sample)));
    main.text.push_back(filled(pattern, sample, it));
  }
  std::vector<Expected> all{main};
  for (const std::string& other : breach.also) all.push_back(expected_of(row, filled(other, sample, it)));
  if (!breach.common && !set.always.empty() && words(set.always)[0] != breach.rule)
    all.push_back(expected_of(row, set.always));
  return all;
}

// What people choose by; the rules of places have kinds of their own.
bool right_kind(const Diagnostic& told, std::optional<FindingKind> wanted) {
  if (wanted) return told.kind == *wanted;
  if (told.rule == "G1") return told.kind == FindingKind::Reach;
  if (told.rule == "G3") return told.kind == FindingKind::Align || told.kind == FindingKind::Bounds;
  const bool order = told.rule == "G5" || told.rule.ends_with("-R6");
  return told.kind == (order ? FindingKind::Order : FindingKind::Rule);
}

std::string wrong_with(const Diagnostic& told, const Expected& wanted) {
  if (told.severity != wanted.severity) return "its severity is " + std::string(name(told.severity));
  if (told.pos != SourcePos{2, 1}) return "it stands elsewhere";
  if (told.hint.empty()) return "it gives no hint";
  if (!right_kind(told, wanted.kind)) return "its kind is " + std::string(name(told.kind));
  for (const std::string& part : wanted.text)
    if (told.text.find(part) == std::string::npos) return "its text lacks \"" + part + "\"";
  return {};
}

// Every one that is expected, once, and no other; empty when it is so.
std::string difference(const Diagnostics& told, const std::vector<Expected>& expected) {
  std::string out;
  for (const Expected& wanted : expected) {
    const auto is_it = [&](const Diagnostic& d) { return d.rule == wanted.rule && d.operand == wanted.operand; };
    const auto it = std::ranges::find_if(told, is_it);
    const std::string what = it == told.end() ? "it is not told" : wrong_with(*it, wanted);
    if (!what.empty()) out += fmt::format("{} of \"{}\": {}\n", wanted.rule, wanted.operand, what);
  }
  if (told.size() != expected.size()) out += fmt::format("{} are told, {} expected\n", told.size(), expected.size());
  if (out.empty()) return {};
  for (const Diagnostic& diagnostic : told) out += fmt::format("  {} ({})\n", diagnostic.format(), diagnostic.operand);
  return out;
}

std::string description(const Sample& sample) {
  std::string out = fmt::format("{} on {}:\n", sample.row->name, name(sample.target));
  for (const Part& part : sample.parts)
    out += part.is_scalar ? fmt::format("  {} {}\n", part.name, name(part.scalar.dtype))
                          : fmt::format("  {} {}, valid {}x{}, at 0x{:x}\n", part.name, part.type.describe(),
                                        part.valid.rows, part.valid.cols, part.address);
  for (const BuildAttribute& attribute : sample.attributes)
    out += "  " + attribute.name + " = " + attribute.value + "\n";
  return out;
}

// A run meets the same rules when the operands are bound: it stops before the step, or goes through.
std::string wrong_run(const Program& program, const Sample& sample, const std::vector<Expected>& expected,
                      bool refused) {
  const auto initial = [&](Memory& memory) {
    fill_start(memory);
    if (sample.data) sample.data(memory);
  };
  const auto recording = Recording::run(program, {.budget_bytes = 4 << 20, .initial = initial});
  Diagnostics found;
  for (const Finding& finding : recording->findings()) found.push_back(finding.diagnostic);
  const std::string other = difference(found, expected);
  if (!other.empty()) return "in the run: " + other;
  if (std::ranges::any_of(recording->findings(), [](const Finding& f) { return f.step != 1; }))
    return "told of another step";
  if (recording->count() != (refused ? 1u : 2u)) return fmt::format("{} steps ran", recording->count());
  if (recording->stop_reason() != (refused ? StopReason::Error : StopReason::End))
    return "it stopped for another reason";
  return refused ? difference_from_start(recording->final_memory(), sample.data) : std::string();
}

std::string wrong_program(const RuleSet& set, const Breach& breach, Sample sample, const std::string& operand,
                          bool runs) {
  Diagnostics before;
  builder_of(sample).build(before);
  std::vector<Expected> always;
  if (!set.always.empty()) always.push_back(expected_of(*sample.row, set.always));
  const std::string not_legal = difference(before, always);
  if (!not_legal.empty()) return "before the change, " + not_legal + description(sample);

  Part nothing;
  Part& it = operand.empty() ? nothing : sample[operand];
  if (breach.change) breach.change(sample, it);
  // The change may have put operands elsewhere.
  const std::vector<Expected> expected =
      all_expected(set, breach, sample, operand.empty() ? nothing : std::as_const(sample)[operand]);
  Diagnostics told;
  const Program program = builder_of(sample).build(told);
  std::string wrong = difference(told, breach.at_run ? always : expected);
  const bool refused = std::ranges::count(expected, Severity::Error, &Expected::severity) != 0;
  if (wrong.empty() && (runs || breach.at_run)) wrong = wrong_run(program, sample, expected, refused);
  return wrong.empty() ? "" : wrong + description(sample);
}

}  // namespace

int check_absent(const InstructionRow& row, Target target, const std::string& rule, const std::string& hint) {
  const Target other = target == Target::A5 ? Target::A2A3 : Target::A5;
  int programs = 0;
  for (int t = 0; t < kDTypes; ++t) {
    const DType type = static_cast<DType>(t);
    if (!row.types(other, {}).contains(type)) continue;
    std::optional<Sample> sample = legal_sample({}, {}, row, other, type);
    REQUIRE(sample);
    sample->target = target;
    const std::vector<Expected> expected{{rule, "", Severity::Error, {row.name, name(target), "no "}}};
    Diagnostics told;
    const Program program = builder_of(*sample).build(told);
    std::string wrong = difference(told, expected);
    if (wrong.empty() && told[0].hint != hint)
      wrong = "its hint is \"" + told[0].hint + "\", the page says \"" + hint + "\"\n";
    if (wrong.empty()) wrong = wrong_run(program, *sample, expected, true);
    if (!wrong.empty()) FAIL_CHECK(wrong << description(*sample));
    ++programs;
  }
  return programs;
}

int check_breach(const RuleSet& set, const Breach& breach, const InstructionRow& row) {
  int programs = 0;
  const std::vector<std::string> operands =
      breach.operands.empty() ? std::vector<std::string>{""} : words(breach.operands);
  for (const Target target : targets_of(breach, row)) {
    for (const std::string& operand : operands) {
      int here = 0;
      for (int t = 0; t < kDTypes; ++t) {
        const DType type = static_cast<DType>(t);
        if (!breach.from.types.value_or(set.usual).contains(type) ||
            !row.types(target, breach.from.options).contains(type))
          continue;
        const auto sample = legal_sample(set, breach, row, target, type);
        if (!sample) continue;
        // Memories cost time, so the first type alone runs; and of what all instructions share, the first operand.
        const bool runs = here++ == 0 && (!breach.common || operand == operands.front());
        const std::string wrong = wrong_program(set, breach, *sample, operand, runs);
        if (!wrong.empty())
          FAIL_CHECK(std::string(row.name) << ", rule " << breach.rule << " of \"" << operand << "\": " << wrong);
      }
      programs += here;
      CHECK_MESSAGE(here != 0, std::string(row.name) << " on " << std::string(name(target)) << ", rule " << breach.rule
                                                     << ": no legal program to start from");
    }
  }
  return programs;
}

}  // namespace ts::test
