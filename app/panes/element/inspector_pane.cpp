// The element that is selected, or else under the mouse: its value in every way, where it stands, who made it and of
// what. Facts in two columns, bits as boxes, links.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/draw/cells.h"
#include "app/draw/look.h"
#include "app/draw/text.h"
#include "app/panes/pane.h"
#include "app/panes/parts/empty.h"
#include "app/view/later.h"
#include "core/debug/elements/cell_text.h"
#include "core/debug/elements/element_facts.h"
#include "core/debug/origins/data_flow.h"
#include "core/debug/picture/tile_picture.h"

namespace ts::ui {
namespace {

class InspectorPane final : public Pane {
 public:
  void draw(DebugView& view, CommandQueue& out) override;
  bool act(const Command& command, DebugView& view, CommandQueue& out) override;

 private:
  // Where the value came from: who made its bytes, and of what.
  struct Origin {
    std::vector<Made> makers;
    std::vector<SourceUse> sources;
  };
  struct Seen;
  Seen look_at(DebugView& view, const Element& element) const;
  void draw_value(const Seen& seen);
  void draw_bits(const Seen& seen);
  void draw_readings(const Seen& seen);
  void draw_place(const Seen& seen);
  void draw_origin(DebugView& view, CommandQueue& out, const Seen& seen);
  void draw_source(DebugView& view, CommandQueue& out, const SourceUse& use, int id);
  void draw_readers(DebugView& view, CommandQueue& out, const Seen& seen);

