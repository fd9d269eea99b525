// Hashing operations, and finding them again.
#include "core/debug/follow/text_shape.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "core/debug/compare/step_pairs.h"
#include "core/text/op_at_line.h"

namespace ts {
namespace {

constexpr std::size_t kMostOps = 100'000;
constexpr std::uint32_t kMostEdits = 2000;

// FNV-1a, in which files of other versions hash as this one does; never 0.
class Hash {
 public:
  void add(char letter) {
    hash_ ^= static_cast<unsigned char>(letter);
    hash_ *= 0x100000001B3u;
  }
  std::uint32_t value() const {
    const auto folded = static_cast<std::uint32_t>(hash_ ^ hash_ >> 32);
    return folded == 0 ? 1 : folded;
  }

 private:
  std::uint64_t hash_ = 0xCBF29CE484222325u;
};

bool is_word(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') ||
         letter == '_' || letter == '.' || letter == '$';
}
bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }
bool is_blank(char letter) { return letter == ' ' || letter == '\t' || letter == '\n' || letter == '\r'; }

// Letters of an operation that count, one after the other: a blank only between two words.
class Letters {
 public:
  Letters(const text::Tree& tree, const text::Op& op) : tree_(tree), op_(op), end_(text::head_end(tree, op)) {
    if (op.location != text::kNoId) location_ = tree.locations.written[op.location].range;
  }

  template <class Take>
  void read(Take take) const {
    const std::string_view text = tree_.source->text();
    auto comment = std::ranges::lower_bound(tree_.comments, op_.range.begin, {},
                                            [](const text::Comment& one) { return one.range.end; });
    char last = 0;
    bool blank = false;
    for (std::uint32_t at = op_.range.begin; at < end_; ++at) {
      while (comment != tree_.comments.end() && comment->range.end <= at) ++comment;
      const bool in_comment = comment != tree_.comments.end() && comment->range.begin <= at;
      if (in_comment || is_blank(text[at]) || (location_.begin <= at && at < location_.end)) {
        blank = true;
        continue;
      }
      if (blank && is_word(last) && is_word(text[at])) take(' ', at);
      blank = false;
      take(last = text[at], at);
      if (last != '%') continue;
      // %12 is a name that a generator gives anew with every text; %12a is a person's.
      std::uint32_t behind = at + 1;
      while (behind < end_ && is_digit(text[behind])) ++behind;
      if (behind == end_ || !is_word(text[behind])) at = behind - 1;
    }
  }

 private:
  const text::Tree& tree_;
  const text::Op& op_;
  std::uint32_t end_;
  text::SourceRange location_ = {};
};

ShapedOp shaped(const text::Tree& tree, const text::Op& op) {
  Hash text, name, rest;
  Letters(tree, op).read([&](char letter, std::uint32_t at) {
    text.add(letter);
    (op.name.begin <= at && at < op.name.end ? name : rest).add(letter);
  });
  return {tree.source->position(op.name.begin).line, text.value(), name.value(), rest.value()};
}

// --- finding them again ---

using Numbers = std::vector<std::uint32_t>;

Numbers numbers_of(const TextShape& shape, std::uint32_t ShapedOp::*hash, const Numbers& of) {
  Numbers numbers;
  numbers.reserve(of.size());
  for (const std::uint32_t op : of) numbers.push_back(shape.ops[op].*hash);
  return numbers;
}

class Matcher {
 public:
  Matcher(const TextShape& before, const TextShape& now)
      : before_(before), now_(now), found_(before.ops.size()), taken_(now.ops.size()) {}

  std::vector<ShapeMatch> match() {
    Numbers all_before(before_.ops.size()), all_now(now_.ops.size());
    for (std::uint32_t i = 0; i < all_before.size(); ++i) all_before[i] = i;
    for (std::uint32_t i = 0; i < all_now.size(); ++i) all_now[i] = i;
    join(all_before, all_now, &ShapedOp::text);
    // What stays in its order bounds the gaps; what was moved does not.
    std::vector<Gap> gaps = gaps_between();
    find_moved();
    for (Gap& gap : gaps)
      for (const auto hash : {&ShapedOp::name, &ShapedOp::rest}) {
        std::erase_if(gap.before, [&](std::uint32_t op) { return found_[op].op.has_value(); });
        std::erase_if(gap.now, [&](std::uint32_t op) { return taken_[op]; });
        join(gap.before, gap.now, hash);
      }
    return std::move(found_);
  }

