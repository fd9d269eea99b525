// Names of strangers, looked for in folders of the user's.
#include "core/data/source_file.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>

#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"

namespace ts::test {
namespace {

struct SourceFolders {
  TempFolder own, other, foreign;
  std::vector<std::string> all{own.path(), other.path()};

  SourceFolders() {
    std::filesystem::create_directories(own / "kernels");
    put_text(own / "kernels/attn.py", "own");
    put_text(own / "attn.py", "short");
    put_text(other / "b.py", "other");
    put_text(foreign / "secret.py", "secret");
  }
  // What the file holds; "" where none is found.
  std::string found(std::string_view name) const {
    const auto file = data::find_below(all, name);
    return file ? get_text(*file) : "";
  }
};

}  // namespace

TEST_CASE("source files: as much of the name's end as is there") {
  const SourceFolders folders;
  CHECK(folders.found("kernels/attn.py") == "own");
  CHECK(folders.found("/home/someone/kernels/attn.py") == "own");
  CHECK(folders.found("./kernels//attn.py") == "own");
  CHECK(folders.found("other/attn.py") == "short");
  CHECK(folders.found("/x/b.py") == "other");
  CHECK(folders.found("none.py") == "");
  CHECK(folders.found("kernels") == "");
  CHECK(folders.found("") == "");
  CHECK(folders.found("/") == "");
}

TEST_CASE("source files: nothing outside of the folders is found") {
  const SourceFolders folders;
  const std::string secret = folders.foreign / "secret.py";
  CHECK(folders.found(secret) == "");
  CHECK(folders.found("../" + std::filesystem::path(folders.foreign.path()).filename().string() + "/secret.py") == "");
  CHECK(folders.found("kernels/../../attn.py") == "short");  // as far as it is clear
  std::filesystem::create_symlink(secret, folders.own / "link.py");
  std::filesystem::create_directory_symlink(folders.foreign.path(), folders.own / "linked");
  CHECK(folders.found("link.py") == "");
  CHECK(folders.found("linked/secret.py") == "");
  std::filesystem::create_symlink(folders.own / "attn.py", folders.own / "inside.py");
  CHECK(folders.found("inside.py") == "short");
  ::mkfifo((folders.own / "pipe.py").c_str(), 0600);
  CHECK(folders.found("pipe.py") == "");
  CHECK(folders.found(std::string("attn.py\0x", 9)) == "");
  CHECK(folders.found(std::string(100'000, 'a')) == "");
  std::string deep;
  for (int i = 0; i < 2000; ++i) deep += "a/";
  CHECK(folders.found(deep + "b.py") == "other");
}

}  // namespace ts::test
