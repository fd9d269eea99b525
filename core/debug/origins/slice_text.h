// A slice as people read it: one line a value, its sources further in.
#pragma once

#include <string>
#include <utility>

#include "core/debug/elements/elements.h"
#include "core/debug/origins/questions.h"

namespace ts {

// The type of what a node names; null for what has none.
const ElementFormat* slice_node_format(Questions& questions, const SliceNode& node);
// Row and column; of a buffer those of its shape.
std::pair<std::uint32_t, std::uint32_t> slice_node_place(Questions& questions, const SliceNode& node);
// "step 5 tadd", "input", "never written".
std::string slice_node_maker(Questions& questions, const SliceNode& node);
// "im[1,7] = 2.5  (step 5 tadd)".
std::string slice_node_text(Questions& questions, const SliceNode& node);

// What was shown already is named again, and not opened again. Beyond `most_lines` it ends with "...".
std::string slice_text(Questions& questions, const Slice& slice, std::size_t most_lines);

}  // namespace ts
