// The table of operations: complete, without doubles, every signature readable, names found and slips guessed.
#include "core/text/ops/op_table.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "core/catalogue/catalogue.h"
#include "core/text/ops/signature.h"

namespace ts::test {
namespace {

using namespace ts::text;

bool has_dialect(std::string_view name) {
  constexpr std::string_view kDialects[] = {"pto.", "arith.", "scf.", "func.", "memref.", "builtin.", "cf."};
  return std::ranges::any_of(kDialects, [&](std::string_view dialect) { return name.starts_with(dialect); });
}

void check_names_once(const std::vector<SignatureOperand>& operands, std::set<std::string_view>& names) {
  for (const SignatureOperand& operand : operands) {
    CAPTURE(std::string(operand.name));
    CHECK(names.insert(operand.name).second);
    std::set<std::string_view> inner;
    if (operand.sort == OperandSort::Clause) check_names_once(operand.operands, inner);
  }
}

// What may be left out must not make the rest ambiguous: it stands last, or is the scratch tile.
void check_optional_last(const std::vector<SignatureOperand>& operands) {
  bool left_out = false;
  for (const SignatureOperand& operand : operands) {
    if (operand.sort == OperandSort::Clause || operand.name == "tmp") continue;
    CAPTURE(std::string(operand.name));
    CHECK((!left_out || operand.optional || operand.repeated));
    left_out = left_out || operand.optional || operand.repeated;
  }
}

const OpRow& row_of(std::string_view name) {
  const OpCode code = find_op(name);
  REQUIRE(code != kUnknownOp);
  return op_rows()[code];
}

}  // namespace

TEST_CASE("op table: every row has its own name, a meaning and a group") {
  std::set<std::string_view> names;
  for (const OpRow& row : op_rows()) {
    CAPTURE(std::string(row.name));
    CHECK(names.insert(row.name).second);
    CHECK(has_dialect(row.name));
    CHECK(!row.meaning.empty());
    CHECK(row.meaning.ends_with('.'));
    CHECK(!row.meaning.ends_with(".."));
    CHECK(row.meaning.find('\n') == std::string_view::npos);
    CHECK(row.meaning.size() <= 110);
    CHECK(std::string_view(name(row.group)).size() > 5);
    CHECK((row.only.empty() || row.only == "a5" || row.only == "a2a3"));
  }
}

TEST_CASE("op table: the catalogue's instructions come first and stand nowhere else") {
  const auto rows = op_rows();
  REQUIRE(rows.size() > catalogue().size());
  for (std::size_t i = 0; i < catalogue().size(); ++i) {
    CHECK(rows[i].name == std::string("pto.") + catalogue()[i]->name);
    CHECK(rows[i].meaning == catalogue()[i]->summary);
    CHECK(rows[i].signature.empty());
  }
  for (std::size_t i = catalogue().size(); i < rows.size(); ++i) {
    CAPTURE(std::string(rows[i].name));
    CHECK((!rows[i].name.starts_with("pto.") || find_instruction(rows[i].name) == nullptr));
  }
}

TEST_CASE("op table: groups of the catalogue's instructions") {
  for (const char* name : {"pto.tload", "pto.tstore", "pto.tassign"}) CHECK(row_of(name).group == OpGroup::TileMove);
  for (const char* name :
       {"pto.tadd", "pto.tsel", "pto.tsels", "pto.ttrans", "pto.tgatherb", "pto.texpands", "pto.tinterleave"})
    CHECK(row_of(name).group == OpGroup::TileVector);
}

TEST_CASE("op table: an old name leads to a current one") {
  std::size_t old_names = 0;
  for (const OpRow& row : op_rows()) {
    if (row.current.empty()) continue;
    CAPTURE(std::string(row.name));
    ++old_names;
    CHECK(row_of(row.current).current.empty());
  }
  CHECK(old_names >= 20);
}

TEST_CASE("op table: names are found, and only they") {
  const auto rows = op_rows();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CAPTURE(std::string(rows[i].name));
    CHECK(find_op(rows[i].name) == i);
    const std::string longer = std::string(rows[i].name) + "x";
    CHECK(find_op(longer) == kUnknownOp);
  }
  for (const char* name : {"", "pto.", "pto", "tadd", "PTO.tadd", "pto.tadd "}) CHECK(find_op(name) == kUnknownOp);
  CHECK(find_op("return") == find_op("func.return"));
  CHECK(find_op("call") == find_op("func.call"));
  CHECK(find_op("module") == find_op("builtin.module"));
}

TEST_CASE("op table: the synchronous form knows tile operations by their mnemonics") {
  for (const char* name : {"tadd", "tdeinterleave", "tmatmul.acc", "tload", "tassign", "alloc_tile", "treshape"}) {
    CAPTURE(name);
    CHECK(find_bare_op(name) == find_op(std::string("pto.") + name));
    CHECK(find_bare_op(name) != kUnknownOp);
  }
  for (const char* name : {"vadd", "pto.tadd", "addi", "return", "barrier", ""})
    CHECK(find_bare_op(name) == kUnknownOp);
}

