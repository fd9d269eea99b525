// What breaches change: shared by the families.
#pragma once

#include "tests/support/instructions/breach.h"

namespace ts::test {

inline constexpr DTypeSet kF32{DType::F32}, kWords64{DType::I64, DType::U64};
// Scratch of A2A3 that the text names.
inline const From kNamedScratch{.target = Target::A2A3, .scratch = true};

// --- of the operand itself
void other_type(Sample& sample, Part& it);  // of the same size; a scalar's too
void boxed_layout(Sample& sample, Part& it);
void column_major(Sample& sample, Part& it);  // column-major
void fewer_rows(Sample& sample, Part& it);    // valid ones
void fewer_cols(Sample& sample, Part& it);
void one_column_less(Sample& sample, Part& it);  // of src and dst
void more_rows(Sample& sample, Part& it);
void more_cols(Sample& sample, Part& it);
void fewer_static_rows(Sample& sample, Part& it);  // one less than dst has valid ones
void one_block(Sample& sample, Part& it);          // 32 bytes in all
void few_bytes(Sample& sample, Part& it);          // a single box of the smallest sort
void narrow(Sample& sample, Part& it);             // a block wide
void wider_tile(Sample& sample, Part& it);         // by a block
void retype(Part& it, DType type);                 // and as many columns, in whole blocks
Change to_type(DType type);
Change to_scalar(Scalar scalar);

Change zero_at(std::uint32_t row, std::uint32_t col);  // what stands there
Change element_at(std::uint32_t row, std::uint32_t col, std::uint64_t bits);

// --- of all tiles together
void without_rows(Sample& sample, Part&);
void without_cols(Sample& sample, Part&);
// Every tile as wide as the sample's domain gets a column more.
Change one_more_col(std::uint32_t cols);
Change one_more_row(std::uint32_t rows);

// --- of places: the operand `moved` goes over `it`
Change shifted(std::string moved);      // by a block, where one of them is larger
Change in_place(std::string moved);     // the same address, type and shape
Change other_pitch(std::string moved);  // the same address
Change same_address(std::string moved);

Change attribute(std::string name, std::string value);

// --- breaches that many instructions have
// R2 to R4 and G5, where dst may be exactly in place of a source.
std::vector<Breach> elementwise(const std::string& sources);
// The same where A2A3 wants dst apart from its sources.
std::vector<Breach> elementwise_apart(const std::string& sources);
std::vector<Breach> same_types(const std::string& operands, const std::string& as = "dst");
std::vector<Breach> row_major(const std::string& operands);
std::vector<Breach> unboxed(const std::string& operands);
std::vector<Breach> same_valid(const std::string& operands, const std::string& as = "dst");
// G5 of `written` over each of these. Besides shifted: exactly in place, or in place with another pitch.
std::vector<Breach> overlaps(const std::string& written, const std::string& others, From from = {},
                             std::vector<std::string> also = {});
std::vector<Breach> overlaps_shifted(const std::string& written, const std::string& others);
std::vector<Breach> overlaps_anyhow(const std::string& written, const std::string& others, From from = {});
// The same for scratch of A2A3.
std::vector<Breach> scratch_overlaps(const std::string& others, From from = {});
// R6 on A2A3: `written` exactly in place; and the overlap that it shows as besides.
std::vector<Breach> distinct(const std::string& written, const std::string& others, From from = {});
// R2 of a scalar that must have the type of a tile.
std::vector<Breach> scalar_type(const std::string& scalar, const std::string& as = "dst", const From& from = {});
// R5.
std::vector<Breach> not_empty(std::optional<Target> target = {}, const std::string& tile = "dst");
// 64-bit elements on A5 that the library does for 64 columns.
std::vector<Breach> words64(const std::string& rule, const std::string& tile = "dst");
// W2 of integers: an element of the divisor, or the scalar, is zero.
std::vector<Breach> zero_element(const std::string& divisor, From from = {});
std::vector<Breach> zero_scalar(From from = {});
// R7 where scratch must have the type of `typed` and be as large as dst; or have type and valid shape of dst.
std::vector<Breach> scratch_like_dst(const std::string& typed = "dst");
std::vector<Breach> scratch_valid_as_dst(DTypeSet types);

// R1, G1 to G3 and TILE-R1 to R3: of every instruction.
std::vector<Breach> common_breaches(const InstructionRow& row);

// All instructions of the vector families; each is in one of these.
std::vector<RuleSet> elementwise_rule_sets();
std::vector<RuleSet> scalar_rule_sets();
std::vector<RuleSet> reduction_rule_sets();
std::vector<RuleSet> expansion_rule_sets();
std::vector<RuleSet> comparison_rule_sets();
std::vector<RuleSet> other_rule_sets();
std::vector<RuleSet> indexed_rule_sets();
std::vector<RuleSet> sort_rule_sets();
std::vector<RuleSet> quantising_rule_sets();

}  // namespace ts::test
