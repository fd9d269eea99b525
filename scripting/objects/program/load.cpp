// From the options of pto.load to a program: what `tilescope run` does with its arguments.
#include "scripting/objects/program/load.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <set>
#include <system_error>

#include "core/cases/open.h"
#include "core/cases/setup_file.h"
#include "core/data/array_file.h"
#include "core/program/arrays.h"
#include "core/text/type.h"
#include "scripting/binding/object.h"
#include "scripting/objects/values/array.h"
#include "scripting/objects/values/elements.h"
#include "scripting/run/engine.h"

namespace ts::scripting {
namespace {

// "pto.load", or who else opens programs.
std::string called(lua_State* L) { return std::string(current_binding(L)->called()); }

constexpr std::size_t kMostTold = 5;

// What a text takes at most while it is read and compiled, and as a tree, for each of its bytes.
constexpr std::size_t kBytesOfText = 16;

// "row_loop.pto:12:3: [TDI-R5] validCol 7 is odd (hint)".
std::string told(const Diagnostic& diagnostic, const std::string& file) {
  std::string text = file;
  if (diagnostic.pos.line != 0) text += fmt::format(":{}:{}", diagnostic.pos.line, diagnostic.pos.column);
  text += fmt::format(": [{}] {}", diagnostic.rule, diagnostic.text);
  if (!diagnostic.expected.empty()) text += fmt::format("; expected {}", diagnostic.expected);
  if (!diagnostic.hint.empty()) text += fmt::format(" ({})", diagnostic.hint);
  return text;
}

void raise_errors(lua_State* L, const Diagnostics& diagnostics, const std::string& file) {
  std::vector<std::string> errors;
  for (const Diagnostic& diagnostic : diagnostics)
    if (diagnostic.severity == Severity::Error) errors.push_back(told(diagnostic, file));
  if (errors.empty()) return;
  const std::size_t more = errors.size() - std::min(errors.size(), kMostTold);
  errors.resize(errors.size() - more);
  raise(L, fmt::format("{}{}", fmt::join(errors, "\n"), more == 0 ? "" : fmt::format("\nand {} more", more)));
}

// --- what is asked for ---

// Put over what is there.
void check_choices(const OptionTable& options, Options& choices) {
  if (!options.has("options")) return;
  lua_State* L = options.state();
  if (options.push("options") != LUA_TTABLE) options.wrong("options", "a table such as {[\"strict\"]=\"on\"}");
  for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING || lua_type(L, -1) != LUA_TSTRING)
      raise(L, called(L) + ": options: names and values are texts", "as in {[\"strict\"]=\"on\"}");
    const std::string key = lua_tostring(L, -2), value = lua_tostring(L, -1);
    if (set_option(choices, key, value)) continue;
    std::vector<std::string_view> names;
    for (int i = 0; i < kOptionCount; ++i) names.emplace_back(kOptions[i].name);
    const auto* row = std::ranges::find(kOptions, kOptions + kOptionCount, std::string_view(key),
                                        [](const OptionRow& one) { return std::string_view(one.name); });
    if (row == kOptions + kOptionCount)
      raise(L, fmt::format("{}: there is no option {}{}", called(L), key, did_you_mean(key, names)),
            "`tilescope options` lists them");
    raise(L, fmt::format("{}: option {}: wanted {}, got {}", called(L), key, row->values, value));
  }
  lua_pop(L, 1);
}

// `wanted` may be empty: the only one.
EntryPoint check_entry(lua_State* L, const std::vector<EntryPoint>& entries, const std::string& wanted,
                       const std::string& file) {
  std::vector<std::string> names;
  for (const EntryPoint& entry : entries) names.push_back(entry.name);
  if (entries.empty())
    raise(L, fmt::format("{} has no function to start", file),
          "an entry point is a func.func with a body that returns nothing");
  if (wanted.empty()) {
    if (entries.size() > 1)
      raise(L, fmt::format("{} has {} entry points", file, entries.size()),
            fmt::format("entry= one of {}", fmt::join(names, ", ")));
    return entries.front();
  }
  const auto found = std::ranges::find(entries, wanted, &EntryPoint::name);
  if (found == entries.end())
    raise(L, fmt::format("no entry point is called {}", wanted),
          fmt::format("{} has {}", file, fmt::join(names, ", ")));
  return *found;
}

// --- inputs ---

