// Writing on where the system stopped.
#include "core/data/descriptor.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

namespace ts::data {

bool write_fully(int descriptor, std::span<const std::byte> from) {
  while (!from.empty()) {
    const ssize_t count = ::write(descriptor, from.data(), from.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) {  // somebody else made it so that it does not wait
      pollfd until{.fd = descriptor, .events = POLLOUT, .revents = 0};
      ::poll(&until, 1, -1);
      continue;
    }
    if (count < 0) return false;
    from = from.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace ts::data
