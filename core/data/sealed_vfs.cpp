#include "core/data/sealed_vfs.h"

#include <sqlite3.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "core/data/seal.h"

namespace ts::data {
namespace {

constexpr int kAskState = 0x50544F53;  // a file control of ours

sqlite3_vfs* below() { return sqlite3_vfs_find(nullptr); }

// What SQLite sees, followed in memory by the file of the system below it.
struct SealedFile {
  sqlite3_file base;
  struct More {
    std::optional<Seal> seal;
    SealedState state;
    std::vector<std::byte> blocks;
  } * more;

  sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};
static_assert(sizeof(SealedFile) % alignof(std::max_align_t) == 0);

SealedFile& self(sqlite3_file* file) { return *reinterpret_cast<SealedFile*>(file); }

bool read_below(sqlite3_file* real, std::uint64_t offset, std::span<std::byte> to) {
  constexpr std::size_t kMost = 1 << 30;
  while (!to.empty()) {
    const std::size_t size = std::min(to.size(), kMost);
    if (real->pMethods->xRead(real, to.data(), static_cast<int>(size), static_cast<sqlite3_int64>(offset)) != SQLITE_OK)
      return false;
    to = to.subspan(size);
    offset += size;
  }
  return true;
}

int read_sealed(SealedFile& file, std::span<std::byte> to, std::uint64_t offset) {
  const Seal& seal = *file.more->seal;
  const std::uint64_t begin = offset / Seal::kBlock * Seal::kBlock, end = offset + to.size();
  if (end > seal.bytes()) return SQLITE_IOERR_SHORT_READ;
  const std::uint64_t behind = std::min((end + Seal::kBlock - 1) / Seal::kBlock * Seal::kBlock, seal.bytes());
  file.more->blocks.resize(behind - begin);
  if (!read_below(file.real(), begin, file.more->blocks)) return SQLITE_IOERR_READ;
  for (std::uint64_t at = begin; at < behind; at += Seal::kBlock) {
    const auto block = std::span(file.more->blocks).subspan(at - begin);
    if (seal.holds(at, block.first(std::min(Seal::kBlock, block.size())))) continue;
    SealedState& state = file.more->state;
    if (!state.damaged) state.damaged_at = at;
    state.damaged = true;
    return SQLITE_IOERR_READ;
  }
  std::memcpy(to.data(), file.more->blocks.data() + (offset - begin), to.size());
  return SQLITE_OK;
}

int close_file(sqlite3_file* file) {
  delete self(file).more;
  return self(file).real()->pMethods->xClose(self(file).real());
}

int read_file_at(sqlite3_file* file, void* to, int size, sqlite3_int64 offset) {
  SealedFile& it = self(file);
  if (!it.more->seal) return it.real()->pMethods->xRead(it.real(), to, size, offset);
  const std::span bytes(static_cast<std::byte*>(to), static_cast<std::size_t>(size));
  const int status = read_sealed(it, bytes, static_cast<std::uint64_t>(offset));
  // SQLite's rule: what could not be read is zero.
  if (status != SQLITE_OK) std::ranges::fill(bytes, std::byte{0});
  return status;
}

int file_size(sqlite3_file* file, sqlite3_int64* size) {
  SealedFile& it = self(file);
  if (!it.more->seal) return it.real()->pMethods->xFileSize(it.real(), size);
  *size = static_cast<sqlite3_int64>(it.more->seal->bytes());
  return SQLITE_OK;
}

int control(sqlite3_file* file, int what, void* about) {
  if (what != kAskState) return self(file).real()->pMethods->xFileControl(self(file).real(), what, about);
  *static_cast<SealedState*>(about) = self(file).more->state;
  return SQLITE_OK;
}

int write_never(sqlite3_file*, const void*, int, sqlite3_int64) { return SQLITE_READONLY; }
int truncate_never(sqlite3_file*, sqlite3_int64) { return SQLITE_READONLY; }
int sync_nothing(sqlite3_file*, int) { return SQLITE_OK; }
int lock_nothing(sqlite3_file*, int) { return SQLITE_OK; }
int nobody_locks(sqlite3_file*, int* locked) {
  *locked = 0;
  return SQLITE_OK;
}
int sector_size(sqlite3_file* file) { return self(file).real()->pMethods->xSectorSize(self(file).real()); }
int device(sqlite3_file* file) { return self(file).real()->pMethods->xDeviceCharacteristics(self(file).real()); }

// Version 1: without memory maps, which would be read behind the seal's back.
constexpr sqlite3_io_methods kMethods = {
    .iVersion = 1,
    .xClose = close_file,
    .xRead = read_file_at,
    .xWrite = write_never,
    .xTruncate = truncate_never,
    .xSync = sync_nothing,
    .xFileSize = file_size,
    .xLock = lock_nothing,
    .xUnlock = lock_nothing,
    .xCheckReservedLock = nobody_locks,
    .xFileControl = control,
    .xSectorSize = sector_size,
    .xDeviceCharacteristics = device,
    .xShmMap = nullptr,
    .xShmLock = nullptr,
    .xShmBarrier = nullptr,
    .xShmUnmap = nullptr,
    .xFetch = nullptr,
    .xUnfetch = nullptr,
};

int open_file(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* flags_out) {
  SealedFile& it = self(file);
  it.base.pMethods = nullptr;
  it.more = nullptr;
  // No journals, and no files to sort in.
  if ((flags & SQLITE_OPEN_MAIN_DB) == 0) return SQLITE_CANTOPEN;
  sqlite3_file* real = it.real();
  const int status = below()->xOpen(below(), name, real, flags, flags_out);
  if (status != SQLITE_OK) return status;
  auto more = std::make_unique<SealedFile::More>();
  sqlite3_int64 size = 0;
  if (real->pMethods->xFileSize(real, &size) == SQLITE_OK)
    more->seal = Seal::of(static_cast<std::uint64_t>(size), [real](std::uint64_t offset, std::span<std::byte> to) {
      return read_below(real, offset, to);
    });
  more->state.sealed = more->seal.has_value();
  it.more = more.release();
  it.base.pMethods = &kMethods;
  return SQLITE_OK;
}

sqlite3_vfs made_file_system() {
  sqlite3_vfs system = *below();
  system.pNext = nullptr;
  system.zName = "tilescope-sealed";
  system.szOsFile += static_cast<int>(sizeof(SealedFile));
  system.xOpen = open_file;
  return system;
}

}  // namespace

const char* sealed_file_system() {
  static sqlite3_vfs system = made_file_system();
  static const int registered = sqlite3_vfs_register(&system, 0);
  return registered == SQLITE_OK ? system.zName : nullptr;
}

SealedState sealed_state(sqlite3* database) {
  SealedState state;
  sqlite3_file_control(database, "main", kAskState, &state);
  return state;
}

}  // namespace ts::data
