// The calls by which a main on the host drives the device, as far as TileScope emulates them. Kernels run when they are
// called, so that streams and events have nothing to wait for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "../tilescope/call.h"
#include "../tilescope/host.h"

using aclError = int;
using aclrtStream = void*;
using aclrtContext = void*;
using aclrtEvent = void*;

constexpr aclError ACL_SUCCESS = 0, ACL_ERROR_NONE = 0, ACL_ERROR_INVALID_PARAM = 100000,
                   ACL_ERROR_RT_MEMORY_ALLOCATION = 207001;

enum aclrtMemMallocPolicy {
  ACL_MEM_MALLOC_HUGE_FIRST,
  ACL_MEM_MALLOC_HUGE_ONLY,
  ACL_MEM_MALLOC_NORMAL_ONLY,
  ACL_MEM_MALLOC_HUGE_FIRST_P2P,
  ACL_MEM_MALLOC_HUGE_ONLY_P2P,
  ACL_MEM_MALLOC_NORMAL_ONLY_P2P
};
enum aclrtMemcpyKind {
  ACL_MEMCPY_HOST_TO_HOST,
  ACL_MEMCPY_HOST_TO_DEVICE,
  ACL_MEMCPY_DEVICE_TO_HOST,
  ACL_MEMCPY_DEVICE_TO_DEVICE
};

namespace tilescope {

inline aclError ok(bool done) { return done ? ACL_SUCCESS : ACL_ERROR_INVALID_PARAM; }

// Something that has an address, for handles.
inline aclError make_handle(void** handle) {
  static char one;
  if (handle != nullptr) *handle = &one;
  return ok(handle != nullptr);
}

inline aclError allocate(void** pointer, std::size_t bytes, const Where& where) {
  if (pointer == nullptr || bytes == 0) return ACL_ERROR_INVALID_PARAM;
  *pointer = ts_device_allocate(site_of("aclrtMalloc", where), bytes);
  return *pointer != nullptr ? ACL_SUCCESS : ACL_ERROR_RT_MEMORY_ALLOCATION;
}

inline aclError copy(const char* op, void* to, std::size_t room, const void* from, std::size_t bytes,
                     aclrtMemcpyKind kind, const Where& where) {
  const std::uint32_t site = site_of(op, where);
  if (to == nullptr || from == nullptr || bytes > room) {
    ts_wrong(ts_border::WrongKind::Call, site,
             bytes > room ? "more bytes are copied than there is room for" : "a pointer is null");
    return ACL_ERROR_INVALID_PARAM;
  }
  switch (kind) {
    case ACL_MEMCPY_HOST_TO_HOST: std::memmove(to, from, bytes); return ACL_SUCCESS;
    case ACL_MEMCPY_HOST_TO_DEVICE: return ok(ts_device_copy(site, nullptr, from, 0, to, bytes));
    case ACL_MEMCPY_DEVICE_TO_HOST: return ok(ts_device_copy(site, to, nullptr, 0, const_cast<void*>(from), bytes));
    case ACL_MEMCPY_DEVICE_TO_DEVICE: break;
  }
  void* const between = std::malloc(bytes == 0 ? 1 : bytes);
  const bool done = between != nullptr && ts_device_copy(site, between, nullptr, 0, const_cast<void*>(from), bytes) &&
                    ts_device_copy(site, nullptr, between, 0, to, bytes);
  std::free(between);
  return ok(done);
}

inline aclError fill(const char* op, void* to, std::size_t room, int value, std::size_t bytes, const Where& where) {
  const std::uint32_t site = site_of(op, where);
  if (bytes <= room) return ok(ts_device_copy(site, nullptr, nullptr, value, to, bytes));
  ts_wrong(ts_border::WrongKind::Call, site, "more bytes are set than there is room for");
  return ACL_ERROR_INVALID_PARAM;
}

inline aclError synchronise() {
  ts_synchronise();
  return ACL_SUCCESS;
}

}  // namespace tilescope

inline aclError aclInit(const char*) { return ACL_SUCCESS; }
inline aclError aclFinalize() { return ACL_SUCCESS; }
inline const char* aclGetRecentErrMsg() { return ""; }

