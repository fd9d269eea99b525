// Asking addr2line, which comes with every compiler.
#include "core/cpp/live/source_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "core/cpp/process.h"

namespace ts::cpp {
namespace {

// What a kernel's program has of ours: the header, the unit that starts it.
bool is_ours(std::string_view file) {
  return file.find("/tilescope/cpp/") != std::string_view::npos || file.find("/include-") != std::string_view::npos ||
         file.find("/tilescope/") != std::string_view::npos || file == "entry" || file.ends_with("/entry") ||
         file.starts_with('?') || file.find("/unit-") != std::string_view::npos;
}

void ask(const std::string& program, const std::vector<std::uint64_t>& addresses, SourceLines& out) {
  std::vector<std::string> command = {"addr2line", "-a", "-i", "-e", program};
  for (const std::uint64_t address : addresses) command.push_back(fmt::format("{:x}", address));
  const std::string text = run_process(command).output;
  std::vector<ChainPlace>* at = nullptr;
  for (std::string_view left = text; !left.empty();) {
    std::string_view line = left.substr(0, left.find('\n'));
    left.remove_prefix(std::min(line.size() + 1, left.size()));
    if (line.starts_with("0x")) {
      at = &out[std::strtoull(std::string(line).c_str(), nullptr, 16)];
      continue;
    }
    line = line.substr(0, line.find(" ("));
    const std::size_t colon = line.rfind(':');
    if (at == nullptr || colon == std::string_view::npos) continue;
    const std::string_view file = line.substr(0, colon);
    const auto number =
        static_cast<std::uint32_t>(std::strtoul(std::string(line.substr(colon + 1)).c_str(), nullptr, 10));
    if (number != 0 && !is_ours(file)) at->push_back({std::string(file), number, 0});
  }
}

}  // namespace

SourceLines lines_of_addresses(const std::string& program, const std::vector<std::uint64_t>& addresses) {
  constexpr std::size_t kMostAtOnce = 2000;
  SourceLines out;
  std::vector<std::uint64_t> wanted = addresses;
  std::ranges::sort(wanted);
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  for (const std::uint64_t address : wanted) out[address];
  for (std::size_t begin = 0; begin < wanted.size(); begin += kMostAtOnce)
    ask(program,
        {wanted.begin() + static_cast<std::ptrdiff_t>(begin),
         wanted.begin() + static_cast<std::ptrdiff_t>(std::min(begin + kMostAtOnce, wanted.size()))},
        out);
  return out;
}

}  // namespace ts::cpp
