// Asking Linux: /proc, control groups of both versions, resource limits.
#include "core/memory/host_memory.h"

#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <new>
#include <optional>
#include <string>

#include "core/memory/host_pages.h"

namespace ts {
namespace {

constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kSmallest = std::size_t{1} << 20;

std::size_t minus(std::size_t limit, std::size_t used) { return limit > used ? limit - used : 0; }

// The first number of a file; "max" and files that are not there are none.
std::optional<std::size_t> number_in(const std::string& path) {
  std::ifstream file(path);
  std::size_t number = 0;
  if (file >> number) return number;
  return {};
}

std::size_t free_bytes() {
  std::ifstream file("/proc/meminfo");
  std::string name, unit;
  for (std::size_t kib = 0; file >> name >> kib; std::getline(file, unit))
    if (name == "MemAvailable:") return kib * 1024;
  return kNoLimit;
}

// Of a group and all that it is in: each has a limit of its own.
std::size_t group_bytes(const std::string& root, std::string group, const char* most, const char* used) {
  std::size_t least = kNoLimit;
  if (group == "/") group.clear();
  for (;;) {
    const auto limit = number_in(root + group + "/" + most), now = number_in(root + group + "/" + used);
    if (limit && now) least = std::min(least, minus(*limit, *now));
    if (group.empty()) return least;
    const std::size_t last = group.find_last_of('/');
    group.resize(last == std::string::npos ? 0 : last);
  }
}

std::size_t all_groups_bytes() {
  std::size_t least = kNoLimit;
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {  // "0::/user.slice", "5:memory:/docker/..."
    const std::size_t kind = line.find(':'), path = line.find(':', kind + 1);
    if (path == std::string::npos) continue;
    const std::string controllers = line.substr(kind + 1, path - kind - 1), group = line.substr(path + 1);
    if (controllers.empty())
      least = std::min(least, group_bytes("/sys/fs/cgroup", group, "memory.max", "memory.current"));
    if (controllers.find("memory") != std::string::npos)
      least = std::min(least,
                       group_bytes("/sys/fs/cgroup/memory", group, "memory.limit_in_bytes", "memory.usage_in_bytes"));
  }
  return least;
}

}  // namespace

std::size_t spare_host_bytes() { return std::min({free_bytes(), all_groups_bytes(), address_space_left()}); }

std::size_t address_space_left() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kNoLimit;
  const std::size_t pages = number_in("/proc/self/statm").value_or(0);
  return minus(limit.rlim_cur, pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)));
}

std::size_t installed_host_bytes() {
  struct sysinfo info {};
  sysinfo(&info);
  return std::size_t{info.totalram} * info.mem_unit;
}

std::size_t reservable_bytes(std::size_t wanted) {
  for (std::size_t bytes = wanted; bytes >= std::min(wanted, kSmallest) && bytes > 0; bytes /= 2) {
    try {
      const HostPages tried(bytes + bytes / 2);
      return bytes;
    } catch (const std::bad_alloc&) {
    }
  }
  return 0;
}

}  // namespace ts
