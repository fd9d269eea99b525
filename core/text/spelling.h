// Which words are printed for old ones. Two texts that differ only in this are the same program.
#pragma once

#include <string>
#include <string_view>

#include "core/text/tree.h"

namespace ts::text {

// The operation's name as it is spelled today.
std::string_view current_name(const Tree& tree, const Op& op);
// The family of an enumeration: #pto.sync_op_type<TVEC> is #pto.pipe_event_type<TVEC> now.
std::string_view current_family(std::string_view family);
// Whether the family stands inside: #pto<cmp lt>, as against #pto.layout<nd>.
bool family_stands_inside(std::string_view family);
// An attribute's text on one line: each stretch of blanks and line breaks outside of strings is one blank.
std::string attribute_text(std::string_view text);

}  // namespace ts::text
