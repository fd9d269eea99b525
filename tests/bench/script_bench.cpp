// Scripts over long recordings.
#include <fmt/format.h>

#include "core/debug/session/session.h"
#include "scripting/run/script.h"
#include "tests/bench/benches.h"
#include "tests/bench/seconds.h"
#include "tests/bench/work.h"

namespace ts::bench {

// What a script pays for each step it goes through without looking into tiles.
void bench_scripts(Table& table) {
  constexpr std::uint32_t kSteps = 1'000'000;
  scripting::ScriptHost host;
  host.current = std::make_shared<Session>(LongLoop(kSteps, 16).recording);
  scripting::Script script(host);
  const std::string_view goes[] = {
      "for s in pto.current():steps() do end",
      "local n = 0 for s in pto.current():steps() do if s.op == 'tadd' then n = n + 1 end end"};
  for (const std::string_view text : goes) {
    const double seconds = seconds_of([&] { script.run(text, "bench"); });
    table.add(fmt::format("script over {} steps: {}", kSteps, text), 1e9 * seconds / kSteps, Limit::both(1000),
              "ns a step");
  }
}

}  // namespace ts::bench
