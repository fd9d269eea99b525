// What a script has set going: state that objects keep for it.
#include "scripting/run/engine.h"

#include <doctest/doctest.h>

#include <string>

#include "scripting/sandbox/listed.h"

namespace ts::test {
namespace {

std::string ended;  // which slots went, in their order

struct Counter {
  int count = 0;
  ~Counter() { ended += 'c'; }
};

struct Knower {
  explicit Knower(scripting::Engine& its) : engine(its) {}
  Knower(const Knower&) = delete;
  ~Knower() { ended += 'k'; }
  scripting::Engine& engine;
};

struct Word {
  char letter;
};
const scripting::Listed<Word> kLast{30, {'z'}};
const scripting::Listed<Word> kFirst{10, {'a'}};
const scripting::Listed<Word> kMiddle{20, {'m'}};

}  // namespace

TEST_CASE("engine: a slot is made when it is asked for, and goes with the script, the newest first") {
  ended.clear();
  {
    scripting::Sandbox sandbox;
    scripting::Engine engine(sandbox, {});
    engine.slot<Counter>().count = 7;
    CHECK(engine.slot<Counter>().count == 7);
    CHECK(&engine.slot<Knower>().engine == &engine);
    CHECK(&engine.slot<Knower>() == &engine.slot<Knower>());
    scripting::Sandbox other_sandbox;
    scripting::Engine other(other_sandbox, {});
    CHECK(other.slot<Counter>().count == 0);
  }
  CHECK(ended == "ckc");  // of the other script its one, then of this one
}

TEST_CASE("listed: what files list stands in the order of the places they give") {
  std::string letters;
  for (const Word& word : scripting::Listed<Word>::all()) letters += word.letter;
  CHECK(letters == "amz");
  CHECK(!scripting::Listed<Word>::has_equal_places());
}

}  // namespace ts::test
