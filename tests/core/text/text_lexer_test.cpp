// Lines and columns; where tokens, comments and statements begin and end.
#include <doctest/doctest.h>

#include "core/text/parse/lexer.h"
#include "core/text/source.h"
#include "tests/support/text/text_outline.h"

namespace ts::test {
namespace {

using namespace ts::text;
using text::Source;

// Tokens with a blank between them; those that begin a line behind a |.
std::string tokens(std::string text) {
  const Source source("test", std::move(text));
  std::vector<Comment> comments;
  Lexer lexer(source, comments);
  std::string out;
  for (; lexer.token().kind != Tok::End; lexer.advance()) {
    out += out.empty() ? "" : lexer.token().on_new_line ? "|" : " ";
    out += lexer.text();
  }
  return out;
}

std::string comments_of(std::string text) {
  const Source source("test", std::move(text));
  std::vector<Comment> comments;
  for (Lexer lexer(source, comments); lexer.token().kind != Tok::End;) lexer.advance();
  std::string out;
  for (const Comment& comment : comments)
    out += (comment.own_line ? "own<" : "trailing<") + std::string(source.text(comment.range)) + ">";
  return out;
}

Tok only_token(std::string text) {
  const Source source("test", std::move(text));
  std::vector<Comment> comments;
  Lexer lexer(source, comments);
  const Tok kind = lexer.token().kind;
  lexer.advance();
  REQUIRE(lexer.token().kind == Tok::End);
  return kind;
}

std::size_t statements(const std::string& text) {
  const Parsed parsed = parse_text(text);
  CHECK(messages(parsed.diagnostics) == "");
  std::size_t count = 0;
  for (OpId op = parsed.tree.first_op; op != kNoId; op = parsed.tree.ops[op].next) ++count;
  return count;
}

}  // namespace

TEST_CASE("source: lines and columns count from 1, in code points; a tab is one column") {
  const Source source("test", "ab\n\tx\xC3\xA4y\r\n\xE2\x82\xAC\xF0\x9F\x98\x80z");
  CHECK(source.lines() == 3);
  CHECK(source.position(0) == SourcePos{1, 1});
  CHECK(source.position(2) == SourcePos{1, 3});
  CHECK(source.position(4) == SourcePos{2, 2});
  CHECK(source.position(7) == SourcePos{2, 4});
  CHECK(source.position(10) == SourcePos{3, 1});
  CHECK(source.position(17) == SourcePos{3, 3});
  CHECK(source.position(18) == SourcePos{3, 4});
  CHECK(source.position(9999) == SourcePos{3, 4});
  CHECK(source.line(2) == "\tx\xC3\xA4y");
  CHECK(source.span({4, 7}) == 2);
  CHECK(source.span({4, 4}) == 1);
  CHECK(source.span({4, 12}) == 3);
  CHECK(Source("empty", "").position(0) == SourcePos{1, 1});
}

TEST_CASE("source: a place in a line that is as long as the text has the column that counting gives") {
  std::string text = "first\n";
  const std::string_view pieces[] = {"x", "\xC3\xA4", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"};
  std::vector<std::uint32_t> offsets;
  for (std::size_t i = 0; text.size() < 10'000; ++i) {
    offsets.push_back(static_cast<std::uint32_t>(text.size()));
    text += pieces[i * i % 4];
  }
  for (const std::size_t size : {text.size(), std::size_t{1024}, std::size_t{2048}, std::size_t{4096}}) {
    const Source source("test", text.substr(0, size));
    for (std::uint32_t column = 0; column < offsets.size() && offsets[column] < size; ++column) {
      CHECK(source.position(offsets[column]) == SourcePos{2, column + 1});
      CHECK(source.span({offsets.front(), offsets[column]}) == std::max(1u, column));
    }
  }
}

TEST_CASE("source: what is not UTF-8 is found, wherever it stands") {
  const auto bad = [](std::string text) { return Source("test", std::move(text)).first_bad_utf8(); };
  CHECK(bad("") == 0);
  CHECK(bad("plain text, and more of it") == 26);
  CHECK(bad("\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80\xF4\x8F\xBF\xBF") == 13);
  CHECK(bad("12345678\xFF") == 8);
  CHECK(bad("a\x80") == 1);
  CHECK(bad("a\xC3") == 1);
  CHECK(bad("a\xC0\xAF") == 1);          // overlong
  CHECK(bad("a\xE0\x80\xAF") == 1);      // overlong
  CHECK(bad("a\xED\xA0\x80") == 1);      // a surrogate
  CHECK(bad("a\xF4\x90\x80\x80") == 1);  // above 0x10FFFF
  CHECK(bad("a\xE2\x82") == 1);
  CHECK(bad(std::string("a\0b", 3)) == 3);
}

TEST_CASE("lexer: tokens") {
  CHECK(tokens("%a = pto.tadd %0, %x_1.y-z$ : !pto.tile_buf<f32>") ==
        "%a = pto.tadd %0 , %x_1.y-z$ : !pto.tile_buf < f32 >");
  CHECK(tokens("a\n b\r\n\tc") == "a|b|c");
  CHECK(tokens("%a->(b)") == "%a -> ( b )");
  CHECK(tokens("-1 +2 -3.5 1.e5 2e-3 0xFFg 1e") == "-1 +2 -3.5 1.e5 2e-3 0xFF g 1 e");
  CHECK(tokens("%f:2 %f#0, %f#12") == "%f : 2 %f #0 , %f #12");
  CHECK(tokens("@f @\"a b\" ^bb0: .arg \"x \\\" y\"") == "@f @\"a b\" ^bb0 : .arg \"x \\\" y\"");
  CHECK(tokens("\xEF\xBB\xBFmodule") == "module");
  CHECK(only_token("%0") == Tok::Ssa);
  CHECK(only_token("-5") == Tok::Int);
  CHECK(only_token("5.") == Tok::Float);
  CHECK(only_token("0x1F") == Tok::Int);
  CHECK(only_token("\"open") == Tok::OpenString);
  CHECK(only_token("@\"open") == Tok::OpenString);
  CHECK(only_token("\"open\\") == Tok::OpenString);
  CHECK(only_token("%") == Tok::Bad);
  CHECK(only_token("\xE2\x82\xAC") == Tok::Bad);
  CHECK(only_token(std::string(1, '\0')) == Tok::Bad);
}

TEST_CASE("lexer: # begins a comment or an attribute") {
  CHECK(tokens("a # text\nb") == "a|b");
  CHECK(tokens("a #text\nb") == "a|b");
  CHECK(tokens("{x = #pto.layout<nd>, y}") == "{ x = #pto.layout < nd > , y }");
  CHECK(tokens("#pto<cmp lt>") == "#pto < cmp lt >");
  CHECK(tokens("[#pto.pipe<PIPE_V>]") == "[ #pto.pipe < PIPE_V > ]");
  CHECK(tokens("x #other<y>") == "x #other < y >");
  CHECK(tokens("%a, 0 #cmp=gt") == "%a , 0 #cmp = gt");
  CHECK(tokens("{x = #pto.unit}") == "{ x = #pto.unit }");
  CHECK(tokens("a\n#pto.tadd ins(%a)\nb") == "a|b");  // an operation taken out
  CHECK(tokens("#x = #pto.layout<nd>") == "#x = #pto.layout < nd >");
  CHECK(tokens("# x = y\nz") == "z");
  CHECK(tokens("a // text #pto.x<y>\nb") == "a|b");
  CHECK(tokens("a / b") == "a / b");
}

TEST_CASE("lexer: comments are kept, with what stands before them") {
  CHECK(comments_of("// a \nx # b\r\n  # c\ny // d") == "own<// a>trailing<# b>own<# c>trailing<// d>");
  CHECK(comments_of("//\n#") == "own<//>own<#>");
}

TEST_CASE("statements end at the next one, wherever that stands") {
  CHECK(statements("%a = pto.get_block_idx %b = pto.get_block_num") == 2);
  CHECK(statements("%a = pto.get_block_idx\n%b, %c:2 = pto.get_block_num") == 2);
  CHECK(statements("pto.trap\nreturn\npto.trap") == 3);
  CHECK(statements("return pto.trap") == 2);
  CHECK(statements("pto.trap call @f() : () -> ()") == 2);
  CHECK(statements("pto.mte_ub_gm %a, %b\n nburst(%n, %s, %d)\n : i64,\n i64\npto.trap") == 2);
  CHECK(statements("pto.barrier\n<PIPE_V>\npto.trap") == 2);
  CHECK(statements("pto.vldas\n%p : !pto.ptr<f32, ub> -> !pto.align") == 1);
  CHECK(statements("pto.trap\n#pto.trap\n# pto.trap\npto.trap") == 2);
}

TEST_CASE("statements: a line of the synchronous form is one; ';' may end any") {
  CHECK(statements("%a = tadd %b, %c : !pto.tile<16x16xf32>\n%d = tadd %b, %c : !pto.tile<16x16xf32>") == 2);
  CHECK(statements("%a = tadd %b,\n %c : !pto.tile<16x16xf32>") == 1);
  CHECK(statements("%a = tadd %b, %c\n : !pto.tile<16x16xf32>\n -> !pto.tile<16x16xf32>") == 1);
  CHECK(statements("pto.trap\ntprint %a\ntprint %b") == 3);
  CHECK(statements("pto.trap; pto.trap;;\n;pto.trap;") == 3);
  CHECK(statements("tprint %a; tprint %b; %c = tadd %a, %b") == 3);
  CHECK(statements(".arg %a : f32; .const %b = 5 : i32") == 2);
}

TEST_CASE("dimensions are read one by one: 0x10 is 0 by 10") {
  const Parsed parsed = parse_text(".arg %a : !pto.tensor_view<0x10xf32>");
  CHECK(outline(parsed.tree) == "def:%a directive .arg types[ type:!pto.tensor_view<0x10xf32> ]\n");
  CHECK(messages(parsed.diagnostics) == "");
}

TEST_CASE("numbers are text, whatever their size") {
  const Parsed parsed = parse_text("%a = arith.constant 123456789012345678901234567890 : i64");
  CHECK(outline(parsed.tree) == "def:%a arith.constant int:123456789012345678901234567890 types[ type:i64 ]\n");
}

}  // namespace ts::test
