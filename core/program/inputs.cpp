// Binding of inputs.
#include "core/program/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/data/seeded.h"
#include "core/memory/host_memory.h"
#include "core/program/arrays.h"
#include "core/program/kernel.h"
#include "core/program/literal.h"
#include "core/program/scalar_ops.h"

namespace ts {
namespace {

constexpr std::uint64_t kUnknownBytes = 1 << 20;  // of a buffer that no view tells the size of
// So much of what nobody gave is made at once; what is beyond, when somebody looks.
constexpr std::uint64_t kMadeAtOnce = 16 << 20;
// Of another kind all is made at once.
constexpr std::uint64_t kMostMade = 256 << 20;

class Binder {
 public:
  Binder(Program& program, const InputValues& values, Diagnostics& out, const WalkLimits& limits)
      : program_(program),
        values_(values),
        out_(out),
        limits_(limits),
        read_(program.buffers.size(), 0),
        written_(program.buffers.size(), 0),
        cleared_(program.buffers.size(), 0) {}

  std::vector<BufferUse> survey() {
    for (const ProgramInput& input : program_.inputs)
      if (input.kind == ProgramInput::Kind::Scalar) number(input);
    if (has_error(out_)) return {};
    walk();
    std::vector<BufferUse> uses;
    for (std::size_t i = 0; i < program_.buffers.size(); ++i)
      uses.push_back({read_[i] != 0, written_[i] != 0, exact_ ? extents_[i] : 0});
    for (const ProgramInput& input : program_.inputs)
      if (input.kind == ProgramInput::Kind::Buffer) size(input);
    return uses;
  }

  std::vector<InputSource> run() {
    check_names();
    for (const ProgramInput& input : program_.inputs)
      if (input.kind == ProgramInput::Kind::Scalar) number(input);
    for (const HiddenInput& input : program_.hidden_inputs) hidden(input);
    if (has_error(out_)) return {};
    walk();
    for (const ProgramInput& input : program_.inputs)
      if (input.kind == ProgramInput::Kind::Buffer) size(input);
    if (!place_buffers(program_)) {
      error(nullptr,
            fmt::format("the buffers take more than {} bytes of global memory", kFlatLimit - program_.cores_end()),
            program_.blocks_at_once() > 1 ? "make them smaller, or run fewer blocks: each has memories of its own"
                                          : "make them smaller, or give sizes with --size");
      return {};
    }
    if (!check_room()) return {};
    for (const ProgramInput& input : program_.inputs) {
      if (input.kind == ProgramInput::Kind::Buffer) buffer(input);
      if (input.kind == ProgramInput::Kind::Tile) tile(input);
    }
    return std::move(sources_);
  }

 private:
  void error(const ProgramInput* input, std::string text, std::string hint = "") {
    out_.push_back({"E-INPUT", Severity::Error, input == nullptr ? SourcePos{} : input->pos, "", std::move(text),
                    std::move(hint)});
  }

  void check_names() {
    std::string names;
    for (const ProgramInput& input : program_.inputs) names += (names.empty() ? "" : ", ") + input.name;
    // Null: there is none, and the message is out.
    const auto is_hidden = [&](const std::string& name) {
      return std::ranges::find(program_.hidden_inputs, name, &HiddenInput::name) != program_.hidden_inputs.end();
    };
    const auto find = [&](const std::string& name) -> const ProgramInput* {
      const auto input = std::ranges::find(program_.inputs, name, &ProgramInput::name);
      if (input != program_.inputs.end()) return &*input;
      error(nullptr, fmt::format("the program has no input {}", name),
            names.empty() ? "it has none at all" : "it has " + names);
      return nullptr;
    };
    using Kind = ProgramInput::Kind;
    for (const auto& [name, unused] : values_.data)
      if (const ProgramInput* input = find(name); input != nullptr && input->kind == Kind::Scalar)
        error(input, fmt::format("%{} is a number and takes no data", name), fmt::format("--set {}=NUMBER", name));
    for (const auto& [name, unused] : values_.numbers)
      if (const ProgramInput* input = is_hidden(name) ? nullptr : find(name);
          input != nullptr && input->kind != Kind::Scalar)
        error(input,
              fmt::format("%{} is a {} and takes no number", name, input->kind == Kind::Buffer ? "buffer" : "tile"),
              fmt::format("--in {}=PATH", name));
    for (const auto& [name, kind] : values_.made) {
      const ProgramInput* input = find(name);
      if (input != nullptr && input->kind == Kind::Scalar)
        error(input, fmt::format("%{} is a number and is not made of {}", name, data::name(kind)),
              fmt::format("--set {}=NUMBER", name));
      if (input != nullptr && values_.data.contains(name))
        error(input, fmt::format("%{} is given data and is to be made of {} as well", name, data::name(kind)),
              "say only one of them");
    }
    for (const auto& [name, unused] : values_.size_bytes)
      if (const ProgramInput* input = find(name); input != nullptr && input->kind != Kind::Buffer)
        error(input, fmt::format("%{} is no buffer and has no size to give", name));
    for (const auto& [name, type] : values_.element_types)
      if (const ProgramInput* input = find(name); input != nullptr) check_type(*input, type);
  }

