// Micro-operations for people: neighbours that are alike are written once, and long rows are broken.
#include "app/cli/report/trace_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/debug/origins/micro_view.h"

namespace ts {
namespace {

constexpr std::size_t kTraceLineWidth = 116;
constexpr std::size_t kIndent = 10;
constexpr std::uint32_t kFewestAlike = 4;  // fewer are written out

// "16 of 64 lanes on: 0..7, 32..39"
std::vector<std::string> predicate_words(const TraceValue& value, DType type) {
  const std::uint32_t lanes = lane_count(type);
  std::vector<std::string> words;
  std::uint32_t on = 0;
  for (std::uint32_t first = 0, end = 0; first < lanes; first = end + 1) {
    while (first < lanes && !lane_is_on(value, type, first)) ++first;
    for (end = first; end < lanes && lane_is_on(value, type, end);) ++end;
    if (first == end) break;
    if (!words.empty()) words.back() += ',';
    words.push_back(end - first == 1 ? fmt::format("{}", first) : fmt::format("{}..{}", first, end - 1));
    on += end - first;
  }
  if (on == lanes) words.clear();
  words.insert(words.begin(), fmt::format("{} of {} lanes on{}", on, lanes, words.empty() ? "" : ":"));
  return words;
}

// The lanes from the first on; "0 (x60)" for sixty of a kind.
std::vector<std::string> register_words(const TraceValue& value, DType type) {
  std::vector<std::string> words;
  for (const LaneRun& run : lane_runs(value, type)) {
    const std::string text = format_value(type, lane_bits(value, type, run.first));
    if (run.end - run.first >= kFewestAlike) words.push_back(fmt::format("{} (x{})", text, run.end - run.first));
    else words.insert(words.end(), run.end - run.first, text);
  }
  return words;
}

// Words behind a name, in lines of a terminal's width.
std::string wrapped(const std::string& name, const std::vector<std::string>& words) {
  std::string out(kIndent, ' ');
  out += name;
  const std::size_t hang = out.size();
  std::size_t column = hang;
  for (const std::string& word : words) {
    if (column + 1 + word.size() > kTraceLineWidth) {
      out += "\n" + std::string(hang, ' ');
      column = hang;
    }
    out += " " + word;
    column += 1 + word.size();
  }
  return out + "\n";
}

// As elements of the tiles that the value comes from or goes to: what only moves bits knows their width alone.
std::string made_text(const Trace& trace, const MicroIndex& index, std::uint32_t id) {
  const TraceValue& value = trace.values[id];
  const DType type = index.value(id).type;
  if (value.kind == TraceValue::Kind::Predicate) return wrapped(value_name(trace, id), predicate_words(value, type));
  return wrapped(fmt::format("{} {}", value_name(trace, id), name(type)), register_words(value, type));
}

// "  -> ub 0x0+160 x8 every 160": accesses of one size at equal distances are written once.
std::string accesses_text(const std::vector<TraceAccess>& accesses) {
  std::string out;
  for (std::size_t i = 0; i < accesses.size();) {
    const TraceAccess& first = accesses[i];
    std::size_t end = i + 1;
    const auto distance = end < accesses.size() ? std::int64_t{accesses[end].address} - first.address : 0;
    const auto follows = [&](const TraceAccess& next, const TraceAccess& before) {
      return next.space == first.space && next.size == first.size &&
             std::int64_t{next.address} - before.address == distance;
    };
    while (end < accesses.size() && follows(accesses[end], accesses[end - 1])) ++end;
    out += fmt::format("  -> {} 0x{:x}+{}", name(first.space), first.address, first.size);
    if (end - i > 1) out += fmt::format(" x{} every {}", end - i, distance);
    i = end;
  }
  return out;
}

}  // namespace

void print_trace(std::FILE* out, const Recording& recording, Inspector& inspector, std::uint32_t step, std::size_t most,
                 bool values) {
  if (machines_for(recording.bound(step)).run == nullptr) return;
  const Trace trace = inspector.trace(step);
  const MicroIndex index(trace, &recording.bound(step));
  fmt::print(out, " {} micro-operation{} on {}\n", trace.steps.size(), trace.steps.size() == 1 ? "" : "s",
             name(recording.program().target));
  for (std::size_t i = 0; i < std::min(most, trace.steps.size()); ++i) {
    const MicroStep& micro = trace.steps[i];
    const char* what = micro.op->flow == FlowKind::Emulator ? "  (emulator step)" : "";
    fmt::print(out, "  {:>4}  {}{}{}\n", i, trace.describe(micro), accesses_text(micro.writes), what);
    if (values)
      for (const std::uint32_t id : micro.made) fmt::print(out, "{}", made_text(trace, index, id));
  }
  if (trace.steps.size() > most)
    fmt::print(out, "        ... and {} more; --trace shows all\n", trace.steps.size() - most);
  fmt::print(out, "\n");
}

}  // namespace ts
