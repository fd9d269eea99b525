// Registers in the middle of a step: on A5 those that micro-operations made so far, on A2A3 the special registers.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/draw/chips.h"
#include "app/draw/look.h"
#include "app/draw/text.h"
#include "app/panes/pane.h"
#include "app/stage/micro/micro_parts.h"
#include "app/stage/parts/lane_strips.h"
#include "app/view/key_hints.h"
#include "core/data/fields.h"
#include "core/debug/origins/named_registers.h"

namespace ts::ui {
namespace {

constexpr const char* kFormats[] = {"u8", "i8", "u16", "i16", "f16", "bf16", "u32", "i32", "f32", "u64", "i64"};

class RegistersPane : public Pane {
 public:
  void draw(DebugView& view, CommandQueue& out) override;
  bool act(const Command& command, DebugView& view, CommandQueue& out) override;
  void save(nlohmann::json& settings) const override;
  void load(const data::Fields& settings) override;
  void forget() override {
    named_ = {};
    for (KeptSpecial& kept : kept_) kept = {};
  }

 private:
  // A line of words, and one of lanes.
  struct ValueRow {
    const TraceValue& value;
    DType type = DType::U8;
    std::string name, maker, use;
    bool fresh = false, needed = true;
    const std::array<Definedness, VL>* worth = nullptr;  // null: all of it was made
  };
  std::optional<std::uint32_t> draw_row(const ValueRow& what, const Rect& row) const;
  void draw_named(DebugView& view, CommandQueue& out);
  const std::vector<NamedRegister>& named(DebugView& view);
  template <class DrawRow>
  void draw_rows(std::uint32_t count, DType type, DrawRow draw_nth);
  void draw_bar(const DebugView& view);
  void draw_values(DebugView& view);
  void draw_value(const Trace& trace, const MicroIndex& index, std::uint32_t id, std::uint32_t here, const Rect& row);
  void draw_special(DebugView& view);
  void draw_outliving(DebugView& view);
  void draw_addresses(DebugView& view, MicroCanvas& canvas);
  LaneFormat format() const { return {as_ < 0 ? nullptr : find_element_format(kFormats[as_]), hex_}; }
  // As of a moment; found again when the session stands elsewhere.
  const SpecialRegisters& special(DebugView& view, Moment moment, bool before);