  // A pointer to bytes may be one to anything.
  void check_type(const ProgramInput& input, DType type) {
    if (input.kind != ProgramInput::Kind::Buffer)
      return error(&input, fmt::format("%{} is no buffer and has no elements of {}", input.name, name(type)));
    DType& own = program_.buffers[input.id].dtype;
    if (own == DType::U8) own = type;
    if (own != type)
      error(&input, fmt::format("%{} points to {}, and {} was said of it", input.name, name(own), name(type)),
            "leave the type out with --size");
  }

  void number(const ProgramInput& input) {
    const auto given = values_.numbers.find(input.name);
    if (given == values_.numbers.end() && !values_.guess) return;
    std::uint64_t bits = 1;
    std::string from = "no value given";
    if (given != values_.numbers.end()) {
      const auto parsed = parse_scalar(given->second, input.scalar);
      if (!parsed)
        return error(&input, fmt::format("{} is no {}", given->second, text::name(input.scalar)),
                     fmt::format("--set {}=NUMBER", input.name));
      bits = *parsed;
      from = "given";
    } else if (const auto dtype = text::dtype(input.scalar); dtype && is_float(*dtype)) {
      const std::vector<std::byte> data = data::seeded(values_.seed, input.name, *dtype, 1);
      std::memcpy(&bits, data.data(), data.size());
      from = "seeded";
    } else {
      // Of a view, "src.0": an extent that its type leaves open.
      const std::size_t dot = input.name.rfind('.');
      out_.push_back({dot == std::string::npos ? "V60-07" : "V60-09", Severity::Warning, input.pos, "",
                      dot == std::string::npos ? fmt::format("%{} has no value and runs as 1", input.name)
                                               : fmt::format("extent {} of %{} is '?' and runs as 1",
                                                             input.name.substr(dot + 1), input.name.substr(0, dot)),
                      fmt::format("--set {}=NUMBER", input.name)});
    }
    program_.slots[input.id] = scalar_value(bits);
    sources_.push_back(
        {input.name, fmt::format("{} = {}, {}", text::name(input.scalar), scalar_number(input.scalar, bits), from)});
  }

  // The launch fills it in, unless somebody says otherwise.
  void hidden(const HiddenInput& input) {
    const auto given = values_.numbers.find(input.name);
    if (given == values_.numbers.end()) return;
    const ProgramInput shown{input.name, ProgramInput::Kind::Scalar, input.slot, input.scalar, input.pos};
    const auto bits = parse_scalar(given->second, input.scalar);
    if (!bits)
      return error(&shown, fmt::format("{} is no {}", given->second, text::name(input.scalar)),
                   fmt::format("--set {}=NUMBER, or leave it to the launch", input.name));
    program_.slots[input.slot] = scalar_value(*bits);
    sources_.push_back(
        {input.name, fmt::format("{} = {}, given", text::name(input.scalar), scalar_number(input.scalar, *bits))});
    out_.push_back({"V60-06", Severity::Note, input.pos, "",
                    fmt::format("%{} is {} in every block, as given; the launch would say where the block is",
                                input.name, given->second),
                    fmt::format("without --set {}, blocks are told apart", input.name)});
  }

