// Steps and stops by the lines that people wrote: random sources in the manner of Python are lowered to text with locations,
// loops rolled, unrolled or made of one line, helpers inlined; the model knows the lines, not the text.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "core/debug/session/line_runs.h"
#include "core/debug/session/session.h"
#include "tests/support/process/cli.h"
#include "tests/support/random.h"
#include "tests/support/record/recorded.h"
#include "tests/support/scale.h"

namespace ts::test {
namespace {

struct Place {
  std::string file;
  std::uint32_t line = 0;
  bool operator==(const Place&) const = default;
};
using Chain = std::vector<Place>;  // innermost first

// What one line did, in one turn of the loops around it.
struct Visit {
  Chain chain;
  std::vector<int> turns;       // a number for each turn of each loop that somebody wrote
  std::vector<Chain> of_loops;  // where those loops were written
  std::uint32_t first = 0, steps = 0;
};

class Lowering {
 public:
  explicit Lowering(Random& random) : random_(random) {
    for (int at = 0; at < 4; ++at) helpers_.push_back(block(2, 0));
    kernel_ = block(4, 2);
  }

  std::string text() {
    body_ = "";
    lower(kernel_, "attn.py", {}, 2);
    return fmt::format(
        "module attributes {{pto.target_arch = \"a5\"}} {{\n  func.func @k() {{\n"
        "    %c0 = arith.constant 0 : index\n    %c1 = arith.constant 1 : index\n    %c2 = arith.constant 2 : index\n"
        "    %c3 = arith.constant 3 : index\n    %one = arith.constant 1.0 : f32\n"
        "    %a = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>\n{}    return\n  }}\n}}\n",
        body_);
  }

  std::vector<Visit> visits() {
    visits_.clear();
    turns_.clear();
    of_loops_.clear();
    steps_ = 0;
    run(kernel_, "attn.py", {});
    return visits_;
  }

 private:
  enum class Kind { Line, LoopOfALine, Rolled, Unrolled, Call };
  struct Statement {
    Kind kind;
    std::uint32_t line, count;  // operations; turns; the helper
    std::vector<Statement> inside = {};
  };
  using Statements = std::vector<Statement>;

  Statements block(std::uint32_t most, int depth) {
    Statements out;
    for (std::uint32_t i = random_.between(1, most); i > 0; --i) {
      const std::uint32_t line = ++line_;
      switch (random_.below(depth > 0 ? 6 : helpers_.size() == 4 ? 3 : 2)) {
        case 0: out.push_back({Kind::Line, line, random_.between(1, 3)}); break;
        case 1: out.push_back({Kind::LoopOfALine, line, random_.between(1, 3)}); break;
        case 2:
          out.push_back({depth > 0 || helpers_.size() == 4 ? Kind::Call : Kind::Line, line, random_.below(4)});
          break;
        case 3:
        case 4: out.push_back({Kind::Rolled, line, random_.between(1, 3), block(3, depth - 1)}); break;
        default: out.push_back({Kind::Unrolled, line, random_.between(1, 3), block(2, depth - 1)}); break;
      }
    }
    return out;
  }

  static Chain below(const std::string& file, std::uint32_t line, const Chain& callers) {
    Chain chain{{file, line}};
    chain.insert(chain.end(), callers.begin(), callers.end());
    return chain;
  }

  // --- to text ---

  std::string location(const Chain& chain) {
    std::string text;
    for (auto place = chain.rbegin(); place != chain.rend(); ++place) {
      const std::string file = fmt::format("\"{}\":{}:{}", place->file, place->line, random_.between(1, 9));
      text = text.empty() ? file : fmt::format("callsite({} at {})", file, text);
    }
    return fmt::format(" loc({})", random_.one_in(3) ? fmt::format("\"t\"({})", text) : text);
  }

  void operations(std::uint32_t count, const Chain& chain, std::size_t indent) {
    for (std::uint32_t i = 0; i < count; ++i)
      body_ += fmt::format("{}pto.texpands ins(%one : f32) outs(%a : !pto.tile_buf<vec, 8x8xf32>){}\n",
                           std::string(2 * indent, ' '), i > 0 && random_.one_in(4) ? "" : location(chain));
  }

  void loop(std::uint32_t turns, const Chain& chain, std::size_t indent, auto inside) {
    const std::string blanks(2 * indent, ' ');
    body_ += fmt::format("{}scf.for %i{} = %c0 to %c{} step %c1 {{\n", blanks, ++loops_, turns);
    inside();
    body_ += fmt::format("{}}}{}\n", blanks, location(chain));
  }

