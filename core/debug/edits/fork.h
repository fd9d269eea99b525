// Runs of the same program with something changed by hand on the way: what if?
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/isa/refusal.h"
#include "core/record/recording.h"

namespace ts {

// As it is kept with the run that it came from: what was changed, as `read_edit` reads it, each with its position.
struct KeptFork {
  std::string name;
  std::vector<std::string> edits;
  bool operator==(const KeptFork&) const = default;
};
inline constexpr std::size_t kMostForks = 100, kMostForkBytes = std::size_t{1} << 20;  // bytes of all its texts

// The program once more, with bytes and numbers changed at positions beside what was changed in `from`. Made as that was, or
// within other bounds. Where `go_on` says no, it ends there.
struct ForkBounds {
  std::size_t budget_bytes = 0, most_bytes = 0;  // as RecordOptions has them
};
std::variant<std::shared_ptr<const Recording>, Refusal> fork_recording(const Recording& from, std::vector<Edit> edits,
                                                                       std::vector<NumberEdit> numbers = {},
                                                                       std::function<bool(std::uint64_t)> go_on = {},
                                                                       std::optional<ForkBounds> bounds = {});

// Each edit is read in the run that has those before it. Without a position of its own it is made `here`.
struct Forked {
  std::shared_ptr<const Recording> recording;
  std::vector<std::string> edits;  // with their positions
  std::uint32_t position = 0;      // of the last one
};
std::variant<Forked, Refusal> fork_by_text(std::shared_ptr<const Recording> from, const std::vector<std::string>& edits,
                                           std::optional<std::uint32_t> here = {},
                                           const std::function<bool(std::uint64_t)>& go_on = {},
                                           std::optional<ForkBounds> bounds = {});

// The position that an edit's text names, and the same text with another one; nothing: it names none.
std::optional<std::uint32_t> position_in_edit(std::string_view text);
std::string edit_at(std::string_view text, std::uint32_t position);

// What a fork is called where nobody says it: by its edits, cut to a tab's length; no other of `others` is called so.
std::string fork_name(const std::vector<std::string>& edits, const std::vector<KeptFork>& others);

}  // namespace ts