// Numbers, or rows of numbers, from the table on top of the stack.
void take_numbers(lua_State* L, const std::string& input, DType dtype, std::vector<std::byte>& out, int depth = 0) {
  constexpr int kMostDimensions = 5;
  if (depth == kMostDimensions) raise(L, fmt::format("{}: inputs.{}: lists nest too deep", called(L), input));
  const auto count = static_cast<lua_Integer>(lua_rawlen(L, -1));
  Sandbox::charge(L, static_cast<std::uint64_t>(count));
  Sandbox::need_memory(L, static_cast<std::size_t>(count) * size_bytes(dtype));
  luaL_checkstack(L, 4, nullptr);
  for (lua_Integer i = 1; i <= count; ++i) {
    if (lua_rawgeti(L, -1, i) == LUA_TTABLE) {
      take_numbers(L, input, dtype, out, depth + 1);
    } else {
      const std::uint64_t bits = check_element(L, -1, fmt::format("inputs.{}", input).c_str(), element_format(dtype));
      const std::size_t at = out.size();
      out.resize(at + size_bytes(dtype));
      std::memcpy(out.data() + at, &bits, size_bytes(dtype));
    }
    lua_pop(L, 1);
  }
}

void take_file(lua_State* L, const Program& program, const std::string& input, const std::string& path,
               InputValues& values) {
  const ScriptHost& host = Engine::of(L).host();
  if (!host.read_array) raise(L, fmt::format("{}: inputs.{}: files cannot be read here", called(L), input));
  auto read = host.read_array(path, Sandbox::memory_left(L) / 2);
  if (const auto* error = std::get_if<data::Error>(&read))
    raise(L, fmt::format("{}: inputs.{}: {}", called(L), input, error->text), error->hint);
  data::Array& array = std::get<data::Array>(read);
  if (const auto of_name = find_array(program, input)) pack_array(of_name->dtype, array);
  if (const auto wrong = misfit(program, input, {path, array.type, array.shape}))
    raise(L, fmt::format("{}: inputs.{}: {}", called(L), input, wrong->text), wrong->hint);
  values.data[input] = std::move(array.bytes);
}

// An array object, its elements turned into the input's type.
void take_array(lua_State* L, const ArrayObject& array, const std::string& input, DType dtype,
                std::vector<std::byte>& out) {
  const Elements& elements = *array.elements;
  Sandbox::need_memory(L, elements.bits.size() * size_bytes(dtype));
  Sandbox::charge(L, elements.bits.size());
  for (std::size_t i = 0; i < elements.bits.size(); ++i) {
    const auto bits = convert(element_format(dtype), *elements.format, elements.bits[i]);
    if (!bits)
      raise(L, fmt::format("{}: inputs.{}: element {} of {}, {}, is no {}", called(L), input, i, array.name,
                           short_text(*elements.format, elements.bits[i]), name(dtype)));
    const std::size_t at = out.size();
    out.resize(at + size_bytes(dtype));
    std::memcpy(out.data() + at, &*bits, size_bytes(dtype));
  }
}

// A number as program text writes it.
std::string literal(lua_State* L, int index, text::ScalarKind kind) {
  if (lua_isinteger(L, index)) return fmt::format("{}", lua_tointeger(L, index));
  const double value = lua_tonumber(L, index);
  const std::optional<DType> dtype = text::dtype(kind);
  if (!std::isfinite(value) && dtype && is_float(*dtype)) return fmt::format("0x{:x}", from_double(*dtype, value));
  return fmt::format("{}", value);
}

// The value on top of the stack.
void take_input(lua_State* L, const Program& program, const std::string& name, InputValues& values, RunOrigin& launch) {
  const auto input = std::ranges::find(program.inputs, name, &ProgramInput::name);
  if (input == program.inputs.end()) {
    std::vector<std::string_view> names;
    for (const ProgramInput& one : program.inputs) names.push_back(one.name);
    raise(L, fmt::format("{}: the program has no input {}{}", called(L), name, did_you_mean(name, names)),
          names.empty() ? "it has none at all" : fmt::format("it has {}", fmt::join(names, ", ")));
  }
  const bool is_number = input->kind == ProgramInput::Kind::Scalar;
  const int type = lua_type(L, -1);
  launch.inputs.push_back({name, GivenInput::Kind::MadeUp, "given by the script"});
  // Elements of 4 bits are collected one a byte.
  if (!is_number && type != LUA_TSTRING) values.data_types[name] = npy_type(find_array(program, name)->dtype);
  if (!is_number && type == LUA_TSTRING) launch.inputs.back() = {name, GivenInput::Kind::File, lua_tostring(L, -1)};
  if (is_number && type == LUA_TNUMBER) values.numbers[name] = literal(L, -1, input->scalar);
  else if (is_number && type == LUA_TSTRING) values.numbers[name] = lua_tostring(L, -1);
  else if (!is_number && type == LUA_TSTRING) take_file(L, program, name, lua_tostring(L, -1), values);
  else if (const auto* array = is_number ? nullptr : to_object<ArrayObject>(L, -1))
    take_array(L, *array, name, find_array(program, name)->dtype, values.data[name]);
  else if (!is_number && type == LUA_TTABLE) take_numbers(L, name, find_array(program, name)->dtype, values.data[name]);
  else
    raise(L, fmt::format("{}: inputs.{}: wanted {}, got {}", called(L), name,
                         is_number ? "a number" : "a path, an array or a list of numbers", describe(L, -1)));
}

