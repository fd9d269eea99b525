// The digest of a recording: what its steps did and left, as one number.
#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "core/program/inputs.h"
#include "core/record/recording.h"

namespace ts {
namespace {

class RunHash {
 public:
  RunHash() { XXH3_128bits_reset(state_.get()); }
  void add(const void* data, std::size_t size) { XXH3_128bits_update(state_.get(), data, size); }
  void add_page(std::uint32_t page, const Memory& memory) {
    add(&page, sizeof page);
    add(memory.at(page * kPageBytes, kPageBytes).data(), kPageBytes);
    for (const auto plane : {memory.written_plane(page), memory.unspecified_plane(page)})
      add(plane.data(), plane.size_bytes());
  }
  // The same of a page that starts late, which need not be there for it.
  void add_late_page(std::uint32_t page, const Timeline& timeline) {
    std::array<std::byte, kPageBytes> bytes;
    std::array<std::byte, kPlanesBytes> planes{};
    timeline.read_fresh(page, 0, bytes);
    std::fill_n(planes.begin(), kPlanesBytes / 2, std::byte{0xFF});
    add(&page, sizeof page);
    add(bytes.data(), bytes.size());
    add(planes.data(), planes.size());
  }
  std::string text() const {
    const XXH128_hash_t hash = XXH3_128bits_digest(state_.get());
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
  }

 private:
  struct Free {
    void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
  };
  std::unique_ptr<XXH3_state_t, Free> state_{XXH3_createState()};
};

constexpr std::uint32_t kDigestAsksEvery = 256;

// The state before the first step, which is put into fresh memories. False: `go_on` said no.
bool add_start(RunHash& hash, const Timeline& timeline, Memory& memory,
               const std::function<bool(std::uint32_t)>& go_on) {
  for (std::uint32_t page = 0; page < timeline.pages(); ++page) {
    const std::uint32_t version = timeline.version_at(page, 0);
    if (version != 0) {
      timeline.load(memory, page, version);
      hash.add_page(page, memory);
    } else if (timeline.starts_late(page)) {
      if (page % kDigestAsksEvery == 0 && go_on && !go_on(0)) return false;
      hash.add_late_page(page, timeline);
    }
  }
  return true;
}

}  // namespace

std::string Recording::digest(const std::function<bool(std::uint32_t)>& go_on) const {
  RunHash hash;
  // Running the steps again on warm memory costs what reading their cold snapshots would, and needs none of them.
  Memory memory(program_.memory_map());
  memory.make_late(late_inputs(program_));
  if (options_.limits.order != RunOrder{}) {
    const std::string order = name(options_.limits.order);
    hash.add(order.data(), order.size());
  }
  if (!add_start(hash, timeline_, memory, go_on)) return {};
  StepRunner runner(memory, options_.limits.plans);
  std::vector<std::string> texts(program_.instructions.size());
  for (std::uint32_t s = 0; s < count(); ++s) {
    if (s % kDigestAsksEvery == 0 && go_on && !go_on(s)) return {};
    std::string& text = texts[steps_[s].instruction];
    if (text.empty()) text = program_.text(steps_[s].instruction);
    hash.add(text.data(), text.size());
    runner.run(bound(s), step(s).bound);
    const auto written = writes(s);
    hash.add(written.data(), written.size_bytes());
    for (const TouchedPage& touched : runner.pages()) hash.add_page(touched.page, memory);
    std::vector<TouchedPage> edited;
    apply_edits(s + 1, memory, &edited);
    for (const TouchedPage& touched : edited) hash.add_page(touched.page, memory);
  }
  return hash.text();
}

}  // namespace ts