  int as_ = -1;  // of kFormats; -1: as made
  bool hex_ = false, needed_only_ = false;
  std::uint32_t first_byte_ = 0;
  struct KeptSpecial {
    std::shared_ptr<const Recording> recording;
    Moment moment;
    SpecialRegisters registers;
  };
  KeptSpecial kept_[2];
  struct KeptNamed {
    std::shared_ptr<const Recording> recording;
    std::uint32_t position = 0;
    std::vector<NamedRegister> registers;
  };
  KeptNamed named_;
};

// --- vector registers ---

void RegistersPane::draw_bar(const DebugView& view) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  float x = at.x;
  const WithFont small(look().fonts.small);
  ImGui::SetNextItemWidth(look().px(86));
  if (ImGui::BeginCombo("##as", as_ < 0 ? "as made" : kFormats[as_])) {
    if (ImGui::Selectable("as made", as_ < 0)) as_ = -1;
    for (int i = 0; i < static_cast<int>(std::size(kFormats)); ++i)
      if (ImGui::Selectable(kFormats[i], as_ == i)) as_ = i;
    ImGui::EndCombo();
  }
  x += look().px(92);
  if (toggle("hex", {x, at.y}, "hex", hex_, &x)) hex_ = !hex_;
  if (view.in_step() && toggle("needed", {x + look().px(4), at.y}, "needed later", needed_only_, &x))
    needed_only_ = !needed_only_;
  const std::string where =
      view.in_step() ? fmt::format("before micro-step {} of step {}", view.moment().micro, view.moment().position)
                     : fmt::format("at position {}", view.moment().position);
  put_text_cut({x + look().px(10), at.y + look().px(3)}, at.x + ImGui::GetContentRegionAvail().x - x - look().px(10),
               where, look().theme->text_quiet, look().fonts.small);
  ImGui::SetCursorScreenPos({at.x, at.y + chip_height() + look().px(8)});
}

std::optional<std::uint32_t> RegistersPane::draw_row(const ValueRow& what, const Rect& row) const {
  const Theme& theme = *look().theme;
  const bool predicate = what.value.kind == TraceValue::Kind::Predicate;
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  if (what.fresh)
    canvas.AddRectFilled(row.min, {row.min.x + look().px(3), row.max.y - look().px(4)}, ink(theme.written));
  float x = row.min.x + look().px(8);
  const float y = row.min.y + look().px(1);
  const Color quiet = theme.text_quiet;
  put_text({x, y}, what.name, what.needed || what.fresh ? theme.text : quiet, look().fonts.mono);
  x += std::max(text_width("v000 ", look().fonts.mono), text_width(what.name + " ", look().fonts.mono));
  const float left = row.max.x - x - text_width(what.use, look().fonts.small) - look().px(10);
  put_text_cut({x, y + look().px(1)}, std::max(0.0f, left), what.maker, what.fresh ? theme.text : quiet,
               look().fonts.small);
  put_text({row.max.x - text_width(what.use, look().fonts.small) - look().px(4), y + look().px(1)}, what.use, quiet,
           look().fonts.small);
  const float strip = y + look().fonts.mono->FontSize + look().px(4);
  const LaneFormat shown = format();
  const DType lanes = !predicate && shown.as != nullptr && shown.as->dtype ? *shown.as->dtype : what.type;
  const LaneWindow view = place_lanes(row.min.x + look().px(8), row.width() - look().px(12), lanes, first_byte_);
  std::optional<std::uint32_t> hovered;
  if (predicate) {
    hovered = draw_predicate(view, strip + look().px(3), what.value, what.type);
  } else {
    StripLook look_of{.source = what.fresh ? theme.written : theme.line, .format = shown};
    look_of.marks = [&](std::uint32_t lane) {
      const std::uint32_t byte = lane * size_bytes(lanes);
      if (what.worth != nullptr && (*what.worth)[byte] == Definedness::Never) return Mark::Undefined;
      if (what.worth != nullptr && (*what.worth)[byte] == Definedness::Unspecified) return Mark::Unspecified;
      return what.fresh ? Mark::Written : what.needed ? Mark::None : Mark::Faded;
    };
    hovered = draw_register(view, strip, what.value, lanes, look_of);
  }
  if (!hovered) return hovered;
  const WithFont mono(look().fonts.mono_small);
  if (predicate)
    ImGui::SetTooltip("lane %u: %s\n%s", *hovered, lane_is_on(what.value, what.type, *hovered) ? "on" : "off",
                      lanes_sentence(what.value, what.type).c_str());
  else
    ImGui::SetTooltip("lane %u: %s %s  %s", *hovered, name(lanes),
                      format_value(lanes, lane_bits(what.value, lanes, *hovered)).c_str(),
                      hex_text(element_format(lanes), lane_bits(what.value, lanes, *hovered)).c_str());
  return hovered;
}

void RegistersPane::draw_value(const Trace& trace, const MicroIndex& index, std::uint32_t id, std::uint32_t here,
                               const Rect& row) {
  const TraceValue& value = trace.values[id];
  const MicroValue& made = index.value(id);
  ValueRow what{.value = value, .type = made.type, .name = value_name(trace, id), .maker = {}, .use = {}};
  what.fresh = made.maker + 1 == here, what.needed = index.needed_from(id, here);
  const bool predicate = value.kind == TraceValue::Kind::Predicate;
  const std::string type = predicate ? fmt::format("b{}", 8 * size_bytes(made.type)) : name(made.type);
  what.maker =
      fmt::format("{}{}  {} {}", type, what.fresh ? "  just made" : "", made.maker, trace.steps[made.maker].op->name);
  what.use = made.last_user == made.maker ? "no one looks at it"
             : what.needed                ? fmt::format("needed until {}", made.last_user)
                                          : fmt::format("last needed by {}", made.last_user);
  draw_row(what, row);
}

// Rows in a part that scrolls, above the bar that moves the lanes in sight.
template <class DrawRow>
void RegistersPane::draw_rows(std::uint32_t count, DType type, DrawRow draw_nth) {
  const float scroll = ImGui::GetContentRegionAvail().y - lane_scroll_height() - look().px(4);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::BeginChild("values", {0, std::max(look().px(20), scroll)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  const float high = look().fonts.mono->FontSize + lane_height() + look().px(14);
  ImGuiListClipper rows;
  rows.Begin(static_cast<int>(count), high);
  while (rows.Step()) {
    for (int i = rows.DisplayStart; i < rows.DisplayEnd; ++i) {
      const ImVec2 place = ImGui::GetCursorScreenPos();
      const Rect row{place, {place.x + ImGui::GetContentRegionAvail().x, place.y + high}};
      ImGui::Dummy({row.width(), high});
      draw_nth(static_cast<std::uint32_t>(i), row);
    }
  }
  rows.End();
  ImGui::PopStyleVar();
  ImGui::EndChild();
  const float width = ImGui::GetContentRegionAvail().x - look().px(12);
  const LaneWindow lanes = place_lanes(at.x + look().px(8), width, type, first_byte_);
  draw_lane_scroll("lanes", lanes, at.y + std::max(look().px(20), scroll) + look().px(2), type,
                   {at, {at.x + width, at.y + scroll}}, first_byte_);
}

void RegistersPane::draw_values(DebugView& view) {
  const std::uint32_t step = view.moment().position, here = view.moment().micro;
  const MicroIndex& index = micro_index(view, step);
  const Trace& trace = view.questions().trace(step);
  draw_bar(view);
  const std::uint32_t made = index.made_before(here);
  if (made == 0) {
    put_text_wrapped(
        ImGui::GetCursorScreenPos(), ImGui::GetContentRegionAvail().x,
        with_key("No micro-operation of this step has made a register yet. Step into it to make the next one", "into"),
        look().theme->text_quiet, look().fonts.text);
    return;
  }
  std::vector<std::uint32_t> needed;  // few: what is in registers at one time
  if (needed_only_)
    for (std::uint32_t id = made; id-- > 0;)
      if (index.needed_from(id, here)) needed.push_back(id);
  const std::uint32_t count = needed_only_ ? static_cast<std::uint32_t>(needed.size()) : made;
  const DType type = trace.steps[here == 0 ? 0 : std::min<std::size_t>(here, trace.steps.size()) - 1].type;
  draw_rows(count, type, [&](std::uint32_t nth, const Rect& row) {
    draw_value(trace, index, needed_only_ ? needed[nth] : made - 1 - nth, here, row);
  });
}

// --- registers that the program names ---

const std::vector<NamedRegister>& RegistersPane::named(DebugView& view) {
  const std::shared_ptr<const Recording> recording = view.questions().shared_recording();
  const std::uint32_t position = view.moment().position;
  if (named_.recording != recording || named_.position != position) {
    const Memory& memory = view.questions().memory_at(position);
    named_ = {recording, position, named_registers(*recording, view.questions().index(), memory, position)};
  }
  return named_.registers;
}

void RegistersPane::draw_named(DebugView& view, CommandQueue& out) {
  const std::vector<NamedRegister>& registers = named(view);
  draw_bar(view);
  if (registers.empty()) {
    put_text_wrapped(ImGui::GetCursorScreenPos(), ImGui::GetContentRegionAvail().x,
                     "Nothing is in a register here: a pto.vecscope makes them, and they end with it.",
                     look().theme->text_quiet, look().fonts.text);
    return;
  }
  const Program& program = view.recording()->program();
  draw_rows(
      static_cast<std::uint32_t>(registers.size()), registers.front().lanes, [&](std::uint32_t nth, const Rect& row) {
        const NamedRegister& one = registers[nth];
        const TileDecl& tile = program.tiles[one.tile];
        ValueRow what{.value = one.value, .type = one.lanes, .name = "%" + tile.name, .maker = {}, .use = {}};
        what.fresh = one.writer + 1 == view.moment().position;
        what.worth = &one.worth;
        const std::string type = tile.mask_bits != 0 ? fmt::format("b{}", tile.mask_bits) : name(one.lanes);
        what.maker = fmt::format("{}{}", type, what.fresh ? "  just made" : "");
        what.use = fmt::format("made by step {}, line {}", one.writer, view.recording()->bound(one.writer).pos.line);
        const auto lane = draw_row(what, row);
        if (!lane || !ImGui::IsMouseClicked(ImGuiMouseButton_Left)) return;
        const std::uint32_t element = tile.mask_bits != 0 ? *lane * size_bytes(one.lanes) / 8 : *lane;
        out.push("select", {tile.name, std::int64_t{0}, std::int64_t{element}});
      });
}

// --- special registers ---

const SpecialRegisters& RegistersPane::special(DebugView& view, Moment moment, bool before) {
  KeptSpecial& kept = kept_[before ? 1 : 0];
  const std::shared_ptr<const Recording> recording = view.questions().shared_recording();
  if (kept.recording != recording || kept.moment != moment) {
    view.questions().seek(moment);
    kept = {recording, moment, special_registers(view.questions().memory())};
  }
  return kept.registers;
}

// Bits as lanes, 64 a line; bit 0 first.
void draw_bits(MicroCanvas& canvas, const std::string& title, const std::string& about, const std::uint64_t* words,
               const std::uint64_t* before, Definedness worth) {
  const Theme& theme = *look().theme;
  ImDrawList& out = *ImGui::GetWindowDrawList();
  const float cell = std::clamp(std::floor(canvas.strip_width() / 64), 3.0f, look().px(14)),
              high = std::floor(look().px(14)), gap = look().px(3);
  put_label(canvas, title, about, 2 * high + gap);
  for (std::uint32_t word = 0; word < 2; ++word) {
    const float y = canvas.y + static_cast<float>(word) * (high + gap);
    for (std::uint32_t bit = 0; bit < 64; ++bit) {
      const float x = canvas.strip_x() + cell * static_cast<float>(bit);
      const Rect rect{{x, y}, {x + cell - 1, y + high}};
      const bool on = words[word] >> bit & 1, changed = (words[word] ^ before[word]) >> bit & 1;
      if (on) out.AddRectFilled(rect.min, rect.max, ink(theme.mask), 2);
      else out.AddRect(rect.min, rect.max, ink(theme.grid), 2);
      if (changed)
        out.AddTriangleFilled({rect.max.x - cell * 0.6f, rect.min.y}, {rect.max.x, rect.min.y},
                              {rect.max.x, rect.min.y + cell * 0.6f}, ink(theme.written));
      if (ImGui::IsWindowHovered() && rect.holds(ImGui::GetIO().MousePos))
        ImGui::SetTooltip("%s bit %u: %d", title.c_str(), 64 * word + bit, on);
    }
  }
  canvas.y += 2 * high + gap + look().px(4);
  const std::string text = worth == Definedness::Never
                               ? "never written in this program"
                               : fmt::format("[1] 0x{:016x}   [0] 0x{:016x}", words[1], words[0]);
  put_text({canvas.strip_x(), canvas.y}, text, theme.text_quiet, look().fonts.mono_small);
  canvas.y += look().fonts.mono_small->FontSize + look().px(12);
}

// How many records a merge took of each list.
void draw_taken(MicroCanvas& canvas, const SpecialRegisters& there, const SpecialRegisters& before) {
  const Theme& theme = *look().theme;
  put_label(canvas, "VMS4_SR", "taken by a merge", look().px(34));
  const bool never = there.taken_worth == Definedness::Never;
  if (never) {
    put_text_cut({canvas.strip_x(), canvas.y + look().px(3)}, canvas.strip_width(), "never written in this program",
                 theme.text_quiet, look().fonts.small);
  } else {
    FactRow facts{{canvas.strip_x(), canvas.y}, canvas.strip_x() + canvas.strip_width()};
    for (int list = 0; list < 4; ++list) {
      const bool changed = before.taken_worth == Definedness::Never || before.taken[list] != there.taken[list];
      facts.put(fmt::format("list {}: {}", list, there.taken[list]), changed ? theme.written : theme.line, changed);
    }
  }
  canvas.y += look().px(34) + look().px(8);
}

// The registers that vnchwconv takes its blocks from; sixteen addresses a pair.
void RegistersPane::draw_addresses(DebugView& view, MicroCanvas& canvas) {
  const Theme& theme = *look().theme;
  const std::uint32_t step = view.moment().position;
  const MicroIndex& index = micro_index(view, step);
  const Trace& trace = view.questions().trace(step);
  const MicroScene scene{view, trace, index, step, 0, true};
  const std::vector<std::uint32_t> pairs = index.va_before(view.moment().micro, trace);
  if (pairs.empty()) {
    put_label(canvas, "VA", "", look().px(20));
    put_text_cut({canvas.strip_x(), canvas.y + look().px(2)}, canvas.strip_width(),
                 "not set in this step so far; every transposition sets them anew", theme.text_quiet,
                 look().fonts.small);
    canvas.y += look().px(26);
  }
  for (const std::uint32_t micro : pairs) {
    const MicroStep& op = trace.steps[micro];
    const bool fresh = micro + 1 == view.moment().micro;
    const float line = line_step(look().fonts.mono_small);
    put_label(canvas, op.args[0].name, fresh ? "just set" : fmt::format("set by {}", micro), 2 * line);
    const float each = text_width("0x00000 ", look().fonts.mono_small) + look().px(4);
    const std::size_t a_line = std::max<std::size_t>(1, static_cast<std::size_t>(canvas.strip_width() / each));
    for (std::size_t i = 1; i < op.args.size(); ++i) {
      const std::size_t place = i - 1;
      put_text({canvas.strip_x() + each * static_cast<float>(place % a_line),
                canvas.y + line * static_cast<float>(place / a_line)},
               fmt::format("0x{:x}", op.args[i].base), fresh ? theme.written : theme.text, look().fonts.mono_small);
    }
    canvas.y += line * static_cast<float>((op.args.size() - 1 + a_line - 1) / a_line);
    const std::string element = scene.element_name(Space::Ub, op.args[1].base);
    if (!element.empty())
      put_text({canvas.strip_x(), canvas.y}, fmt::format("the first is {}", element), theme.text_quiet,
               look().fonts.small);
    canvas.y += look().fonts.small->FontSize + look().px(10);
  }
}

// What the last micro-step, or outside a step the last step, changed, is the difference to then.
Moment moment_before(Moment now) {
  return now.micro > 0 ? Moment{now.position, now.micro - 1} : Moment{now.position == 0 ? 0 : now.position - 1, 0};
}

// On A5, between steps.
void RegistersPane::draw_outliving(DebugView& view) {
  const SpecialRegisters before = special(view, moment_before(view.moment()), true),
                         there = special(view, view.moment(), false);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  MicroCanvas canvas{at.x + look().px(6), std::max(look().px(120), ImGui::GetContentRegionAvail().x - look().px(12)),
                     at.y + look().px(6)};
  canvas.y += put_text_wrapped(
      {canvas.x, canvas.y}, canvas.width,
      with_key("Vector registers live inside a step. Step into the one that comes next, one micro-operation at a time",
               "into"),
      look().theme->text_quiet, look().fonts.text);
  canvas.y += look().px(10);
  draw_taken(canvas, there, before);
}

void RegistersPane::draw_special(DebugView& view) {
  const Theme& theme = *look().theme;
  const Moment now = view.moment(), last = moment_before(now);
  const SpecialRegisters before = special(view, last, true), there = special(view, now, false);
  ImGui::BeginChild("special");
  const ImVec2 at = ImGui::GetCursorScreenPos();
  MicroCanvas canvas{at.x + look().px(6), std::max(look().px(120), ImGui::GetContentRegionAvail().x - look().px(12)),
                     at.y + look().px(6)};
  canvas.y += put_text_wrapped(
      {canvas.x, canvas.y}, canvas.width,
      view.in_step() ? fmt::format("Before micro-step {} of step {}.", now.micro, now.position)
                     : with_key("As they stand between steps. Step into it to see what changes them", "into"),
      theme.text_quiet, look().fonts.small);
  canvas.y += look().px(6);
  put_label(canvas, "mask mode", "", look().px(22));
  const bool mode_changed = before.counting != there.counting;
  const float end = put_chip({canvas.strip_x(), canvas.y}, there.counting ? "counter" : "norm",
                             mode_changed ? theme.written : theme.mask, mode_changed);
  const std::string means = there.counting
                                ? fmt::format("MASK counts {} elements, whatever the repeat", there.mask[0])
                                : "MASK says which lanes of every repeat are on; 32-bit types have lanes 0..63";
  put_text_cut({end + look().px(8), canvas.y + look().px(3)},
               canvas.strip_x() + canvas.strip_width() - end - look().px(8),
               there.mode_worth == Definedness::Never ? "never written in this program" : means, theme.text_quiet,
               look().fonts.small);
  canvas.y += chip_height() + look().px(12);
  draw_bits(canvas, "MASK", there.counting ? "a number" : "128 lanes", there.mask, before.mask, there.mask_worth);
  draw_bits(canvas, "CMPMASK", "16 bytes", there.cmpmask, before.cmpmask, there.cmpmask_worth);
  draw_taken(canvas, there, before);
  if (view.in_step()) draw_addresses(view, canvas);
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({canvas.width, canvas.y - at.y});
  ImGui::EndChild();
}

void RegistersPane::draw(DebugView& view, CommandQueue& out) {
  const auto say = [](const std::string& text) {
    put_text_wrapped(ImGui::GetCursorScreenPos(), ImGui::GetContentRegionAvail().x, text, look().theme->text_quiet,
                     look().fonts.text);
  };
  if (view.recording() == nullptr) return say("Open a program to see its registers.");
  if (view.recording()->program().target == Target::A2A3) return draw_special(view);
  if (!view.in_step() && view.recording()->program().reg_bytes != 0) return draw_named(view, out);
  if (!view.in_step()) return draw_outliving(view);
  draw_values(view);
}

bool RegistersPane::act(const Command& command, DebugView&, CommandQueue&) {
  if (command.name != "cycleFormat") return false;
  hex_ = !hex_;
  return true;
}

void RegistersPane::save(nlohmann::json& settings) const {
  settings["as"] = as_ < 0 ? "" : kFormats[as_];
  settings["hex"] = hex_;
  settings["needed"] = needed_only_;
}
void RegistersPane::load(const data::Fields& settings) {
  const std::string as = settings.text("as").value_or("");
  as_ = -1;
  for (int i = 0; i < static_cast<int>(std::size(kFormats)); ++i)
    if (as == kFormats[i]) as_ = i;
  hex_ = settings.truth("hex").value_or(false);
  needed_only_ = settings.truth("needed").value_or(false);
}

const RegisteredPane kRegistersPane({
    .id = "registers",
    .title = "Registers",
    .help = "Vector registers and predicates in the middle of a step; on A2A3 the mask and its kin; what a merge took.",
    .order = 170,
    .places = {{"debug", "middle below", 2}},
    .manual =
        R"(In a program that names vector registers and masks itself: those that the region of vector instructions has made so
far, the last first; a click selects a lane. In the middle of a step: the registers and predicates of its
micro-operations. Between steps: the special registers
that outlive a step. A5 has one, VMS4_SR: the records that the last merge which could end early took of each list.)",
    .make = make_pane<RegistersPane>,
});

}  // namespace
}  // namespace ts::ui
