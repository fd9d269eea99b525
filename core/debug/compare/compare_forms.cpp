// Comparing what was stored, byte by byte and time by time.
#include "core/debug/compare/compare_forms.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <tuple>

#include "core/record/inspector.h"
#include "core/record/operand_place.h"

namespace ts {
namespace {

constexpr std::uint32_t kNoBuffer = ~0u;
constexpr std::uint32_t kLine = 256;  // bytes that are looked at together
constexpr std::size_t kMostStores = 4'000'000;
constexpr std::uint32_t kMostLookedBack = 4096;

// A byte that both forms may store: of UB, or of a buffer that both have.
using Key = std::uint64_t;
Key key_of(std::uint32_t memory, std::uint32_t address) { return Key{memory} << 32 | address; }
std::uint32_t memory_of(Key key) { return static_cast<std::uint32_t>(key >> 32); }

// A run of bytes of one line that a step stored.
struct Store {
  Key key;
  Flat flat;
  std::uint32_t size, step, unit;  // unit: the first step of the region, or the step itself
};

// --- one of the two ---

class Form {
 public:
  Form(const Recording& recording, const Recording& other) : recording_(recording), inspector_(recording) {
    for (const BufferDecl& buffer : recording.program().buffers) {
      const auto& others = other.program().buffers;
      const auto same = std::ranges::find(others, buffer.name, &BufferDecl::name);
      // Both sides number a buffer by its name's place in the order of names.
      if (same != others.end()) names_.push_back(buffer.name);
    }
    std::ranges::sort(names_);
    collect();
  }

  const Recording& recording() const { return recording_; }
  const std::vector<Store>& stores() const { return stores_; }
  bool complete() const { return complete_; }

  // What a step left there, and what the worst of the bytes is worth.
  Definedness left_by(std::uint32_t step, Flat at, std::span<std::byte> out) {
    return inspector_.peek_unedited(step + 1, place(at, static_cast<std::uint32_t>(out.size())), out);
  }
  ByteRange place(Flat at, std::uint32_t size) const { return recording_.map().locate(at, size); }

  // Whether it brings bytes from global memory.
  bool loads(std::uint32_t step) const {
    return std::ranges::any_of(recording_.bound(step).operands, [](const Operand& operand) {
      return operand.spec->kind == OperandKind::Global && operand.spec->role == Role::In;
    });
  }

 private:
  // Whether this step stands in the same turn of the same region as the one before it.
  bool goes_on(std::uint32_t step) const {
    if (step == 0) return false;
    const auto now = recording_.loops(step), before = recording_.loops(step - 1);
    const auto region = std::ranges::find_if(now, &LoopTurn::is_region);
    if (region == now.end()) return false;
    const auto levels = static_cast<std::size_t>(region - now.begin()) + 1;
    return before.size() >= levels && std::ranges::equal(now.first(levels), before.first(levels));
  }

  void collect() {
    std::uint32_t unit = 0;
    for (std::uint32_t step = 0; step < recording_.count(); ++step) {
      if (!goes_on(step)) unit = step;
      for (const WritePattern& pattern : recording_.writes(step))
        for_runs(pattern, [&](Flat base, std::uint32_t size) { add(base, size, step, unit); });
    }
    std::ranges::stable_sort(stores_, {}, [](const Store& store) { return store.key / kLine; });
  }

  void add(Flat base, std::uint32_t size, std::uint32_t step, std::uint32_t unit) {
    const ByteRange at = place(base, size);
    Key key = key_of(at.core, at.address);
    if (at.space == Space::Gm) {
      const std::uint32_t buffer = buffer_at(at.address);
      if (buffer == kNoBuffer) return;
      key = key_of(kFirstBuffer + buffer, at.address - begin_);
    } else if (at.space != Space::Ub) {
      return;
    }
    while (size > 0) {
      if (stores_.size() == kMostStores) {
        complete_ = false;
        return;
      }
      const std::uint32_t part = std::min(size, kLine - static_cast<std::uint32_t>(key % kLine));
      stores_.push_back({key, base, part, step, unit});
      key += part, base += part, size -= part;
    }
  }

  std::uint32_t buffer_at(std::uint32_t address) {
    for (const BufferDecl& buffer : recording_.program().buffers) {
      if (address < buffer.address || address >= buffer.address + buffer.size()) continue;
      const auto name = std::ranges::lower_bound(names_, buffer.name);
      if (name == names_.end() || *name != buffer.name) return kNoBuffer;
      begin_ = buffer.address;
      return static_cast<std::uint32_t>(name - names_.begin());
    }
    return kNoBuffer;
  }

