// Names of what stops are about.
#include "core/debug/session/stops.h"

namespace ts {

const char* name(Touch touch) {
  switch (touch) {
    case Touch::Write: return "write";
    case Touch::Change: return "change";
    case Touch::Read: break;
  }
  return "read";
}

const char* name(Stopped::Reason reason) {
  switch (reason) {
    case Stopped::Reason::Rule: return "breakpoint";
    case Stopped::Reason::End: return "end";
    case Stopped::Reason::Start: return "start";
    case Stopped::Reason::Error: return "error";
    case Stopped::Reason::Interrupted: return "interrupted";
    case Stopped::Reason::Failed: return "failed";
    case Stopped::Reason::Done: break;
  }
  return "step";
}

}  // namespace ts
