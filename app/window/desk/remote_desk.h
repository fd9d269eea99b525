// Requests from outside of the window, carried out one after the other as if somebody typed them.
#pragma once

#include "app/remote/listener.h"
#include "app/window/desk/desk.h"

namespace ts::ui {

class RemoteDesk {
 public:
  RemoteDesk(Desk& desk, remote::Listener& listener) : desk_(desk), listener_(listener) {}
  // What came since. True: there was something.
  bool take_in();

 private:
  Desk& desk_;
  remote::Listener& listener_;
};

}  // namespace ts::ui
