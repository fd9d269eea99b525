// The pattern functions against those of Lua, on random patterns, subjects and arguments: results and messages.
#include "scripting/sandbox/patterns.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/scripting/sandbox/plain_lua.h"
#include "tests/support/random.h"
#include "tests/support/scale.h"

namespace ts::test {
namespace {

// A Lua literal of any bytes.
std::string literal(const std::string& bytes) {
  std::string text = "'";
  for (const char c : bytes) text += fmt::format("\\{:03}", static_cast<unsigned char>(c));
  return text + "'";
}

std::string random_subject(Random& random) {
  std::string text;
  for (std::uint32_t i = random.below(12); i > 0; --i) {
    text += random.one_in(10)
                ? static_cast<char>(random.below(256))
                : random.pick({'a', 'a', 'b', 'B', '1', ' ', '(', ')', '-', '%', ']', '^', '$', '\0', '_'});
  }
  return text;
}

// Parts that are valid by themselves, put together without thinking, and now and then broken.
std::string random_pattern(Random& random) {
  std::string text;
  if (random.one_in(4)) text += '^';
  for (std::uint32_t i = random.below(6); i > 0; --i) {
    text += random.pick<const char*>(
        {"a",  "b",    ".",    "%a",    "%d",    "%s",  "%w",   "%W",   "%p",   "%x",   "%c",     "%g",      "%l",
         "%u", "[ab]", "[^a]", "[a-b]", "[%a_]", "[]]", "[^]]", "[a-]", "[%]]", "%b()", "%f[%a]", "%f[^%a]", "(",
         ")",  "()",   "(a)",  "(.-)",  "(%a*)", "%1",  "%2",   "%%",   "%.",   "%z",   "$",      "-"});
    if (random.one_in(2)) text += random.pick({'*', '+', '-', '?'});
  }
  if (random.one_in(4)) text += '$';
  if (random.one_in(8) && !text.empty()) text.resize(random.below(static_cast<std::uint32_t>(text.size())));
  if (random.one_in(20))
    text += random.pick<const char*>({"%", "[", "[^", "[%", "%f", "%b", "%ba", "%9", "%0", "[a-", "[]", "[^]"});
  if (random.one_in(30)) text += '\0';
  return text;
}

std::string random_init(Random& random) {
  return random.one_in(2) ? "1" : fmt::format("{}", static_cast<int>(random.below(30)) - 15);
}

std::string random_replacement(Random& random) {
  return random.pick<const char*>(
      {"'x'", "''", "'<%0>'", "'%1'", "'%2%1'", "'%%'", "'%'", "'%x'", "7", "{a = 'A', b = false, ab = 1, [1] = 'one'}",
       "{a = {}}", "function(...) return select('#', ...) end", "function(a, b) return b end", "function() end",
       "function() return {} end", "setmetatable({}, {__index = function(_, k) return k .. k end})"});
}

// A script with many calls, each printing its results or its error.
std::string random_calls(Random& random, int count) {
  std::string script = R"(
local function show(...)
  local t = {}
  for i = 1, select('#', ...) do local v = select(i, ...) t[i] = type(v) == 'string' and string.format('%q', v) or tostring(v) end
  print(table.concat(t, ' '))
end
local function all(...)
  local n = 0
  for a, b in string.gmatch(...) do show(a, b) n = n + 1 if n > 30 then break end end
end
)";
  for (int i = 0; i < count; ++i) {
    const std::string subject = literal(random_subject(random)), pattern = literal(random_pattern(random));
    switch (random.below(5)) {
      case 0:
        script += fmt::format("show(pcall(string.find, {}, {}, {}))\n", subject, pattern, random_init(random));
        break;
      case 1:
        script += fmt::format("show(pcall(string.match, {}, {}, {}))\n", subject, pattern, random_init(random));
        break;
      case 2: script += fmt::format("show(pcall(all, {}, {}, {}))\n", subject, pattern, random_init(random)); break;
      case 3:
        script += fmt::format("show(pcall(string.gsub, {}, {}, {}{}))\n", subject, pattern, random_replacement(random),
                              random.one_in(4) ? fmt::format(", {}", random.below(4)) : "");
        break;
      default:
        script += fmt::format("show(pcall(string.find, {}, {}, {}, {}))\n", subject,
                              literal(random_subject(random).substr(0, 2)), random_init(random),
                              random.one_in(2) ? "true" : "nil");
        break;
    }
  }
  return script;
}

void check_same(const std::string& script) {
  const std::string expected = plain_output(script), found = sandbox_output(script);
  if (expected == found) return;
  // The first line that differs, with the call that printed it.
  std::size_t at = 0, line = 0;
  while (at < expected.size() && at < found.size() && expected[at] == found[at]) line += expected[at++] == '\n';
  const std::size_t start = expected.rfind('\n', at == 0 ? 0 : at - 1) + 1;
  FAIL_CHECK(fmt::format("output line {}:\n  Lua     {}\n  sandbox {}\n{}", line + 1, expected.substr(start, 200),
                         found.substr(std::min(start, found.size()), 200), script.size() < 2000 ? script : ""));
}

}  // namespace