TEST_CASE("op table: slips of the pen") {
  const auto similar = [](std::string_view name) {
    std::string all;
    for (const std::string& found : similar_ops(name)) all += (all.empty() ? "" : " ") + found;
    return all;
  };
  CHECK(similar("pto.taddd") == "pto.tadd pto.taddc pto.tadds");
  CHECK(similar("tsles") == "tsels tsel tshls");
  CHECK(similar("pto.texpand") == "pto.texpands");
  CHECK(similar("pto.tgatherbb") == "pto.tgatherb pto.tgather pto.vgatherb");
  CHECK(similar_ops("arith.adi").front() == "arith.addi");
  CHECK(similar("scf.fro") == "scf.for");
  CHECK(similar("pot.tinterleave") == "pto.tinterleave");
  CHECK(similar_ops("pto.nothing_like_this").empty());
  // Nearest first, and a name that exists is nearest to itself.
  CHECK(similar_ops("pto.ttrans").front() == "pto.ttrans");
  // Old names are read, not suggested.
  for (const std::string& name : similar_ops("pto.tstore_f")) CHECK(row_of(name).current.empty());
}

TEST_CASE("op table: signatures can be read and name their operands once") {
  for (std::size_t i = 0; i < op_rows().size(); ++i) {
    CAPTURE(std::string(op_rows()[i].name));
    CAPTURE(std::string(op_rows()[i].signature));
    CHECK(parse_signature(op_rows()[i].signature));
    const Signature& read = signature(static_cast<OpCode>(i));
    CHECK(read.own_form == (op_rows()[i].signature == "!"));
    CHECK(read.own_form == read.forms.empty());
    for (const SignatureForm& form : read.forms) {
      std::set<std::string_view> names;
      check_names_once(form.operands, names);
      check_names_once(form.results, names);
      check_optional_last(form.operands);
      check_optional_last(form.results);
    }
  }
}

TEST_CASE("op table: a tile operation writes something, unless it prints or sets registers") {
  constexpr std::string_view kWithout[] = {"pto.tprint", "pto.setfmatrix", "pto.set_img2col_rpt",
                                           "pto.set_img2col_padding"};
  for (std::size_t i = 0; i < op_rows().size(); ++i) {
    const OpRow& row = op_rows()[i];
    if (row.group > OpGroup::TileCube || std::ranges::find(kWithout, row.name) != std::end(kWithout)) continue;
    CAPTURE(std::string(row.name));
    for (const SignatureForm& form : signature(static_cast<OpCode>(i)).forms) CHECK(!form.results.empty());
  }
}

TEST_CASE("op table: the catalogue's forms are signatures too") {
  const Signature& read = signature(find_op("pto.tsels"));
  REQUIRE(read.forms.size() == 1);
  const SignatureForm& form = read.forms[0];
  REQUIRE(form.operands.size() == 4);
  CHECK(form.operands[0].name == "mask");
  CHECK(form.operands[2].name == "tmp");
  CHECK(form.operands[2].optional);
  CHECK(form.operands[3].sort == OperandSort::Scalar);
  CHECK(form.least_operands == 3);
  CHECK(form.most_operands == 4);
  CHECK(form.least_results == 1);
  CHECK(signature(find_op("pto.tdeinterleave")).forms.size() == 2);
  CHECK(signature(find_op("pto.tload")).forms[0].operands[0].sort == OperandSort::Partition);
}

TEST_CASE("signature: the parts of a clause") {
  const auto read = parse_signature(
      "src:P length:I nburst(count:I gap:I?) loop(n:I)* fast()? rest:I* -> dst:TV next:?? | a:? ->  b:T");
  REQUIRE(read);
  REQUIRE(read->forms.size() == 2);
  const auto& operands = read->forms[0].operands;
  REQUIRE(operands.size() == 6);
  CHECK(operands[2].sort == OperandSort::Clause);
  CHECK(!operands[2].optional);
  REQUIRE(operands[2].operands.size() == 2);
  CHECK(operands[2].operands[1].optional);
  CHECK(operands[3].repeated);
  CHECK(operands[4].operands.empty());
  CHECK(operands[4].optional);
  CHECK(read->forms[0].least_operands == 2);
  CHECK(read->forms[0].most_operands == kUnlimited);
  CHECK(read->forms[0].results[0].sort == OperandSort::View);
  CHECK(read->forms[0].results[1].sort == OperandSort::Any);
  CHECK(read->forms[0].results[1].optional);
  CHECK(read->forms[0].least_results == 1);
  CHECK(read->forms[0].most_results == 2);
}

TEST_CASE("signature: parentheses without a word are a clause without a name") {
  const auto read = parse_signature("(row:I col:I)? -> dst:T");
  REQUIRE(read);
  const SignatureForm& form = read->forms[0];
  REQUIRE(form.operands.size() == 1);
  CHECK(form.operands[0].name.empty());
  CHECK(form.operands[0].optional);
  CHECK(form.operands[0].operands.size() == 2);
  CHECK(form.least_operands == 0);
  CHECK(form.most_operands == 0);
}

TEST_CASE("signature: what is none") {
  CHECK(parse_signature("")->forms.size() == 1);
  CHECK(parse_signature("!")->own_form);
  for (const char* text : {"src", "src:", "src:Q", ":T", "src:T->", "src:T -> ", "Src:T", "a:T!", "a(b:I", "a(b)",
                           "(a:T", "a:T)", "a:T?*"}) {
    CAPTURE(std::string(text));
    CHECK(!parse_signature(text));
  }
}

}  // namespace ts::test
