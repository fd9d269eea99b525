// The page of an instruction: what its row knows, its micro-operations in the shown step, and its text.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/draw/boxes.h"
#include "app/draw/chips.h"
#include "app/draw/look.h"
#include "app/draw/markdown.h"
#include "app/draw/role_color.h"
#include "app/draw/text.h"
#include "app/files/files.h"
#include "app/files/pages.h"
#include "app/panes/pane.h"
#include "app/stage/micro/micro_parts.h"
#include "core/catalogue/catalogue.h"
#include "core/data/fields.h"
#include "core/program/sync.h"
#include "core/text/ops/op_table.h"

namespace ts::ui {
namespace {

constexpr std::string_view kDialect = "pto.";
// Stands where an instruction's name would: the page about all of the language.
constexpr const char* kGuide = "the language";

std::string without_dialect(std::string_view name) {
  if (name.starts_with(kDialect)) name.remove_prefix(kDialect.size());
  std::string text(name);
  for (char& letter : text) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return text;
}

std::string upper(std::string text) {
  for (char& letter : text) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return text;
}

const char* role_text(Role role) {
  switch (role) {
    case Role::In: return "input";
    case Role::Out: return "result";
    case Role::Tmp: return "scratch";
    case Role::Mask: return "mask";
    case Role::Scalar: return "scalar";
    case Role::Offsets: return "offsets";
    case Role::Address: return "address";
  }
  return "";
}
class PagePane : public Pane {
 public:
  void draw(DebugView& view, CommandQueue& out) override;
  bool act(const Command& command, DebugView& view, CommandQueue& out) override;
  void save(nlohmann::json& settings) const override;
  void load(const data::Fields& settings) override;

 private:
  void show(const std::string& name);
  void draw_title(Column& pen, const std::string& of_step);
  void draw_types(const DebugView& view, Column& pen) const;
  void draw_forms(Column& pen) const;
  void draw_micro(DebugView& view, CommandQueue& out, Column& pen);
  void draw_known(Column& pen) const;

