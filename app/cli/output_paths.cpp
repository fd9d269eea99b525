// Comparing paths by the files they name.
#include "app/cli/output_paths.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "app/cli/program_file.h"

namespace ts {
namespace {

bool same_file(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return false;
  std::error_code failed;
  if (std::filesystem::equivalent(a, b, failed) && !failed) return true;
  const auto whole_a = std::filesystem::weakly_canonical(a, failed),
             whole_b = std::filesystem::weakly_canonical(b, failed);
  return !failed && whole_a == whole_b;
}

}  // namespace

bool outputs_are_free(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    for (const std::string& input : inputs)
      if (same_file(outputs[i], input)) {
        fail(fmt::format("{}: it is read, so it cannot be written", outputs[i]), "choose another path for the result");
        return false;
      }
    for (std::size_t k = 0; k < i; ++k)
      if (same_file(outputs[i], outputs[k])) {
        fail(fmt::format("{}: two results go to this file", outputs[i]), "choose another path for one of them");
        return false;
      }
  }
  return true;
}

}  // namespace ts