TEST_CASE("scripting: pattern functions agree with Lua's on random patterns") {
  Random random(5401);
  for (int round = 0; round < (kSanitized ? 40 : 400); ++round) {
    CAPTURE(round);
    check_same(random_calls(random, 50));
  }
}

TEST_CASE("scripting: pattern functions agree with Lua's at the edges") {
  for (const char* call : {
           "string.find('abc', 'b', -1)",
           "string.find('abc', '', 10)",
           "string.find('', '')",
           "string.find('abc', '', 4)",
           "string.find('a.c', '.', 2, true)",
           "string.find('abc', 'b', math.mininteger)",
           "string.find('abc', 'c', math.maxinteger)",
           "string.match('key = value', '^(%w+)%s*=%s*(%w+)$')",
           "string.match('2026-07-04', '(%d+)-(%d+)-(%d+)')",
           "string.match('  trim  ', '^%s*(.-)%s*$')",
           "string.match('hello', '()ll()')",
           "string.match('THE (quick) fox', '%((%a+)%)')",
           "string.gsub('abc', '', '-')",
           "string.gsub('abc', '%w', '%0%0', 2)",
           "string.gsub('hello world', 'o', {o = '0'})",
           "string.gsub('abc', '^a', 'x')",
           "string.gsub('aaa', '^a', 'x')",
           "string.gsub('abc', 'b*', 'x')",
           "string.gsub('THE (quick) fox', '%f[%a]%a+', string.lower)",
           "string.gsub('x', 'x', '%2')",
           "string.gsub('x', '(x', 'y')",
           "string.gsub('x', 'x)', 'y')",
           "string.gsub('x', 'x', true)",
           "string.gsub('x', 'x')",
           "string.gsub()",
           "string.find('x')",
           "string.find({}, 'x')",
           "string.find(12345, 3)",
           "string.gsub('x', 'x', 'y', 'z')",
           "string.gsub('abc', 'b', 1.5)",
           "string.find('a\\0b', '\\0')",
           "string.find('a\\0b', '%z')",
           "string.match('a\\0b', '[\\0]b')",
           "string.find('abc', '[a-')",
           "string.find('a', ('(a'):rep(33))",
           "string.find(('a'):rep(300), ('a?'):rep(250) .. 'a')",
           "string.rep('x', -1)",
           "string.gmatch('abc', '(b)()')()",
           "string.gmatch('abc', '%', 1)()",
           "string.gmatch('abc', 'c', -1)()",
           "string.gmatch('abc', '', 5)()",
           "string.find('\\xe9', '%a')",
           "string.find('\\xe9', '%w')",
           "string.find('a-z', '[a-z-]+')",
           "string.find(']', '[]-a]')",
           "string.find('a', '[%a-z]')",
           "string.find('-', '[%a-z]')",
           "string.find('x^', '[x^]+')",
           "string.find('abc', '%f')",
           "string.find('abc', '%b')",
           "string.find('abc', '%bx')",
           "string.find('\\0', '%b\\0x')",
           "string.find('', '%b\\0x')",
           "string.find('abc', '%1')",
           "string.find('abc', '(a%1)')",
           "string.find('abc', '()%1')",
           "string.find('a', '(')",
           "string.find('a', ')')",
       }) {
    CAPTURE(std::string(call));
    check_same(fmt::format("print(pcall(function() return {} end))", call));
  }
}

}  // namespace ts::test
