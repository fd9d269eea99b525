// The built program as its users see it, and kernels to try it on.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/process/process.h"

namespace ts::test {

// How it ends.
inline constexpr int kOk = 0, kAssertionFailed = 1, kStopped = 2, kScriptError = 3, kCannotRun = 4, kLimit = 5;

std::string program_path();
ProcessResult tilescope(std::vector<std::string> arguments, unsigned limit_seconds = kHangSeconds);

// The same with a text on stdin.
ProcessResult tilescope_fed(std::vector<std::string> arguments, std::string_view input);

// Standard output as JSON; a failed check, and null, where it is none.
nlohmann::json json_of(const ProcessResult& result);

void put_text(const std::string& path, std::string_view text);
std::string get_text(const std::string& path);
bool has(std::string_view text, std::string_view part);
std::size_t times(std::string_view text, std::string_view part);

// z = x + y, eight rows of 64 floats in each turn of a loop over %rows: steps tload, tload, tadd, tstore on lines 18 to 21.
extern const std::string_view kAddRows;
// Adds for ever.
extern const std::string_view kEndless;
// A loop for ever, and no step in it.
extern const std::string_view kSpin;

}  // namespace ts::test
