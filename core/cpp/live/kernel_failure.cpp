// Crashes, exits and exceptions of kernels.
#include "core/cpp/live/kernel_failure.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "core/cpp/live/source_lines.h"

namespace ts::cpp {
namespace {

constexpr std::uint64_t kNearNull = 1 << 16;

// "element 100 of x, which has 100": what an address that was touched is near.
std::string describe_address(std::uint64_t address, const Program& program,
                             const std::vector<ts_border::Buffer>& layout) {
  if (address < kNearNull) return fmt::format("address 0x{:x}, a null pointer", address);
  if (address >= ts_border::kSpaceBase &&
      address < ts_border::kSpaceBase + ts_border::kSpaces * ts_border::kSpaceDistance)
    return fmt::format("address 0x{:x} of an on-chip memory, which ends before", address % ts_border::kSpaceDistance);
  constexpr std::int64_t kNear = 1 << 20;
  for (std::size_t i = 0; i < layout.size() && i < program.buffers.size(); ++i) {
    const auto distance = static_cast<std::int64_t>(address - layout[i].pointer);
    const BufferDecl& buffer = program.buffers[i];
    if (distance < -kNear || distance > static_cast<std::int64_t>(layout[i].bytes) + kNear) continue;
    return fmt::format("element {} of {}, which has {}", distance / static_cast<std::int64_t>(size_bytes(buffer.dtype)),
                       buffer.name, buffer.elements);
  }
  return fmt::format("address 0x{:x}, which is in no buffer", address);
}

// The lines that return addresses stand in, the innermost first.
std::string stack_text(const ts_border::Failure& failure, const std::string& program_file) {
  std::vector<std::uint64_t> addresses;
  if (const std::uint64_t first = std::strtoull(failure.text, nullptr, 16); first != 0) addresses.push_back(first);
  for (const std::uint64_t address : failure.stack.address)
    if (address != 0) addresses.push_back(address - 1);  // what was called, not what comes behind the call
  const SourceLines lines = lines_of_addresses(program_file, addresses);
  constexpr int kMostShown = 6;
  std::string out;
  int shown = 0;
  for (const std::uint64_t address : addresses)
    for (const ChainPlace& place : lines.at(address)) {
      if (shown++ == kMostShown) return out;
      out += fmt::format("{}{}:{}", out.empty() ? "" : ", from ", place.file.substr(place.file.rfind('/') + 1),
                         place.line);
    }
  return out;
}

}  // namespace

FailureText describe_failure(const ts_border::Failure& failure, const Program& program,
                             const std::vector<ts_border::Buffer>& layout, std::string printed,
                             const std::string& program_file, const std::string& calls_at) {
  printed = printed.substr(0, printed.find('\n'));
  const std::string behind = printed.empty() ? "" : fmt::format("; it printed '{}'", printed.substr(0, 200));
  const std::string last = calls_at.empty() ? "before its first call" : fmt::format("after the call at {}", calls_at);
  if (failure.signal == SIGXCPU)
    return {"E-CPP-TIME", fmt::format("the kernel used 60 s of processor time, {}", last), "a loop that never ends?"};
  if (failure.signal == SIGABRT)
    return {"E-CPP-EXIT", fmt::format("the kernel aborted {}{}", last, behind),
            "an assertion, or an exception nobody caught"};
  if (failure.signal != 0) {
    const std::string stack = stack_text(failure, program_file);
    const bool memory = failure.signal == SIGSEGV || failure.signal == SIGBUS;
    const std::string what =
        memory ? "touched " + describe_address(failure.address, program, layout)
               : fmt::format("was stopped by signal {} ({})", failure.signal, strsignal(failure.signal));
    return {"E-CPP-CRASH", fmt::format("the kernel {}{}, {}", what, stack.empty() ? "" : ", at " + stack, last),
            "what it did up to there is recorded"};
  }
  const std::string text(failure.text, strnlen(failure.text, sizeof failure.text));
  if (text == "allocates")
    return {
        "E-CPP-SIZE",
        fmt::format("the main allocates {} bytes, which it did not in the first run, in which nothing is computed; {}",
                    failure.address, last),
        "what is allocated may not depend on results"};
  if (text == "blocks")
    return {"E-CPP-ARG",
            fmt::format("the launch is of {} blocks, and the run of {}; {}", failure.status, program.blocks, last),
            fmt::format("--blocks {}", failure.status)};
  if (text == "more blocks")
    return {
        "E-CPP-SIZE",
        fmt::format("the main launches {} blocks, and at most {} in the first run, in which nothing is computed; {}",
                    failure.status, program.blocks, last),
        "how many blocks there are may not depend on results"};
  if (text == "meets")
    return {
        "E-EMULATE",
        fmt::format("{} blocks that one process runs one after the other meet in SYNCALL; {}", failure.status, last),
        "start the kernel itself: --entry names it, --blocks says how many blocks"};
  if (text == "twice")
    return {"E-CPP-ARG", fmt::format("the entry launches a second time, {}", last),
            "a kernel for cube and vector cores is launched once: --entry names it"};
  if (text == "exit")
    return {"E-CPP-EXIT", fmt::format("the kernel called exit() {}{}", last, behind), "a kernel returns"};
  return {"E-CPP-EXIT", fmt::format("the kernel threw {} {}{}", text, last, behind), "nobody caught it"};
}

}  // namespace ts::cpp
