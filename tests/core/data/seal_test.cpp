// Sums behind the end of a file.
#include "core/data/seal.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>

#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/random.h"

namespace ts::test {
namespace {

std::span<const std::byte> bytes_of_text(const std::string& text) { return std::as_bytes(std::span(text)); }

std::optional<data::Seal> seal_of(const std::string& file) {
  return data::Seal::of(file.size(), [&](std::uint64_t offset, std::span<std::byte> to) {
    if (offset > file.size() || to.size() > file.size() - offset) return false;
    std::ranges::copy(bytes_of_text(file).subspan(offset, to.size()), to.begin());
    return true;
  });
}

std::string sealed(const TempFolder& folder, const std::string& content) {
  put_text(folder / "f", content);
  REQUIRE(data::seal(folder / "f").text == "");
  return get_text(folder / "f");
}

std::string random_text(Random& random, std::size_t size) {
  std::string text(size, 0);
  for (char& c : text) c = static_cast<char>(random.below(256));
  return text;
}

}  // namespace

TEST_CASE("seal: it stands behind the file's bytes, which stay, and sealing again makes the same") {
  const TempFolder folder;
  Random random(51);
  for (const std::size_t size : {0, 1, 4095, 4096, 4097, 12288, 20001}) {
    CAPTURE(size);
    const std::string content = random_text(random, size), file = sealed(folder, content);
    REQUIRE(file.starts_with(content));
    const auto seal = seal_of(file);
    REQUIRE(seal.has_value());
    CHECK(seal->bytes() == size);
    CHECK(seal->holds(0, bytes_of_text(content)));
    CHECK(sealed(folder, file) == file);
  }
}

TEST_CASE("seal: any byte of the file or the seal that changes is found") {
  const TempFolder folder;
  Random random(52);
  const std::string content = random_text(random, 3 * data::Seal::kBlock + 100), file = sealed(folder, content);
  for (int i = 0; i < 400; ++i) {
    std::string changed = file;
    const std::size_t at =
        random.one_in(2) ? random.below(static_cast<std::uint32_t>(content.size()))
                         : content.size() + random.below(static_cast<std::uint32_t>(file.size() - content.size()));
    changed[at] = static_cast<char>(changed[at] ^ 1 << random.below(8));
    CAPTURE(at);
    const auto seal = seal_of(changed);
    if (at >= content.size()) {
      CHECK(!seal.has_value());
      continue;
    }
    REQUIRE(seal.has_value());
    const std::size_t block = at / data::Seal::kBlock * data::Seal::kBlock;
    for (std::size_t begin = 0; begin < content.size(); begin += data::Seal::kBlock) {
      const std::string one = changed.substr(begin, std::min(data::Seal::kBlock, content.size() - begin));
      CHECK(seal->holds(begin, bytes_of_text(one)) == (begin != block));
    }
  }
}

TEST_CASE("seal: a file that is cut off or goes on has none, whatever its last bytes say") {
  const TempFolder folder;
  Random random(53);
  const std::string file = sealed(folder, random_text(random, 9000));
  for (std::size_t size = 0; size < file.size(); ++size) CHECK(!seal_of(file.substr(0, size)).has_value());
  CHECK(!seal_of(file + "x").has_value());
  CHECK(!seal_of("x" + file).has_value());
  // Numbers as large as they get.
  for (const std::uint64_t bytes : {~0ull, 1ull << 63, 1ull << 40}) {
    std::string lie = file;
    std::memcpy(lie.data() + lie.size() - 16, &bytes, sizeof bytes);
    CHECK(!seal_of(lie).has_value());
  }
}

}  // namespace ts::test
