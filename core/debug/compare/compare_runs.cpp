// Comparing what steps that correspond left behind.
#include "core/debug/compare/compare_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <tuple>

#include "core/debug/compare/compare_forms.h"
#include "core/debug/origins/source_text.h"
#include "core/record/operand_place.h"

namespace ts {
namespace {

bool is_result(const Operand& operand) {
  return operand.spec->role == Role::Out && operand.spec->kind != OperandKind::Scalar;
}

Flat flat_of(const Recording& recording, ByteRange place) { return recording.map().flat(place); }

// --- one of the two recordings ---

class Recorded {
 public:
  explicit Recorded(const Recording& recording) : recording_(recording), after_(recording) {}

  const Recording& recording() const { return recording_; }

  // The memories as a step found them, and as it left them: without what was edited behind it. Valid until the next
  // call of the same.
  const Memory& found_by(std::uint32_t step) {
    if (!before_) before_.emplace(recording_);
    return before_->at(step);
  }
  const Memory& left_by(std::uint32_t step) {
    return recording_.edits_at(step + 1).empty() ? after_.at(step + 1) : after_.unedited(step + 1);
  }

  // The bytes from `at` on as a step left them, as many of `most` as stand side by side. Where the recording has them,
  // nothing is copied. Valid until the next call.
  std::span<const std::byte> bytes_left_by(std::uint32_t step, Flat at, std::size_t most) {
    const Timeline& timeline = recording_.timeline();
    const std::uint32_t position = step + 1;
    if (timeline.thinning().keyframe(position) != position || !recording_.edits_at(position).empty())
      return left_by(step).at(at, static_cast<std::uint32_t>(most));
    const std::uint32_t page = at / kPageBytes, in_page = at % kPageBytes;
    const std::size_t size = std::min<std::size_t>(most, kPageBytes - in_page);
    const std::uint32_t version = timeline.version_at(page, position);
    // A page that nobody ever wrote is in no recording.
    if (version == 0) return left_by(step).at(at, static_cast<std::uint32_t>(size));
    content_ = timeline.content(page, version);
    return content_.bytes_at(in_page, size);
  }

