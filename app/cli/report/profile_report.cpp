// The slowest lines, and what is left.
#include "app/cli/report/profile_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace ts {
namespace {

constexpr std::size_t kMostLines = 20;

double share(double seconds, const Profile& profile) {
  return profile.seconds > 0 ? 100 * seconds / profile.seconds : 0;
}

}  // namespace

void print_profile(std::FILE* out, const Recording& recording, const Profile& profile) {
  const Program& program = recording.program();
  fmt::print(out, "profile: {} steps run once more, without recording them, in {:.3f} s\n", profile.steps,
             profile.seconds);
  if (profile.steps < recording.count())
    fmt::print(out, "  it was stopped; the recording has {} steps\n", recording.count());
  fmt::print(out, "  {:>6}  {:>9}  {:>9}  {:>10}  {:>6}  operation\n", "share", "ms", "steps", "us a step", "line");
  double rest = 0;
  for (std::size_t i = 0; i < profile.rows.size(); ++i) {
    const ProfileRow& row = profile.rows[i];
    if (i >= kMostLines) {
      rest += row.seconds;
      continue;
    }
    fmt::print(out, "  {:>4.1f} %  {:>9.3f}  {:>9}  {:>10.3f}  {:>6}  {}\n", share(row.seconds, profile),
               1e3 * row.seconds, row.steps, 1e6 * row.seconds / row.steps,
               program.instructions[row.instruction].pos.line, program.short_text(row.instruction));
  }
  if (profile.rows.size() > kMostLines)
    fmt::print(out, "  {:>4.1f} %  {:>9.3f}  {} more\n", share(rest, profile), 1e3 * rest,
               profile.rows.size() - kMostLines);
}

nlohmann::ordered_json profile_json(const Recording& recording, const Profile& profile) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const ProfileRow& row : profile.rows)
    rows.push_back({{"instruction", row.instruction},
                    {"op", recording.program().instructions[row.instruction].row->name},
                    {"line", recording.program().instructions[row.instruction].pos.line},
                    {"steps", row.steps},
                    {"seconds", row.seconds}});
  return {{"steps", profile.steps}, {"seconds", profile.seconds}, {"instructions", std::move(rows)}};
}

}  // namespace ts
