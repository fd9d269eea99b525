// The way from text to a program, in its order.
#include "core/compile/open.h"

#include <fmt/format.h>

#include "core/compile/check_program.h"
#include "core/program/kernel.h"
#include "core/program/short_names.h"
#include "core/text/parse/parser.h"

namespace ts {

std::shared_ptr<const text::Tree> read_program(std::string name, std::string text, Diagnostics& out,
                                               const text::ParseLimits& limits) {
  auto source = std::make_shared<const text::Source>(std::move(name), std::move(text));
  return std::make_shared<const text::Tree>(text::parse(std::move(source), out, limits));
}

namespace {

// A place in memory is a number, of which there are only so many.
bool has_room_for_cores(const Program& program, Diagnostics& out) {
  const std::uint64_t bytes = program.cores_end() / program.blocks_at_once();
  if (program.cores_end() < kFlatLimit) return true;
  out.push_back({"E-EMULATE",
                 Severity::Error,
                 {},
                 "",
                 fmt::format("{} blocks that are there at once have memories of {} bytes each; all memory together "
                             "is limited to {} bytes",
                             program.blocks, bytes, kFlatLimit),
                 fmt::format("run fewer than {} blocks", (kFlatLimit - 1) / bytes + 1)});
  return false;
}

}  // namespace

std::optional<Opened> open_program(std::shared_ptr<const text::Tree> tree, const EntryPoint& entry,
                                   const OpenRequest& request, Diagnostics& out) {
  if (request.blocks > 1 && tree->kernel != nullptr && tree->kernel->launches_itself()) {
    out.push_back(
        {"E-CPP-ARG",
         Severity::Error,
         {},
         "",
         fmt::format("{} blocks are asked for, and the main says itself how many it launches", request.blocks),
         "leave out the blocks, or name a kernel instead of the main: --entry"});
    return {};
  }
  const Target target = request.target.value_or(entry.target.value_or(Target::A2A3));
  CompileRequest how{target, request.options, request.blocks, request.private_slots};
  if (const auto& go_on = request.limits.go_on) how.go_on = [&go_on] { return go_on(0); };
  Opened opened{compile(std::move(tree), entry, how, out), {}};
  if (has_error(out) || !has_room_for_cores(opened.program, out)) return {};
  shorten_tile_names(opened.program);
  opened.inputs = bind_inputs(opened.program, request.inputs, out, request.limits);
  if (has_error(out)) return {};
  check_program(opened.program, out, kMostCheckedSteps, request.limits.go_on);
  if (has_error(out)) return {};
  return opened;
}

}  // namespace ts
