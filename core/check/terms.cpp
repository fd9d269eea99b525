// Terms of a matrix product that its operands do not have, and those that they have and nobody multiplies: the last step of a
// loop over k, whose rest is not as long as a step.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <vector>

#include "core/check/walk.h"
#include "core/engine/product.h"
#include "core/isa/dtype.h"
#include "core/record/operand_place.h"
#include "core/text/count.h"

namespace ts {
namespace {

constexpr const char* kRule = "CHK-TERMS";

// What moved into an operand's memory, by terms: columns of a left operand, rows of a right one.
struct Filled {
  Operand to;
  std::uint32_t step = 0;
  std::uint32_t had = std::numeric_limits<std::uint32_t>::max();  // so many of them are valid where they come from
  std::vector<bool> stale = {};                                   // those behind, where somebody wrote them
  std::vector<bool> multiplied = {};
  // The first product that left valid ones out, how many terms it had, and how many more both sides had.
  std::uint32_t product = 0, terms = 0, more = 0;

  bool is_left() const { return to.tile.space() == Space::L0a; }
  bool holds(const ByteRange& place) const {
    const ByteRange all = to.tile.range();
    return place.space == all.space && place.core == all.core && place.address >= all.address &&
           place.address - all.address < all.size;
  }
  std::uint32_t term_at(const ByteRange& place) const {
    const OperandElement element = element_of(to, place.address, place.part);
    return is_left() ? element.col : element.row;
  }
  bool is_stale(std::uint32_t term) const { return term < stale.size() && stale[term]; }
};

// A side of a product, term by term.
struct Side {
  const TileRef& tile;
  std::uint32_t lines;  // rows of the left operand, columns of the right one, that are multiplied
  ByteRange place(std::uint32_t term, std::uint32_t line) const {
    return tile.space() == Space::L0a ? tile.place_of(line, term) : tile.place_of(term, line);
  }
};

// The first element of a term that is not 0; and whether one is infinite or NaN, so that 0 times it is no 0 either.
struct Worth {
  std::optional<std::uint32_t> line;
  bool special = false;
};
Worth worth_of(const Memory& memory, const Side& side, std::uint32_t term) {
  Worth worth;
  const DType type = side.tile.type.dtype;
  for (std::uint32_t line = 0; line < side.lines; ++line) {
    const double value = to_double(type, memory.element(side.place(term, line)));
    if (value == 0) continue;
    if (!worth.line || (!std::isfinite(value) && !worth.special)) worth.line = line;
    worth.special = worth.special || !std::isfinite(value);
  }
  return worth;
}

class TermsExaminer : public Examiner {
 public:
  TermsExaminer(const Recording& recording, const CheckOptions& options) : recording_(recording), options_(options) {}

  void look(CheckedStep& step, FindingSink& sink) override {
    const Bound& bound = step.bound();
    if (bound.row->product != nullptr) return look_at_product(step, sink);
    for (const Operand& operand : bound.operands)
      if (is_operand_of_products(operand)) fill(step, operand, sink);
  }
  void end(FindingSink& sink) override {
    for (const Filled& filled : filled_) tell_left_out(filled, sink);
  }

 private:
  static bool is_operand_of_products(const Operand& operand) {
    if (operand.spec == nullptr || operand.spec->kind != OperandKind::Tile || operand.spec->role != Role::Out)
      return false;
    const Space space = operand.tile.space();
    return space == Space::L0a || space == Space::L0b;
  }

  static std::uint32_t index_of(const Bound& bound, const char* name) {
    return bound.has(name) ? static_cast<std::uint32_t>(bound.scalar(name).bits) : 0;
  }

