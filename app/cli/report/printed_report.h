// `tilescope run --print acc@12`: tiles and buffers as text after the steps of a line, without a change of the program.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/debug/session/stops.h"
#include "core/isa/refusal.h"
#include "core/record/recording.h"

namespace ts {

// What is printed, and when: after every step of a line of the text, after every visit to a line that somebody wrote, or,
// without either, at the end.
struct PrintWish {
  std::string name;
  std::optional<std::uint32_t> line = {};
  std::optional<SourceStop> source = {};
};
// "acc", "acc@12", "acc@attn.py:41".
std::variant<PrintWish, Refusal> read_print_wish(std::string_view text);

// Positions in the recording, ascending; refused where there are none, or nothing has that name.
std::variant<std::vector<std::uint32_t>, Refusal> print_positions(const Recording& recording, const PrintWish& wish);

// So many of one wish; of more the first ones, and how many there are.
inline constexpr std::size_t kMostPrints = 100;
// What steps of the program's own, pto.tprint, show.
void print_what_program_prints(std::FILE* out, const std::shared_ptr<const Recording>& recording);
// False: one of them can be nowhere, and stderr says why. The others are printed all the same.
bool print_wishes(std::FILE* out, const std::shared_ptr<const Recording>& recording,
                  const std::vector<PrintWish>& wishes);
// An array of objects, as JSON: name, step, line, type, rows, cols, valid, values. Never written elements are null.
bool json_wishes(std::string& out, const std::shared_ptr<const Recording>& recording,
                 const std::vector<PrintWish>& wishes);

}  // namespace ts
