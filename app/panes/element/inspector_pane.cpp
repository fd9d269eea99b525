// The element that is selected, or else under the mouse: its value in every way, where it stands, who made it and of
// what. Facts in two columns, bits as boxes, links.
#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/draw/cells.h"
#include "app/draw/look.h"
#include "app/draw/text.h"
#include "app/panes/pane.h"
#include "app/panes/parts/empty.h"
#include "app/view/later.h"
#include "app/view/targets.h"
#include "core/debug/elements/cell_text.h"
#include "core/debug/elements/element_facts.h"
#include "core/debug/elements/slices.h"
#include "core/debug/origins/data_flow.h"
#include "core/debug/origins/group_scale.h"
#include "core/debug/picture/tile_picture.h"

namespace ts::ui {
namespace {

class InspectorPane final : public Pane {
 public:
  void draw(DebugView& view, CommandQueue& out) override;
  bool act(const Command& command, DebugView& view, CommandQueue& out) override;

 private:
  // The power of two that stands for a group of elements beside them.
  struct Scale {
    Element element;
    std::uint32_t position = 0;
    std::uint64_t exponent = 0;
    Definedness worth = Definedness::Written;
  };
  // Where the value came from: who made its bytes, and of what.
  struct Origin {
    std::vector<Made> makers;
    std::vector<SourceUse> sources;
    std::optional<Scale> scale;
  };
  struct Seen;
  Seen look_at(DebugView& view, const Element& element) const;
  void draw_value(const Seen& seen);
  void draw_bits(CommandQueue& out, const Seen& seen);
  void offer_bit(const Seen& seen, int bit, const Rect& box);
  void draw_bit_menu(CommandQueue& out, const Seen& seen);
  void draw_codes(const Seen& seen);
  void draw_readings(const Seen& seen);
  static std::optional<Scale> scale_of(Session& session, const std::vector<Made>& makers, const ByteRange& place);
  void draw_scale(DebugView& view, CommandQueue& out, const Seen& seen, const Scale& scale, int id);
  void draw_place(const Seen& seen);
  void draw_origin(DebugView& view, CommandQueue& out, const Seen& seen);
  void draw_source(DebugView& view, CommandQueue& out, const SourceUse& use, int id);
  void draw_readers(DebugView& view, CommandQueue& out, const Seen& seen);

