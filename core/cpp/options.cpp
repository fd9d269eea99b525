// The library's enumerations.
#include "core/cpp/options.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace ts::cpp {
namespace {

// Their numbers are nobody's business but the compiler's, except for SaturationMode's, whose ON is 0.
constexpr std::string_view kAlgorithm = "DEFAULT|HIGH_PRECISION", kPrecision = "precision_mode";
constexpr OptionKind kKinds[] = {
    {"CmpMode", "EQ|NE|LT|LE|GT|GE", "cmpMode"},
    {"RoundMode", "CAST_NONE|CAST_RINT|CAST_ROUND|CAST_FLOOR|CAST_CEIL|CAST_TRUNC|CAST_ODD", "rmode"},
    {"SaturationMode", "ON|OFF", "sat_mode"},
    {"MaskPattern", "NONE|P0101|P1010|P0001|P0010|P0100|P1000|P1111", "maskPattern"},
    {"AtomicType", "AtomicNone|AtomicAdd|AtomicMax|AtomicMin", "atomicType"},
    {"ReluPreMode", "NoRelu|NormalRelu", "reluPreMode"},
    {"AccPhase", "Unspecified|Partial|Final", "accPhase"},
    {"STPhase", "Unspecified|Partial|Final", "stPhase"},
    {"QuantType", "AUTO|INT8_SYM|INT8_ASYM|MXFP8|MXFP4_E2M1", "quant_type"},
    {"GatherAxis", "ROW|COL", "gatherAxis"},
    {"ScatterAxis", "ROW|COL", "scatterAxis"},
    {"Coalesce", "Auto|Row|Elem", "coalesce"},
    {"GatherOOB", "Undefined|Clamp|Wrap|Zero", "gatherOob"},
    {"ScatterOOB", "Undefined|Skip|Clamp|Wrap", "scatterOob"},
    {"SetFmatrixMode", "FMATRIX_A_AUTO|FMATRIX_B_AUTO|FMATRIX_A_MANUAL|FMATRIX_B_MANUAL", "fmatrixMode"},
    {"HistByte", "BYTE_0|BYTE_1|BYTE_2|BYTE_3", "byte"},
    {"ExpAlgorithm", kAlgorithm, kPrecision},
    {"LogAlgorithm", kAlgorithm, kPrecision},
    {"SqrtAlgorithm", kAlgorithm, kPrecision},
    {"RsqrtAlgorithm", kAlgorithm, kPrecision},
    {"RecipAlgorithm", kAlgorithm, kPrecision},
    {"DivAlgorithm", kAlgorithm, kPrecision},
    {"FmodAlgorithm", kAlgorithm, kPrecision},
    {"RemAlgorithm", kAlgorithm, kPrecision},
    {"PowAlgorithm", kAlgorithm, kPrecision},
};

std::string_view part(std::string_view list, std::uint64_t number) {
  for (; number > 0 && !list.empty(); --number) list.remove_prefix(std::min(list.find('|'), list.size() - 1) + 1);
  return list.substr(0, list.find('|'));
}

// "AtomicAdd", "atomic_add", "CAST_RINT" and "rint", "BYTE_2" and "2" are the same word.
std::string plain(std::string_view word) {
  for (const std::string_view front : {"CAST_", "BYTE_"})
    if (word.starts_with(front)) word.remove_prefix(front.size());
  std::string out;
  for (const char c : word)
    if (c != '_') out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

}  // namespace

std::span<const OptionKind> option_kinds() { return kKinds; }

std::string_view word_of(std::uint8_t kind, std::uint64_t value) {
  return kind == 0 || kind > std::size(kKinds) || value > 100 ? std::string_view()
                                                              : part(kKinds[kind - 1].words, value);
}

std::optional<AttributeValue> attribute_of(const InstructionRow& row, std::uint8_t kind, std::uint64_t value) {
  const std::string wanted = plain(word_of(kind, value));
  if (wanted.empty()) return {};
  const auto attribute = std::ranges::find_if(
      row.attributes, [&](const AttributeSpec& spec) { return kKinds[kind - 1].attributes == spec.name; });
  if (attribute == row.attributes.end()) return {};
  const auto at = static_cast<std::size_t>(attribute - row.attributes.begin());
  const auto values = std::ranges::count(std::string_view(attribute->values), '|') + 1;
  for (std::uint8_t number = 0; number < values; ++number)
    if (plain(value_name(attribute->values, number)) == wanted) return AttributeValue{at, number};
  return {};
}

}  // namespace ts::cpp