 private:
  const Recording& recording_;
  Inspector after_;
  std::optional<Inspector> before_;
  PageContent content_;
};

// --- two operands that correspond ---

struct Element {
  std::uint32_t row, col;
  auto operator<=>(const Element&) const = default;
};

// An operand of a step on one side.
struct SideOperand {
  Recorded* run;
  std::uint32_t step;
  int number;
  const Operand& operand() const { return run->recording().bound(step).operands[static_cast<std::size_t>(number)]; }
  const std::string& name() const {
    const Program& program = run->recording().program();
    const bool tile = operand().spec->kind == OperandKind::Tile;
    return tile ? program.tiles[operand().id].name : program.buffers[operand().id].name;
  }
};

// Rows and columns that are compared: of a buffer one row.
std::pair<std::uint32_t, std::uint32_t> shape_of(const Operand& operand, Region region) {
  if (operand.spec->kind == OperandKind::Tile)
    return region == Region::Valid ? std::pair{operand.tile.valid_rows, operand.tile.valid_cols}
                                   : std::pair{operand.tile.rows(), operand.tile.cols()};
  return {1, static_cast<std::uint32_t>(elements_in(element_type(operand), bytes_of(operand).size))};
}

struct OperandPair {
  SideOperand a, b;
  std::uint32_t rows, cols;  // that both have
};

OperandPair pair_of(const SideOperand& a, const SideOperand& b, Region region) {
  const auto [rows_a, cols_a] = shape_of(a.operand(), region);
  const auto [rows_b, cols_b] = shape_of(b.operand(), region);
  return {a, b, std::min(rows_a, rows_b), std::min(cols_a, cols_b)};
}

// Whether the same bytes stand for the same elements.
bool same_layout(const Operand& a, const Operand& b) {
  if (a.spec->kind == OperandKind::Tile) return a.tile.type == b.tile.type;
  return a.global.dtype == b.global.dtype;
}

// Copied out of the memories, one row.
Elements copied(const Memory& memory, const Operand& operand, const std::vector<Element>& elements) {
  const auto count = static_cast<std::uint32_t>(elements.size());
  Elements copy{&element_format(element_type(operand)), 1, count, 1, count, {}, {}};
  for (const Element& element : elements) {
    const ByteRange place = place_of(operand, element.row, element.col);
    copy.bits.push_back(memory.element(place));
    copy.worth.push_back(memory.worst_definedness(memory.map().flat(place), place.size));
  }
  return copy;
}

// Elements on both sides. What only one of them promises is neither same nor different.
struct ElementPairs {
  Elements a, b;
  ElementPairs(const OperandPair& pair, const Memory& memory_a, const Memory& memory_b,
               const std::vector<Element>& elements)
      : a(copied(memory_a, pair.a.operand(), elements)), b(copied(memory_b, pair.b.operand(), elements)) {
    for (std::size_t i = 0; i < elements.size(); ++i)
      if (a.worth[i] != Definedness::Written || b.worth[i] != Definedness::Written)
        a.worth[i] = b.worth[i] = Definedness::Never;
  }
  Comparing comparing(CompareOptions options) const {
    options.region = Region::All;
    return std::get<Comparing>(Comparing::make(a, b, options));
  }
};

// --- results ---

// Calls f(offset, size) for what a step wrote of an operand, in bytes from its begin; false ends it.
template <class F>
bool for_written(const SideOperand& side, F f) {
  const ByteRange all = bytes_of(side.operand());
  const Flat first = flat_of(side.run->recording(), all), end = first + all.size;
  for (const WritePattern& pattern : side.run->recording().writes(side.step)) {
    // Runs that stand close are looked at as one: equal bytes between them do no harm.
    const bool close = pattern.count > 1 && pattern.stride / 4 <= pattern.size;
    const Flat size = close ? (pattern.count - 1) * pattern.stride + pattern.size : pattern.size;
    for (std::uint32_t i = 0; i < (close ? 1 : pattern.count); ++i) {
      const Flat base = pattern.base + i * pattern.stride;
      const Flat from = std::max(base, first), to = std::min(base + size, end);
      if (from < to && !f(from - first, to - from)) return false;
    }
  }
  return true;
}

// Whether all that either of them wrote, and what stands close to it, is byte for byte the same.
bool same_bytes(const OperandPair& pair) {
  if (!same_layout(pair.a.operand(), pair.b.operand())) return false;
  const ByteRange all_a = bytes_of(pair.a.operand()), all_b = bytes_of(pair.b.operand());
  const Flat first_a = flat_of(pair.a.run->recording(), all_a), first_b = flat_of(pair.b.run->recording(), all_b);
  const auto same = [&](std::uint32_t offset, std::uint32_t size) {
    if (offset + size > std::min(all_a.size, all_b.size)) return false;
    while (size > 0) {
      const auto a = pair.a.run->bytes_left_by(pair.a.step, first_a + offset, size);
      const auto b = pair.b.run->bytes_left_by(pair.b.step, first_b + offset, size);
      const auto both = static_cast<std::uint32_t>(std::min(a.size(), b.size()));
      if (std::memcmp(a.data(), b.data(), both) != 0) return false;
      offset += both;
      size -= both;
    }
    return true;
  };
  if (!for_written(pair.a, same)) return false;
  const auto patterns_a = pair.a.run->recording().writes(pair.a.step);
  const auto patterns_b = pair.b.run->recording().writes(pair.b.step);
  const bool wrote_the_same =
      std::ranges::equal(patterns_a, patterns_b, [&](const WritePattern& x, const WritePattern& y) {
        return x.base - first_a == y.base - first_b &&
               std::tie(x.size, x.stride, x.count) == std::tie(y.size, y.stride, y.count);
      });
  return wrote_the_same || for_written(pair.b, same);
}

// The elements that a step wrote, of those that are compared.
void add_written(const SideOperand& side, const OperandPair& pair, std::vector<Element>& elements) {
  const Operand& operand = side.operand();
  const DType type = element_type(operand);
  const ByteRange all = bytes_of(operand);
  const Flat first = flat_of(side.run->recording(), all), end = first + all.size;
  for (const WritePattern& pattern : side.run->recording().writes(side.step)) {
    for_runs(pattern, [&](Flat base, std::uint32_t count) {
      const Flat from = std::max(base, first), to = std::min(base + count, end);
      if (from >= to) return;
      const std::uint32_t begin = element_number(first, type, from),
                          last = element_number(first, type, to - 1, BytePart::High);
      for (std::uint32_t index = begin; index <= last; ++index) {
        ByteRange place = element_place(all.space, all.address, type, index);
        place.core = all.core;
        const OperandElement element = element_of(operand, place.address, place.part);
        if (element.row < pair.rows && element.col < pair.cols) elements.push_back({element.row, element.col});
      }
    });
  }
}

// Differences as the operand counts elements, not as the row of copies does.
void put_back(std::optional<Difference>& difference, const std::vector<Element>& elements) {
  if (!difference) return;
  const Element& element = elements[difference->col];
  difference->row = element.row;
  difference->col = element.col;
}

Comparison compare_written(const OperandPair& pair, const CompareOptions& options) {
  std::vector<Element> elements;
  add_written(pair.a, pair, elements);
  add_written(pair.b, pair, elements);
  std::ranges::sort(elements);
  elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
  const ElementPairs copies(pair, pair.a.run->left_by(pair.a.step), pair.b.run->left_by(pair.b.step), elements);
  Comparison result = copies.comparing(options).all();
  for (auto* difference : {&result.first, &result.worst, &result.worst_ulp}) put_back(*difference, elements);
  return result;
}

// --- inputs ---

// All elements of a tile's region, or of a view, that both have.
std::vector<Element> elements_read(const OperandPair& pair) {
  std::vector<Element> elements;
  const Operand &a = pair.a.operand(), &b = pair.b.operand();
  if (a.spec->kind == OperandKind::Tile) {
    for (std::uint32_t row = 0; row < pair.rows; ++row)
      for (std::uint32_t col = 0; col < pair.cols; ++col) elements.push_back({row, col});
    return elements;
  }
  const std::uint64_t before = elements_in(a.global.dtype, a.global.address - a.global.buffer_begin);
  for (std::uint32_t row = 0; row < std::min(a.global.rows(), b.global.rows()); ++row)
    for (std::uint32_t col = 0; col < std::min(a.global.cols(), b.global.cols()); ++col) {
      const auto index = static_cast<std::uint32_t>(before + a.global.number_of(row, col));
      if (index < pair.cols) elements.push_back({0, index});
    }
  return elements;
}

bool differed_before(const OperandPair& pair, const CompareOptions& options) {
  const std::vector<Element> elements = elements_read(pair);
  const ElementPairs copies(pair, pair.a.run->found_by(pair.a.step), pair.b.run->found_by(pair.b.step), elements);
  return copies.comparing(options).next(0).has_value();
}

// The operand of the other side that plays the same part, or -1.
int partner_of(const Operand& operand, const Bound& other) {
  for (std::size_t i = 0; i < other.operands.size(); ++i)
    if (other.operands[i].spec->name == operand.spec->name && other.operands[i].spec->kind == operand.spec->kind &&
        other.operands[i].spec->role == operand.spec->role)
      return static_cast<int>(i);
  return -1;
}

// --- all steps ---

class Compare {
 public:
  Compare(const Recording& a, const Recording& b, const CompareRunsOptions& options)
      : a_(a), b_(b), options_(options), pairs_(pair_steps(a, b)) {}