  static constexpr const char* kBitPopup = "bit";
  int bit_ = 0;  // that was clicked
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
  std::string index = {};  // of what has more than two dimensions
  std::uint32_t position = 0;
  bool hovered = false;
  std::string halves = {};  // of the byte that it shares
};

namespace {

// What fits below its boxes.
std::string_view name_of_group(const BitGroup& group, float width) {
  const std::string_view name = group.name;
  if (name == "sign") return group.bits == 1 ? "±" : name;
  const ImFont* font = look().fonts.small;
  if (font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, group.name).x <= width) return name;
  return name == "exponent" ? "exp" : name == "fraction" ? "fr" : name;
}

// Both elements of a byte.
std::string halves_text(DebugView& view, const ElementFormat& format, const ByteRange& place, std::uint32_t position) {
  ByteRange byte = place;
  byte.part = BytePart::Whole;
  std::byte both{};
  view.questions().peek(position, byte, std::span(&both, 1));
  std::string text = fmt::format("0x{:02x}:", std::to_integer<unsigned>(both));
  for (const BytePart part : {BytePart::Low, BytePart::High}) {
    const std::uint64_t bits = bits_in(std::to_integer<std::uint64_t>(both), part);
    byte.part = part;
    const auto element = view.element_at(byte, position);
    text += fmt::format("{} {} half {}, {}", part == BytePart::Low ? "" : ";", part == BytePart::Low ? "low" : "high",
                        short_text(format, bits),
                        part == place.part ? "this one"
                        : element          ? view.name_of(*element)
                                           : "no element");
  }
  return text;
}

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
    if (seen.place.part != BytePart::Whole) seen.halves = halves_text(view, *seen.format, seen.place, moment.position);
    return seen;
  }
  const BufferDecl& buffer = view.recording()->program().buffers[element.owner.id];
  if (const Slices slices = slices_of(buffer); slices.count() > 0)
    seen.index = slices.element_text(element.row, element.col);
  take(picture_of(view.questions(), buffer, moment, Window{element.row, element.col, 1, 1}), 0, 0);
  seen.formula = address_formula(buffer.address, shape_of(buffer).cols, buffer.dtype, element.row, element.col);
  if (seen.place.part != BytePart::Whole) seen.halves = halves_text(view, *seen.format, seen.place, moment.position);
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
  fact("state", worth_words(seen.worth), false);
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

// A click on a bit offers to run on with it turned over; of a mask it is a lane's.
void InspectorPane::offer_bit(const Seen& seen, int bit, const Rect& box) {
  if (targets_wanted()) note_target(fmt::format("inspector/bit {}", bit), box);
  if (seen.hovered || !ImGui::IsWindowHovered() || !ImGui::IsMouseHoveringRect(box.min, box.max)) return;
  ImGui::SetTooltip("bit %d: a click changes it", bit);
  if (!ImGui::IsMouseClicked(ImGuiMouseButton_Left)) return;
  bit_ = bit;
  ImGui::OpenPopup(kBitPopup);
}

void InspectorPane::draw_bit_menu(CommandQueue& out, const Seen& seen) {
  if (!ImGui::BeginPopup(kBitPopup)) return;
  const std::uint64_t turned = seen.bits ^ std::uint64_t{1} << bit_;
  std::string text = fmt::format("bit {} of {}", bit_, seen.called);
  if (!seen.format->is_float() && seen.format->size_bits == 8)
    text += fmt::format(", in a mask that of lane {}", seen.element.col * 8 + static_cast<unsigned>(bit_));
  ImGui::TextDisabled("%s", text.c_str());
  if (ImGui::MenuItem(fmt::format("Run on from here with {} there", turned >> bit_ & 1).c_str()))
    out.push("edit", {fmt::format("{}=0x{:x}", seen.called, turned)});
  if (targets_wanted() && !ImGui::IsWindowAppearing())
    note_target("inspector/turn", {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()});
  ImGui::EndPopup();
}

// One box for each bit, in lines that fit; groups have grounds of their own and their names below.
void InspectorPane::draw_bits(CommandQueue& queue, const Seen& seen) {
  heading("bits");
  const Theme& theme = *look().theme;
  ImFont *font = look().fonts.mono_small, *small = look().fonts.small;
  const float room = ImGui::GetContentRegionAvail().x;
  const int bits = seen.format->size_bits;
  const float gap = look().px(5);
  // A whole line where that is readable, else lines of 16 or 8.
  int per_line = bits;
  while (per_line > 8 && (room - 4 * gap) / static_cast<float>(per_line) < font->GetCharAdvance('0') + 1) per_line /= 2;
  // Few boxes are wider, so that their names fit.
  const float wide = std::min(look().px(bits <= 4 ? 26 : 16), (room - 4 * gap) / static_cast<float>(per_line));
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
      offer_bit(seen, bits - 1 - at, {min, {min.x + wide - 1, min.y + high}});
      if (i == 0 && group.name[0] != 0)
        put_text({min.x, min.y + high}, std::string(name_of_group(group, wide * static_cast<float>(group.bits))),
                 theme.text_quiet, small);
    }
    shift += gap;
    number_of_group = seen.format->kind == NumberKind::Signed ? 2 : number_of_group + 1;
  }
  const int lines = (bits + per_line - 1) / per_line;
  ImGui::Dummy({room, line * static_cast<float>(lines)});
  draw_bit_menu(queue, seen);
}