std::size_t bytes_of(const InputValues& values) {
  std::size_t bytes = 0;
  for (const auto& [name, data] : values.data) bytes += data.size();
  return bytes;
}

// What buffers and tiles that nobody gives are made of.
void take_made(lua_State* L, const OptionTable& options, InputValues& values, RunOrigin& launch) {
  if (!options.has("make")) return;
  if (options.push("make") != LUA_TTABLE) options.wrong("make", "a table by the inputs' names, such as {x=\"ramp\"}");
  for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING || lua_type(L, -1) != LUA_TSTRING)
      raise(L, called(L) + ": make: names and kinds are texts", "as in make={x=\"ramp\"}");
    const std::string name = lua_tostring(L, -2), word = lua_tostring(L, -1);
    const auto kind = data::find_made_up(word);
    if (!kind)
      raise(L, fmt::format("{}: make.{}: nothing is made of {}", called(L), name, word), data::made_up_words());
    values.made[name] = *kind;
    launch.inputs.push_back({name, GivenInput::Kind::Made, word});
  }
  lua_pop(L, 1);
}

// `values` has what a setup gives, over which the script's own is put. `weight` grows with what is given.
InputValues check_inputs(lua_State* L, const OptionTable& options, const Program& program, InputValues values,
                         RunOrigin& launch, Weight& weight) {
  values.seed = static_cast<std::uint64_t>(
      options.integer("seed", INT64_MIN, INT64_MAX).value_or(static_cast<std::int64_t>(values.seed)));
  launch.seed = values.seed;
  if (options.has("inputs")) {
    if (options.push("inputs") != LUA_TTABLE) options.wrong("inputs", "a table by the inputs' names");
    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
      if (lua_type(L, -2) != LUA_TSTRING)
        raise(L, called(L) + ": inputs go by their names", "as in inputs={x=\"x.npy\"}");
      take_input(L, program, lua_tostring(L, -2), values, launch);
      weight.set(L, bytes_of(values));
    }
    lua_pop(L, 1);
  }
  if (options.has("size")) {
    if (options.push("size") != LUA_TTABLE) options.wrong("size", "a table of bytes by the buffers' names");
    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
      if (lua_type(L, -2) != LUA_TSTRING)
        raise(L, called(L) + ": sizes go by the buffers' names", "as in size={x=4096}");
      const std::string name = lua_tostring(L, -2);
      values.size_bytes[name] =
          static_cast<std::uint64_t>(check_integer(L, -1, name.c_str(), 1, std::int64_t{1} << 31));
      launch.inputs.push_back({name, GivenInput::Kind::Size, fmt::format("{}", values.size_bytes[name])});
    }
    lua_pop(L, 1);
  }
  take_made(L, options, values, launch);
  return values;
}

// --- cases ---

template <class Found>
Found take(lua_State* L, std::variant<Found, data::Error> found) {
  if (const auto* error = std::get_if<data::Error>(&found))
    raise(L, fmt::format("{}: {}", called(L), error->text), error->hint);
  return std::move(std::get<Found>(found));
}

std::size_t bytes_of(const std::vector<cases::Golden>& goldens) {
  std::size_t bytes = 0;
  for (const cases::Golden& golden : goldens) bytes += golden.array.bytes.size();
  return bytes;
}