 public:
  static constexpr std::uint32_t kFirstBuffer = 1u << 16;  // memories below are the cores' UB

 private:
  const Recording& recording_;
  Inspector inspector_;
  std::vector<std::string> names_;
  std::vector<Store> stores_;
  std::uint32_t begin_ = 0;
  bool complete_ = true;
};

// --- one line ---

// What was stored in one byte, time by time: indices of stores.
using Times = std::vector<std::uint32_t>;

std::array<Times, kLine> times_of(std::span<const Store> stores) {
  std::array<Times, kLine> times;
  for (std::uint32_t i = 0; i < stores.size(); ++i)
    for (std::uint32_t byte = 0; byte < stores[i].size; ++byte) {
      Times& of = times[stores[i].key % kLine + byte];
      // A region counts once, with its last store.
      if (!of.empty() && stores[of.back()].unit == stores[i].unit) of.back() = i;
      else of.push_back(i);
    }
  return times;
}

// An element that differs.
struct Found {
  std::uint32_t step_a, step_b, unit_a;
  int operand_a, operand_b;
  std::uint32_t row, col;
  Flat at;  // in a
  ByteRange place_b;
  bool in_global;
  Difference difference;
  auto order() const { return std::tie(step_a, operand_a, row, col); }
};

// --- all of it ---

class Forms {
 public:
  Forms(const Recording& a, const Recording& b, const CompareRunsOptions& options)
      : a_(a, b), b_(b, a), options_(options) {}

  RunDifferences all(const std::function<bool(std::uint32_t)>& go_on) {
    result_.complete = a_.complete() && b_.complete() && compare(go_on);
    choose();
    tell();
    result_.parted = parting_at_ends(a_.recording(), b_.recording());
    if (result_.stored_bytes == 0 && !result_.parted)
      result_.parted = Parting{0, 0, "the two forms stored nothing in the same bytes"};
    return std::move(result_);
  }

 private:
  bool compare(const std::function<bool(std::uint32_t)>& go_on) {
    const std::vector<Store>&of_a = a_.stores(), &of_b = b_.stores();
    std::uint32_t lines = 0;
    for (std::size_t i = 0, j = 0; i < of_a.size() && j < of_b.size();) {
      const Key line = of_a[i].key / kLine, other = of_b[j].key / kLine;
      const auto end_of = [](const std::vector<Store>& of, std::size_t at, Key in) {
        while (at < of.size() && of[at].key / kLine == in) ++at;
        return at;
      };
      const std::size_t end_a = end_of(of_a, i, line), end_b = end_of(of_b, j, other);
      if (line == other) {
        constexpr std::uint32_t kAskEvery = 64;
        if (lines++ % kAskEvery == 0 && go_on && !go_on(lines)) return false;
        compare_line(std::span(of_a).subspan(i, end_a - i), std::span(of_b).subspan(j, end_b - j));
      }
      if (line <= other) i = end_a;
      if (other <= line) j = end_b;
    }
    return true;
  }

  void compare_line(std::span<const Store> of_a, std::span<const Store> of_b) {
    const auto times_a = times_of(of_a), times_b = times_of(of_b);
    std::size_t most = 0;
    for (std::uint32_t byte = 0; byte < kLine; ++byte) {
      if (times_a[byte].empty() || times_b[byte].empty()) continue;
      most = std::max(most, times_a[byte].size() == times_b[byte].size() ? times_a[byte].size() : 1);
      ++result_.stored_bytes;
    }
    for (std::size_t time = 0; time < most; ++time) compare_time(of_a, of_b, times_a, times_b, time);
  }

  // Counted from the last time backwards. Bytes that the same two stores left are compared at once.
  void compare_time(std::span<const Store> of_a, std::span<const Store> of_b, const std::array<Times, kLine>& times_a,
                    const std::array<Times, kLine>& times_b, std::size_t time) {
    const auto stored = [&](std::uint32_t byte) -> std::pair<const Store*, const Store*> {
      const Times &a = times_a[byte], &b = times_b[byte];
      if (a.empty() || b.empty() || time >= a.size() || (time > 0 && a.size() != b.size())) return {};
      return {&of_a[a[a.size() - 1 - time]], &of_b[b[b.size() - 1 - time]]};
    };
    for (std::uint32_t byte = 0; byte < kLine;) {
      const auto [a, b] = stored(byte);
      std::uint32_t end = byte + 1;
      while (a != nullptr && end < kLine && stored(end) == std::pair{a, b}) ++end;
      if (a != nullptr)
        compare_run(*a, a->flat + byte - static_cast<std::uint32_t>(a->key % kLine), *b,
                    b->flat + byte - static_cast<std::uint32_t>(b->key % kLine), end - byte);
      byte = end;
    }
  }