  // How far views reach, and which buffers are read.
  void walk() {
    WalkLimits limits = limits_;
    limits.most_code = Execution::kCheckedCode;
    extents_.assign(program_.buffers.size(), 0);
    if (program_.kernel != nullptr) return run_kernel(limits);
    for (std::size_t core = 0; core < program_.cores.size(); ++core) walk(static_cast<CoreId>(core), limits);
  }
  void run_kernel(const WalkLimits& limits) {
    const Kernel::Survey survey = program_.kernel->survey(program_, limits);
    for (std::size_t i = 0; i < survey.buffers.size(); ++i) {
      const Kernel::Use& use = survey.buffers[i];
      extents_[i] = use.bytes;
      read_[i] = use.read;
      written_[i] = use.written;
      BufferDecl& buffer = program_.buffers[i];
      if (!use.view_shape.empty()) buffer.view_shape = use.view_shape;
      if (use.dtype && buffer.dtype == DType::U8) buffer.dtype = *use.dtype;
    }
    exact_ = survey.exact;
  }
  void walk(CoreId core, const WalkLimits& limits) {
    Execution walk(program_, nullptr, Execution::Kind::Check, limits, core);
    while (walk.next()) {
      const std::optional<Bound> bound = walk.bind(walk.instruction());
      if (!bound) continue;
      for (const char* cleared : {"signal", "workspace"})
        if (bound->has(cleared)) cleared_[bound->find(cleared)->id] = 1;
      for (const Operand& operand : bound->operands)
        if (operand.spec->kind == OperandKind::Global)
          (operand.spec->role == Role::Out ? written_ : read_)[operand.id] = 1;
      walk.apply_effect(*bound);
    }
    for (const auto& [buffer, shape] : walk.view_shapes()) program_.buffers[buffer].view_shape = shape;
    for (std::size_t i = 0; i < extents_.size(); ++i) extents_[i] = std::max(extents_[i], walk.extents()[i]);
    exact_ = exact_ && walk.exact() && walk.stop() == Execution::Stop::End;
    for (const std::uint32_t id : walk.loaded_scalars()) read_[id] = 1;
    for (const std::uint32_t id : walk.cleared()) cleared_[id] = 1;
  }

  void size(const ProgramInput& input) {
    BufferDecl& buffer = program_.buffers[input.id];
    const auto data = values_.data.find(input.name);
    const auto given = values_.size_bytes.find(input.name);
    std::uint64_t bytes = extents_[input.id];
    if (bytes == 0 && buffer.elements != 0) bytes = buffer.size();
    if (!exact_ || bytes == 0) bytes = std::max(bytes, kUnknownBytes);
    if (data != values_.data.end()) bytes = data->second.size();
    if (given != values_.size_bytes.end()) bytes = given->second;
    if (data != values_.data.end() && data->second.size() % size_bytes(buffer.dtype) != 0)
      return error(&input, fmt::format("%{}: {} bytes are no whole number of {} elements", input.name,
                                       data->second.size(), name(buffer.dtype)));
    if (data != values_.data.end() && data->second.size() > bytes)
      return error(&input,
                   fmt::format("%{}: {} bytes do not fit a buffer of {}", input.name, data->second.size(), bytes));
    if (bytes > kFlatLimit)
      return error(&input, fmt::format("%{} would take {} bytes; global memory is limited to {} altogether", input.name,
                                       bytes, kFlatLimit));
    buffer.elements = static_cast<std::uint32_t>(elements_in(buffer.dtype, bytes + size_bytes(buffer.dtype) - 1));
  }

  // Global memory is reserved whole, for the run and for whoever looks at it.
  bool check_room() {
    constexpr std::uint64_t kReserved = 8;
    const std::uint64_t left = address_space_left();
    if (std::uint64_t{program_.gm_bytes} * kReserved <= left) return true;
    const auto largest = std::ranges::max_element(program_.buffers, {}, &BufferDecl::size);
    error(nullptr,
          fmt::format("the buffers take {} MiB of global memory, %{} alone {}; this process may still take {} MiB",
                      program_.gm_bytes >> 20, largest->name, largest->size() >> 20, left >> 20),
          fmt::format("--size {}=BYTES makes it smaller; ulimit -v says what a process may take", largest->name));
    return false;
  }

  void buffer(const ProgramInput& input) {
    BufferDecl& buffer = program_.buffers[input.id];
    const auto given = values_.data.find(input.name);
    std::string from = "written only";
    if (given != values_.data.end() && !fits(input, given->second.size())) return;
    if (given != values_.data.end()) {
      buffer.data = given->second;
      from = "given";
    } else if (const auto made = values_.made.find(input.name); made != values_.made.end()) {
      from = data::name(made->second);
      if (made->second == data::MadeUp::Seeded) make_up(input, buffer);
      else if (buffer.size() > kMostMade) return too_much(input, buffer.size(), made->second);
      else if (!fits(input, buffer.size())) return;
      else buffer.data = data::made_up(made->second, values_.seed, input.name, buffer.dtype, buffer.elements);
    } else if (cleared_[input.id]) {
      if (!fits(input, buffer.size())) return;
      buffer.data.assign(buffer.size(), std::byte{0});
      from = "zeros, as a launch on one device has them";
    } else if (read_[input.id] && values_.guess) {
      make_up(input, buffer);
      from = "seeded";
    }
    sources_.push_back({input.name, fmt::format("{}, {} elements, {}", name(buffer.dtype), buffer.elements, from)});
  }

