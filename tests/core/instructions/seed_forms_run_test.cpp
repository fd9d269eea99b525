// Every written form of every instruction runs, on the tiles that the text names, and leaves what its page says.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "core/text/render.h"
#include "tests/support/instructions/seed_forms.h"
#include "tests/support/instructions/stage.h"
#include "tests/support/random.h"
#include "tests/support/record/replay.h"
#include "tests/support/text/open_text.h"

namespace ts::test {
namespace {

// The step of the form's instruction; the others load, store, place and wait.
std::uint32_t step_of(const Recording& recording, const SeedForm& form) {
  for (std::uint32_t step = 0; step < recording.count(); ++step)
    if (recording.bound(step).row->name == form.instruction) return step;
  FAIL("the instruction never ran");
  return 0;
}

const ProgramInput* input_named(const Program& program, std::string_view name) {
  for (const ProgramInput& input : program.inputs)
    if (input.name == name) return &input;
  return nullptr;
}

const TileType& type_of(const Program& program, std::string_view tile) {
  const auto at = std::ranges::find(program.tiles, tile, &TileDecl::name);
  REQUIRE((at != program.tiles.end()));
  return at->type;
}

// Offsets that may fetch every element of the source, and by blocks every block.
std::vector<std::byte> legal_offsets(const Program& program, const SeedForm& form, std::size_t count) {
  const bool blocks = form.name.find("block") != std::string::npos;
  const std::uint32_t unit = blocks ? BLK : size_bytes(type_of(program, "dst").dtype);
  const auto units = static_cast<std::uint32_t>(type_of(program, "src").size_bytes()) / unit;
  std::vector<std::byte> data(count * 4);
  Random random(7);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t offset = random.below(units) * unit;
    std::memcpy(data.data() + 4 * i, &offset, 4);
  }
  return data;
}

// The values a form needs beside the seeded ones.
InputValues inputs_for(const Program& program, const SeedForm& form) {
  InputValues values;
  if (form.instruction != "tgatherb") return values;
  const ProgramInput* input = input_named(program, form.module ? "offsets_gm" : "offsets");
  REQUIRE((input != nullptr));
  const bool tile = input->kind == ProgramInput::Kind::Tile;
  const TileDecl* decl = tile ? &program.tiles[input->id] : nullptr;
  const std::size_t count =
      tile ? std::size_t{decl->valid_rows} * decl->valid_cols : program.buffers[input->id].elements;
  values.data[input->name] = legal_offsets(program, form, count);
  return values;
}

Program opened(const SeedForm& form, Target target) {
  const auto open = [&](const InputValues& inputs) {
    OpenRequest request;
    request.inputs = inputs;
    OpenedText text = open_text(form.text, target, request);
    for (const Diagnostic& diagnostic : text.diagnostics)
      if (diagnostic.severity == Severity::Error) FAIL(text::render(diagnostic, *text.tree->source));
    REQUIRE(text.opened.has_value());
    return std::move(text.opened->program);
  };
  const Program seeded = open({});
  const InputValues values = inputs_for(seeded, form);
  return values.data.empty() ? seeded : open(values);
}

// An operand of the instruction is the tile that the text names so; the older pages have other names for two of them.
std::string name_in_text(const SeedForm& form, std::string_view operand) {
  if (form.instruction == "tsels" && form.form.starts_with("IR"))
    return operand == "mask" ? "src0" : operand == "src" ? "src1" : std::string(operand);
  return std::string(operand);
}

void check_operands(const Recording& recording, const SeedForm& form) {
  for (const Operand& operand : recording.bound(step_of(recording, form)).operands) {
    if (operand.implicit || operand.spec->kind != OperandKind::Tile) continue;
    CHECK(recording.program().tiles[operand.id].name == name_in_text(form, operand.spec->name));
  }
}

// F5 places its tiles 0x1000 apart, in the order of the text.
void check_addresses(const Recording& recording, const SeedForm& form) {
  std::uint32_t address = 0x1000;
  for (const Operand& operand : recording.bound(step_of(recording, form)).operands) {
    if (operand.implicit || operand.spec->kind != OperandKind::Tile) continue;
    CHECK(operand.tile.address == address);
    CHECK(form.text.find(fmt::format("%{}, @tile(0x{:x})", recording.program().tiles[operand.id].name, address)) !=
          std::string::npos);
    address += 0x1000;
  }
}

void check_form(const SeedForm& form, Target target) {
  CAPTURE(name(target));
  CAPTURE(form.name);
  CAPTURE(form.text);
  const Program program = opened(form, target);
  const auto recording = record_on_noise(program);
  for (const Finding& finding : recording->findings())
    CHECK_MESSAGE(finding.diagnostic.severity != Severity::Error, finding.diagnostic.format());
  REQUIRE(recording->stop_reason() == StopReason::End);
  const std::string difference = first_difference_by_oracle(*recording);
  CHECK_MESSAGE(difference.empty(), difference);
  check_operands(*recording, form);
  if (form.form == "F5") check_addresses(*recording, form);
}

void check_type(DType dtype) {
  CAPTURE(name(dtype));
  for (const Target target : kBothTargets)
    for (const SeedForm& form : seed_forms(target, dtype)) check_form(form, target);
}

// The valid region, as text.
std::string bytes_of(const Recording& recording, std::uint32_t tile) {
  const TileRef ref = recording.tile_at_end(tile);
  std::string out;
  for (std::uint32_t row = 0; row < ref.valid_rows; ++row)
    for (std::uint32_t col = 0; col < ref.valid_cols; ++col)
      out += fmt::format("{:x} ", recording.final_memory().element(ref.space(), ref.at(row, col), ref.elem_bytes()));
  return out;
}

}  // namespace

TEST_CASE("seed forms run: 8-bit types") {
  for (const DType dtype : {DType::I8, DType::U8}) check_type(dtype);
}

TEST_CASE("seed forms run: 16-bit types") {
  for (const DType dtype : {DType::I16, DType::U16, DType::F16, DType::BF16}) check_type(dtype);
}

TEST_CASE("seed forms run: 32-bit types") {
  for (const DType dtype : {DType::I32, DType::U32, DType::F32}) check_type(dtype);
}

// Inputs are seeded by their names, so what differs between these is the writing alone.
TEST_CASE("seed forms run: the way an instruction is written changes nothing") {
  for (const Target target : kBothTargets) {
    CAPTURE(name(target));
    std::map<std::string, std::string> first;  // by the name without its form, and the result's name
    for (const SeedForm& form : seed_forms(target, DType::F32)) {
      if (form.module || form.form == "F1" || form.form.starts_with("IR")) continue;
      CAPTURE(form.name);
      const auto recording = record_on_noise(opened(form, target));
      for (const Operand& operand : recording->bound(step_of(*recording, form)).operands) {
        if (operand.spec->role != Role::Out) continue;
        std::string key = form.name;
        key.erase(key.find(form.form), form.form.size());
        const std::string bytes = bytes_of(*recording, operand.id);
        CHECK(!bytes.empty());
        CHECK(first.try_emplace(fmt::format("{} {}", key, operand.spec->name), bytes).first->second == bytes);
      }
    }
  }
}

}  // namespace ts::test
