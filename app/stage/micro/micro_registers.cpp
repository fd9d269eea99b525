// A micro-operation on registers: what it takes above, what it makes below, and lines for what moved.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "app/draw/look.h"
#include "app/draw/text.h"
#include "app/stage/micro/micro_parts.h"
#include "app/stage/parts/lane_strips.h"
#include "app/stage/parts/ruler.h"
#include "core/debug/origins/micro_links.h"

namespace ts::ui {
namespace {

// Where memory stands in the picture: cells below the lanes they go to, or a ruler.
struct MemoryPlace {
  bool straight = false;
  std::int64_t origin = 0;  // straight: the address below byte 0 of a register
  Ruler ruler;
  float top = 0, bottom = 0;
};

// Moves with a register or predicate on one side; from memory to memory the rulers say enough.
std::vector<MicroMove> moves_of_values(const Trace& trace, std::uint32_t micro) {
  std::vector<MicroMove> moves = moves_of(trace, micro);
  std::erase_if(moves, [](const MicroMove& move) { return move.from.memory && move.to.memory; });
  return moves;
}

// The address below byte 0 of a register, where all that moved stands side by side.
std::optional<std::int64_t> straight_origin(const Trace& trace, const std::vector<MicroMove>& moves) {
  std::optional<std::int64_t> origin;
  for (const MicroMove& move : moves) {
    if (move.from.memory == move.to.memory) return {};
    const MicroPlace &memory = move.from.memory ? move.from : move.to, &value = move.from.memory ? move.to : move.from;
    if (trace.values[value.value].kind == TraceValue::Kind::Predicate) return {};
    const std::int64_t here = static_cast<std::int64_t>(memory.bit / 8) - static_cast<std::int64_t>(value.bit / 8);
    if (memory.bit % 8 != 0 || value.bit % 8 != 0 || (origin && *origin != here)) return {};
    origin = here;
  }
  return origin;
}

class RegisterDrawing {
 public:
  RegisterDrawing(const MicroScene& scene, MicroLook& state, MicroCanvas& canvas)
      : scene_(scene),
        state_(state),
        canvas_(canvas),
        moves_(moves_of_values(scene.trace, scene.micro)),
        linked_(!moves_.empty()) {
    view_ = place_lanes(canvas.strip_x(), canvas.strip_width(), narrowest(), state.first_byte);
    state.first_byte = view_.first;
  }

  void draw() {
    ImDrawList& out = *ImGui::GetWindowDrawList();
    const float top = canvas_.y;
    draw_args(scene_, canvas_);
    out.ChannelsSplit(2);
    out.ChannelsSetCurrent(1);
    if (has_registers()) {
      draw_lane_numbers(view_, canvas_.y, narrowest());
      canvas_.y += look().fonts.mono_small->FontSize + look().px(3);
    }
    draw_inputs();
    draw_reads();
    draw_results();
    draw_writes();
    out.ChannelsSetCurrent(0);
    draw_links();
    out.ChannelsMerge();
    if (has_registers()) {
      draw_lane_scroll("lanes", view_, canvas_.y, narrowest(),
                       {{canvas_.x, top}, {canvas_.x + canvas_.width, canvas_.y}}, state_.first_byte);
      canvas_.y += lane_scroll_height() + look().px(8);
    }
    if (!has_registers() && scene_.op().reads.empty() && scene_.op().writes.empty())
      canvas_.y +=
          put_text_wrapped({canvas_.x, canvas_.y}, canvas_.width, "It touches neither registers with data nor memory.",
                           look().theme->text_quiet, look().fonts.small);
    tell_hovered();
  }

 private:
  struct Strip {
    float top = 0, bottom = 0;
  };