  RunDifferences all(const std::function<bool(std::uint32_t)>& go_on) {
    for (const PairedRun& run : pairs_.runs) found_.paired += run.count;
    found_.only_a = pairs_.only_a;
    found_.only_b = pairs_.only_b;
    found_.complete = compare_runs(go_on);
    // What comes behind the place where it stopped is not known yet.
    if (found_.complete) found_.parted = pairs_.parted;
    return std::move(found_);
  }

 private:
  bool compare_runs(const std::function<bool(std::uint32_t)>& go_on) {
    constexpr std::uint32_t kAskEvery = 64;
    for (const PairedRun& run : pairs_.runs)
      for (std::uint32_t i = 0; i < run.count; ++i) {
        if (found_.compared % kAskEvery == 0 && go_on && !go_on(found_.compared)) return false;
        if (found_.differences.size() >= options_.most) return false;
        compare_steps(run.a + i, run.b + i);
        ++found_.compared;
      }
    return true;
  }

  void compare_steps(std::uint32_t step_a, std::uint32_t step_b) {
    std::optional<bool> inherited;
    const Bound &of_a = a_.recording().bound(step_a), &of_b = b_.recording().bound(step_b);
    for (std::size_t i = 0; i < of_a.operands.size(); ++i) {
      if (!is_result(of_a.operands[i])) continue;
      const int partner = partner_of(of_a.operands[i], of_b);
      if (partner < 0) continue;
      const OperandPair pair =
          pair_of({&a_, step_a, static_cast<int>(i)}, {&b_, step_b, partner}, options_.values.region);
      // Where no NaN is like another, equal bytes may differ.
      if (options_.values.nan_equal && same_bytes(pair)) continue;
      Comparison comparison = compare_written(pair, options_.values);
      if (comparison.ok()) continue;
      if (!inherited) inherited = read_differences(step_a, step_b);
      found_.differences.push_back(
          {step_a, step_b, pair.a.number, pair.b.number, pair.a.name(), std::move(comparison), *inherited});
    }
  }

