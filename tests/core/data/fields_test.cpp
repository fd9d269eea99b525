// Values of the right kind are there; the others are told, once each, and are not.
#include "core/data/fields.h"

#include <doctest/doctest.h>

namespace ts::data {
namespace {

nlohmann::json object_of(std::string_view text) {
  auto parsed = parse_object(text);
  REQUIRE(std::holds_alternative<nlohmann::json>(parsed));
  return std::get<nlohmann::json>(std::move(parsed));
}

std::string refusal_of(std::string_view text) {
  const auto parsed = parse_object(text);
  REQUIRE(std::holds_alternative<Error>(parsed));
  return std::get<Error>(parsed).text;
}

}  // namespace

TEST_CASE("fields: what is of its kind") {
  const auto object =
      object_of(R"({"on":true,"name":"x","size":3,"far":1e9,"list":["a","b"],"pair":[1,2.5],"in":{"on":false}})");
  std::vector<std::string> problems;
  const Fields fields(object, "", &problems);
  CHECK(fields.truth("on") == true);
  CHECK(fields.text("name") == "x");
  CHECK(fields.number("size") == 3);
  CHECK(fields.count("size", 3) == 3);
  CHECK(fields.number32("size") == 3);
  CHECK(fields.texts("list") == std::vector<std::string>{"a", "b"});
  CHECK(fields.numbers("pair", 2) == std::vector<double>{1, 2.5});
  CHECK(fields.below("in").truth("on") == false);
  CHECK(!fields.truth("none"));
  CHECK(fields.texts("none").empty());
  CHECK(problems.empty());
}

TEST_CASE("fields: what is of another kind is told with its way, and is not there") {
  const auto object =
      object_of(R"({"on":1,"name":[],"size":-3,"big":5000000000,"list":["a",1],"pair":[1],"in":{"on":"no"},"out":7})");
  std::vector<std::string> problems;
  const Fields fields(object, "panes.", &problems);
  CHECK(!fields.truth("on"));
  CHECK(!fields.text("name"));
  CHECK(!fields.number32("size"));
  CHECK(!fields.number32("big"));
  CHECK(fields.texts("list") == std::vector<std::string>{"a"});
  CHECK(!fields.numbers("pair", 2));
  CHECK(!fields.below("in").truth("on"));
  CHECK(fields.below("out").all().empty());
  REQUIRE(problems.size() == 8);
  CHECK(problems[0] == "panes.on: wanted true or false, it is 1");
  CHECK(problems[6] == "panes.in.on: wanted true or false, it is \"no\"");
  for (int i = 0; i < 1000; ++i) fields.truth("on");
  CHECK(problems.size() < 100);
}

TEST_CASE("fields: what is null is not there, also for who looks at values of its own") {
  const auto object = object_of(R"({"layout":null})");
  std::vector<std::string> problems;
  const Fields fields(object, "", &problems);
  CHECK(!fields.text("layout"));
  fields.tell("layout", "a layout");
  fields.tell("none", "a layout");
  CHECK(problems.empty());
}

TEST_CASE("fields: texts that are no objects, and ones that are nested without end") {
  CHECK(refusal_of("") == "it is no JSON");
  CHECK(refusal_of("{\"a\":\"\xff\"}") == "it is no JSON");
  CHECK(refusal_of("[1]") == "it is no JSON object");
  const std::string deep = R"({"a":)" + std::string(3'000'000, '[') + std::string(3'000'000, ']') + "}";
  CHECK(refusal_of(deep).find("nested deeper") != std::string::npos);
}

TEST_CASE("fields: bytes that are no text are written replaced") {
  CHECK(json_text({{"a", "x\xff"}}) == "{\"a\":\"x\xef\xbf\xbd\"}");
}

}  // namespace ts::data
