// Titles, boxes and names for the drawings of a micro-operation.
#include "app/stage/micro/micro_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/draw/chips.h"
#include "app/draw/look.h"
#include "app/draw/text.h"

namespace ts::ui {

std::string MicroScene::element_name(Space space, std::uint64_t address) const {
  const ByteRange place{space, static_cast<std::uint32_t>(address), 1};
  const std::optional<Element> element = view.element_at(place, step);
  return element ? view.name_of(*element) : "";
}

float MicroCanvas::label_width() const { return std::min(look().px(148), width * 0.3f); }

void put_label(const MicroCanvas& canvas, const std::string& title, const std::string& about, float height) {
  const Theme& theme = *look().theme;
  const float room = canvas.label_width() - look().px(10);
  const float y = canvas.y + (height - look().fonts.mono->FontSize) / 2;
  const float used = put_text_cut({canvas.x, y}, room, title, theme.text, look().fonts.mono) + look().px(8);
  if (room - used > look().px(20))
    put_text_cut({canvas.x + used, y + look().px(1)}, room - used, about, theme.text_quiet, look().fonts.small);
}

namespace {

std::string arg_text(const MicroScene& scene, const TraceArg& arg) {
  switch (arg.kind) {
    case TraceArg::Kind::Count:
      return arg.base < 1u << 20 ? fmt::format("{} = {}", arg.name, arg.base)
                                 : fmt::format("{} = 0x{:x}", arg.name, arg.base);
    case TraceArg::Kind::Scalar:
      return fmt::format("scalar {} {}  {}", name(arg.dtype), format_value(arg.dtype, arg.base),
                         hex_text(element_format(arg.dtype), arg.base));
    case TraceArg::Kind::Text: return arg.name;
    case TraceArg::Kind::Address: {
      const std::string element = scene.element_name(arg.space, address_of(arg));
      const std::string offset =
          arg.offset == 0 ? "" : fmt::format(" = 0x{:x} + {}*{}", arg.base, arg.offset, arg.elem_bytes);
      return fmt::format("{} 0x{:x}{}{}{}", name(arg.space), address_of(arg), offset, element.empty() ? "" : "  ",
                         element);
    }
    case TraceArg::Kind::Value: break;
  }
  return "";
}

}  // namespace

void draw_args(const MicroScene& scene, MicroCanvas& canvas) {
  const Theme& theme = *look().theme;
  float x = canvas.x;
  bool any = false;
  for (const TraceArg& arg : scene.op().args) {
    const std::string text = arg_text(scene, arg);
    if (text.empty()) continue;
    const float wide = text_width(text, look().fonts.small) + look().px(12);
    if (any && x + wide > canvas.x + canvas.width) {
      x = canvas.x;
      canvas.y += chip_height() + look().px(4);
    }
    x = put_chip({x, canvas.y}, text, arg.kind == TraceArg::Kind::Scalar ? theme.src1 : theme.line) + look().px(6);
    any = true;
  }
  if (any) canvas.y += chip_height() + look().px(10);
}

const MicroIndex& micro_index(DebugView& view, std::uint32_t step) {
  struct KeptIndex {
    std::optional<std::uint32_t> of;
    MicroIndex index;
  };
  auto& kept = view.kept().of<KeptIndex>();
  if (kept.of != step) {
    kept.index = MicroIndex(view.questions().trace(step), &view.recording()->bound(step));
    kept.of = step;
  }
  return kept.index;
}

bool is_emulator_step(const MicroStep& step) { return step.op->flow == FlowKind::Emulator; }

}  // namespace ts::ui