  bool has_registers() const { return !strips_of_inputs().empty() || !scene_.op().made.empty(); }
  // What it is given, and what it takes bits of: a stream of stores holds some that nobody names.
  std::vector<std::uint32_t> strips_of_inputs() const {
    std::vector<std::uint32_t> values;
    const auto add = [&](std::uint32_t value) {
      if (std::ranges::find(values, value) == values.end()) values.push_back(value);
    };
    for (const TraceArg& arg : scene_.op().args)
      if (arg.kind == TraceArg::Kind::Value) add(arg.value_id);
    for (const TraceMove& move : scene_.op().moves)
      if (!move.from.memory && scene_.index.value(move.from.of).maker != scene_.micro) add(move.from.of);
    return values;
  }
  // Lanes as the value's maker saw them; predicates as this micro-operation does.
  DType type_of(std::uint32_t value) const {
    const bool predicate = scene_.trace.values[value].kind == TraceValue::Kind::Predicate;
    const bool looks = scene_.op().lane_bytes != 0 && scene_.index.value(value).maker != scene_.micro;
    return predicate && looks ? unsigned_type(scene_.op().lane_bytes) : scene_.index.value(value).type;
  }
  static DType unsigned_type(std::uint32_t bytes) {
    return bytes == 1 ? DType::U8 : bytes == 2 ? DType::U16 : bytes == 4 ? DType::U32 : DType::U64;
  }
  DType narrowest() const {
    DType type = scene_.type();
    for (const std::uint32_t value : strips_of_inputs())
      if (size_bytes(scene_.index.value(value).type) < size_bytes(type)) type = scene_.index.value(value).type;
    return type;
  }

  // Room between strips: more where lines are drawn.
  void gap(bool lines) { canvas_.y += look().px(lines ? 34 : 8); }

  void draw_strip(std::uint32_t value, const std::string& role, const StripLook& strip) {
    const TraceValue& what = scene_.trace.values[value];
    const DType type = type_of(value);
    const bool predicate = what.kind == TraceValue::Kind::Predicate;
    const float height = predicate ? std::floor(look().px(16)) : lane_height();
    put_label(canvas_,
              fmt::format("{}  {}", value_name(scene_.trace, value),
                          predicate ? fmt::format("b{}", 8 * size_bytes(type)) : name(type)),
              predicate ? "" : role, height);
    const auto lane =
        predicate ? draw_predicate(view_, canvas_.y, what, type) : draw_register(view_, canvas_.y, what, type, strip);
    if (lane) hovered_byte_ = *lane * size_bytes(type);
    strips_[value] = {canvas_.y, canvas_.y + height};
    canvas_.y += height;
  }

  void draw_inputs() {
    const Theme& theme = *look().theme;
    const Color colors[] = {theme.src0, theme.src1};
    std::size_t nth = 0;
    for (const std::uint32_t value : strips_of_inputs()) {
      StripLook strip;
      const bool is_register = scene_.trace.values[value].kind == TraceValue::Kind::Register;
      if (is_register) {
        strip = {.source = colors[nth % 2], .edge_right = nth % 2 == 1};
        ++nth;
      }
      const TraceIndex* index = index_of(value);
      if (index != nullptr) {
        strip.source = theme.mask;
        strip.marks = [index](std::uint32_t lane) { return looked_at(*index, lane) ? Mark::None : Mark::Faded; };
      }
      draw_strip(value, index != nullptr ? "says where" : "", strip);
      gap(false);
    }
  }
  // The register that says where, of gathers and scatters.
  const TraceIndex* index_of(std::uint32_t value) const {
    for (const TraceIndex& index : scene_.op().indices)
      if (index.value == value) return &index;
    return nullptr;
  }
  static bool looked_at(const TraceIndex& index, std::uint32_t lane) {
    const std::uint32_t bit = lane * size_bytes(index.type);
    return index.used[bit / 64] >> (bit % 64) & 1;
  }

