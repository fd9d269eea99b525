// Programs that break one rule of one vector instruction each: a legal instruction, and the one thing that is changed
// in it. What must be told stands beside the change, by the numbers of the instruction's page.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/catalogue/row.h"
#include "core/program/builder.h"
#include "tests/support/instructions/shapes.h"
#include "tests/support/random.h"

namespace ts::test {

// An operand: a tile where it stands, or a scalar.
struct Part {
  std::string name;   // as rules say it
  std::string alias;  // "full" or "small", where either source may be it
  Role role = Role::In;
  bool is_scalar = false;
  TileType type;
  Valid valid;
  std::uint32_t address = 0;
  Scalar scalar;

  void set_valid(std::uint32_t rows, std::uint32_t cols);
  // Rows and columns that hold the valid ones, in whole blocks.
  void make_room();
};

// One instruction, all of it open to change.
struct Sample {
  Target target = Target::A5;
  const InstructionRow* row = nullptr;
  std::vector<Part> parts;  // in text order
  std::vector<BuildAttribute> attributes;
  Options options;
  std::function<void(Memory&)> data;  // what stands in the memories before it

  bool has(std::string_view name) const;
  Part& operator[](std::string_view name);
  const Part& operator[](std::string_view name) const { return const_cast<Sample&>(*this)[name]; }
  void set(std::string_view attribute, std::string_view value);
  // Scratch that is large enough; where the row has it.
  void add_scratch();
};

using Change = std::function<void(Sample&, Part&)>;
using Prepare = std::function<void(Sample&)>;

// The legal instruction that a change starts from.
struct From {
  std::optional<Target> target = {};   // both, else
  std::optional<DTypeSet> types = {};  // of those that the row takes; else its set's usual ones
  Valid shape{5, 40};
  int form = -1;         // any
  bool scratch = false;  // named in the text
  Options options = {};
  bool (*which)(Sample&) = nullptr;  // drawn until it is so
  Prepare prepare = {};              // still legal afterwards
};

struct Breach {
  std::string rule;      // as the page numbers it: "R4", "W1", "G5"
  std::string operands;  // one program for each of these: "src0 src1"; empty: one with nothing special
  Change change;
  // What the text must hold: {it} is the changed operand, {dst.valid} 5x40, see `filled`; {limit} is `limit`.
  std::vector<std::string> says;
  From from = {};
  std::string named = "{it}";             // the operand that must be named
  std::optional<Severity> severity = {};  // R: error, else warning
  std::vector<std::string> also = {};     // what cannot but be told too: "R6 dst"
  bool at_run = false;                    // only the data show it
  bool common = false;                    // told before the row's own rules are asked
  std::optional<FindingKind> kind = {};   // where it is another than that of rules of its number
  std::function<std::uint64_t(const Sample&)> limit = {};
};

// The breaches of a few instructions.
struct RuleSet {
  std::string names;  // "tadd tsub"
  std::vector<Breach> breaches;
  std::string always = {};     // a warning that every program gets
  Prepare tidy = {};           // takes care that a drawn instruction gets no warning by chance
  DTypeSet usual = kAllTypes;  // types that get no warning; breaches with types of their own may use others
};

std::vector<Breach> operator+(std::vector<Breach> a, const std::vector<Breach>& b);
std::vector<std::string> words(std::string_view text);

// "{dst.valid}" and the like, from the instruction as it was changed.
std::string filled(std::string_view pattern, const Sample& sample, const Part& it);

// The targets that this breach is for.
std::vector<Target> targets_of(const Breach& breach, const InstructionRow& row);

// A program of an instruction on the target that lacks it, which the page says, with this hint. Returns how many there
// were.
int check_absent(const InstructionRow& row, Target target, const std::string& rule, const std::string& hint);

// Every program of one breach: each target, operand and type. Returns how many there were.
int check_breach(const RuleSet& set, const Breach& breach, const InstructionRow& row);

}  // namespace ts::test