  void lower(const Statements& all, const std::string& file, const Chain& callers, std::size_t indent) {
    for (const Statement& one : all) {
      const Chain chain = below(file, one.line, callers);
      switch (one.kind) {
        case Kind::Line: operations(one.count, chain, indent); break;
        case Kind::LoopOfALine: loop(one.count, chain, indent, [&] { operations(2, chain, indent + 1); }); break;
        case Kind::Rolled: loop(one.count, chain, indent, [&] { lower(one.inside, file, callers, indent + 1); }); break;
        case Kind::Unrolled:
          for (std::uint32_t i = 0; i < one.count; ++i) lower(one.inside, file, callers, indent);
          break;
        case Kind::Call: lower(helpers_[one.count], fmt::format("lib/h{}.py", one.count), chain, indent); break;
      }
    }
  }

  // --- what running it means ---

  void visit(const Chain& chain, std::uint32_t steps) {
    const bool goes_on = !visits_.empty() && visits_.back().chain == chain && visits_.back().turns == turns_;
    if (!goes_on) visits_.push_back({chain, turns_, of_loops_, steps_, 0});
    visits_.back().steps += steps;
    steps_ += steps;
  }

  void run(const Statements& all, const std::string& file, const Chain& callers) {
    for (const Statement& one : all) {
      const Chain chain = below(file, one.line, callers);
      switch (one.kind) {
        case Kind::Line: visit(chain, one.count); break;
        case Kind::LoopOfALine: visit(chain, 2 * one.count); break;
        case Kind::Rolled:
          for (std::uint32_t i = 0; i < one.count; ++i) {
            turns_.push_back(++turn_);
            of_loops_.push_back(chain);
            run(one.inside, file, callers);
            turns_.pop_back();
            of_loops_.pop_back();
          }
          break;
        case Kind::Unrolled:
          for (std::uint32_t i = 0; i < one.count; ++i) run(one.inside, file, callers);
          break;
        case Kind::Call: run(helpers_[one.count], fmt::format("lib/h{}.py", one.count), chain); break;
      }
    }
  }

  Random& random_;
  std::vector<Statements> helpers_;
  Statements kernel_;
  std::uint32_t line_ = 0;
  int loops_ = 0, turn_ = 0;
  std::string body_;
  std::vector<Visit> visits_;
  std::vector<int> turns_;
  std::vector<Chain> of_loops_;
  std::uint32_t steps_ = 0;
};

bool is_below(const Chain& chain, const Place& place) {
  return std::find(chain.begin() + (chain.empty() ? 0 : 1), chain.end(), place) != chain.end();
}

// The turns of loops that were not written below a call from that line.
std::vector<int> turns_around(const Visit& visit, const Place& place) {
  std::vector<int> turns;
  for (std::size_t i = 0; i < visit.turns.size(); ++i)
    if (std::ranges::find(visit.of_loops[i], place) == visit.of_loops[i].end()) turns.push_back(visit.turns[i]);
  return turns;
}

// Where a stop on a line stops.
std::vector<std::uint32_t> stops_of(const std::vector<Visit>& visits, const Place& place) {
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < visits.size(); ++i) {
    const Visit& now = visits[i];
    const bool same_call = i > 0 && is_below(now.chain, place) && is_below(visits[i - 1].chain, place) &&
                           turns_around(now, place) == turns_around(visits[i - 1], place);
    if (now.chain.front() == place || (is_below(now.chain, place) && !same_call)) out.push_back(now.first);
  }
  return out;
}

Stopped done(std::variant<Stopped, Refusal> answer) {
  REQUIRE(std::holds_alternative<Stopped>(answer));
  return std::get<Stopped>(answer);
}

constexpr std::string_view kNoLocations = R"(module attributes {pto.target_arch = "a5"} {
  func.func @k() {
    %one = arith.constant 1.0 : f32
    %a = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
    pto.texpands ins(%one : f32) outs(%a : !pto.tile_buf<vec, 8x8xf32>)
    return
  }
})";

}  // namespace

TEST_CASE("source steps: both ways, from everywhere, they are the visits of the model") {
  Random random(221);
  for (int i = 0; i < (kSanitized ? 20 : 100); ++i) {
    Lowering lowering(random);
    const std::string text = lowering.text();
    const std::vector<Visit> visits = lowering.visits();
    CAPTURE(text);
    const SharedRecording recording = record_text(text);
    REQUIRE(recording->count() == visits.back().first + visits.back().steps);
    Session session(recording);
    for (const Visit& visit : visits) {
      CHECK(session.moment() == Moment{visit.first, 0});
      const auto& lines =
          session.sources().lines(session.sources().origin_of(recording->step(visit.first).instruction));
      REQUIRE(lines.size() == visit.chain.size());
      for (std::size_t at = 0; at < lines.size(); ++at) {
        CHECK(session.sources().files()[lines[at].file] == visit.chain[at].file);
        CHECK(lines[at].line == visit.chain[at].line);
      }
      done(session.source_step(Direction::Forward));
    }
    CHECK(session.moment().position == recording->count());
    CHECK(done(session.source_step(Direction::Forward)).reason == Stopped::Reason::End);
    for (auto visit = visits.rbegin(); visit != visits.rend(); ++visit) {
      done(session.source_step(Direction::Backward));
      CHECK(session.moment() == Moment{visit->first, 0});
      // From within, to its begin and its end.
      const std::uint32_t within = visit->first + random.below(visit->steps);
      session.seek({within, 0});
      done(session.source_step(Direction::Forward));
      CHECK(session.moment() == Moment{visit->first + visit->steps, 0});
      session.seek({within, 0});
      if (within == visit->first) continue;
      done(session.source_step(Direction::Backward));
      CHECK(session.moment() == Moment{visit->first, 0});
    }
    CHECK(done(session.source_step(Direction::Backward)).reason == Stopped::Reason::Start);
  }
}

