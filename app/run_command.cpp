// run: records a program and says what it did.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <map>

#include "app/commands.h"
#include "app/files.h"
#include "app/json_report.h"
#include "app/program_file.h"
#include "app/report.h"
#include "app/terminal.h"
#include "core/data/npy.h"

namespace ts {
namespace {

// NAME=VALUE; false when it is not of that form.
bool split(const std::string& text, std::string& name, std::string& value) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) return false;
  name = text.substr(text.front() == '%' ? 1 : 0, equals - (text.front() == '%' ? 1 : 0));
  value = text.substr(equals + 1);
  return true;
}

// "im[1,7]"; false when it is not of that form.
bool parse_cell(const std::string& text, ReportOptions& out) {
  const std::size_t open = text.find('[');
  if (open == std::string::npos || text.back() != ']') return false;
  out.tile = text.substr(text.front() == '%' ? 1 : 0, open - (text.front() == '%' ? 1 : 0));
  int used = 0;
  const std::string index = text.substr(open);
  return std::sscanf(index.c_str(), "[%u,%u]%n", &out.row, &out.col, &used) == 2 && static_cast<std::size_t>(used) == index.size();
}

// The element type as NumPy names it.
std::string npy_type(DType type) {
  if (type == DType::BF16) return "V2";
  return fmt::format("{}{}", is_float(type) ? "f" : is_signed_int(type) ? "i" : "u", size_bytes(type));
}

std::vector<std::uint64_t> without_ones(std::vector<std::uint64_t> shape) {
  std::erase(shape, 1u);
  return shape;
}

std::string shape_text(const std::vector<std::uint64_t>& shape) { return fmt::format("{}", fmt::join(shape, "x")); }

struct InputFile {
  std::string path;
  data::Array array;
};

// Everything the command line says, read and ready.
struct Request {
  OpenRequest open;
  std::map<std::string, InputFile> files;
  std::map<std::string, std::string> outputs;  // name to path
};

bool read_request(const RunArguments& arguments, Request& out) {
  if (!read_options(arguments, out.open)) return false;
  out.open.blocks = arguments.blocks;
  out.open.limits.most_steps = arguments.most_steps;
  out.open.inputs.seed = arguments.seed;
  std::string name, value;
  const auto wrong = [](const char* option, const std::string& text, const char* form) {
    fail(fmt::format("{} {}: wanted {}", option, text, form));
    return false;
  };
  for (const std::string& text : arguments.in) {
    if (!split(text, name, value)) return wrong("--in", text, "NAME=PATH");
    auto array = data::read_array(value);
    if (const auto* error = std::get_if<data::Error>(&array)) {
      fail(error->text, error->hint);
      return false;
    }
    InputFile file{value, std::move(std::get<data::Array>(array))};
    out.open.inputs.data[name] = file.array.bytes;
    file.array.bytes.clear();
    out.files[name] = std::move(file);
  }
  for (const std::string& text : arguments.set) {
    if (!split(text, name, value)) return wrong("--set", text, "NAME=VALUE");
    out.open.inputs.numbers[name] = value;
  }
  for (const std::string& text : arguments.size) {
    char* end = nullptr;
    if (!split(text, name, value) || value.empty() || (out.open.inputs.size_bytes[name] = std::strtoull(value.c_str(), &end, 0), *end != 0)) return wrong("--size", text, "NAME=BYTES");
  }
  for (const std::string& text : arguments.out) {
    if (!split(text, name, value)) return wrong("--out", text, "NAME=PATH");
    out.outputs[name] = value;
  }
  return true;
}

// The element type and shape that the program gives a buffer or tile of this name; nothing: it has none.
struct Place {
  DType dtype = DType::F32;
  std::vector<std::uint64_t> shape;  // empty: only the number of elements is known
  std::uint64_t elements = 0;
  const BufferDecl* buffer = nullptr;
  int tile = -1;
};

