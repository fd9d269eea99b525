// What a main on the host does to the device's memory, and how what it finds wrong is told.
#pragma once

#include <cstdint>
#include <cstdio>

#include "border.h"

extern "C" {
// Places are those of ts_site. Null: there is no room.
void* ts_device_allocate(std::uint32_t site, std::uint64_t bytes);
// 0: the pointer is not the beginning of memory that was allocated.
int ts_device_free(const void* pointer);
// Out of the device's memory where `to_host` is given; else into it, the bytes from there or all of one value. 0: it is not
// the device's, which is told.
int ts_device_copy(std::uint32_t site, void* to_host, const void* from_host, int filler, void* there,
                   std::uint64_t bytes);
// What was started is done: what comes next is another launch.
void ts_synchronise(void);
void ts_wrong(ts_border::WrongKind kind, std::uint32_t site, const char* text);
// The entry of a program that has a main.
void ts_start_main(const std::uint64_t*);
void ts_describe_main(std::FILE*);
}
