// Tiles and buffers as files: .csv for people, spreadsheets and NumPy, .npy for NumPy, raw bytes otherwise.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/file.h"
#include "core/debug/elements/elements.h"

namespace ts {

// Elements on their way to a file. They are asked for one after the other, so that large ones need no memory.
struct Cells {
  struct Cell {
    std::uint64_t bits = 0;
    Definedness worth = Definedness::Written;
  };
  const ElementFormat* format = &element_format(DType::F32);
  std::uint32_t rows = 0, cols = 0;
  std::vector<std::uint64_t> shape = {};  // of a .npy file, where it has other dimensions than rows and columns
  std::function<Cell(std::uint32_t row, std::uint32_t col)> at = {};
};
// `memory` has to stay as it is for as long as the cells are asked for.
Cells cells_of(const Memory& memory, const TileRef& tile, Region region = Region::Valid);
Cells cells_of(const Memory& memory, const BufferDecl& buffer);
Cells cells_of(const Elements& elements, Region region = Region::Valid);

struct CsvOptions {
  bool hex = false;  // behind the values of a row its bits: 2.5,-0,0x40200000,0x80000000
};

// A line for each row, with commas. A number has as few digits as it needs to be read back to the same bits, through
// double precision as NumPy reads; nan, inf and -inf are spelled like that, and a nan's payload is in the bits only.
// What was never written, or is unspecified, is an empty cell; alone on its line it is "", so that the line is a row.
// `out` takes a part of the text and says whether it wants more.
void format_csv(const Cells& cells, const CsvOptions& options, const std::function<bool(std::string_view)>& out);
// One element as above.
std::string csv_number(const ElementFormat& format, std::uint64_t bits);

// By the path's extension: .csv, .npy, else the bytes as they stand. Empty text: it worked.
data::Error write_cells(const Cells& cells, const std::string& path, const CsvOptions& options = {},
                        const data::WriteRules& rules = {});

}  // namespace ts