 private:
  struct Gap {
    Numbers before, now;
  };

  void take(std::uint32_t op, std::uint32_t here) {
    found_[op] = {here, before_.ops[op].text == now_.ops[here].text};
    taken_[here] = true;
  }

  void join(const Numbers& before, const Numbers& now, std::uint32_t ShapedOp::*hash) {
    if (before.empty() || now.empty()) return;
    for (const PairedRun& run : common_runs(numbers_of(before_, hash, before), numbers_of(now_, hash, now), kMostEdits))
      for (std::uint32_t i = 0; i < run.count; ++i) take(before[run.a + i], now[run.b + i]);
  }

  std::vector<Gap> gaps_between() const {
    std::vector<Gap> gaps(1);
    std::uint32_t here = 0;
    const auto up_to = [&](std::uint32_t end) {
      for (; here < end; ++here)
        if (!taken_[here]) gaps.back().now.push_back(here);
    };
    for (std::uint32_t op = 0; op < found_.size(); ++op) {
      if (!found_[op].op) {
        gaps.back().before.push_back(op);
        continue;
      }
      up_to(static_cast<std::uint32_t>(*found_[op].op));
      if (!gaps.back().before.empty() || !gaps.back().now.empty()) gaps.emplace_back();
    }
    up_to(static_cast<std::uint32_t>(taken_.size()));
    return gaps;
  }

  // As they are, in another place; of several that say the same, the one with a neighbour that was there before.
  void find_moved() {
    std::unordered_map<std::uint32_t, Numbers> free;
    for (std::uint32_t here = 0; here < taken_.size(); ++here)
      if (!taken_[here]) free[now_.ops[here].text].push_back(here);
    for (std::uint32_t op = 0; op < found_.size(); ++op) {
      if (found_[op].op) continue;
      const auto those = free.find(before_.ops[op].text);
      if (those == free.end() || those->second.empty()) continue;
      const auto beside = std::ranges::find_if(those->second, [&](std::uint32_t here) {
        return now_.before(here) == before_.before(op) || now_.after(here) == before_.after(op);
      });
      const auto chosen = beside == those->second.end() ? those->second.begin() : beside;
      take(op, *chosen);
      those->second.erase(chosen);
    }
  }

  const TextShape &before_, &now_;
  std::vector<ShapeMatch> found_;
  std::vector<bool> taken_;
};

}  // namespace

std::optional<std::size_t> TextShape::at(std::uint32_t line) const {
  const auto first = std::ranges::lower_bound(ops, line, {}, &ShapedOp::line);
  if (first == ops.end() || first->line != line) return {};
  return static_cast<std::size_t>(first - ops.begin());
}

TextShape shape_of(const text::Tree& tree) {
  TextShape shape;
  if (tree.ops.size() > kMostOps) return shape;
  std::vector<const text::Op*> in_order;
  for (const text::Op& op : tree.ops) in_order.push_back(&op);
  std::ranges::sort(in_order, {}, [](const text::Op* op) { return op->name.begin; });
  for (const text::Op* op : in_order) shape.ops.push_back(shaped(tree, *op));
  return shape;
}

nlohmann::json save_shape(const TextShape& shape) {
  nlohmann::json saved = nlohmann::json::array();
  for (const ShapedOp& op : shape.ops) saved.push_back({op.line, op.text, op.name, op.rest});
  return saved;
}

TextShape load_shape(const nlohmann::json& saved) {
  TextShape shape;
  if (!saved.is_array()) return shape;
  const auto is_number = [](const nlohmann::json& value) {
    return value.is_number_unsigned() && value.get<std::uint64_t>() <= std::numeric_limits<std::uint32_t>::max();
  };
  for (const nlohmann::json& op : saved) {
    if (!op.is_array() || op.size() != 4 || !std::ranges::all_of(op, is_number)) continue;
    if (shape.ops.size() == kMostOps) break;
    shape.ops.push_back({op[0], op[1], op[2], op[3]});
  }
  std::ranges::stable_sort(shape.ops, {}, &ShapedOp::line);
  return shape;
}

std::vector<ShapeMatch> match_shapes(const TextShape& before, const TextShape& now) {
  return Matcher(before, now).match();
}

}  // namespace ts
