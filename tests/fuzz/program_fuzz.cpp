// Fuzzing of the way from text to a recording: whatever a text says, compiling, checking and running it ends in messages or
// in steps.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "core/compile/open.h"
#include "core/record/inspector.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ts;
  Diagnostics diagnostics;
  const auto tree = read_program("fuzz", std::string(reinterpret_cast<const char*>(data), size), diagnostics);
  if (has_error(diagnostics)) return 0;
  OpenRequest request;
  request.limits = {.most_steps = 50, .most_code = 20'000};
  for (const EntryPoint& entry : entry_points(*tree, diagnostics)) {
    for (const Target target : kBothTargets) {
      Diagnostics found;
      request.target = target;
      std::optional<Opened> opened = open_program(tree, entry, request, found);
      // Buffers as large as the text asks for are the machine's matter, not the reader's.
      if (!opened || opened->program.gm_bytes > (1u << 22)) continue;
      RecordOptions options{.budget_bytes = std::size_t{4} << 20};
      options.limits = request.limits;
      const auto recording = Recording::run(std::move(opened->program), options);
      Inspector inspector(*recording);
      for (std::uint32_t step = 0; step < recording->count(); ++step)
        recording->program().short_text(recording->step(step).instruction);
      inspector.at(recording->count() / 2);
    }
  }
  return 0;
}