inline aclError aclrtSetDevice(std::int32_t) { return ACL_SUCCESS; }
inline aclError aclrtResetDevice(std::int32_t) { return ACL_SUCCESS; }
inline aclError aclrtGetDevice(std::int32_t* device) { return *device = 0, ACL_SUCCESS; }
inline aclError aclrtGetDeviceCount(std::uint32_t* count) { return *count = 1, ACL_SUCCESS; }
inline aclError aclrtCreateContext(aclrtContext* context, std::int32_t) { return tilescope::make_handle(context); }
inline aclError aclrtSetCurrentContext(aclrtContext) { return ACL_SUCCESS; }
inline aclError aclrtDestroyContext(aclrtContext) { return ACL_SUCCESS; }

inline aclError aclrtCreateStream(aclrtStream* stream) { return tilescope::make_handle(stream); }
inline aclError aclrtCreateStreamWithConfig(aclrtStream* stream, std::uint32_t, std::uint32_t) {
  return tilescope::make_handle(stream);
}
inline aclError aclrtDestroyStream(aclrtStream) { return ACL_SUCCESS; }
inline aclError aclrtSynchronizeStream(aclrtStream) { return tilescope::synchronise(); }
inline aclError aclrtSynchronizeStreamWithTimeout(aclrtStream, std::int32_t) { return tilescope::synchronise(); }
inline aclError aclrtSynchronizeDevice() { return tilescope::synchronise(); }
inline aclError aclrtCreateEvent(aclrtEvent* event) { return tilescope::make_handle(event); }
inline aclError aclrtDestroyEvent(aclrtEvent) { return ACL_SUCCESS; }
inline aclError aclrtRecordEvent(aclrtEvent, aclrtStream) { return ACL_SUCCESS; }
inline aclError aclrtStreamWaitEvent(aclrtStream, aclrtEvent) { return ACL_SUCCESS; }
inline aclError aclrtSynchronizeEvent(aclrtEvent) { return tilescope::synchronise(); }

inline aclError aclrtMalloc(void** pointer, std::size_t bytes, aclrtMemMallocPolicy = ACL_MEM_MALLOC_HUGE_FIRST,
                            tilescope::Where where = tilescope::Where::here()) {
  return tilescope::allocate(pointer, bytes, where);
}
inline aclError aclrtFree(void* pointer) {
  return pointer == nullptr ? ACL_SUCCESS : tilescope::ok(ts_device_free(pointer));
}
inline aclError aclrtMallocHost(void** pointer, std::size_t bytes) {
  if (pointer == nullptr || bytes == 0) return ACL_ERROR_INVALID_PARAM;
  *pointer = std::calloc(1, bytes);
  return *pointer != nullptr ? ACL_SUCCESS : ACL_ERROR_RT_MEMORY_ALLOCATION;
}
inline aclError aclrtFreeHost(void* pointer) { return std::free(pointer), ACL_SUCCESS; }

inline aclError aclrtMemcpy(void* to, std::size_t room, const void* from, std::size_t bytes, aclrtMemcpyKind kind,
                            tilescope::Where where = tilescope::Where::here()) {
  return tilescope::copy("aclrtMemcpy", to, room, from, bytes, kind, where);
}
inline aclError aclrtMemcpyAsync(void* to, std::size_t room, const void* from, std::size_t bytes, aclrtMemcpyKind kind,
                                 aclrtStream, tilescope::Where where = tilescope::Where::here()) {
  return tilescope::copy("aclrtMemcpyAsync", to, room, from, bytes, kind, where);
}
inline aclError aclrtMemset(void* to, std::size_t room, std::int32_t value, std::size_t bytes,
                            tilescope::Where where = tilescope::Where::here()) {
  return tilescope::fill("aclrtMemset", to, room, value, bytes, where);
}
inline aclError aclrtMemsetAsync(void* to, std::size_t room, std::int32_t value, std::size_t bytes, aclrtStream,
                                 tilescope::Where where = tilescope::Where::here()) {
  return tilescope::fill("aclrtMemsetAsync", to, room, value, bytes, where);
}

inline float aclFloat16ToFloat(aclFloat16 value) { return value; }
inline aclFloat16 aclFloatToFloat16(float value) { return aclFloat16(value); }
