// Arrays between files and a program's buffers and tiles.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/data/npy.h"
#include "core/program/program.h"
#include "core/record/recording.h"

namespace ts {

// A file given for an input; its bytes have gone to the program.
struct InputFile {
  std::string path, type;            // NumPy's type; empty: raw bytes
  std::vector<std::uint64_t> shape;
};

// Whether type and shape of a .npy file are what the program reads; else the message. Raw bytes are taken as they are.
std::optional<data::Error> misfit(const Program& program, const std::string& name, const InputFile& file);

// Why the program cannot give out what is called so; nothing: it can.
std::optional<data::Error> no_output(const Program& program, const std::string& name);
// A buffer in the shape of its first view; of a tile the valid region. In a loop or a branch there may be several tiles of a
// name: the last that ran, else the last in the text. Empty text: it worked.
data::Error write_output(const Recording& recording, const std::string& name, const std::string& path);

}  // namespace ts
