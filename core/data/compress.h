// Bytes made smaller and back (zstd).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace ts::data {

// Keeps what it works with, so that many small pieces go fast.
class Compressor {
 public:
  Compressor();
  ~Compressor();
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;
  // With a checksum. Valid until the next call.
  std::span<const std::byte> compress(std::span<const std::byte> data);

 private:
  ZSTD_CCtx_s* context_;
  std::vector<std::byte> out_;
};

class Decompressor {
 public:
  Decompressor();
  ~Decompressor();
  Decompressor(const Decompressor&) = delete;
  Decompressor& operator=(const Decompressor&) = delete;
  // How long the data are, by what their frame says; nothing where it is none, or does not say.
  static std::optional<std::uint64_t> size_of(std::span<const std::byte> frame);
  // False: damaged, or not exactly as long as `out`.
  bool decompress(std::span<const std::byte> frame, std::span<std::byte> out);

 private:
  ZSTD_DCtx_s* context_;
};

}  // namespace ts::data
