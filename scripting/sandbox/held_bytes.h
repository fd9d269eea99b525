// What a script holds outside of Lua, in all. Threads of the window let go of things, too.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

namespace ts::scripting {

using HeldBytes = std::shared_ptr<std::atomic<std::size_t>>;

}  // namespace ts::scripting
