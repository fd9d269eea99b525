// Checks over long recordings, of what running or recording the same steps takes.
#include <fmt/format.h>

#include <stdexcept>

#include "core/check/check.h"
#include "core/compile/open.h"
#include "core/record/step_runner.h"
#include "tests/bench/benches.h"
#include "tests/bench/guarded.h"
#include "tests/bench/seconds.h"
#include "tests/bench/work.h"

namespace ts::bench {
namespace {

// Looking for undefined bytes and for NaN in a long loop where all is well, beside what running its steps once more takes.
void bench_check(Table& table, const Work& work, std::uint32_t steps) {
  const auto recording = loop_of(work, steps, std::size_t{256} << 20);
  CheckOptions options;
  for (const CheckRow& row : checks()) options.set(row.kind, Level::Off);
  for (const FindingKind kind :
       {FindingKind::Defined, FindingKind::Overread, FindingKind::Mask, FindingKind::Nan, FindingKind::Inf})
    options.set(kind, Level::Warn);
  std::size_t found = 0;
  const double checked = seconds_of([&] { found = check(*recording, options).findings.size(); }),
               run = seconds_of([&] {
                 Memory memory(recording->map().target(), recording->program().gm_bytes);
                 recording->load_start(memory);
                 StepRunner runner(memory);
                 for (std::uint32_t step = 0; step < steps; ++step) runner.run(recording->bound(step));
               });
  table.add(fmt::format("check: {} steps of {}, {} findings, of run", steps, work.name, found), checked / run,
            Limit::both(10));
}

// Rows are loaded, added to themselves and stored, with the flags that this needs.
Program flag_loop(std::uint32_t turns) {
  const std::string type = "!pto.tile_buf<vec, 4x64xf32>", part = "!pto.partition_tensor_view<4x64xf32>";
  const auto flags = [](const char* from, const char* to) {
    return fmt::format(
        "pto.set_flag [<PIPE_{0}>, <PIPE_{1}>, <EVENT_ID0>]\npto.wait_flag [<PIPE_{0}>, <PIPE_{1}>, <EVENT_ID0>]\n",
        from, to);
  };
  std::string text = fmt::format(
      "func.func @loop(%x: !pto.ptr<f32>) {{\n%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%n = arith.constant {} : index\n",
      turns);
  text +=
      "%all = pto.make_tensor_view %x, shape = [4, 64], strides = [64, 1] : !pto.tensor_view<4x64xf32>\n"
      "%part = pto.partition_view %all, offsets = [0, 0], sizes = [4, 64] : !pto.tensor_view<4x64xf32> -> " +
      part + "\n";
  text +=
      fmt::format("%a = pto.alloc_tile : {0}\n%b = pto.alloc_tile : {0}\nscf.for %i = %c0 to %n step %c1 {{\n", type);
  text += fmt::format(
      "pto.tload ins(%part : {1}) outs(%a : {0})\n{2}pto.tadd ins(%a, %a : {0}, {0}) outs(%b : {0})\n{3}pto.tstore ins(%b : {0}) outs(%part : {1})\n{4}}}\nreturn\n}}\n",
      type, part, flags("MTE2", "V"), flags("V", "MTE3"), flags("MTE3", "MTE2"));
  Diagnostics diagnostics;
  const auto tree = read_program("loop.pto", text, diagnostics);
  auto opened =
      open_program(tree, entry_points(*tree, diagnostics).front(),
                   {.target = Target::A5, .options = {}, .blocks = 1, .inputs = {}, .limits = {}}, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics)
    if (diagnostic.severity == Severity::Error) throw std::runtime_error(diagnostic.format());
  return std::move(opened->program);
}

// What looking for shared bytes and missing waits costs, of what recording the same steps does.
void bench_shared_bytes(Table& table) {
  constexpr std::uint32_t kSteps = 100'000;
  CheckOptions options;
  for (const CheckRow& row : checks()) options.set(row.kind, Level::Off);
  for (const FindingKind kind : {FindingKind::Alias, FindingKind::Scratch, FindingKind::Sync})
    options.set(kind, Level::Warn);
  const auto add = [&](const char* what, auto record) {
    std::shared_ptr<const Recording> recording;
    const double recorded = seconds_of([&] { recording = record(); });
    std::size_t found = 0;
    const double checked = seconds_of([&] { found = check(*recording, options).findings.size(); });
    table.add(fmt::format("check: shared bytes and waits, {}, {} steps, {} found, of recording", what,
                          recording->count(), found),
              checked / recorded, Limit::both(1));
  };
  add("sums", [] { return LongLoop(kSteps, 64).recording; });
  add("a loop with flags", [] {
    return std::shared_ptr<const Recording>(
        Recording::run(flag_loop(kSteps / 9), {.budget_bytes = std::size_t{256} << 20}));
  });
}

}  // namespace

void bench_checks(Table& table) {
  for (const Target target : {Target::A5, Target::A2A3}) {
    const std::string on = std::string(" ") + name(target);
    bench_check(table, {"TADD f32 64x64" + on, "tadd", target, DType::F32, 64, 64}, 100'000);
    bench_check(table, {"TSELS f32 64x64" + on, "tsels", target, DType::F32, 64, 64}, 100'000);
    bench_check(table, {"TGATHERB f32 64x64 element" + on, "tgatherb", target, DType::F32, 64, 64, {}, "element"},
                2'000);
  }
  bench_shared_bytes(table);
}

}  // namespace ts::bench
