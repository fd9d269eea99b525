// The changes, and the breaches that many instructions have.
#include "tests/support/instructions/breach_changes.h"

#include <algorithm>

namespace ts::test {
namespace {

DType partner(DType type) {
  switch (type) {
    case DType::I8: return DType::U8;
    case DType::U8: return DType::I8;
    case DType::I16: return DType::U16;
    case DType::U16: return DType::F16;
    case DType::F16: return DType::BF16;
    case DType::BF16: return DType::I16;
    case DType::I32: return DType::F32;
    case DType::F32: return DType::U32;
    case DType::U32: return DType::I32;
    case DType::I64: return DType::U64;
    case DType::U64: return DType::I64;
    case DType::F8E4M3: return DType::F8E5M2;
    case DType::F8E5M2: return DType::HIF8;
    case DType::HIF8: return DType::E8M0;
    case DType::E8M0: return DType::F8E4M3;
    case DType::E2M1: return DType::E1M2;
    case DType::E1M2: return DType::E2M1;
    case DType::I4: return DType::U4;
    case DType::U4: return DType::I4;
  }
  return type;
}

template <class F>
void each_tile(Sample& sample, F f) {
  for (Part& part : sample.parts)
    if (!part.is_scalar && part.role != Role::Tmp) f(part);
}

}  // namespace

void other_type(Sample&, Part& it) {
  (it.is_scalar ? it.scalar.dtype : it.type.dtype) = partner(it.is_scalar ? it.scalar.dtype : it.type.dtype);
}
void boxed_layout(Sample&, Part& it) {
  it.make_room();
  const std::uint32_t lanes = block_elements(it.type.dtype);
  it.type.cols = (it.type.cols + lanes - 1) / lanes * lanes;
  it.type.slayout = InnerOrder::RowMajor;
}
void column_major(Sample&, Part& it) {
  it.type.blayout = BoxOrder::ColMajor;
  it.make_room();
}
void fewer_rows(Sample&, Part& it) { it.set_valid(it.valid.rows - 1, it.valid.cols); }
void one_column_less(Sample& sample, Part& it) {
  const std::uint32_t cols = it.valid.cols - 1;
  for (const char* name : {"src", "dst"}) sample[name].set_valid(sample[name].valid.rows, cols);
}
void fewer_cols(Sample&, Part& it) { it.set_valid(it.valid.rows, it.valid.cols - 1); }
void more_rows(Sample&, Part& it) {
  it.set_valid(it.valid.rows + 1, it.valid.cols);
  it.make_room();
}
void more_cols(Sample&, Part& it) {
  it.set_valid(it.valid.rows, it.valid.cols + 1);
  it.make_room();
}
void fewer_static_rows(Sample& sample, Part& it) {
  it.type.rows = sample["dst"].valid.rows - 1;
  it.set_valid(it.type.rows, it.valid.cols);
}
void one_block(Sample&, Part& it) {
  it.type.rows = 1;
  it.type.cols = block_elements(it.type.dtype);
  it.set_valid(1, 1);
}
void few_bytes(Sample&, Part& it) {
  it.type.slayout = InnerOrder::RowMajor;
  it.type.fractal = BLK;
  it.type.rows = 1;
  it.type.cols = 2;
  it.set_valid(1, 1);
}
void narrow(Sample&, Part& it) {
  it.type.cols = block_elements(it.type.dtype);
  it.set_valid(it.valid.rows, std::min(it.valid.cols, it.type.cols));
}
void wider_tile(Sample&, Part& it) { it.type.cols += block_elements(it.type.dtype); }
void retype(Part& it, DType type) {
  it.type.dtype = type;
  it.make_room();
}
Change to_type(DType type) {
  return [type](Sample&, Part& it) { retype(it, type); };
}
Change to_scalar(Scalar scalar) {
  return [scalar](Sample&, Part& it) { it.scalar = scalar; };
}

Change zero_at(std::uint32_t row, std::uint32_t col) { return element_at(row, col, 0); }
Change element_at(std::uint32_t row, std::uint32_t col, std::uint64_t bits) {
  return [row, col, bits](Sample& sample, Part& it) {
    const Part where = it;
    sample.data = [where, row, col, bits](Memory& memory) {
      const std::uint64_t index = element_index(where.type, row, col);
      const std::uint32_t size = size_bytes(where.type.dtype),
                          at = where.address + static_cast<std::uint32_t>(index) * size;
      memory.set_element(Space::Ub, at, size, bits);
      memory.mark(memory.map().flat(Space::Ub, at), size, Definedness::Written);
    };
  };
}

void without_rows(Sample& sample, Part&) {
  each_tile(sample, [](Part& part) { part.set_valid(0, part.valid.cols); });
}
void without_cols(Sample& sample, Part&) {
  each_tile(sample, [](Part& part) { part.set_valid(part.valid.rows, 0); });
}
Change one_more_col(std::uint32_t cols) {
  return [cols](Sample& sample, Part&) {
    each_tile(sample, [&](Part& part) {
      if (part.valid.cols == cols) more_cols(sample, part);
    });
  };
}
Change one_more_row(std::uint32_t rows) {
  return [rows](Sample& sample, Part&) {
    each_tile(sample, [&](Part& part) {
      if (part.valid.rows == rows) more_rows(sample, part);
    });
  };
}

Change shifted(std::string moved) {
  return [moved](Sample& sample, Part& it) {
    Part& other = sample[moved];
    const bool forward = it.type.size_bytes() > BLK, back = other.type.size_bytes() > BLK;
    other.address = it.address + (forward ? BLK : 0) - (back && !forward ? BLK : 0);
  };
}
Change in_place(std::string moved) {
  return [moved](Sample& sample, Part& it) {
    Part& other = sample[moved];
    other.address = it.address;
    other.type = it.type;
    other.set_valid(it.valid.rows, it.valid.cols);
  };
}
Change other_pitch(std::string moved) {
  return [moved](Sample& sample, Part& it) {
    Part& other = sample[moved];
    other.address = it.address;
    other.type.cols = std::max(it.type.cols, other.type.cols) + block_elements(other.type.dtype);
  };
}
Change same_address(std::string moved) {
  return [moved](Sample& sample, Part& it) { sample[moved].address = it.address; };
}
Change attribute(std::string name, std::string value) {
  return [name, value](Sample& sample, Part&) { sample.set(name, value); };
}

std::vector<Breach> same_types(const std::string& operands, const std::string& as) {
  return {{"R2", operands, other_type, {"{it}", "{it.type}", "{" + as + ".type}"}}};
}
std::vector<Breach> unboxed(const std::string& operands) {
  return {{"R3", operands, boxed_layout, {"{it}", "{it.layout}", "row_major"}}};
}
std::vector<Breach> row_major(const std::string& operands) {
  return unboxed(operands) + std::vector<Breach>{{"R3", operands, column_major, {"{it}", "col_major", "row_major"}}};
}
std::vector<Breach> same_valid(const std::string& operands, const std::string& as) {
  const std::vector<std::string> says{"{it}", "{it.valid}", as, "{" + as + ".valid}"};
  return {{"R4", operands, fewer_rows, says}, {"R4", operands, fewer_cols, says}};
}

namespace {

Breach overlap(const std::string& written, const std::string& others, Change change, From from,
               std::vector<std::string> also = {}) {
  return {.rule = "G5",
          .operands = others,
          .change = std::move(change),
          .says = {written, "{" + written + ".at}", "{it}", "{it.at}", "overlaps"},
          .from = std::move(from),
          .named = written,
          .also = std::move(also)};
}

}  // namespace

std::vector<Breach> overlaps(const std::string& written, const std::string& others, From from,
                             std::vector<std::string> also) {
  return {overlap(written, others, shifted(written), from, also),
          overlap(written, others, other_pitch(written), from, also)};
}
std::vector<Breach> overlaps_shifted(const std::string& written, const std::string& others) {
  return {overlap(written, others, shifted(written), {})};
}
std::vector<Breach> overlaps_anyhow(const std::string& written, const std::string& others, From from) {
  return {overlap(written, others, shifted(written), from), overlap(written, others, same_address(written), from)};
}
std::vector<Breach> scratch_overlaps(const std::string& others, From from) {
  from.target = Target::A2A3;
  from.scratch = true;
  return overlaps_anyhow("tmp", others, from);
}
std::vector<Breach> distinct(const std::string& written, const std::string& others, From from) {
  from.target = Target::A2A3;
  return {{.rule = "R6",
           .operands = others,
           .change = written == "tmp" ? same_address(written) : in_place(written),
           .says = {written, "{" + written + ".at}", "{it}", "{it.at}", "shares bytes"},
           .from = from,
           .named = written}};
}
std::vector<Breach> elementwise(const std::string& sources) {
  return same_types(sources) + row_major("dst " + sources) + same_valid(sources) + overlaps("dst", sources);
}
std::vector<Breach> elementwise_apart(const std::string& sources) {
  return same_types(sources) + row_major("dst " + sources) + same_valid(sources) + distinct("dst", sources) +
         overlaps("dst", sources, {.target = Target::A5}) +
         overlaps("dst", sources, {.target = Target::A2A3}, {"R6 dst"});
}
std::vector<Breach> scalar_type(const std::string& scalar, const std::string& as, const From& from) {
  return {{"R2", scalar, other_type, {"{it}", "{it.type}", as, "{" + as + ".type}"}, from}};
}
std::vector<Breach> not_empty(std::optional<Target> target, const std::string& tile) {
  const std::vector<std::string> says{tile, "{" + tile + ".valid}", "empty"};
  return {{.rule = "R5",
           .operands = tile,
           .change = without_rows,
           .says = says,
           .from = {.target = target},
           .severity = Severity::Warning},
          {.rule = "R5",
           .operands = tile,
           .change = without_cols,
           .says = says,
           .from = {.target = target},
           .severity = Severity::Warning}};
}
std::vector<Breach> words64(const std::string& rule, const std::string& tile) {
  return {{.rule = rule,
           .operands = tile,
           .change = one_more_col(64),
           .says = {"validCol {" + tile + ".cols}", "64-bit", "64 columns"},
           .from = {.target = Target::A5, .types = kWords64, .shape = {3, 64}}}};
}
namespace {

constexpr DTypeSet kDivided{DType::I8,  DType::U8,  DType::I16, DType::U16,
                            DType::I32, DType::U32, DType::I64, DType::U64};

void zero_bits(Sample&, Part& it) { it.scalar.bits = 0; }

}  // namespace

std::vector<Breach> zero_element(const std::string& divisor, From from) {
  from.types = kDivided;
  return {{.rule = "W2",
           .operands = divisor,
           .change = zero_at(2, 3),
           .says = {"{it}[2,3] is 0"},
           .from = from,
           .at_run = true}};
}
std::vector<Breach> zero_scalar(From from) {
  from.types = kDivided;
  return {{.rule = "W2", .operands = "scalar", .change = zero_bits, .says = {"scalar is 0"}, .from = from}};
}
std::vector<Breach> scratch_like_dst(const std::string& typed) {
  return {{"R7", "tmp", other_type, {"tmp", "{tmp.type}", "{" + typed + ".type}"}, kNamedScratch},
          {"R7", "tmp", boxed_layout, {"tmp", "{tmp.layout}"}, kNamedScratch},
          {"R7", "tmp", fewer_static_rows, {"tmp", "{tmp.shape}", "{dst.valid}"}, kNamedScratch},
          {"R7", "tmp", narrow, {"tmp", "{tmp.shape}", "{dst.valid}"}, kNamedScratch}};
}
std::vector<Breach> scratch_valid_as_dst(DTypeSet types) {
  From from = kNamedScratch;
  from.types = types;
  return {{"R7", "tmp", other_type, {"{tmp.type}", "{dst.type}"}, from},
          {"R7", "tmp", boxed_layout, {"tmp", "{tmp.layout}"}, from},
          {"R7", "tmp", fewer_rows, {"tmp", "{tmp.valid}", "{dst.valid}"}, from}};
}

}  // namespace ts::test