// Of types with few codes those around this one, in the order of their values: each value over its code.
void InspectorPane::draw_codes(const Seen& seen) {
  constexpr std::size_t kMost = 16;
  const ElementFormat& format = *seen.format;
  if (!has_few_codes(format)) return;
  const std::vector<std::uint64_t> codes = codes_around(format, seen.bits, kMost);
  heading(codes.size() > format.mask() ? "all codes" : "codes nearby");
  const Theme& theme = *look().theme;
  ImFont *font = look().fonts.mono, *small = look().fonts.mono_small;
  const auto width_of = [](ImFont* of, const std::string& text) {
    return of->CalcTextSizeA(of->FontSize, FLT_MAX, 0, text.c_str()).x;
  };
  float wide = 0;
  for (const std::uint64_t code : codes)
    wide = std::max({wide, width_of(font, short_text(format, code)), width_of(small, hex_text(format, code))});
  wide += look().px(8);
  const float room = ImGui::GetContentRegionAvail().x, high = font->FontSize + small->FontSize + look().px(6);
  const auto a_line = static_cast<std::size_t>(std::max(1.0f, room / (wide + look().px(2))));
  const ImVec2 from = ImGui::GetCursorScreenPos();
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const ImVec2 min{from.x + static_cast<float>(i % a_line) * (wide + look().px(2)),
                     from.y + static_cast<float>(i / a_line) * (high + look().px(2))};
    const Color ground = codes[i] == (seen.bits & format.mask()) ? theme.accent : theme.cell;
    ImGui::GetWindowDrawList()->AddRectFilled(min, {min.x + wide, min.y + high}, ink(ground));
    const std::string value = short_text(format, codes[i]), code = hex_text(format, codes[i]);
    put_text({min.x + (wide - width_of(font, value)) / 2, min.y + look().px(1)}, value, text_on(ground), font);
    put_text({min.x + (wide - width_of(small, code)) / 2, min.y + font->FontSize + look().px(2)}, code, text_on(ground),
             small);
  }
  const auto lines = static_cast<float>((codes.size() + a_line - 1) / a_line);
  ImGui::Dummy({room, lines * (high + look().px(2))});
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
  if (!seen.index.empty()) fact("index", seen.index);
  if (!seen.halves.empty()) fact("halves", seen.halves);
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

std::optional<InspectorPane::Scale> InspectorPane::scale_of(Session& session, const std::vector<Made>& makers,
                                                            const ByteRange& place) {
  const auto shared = group_scale(session.recording(), makers, place);
  if (!shared) return {};
  std::byte exponent{};
  Scale scale{{{Owner::Kind::Tile, shared->tile}, shared->row, shared->col}, shared->step + 1};
  scale.worth = session.peek(scale.position, shared->place, std::span(&exponent, 1));
  scale.exponent = std::to_integer<std::uint64_t>(exponent);
  return scale;
}

void InspectorPane::draw_scale(DebugView& view, CommandQueue& out, const Seen& seen, const Scale& scale, int id) {
  heading("its group's scale");
  const ElementFormat& format = element_format(DType::E8M0);
  const std::string called = fmt::format("{}@{}", view.name_of(scale.element), scale.position);
  const std::string power =
      scale.exponent == format.mask() ? "nan" : fmt::format("2^{}", static_cast<int>(scale.exponent) - 127);
  if (link(called, fmt::format("{} ({})", power, scale.exponent), id))
    select_at(out, view, scale.element, scale.position);
  if (ImGui::IsItemHovered()) view.hover(scale.element);
  if (scale.worth == Definedness::Written)
    fact("scaled", fmt::format("{} * {} = {}", short_text(*seen.format, seen.bits), power,
                               number(*seen.format, seen.bits) * number(format, scale.exponent)));
}

void InspectorPane::draw_origin(DebugView& view, CommandQueue& out, const Seen& seen) {
  heading("made by");
  const Recording& recording = *view.recording();
  const ByteRange place = seen.place;
  const std::uint32_t position = seen.position;
  const std::string key =
      fmt::format("{} {} {} {}", static_cast<int>(place.space),
                  place.address + std::uint64_t{place.size} * (1ull << 33), static_cast<int>(place.part), position);
  const Origin* found =
      origin_.get(view.answerer(), key, [place, position](Session& session, const std::function<bool()>&) {
        DataFlow flow = session.flow();
        Origin origin{flow.makers(place, position), flow.sources(place, position), {}};
        origin.scale = scale_of(session, origin.makers, place);
        return origin;
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
  if (found->scale) draw_scale(view, out, seen, *found->scale, ++id);
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
  const std::string key = fmt::format("{} {} {} {} {}", static_cast<int>(place.space), place.address, place.size,
                                      static_cast<int>(place.part), position);
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
  draw_bits(out, seen);
  draw_codes(seen);
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
read it. A rounded number has its exact bits beside it. A click on a bit offers to run the program on
with it turned over, which is a fork: in the bytes of a mask a bit is a lane.)",
    .make = make_pane<InspectorPane>,
});

}  // namespace
}  // namespace ts::ui