std::optional<Place> find_place(const Program& program, const std::string& name) {
  Place place;
  for (std::size_t i = 0; i < program.buffers.size(); ++i) {
    const BufferDecl& buffer = program.buffers[i];
    if (buffer.name != name) continue;
    place.dtype = buffer.dtype;
    place.buffer = &buffer;
    place.elements = buffer.elements;
    std::uint64_t dense = 1;
    for (const std::uint32_t size : buffer.view_shape) dense *= size;
    if (!buffer.view_shape.empty() && dense == buffer.elements) place.shape.assign(buffer.view_shape.begin(), buffer.view_shape.end());
    return place;
  }
  // In a loop or a branch there may be several of a name: the last one.
  for (std::size_t i = 0; i < program.tiles.size(); ++i) {
    const TileDecl& tile = program.tiles[i];
    if (tile.name != name || tile.implicit) continue;
    place = {tile.type.dtype, {tile.valid_rows, tile.valid_cols}, std::uint64_t{tile.valid_rows} * tile.valid_cols, nullptr, static_cast<int>(i)};
  }
  return place.tile >= 0 ? std::optional(place) : std::nullopt;
}

// Type and shape of .npy files must be what the program reads; raw bytes are taken as they are.
bool inputs_fit(const Program& program, const Request& request) {
  for (const auto& [name, file] : request.files) {
    const std::optional<Place> place = find_place(program, name);
    if (!place || file.array.type.empty()) continue;
    const std::string wanted = npy_type(place->dtype);
    const auto same_but_sign = [](const std::string& a, const std::string& b) {
      const auto integer = [](char c) { return c == 'i' || c == 'u' || c == 'b'; };
      return a == b || (integer(a[0]) && integer(b[0]) && a.substr(1) == b.substr(1));
    };
    if (!same_but_sign(wanted, file.array.type) && !(wanted == "V2" && file.array.type == "u2")) {
      fail(fmt::format("{}: holds {}, %{} is {} ({})", file.path, file.array.type, name, ts::name(place->dtype), wanted), "convert it with astype or view before saving");
      return false;
    }
    if (place->shape.empty() || file.array.shape.size() == 1 || without_ones(file.array.shape) == without_ones(place->shape)) continue;
    fail(fmt::format("{}: is {}, %{} is {}", file.path, shape_text(file.array.shape), name, shape_text(place->shape)), "reshape it, or save it flat");
    return false;
  }
  return true;
}

bool write_output(const Recording& recording, const std::string& name, const std::string& path) {
  const std::optional<Place> place = find_place(recording.program(), name);
  if (!place) {
    fail(fmt::format("--out {}: the program has no buffer or tile of that name", name));
    return false;
  }
  data::Array array{npy_type(place->dtype), place->shape, {}};
  const Memory& memory = recording.final_memory();
  if (place->buffer != nullptr) {
    const auto bytes = memory.bytes(Space::Gm, place->buffer->address, place->buffer->size());
    array.bytes.assign(bytes.begin(), bytes.end());
    if (array.shape.empty()) array.shape = {place->buffer->elements};
  } else {
    const TileRef tile = recording.tile_at_end(static_cast<std::uint32_t>(place->tile));
    array.shape = {tile.valid_rows, tile.valid_cols};
    for (std::uint32_t row = 0; row < tile.valid_rows; ++row) {
      for (std::uint32_t col = 0; col < tile.valid_cols; ++col) {
        const auto bytes = memory.bytes(tile.space(), tile.at(row, col), tile.elem_bytes());
        array.bytes.insert(array.bytes.end(), bytes.begin(), bytes.end());
      }
    }
  }
  const data::Error error = data::write_array(path, array);
  if (error.text.empty()) return true;
  fail(error.text, error.hint);
  return false;
}

// `// show: --step 5 --cell im[1,7]` in a program's comments: what its author finds worth looking at.
void read_hint(const text::Tree& tree, ReportOptions& show) {
  for (const text::Comment& comment : tree.comments) {
    const std::string text(tree.text(comment.range));
    const std::size_t at = text.find("show: --step ");
    if (at == std::string::npos) continue;
    char cell[64] = "";
    if (std::sscanf(text.c_str() + at, "show: --step %d --cell %63s", &show.step, cell) == 2) parse_cell(cell, show);
    return;
  }
}