  void fill(CheckedStep& step, const Operand& to, FindingSink& sink) {
    const ByteRange all = to.tile.range();
    std::erase_if(filled_, [&](const Filled& old) {
      const ByteRange bytes = old.to.tile.range();
      const bool gone = bytes.space == all.space && bytes.core == all.core && bytes.address >= all.address &&
                        bytes.address + bytes.size <= all.address + all.size;
      if (gone) tell_left_out(old, sink);
      return gone;
    });
    Filled filled{.to = to, .step = step.number()};
    const Bound& bound = step.bound();
    const std::uint32_t terms = filled.is_left() ? to.tile.cols() : to.tile.rows();
    filled.multiplied.resize(terms);
    // Of a map's windows all are made of it.
    const bool moved = bound.row->moves && bound.has("src") && bound.tile("src").space() == Space::L1 &&
                       bound.tile("src").type.conv == ConvLayout::None;
    if (moved) note_stale(step, filled, terms);
    filled_.push_front(std::move(filled));
  }

  // Whatever of the source is valid, all of the tile moves.
  static void note_stale(CheckedStep& step, Filled& filled, std::uint32_t terms) {
    const Bound& bound = step.bound();
    const TileRef& src = bound.tile("src");
    const bool left = filled.is_left();
    const std::uint32_t row = index_of(bound, "row"), col = index_of(bound, "col"), first = left ? col : row,
                        valid = left ? src.valid_cols : src.valid_rows, all = left ? src.cols() : src.rows();
    filled.had = std::min(terms, valid > first ? valid - first : 0);
    if (filled.had == terms) return;
    const Memory& before = step.before();
    filled.stale.resize(terms);
    for (std::uint32_t term = filled.had; term < terms && first + term < all; ++term) {
      // What nobody wrote is told of as that.
      const ByteRange place = left ? src.place_of(row, first + term) : src.place_of(first + term, col);
      const Definedness what = before.worst_definedness(before.map().flat(place), place.size);
      filled.stale[term] = what == Definedness::Written;
    }
  }

  Filled* filled_at(const ByteRange& place) {
    const auto found = std::ranges::find_if(filled_, [&](const Filled& one) { return one.holds(place); });
    return found == filled_.end() ? nullptr : &*found;
  }

  void look_at_product(CheckedStep& step, FindingSink& sink) {
    const Bound& bound = step.bound();
    const Product product = bound.row->product(bound);
    if (product.m == 0 || product.n == 0 || product.k == 0) return;
    const Side left{product.left, product.m}, right{product.right, product.n};
    std::vector<std::uint32_t> foreign;
    const Filled* source = nullptr;
    for (std::uint32_t term = 0; term < product.k; ++term)
      for (const Side* side : {&left, &right}) {
        Filled* filled = filled_at(side->place(term, 0));
        if (filled == nullptr) continue;
        const std::uint32_t at = filled->term_at(side->place(term, 0));
        filled->multiplied[at] = true;
        if (!filled->is_stale(at) || (!foreign.empty() && foreign.back() == term)) continue;
        foreign.push_back(term);
        if (source == nullptr) source = filled;
      }
    note_more(step.number(), product, left, right);
    // Sides with different numbers of terms are told of by a rule of the instruction.
    const bool same = bound.tile("lhs").valid_cols == bound.tile("rhs").valid_rows;
    if (!foreign.empty() && same && sink.takes(FindingKind::Rule, step.number()))
      tell_foreign(step, product, foreign, *source, sink);
  }

  // Terms behind the last one that both sides have, too.
  void note_more(std::uint32_t step, const Product& product, const Side& left, const Side& right) {
    const auto behind = [&](const Side& side) -> std::pair<Filled*, std::uint32_t> {
      const ByteRange last = side.place(product.k - 1, 0);
      Filled* filled = filled_at(last);
      if (filled == nullptr || filled->had == std::numeric_limits<std::uint32_t>::max()) return {nullptr, 0};
      const std::uint32_t next = filled->term_at(last) + 1;
      return {filled, filled->had > next ? filled->had - next : 0};
    };
    const auto [of_left, more_left] = behind(left);
    const auto [of_right, more_right] = behind(right);
    const std::uint32_t more = std::min(more_left, more_right);
    if (more == 0 || of_left->more != 0) return;
    of_left->product = step, of_left->terms = product.k, of_left->more = more;
  }

