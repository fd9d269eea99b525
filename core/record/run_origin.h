// How a recording came about, for whoever wants to repeat it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ts {

// An input as it was given to the run, for the lines that repeat it.
struct GivenInput {
  enum class Kind : std::uint8_t { File, Number, Size, Made, Raw, MadeUp };
  std::string name;
  Kind kind = Kind::MadeUp;
  std::string value =
      {};  // path, number, bytes, a word of data::MadeUp, "bf16:16x32"; of MadeUp what was made up, for people
};

// How the recording came about. What nobody knows stays empty, and the page says so.
struct RunOrigin {
  std::string file = {};   // as it was named; empty: the name in the program's text
  std::string entry = {};  // where the file has several
  std::optional<std::uint64_t> seed = {};
  std::string order = {}, comm = {};  // empty: as usual
  bool private_slots = false;
  std::vector<GivenInput> inputs = {};
};

}  // namespace ts
