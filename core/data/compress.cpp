// zstd at its fastest level.
#include "core/data/compress.h"

#include <zstd.h>

#include <algorithm>
#include <new>

namespace ts::data {

Compressor::Compressor() : context_(ZSTD_createCCtx()) {
  if (context_ == nullptr) throw std::bad_alloc();
  ZSTD_CCtx_setParameter(context_, ZSTD_c_compressionLevel, 1);
  ZSTD_CCtx_setParameter(context_, ZSTD_c_checksumFlag, 1);
}

Compressor::~Compressor() { ZSTD_freeCCtx(context_); }

std::span<const std::byte> Compressor::compress(std::span<const std::byte> data) {
  out_.resize(std::max(out_.size(), ZSTD_compressBound(data.size())));
  const std::size_t size = ZSTD_compress2(context_, out_.data(), out_.size(), data.data(), data.size());
  if (ZSTD_isError(size)) throw std::bad_alloc();  // with enough room, nothing else can go wrong
  return {out_.data(), size};
}

Decompressor::Decompressor() : context_(ZSTD_createDCtx()) {
  if (context_ == nullptr) throw std::bad_alloc();
}

Decompressor::~Decompressor() { ZSTD_freeDCtx(context_); }

std::optional<std::uint64_t> Decompressor::size_of(std::span<const std::byte> frame) {
  const unsigned long long size = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR) return {};
  return size;
}

bool Decompressor::decompress(std::span<const std::byte> frame, std::span<std::byte> out) {
  return size_of(frame) == out.size() &&
         ZSTD_decompressDCtx(context_, out.data(), out.size(), frame.data(), frame.size()) == out.size();
}

}  // namespace ts::data
