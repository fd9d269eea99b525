// The tag machine: the run machine five times. Once on the values; four times on the planes of the tags, byte 0 to 3 of the
// tag of every byte, with the same value functions. So whatever moves a value moves its origin, and neither can be wrong
// alone. Only where values are computed or chosen does this machine make nodes of its own.
#pragma once

#include "core/engine/tag/tag_products.h"

namespace ts {

class TagCore : public TagProducts {
 public:
  void micro(const MicroOp&, DType, std::initializer_list<TraceArg>) override {}
  void repeat() override {}
  void made(AnyReg&, DType) override {}
  void made(AnyPred&) override {}
  void hide(std::uint32_t) override {}

 protected:
  using TagProducts::TagProducts;
  ~TagCore() = default;
};

}  // namespace ts
