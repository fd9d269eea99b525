// Selecting by masks that are declared in any way: either the result is what the page says, or there is a finding; it
// is never silently wrong.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "core/check/check.h"
#include "core/program/builder.h"
#include "core/record/inspector.h"
#include "tests/support/instructions/stage.h"
#include "tests/support/random.h"
#include "tests/support/record/recorded.h"
#include "tests/support/scale.h"

namespace ts::test {
namespace {

// How the mask comes to where the selection reads it: in whole rows, or in the first bytes of each row only.
enum class Filled { Whole, Valid, Half, Rows };

struct DeclaredSelection {
  Target target;
  const char* instruction;
  DType dtype;  // of what is selected
  DType mask_type;
  std::uint32_t rows, cols;  // of what is selected
  std::uint32_t mask_cols, mask_valid_cols;
  Filled filled;
};

std::string label(const DeclaredSelection& d) {
  return fmt::format("{} {} {} {}x{}, mask {}x{} {} valid {}, filled {}", name(d.target), d.instruction, name(d.dtype),
                     d.rows, d.cols, d.rows, d.mask_cols, name(d.mask_type), d.mask_valid_cols,
                     static_cast<int>(d.filled));
}

constexpr std::uint32_t kMaskAt = 0x8000, kSourceAt = 0, kOtherAt = 0x10000, kResultAt = 0x18000, kTmpAt = 0x20000;

// Bytes of each mask row, and rows, that are loaded.
struct Part {
  std::uint32_t bytes, rows;
};
Part loaded_part(const DeclaredSelection& d) {
  const std::uint32_t size = size_bytes(d.mask_type);
  switch (d.filled) {
    case Filled::Whole: return {d.mask_cols * size, d.rows};
    case Filled::Valid: return {d.mask_valid_cols * size, d.rows};
    case Filled::Half: return {std::max(1u, (d.cols + 7) / 8 / 2), d.rows};
    case Filled::Rows: break;
  }
  return {d.mask_cols * size, std::max(1u, d.rows / 2)};
}

struct Built {
  SharedRecording recording;
  std::vector<std::byte> mask;  // the mask's bytes as they are meant: what was loaded, at the tile's pitch
};

std::optional<Built> run(const DeclaredSelection& d, Random& random, bool stale) {
  ProgramBuilder builder(d.target, "select");
  const std::uint32_t pitch = d.mask_cols * size_bytes(d.mask_type);
  const auto bytes = [&](std::uint32_t count) {
    std::vector<std::byte> out(count);
    for (std::byte& byte : out) byte = static_cast<std::byte>(random.next());
    return out;
  };
  const auto numbers = [&](const char* name) {
    return builder.buffer(name, d.dtype, d.rows * d.cols, bytes(d.rows * d.cols * size_bytes(d.dtype)));
  };
  const BufferId x = numbers("x"), y = numbers("y");
  const Part part = loaded_part(d);
  const std::vector<std::byte> bits = bytes(part.bytes * part.rows);
  const BufferId packed = builder.buffer("bits", DType::U8, part.bytes * part.rows, bits);

  const std::uint32_t lanes = BLK / size_bytes(d.dtype);
  const TileType type = vec_tile(d.dtype, d.rows, (d.cols + lanes - 1) / lanes * lanes,
                                 static_cast<std::int32_t>(d.rows), static_cast<std::int32_t>(d.cols));
  const TileId src0 = builder.tile("src0", type, {.address = kSourceAt}),
               src1 = builder.tile("src1", type, {.address = kOtherAt}),
               dst = builder.tile("dst", type, {.address = kResultAt});
  const TileId mask = builder.tile("mask",
                                   vec_tile(d.mask_type, d.rows, d.mask_cols, static_cast<std::int32_t>(d.rows),
                                            static_cast<std::int32_t>(d.mask_valid_cols)),
                                   {.address = kMaskAt});
  const TileId loaded = builder.tile(
      "loaded",
      vec_tile(DType::U8, d.rows, pitch, static_cast<std::int32_t>(part.rows), static_cast<std::int32_t>(part.bytes)),
      {.address = kMaskAt});
  const bool tsel = std::string_view(d.instruction) == "tsel";
  builder.add("tload", {View{x, d.rows, d.cols}}, {src0});
  builder.add("tload", {View{y, d.rows, d.cols}}, {src1});
  builder.add("tload", {View{packed, part.rows, part.bytes}}, {loaded});
  std::vector<BuildOperand> inputs{mask, src0};
  if (tsel) inputs.push_back(src1);
  if (d.target == Target::A2A3)
    inputs.push_back(
        builder.tile("tmp", tsel ? vec_tile(DType::U32, 1, 8) : vec_tile(d.dtype, 1, lanes), {.address = kTmpAt}));
  if (!tsel) inputs.push_back(Scalar{d.dtype, 0});
  builder.add(d.instruction, inputs, {dst});
  Diagnostics diagnostics;
  Program program = builder.build(diagnostics);
  if (has_error(diagnostics)) return {};
  RecordOptions options{.budget_bytes = std::size_t{16} << 20};
  if (stale)
    options.initial = [&](Memory& memory) {
      for (std::byte& byte : memory.bytes(Space::Ub, kMaskAt, 0x1000)) byte = std::byte{0xA5};
      memory.mark(memory.map().flat(Space::Ub, kMaskAt), 0x1000, Definedness::Written);
    };
  Built built{Recording::run(std::move(program), options),
              std::vector<std::byte>(d.rows * pitch, static_cast<std::byte>(stale ? 0xA5u : kPoison))};
  if (built.recording->stop_reason() != StopReason::End) return {};
  for (std::uint32_t row = 0; row < part.rows; ++row)
    std::memcpy(built.mask.data() + row * pitch, bits.data() + row * part.bytes, part.bytes);
  return built;
}

// dst[r][c] = bit c % 8 of byte c / 8 of the mask's row r ? src0[r][c] : src1[r][c], or 0 for tsels.
std::vector<std::byte> by_the_page(const DeclaredSelection& d, const Built& built) {
  const Memory& memory = built.recording->final_memory();
  const std::uint32_t size = size_bytes(d.dtype), pitch = d.mask_cols * size_bytes(d.mask_type);
  const std::uint32_t lanes = BLK / size, row_bytes = (d.cols + lanes - 1) / lanes * BLK;
  std::vector<std::byte> out;
  for (std::uint32_t row = 0; row < d.rows; ++row)
    for (std::uint32_t col = 0; col < d.cols; ++col) {
      const std::size_t byte = row * pitch + col / 8;
      const bool bit = byte < built.mask.size() && (std::to_integer<unsigned>(built.mask[byte]) >> col % 8 & 1) != 0;
      const bool tsel = std::string_view(d.instruction) == "tsel";
      const auto from = memory.bytes(Space::Ub, (bit ? kSourceAt : kOtherAt) + row * row_bytes + col * size, size);
      if (bit || tsel) out.insert(out.end(), from.begin(), from.end());
      else out.insert(out.end(), size, std::byte{0});
    }
  return out;
}

std::vector<std::byte> result_of(const DeclaredSelection& d, const Recording& recording) {
  const std::uint32_t size = size_bytes(d.dtype), lanes = BLK / size, row_bytes = (d.cols + lanes - 1) / lanes * BLK;
  std::vector<std::byte> out;
  for (std::uint32_t row = 0; row < d.rows; ++row) {
    const auto line = recording.final_memory().bytes(Space::Ub, kResultAt + row * row_bytes, d.cols * size);
    out.insert(out.end(), line.begin(), line.end());
  }
  return out;
}

// Whether every bit that is needed was loaded; else at least one was not.
bool fits(const DeclaredSelection& d) {
  const Part part = loaded_part(d);
  return part.rows >= d.rows && part.bytes * 8 >= d.cols;
}

bool is_told(const CheckReport& report) {
  return std::ranges::any_of(report.findings, [](const Finding& finding) {
    return finding.kind() == FindingKind::Mask || finding.kind() == FindingKind::Overread;
  });
}

template <class F>
void for_selections(F f) {
  for (const Target target : {Target::A2A3, Target::A5})
    for (const char* instruction : {"tsel", "tsels"})
      for (const DType dtype : {DType::I8, DType::F16, DType::F32})
        for (const DType mask_type : {DType::I8, DType::U8, DType::I16, DType::U16, DType::I32, DType::U32, DType::U64})
          for (const std::uint32_t cols : {4u, 32u, 40u, 136u, 264u})
            for (const std::uint32_t blocks : {1u, 2u})
              for (const Filled filled : {Filled::Whole, Filled::Valid, Filled::Half, Filled::Rows}) {
                const std::uint32_t mask_cols = blocks * BLK / size_bytes(mask_type);
                for (const std::uint32_t valid : std::set{1u, (mask_cols + 7) / 8, mask_cols / 2, mask_cols})
                  f(DeclaredSelection{target, instruction, dtype, mask_type, 4, cols, mask_cols, valid, filled});
              }
}

}  // namespace

TEST_CASE("check mask: however a mask is declared, a selection is right or there is a finding") {
  Random random(4711);
  int tried = 0, right = 0, told = 0, turn = 0;
  for_selections([&](const DeclaredSelection& d) {
    if (++turn % (kSanitized ? 67 : 3) != 0) return;
    CAPTURE(label(d));
    const auto built = run(d, random, false);
    if (!built) return;
    ++tried;
    const CheckReport report = check(*built->recording);
    const bool same = result_of(d, *built->recording) == by_the_page(d, *built);
    if (fits(d)) {
      CHECK(same);
      CHECK(std::ranges::none_of(report.findings, [](const Finding& finding) {
        return finding.kind() == FindingKind::Mask || finding.kind() == FindingKind::Overread ||
               finding.kind() == FindingKind::Defined;
      }));
      ++right;
    } else {
      // Bits that nobody loaded decide: that they happen to be right is no excuse.
      CHECK(is_told(report));
      ++told;
    }
  });
  CHECK(tried > (kSanitized ? 50 : 1000));
  CHECK(right > 0);
  CHECK(told > 0);
}

TEST_CASE("check mask: over bytes of before, the result is what the page says of them") {
  Random random(4712);
  int turn = 0;
  for_selections([&](const DeclaredSelection& d) {
    if (++turn % (kSanitized ? 61 : 7) != 0 || d.mask_cols * size_bytes(d.mask_type) * 8 < d.cols) return;
    CAPTURE(label(d));
    auto built = run(d, random, true);
    if (!built) return;
    // What stands in the mask's tile is what counts, whoever left it.
    Inspector inspector(*built->recording);
    const auto mask = inspector.at(3).bytes(Space::Ub, kMaskAt, static_cast<std::uint32_t>(built->mask.size()));
    built->mask.assign(mask.begin(), mask.end());
    CHECK(result_of(d, *built->recording) == by_the_page(d, *built));
  });
}

// One row of 4x32 compared to 32 bits: the four ways to declare the mask tile, with whatever a comparison leaves in it.
TEST_CASE("check mask: the masks of a comparison of 4x32 floats") {
  struct Row {
    DType type;
    std::uint32_t cols, valid;
  };
  for (const Target target : {Target::A2A3, Target::A5})
    for (const char* instruction : {"tsel", "tsels"})
      for (const Row& row :
           {Row{DType::U8, 32, 4}, Row{DType::U8, 32, 32}, Row{DType::U32, 8, 8}, Row{DType::U32, 8, 1}}) {
        const DeclaredSelection d{target, instruction, DType::F32, row.type, 4, 32, row.cols, row.valid, Filled::Valid};
        CAPTURE(label(d));
        Random random(3);
        const auto built = run(d, random, false);
        REQUIRE(built.has_value());
        CHECK(result_of(d, *built->recording) == by_the_page(d, *built));
        for (const Finding& finding : check(*built->recording).findings) {
          CHECK(finding.kind() != FindingKind::Mask);
          CHECK(finding.kind() != FindingKind::Overread);
        }
      }
}

}  // namespace ts::test