  void compare_run(const Store& a, Flat at_a, const Store& b, Flat at_b, std::uint32_t size) {
    std::array<std::byte, kLine> left_a, left_b;
    a_.left_by(a.step, at_a, std::span(left_a).first(size));
    b_.left_by(b.step, at_b, std::span(left_b).first(size));
    const bool in_global = memory_of(a.key) >= Form::kFirstBuffer;
    for (std::uint32_t i = 0; i < size; ++i) {
      if (left_a[i] == left_b[i]) continue;
      const std::optional<Found> found = element_at(a, at_a + i, b, at_b + i);
      if (!found) continue;
      // What is loaded says whether the two use UB alike.
      if (!in_global && (a_.loads(a.step) || b_.loads(b.step))) loads_differ_ = true;
      found_.push_back(*found);
    }
  }

  // The operand that a byte is part of, or else the first result, through whose pointer it was reached.
  struct Place {
    int operand = -1;
    OperandElement element{};
  };
  static Place place_in(const Bound& bound, const ByteRange& place) {
    const int holding = operand_holding(bound, place, true);
    if (holding >= 0) return {holding, element_of(bound.operands[static_cast<std::size_t>(holding)], place.address)};
    for (std::size_t i = 0; i < bound.operands.size(); ++i) {
      const Operand& operand = bound.operands[i];
      if (operand.spec->role != Role::Out || operand.spec->kind != OperandKind::Tile) continue;
      if (operand.tile.space() != place.space || place.address < operand.tile.address) continue;
      const std::uint32_t size = operand.tile.elem_bytes(), col = (place.address - operand.tile.address) / size;
      return {static_cast<int>(i), {0, col, place.with(operand.tile.address + col * size, size)}};
    }
    return {};
  }

  // Nothing: nobody promises what stands there, or it is near enough.
  std::optional<Found> element_at(const Store& a, Flat at_a, const Store& b, Flat at_b) {
    const Bound &of_a = a_.recording().bound(a.step), &of_b = b_.recording().bound(b.step);
    const Place in_a = place_in(of_a, a_.place(at_a, 1)), in_b = place_in(of_b, b_.place(at_b, 1));
    if (in_a.operand < 0 || in_b.operand < 0) return {};
    const Operand& operand = of_a.operands[static_cast<std::size_t>(in_a.operand)];
    if (operand.spec->kind == OperandKind::Tile && options_.values.region == Region::Valid && holds(operand, in_a) &&
        (in_a.element.row >= operand.tile.valid_rows || in_a.element.col >= operand.tile.valid_cols))
      return {};
    const ByteRange place = in_a.element.place;
    const Flat first = a_.recording().map().flat(place);
    std::array<std::byte, 8> bytes_a{}, bytes_b{};
    const ByteRange place_b = b_.place(first - at_a + at_b, place.size);
    const Definedness worth_a = a_.left_by(a.step, first, std::span(bytes_a).first(place.size));
    const Definedness worth_b = b_.left_by(b.step, first - at_a + at_b, std::span(bytes_b).first(place.size));
    if (worth_a != Definedness::Written || worth_b != Definedness::Written) return {};
    const auto bits = [&](const std::array<std::byte, 8>& bytes) {
      std::uint64_t all = 0;
      std::memcpy(&all, bytes.data(), bytes.size());
      return bits_in(all, place.part);
    };
    const ElementFormat& format = element_format(element_type(operand));
    auto difference =
        difference_of(format, whole(bits(bytes_a), place), format, whole(bits(bytes_b), place), options_.values);
    if (!difference) return {};
    difference->row = in_a.element.row, difference->col = in_a.element.col;
    return Found{a.step,           b.step,           a.unit, in_a.operand, in_b.operand,
                 in_a.element.row, in_a.element.col, first,  place_b,      memory_of(a.key) >= Form::kFirstBuffer,
                 *difference};
  }
  static bool holds(const Operand& operand, const Place& at) {
    return at.element.row < operand.tile.rows() && at.element.col < operand.tile.cols();
  }
  static std::uint64_t whole(std::uint64_t bits, const ByteRange& place) {
    return place.part == BytePart::Whole && place.size < 8 ? bits & ((std::uint64_t{1} << 8 * place.size) - 1) : bits;
  }

