// Micro-steps as text.
#include "core/engine/trace/trace.h"

#include <fmt/format.h>

namespace ts {

std::uint32_t Trace::keep_bytes(const std::uint8_t* from, std::uint32_t size) {
  const auto at = static_cast<std::uint32_t>(bytes.size());
  bytes.insert(bytes.end(), from, from + size);
  return at;
}

std::size_t Trace::held_bytes() const {
  std::size_t held = steps.capacity() * sizeof(MicroStep) + values.capacity() * sizeof(TraceValue) + bytes.capacity();
  for (const MicroStep& one : steps)
    held += one.args.capacity() * sizeof(TraceArg) + one.made.capacity() * sizeof(std::uint32_t) +
            (one.reads.capacity() + one.writes.capacity()) * sizeof(TraceAccess) +
            one.moves.capacity() * sizeof(TraceMove) + one.indices.capacity() * sizeof(TraceIndex) +
            one.repeats.capacity() * sizeof(TraceRepeat);
  return held;
}

namespace {

std::string value_name(const Trace& trace, std::uint32_t id) {
  return fmt::format("{}{}", trace.values[id].kind == TraceValue::Kind::Register ? "v" : "p", id);
}

std::string arg_text(const Trace& trace, const TraceArg& arg) {
  switch (arg.kind) {
    case TraceArg::Kind::Value: return value_name(trace, arg.value_id);
    case TraceArg::Kind::Scalar: return fmt::format("{} (0x{:x})", format_value(arg.dtype, arg.base), arg.base);
    case TraceArg::Kind::Count:
      return arg.base < 1u << 20 ? fmt::format("{}={}", arg.name, arg.base)
                                 : fmt::format("{}=0x{:x}", arg.name, arg.base);
    case TraceArg::Kind::Text: return arg.name;
    case TraceArg::Kind::Address: break;
  }
  if (arg.offset == 0) return fmt::format("{}[0x{:x}]", name(arg.space), arg.base);
  return fmt::format("{}[0x{:x} + {}*{}]", name(arg.space), arg.base, arg.offset, arg.elem_bytes);
}

}  // namespace

std::string Trace::describe(const MicroStep& step) const {
  std::string text = fmt::format("{}_b{}", step.op->name, 8 * size_bytes(step.type));
  // What a repeat loads and computes inside has no name in the ISA.
  if (!step.made.empty() && step.op->flow != FlowKind::Repeat) {
    std::string results;
    for (std::uint32_t id : step.made) results += (results.empty() ? "" : ", ") + value_name(*this, id);
    text = results + " = " + text;
  }
  for (std::size_t i = 0; i < step.args.size(); ++i) text += (i == 0 ? " " : ", ") + arg_text(*this, step.args[i]);
  return text;
}

}  // namespace ts