  std::string pinned_;  // empty: the shown step's
  // Of the instruction that is shown.
  std::string name_;
  const InstructionRow* row_ = nullptr;
  const text::OpRow* op_ = nullptr;
  std::vector<MarkdownBlock> blocks_;
  bool show_micro_ = false;
};

void PagePane::show(const std::string& name) {
  if (name == name_) return;
  name_ = name;
  row_ = find_instruction(name);
  if (row_ == nullptr) row_ = find_sync(std::string(kDialect) + name);
  if (row_ == nullptr) row_ = find_sync(name);
  const text::OpCode code = operation_called(name);
  op_ = code == text::kUnknownOp ? nullptr : &text::op_rows()[code];
  blocks_.clear();
  if (name == kGuide) {
    blocks_ = read_markdown(language_guide());
    blocks_.erase(blocks_.begin());  // its title
    return;
  }
  const auto page = instruction_page(name);
  if (!page) return;
  blocks_ = read_markdown(*page);
  // The name and the sentence below it stand at the top in any case.
  const auto first = std::ranges::find_if(blocks_, [](const MarkdownBlock& block) {
    return block.kind == MarkdownBlock::Kind::Heading && block.level == 2;
  });
  blocks_.erase(blocks_.begin(), first);
}

void PagePane::draw_title(Column& pen, const std::string& of_step) {
  const Theme& theme = *look().theme;
  const float wide = text_width("pinned", look().fonts.small) + look().px(18);
  put_text_cut(pen.at(), pen.width() - wide, upper(name_), theme.text, look().fonts.heading);
  if (toggle("pin", {pen.end_x() - wide, pen.y() + look().px(2)}, pinned_.empty() ? "pin" : "pinned", !pinned_.empty()))
    pinned_ = pinned_.empty() ? name_ : "";
  pen.skip(line_step(look().fonts.heading) + look().px(2));
  const std::string summary = row_ != nullptr ? row_->summary : op_ != nullptr ? std::string(op_->meaning) : "";
  pen.text(summary, theme.text, look().fonts.text, look().px(2));
  if (pinned_.empty() || of_step.empty() || of_step == name_) return;
  pen.text(fmt::format("The shown step is {}; take the pin out to see its page.", upper(of_step)), theme.text_quiet,
           look().fonts.small);
}

void PagePane::draw_types(const DebugView& view, Column& pen) const {
  const Theme& theme = *look().theme;
  if (row_ == nullptr || row_->types == nullptr || row_->machines.run == nullptr) return;
  const Options* options = view.recording() != nullptr ? &view.recording()->program().options : nullptr;
  static const Options kDefaults;
  for (const Target target : kBothTargets) {
    const DTypeSet types = row_->types(target, options != nullptr ? *options : kDefaults);
    const char* called = target == Target::A5 ? "A5" : "A2A3";
    put_chip(pen.at(), called, types.empty() ? theme.line : theme.accent);
    const float end = pen.x() + text_width("A2A3", look().fonts.small) + look().px(22);
    const std::string text = types.empty() ? fmt::format("not on this target ({})", absent_rule(*row_)) : types.list();
    const float high = put_text_wrapped({end, pen.y() + look().px(3)}, pen.end_x() - end, text,
                                        types.empty() ? theme.text_quiet : theme.text, look().fonts.mono_small);
    pen.skip(std::max(high, chip_height()) + look().px(4));
  }
  pen.skip(look().px(4));
}

void PagePane::draw_forms(Column& pen) const {
  const Theme& theme = *look().theme;
  if (row_ == nullptr) return;
  for (const FormRow& form : row_->forms) {
    if (form.operands.empty()) continue;
    if (*form.name != 0) pen.text(form.name, theme.text_quiet, look().fonts.small);
    WrappedRow chips(pen, chip_height(), look().px(3));
    bool results = false;
    std::size_t values = 0;
    for (const OperandSpec& operand : form.operands) {
      const std::string text =
          fmt::format("{}{}  {}", operand.name, operand.optional ? "?" : "", role_text(operand.role));
      const float wide = text_width(text, look().fonts.small) + look().px(14);
      ImVec2 at = chips.at(wide);
      if (operand.role == Role::Out && !results) {
        results = true;
        const float y = at.y + chip_height() / 2, tip = at.x + look().px(14);
        ImDrawList& canvas = *ImGui::GetWindowDrawList();
        canvas.AddLine({at.x, y}, {tip - look().px(4), y}, ink(theme.text_quiet), 1.5f);
        canvas.AddTriangleFilled({tip, y}, {tip - look().px(6), y - look().px(3)},
                                 {tip - look().px(6), y + look().px(3)}, ink(theme.text_quiet));
        at.x = tip + look().px(5);
      }
      chips.go_on(put_chip(at, text, role_color(operand.role, values)) + look().px(4));
      values += operand.role == Role::In || operand.role == Role::Scalar;
    }
    chips.end(look().px(4));
    if (*form.cpp != 0) pen.text(fmt::format("C++  {}", form.cpp), theme.text, look().fonts.mono_small);
    pen.skip(look().px(4));
  }
}

// The micro-operations of the shown step, when the page is its.
void PagePane::draw_micro(DebugView& view, CommandQueue& out, Column& pen) {
  const std::uint32_t step = *view.shown_step();
  if (machines_for(view.recording()->bound(step)).run == nullptr) return;
  const bool shown = show_micro_ || view.in_step();
  if (!view.in_step()) {
    if (toggle("micro", pen.at(),
               show_micro_ ? "hide this step's micro-operations" : "show this step's micro-operations", show_micro_))
      show_micro_ = !show_micro_;
    pen.skip(chip_height() + look().px(6));
  }
  if (!shown) return;
  const Trace& trace = view.questions().trace(step);
  const auto count = static_cast<std::uint32_t>(trace.steps.size());
  const std::uint32_t made = view.in_step() ? view.moment().micro : view.shows_next() ? 0 : count;
  pen.text(fmt::format("{} of {} micro-operations of step {} made; click one to go there", made, count, step),
           look().theme->text_quiet, look().fonts.small);
  const float high = micro_row_height() * static_cast<float>(std::clamp(count, 1u, 9u));
  draw_micro_list(
      {.id = "page micro", .step = step, .made = made, .shown = view.in_step() ? std::optional(made) : std::nullopt},
      trace, out, pen.take(high, look().px(8)));
}

// What the table of operations says, where nobody wrote a page.
void PagePane::draw_known(Column& pen) const {
  const Theme& theme = *look().theme;
  const auto say = [&](const std::string& text, ImFont* font) { pen.text(text, theme.text, font, look().px(4)); };
  if (op_ == nullptr) {
    say(fmt::format("There is no instruction {}. The palette finds names by their parts.", name_), look().fonts.text);
    return;
  }
  say(fmt::format("{}: {}", op_->name, text::name(op_->group)), look().fonts.small);
  if (!op_->signature.empty() && op_->signature != "!") {
    say("Operands, then results (T tile, S scalar, I integer, P pointer, V vector register, M predicate; ? may be left "
        "out):",
        look().fonts.small);
    say(std::string(op_->signature), look().fonts.mono_small);
  }
  if (!op_->current.empty()) say(fmt::format("An old name; it is called {} now.", op_->current), look().fonts.text);
  if (!op_->only.empty()) say(fmt::format("Only on {}.", op_->only), look().fonts.text);
  say(row_ != nullptr ? "It moves no data; there is no page of it."
                      : "Program text may hold it; it is not emulated, and there is no page of it.",
      look().fonts.small);
}

void PagePane::draw(DebugView& view, CommandQueue& out) {
  const auto step = view.shown_step();
  const std::string of_step = step ? without_dialect(view.recording()->bound(*step).row->name) : "";
  const std::string wanted = pinned_.empty() ? of_step : pinned_;
  if (wanted.empty()) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    put_text_wrapped(at, ImGui::GetContentRegionAvail().x,
                     "Open a program, and the page of its shown instruction stands here. The command page(\"tadd\") "
                     "shows any other.",
                     look().theme->text_quiet, look().fonts.text);
    return;
  }
  const bool other = wanted != name_;
  show(wanted);
  ImGui::BeginChild("page text");
  if (other) ImGui::SetScrollY(0);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  Column pen({at.x + look().px(8), at.y + look().px(6)},
             std::max(look().px(80), ImGui::GetContentRegionAvail().x - look().px(16)));
  draw_title(pen, of_step);
  pen.skip(look().px(6));
  draw_types(view, pen);
  draw_forms(pen);
  if (step && name_ == of_step) draw_micro(view, out, pen);
  if (blocks_.empty()) draw_known(pen);
  else pen.skip(draw_markdown(pen.at(), pen.width(), blocks_));
  pen.fill_window(at, look().px(16));
  ImGui::EndChild();
}

bool PagePane::act(const Command& command, DebugView&, CommandQueue&) {
  if (command.name == "guide") {
    pinned_ = kGuide;
    return true;
  }
  if (command.name != "page") return false;
  pinned_ = without_dialect(command.text(0));
  return true;
}

void PagePane::save(nlohmann::json& settings) const {
  settings["pinned"] = pinned_;
  settings["micro"] = show_micro_;
}
void PagePane::load(const data::Fields& settings) {
  pinned_ = settings.text("pinned").value_or(pinned_);
  show_micro_ = settings.truth("micro").value_or(show_micro_);
}

const RegisteredPane kPagePane({
    .id = "page",
    .title = "Instruction",
    .help = "The page of the shown instruction: operands, rules, micro-operations; or the guide to the language.",
    .order = 180,
    .places = {{"debug", "middle", 2}, {"compare", "tile", 3}, {"learn", "stage", 4}, {"present", "right", 3}},
    .manual =
        R"(The page of the shown step's instruction: what it does, its operands, its rules, its micro-operations on both targets,
an example and traps. F1 on any other word of the program shows its page here: loops, views, flags, queues. The pin keeps a
page while you step on. Help > The language, line by line builds a program from one instruction to a loop with a tail.)",
    .make = make_pane<PagePane>,
});

}  // namespace
}  // namespace ts::ui