int status_of(StopReason reason) {
  switch (reason) {
    case StopReason::End: return kOk;
    case StopReason::Error:
    case StopReason::NotEmulated: return kStopped;
    case StopReason::Limit:
    case StopReason::Budget:
    case StopReason::Interrupted: break;
  }
  return kLimit;
}

int run_entry(const ProgramFile& file, const EntryPoint& entry, const Request& request, const RunArguments& arguments, ReportOptions show) {
  Diagnostics diagnostics;
  std::optional<Opened> opened = open_program(file.tree, entry, request.open, diagnostics);
  if (!arguments.json || !opened) print_diagnostics(diagnostics, *file.tree->source);
  if (!opened) return kCannotRun;
  if (!inputs_fit(opened->program, request)) return kCannotRun;
  if (file.entries.size() > 1) show.step = arguments.step;
  const auto start = std::chrono::steady_clock::now();
  Progress progress("recording", stderr_is_terminal());
  RecordOptions options{.budget_bytes = arguments.budget_mb << 20};
  options.limits = request.open.limits;
  options.go_on = [&](std::uint64_t steps) {
    progress.update(steps, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    return !interrupted();
  };
  const auto recording = Recording::run(std::move(opened->program), options);
  if (arguments.digest) fmt::print("{}\n", recording->digest());
  else if (arguments.json) fmt::print("{}\n", json_report(*recording, opened->inputs, diagnostics, arguments.trace));
  else fmt::print("{}", report(*recording, opened->inputs, show));
  for (const auto& [name, path] : request.outputs)
    if (!write_output(*recording, name, path)) return kCannotRun;
  return status_of(recording->stop_reason());
}

}  // namespace

int run_command(const RunArguments& arguments) {
  Request request;
  if (!read_request(arguments, request)) return kCannotRun;
  const std::string name = arguments.files.empty() ? std::string(samples().front().name) : arguments.files.front();
  std::optional<ProgramFile> file = open_file(name, arguments);
  if (!file) return kCannotRun;
  print_diagnostics(file->diagnostics, *file->tree->source);
  if (has_error(file->diagnostics)) return kCannotRun;
  std::vector<EntryPoint> entries = file->entries;
  if (!arguments.entry.empty()) std::erase_if(entries, [&](const EntryPoint& entry) { return entry.name != arguments.entry; });
  std::vector<std::string> names;
  for (const EntryPoint& entry : file->entries) names.push_back(entry.name);
  if (entries.empty()) return fail(arguments.entry.empty() ? fmt::format("{} has no function to start", name) : fmt::format("no entry point is called {}", arguments.entry), fmt::format("there are: {}", fmt::join(names, ", ")));
  const bool binds = !arguments.in.empty() || !arguments.set.empty() || !arguments.out.empty() || !arguments.size.empty();
  if (entries.size() > 1 && binds) return fail(fmt::format("{} has {} entry points; which one are the inputs for?", name, entries.size()), fmt::format("--entry NAME, one of: {}", fmt::join(names, ", ")));
  ReportOptions show;
  show.step = arguments.step;
  show.trace_all = arguments.trace;
  if (arguments.step < 0 && arguments.cell.empty()) read_hint(*file->tree, show);
  if (!arguments.cell.empty() && !parse_cell(arguments.cell, show)) return fail("--cell wants TILE[ROW,COLUMN], such as im[1,7]");
  install_interrupt();
  int worst = kOk;
  for (const EntryPoint& entry : entries) worst = std::max(worst, run_entry(*file, entry, request, arguments, show));
  if (arguments.files.empty()) fmt::print("\nNext: tilescope run complex_split --step 5     tilescope run masked_sum --target a5     tilescope list\n");
  return worst;
}

}  // namespace ts