  void draw_reads() {
    const MicroStep& op = scene_.op();
    const auto reach = reach_of(op.reads, 0, op.reads.size());
    if (!reach) return;
    const auto origin = straight_origin(scene_.trace, moves_);
    reads_.straight = origin.has_value();
    reads_.origin = origin.value_or(0);
    put_memory("reads", *reach, op.reads, reads_, look().theme->read, Which::After);
    gap(!reads_.straight || op.made.size() > 0);
  }
  void draw_results() {
    for (const std::uint32_t value : scene_.op().made) {
      if (value == scene_.op().made.front() && linked_ && !scene_.op().args.empty() && scene_.op().reads.empty())
        gap(!moves_.empty());
      StripLook strip{.source = look().theme->written};
      const DType type = type_of(value);
      strip.source_of = [this, value, type](std::uint32_t lane) -> std::optional<Color> {
        const auto from = origin_of(moves_, {.value = value, .bit = std::uint64_t{lane} * 8 * size_bytes(type)});
        if (!from || from->memory) return {};
        return color_of(*from, *look().theme);
      };
      const std::optional<std::uint32_t> meant =
          scene_.byte ? std::optional(*scene_.byte / size_bytes(type)) : std::nullopt;
      strip.marks = [this, meant](std::uint32_t lane) {
        return (scene_.made ? Mark::Written : Mark::None) | (meant == lane ? Mark::Selected : Mark::None);
      };
      draw_strip(value, scene_.made ? "made" : "will be", strip);
      gap(false);
    }
  }
  void draw_writes() {
    const MicroStep& op = scene_.op();
    const auto reach = reach_of(op.writes, 0, op.writes.size());
    if (!reach) return;
    gap(!moves_.empty());
    const auto origin = straight_origin(scene_.trace, moves_);
    writes_.straight = origin.has_value();
    writes_.origin = origin.value_or(0);
    if (writes_.straight) {
      put_memory("held", *reach, op.writes, writes_, look().theme->scratch, Which::Before);
      canvas_.y += look().px(2);
      const float top = writes_.top;
      put_memory(scene_.made ? "holds now" : "will hold", *reach, op.writes, writes_, look().theme->written,
                 Which::After);
      writes_.top = top;
    } else {
      put_memory(scene_.made ? "wrote" : "will write", *reach, op.writes, writes_, look().theme->written, Which::After);
    }
    gap(false);
  }

  enum class Which { Before, After };
  void put_memory(const char* role, const ByteRange& reach, const std::vector<TraceAccess>& accesses,
                  MemoryPlace& place, Color color, Which which) {
    const std::string element = scene_.element_name(reach.space, reach.address);
    const float height = place.straight ? lane_height() : ruler_height();
    put_label(canvas_, role, element.empty() ? fmt::format("{} 0x{:x}", name(reach.space), reach.address) : element,
              height);
    place.top = canvas_.y;
    if (place.straight) {
      for (const TraceAccess& access : accesses) draw_memory_cells(access, place, color, which);
      canvas_.y += height;
    } else {
      place.ruler =
          place_ruler({{canvas_.strip_x(), canvas_.y}, {canvas_.strip_x() + view_width(), canvas_.y + height}}, reach);
      draw_ruler(place.ruler);
      for (const TraceAccess& access : accesses) draw_window(place.ruler, access.place(), color, WindowLook::Plain);
      canvas_.y += height + ruler_label_height();
    }
    place.bottom = canvas_.y;
  }
  float view_width() const { return has_registers() ? view_.width : canvas_.strip_width(); }

