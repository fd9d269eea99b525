// Fuzz target: any bytes as a .npy file. What is read must be as long as its shape says and no longer than the file, must
// read the same once written and read again, and what is refused must say why.
#include <cstdint>
#include <cstdlib>
#include <span>

#include "core/data/npy.h"
#include "core/data/npy_header.h"

namespace {

using namespace ts::data;

void require(bool good) {
  if (!good) std::abort();
}

void check_array(const Array& array, std::size_t file_size) {
  std::uint64_t bytes = item_bytes(array.type);
  require(bytes != 0);
  for (const std::uint64_t dimension : array.shape) bytes *= dimension;
  require(array.bytes.size() == bytes);
  require(array.bytes.size() < file_size);
  const auto back = parse_npy(format_npy(array), "back");
  require(std::holds_alternative<Array>(back));
  const Array& same = std::get<Array>(back);
  require(same.type == array.type && same.shape == array.shape && same.bytes == array.bytes);
}

void check_error(const Error& error) {
  constexpr std::size_t kLongestText = 2000;  // a shape may have 64 dimensions
  require(error.text.starts_with("fuzz.npy: "));
  require(error.text.size() < kLongestText);
  for (const char c : error.text) require(c >= 0x20 && c < 0x7F);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto result = parse_npy(std::as_bytes(std::span(data, size)), "fuzz.npy");
  if (const auto* array = std::get_if<Array>(&result)) {
    check_array(*array, size);
  } else {
    check_error(std::get<Error>(result));
  }
  return 0;
}
