// Where scripts read: beside themselves and below, what they were given, and nothing else by any path.
#include "core/data/reading.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "tests/support/process/temp_folder.h"

namespace ts::data {
namespace {

namespace fs = std::filesystem;

struct Tree {
  test::TempFolder folder;
  Tree() {
    fs::create_directories(folder / "own/below");
    fs::create_directories(folder / "own2");
    for (const char* file : {"own/a.pto", "own/below/b.pto", "own2/c.pto", "secret.npy", "given.npy"})
      std::ofstream(folder / file) << "x";
    fs::create_symlink(folder / "secret.npy", folder / "own/link.npy");
    fs::create_symlink(folder.path(), folder / "own/up");
    fs::create_symlink(folder / "own/a.pto", folder / "own/good");
  }
  ReadingPlaces places() const { return {.paths = {folder / "own", folder / "given.npy"}, .hint = "do this"}; }
  bool reads(const std::string& name) const { return readable_path(places(), name).index() == 0; }
};

}  // namespace

TEST_CASE("reading: beside the script, below it, and what it was given") {
  const Tree tree;
  CHECK(std::get<std::string>(readable_path(tree.places(), "a.pto")) == tree.folder / "own/a.pto");
  CHECK(tree.reads("below/b.pto"));
  CHECK(tree.reads("below/../a.pto"));
  CHECK(tree.reads("good"));
  CHECK(tree.reads(tree.folder / "own/a.pto"));
  CHECK(tree.reads(tree.folder / "given.npy"));
  // Nothing is there: it may be the name of a sample.
  CHECK(std::get<std::string>(readable_path(tree.places(), "softmax")) == "softmax");
  CHECK(tree.reads(tree.folder / "own/none.pto"));
}

TEST_CASE("reading: not elsewhere, whatever the path looks like, and whether something is there or not") {
  const Tree tree;
  for (const std::string& name :
       {tree.folder / "secret.npy", tree.folder / "own/../secret.npy", tree.folder / "own/link.npy",
        tree.folder / "own/up/secret.npy", tree.folder / "own/up/own2/c.pto", tree.folder / "own2/c.pto",
        tree.folder / "own/none/../../secret.npy", tree.folder / "given.npy/../secret.npy", std::string("link.npy"),
        std::string("up/secret.npy"), std::string("../secret.npy"), std::string("/etc/passwd"),
        std::string("/nowhere/none"), std::string("../none"), std::string("a.pto\0/../..", 12)}) {
    CAPTURE(name);
    const auto path = readable_path(tree.places(), name);
    REQUIRE(std::holds_alternative<Error>(path));
  }
  CHECK(std::get<Error>(readable_path(tree.places(), "/etc/passwd")).hint == "do this");
  CHECK(std::get<Error>(readable_path(tree.places(), "/etc/passwd")).text ==
        "/etc/passwd: a script reads below its own folder only");
}

TEST_CASE("reading: everywhere is everywhere") {
  const Tree tree;
  CHECK(std::get<std::string>(readable_path({.everywhere = true}, tree.folder / "secret.npy")) ==
        tree.folder / "secret.npy");
  CHECK(std::get<std::string>(readable_path({.everywhere = true}, "../x")) == "../x");
}

}  // namespace ts::data
