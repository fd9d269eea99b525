// Random calls of micro-operations.
#include "tests/support/engine/micro_cases.h"

#include "tests/support/instructions/shapes.h"

namespace ts::test {
namespace {

void set_bits(MicroCallCase& c, std::uint32_t at, std::uint32_t size, std::uint64_t bits) {
  std::memcpy(c.memory.data() + at, &bits, size);
}
std::uint64_t random_of(Random& random, DType type, Values values) { return random_element(random, type, values); }

// Whose lanes choose places: those that are on reach the data, the others anything.
void choose_indices(Random& random, MicroCallCase& c, std::uint32_t reg) {
  const std::uint32_t slot = size_bytes(c.other), most = 0x1000 / size_bytes(c.type);
  for (std::uint32_t i = 0; i < VL / slot; ++i) {
    const bool on = c.memory[kPreds + i * slot / 8] >> (i * slot % 8) & 1;
    set_bits(c, kRegs + VL * reg + i * slot, slot, on || random.one_in(2) ? random.below(most) : random.next());
  }
}
void choose_offsets(Random& random, MicroCallCase& c) {
  for (std::uint32_t k = 0; k < 8; ++k) {
    const bool on = c.memory[kPreds + k / 2] >> (k % 2 * 4) & 1;
    set_bits(c, kRegs + 4 * k, 4, on || random.one_in(2) ? random.below(100) * BLK : random.next());
  }
}

constexpr MicroPair kConversions[] = {
    {DType::F32, {DType::F16, DType::BF16, DType::I16, DType::I32, DType::I64}},
    {DType::F16, {DType::F32, DType::I32, DType::I16, DType::I8, DType::U8}},
    {DType::BF16, {DType::F32, DType::F16, DType::I32}},
    {DType::U8, {DType::F16, DType::U16, DType::U32}},
    {DType::I8, {DType::F16, DType::I16, DType::I32}},
    {DType::U16, {DType::U8, DType::U32}},
    {DType::I16, {DType::F16, DType::F32, DType::U8, DType::U32, DType::I32}},
    {DType::U32, {DType::U8, DType::U16, DType::I16}},
    {DType::I32, {DType::F32, DType::U8, DType::U16, DType::I16, DType::I64}},
    {DType::I64, {DType::F32, DType::I32}},
};

}  // namespace

MicroCallCase random_micro_case(Random& random, const a5::MicroRow& row, DType type, std::string_view word) {
  MicroCallCase c;
  c.row = &row, c.word = word, c.type = c.other = type;
  c.memory.resize(kEnd);
  for (std::uint8_t& byte : c.memory) byte = static_cast<std::uint8_t>(random.next() >> 56);
  const Values values = random.pick({Values::Plain, Values::AnyBits, Values::Special});
  for (std::uint32_t at = kRegs; at < kPreds; at += size_bytes(type))
    set_bits(c, at, size_bytes(type), random_of(random, type, values));
  if (random.one_in(4)) std::memset(c.memory.data() + kPreds, random.one_in(2) ? 0xFF : 0, 32);
  if (random.one_in(3)) std::memcpy(c.memory.data() + VL, c.memory.data(), VL / 2);  // lanes that are alike
  c.scalar = {random_of(random, type, values), type, 1};
  if (c.is("vshls") || c.is("vshrs")) c.scalar.bits = random.below(8 * size_bytes(type) + 4);
  if (c.is("vshl") || c.is("vshr"))
    for (std::uint32_t at = VL; at < 2 * VL; at += size_bytes(type))
      set_bits(c, at, size_bytes(type), random.below(8 * size_bytes(type) + 4));
  if (c.is("plt")) c.count = random.below(400);
  if (c.is("vstus")) c.count = random.below(VL / size_bytes(type) + 1);
  c.address = random.below(32) * 64;
  if (c.is("vstus") || c.is("vldus")) c.address += random.below(16) * size_bytes(type);
  if (c.is("vsldb") || c.is("vsstb")) c.stride = {random.below(12), random.below(6)};
  if (c.is("vsstb") && c.stride[0] == 0) c.stride[0] = 1;
  if (c.is("vgather2") || c.is("vscatter") || c.is("vgather2_bc")) {
    c.other = size_bytes(type) == 4 || c.is("vgather2_bc") ? DType::U32 : DType::U16;
    choose_indices(random, c, c.is("vscatter") ? 1 : 0);
  }
  if (c.is("vgatherb")) choose_offsets(random, c);
  return c;
}

std::vector<std::string_view> words_of(const a5::MicroRow& row) {
  std::vector<std::string_view> words(row.words.begin(), row.words.end());
  if (words.empty() || row.name == "vdup") words.push_back("");
  return words;
}
bool is_part_of_stream(std::string_view name) {
  return name == "vldas" || name == "init_align" || name == "vstas" || name == "vstur" || name == "vstar" ||
         name == "pstu";
}

std::span<const MicroPair> micro_conversions() { return kConversions; }

}  // namespace ts::test