  void tell_left_out(const Filled& filled, FindingSink& sink) {
    if (filled.more == 0) return;
    const auto had = filled.multiplied.begin() + filled.had;
    const auto left_out = static_cast<std::uint64_t>(std::count(had - filled.more, had, false));
    if (left_out == 0) return;
    const Bound& bound = recording_.bound(filled.product);
    const auto* lhs = bound.find("lhs");
    const std::uint32_t first = filled.had - filled.more;
    tell_as(sink.add(FindingKind::Rule, filled.product,
                     fmt::format("{} of the {} terms that both sides have are multiplied; the last {} are left out",
                                 filled.terms, filled.terms + filled.more, text::grouped(left_out)),
                     "right where they are another product's; else set the valid columns of lhs and the valid rows of "
                     "rhs to what was loaded",
                     FoundElement{static_cast<int>(lhs - bound.operands.data()), 0, first,
                                  place_of(filled.to, 0, std::min(first, filled.to.tile.cols() - 1))},
                     {{recording_.bound(filled.step).pos, "lhs is moved here"}}),
            options_, FindingKind::Rule, kRule, Severity::Note);
  }

  void tell_foreign(CheckedStep& step, const Product& product, const std::vector<std::uint32_t>& foreign,
                    const Filled& source, FindingSink& sink) {
    const Memory& before = step.before();
    const Side left{product.left, product.m}, right{product.right, product.n};
    std::uint64_t adding = 0;
    std::uint32_t first = 0;
    Worth of_left, of_right;
    for (const std::uint32_t term : foreign) {
      const Worth l = worth_of(before, left, term), r = worth_of(before, right, term);
      if (!(l.line && r.line) && !l.special && !r.special) continue;
      if (adding++ == 0) first = term, of_left = l, of_right = r;
    }
    if (adding == 0) return;
    const Bound &bound = step.bound(), &move = recording_.bound(source.step);
    const Operand &lhs = *bound.find("lhs"), &rhs = *bound.find("rhs"), &src = *move.find("src");
    const std::uint32_t row = of_left.line.value_or(0), col = of_right.line.value_or(0);
    const auto value = [&](const Operand& operand, std::uint32_t r, std::uint32_t c) {
      return fmt::format("{}[{},{}] = {}", recording_.program().operand_name(operand), r, c,
                         format_value(element_type(operand), before.element(place_of(operand, r, c))));
    };
    const bool by_left = source.is_left();
    const Operand& blamed = by_left ? lhs : rhs;
    const std::uint32_t at_row = by_left ? row : first, at_col = by_left ? first : col;
    tell_as(sink.add(FindingKind::Rule, step.number(),
                     fmt::format("{} of the {} terms stand beyond the valid {}x{} of {} (step {}); {} of them {}: the "
                                 "first is {} times {}",
                                 foreign.size(), product.k, src.tile.valid_rows, src.tile.valid_cols,
                                 recording_.program().operand_name(src), source.step, text::grouped(adding),
                                 adding == 1 ? "is no 0" : "are no 0", value(lhs, row, first), value(rhs, first, col)),
                     "make as many columns of lhs and rows of rhs valid as terms were loaded, or fill the rest with "
                     "zeros (tfillpad)",
                     FoundElement{static_cast<int>(&blamed - bound.operands.data()), at_row, at_col,
                                  place_of(blamed, at_row, at_col)},
                     {{move.pos, "what is beyond moves here, too"}}),
            options_, FindingKind::Rule, kRule, Severity::Warning);
  }

  const Recording& recording_;
  const CheckOptions& options_;
  std::deque<Filled> filled_;  // the newest first
};

}  // namespace

std::unique_ptr<Examiner> examine_terms(const Recording& recording, const CheckOptions& options) {
  if (options.of(FindingKind::Rule) == Level::Off) return nullptr;
  return std::make_unique<TermsExaminer>(recording, options);
}

}  // namespace ts
