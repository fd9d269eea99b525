// What a script may use, and how it ended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace ts::scripting {

struct SandboxLimits {
  std::uint64_t steps = 100'000'000;  // one is about a Lua instruction; work in C is counted too
  std::size_t memory_bytes = std::size_t{256} << 20;
  double call_seconds = 5;                              // inside one call into the host
  std::uint64_t disk_bytes = std::uint64_t{256} << 20;  // of everything it writes into files
  double total_seconds = 0;              // of everything it ever does, the host's work included; 0: no limit
  std::int64_t (*clock_ns)() = nullptr;  // the processor's, by which slow steps are found; null: the system's
  std::function<bool()> stopped = {};    // asked now and then: whether somebody wants the script to end
  bool allow_io = false;                 // `io` and `os` are there; for scripts that are trusted
};

// How a script or a callback ended.
struct Outcome {
  enum class Kind : std::uint8_t { Ok, Error, Limit, Quit };
  Kind kind = Kind::Ok;
  std::string message;  // Error: what the script raised, with its place; Limit: which limit, and the flag that moves it
  std::string traceback;  // Error and Limit: one line for each active function, innermost first
  int quit_code = 0;      // Quit: what the script asked for
};

}  // namespace ts::scripting
