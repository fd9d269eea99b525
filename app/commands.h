// What the command line can be asked. Each returns the process's exit status.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ts {

// 0 ok, also with warnings; 2 stopped at a step; 4 cannot read or run, found before the first step; 5 a limit was reached.
enum Exit : int { kOk = 0, kStopped = 2, kCannotRun = 4, kLimit = 5 };

struct TextArguments {
  std::vector<std::string> files;
  std::string target, entry;
  std::vector<std::string> options;  // NAME=VALUE
  std::uint64_t most_bytes = std::uint64_t{256} << 20;
  bool json = false;
};

struct RunArguments : TextArguments {
  std::vector<std::string> in, set, out, size;  // NAME=PATH, NAME=VALUE, NAME=PATH, NAME=BYTES
  std::uint64_t seed = 1;
  std::uint32_t blocks = 1;
  std::uint64_t most_steps = 10'000'000;
  std::uint64_t budget_mb = 0;
  int step = -1;
  std::string cell;
  bool trace = false, digest = false;
};

int run_command(const RunArguments& arguments);
int check_command(const TextArguments& arguments);

struct FormatArguments {
  std::string file;
  bool write = false, check = false;
};
int format_command(const FormatArguments& arguments);
int explain_command(const std::string& mnemonic, const std::string& target);
int list_command();
int options_command();

}  // namespace ts