  void too_much(const ProgramInput& input, std::uint64_t bytes, data::MadeUp kind) {
    error(&input,
          fmt::format("%{} takes {} bytes, and at most {} are made of {}", input.name, bytes, kMostMade,
                      data::name(kind)),
          "seeded data may be larger, and a file may");
  }

  void make_up(const ProgramInput& input, BufferDecl& buffer) {
    if (buffer.size() <= at_once_) {
      if (!fits(input, buffer.size())) return;
      at_once_ -= buffer.size();
      buffer.data = data::seeded(values_.seed, input.name, buffer.dtype, buffer.elements);
      return;
    }
    const auto go_on = [&] { return !limits_.go_on || limits_.go_on(0); };
    buffer.late = data::Seeded::plan(values_.seed, input.name, buffer.dtype, buffer.elements, go_on);
    if (buffer.late == nullptr) error(&input, fmt::format("%{}: interrupted while it was made up", input.name));
  }

  void tile(const ProgramInput& input) {
    TileDecl& tile = program_.tiles[input.id];
    const std::uint64_t elements = std::uint64_t{tile.valid_rows} * tile.valid_cols;
    const auto given = values_.data.find(input.name);
    if (given != values_.data.end() && given->second.size() != bytes_for(tile.type.dtype, elements))
      return error(&input,
                   fmt::format("%{}: {} bytes for {} x {} {} elements", input.name, given->second.size(),
                               tile.valid_rows, tile.valid_cols, name(tile.type.dtype)),
                   fmt::format("give {} bytes", bytes_for(tile.type.dtype, elements)));
    if (!fits(input, bytes_for(tile.type.dtype, elements))) return;
    const std::uint32_t reach = offsets_reach(input.id);
    const auto made = values_.made.find(input.name);
    const data::MadeUp kind = made == values_.made.end() ? data::MadeUp::Seeded : made->second;
    tile.data = given != values_.data.end() ? given->second
                                            : data::made_up(kind, values_.seed, input.name, tile.type.dtype, elements);
    // What somebody asked for stays as it is, also where it is no good as offsets.
    if (given == values_.data.end() && made == values_.made.end() && reach != 0) seed_offsets(tile, reach);
    sources_.push_back({input.name, fmt::format("{}, {}", tile.type.describe(),
                                                given != values_.data.end() ? "given" : data::name(kind))});
  }

  bool fits(const ProgramInput& input, std::uint64_t bytes) {
    const bool fit = bytes <= left_bytes_;
    if (!fit)
      out_.push_back({kInputsTooLarge,
                      Severity::Error,
                      input.pos,
                      "",
                      fmt::format("%{} takes {} bytes, and {} are left for inputs", input.name, bytes, left_bytes_),
                      {}});
    else left_bytes_ -= bytes;
    return fit;
  }

  // The bytes that the tile's numbers may reach, where an instruction takes them for offsets; else 0.
  std::uint32_t offsets_reach(std::uint32_t tile) const {
    for (const Instruction& instruction : program_.instructions) {
      bool is_offsets = false;
      std::uint32_t bytes = 0;
      for (const OperandUse& use : instruction.operands) {
        const Value value = program_.slots[use.slot];
        if (value.kind != ValueKind::Tile) continue;
        if (use.spec->role == Role::Offsets && value.bits == tile) is_offsets = true;
        if (use.spec->role == Role::In)
          bytes = static_cast<std::uint32_t>(program_.tiles[value.bits].type.size_bytes());
      }
      if (is_offsets) return bytes;
    }
    return 0;
  }

  // Whole blocks inside the source: legal whatever an offset fetches.
  void seed_offsets(TileDecl& tile, std::uint32_t reach) {
    const std::uint32_t element = size_bytes(tile.type.dtype), blocks = std::max(reach / BLK, 1u);
    for (std::size_t at = 0; at + element <= tile.data.size(); at += element) {
      std::uint32_t number = 0;
      std::memcpy(&number, tile.data.data() + at, std::min<std::size_t>(element, 4));
      number = (number ^ number >> 7) % blocks * BLK;
      std::memcpy(tile.data.data() + at, &number, std::min<std::size_t>(element, 4));
    }
  }