// The arrays and numbers of a case that the script does not give itself, and the goldens.
void take_case(lua_State* L, const cases::Folder& folder, const std::shared_ptr<const text::Tree>& tree,
               Sandbox::CallWatch& watch, OpenRequest& request, LoadedProgram& loaded) {
  cases::Beside beside{.entry = loaded.entry.name, .open = std::move(request), .go_on = [&] { return watch.go_on(); }};
  auto opened = cases::open_case(folder, tree, {loaded.entry}, std::move(beside));
  if (watch.is_late()) watch.raise("reading the case");
  auto found = take(L, std::move(opened));
  request = std::move(found.open);
  for (const std::string& note : folder.notes) loaded.warnings.push_back(note);
  loaded.warnings.insert(loaded.warnings.end(), found.notes.begin(), found.notes.end());
  loaded.goldens = std::make_shared<const std::vector<cases::Golden>>(std::move(found.goldens));
  loaded.weight.set(L, bytes_of(request.inputs) + bytes_of(*loaded.goldens));
}

// --- setups ---

// The names of inputs that the script gives, or says the making of.
std::set<std::string> said_inputs(const OptionTable& options) {
  lua_State* L = options.state();
  std::set<std::string> names;
  for (const char* table : {"inputs", "make", "size"}) {
    if (!options.has(table)) continue;
    if (options.push(table) == LUA_TTABLE)
      for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1))
        if (lua_type(L, -2) == LUA_TSTRING) names.insert(lua_tostring(L, -2));
    lua_pop(L, 1);
  }
  return names;
}

// Of a program's file, what --setup NAME would take; its arrays lie below the program's folder. Nothing: none is asked for.
std::optional<cases::Setup> check_setup(lua_State* L, const OptionTable& options, const std::string& program) {
  const auto wanted = options.text("setup");
  if (!wanted) return std::nullopt;
  std::error_code missing;
  if (!std::filesystem::is_regular_file(program, missing))
    raise(L, fmt::format("{}: setup: {} has none, because setups stand beside a program's file", called(L), program));
  auto found = take(L, cases::load_setup(program, *wanted));
  for (const std::string& note : found.notes) Engine::of(L).complain(fmt::format("{}: {}", called(L), note));
  cases::Setup setup = take(L, cases::with_paths(std::move(found.setup), program, cases::SetupFiles::Below));
  if (!setup.raw.empty())
    raise(L, fmt::format("{}: setup {}: raw bytes are for the command line and the window", called(L), *wanted),
          "give an .npy file");
  for (const std::string& said : said_inputs(options))
    for (auto* all : {&setup.arrays, &setup.numbers, &setup.made, &setup.sizes}) all->erase(said);
  return setup;
}

// What the setup gives, as the script would have said it.
void take_setup_inputs(lua_State* L, const cases::Setup& setup, const Program& program, InputValues& values,
                       RunOrigin& launch) {
  using enum GivenInput::Kind;
  for (const auto& [name, word] : setup.made) launch.inputs.push_back({name, Made, word});
  for (const auto& [name, bytes] : setup.sizes) launch.inputs.push_back({name, Size, bytes});
  for (const auto& [name, text] : setup.numbers) launch.inputs.push_back({name, Number, text});
  for (const auto& [name, path] : setup.arrays) {
    launch.inputs.push_back({name, File, path});
    take_file(L, program, name, path, values);
  }
}

// The text of a kernel is compiled where its file is.
std::shared_ptr<const text::Tree> read_kernel(lua_State* L, const ProgramSource& source, KernelWish wish,
                                              const std::optional<cases::Setup>& setup, Sandbox::CallWatch& watch,
                                              Diagnostics& out) {
  const ScriptHost& host = Engine::of(L).host();
  if (!host.read_kernel)
    raise(L, fmt::format("{}: {} is a kernel in C++, which would be compiled and run", called(L), source.name),
          "tilescope script --allow kernels, where you trust the script and the kernel");
  wish.path = source.name;
  if (setup) {
    wish.standard = setup->standard;
    wish.include = cases::include_folders(*setup);
    wish.define = cases::macros(*setup);
  }
  return host.read_kernel(wish, out, [&] { return watch.go_on(); });
}