  bool read_differences(std::uint32_t step_a, std::uint32_t step_b) {
    const Bound &of_a = a_.recording().bound(step_a), &of_b = b_.recording().bound(step_b);
    for (std::size_t i = 0; i < of_a.operands.size(); ++i) {
      const Operand& operand = of_a.operands[i];
      if (operand.spec->role == Role::Out || operand.spec->role == Role::Tmp || operand.spec->role == Role::Address)
        continue;
      const int partner = partner_of(operand, of_b);
      if (partner < 0) continue;
      if (operand.spec->kind == OperandKind::Scalar) {
        // In an edited program a number of its own is a cause; in the same one it was read or given.
        if (pairs_.same_program && operand.scalar != of_b.operands[static_cast<std::size_t>(partner)].scalar)
          return true;
        continue;
      }
      const OperandPair pair = pair_of({&a_, step_a, static_cast<int>(i)}, {&b_, step_b, partner}, Region::Valid);
      // In an edited program an operand that became another one is a cause.
      if (!pairs_.same_program && pair.a.name() != pair.b.name()) continue;
      if (differed_before(pair, options_.values)) return true;
    }
    return false;
  }

  Recorded a_, b_;
  CompareRunsOptions options_;
  StepPairs pairs_;
  RunDifferences found_;
};

// --- texts ---

constexpr std::size_t kMostSourcesTold = 8;

// ", made by step 3 ttrans": nothing where no step made it.
std::string maker_text(Questions& questions, std::uint32_t step, const Source& source) {
  if (source.kind == Source::Kind::Scalar || source.kind == Source::Kind::Unspecified) return {};
  for (const Made& made : questions.flow().makers(source.place, step))
    if (made.maker == Maker::Step)
      return fmt::format(", made by step {} {}", made.step, questions.recording().bound(made.step).row->name);
  return {};
}

std::string sources_text(Questions& questions, std::uint32_t step, const std::vector<Source>& sources) {
  std::string text;
  for (std::size_t i = 0; i < std::min(sources.size(), kMostSourcesTold); ++i)
    text += "\n    " + source_text(questions.recording(), questions.recording().bound(step), sources[i]) +
            maker_text(questions, step, sources[i]);
  if (sources.size() > kMostSourcesTold) text += fmt::format("\n    and {} more", sources.size() - kMostSourcesTold);
  return text.empty() ? "\n    from nothing: it did not write the element" : text;
}

std::string bits_text(const Operand& operand, std::uint64_t bits) {
  const ElementFormat& format = element_format(element_type(operand));
  return fmt::format("{} ({})", short_text(format, bits), hex_text(format, bits));
}

}  // namespace

std::size_t RunDifferences::causes() const {
  return static_cast<std::size_t>(std::ranges::count(differences, false, &ResultDifference::inherited));
}

RunDifferences compare_runs(const Recording& a, const Recording& b, const CompareRunsOptions& options,
                            const std::function<bool(std::uint32_t)>& go_on) {
  if (are_two_forms(a.program(), b.program())) return compare_forms(a, b, options, go_on);
  return Compare(a, b, options).all(go_on);
}

RunDifferences compare_runs(Questions& a, Questions& b, const CompareRunsOptions& options,
                            const std::function<bool(std::uint32_t)>& go_on) {
  return compare_runs(a.recording(), b.recording(), options, go_on);
}

DifferingElement explain(Questions& a, Questions& b, const ResultDifference& difference, const Difference& element) {
  const auto place = [&](Questions& questions, std::uint32_t step, int number) {
    const Operand& operand = questions.recording().bound(step).operands[static_cast<std::size_t>(number)];
    return place_of(operand, element.row, element.col);
  };
  const ByteRange place_b =
      difference.place_b ? *difference.place_b : place(b, difference.step_b, difference.operand_b);
  return {element.row, element.col, element,
          a.flow_of(difference.step_a).sources_of_bytes(place(a, difference.step_a, difference.operand_a)),
          b.flow_of(difference.step_b).sources_of_bytes(place_b)};
}

std::string difference_text(Questions& a, Questions& b, const ResultDifference& difference) {
  const Recording &of_a = a.recording(), &of_b = b.recording();
  const auto [name_a, name_b] = side_names(of_a, of_b);
  const Bound &bound_a = of_a.bound(difference.step_a), &bound_b = of_b.bound(difference.step_b);
  const Operand& result_a = bound_a.operands[static_cast<std::size_t>(difference.operand_a)];
  // Of two forms the first one says what the bits are.
  const Operand& result_b =
      difference.place_b ? result_a : bound_b.operands[static_cast<std::size_t>(difference.operand_b)];
  const Difference& first = *difference.comparison.first;
  const std::string element = result_a.spec->kind == OperandKind::Tile ? fmt::format("{},{}", first.row, first.col)
                                                                       : fmt::format("{}", first.col);
  std::string text = fmt::format("step {} {}, line {}", difference.step_a, bound_a.row->name, bound_a.pos.line);
  if (difference.step_b != difference.step_a || bound_b.pos.line != bound_a.pos.line)
    text += fmt::format(" (of {} step {}{}, line {})", name_b, difference.step_b,
                        difference.place_b ? std::string(" ") + bound_b.row->name : "", bound_b.pos.line);
  text += fmt::format(": %{}[{}] is {} on {} and {} on {}", difference.name, element, bits_text(result_a, first.a),
                      name_a, bits_text(result_b, first.b), name_b);
  if (first.ulps) text += fmt::format(", {} {}", *first.ulps, is_float(element_type(result_a)) ? "ulp apart" : "apart");
  if (difference.comparison.count > 1) text += fmt::format("; {} elements differ", difference.comparison.count);
  const DifferingElement explained = explain(a, b, difference, first);
  return text + fmt::format("\n  on {}{}\n  on {}{}", name_a, sources_text(a, difference.step_a, explained.from_a),
                            name_b, sources_text(b, difference.step_b, explained.from_b));
}

}  // namespace ts
