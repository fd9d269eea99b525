// Drawing trees of joins.
#include "app/stage/families/tree_drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/draw/canvas.h"
#include "app/draw/look.h"
#include "app/draw/shapes.h"
#include "app/stage/parts/operation.h"
#include "app/stage/parts/parts.h"
#include "app/stage/parts/row_parts.h"

namespace ts::ui {
namespace {

// Distances for a scale of 1.
constexpr float kLeastTip = 12, kMostTip = 84, kTipHeight = 22, kMostLevel = 44, kBoxHeight = 18, kNumberedTip = 18;

// What was left out takes as much room as so many tips, for its text.
constexpr std::uint32_t kGapTips = 6;

ReducePart part_for(const ReduceTree& tree, std::uint32_t root, float width) {
  const auto room = static_cast<std::uint32_t>(std::max(3.0f, width / look().px(kLeastTip)));
  ReducePart part = part_of_tree(tree, root, room);
  const bool all = std::ranges::all_of(part.tips, [](const ReducePart::Tip& tip) { return tip.left_out == 0; });
  return all ? part : part_of_tree(tree, root, room - std::min(room, kGapTips - 1));
}

class TreeDrawing {
 public:
  TreeDrawing(StageStep& step, const TreeLook& tree, std::uint32_t root, const ReducePart& part, const Rect& area);
  void draw();
  // The tip that an element is below of, or else the first.
  std::uint32_t tip_of(std::optional<std::uint32_t> element) const;
  void mark(std::uint32_t tip) const;
  float foot() const { return level_y(node(root_).level) + box_height_ / 2; }

 private:
  const ReduceNode& node(std::uint32_t number) const { return tree_.tree.nodes[number]; }
  bool is_tip(std::uint32_t number) const { return node(number).level <= part_.level; }
  float level_y(std::uint32_t level) const {
    return tips_y_ + tip_height_ + step_height_ * static_cast<float>(level - part_.level) - box_height_ / 2;
  }
  float bottom_of(std::uint32_t number) const {
    return is_tip(number) ? tips_y_ + tip_height_ : level_y(node(number).level) + box_height_ / 2;
  }
  Rect tip_rect(std::size_t tip) const {
    const std::size_t slot = tip + (tip > gap_ ? kGapTips - 1 : 0), slots = tip == gap_ ? kGapTips : 1;
    const float x = area_.min.x + static_cast<float>(slot) * tip_width_;
    return {{x, tips_y_}, {x + static_cast<float>(slots) * tip_width_ - 1, tips_y_ + tip_height_}};
  }
  Color color_of(bool strong) const {
    return strong ? line_color_ : mix(look().theme->pane, line_color_, strong_.empty() ? 0.75 : 0.4);
  }
  // While the step moves: when the join has been made.
  bool is_made(std::uint32_t number) const { return made_.empty() || made_[number] <= step_.move->progress; }
  void find_times();
  void draw_rising(std::uint32_t item, ImVec2 to) const;
  bool is_strong(std::uint32_t number) const { return std::ranges::binary_search(strong_, number); }
  void place_joins();
  void find_strong();
  void draw_tip(std::size_t tip, FreeCells& cells);
  void draw_group(std::size_t tip);
  void draw_join(std::uint32_t number);
  void draw_box(std::uint32_t number, float room);