// `name` is what it was asked for by.
std::shared_ptr<const LoadedProgram> load_source(lua_State* L, ProgramSource source, const std::string& name,
                                                 const OptionTable& options) {
  const std::shared_ptr<const cases::Folder> folder = std::move(source.folder);
  OpenRequest request = folder != nullptr ? cases::request_of(*folder) : OpenRequest{};
  const std::optional<cases::Setup> setup = check_setup(L, options, name);
  if (setup) cases::put_into(*setup, request);
  check_choices(options, request.options);
  if (const auto target = options.word("target", {"a2a3", "a5"}))
    request.target = *target == 0 ? Target::A2A3 : Target::A5;
  request.blocks = static_cast<std::uint32_t>(options.integer("blocks", 1, 65535).value_or(request.blocks));
  request.private_slots = options.truth("private_slots") || (setup && request.private_slots);
  const std::size_t text_bytes = source.text.size() * kBytesOfText;
  Sandbox::need_memory(L, text_bytes);
  auto loaded = std::make_shared<LoadedProgram>();
  loaded->file = source.name;
  Diagnostics diagnostics;
  Sandbox::CallWatch watch(L);
  request.limits.go_on = [&](std::uint64_t) { return watch.go_on(); };
  text::ParseLimits limits;
  limits.go_on = [&] { return watch.go_on(); };
  std::string wanted = options.text("entry").value_or(setup ? setup->entry : "");
  if (source.is_kernel) loaded->kernel_text = source.text;
  auto tree = source.is_kernel
                  ? read_kernel(L, source, {.entry = wanted, .target = request.target}, setup, watch, diagnostics)
                  : read_program(std::move(source.name), std::move(source.text), diagnostics, limits);
  if (watch.is_late()) watch.raise("reading the program");
  tree = weighed(L, std::move(tree), text_bytes);
  const std::vector<EntryPoint> entries = entry_points(*tree, diagnostics);
  raise_errors(L, diagnostics, loaded->file);
  if (folder != nullptr) wanted = take(L, cases::entry_of(*folder, entries, wanted));
  const EntryPoint entry = check_entry(L, entries, wanted, loaded->file);
  loaded->entry = entry;
  // Compiled once to learn what the inputs are, and once more with them: that decides how large buffers are.
  Diagnostics ignored;
  const Target target = request.target.value_or(entry.target.value_or(Target::A2A3));
  const Program unbound =
      compile(tree, entry,
              {target, request.options, request.blocks, request.private_slots, [&] { return watch.go_on(); }}, ignored);
  if (watch.is_late()) watch.raise("reading the program");
  raise_errors(L, ignored, loaded->file);
  loaded->launch.file = name;
  loaded->launch.entry = options.text("entry").value_or(setup ? setup->entry : "");
  if (setup) take_setup_inputs(L, *setup, unbound, request.inputs, loaded->launch);
  loaded->weight.set(L, bytes_of(request.inputs));
  request.inputs = check_inputs(L, options, unbound, std::move(request.inputs), loaded->launch, loaded->weight);
  request.inputs.most_bytes = Sandbox::memory_left(L);
  if (folder != nullptr) take_case(L, *folder, tree, watch, request, *loaded);
  for (const auto& [input, text] : request.inputs.numbers)
    std::ranges::replace_if(
        loaded->launch.inputs, [&given = input](const GivenInput& one) { return one.name == given; },
        GivenInput{input, GivenInput::Kind::Number, text});

  std::optional<Opened> opened = open_program(tree, entry, request, diagnostics);
  if (watch.is_late()) watch.raise("opening the program");
  if (std::ranges::find(diagnostics, kInputsTooLarge, &Diagnostic::rule) != diagnostics.end())
    Sandbox::raise_no_memory(L, 0);
  raise_errors(L, diagnostics, loaded->file);
  for (const Diagnostic& diagnostic : diagnostics)
    if (diagnostic.severity == Severity::Warning) loaded->warnings.push_back(told(diagnostic, loaded->file));
  loaded->program = std::move(opened->program);
  loaded->inputs = std::move(opened->inputs);
  request.limits.go_on = {};
  loaded->weight.set(L, loaded->program.held_bytes() + bytes_of(request.inputs) + bytes_of(*loaded->goldens));
  loaded->request = std::move(request);
  return loaded;
}

}  // namespace

std::shared_ptr<const LoadedProgram> load_program(lua_State* L, const std::string& name, const OptionTable& options) {
  const ScriptHost& host = Engine::of(L).host();
  if (!host.open_program) raise(L, called(L) + ": programs cannot be opened here");
  ProgramSource source = host.open_program(name, Sandbox::memory_left(L) / kBytesOfText);
  if (!source.error.empty()) raise(L, fmt::format("{}: {}", called(L), source.error), source.hint);
  return load_source(L, std::move(source), name, options);
}

std::shared_ptr<const LoadedProgram> load_program(lua_State* L, ProgramSource source, const OptionTable& options) {
  const std::string name = source.name;
  return load_source(L, std::move(source), name, options);
}

}  // namespace ts::scripting