  // Global memory decides. Where it is the same, or UB is used in another way, UB says nothing.
  void choose() {
    const bool any = std::ranges::any_of(found_, &Found::in_global);
    const auto has_global = [](const Form& form) {
      return std::ranges::any_of(form.stores(),
                                 [](const Store& one) { return memory_of(one.key) >= Form::kFirstBuffer; });
    };
    const bool decided = has_global(a_) && has_global(b_);
    if ((decided && !any) || loads_differ_) std::erase_if(found_, [](const Found& one) { return !one.in_global; });
    std::ranges::sort(found_, {}, &Found::order);
    const auto same = [](const Found& x, const Found& y) { return x.order() == y.order(); };
    found_.erase(std::unique(found_.begin(), found_.end(), same), found_.end());
  }

  void tell() {
    for (const Found& one : found_) {
      std::vector<ResultDifference>& told = result_.differences;
      if (told.empty() || told.back().step_a != one.step_a || told.back().operand_a != one.operand_a) {
        if (told.size() == options_.most) {
          result_.complete = false;
          return;
        }
        told.push_back({one.step_a, one.step_b, one.operand_a, one.operand_b, name_of(one), {}, read_before(one)});
        told.back().place_b = one.place_b;
        ranges_.push_back({one.at, one.at + 1});
      }
      ranges_.back().first = std::min(ranges_.back().first, one.at);
      ranges_.back().end = std::max(ranges_.back().end, one.at + one.place_b.size);
      take(told.back().comparison, one.difference);
    }
  }

  static void take(Comparison& comparison, const Difference& difference) {
    ++comparison.count, ++comparison.compared;
    if (!comparison.first) comparison.first = comparison.worst = comparison.worst_ulp = difference;
    if (difference.absolute > comparison.worst->absolute) comparison.worst = difference;
    const auto far = [](const Difference& one) { return one.ulps.value_or(~std::uint64_t{0}); };
    if (far(difference) > far(*comparison.worst_ulp)) comparison.worst_ulp = difference;
  }

  std::string name_of(const Found& one) const {
    const Recording& a = a_.recording();
    const Operand& operand = a.bound(one.step_a).operands[static_cast<std::size_t>(one.operand_a)];
    return operand.spec->kind == OperandKind::Tile ? a.program().tiles[operand.id].name
                                                   : a.program().buffers[operand.id].name;
  }

  // Whether the step, or one of its region before it, read what was told to be different already.
  bool read_before(const Found& one) const {
    const Recording& a = a_.recording();
    const std::uint32_t from =
        std::max(one.unit_a, one.step_a > kMostLookedBack ? one.step_a - kMostLookedBack : std::uint32_t{0});
    for (std::uint32_t step = from; step <= one.step_a; ++step)
      for (const Operand& operand : a.bound(step).operands) {
        if (operand.spec->kind == OperandKind::Scalar || operand.spec->role == Role::Out ||
            operand.spec->role == Role::Tmp)
          continue;
        const ByteRange place = bytes_of(operand);
        const Flat first = a.map().flat(place);
        for (const FlatRange& range : ranges_)
          if (range.first < first + place.size && first < range.end) return true;
      }
    return false;
  }

  struct FlatRange {
    Flat first, end;
  };
  Form a_, b_;
  CompareRunsOptions options_;
  RunDifferences result_;
  std::vector<Found> found_;
  std::vector<FlatRange> ranges_;  // of what was told, in a
  bool loads_differ_ = false;
};

bool has_vector_micro(const Program& program) {
  return std::ranges::any_of(program.instructions, [](const Instruction& instruction) {
    return instruction.row->micro && instruction.row->pipe == Pipe::V;
  });
}

}  // namespace

bool are_two_forms(const Program& a, const Program& b) { return has_vector_micro(a) != has_vector_micro(b); }

RunDifferences compare_forms(const Recording& a, const Recording& b, const CompareRunsOptions& options,
                             const std::function<bool(std::uint32_t)>& go_on) {
  return Forms(a, b, options).all(go_on);
}

}  // namespace ts