  void draw_memory_cells(const TraceAccess& access, const MemoryPlace& place, Color color, Which which) {
    const std::uint32_t size = size_bytes(scene_.index.type_of(access));
    const std::uint32_t from = which == Which::Before ? access.before : access.after;
    const std::int64_t begin = static_cast<std::int64_t>(access.address) - place.origin;
    for (std::uint32_t at = 0; at + size <= access.size; at += size) {
      const std::int64_t byte = begin + at;
      if (byte < view_.first || byte + size > view_.end()) continue;
      const Rect rect{{view_.x_of(static_cast<double>(byte)), canvas_.y},
                      {view_.x_of(static_cast<double>(byte + size)) - 1, canvas_.y + lane_height()}};
      draw_memory_cell(access, at, size, from, rect, color, which);
    }
  }
  void draw_memory_cell(const TraceAccess& access, std::uint32_t at, std::uint32_t size, std::uint32_t from,
                        const Rect& rect, Color color, Which which) {
    std::uint64_t bits = 0, other = 0;
    std::memcpy(&bits, scene_.trace.bytes.data() + from + at, size);
    CellLook cell{
        .text = lane_text({}, scene_.index.type_of(access), bits, rect.width()), .ground = {}, .source = color};
    const bool store =
        &access >= scene_.op().writes.data() && &access < scene_.op().writes.data() + scene_.op().writes.size();
    if (!store) cell.marks = Mark::Read;
    if (store && which == Which::After) {
      std::memcpy(&other, scene_.trace.bytes.data() + access.before + at, size);
      if (other != bits) cell.marks = Mark::Written;
    }
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (ImGui::IsWindowHovered() && rect.holds(mouse)) {
      cell.marks = cell.marks | Mark::Hovered;
      const auto element = scene_.view.element_at(access.place().with(access.address + at, size), scene_.step);
      if (element) scene_.view.hover(*element);
      else scene_.view.hover(access.place().with(access.address + at, size));
      hovered_byte_ = static_cast<std::uint32_t>((rect.min.x - view_.x) / view_.per_byte + 0.5f) + view_.first;
    }
    draw_cell(*ImGui::GetWindowDrawList(), rect, cell);
  }

  // --- lines ---

  // Where bits of a place stand; `below` the strip or above it.
  std::optional<ImVec2> point_of(const MicroPlace& place, std::uint32_t bits, bool below) const {
    if (!place.memory) {
      const auto found = strips_.find(place.value);
      if (found == strips_.end()) return {};
      const bool predicate = scene_.trace.values[place.value].kind == TraceValue::Kind::Predicate;
      const double byte = (static_cast<double>(place.bit) + bits / 2.0) / (predicate ? 1 : 8);
      return ImVec2{view_.seen_x(byte), below ? found->second.bottom : found->second.top};
    }
    const MemoryPlace& memory = below ? reads_ : writes_;
    const double address = (static_cast<double>(place.bit) + bits / 2.0) / 8;
    const float y = below ? memory.bottom : memory.top;
    if (memory.straight) return ImVec2{view_.seen_x(address - static_cast<double>(memory.origin)), y};
    if (memory.ruler.span.size == 0) return {};
    return ImVec2{memory.ruler.x_of(address), below ? memory.ruler.rect.max.y : memory.ruler.rect.min.y};
  }
  bool in_sight(const MicroPlace& place, bool below) const {
    if (place.memory) {
      const MemoryPlace& memory = below ? reads_ : writes_;
      const auto byte_there = static_cast<std::int64_t>(place.bit / 8) - memory.origin;
      return !memory.straight || (byte_there >= view_.first && byte_there < view_.end());
    }
    const bool predicate = scene_.trace.values[place.value].kind == TraceValue::Kind::Predicate;
    const std::uint64_t byte = predicate ? place.bit : place.bit / 8;
    return byte >= view_.first && byte < view_.end();
  }
  void draw_links() const {
    const Theme& theme = *look().theme;
    const std::uint32_t lane = 8 * size_bytes(scene_.type());
    for (MicroMove move : moves_) {
      const bool predicate = !move.to.memory && scene_.trace.values[move.to.value].kind == TraceValue::Kind::Predicate;
      const std::uint32_t part = predicate ? std::min(move.bits, lane / 8) : lane;
      for (std::uint32_t left = move.bits; left > 0;) {
        const std::uint32_t bits = std::min(left, part);
        draw_link(move.from, move.to, bits, theme);
        move.from.bit += bits;
        move.to.bit += bits;
        left -= bits;
      }
    }
  }
  void draw_link(const MicroPlace& from, const MicroPlace& to, std::uint32_t bits, const Theme& theme) const {
    const bool both = in_sight(from, true) && in_sight(to, false);
    if (!in_sight(to, false)) return;
    const auto a = point_of(from, bits, true), b = point_of(to, bits, false);
    if (!a || !b) return;
    const std::optional<std::uint32_t> meant = hovered_byte_ ? hovered_byte_ : scene_.byte;
    const bool hot = meant && ((!to.memory && to.bit / 8 == *meant) || (!from.memory && from.bit / 8 == *meant));
    const Color base = color_of(from, theme);
    const Color color = hot ? theme.select : with_alpha(base, both ? 0.75 : 0.25);
    const float middle = (a->y + b->y) / 2;
    ImGui::GetWindowDrawList()->AddBezierCubic(*a, {a->x, middle}, {b->x, middle}, *b, ink(color), hot ? 2.5f : 1.3f);
  }
  Color color_of(const MicroPlace& from, const Theme& theme) const {
    if (from.memory) return theme.read;
    const auto inputs = strips_of_inputs();
    return !inputs.empty() && from.value == inputs.front() ? theme.src0 : theme.src1;
  }

