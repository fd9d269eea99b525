// Fuzz target: what a case's folder may hold. The first byte says what the rest is: m, a case.json; else an archive of
// arrays. What is read must be in its bounds, what is refused must say why.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <variant>

#include "core/cases/manifest.h"
#include "core/data/npy_header.h"
#include "core/data/npz.h"

namespace {

using namespace ts;

constexpr std::uint64_t kMostBytes = 1 << 20;

void require(bool good) {
  if (!good) std::abort();
}

void check_error(const data::Error& error) {
  constexpr std::size_t kLongest = 12'000;  // eight names of 255 bytes, each shown as \xff
  require(!error.text.empty() && error.text.size() + error.hint.size() < kLongest);
  for (const char c : error.text + error.hint) require(static_cast<unsigned char>(c) >= 0x20 || c == '\n');
}

void check_list(const cases::GivenList& list) {
  for (const cases::Given& given : list.all) {
    require(!(given.array && !given.number.empty()));
    require(list.in_order || !given.name.empty());
    if (given.array) require(!given.array->file.empty());
    if (given.tolerance.abs) require(*given.tolerance.abs >= 0);
    if (given.tolerance.rel) require(*given.tolerance.rel >= 0);
  }
}

void check_manifest(std::string_view text) {
  const auto read = cases::parse_manifest(text, "case.json");
  if (const auto* error = std::get_if<data::Error>(&read)) return check_error(*error);
  const auto& manifest = std::get<cases::Manifest>(read);
  require(!manifest.blocks || *manifest.blocks > 0);
  check_list(manifest.inputs);
  check_list(manifest.goldens);
}

void check_archive(std::string_view bytes) {
  static const std::string path = fmt::format("/dev/shm/tilescope-fuzz-{}.npz", ::getpid());
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  const auto opened = data::Npz::open(path, kMostBytes);
  if (const auto* error = std::get_if<data::Error>(&opened)) return check_error(*error);
  const auto& archive = std::get<data::Npz>(opened);
  for (const std::string& name : archive.names()) {
    const auto array = archive.read(name, kMostBytes);
    if (const auto* error = std::get_if<data::Error>(&array)) {
      check_error(*error);
      continue;
    }
    const auto& read = std::get<data::Array>(array);
    std::uint64_t size = data::item_bytes(read.type);
    for (const std::uint64_t dimension : read.shape) size *= dimension;
    require(read.bytes.size() == size && size <= kMostBytes);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  data[0] == 'm' ? check_manifest(rest) : check_archive(rest);
  return 0;
}