  Program& program_;
  const InputValues& values_;
  Diagnostics& out_;
  WalkLimits limits_;
  std::vector<char> read_, written_, cleared_;  // by buffer
  std::vector<std::uint64_t> extents_;
  bool exact_ = true;
  std::uint64_t at_once_ = kMadeAtOnce;  // how much more is
  std::vector<InputSource> sources_;
  std::uint64_t left_bytes_ = values_.most_bytes;
};

}  // namespace

std::vector<InputSource> bind_inputs(Program& program, const InputValues& values, Diagnostics& out,
                                     const WalkLimits& limits) {
  InputValues packed;
  for (const auto& [name, type] : values.data_types) {
    const auto array_of_name = find_array(program, name);
    if (!array_of_name || !is_packed(array_of_name->dtype) || !values.data.contains(name)) continue;
    if (packed.data.empty()) packed = values;
    data::Array array{type, {}, std::move(packed.data[name])};
    pack_array(array_of_name->dtype, array);
    packed.data[name] = std::move(array.bytes);
  }
  return Binder(program, packed.data.empty() ? values : packed, out, limits).run();
}

std::vector<BufferUse> survey_buffers(Program& program, const InputValues& values, Diagnostics& out,
                                      const WalkLimits& limits) {
  return Binder(program, values, out, limits).survey();
}

bool place_buffers(Program& program) {
  std::uint64_t at = 0;
  for (BufferDecl& buffer : program.buffers) {
    buffer.address = static_cast<std::uint32_t>(at);
    at = behind_buffer(at, bytes_for(buffer.dtype, buffer.elements));
    if (at + program.cores_end() > kFlatLimit) return false;
  }
  program.gm_bytes = static_cast<std::uint32_t>(at);
  return true;
}

namespace {

// What of a range of bytes fills whole pages.
struct WholePages {
  std::uint32_t begin, end;
  WholePages(std::uint64_t first, std::uint64_t bytes)
      : begin(static_cast<std::uint32_t>((first + kPageBytes - 1) / kPageBytes)),
        end(std::max(begin, static_cast<std::uint32_t>((first + bytes) / kPageBytes))) {}
};

// What stands beside its whole pages is there from the start: others' bytes are in those pages.
void load_edges(const BufferDecl& buffer, Memory& memory) {
  const Flat first = memory.map().flat(Space::Gm, buffer.address), end = first + buffer.size();
  const WholePages whole(first, buffer.size());
  const auto make = [&](Flat begin, Flat behind) {
    if (begin >= behind) return;
    buffer.late->make(begin - first, memory.at(begin, behind - begin));
    memory.mark(begin, behind - begin, Definedness::Written);
  };
  make(first, std::min(end, whole.begin * kPageBytes));
  make(std::max(first, whole.end * kPageBytes), end);
}

}  // namespace

std::shared_ptr<const LatePages> late_inputs(const Program& program) {
  const MemoryMap map = program.memory_map();
  std::shared_ptr<LatePages> pages;
  for (const BufferDecl& buffer : program.buffers) {
    if (buffer.late == nullptr) continue;
    const Flat first = map.flat(Space::Gm, buffer.address);
    const WholePages whole(first, buffer.size());
    if (whole.begin == whole.end) continue;
    if (pages == nullptr) pages = std::make_shared<LatePages>();
    pages->add(whole.begin, whole.end, whole.begin * kPageBytes - first,
               [late = buffer.late](std::uint64_t at, std::span<std::byte> out) { late->make(at, out); });
  }
  return pages;
}

std::uint64_t given_bytes(const Program& program) {
  std::uint64_t bytes = 0;
  for (const BufferDecl& buffer : program.buffers) bytes += buffer.data.size();
  for (const TileDecl& tile : program.tiles) bytes += tile.data.size();
  return bytes;
}

void load_inputs(const Program& program, Memory& memory) {
  memory.make_late(late_inputs(program));
  const auto write = [&](Space space, std::uint32_t address, const std::byte* data, std::uint32_t size) {
    std::memcpy(memory.bytes(space, address, size).data(), data, size);
    memory.mark(memory.map().flat(space, address), size, Definedness::Written);
  };
  for (const BufferDecl& buffer : program.buffers) {
    if (buffer.late != nullptr) load_edges(buffer, memory);
    if (!buffer.data.empty())
      write(Space::Gm, buffer.address, buffer.data.data(),
            static_cast<std::uint32_t>(std::min<std::size_t>(buffer.data.size(), buffer.size())));
  }
  for (const TileDecl& tile : program.tiles) {
    if (tile.data.empty()) continue;
    const TileRef ref{tile.type, tile.address, tile.valid_rows, tile.valid_cols};
    std::uint64_t number = 0;
    for (std::uint32_t row = 0; row < tile.valid_rows; ++row)
      for (std::uint32_t col = 0; col < tile.valid_cols; ++col, ++number) {
        const ByteRange place = ref.place_of(row, col);
        memory.set_element(place, load_element(tile.data.data(), tile.type.dtype, number));
        memory.mark(memory.map().flat(place), place.size, Definedness::Written);
      }
  }
}

}  // namespace ts
