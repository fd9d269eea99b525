// Which steps are looked for: by what they are, where they stand, what they touch and what was found in them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/debug/session/session.h"

namespace ts {

// Bytes, or tiles (or an element of them) wherever they stand at the step: several, where they share a name.
struct QueryPlace {
  ByteRange bytes = {};
  std::vector<std::uint32_t> tiles = {};  // where there are some, `bytes` are not looked at
  std::optional<std::pair<std::uint32_t, std::uint32_t>> element = {};
};

// All that is given has to hold of a step.
struct StepQuery {
  std::string op = {};  // as rows call it
  std::optional<std::uint32_t> line = {}, block = {};
  std::optional<CoreChoice> core = {};
  std::optional<SourceLine> source = {};  // where the step came from, or was called from
  std::string pipe = {};                  // as `name` has it
  std::vector<std::string> words = {};    // in the step's short text; in lower case
  std::optional<QueryPlace> writes = {}, reads = {};
  bool nan = false, inf = false;  // made one, while nothing it was made of held one
  bool finding = false;
};

// Asks steps of one recording. What depends on the instruction alone is found once.
class StepMatcher {
 public:
  StepMatcher(Session& session, StepQuery query);

  bool fits(std::uint32_t step);
  // Whether the last step asked took as long as some hundred others.
  bool looked_inside() const { return looked_inside_; }

 private:
  enum class Answer : std::uint8_t { Unknown, No, Yes };
  bool fits_instruction(std::uint32_t step);
  bool has_words(std::uint32_t instruction) const;
  bool came_from(SourceLine line, std::uint32_t instruction) const;
  template <class F>
  bool any_bytes(const QueryPlace& place, std::uint32_t step, F f);
  bool fits_inside(std::uint32_t step);

  Session& session_;
  StepQuery query_;
  std::vector<Answer> by_instruction_;
  bool looked_inside_ = false;
};

// A piece of a search: what fits of the steps looked at, and from where to go on.
struct StepsFound {
  std::vector<std::uint32_t> steps = {};
  std::uint32_t next = 0;  // the recording's count: all have been looked at
};
// Looks from `first` on, for some hundredths of a second, or until `go_on` says no.
StepsFound find_steps(Session& session, const StepQuery& query, std::uint32_t first,
                      const std::function<bool()>& go_on);

}  // namespace ts