  StageStep& step_;
  const TreeLook& tree_;
  std::uint32_t root_;
  ReducePart part_;
  Rect area_;
  Color line_color_;
  bool along_;  // all elements are of one row
  float tip_width_ = 0, tip_height_ = 0, tips_y_ = 0, step_height_ = 0, box_height_ = 0;
  std::size_t gap_;  // the tip that stands for what was left out; beyond the last: there is none
  std::map<std::uint32_t, float> x_, left_;  // of what is in sight: its middle, and where it begins
  std::vector<std::uint32_t> strong_;        // nodes on the strong way, sorted
  std::vector<double> made_;                 // by node, in progress; empty: the step does not move
};

TreeDrawing::TreeDrawing(StageStep& step, const TreeLook& tree, std::uint32_t root, const ReducePart& part,
                         const Rect& area)
    : step_(step), tree_(tree), root_(root), part_(part), area_(area) {
  const StageOperand* src = step.operand(tree.tree.nodes.front().element.operand);
  line_color_ = src != nullptr ? src->color : look().theme->src0;
  gap_ = static_cast<std::size_t>(std::ranges::find_if(part_.tips, [](const auto& tip) { return tip.left_out != 0; }) -
                                  part_.tips.begin());
  const std::size_t slots = part_.tips.size() + (gap_ < part_.tips.size() ? kGapTips - 1 : 0);
  tip_width_ = std::floor(std::clamp(area.width() / static_cast<float>(slots), 2.0f, look().px(kMostTip)));
  const bool numbered = tip_width_ >= look().px(kNumberedTip);
  tip_height_ = look().px(numbered ? kTipHeight : 12);
  tips_y_ = area.min.y + (numbered ? col_number_room() : 0);
  const auto levels = static_cast<float>(std::max(1u, node(root).level - part_.level));
  step_height_ = std::min(look().px(kMostLevel), std::max(3.0f, (area.max.y - tips_y_ - tip_height_) / levels));
  box_height_ = std::min(look().px(kBoxHeight), step_height_ * 0.55f);
  for (std::size_t i = 0; i < part_.tips.size(); ++i) {
    if (part_.tips[i].left_out != 0) continue;
    x_[part_.tips[i].node] = tip_rect(i).center().x;
    left_[part_.tips[i].node] = tip_rect(i).min.x;
  }
  const StageCell& first = tree.tree.nodes.front().element;
  along_ = std::ranges::all_of(
      tree.tree.nodes, [&](const ReduceNode& one) { return !one.items.empty() || one.element.row == first.row; });
  place_joins();
  find_strong();
  find_times();
}

// Elements are there when they are read, the root when it lands; between them joins follow in the order of their levels.
void TreeDrawing::find_times() {
  const std::optional<Reduction>& reduction = step_.memory.reduction;
  if (!step_.move || !reduction || &reduction->tree != &tree_.tree) return;
  const auto lands = step_.move->motion->lands(step_.move->mode, reduction->of);
  if (!lands) return;
  made_.resize(tree_.tree.nodes.size());
  for (std::uint32_t number = 0; number < made_.size(); ++number) {
    const ReduceNode& join = node(number);
    if (join.items.empty()) {
      const auto way = step_.move->motion->way(step_.move->mode, reduction->of, join.element);
      made_[number] = way ? way->departs : 0;
      continue;
    }
    double last = 0;
    for (const std::uint32_t item : join.items) last = std::max(last, made_[item]);
    const std::uint32_t below = node(join.items.front()).level, left = tree_.tree.root().level - below;
    made_[number] = last + (*lands - last) * (join.level - below) / std::max(1u, left);
  }
}

// A value on its way from an item to its join.
void TreeDrawing::draw_rising(std::uint32_t item, ImVec2 to) const {
  const auto join = std::ranges::find_if(
      tree_.tree.nodes, [&](const ReduceNode& one) { return std::ranges::count(one.items, item) != 0; });
  if (made_.empty() || join == tree_.tree.nodes.end() || !is_made(item)) return;
  const double end = made_[static_cast<std::size_t>(join - tree_.tree.nodes.begin())], begin = made_[item];
  const double progress = step_.move->progress;
  if (progress >= end || progress <= begin) return;
  const float at = static_cast<float>((progress - begin) / (end - begin)), from = bottom_of(item);
  canvas().AddCircleFilled({x_.at(item), from + (to.y - from) * at}, look().px(4), ink(line_color_));
}

// Of two parts in their middle; of more under the last one: the sum goes on from left to right.
void TreeDrawing::place_joins() {
  for (std::uint32_t number = 0; number < tree_.tree.nodes.size(); ++number) {
    const ReduceNode& join = node(number);
    if (join.level <= part_.level || x_.contains(number)) continue;
    const auto first = std::ranges::find_if(join.items, [&](std::uint32_t item) { return x_.contains(item); });
    if (first == join.items.end() || !x_.contains(join.items.back())) continue;
    left_[number] = left_[*first];
    x_[number] = join.items.size() == 2 ? (x_[join.items.front()] + x_[join.items.back()]) / 2 : x_[join.items.back()];
  }
}

void TreeDrawing::find_strong() {
  if (!tree_.strong) return;
  strong_.push_back(*tree_.strong);
  // Joins stand behind what they join.
  for (std::uint32_t number = *tree_.strong + 1; number < tree_.tree.nodes.size(); ++number)
    if (std::ranges::count(node(number).items, strong_.back()) != 0) strong_.push_back(number);
}

std::uint32_t TreeDrawing::tip_of(std::optional<std::uint32_t> element) const {
  if (element)
    for (const ReducePart::Tip& tip : part_.tips)
      if (tip.left_out == 0 && is_strong(tip.node)) return tip.node;
  return part_.tips.front().node;
}

void TreeDrawing::mark(std::uint32_t tip) const {
  for (std::size_t i = 0; i < part_.tips.size(); ++i)
    if (part_.tips[i].node == tip && part_.tips[i].left_out == 0)
      canvas().AddRect(tip_rect(i).min, tip_rect(i).max, ink(look().theme->accent), 0, 0, look().px(2));
}

void TreeDrawing::draw_group(std::size_t tip) {
  const Theme& theme = *look().theme;
  const Rect rect = tip_rect(tip);
  const ReducePart::Tip& what = part_.tips[tip];
  const bool hovered = ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) && rect.holds(ImGui::GetIO().MousePos);
  if (what.left_out != 0) {
    dashed_rect(canvas(), rect, ink(theme.text_quiet), look().px(3), 1);
    draw_text_in(canvas(), rect, fmt::format("{} more", what.left_out), ink(theme.text_quiet), look().fonts.mono_small);
    if (hovered) ImGui::SetTooltip("%u parts more, joined in the same way; there is no room for them", what.left_out);
    return;
  }
  const std::uint32_t number = what.node;
  const bool strong = is_strong(number);
  // As many edges as a pile has.
  const float edge = std::min(look().px(3), rect.width() * 0.2f);
  canvas().AddRectFilled({rect.min.x + edge, rect.min.y}, rect.max, ink(mix(theme.cell, line_color_, 0.45)));
  const Rect front{{rect.min.x, rect.min.y + edge}, {rect.max.x - edge, rect.max.y}};
  canvas().AddRectFilled(front.min, front.max, ink(mix(theme.cell, line_color_, strong ? 0.5 : 0.2)));
  canvas().AddRect(front.min, front.max, ink(color_of(strong)), 0, 0, 1);
  const ElementFormat& format = *step_.operand(tree_.tree.nodes.front().element.operand)->picture->elements.format;
  if (tree_.values != nullptr && rect.width() >= look().px(30))
    draw_text_in(canvas(), front, value_text(format, (*tree_.values)[number], Definedness::Written, front.width()),
                 ink(theme.text), look().fonts.mono);
  const std::string span = elements_text(tree_.tree, number, "");
  if (text_width(span, look().fonts.mono_small) * 0.88f < tip_width_ - 2) {
    ImFont* font = look().fonts.mono_small;
    canvas().AddText(font, font->FontSize * 0.88f, {rect.min.x, rect.min.y - font->FontSize * 0.88f - 1},
                     ink(theme.text_quiet), span.c_str());
  }
  if (hovered)
    ImGui::SetTooltip("%u elements, joined in %u levels:\n%s", node(number).elements, node(number).level,
                      elements_text(tree_.tree, number, tree_.name).c_str());
}

void TreeDrawing::draw_tip(std::size_t tip, FreeCells& cells) {
  const ReducePart::Tip& what = part_.tips[tip];
  if (what.left_out != 0 || !node(what.node).items.empty()) return draw_group(tip);
  const StageCell& cell = node(what.node).element;
  const Rect rect = tip_rect(tip);
  cells.add(cell, rect);
  if (tip_width_ < look().px(kNumberedTip)) return;
  draw_col_number(along_ ? cell.col : cell.row, rect, false, is_strong(what.node));
}

void TreeDrawing::draw_box(std::uint32_t number, float room) {
  const Theme& theme = *look().theme;
  const ImVec2 at{x_[number], level_y(node(number).level)};
  const bool strong = is_strong(number), is_root = number == root_;
  const Color edge = is_root && number == tree_.tree.root_number() ? theme.written : color_of(strong);
  const float wide = std::min(look().px(76), room - look().px(4));
  if (tree_.values == nullptr || wide < look().px(26) || box_height_ < look().fonts.mono_small->FontSize) {
    canvas().AddCircleFilled(at, std::min(look().px(is_root ? 5 : 3), std::max(1.5f, room * 0.2f)), ink(edge));
    return;
  }
  // What comes out at the right end does not stand beyond it.
  const float right = std::min(at.x + wide / 2, area_.max.x - 1);
  const Rect box{{right - wide, at.y - box_height_ / 2}, {right, at.y + box_height_ / 2}};
  if (!is_made(number)) {
    dashed_rect(canvas(), box, ink(theme.text_quiet), look().px(3), 1);
    return;
  }
  const ElementFormat& format = *step_.operand(tree_.tree.nodes.front().element.operand)->picture->elements.format;
  canvas().AddRectFilled(box.min, box.max, ink(theme.cell), look().px(3));
  canvas().AddRect(box.min, box.max, ink(edge), look().px(3), 0, look().px(strong || is_root ? 2 : 1));
  draw_text_in(canvas(), box, value_text(format, (*tree_.values)[number], Definedness::Written, wide), ink(theme.text),
               look().fonts.mono_small);
}

void TreeDrawing::draw_join(std::uint32_t number) {
  const ReduceNode& join = node(number);
  const bool strong = is_strong(number);
  const float x = x_[number], top = level_y(join.level) - box_height_ / 2, bus = top - (step_height_ - box_height_) / 2;
  float left = x, right = x;
  std::vector<std::pair<float, bool>> joints;  // where one more comes in, and whether on the strong way
  std::size_t strong_from = join.items.size();
  for (std::size_t i = 0; i < join.items.size(); ++i) {
    const std::uint32_t item = join.items[i];
    if (!x_.contains(item)) continue;
    const bool on_way = is_strong(item);
    if (on_way) strong_from = i;
    left = std::min(left, x_[item]);
    right = std::max(right, x_[item]);
    const double strength = is_made(item) ? 1 : 0.25;
    canvas().AddLine({x_[item], bottom_of(item)}, {x_[item], bus}, ink(with_alpha(color_of(on_way), strength)),
                     look().px(on_way ? 2.4f : 1));
    draw_rising(item, {x_[item], bus});
    if (i > 0) joints.push_back({x_[item], on_way});
  }
  canvas().AddLine({left, bus}, {right, bus}, ink(color_of(false)), look().px(1.2f));
  if (strong_from < join.items.size())
    canvas().AddLine({x_[join.items[strong_from]], bus}, {x, bus}, ink(color_of(true)), look().px(2.4f));
  canvas().AddLine({x, bus}, {x, top}, ink(color_of(strong)), look().px(strong ? 2.4f : 1));
  if (!tree_.tree.ordered) return;
  const float radius = std::min({look().px(7), (step_height_ - box_height_) * 0.32f, tip_width_ * 0.4f});
  if (join.items.size() == 2)
    draw_sign({x, bus}, tree_.sign, std::min(look().px(7), (step_height_ - box_height_) * 0.42f));
  else
    for (const auto& [joint, on_way] : joints) draw_sign({joint, bus}, tree_.sign, radius, tip_width_);
}

void TreeDrawing::draw() {
  FreeCells cells;
  for (const auto& [number, x] : x_)
    if (!is_tip(number)) draw_join(number);
  for (const auto& [number, x] : x_)
    if (!is_tip(number)) {
      const std::uint32_t last = node(number).items.back();
      const float end = x_[last] + tip_width_ / 2;
      draw_box(number, node(number).items.size() == 2 ? 2 * std::min(x - left_[number], end - x) : end - left_[number]);
    }
  for (std::size_t i = 0; i < part_.tips.size(); ++i) draw_tip(i, cells);
  cells.draw(step_, {}, false, Mark::Provenance);
  for (std::size_t i = 0; i < part_.tips.size(); ++i)
    if (tree_.flagged && part_.tips[i].node == *tree_.flagged && part_.tips[i].left_out == 0)
      flag_mark(canvas(), {tip_rect(i).min.x + look().px(5), tip_rect(i).max.y - look().px(2)}, look().px(13),
                ink(look().theme->written));
}

// --- which parts are drawn, and what is said of them ---

// What the first box stands for: of two elements how they are joined.
std::string first_box(const TreeLook& tree, const ReducePart& part) {
  const std::uint32_t number = part.tips.front().node;
  const ReduceNode& box = tree.tree.nodes[number];
  if (box.level != 1 || box.items.size() > 2) return elements_text(tree.tree, number, tree.name);
  std::string text;
  for (const std::uint32_t item : box.items)
    text += (text.empty() ? "" : " " + tree.sign + " ") + elements_text(tree.tree, item, tree.name);
  return text;
}

std::string part_text(const TreeLook& tree, std::uint32_t root, const ReducePart& part) {
  const ReduceNode& top = tree.tree.nodes[root];
  if (!tree.tree.ordered) return fmt::format("{} elements take part; an order of joins is not known.", top.elements);
  if (top.level == 0) return "one element, and nothing to join it with";
  if (top.level == 1 && top.items.size() > 2)
    return fmt::format("{} elements, joined one after the other", top.elements);
  const std::string all =
      fmt::format("{} elements, joined in {} level{}", top.elements, top.level, top.level == 1 ? "" : "s");
  if (part.level == 0) return all;
  std::uint32_t most = 0;
  for (const ReducePart::Tip& tip : part.tips)
    if (tip.left_out == 0) most = std::max(most, tree.tree.nodes[tip.node].elements);
  return fmt::format("{}: {} inside of each box of up to {} elements, {} below. The first box is {}", all, part.level,
                     most, top.level - part.level, first_box(tree, part));
}

void draw_part(StageStep& step, const TreeLook& tree, std::uint32_t root, const Rect& area, const std::string& words) {
  const float line = look().fonts.small->FontSize + look().px(4);
  put_text_cut(area.min, area.width(), words, look().theme->text_quiet, look().fonts.small);
  const ReducePart part = part_for(tree.tree, root, area.width());
  TreeDrawing(step, tree, root, part, {{area.min.x, area.min.y + line}, area.max}).draw();
}

}  // namespace

void draw_tree(StageStep& step, const TreeLook& tree, std::uint32_t root, const Rect& area) {
  const ReducePart part = part_for(tree.tree, root, area.width());
  const std::string words = part_text(tree, root, part);
  if (part.level == 0 || area.height() < look().px(190)) return draw_part(step, tree, root, area, words);
  // As many levels as there are on each side.
  const std::uint32_t levels = tree.tree.nodes[root].level;
  const float share =
      std::clamp((static_cast<float>(part.level) + 1.5f) / (static_cast<float>(levels) + 3), 0.3f, 0.7f);
  const float middle = area.min.y + area.height() * share, line = look().fonts.small->FontSize + look().px(4);
  TreeDrawing below(step, tree, root, part, {{area.min.x, middle + line}, area.max});
  const std::uint32_t opened = below.tip_of(tree.strong);
  draw_part(step, tree, opened, {area.min, {area.max.x, middle - look().px(8)}},
            fmt::format("One of the boxes below: {}", elements_text(tree.tree, opened, tree.name)));
  put_text_cut({area.min.x, middle}, area.width(), words, look().theme->text_quiet, look().fonts.small);
  below.draw();
  below.mark(opened);
}

}  // namespace ts::ui
