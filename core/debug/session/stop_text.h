// Stops as people write and read them: "tsel", "line 40", "step 12", "writes t2[1,5]".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/debug/session/session.h"

namespace ts {

// "attn.py:41".
std::optional<SourceStop> read_source_line(std::string_view text);
std::string describe(const SourceStop& line);

// What the rule waits for, in words.
std::string describe(const StopRule& rule);

// A stop from its text: a mnemonic, a line's number, "attn.py:41", "@12" or "step 12"; and what the filter line can say: "op:tsel",
// "line:40", "writes:t2", "reads:ub[0..32]", "nan", "inf", "finding"; "differs": from what the recording was compared
// with. Behind all of it may stand on which core: "tsel on AIV0", "on 1.AIV0". Whether it can ever fire is for the session to say.
std::variant<StopRule, Refusal> read_stop(std::string_view text, Session& session);

}  // namespace ts