  Later<Origin> origin_;
  Later<std::vector<Reader>> readers_;
};

}  // namespace

// The element as it stands at the moment.
struct InspectorPane::Seen {
  Element element = {};
  std::string called = {};
  std::uint64_t bits = 0;
  const ElementFormat* format = nullptr;
  Definedness worth = Definedness::Written;
  bool valid = true;
  ByteRange place = {};
  std::string formula = {};
  std::uint32_t position = 0;
  bool hovered = false;
};

namespace {

constexpr std::size_t kMostReaders = 64, kMostSources = 64;

void heading(const char* text) {
  ImGui::Dummy({0, look().px(3)});
  const WithFont font(look().fonts.small);
  ImGui::PushStyleColor(ImGuiCol_Text, tint(look().theme->text_quiet));
  ImGui::TextUnformatted(text);
  ImGui::PopStyleColor();
  const ImVec2 from{ImGui::GetItemRectMax().x + look().px(8),
                    (ImGui::GetItemRectMin().y + ImGui::GetItemRectMax().y) / 2};
  const float end = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
  ImGui::GetWindowDrawList()->AddLine(from, {std::max(from.x, end), from.y}, ink(look().theme->line));
}

// A name and what it is; long texts go on below themselves.
void fact(const char* name, const std::string& text, bool mono = true) {
  const float left = ImGui::GetCursorPosX();
  {
    const WithFont font(look().fonts.small);
    ImGui::PushStyleColor(ImGuiCol_Text, tint(look().theme->text_quiet));
    ImGui::TextUnformatted(name);
    ImGui::PopStyleColor();
  }
  ImGui::SameLine(left + look().px(78));
  const WithFont font(mono ? look().fonts.mono : look().fonts.small);
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopTextWrapPos();
}

// A row that leads somewhere.
bool link(const std::string& text, const std::string& note, int id) {
  ImGui::PushID(id);
  const bool clicked = ImGui::Selectable("##link");
  const ImVec2 max = ImGui::GetItemRectMax(), min{ImGui::GetItemRectMin().x + look().px(4), ImGui::GetItemRectMin().y};
  const float used = put_text_cut(min, max.x - min.x, text, look().theme->accent, look().fonts.mono);
  const float left = min.x + used + look().px(10);
  if (left < max.x) put_text_cut({left, min.y}, max.x - left, note, look().theme->text_quiet, look().fonts.mono);
  ImGui::PopID();
  return clicked;
}

// So many words of a thing that goes on.
void more(std::size_t count, const char* what) {
  ImGui::TextDisabled("%s", fmt::format("and {} more {}", count, what).c_str());
}

std::string step_name(const Recording& recording, std::uint32_t step) {
  return fmt::format("@{} {}", step, recording.bound(step).row->name);
}

void select_at(CommandQueue& out, DebugView& view, const Element& element, std::uint32_t position) {
  out.push("seek", {std::int64_t{position}});
  out.push("select", {view.name_of(element.owner), std::int64_t{element.row}, std::int64_t{element.col}});
}

std::string words_of(Maker maker, std::uint32_t position) {
  switch (maker) {
    case Maker::Edit: return fmt::format("changed by hand at position {}", position);
    case Maker::Block: return fmt::format("nobody since block began with step {}", position);
    case Maker::Input: return "the program was given it: it is an input";
    case Maker::Step:
    case Maker::Nobody: break;
  }
  return "nobody: it was never written";
}

}  // namespace

InspectorPane::Seen InspectorPane::look_at(DebugView& view, const Element& element) const {
  const Moment moment = view.moment();
  Seen seen{.element = element, .called = view.name_of(element)};
  seen.position = moment.position;
  seen.place = view.place_of(element, moment.position);
  const auto take = [&](const TilePicture& picture, std::uint32_t row, std::uint32_t col) {
    seen.format = picture.elements.format;
    if (row >= picture.elements.rows || col >= picture.elements.cols) return;
    seen.bits = picture.elements.at(row, col);
    seen.worth = picture.elements.worth_at(row, col);
    seen.valid = picture.is_valid(row, col);
  };
  if (element.owner.kind == Owner::Kind::Tile) {
    const TileRef tile = view.tile_at(element.owner.id, moment.position);
    take(view.picture(tile, moment), element.row, element.col);
    if (element.row < tile.rows() && element.col < tile.cols())
      seen.formula = address_formula(tile, element.row, element.col);
    return seen;
  }
  const BufferDecl& buffer = view.recording()->program().buffers[element.owner.id];
  take(picture_of(view.questions(), buffer, moment, Window{element.row, element.col, 1, 1}), 0, 0);
  seen.formula =
      address_formula(buffer.address, shape_of(buffer).cols, size_bytes(buffer.dtype), element.row, element.col);
  return seen;
}

void InspectorPane::draw_value(const Seen& seen) {
  {
    const WithFont font(look().fonts.bold);
    ImGui::TextUnformatted(seen.called.c_str());
  }
  ImGui::SameLine();
  ImGui::TextDisabled("%s%s", seen.format->name, seen.hovered ? ", under the mouse" : "");
  {
    const WithFont font(look().fonts.heading);
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(cell_text(*seen.format, seen.bits, seen.worth, NumberStyle::Decimal).c_str());
    ImGui::PopTextWrapPos();
  }
  fact("exact", exact_text(*seen.format, seen.bits));
  fact("hex", hex_text(*seen.format, seen.bits));
  fact("kind", class_words(*seen.format, seen.bits), false);
  fact("worth", worth_words(seen.worth), false);
  if (!seen.valid) fact("region", "outside the valid region: no instruction promises it", false);
  const Neighbours next = neighbours(*seen.format, seen.bits);
  const double value = number(*seen.format, seen.bits);
  if (!seen.format->is_float()) return;
  if (next.above)
    fact("next up", fmt::format("{}  (+{:.3g})", short_text(*seen.format, *next.above),
                                number(*seen.format, *next.above) - value));
  if (next.below)
    fact("next down",
         fmt::format("{}  ({:.3g})", short_text(*seen.format, *next.below), number(*seen.format, *next.below) - value));
}

// One box for each bit, in lines that fit; groups have grounds of their own and their names below.
void InspectorPane::draw_bits(const Seen& seen) {
  heading("bits");
  const Theme& theme = *look().theme;
  ImFont *font = look().fonts.mono_small, *small = look().fonts.small;
  const float room = ImGui::GetContentRegionAvail().x;
  const int bits = seen.format->size_bits;
  const float gap = look().px(5);
  // A whole line where that is readable, else lines of 16 or 8.
  int per_line = bits;
  while (per_line > 8 && (room - 4 * gap) / static_cast<float>(per_line) < font->GetCharAdvance('0') + 1) per_line /= 2;
  const float wide = std::min(look().px(16), (room - 4 * gap) / static_cast<float>(per_line));
  const float high = font->FontSize + look().px(4), line = high + small->FontSize + look().px(4);
  const ImVec2 from = ImGui::GetCursorScreenPos();
  ImDrawList& out = *ImGui::GetWindowDrawList();
  const Color grounds[] = {theme.mask, theme.src1, theme.src0};
  int at = 0, number_of_group = seen.format->is_float() ? 0 : 2;
  if (seen.format->is_float() && !seen.format->fields.sign) number_of_group = 1;
  if (seen.format->kind == NumberKind::Signed) number_of_group = 0;
  float shift = 0;
  for (const BitGroup& group : bit_groups(*seen.format, seen.bits)) {
    const Color ground = mix(theme.cell, grounds[std::min(number_of_group, 2)], 0.35);
    for (int i = 0; i < group.bits; ++i, ++at) {
      if (at % per_line == 0) shift = 0;
      const ImVec2 min{from.x + static_cast<float>(at % per_line) * wide + shift,
                       from.y + static_cast<float>(at / per_line) * line};
      const bool set = (seen.bits >> (bits - 1 - at) & 1) != 0;
      const Color shown = set ? ground : mix(theme.cell, ground, 0.35);
      out.AddRectFilled(min, {min.x + wide - 1, min.y + high}, ink(shown));
      const char digit[2] = {set ? '1' : '0', 0};
      put_text({min.x + (wide - font->GetCharAdvance('0')) / 2, min.y + look().px(2)}, digit,
               set ? text_on(shown) : theme.text_quiet, font);
      if (i == 0 && group.name[0] != 0)
        put_text({min.x, min.y + high}, group.bits == 1 ? "±" : group.name, theme.text_quiet, small);
    }
    shift += gap;
    number_of_group = seen.format->kind == NumberKind::Signed ? 2 : number_of_group + 1;
  }
  const int lines = (bits + per_line - 1) / per_line;
  ImGui::Dummy({room, line * static_cast<float>(lines)});
}

void InspectorPane::draw_readings(const Seen& seen) {
  heading("the same bits as");
  for (const ReadAs& other : read_as_others(*seen.format, seen.bits)) fact(other.format->name, other.text);
}

void InspectorPane::draw_place(const Seen& seen) {
  heading("place");
  fact("bytes", fmt::format("{}+0x{:x}, {} byte{}", name(seen.place.space), seen.place.address, seen.place.size,
                            seen.place.size == 1 ? "" : "s"));
  fact("address", seen.formula);
}

// --- where it came from, and where it went ---

void InspectorPane::draw_source(DebugView& view, CommandQueue& out, const SourceUse& use, int id) {
  const Recording& recording = *view.recording();
  const Bound& bound = recording.bound(use.step);
  const Source& source = use.source;
  const char* role = source.decided ? "chose it" : "";
  if (source.kind == Source::Kind::Unspecified) {
    ImGui::PushTextWrapPos(0);
    ImGui::TextDisabled("%s", ("unspecified: " + source.why).c_str());
    ImGui::PopTextWrapPos();
    return;
  }
  if (source.kind == Source::Kind::Scalar) {
    const Operand& operand = bound.operands[static_cast<std::size_t>(source.operand)];
    fact("scalar", fmt::format("{} = {}", operand.spec->name, recording.program().operand_name(operand)));
    return;
  }
  const auto element = view.element_at(source.place, use.step);
  std::string called = fmt::format("{}+0x{:x}", name(source.place.space), source.place.address);
  if (element) called = view.name_of(*element);
  std::string note = role;
  if (source.kind == Source::Kind::MaskBit) {
    called += fmt::format(" bit {}", source.bit);
    note = fmt::format("{} {}", source.bits != 0 ? "1" : "0", role);
  } else if (source.operand >= 0) {
    const Operand& operand = bound.operands[static_cast<std::size_t>(source.operand)];
    const DType dtype = operand.spec->kind == OperandKind::Tile ? operand.tile.type.dtype : operand.global.dtype;
    note = fmt::format("{} {} {}", operand.spec->name,
                       cell_text(element_format(dtype), source.bits, source.definedness, NumberStyle::Decimal), role);
  }
  if (link(fmt::format("{}@{}", called, use.step), note, id) && element) select_at(out, view, *element, use.step);
  if (element && ImGui::IsItemHovered()) view.hover(*element);
}

void InspectorPane::draw_origin(DebugView& view, CommandQueue& out, const Seen& seen) {
  heading("made by");
  const Recording& recording = *view.recording();
  const ByteRange place = seen.place;
  const std::uint32_t position = seen.position;
  const std::string key = fmt::format("{} {} {}", static_cast<int>(place.space),
                                      place.address + std::uint64_t{place.size} * (1ull << 33), position);
  const Origin* found =
      origin_.get(view.answerer(), key, [place, position](Session& session, const std::function<bool()>&) {
        DataFlow flow = session.flow();
        return Origin{flow.makers(place, position), flow.sources(place, position)};
      });
  if (found == nullptr) {
    ImGui::TextDisabled("looking...");
    return;
  }
  int id = 0;
  for (const Made& made : found->makers) {
    if (made.maker == Maker::Step) {
      const std::string part = made.bytes.size == place.size
                                   ? ""
                                   : fmt::format("bytes {} .. {}", made.bytes.address - place.address,
                                                 made.bytes.address - place.address + made.bytes.size - 1);
      if (link(step_name(recording, made.step), part, ++id)) select_at(out, view, seen.element, made.step + 1);
    } else {
      ImGui::PushTextWrapPos(0);
      ImGui::TextUnformatted(words_of(made.maker, made.step).c_str());
      ImGui::PopTextWrapPos();
    }
  }
  if (found->sources.empty()) return;
  heading("made of");
  for (const SourceUse& use : std::span(found->sources).first(std::min(found->sources.size(), kMostSources)))
    draw_source(view, out, use, ++id);
  if (found->sources.size() > kMostSources) more(found->sources.size() - kMostSources, "sources");
}

void InspectorPane::draw_readers(DebugView& view, CommandQueue& out, const Seen& seen) {
  heading("read by");
  if (view.hidden_step()) {
    ImGui::TextDisabled("the lesson asks for it");
    return;
  }
  const Recording& recording = *view.recording();
  const ByteRange place = seen.place;
  const std::uint32_t position = seen.position;
  const std::string key =
      fmt::format("{} {} {} {}", static_cast<int>(place.space), place.address, place.size, position);
  const auto* found =
      readers_.get(view.answerer(), key, [place, position](Session& session, const std::function<bool()>& go_on) {
        DataFlow flow = session.flow();
        return flow.readers(place, position, kMostReaders + 1, go_on);
      });
  if (found == nullptr) {
    ImGui::TextDisabled("looking...");
    return;
  }
  if (found->empty()) ImGui::TextDisabled("no later step, until it is overwritten");
  int id = 1000;
  for (const Reader& reader : std::span(*found).first(std::min(found->size(), kMostReaders))) {
    const auto element = view.element_at(reader.place, reader.step + 1);
    const std::string called =
        element ? view.name_of(*element) : fmt::format("{}+0x{:x}", name(reader.place.space), reader.place.address);
    if (link(step_name(recording, reader.step), fmt::format("into {}{}", called, reader.decided ? ", chose it" : ""),
             ++id) &&
        element)
      select_at(out, view, *element, reader.step + 1);
    if (element && ImGui::IsItemHovered()) view.hover(*element);
  }
  if (found->size() > kMostReaders) ImGui::TextDisabled("and more");
}

// --- the pane ---

bool InspectorPane::act(const Command& command, DebugView& view, CommandQueue& out) {
  if (command.name != "copyValue" || !view.selected() || view.recording() == nullptr) return false;
  const Seen seen = look_at(view, *view.selected());
  out.copy(short_text(*seen.format, seen.bits));
  return true;
}

void InspectorPane::draw(DebugView& view, CommandQueue& out) {
  if (view.recording() == nullptr) return say_empty("No program is open.", "Open one, and click an element of a tile.");
  const auto& element = view.selected() ? view.selected() : view.hovered();
  if (!element) return say_empty("Nothing is selected.", "Point at a cell to look at it, click it to keep it here.");
  Seen seen = look_at(view, *element);
  seen.hovered = !view.selected();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {look().px(8), look().px(2)});
  draw_value(seen);
  draw_bits(seen);
  draw_readings(seen);
  draw_place(seen);
  // What is only passed over would ask a question for each cell.
  if (seen.hovered) {
    ImGui::Dummy({0, look().px(4)});
    ImGui::TextDisabled("click to see its origin and its readers");
  } else {
    draw_origin(view, out, seen);
    draw_readers(view, out, seen);
  }
  ImGui::PopStyleVar();
}

namespace {

const RegisteredPane kInspectorPane({
    .id = "inspector",
    .title = "Inspector",
    .help = "One element: its value in every format, its bits, its place, its origin and readers.",
    .order = 150,
    .places = {{"debug", "right", 1}, {"compare", "left below", 1}},
    .manual =
        R"(The selected element in every format at once, its bits by sign, exponent and fraction, its address, its sources and who
read it. A rounded number has its exact bits beside it.)",
    .make = make_pane<InspectorPane>,
});

}  // namespace
}  // namespace ts::ui