  // All that a lane holds, with its bits.
  void tell_hovered() const {
    if (!hovered_byte_) return;
    std::string text;
    const auto add = [&](std::uint32_t value) {
      const TraceValue& what = scene_.trace.values[value];
      const DType type = type_of(value);
      const std::uint32_t lane = *hovered_byte_ / size_bytes(type);
      if (lane >= lane_count(type)) return;
      if (!text.empty()) text += "\n";
      if (what.kind == TraceValue::Kind::Predicate) {
        text += fmt::format("{} lane {}  {}", value_name(scene_.trace, value), lane,
                            lane_is_on(what, type, lane) ? "on" : "off");
      } else {
        const std::uint64_t bits = lane_bits(what, type, lane);
        text += fmt::format("{} lane {}  {} {}  {}", value_name(scene_.trace, value), lane, name(type),
                            format_value(type, bits), hex_text(element_format(type), bits));
        text += origin_text(value, lane, type);
      }
    };
    for (const std::uint32_t value : strips_of_inputs()) add(value);
    for (const std::uint32_t value : scene_.op().made) add(value);
    const WithFont mono(look().fonts.mono_small);
    if (!text.empty()) ImGui::SetTooltip("%s", text.c_str());
  }
  std::string origin_text(std::uint32_t value, std::uint32_t lane, DType type) const {
    const std::uint32_t bits = 8 * size_bytes(type);
    const auto from = origin_of(moves_, {.value = value, .bit = std::uint64_t{lane} * bits});
    if (!from) return "";
    if (!from->memory) {
      const bool predicate = scene_.trace.values[from->value].kind == TraceValue::Kind::Predicate;
      const std::uint32_t lane_bits = size_bytes(type_of(from->value)) * (predicate ? 1 : 8);
      return fmt::format("  from {} lane {}", value_name(scene_.trace, from->value), from->bit / lane_bits);
    }
    const std::string element = scene_.element_name(from->space, from->bit / 8);
    return fmt::format("  from {} 0x{:x} {}", name(from->space), from->bit / 8, element);
  }

  const MicroScene& scene_;
  MicroLook& state_;
  MicroCanvas& canvas_;
  std::vector<MicroMove> moves_;
  bool linked_ = false;
  LaneWindow view_;
  std::map<std::uint32_t, Strip> strips_;
  MemoryPlace reads_, writes_;
  std::optional<std::uint32_t> hovered_byte_;
};

}  // namespace

void draw_micro_registers(const MicroScene& scene, MicroLook& state, MicroCanvas& canvas) {
  RegisterDrawing(scene, state, canvas).draw();
}

}  // namespace ts::ui