TEST_CASE("source stops: on the first operation of each visit, and of each call") {
  Random random(222);
  for (int i = 0; i < (kSanitized ? 10 : 60); ++i) {
    Lowering lowering(random);
    const std::string text = lowering.text();
    const std::vector<Visit> visits = lowering.visits();
    CAPTURE(text);
    Session session(record_text(text));
    const Chain& chain = visits[random.below(static_cast<std::uint32_t>(visits.size()))].chain;
    const Place place = chain[random.below(static_cast<std::uint32_t>(chain.size()))];
    CAPTURE(place.file);
    CAPTURE(place.line);
    // By the whole name, or by its end.
    const std::string file = random.one_in(2) ? place.file : place.file.substr(place.file.find('/') + 1);
    REQUIRE(std::holds_alternative<StopId>(session.add_stop({.source = SourceStop{file, place.line}})));
    const std::vector<std::uint32_t> stops = stops_of(visits, place);
    REQUIRE(!stops.empty());
    for (const std::uint32_t stop : stops) {
      CHECK(session.run(Direction::Forward).reason == Stopped::Reason::Rule);
      CHECK(session.moment().position == stop);
    }
    CHECK(session.run(Direction::Forward).reason == Stopped::Reason::End);
    for (auto stop = stops.rbegin(); stop != stops.rend(); ++stop) {
      session.run(Direction::Backward);
      CHECK(session.moment().position == *stop);
    }
    session.seek({});
    session.clear_stops();
    if (stops.front() == 0) continue;  // it is there
    const auto there = session.run_to({.source = SourceStop{file, place.line}, .nth = 1}, Direction::Forward);
    CHECK(done(there).step == stops.front());
  }
}

TEST_CASE("source lines: how often each was visited, and was called from, is what the model counts") {
  Random random(224);
  for (int i = 0; i < (kSanitized ? 10 : 60); ++i) {
    Lowering lowering(random);
    const std::string text = lowering.text();
    const std::vector<Visit> visits = lowering.visits();
    CAPTURE(text);
    Session session(record_text(text));
    const SourceMap& map = session.sources();
    REQUIRE(session.source_visits() != nullptr);
    // A finding in every third step; the last one is about none.
    std::vector<Finding> findings;
    for (std::uint32_t step = 0; step < session.count() + 3; step += 3) findings.push_back({.step = step});
    for (std::uint32_t file = 0; file < map.files().size(); ++file) {
      const LineRuns runs(session, file, findings, nullptr);
      REQUIRE(runs.complete());
      for (std::uint32_t line = 0; line < 60; ++line) {
        const Place place{map.files()[file], line};
        const std::vector<std::uint32_t> stops = stops_of(visits, place);
        CHECK(std::ranges::equal(runs.steps(line), stops));
        std::vector<std::uint32_t> found;
        for (std::uint32_t at = 0; at < findings.size(); ++at) {
          const auto of = std::ranges::find_if(visits, [&](const Visit& visit) {
            return visit.first <= findings[at].step && findings[at].step < visit.first + visit.steps;
          });
          if (of != visits.end() && std::ranges::count(of->chain, place) != 0) found.push_back(at);
        }
        CHECK(std::ranges::equal(runs.findings(line), found));
      }
    }
    CHECK_FALSE(LineRuns(session, 0, findings, [] { return false; }).complete());
  }
}

TEST_CASE("source stops: what can never stop is refused, and says what could") {
  Random random(223);
  Lowering lowering(random);
  Session session(record_text(lowering.text()));
  const auto refused = [&](const char* file, std::uint32_t line) {
    const auto answer = session.add_stop({.source = SourceStop{file, line}});
    REQUIRE(std::holds_alternative<Refusal>(answer));
    return std::get<Refusal>(answer).text + "; " + std::get<Refusal>(answer).hint;
  };
  CHECK(has(refused("attn.py", 9999), "no step came from attn.py:9999; the last line with steps is"));
  CHECK(has(refused("other.py", 1), "came from no single file called other.py; it came from: attn.py"));
  Session plain(record_text(std::string(kNoLocations)));
  const auto answer = plain.source_step(Direction::Forward);
  REQUIRE(std::holds_alternative<Refusal>(answer));
  CHECK(has(std::get<Refusal>(answer).text, "does not say which lines"));
}

}  // namespace ts::test
