// A sample that ran: what its inputs were and what it left.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/inspector.h"
#include "core/record/recording.h"
#include "tests/support/text/open_text.h"

namespace ts::test {

std::string sample_text(std::string_view name);

class SampleRun {
 public:
  SampleRun(const std::string& name, Target target, const OpenRequest& request = {});

  Target target() const { return target_; }
  const Recording& recording() const { return *recording_; }
  // Element i of an input as it was given, and of a buffer as it was left.
  double in(std::string_view buffer, std::uint32_t i) const;
  double left(std::string_view buffer, std::uint32_t i) const;
  bool written(std::string_view buffer, std::uint32_t i) const;
  // Bit i of the mask bytes from `first` on, lowest first.
  bool bit(std::string_view buffer, std::uint32_t first, std::uint32_t i) const;
  std::uint32_t first_step(std::string_view instruction) const;
  bool uses(std::string_view instruction, std::string_view micro_op) const;
  // Where element (row, col) of the instruction's first result came from.
  std::vector<Source> sources(std::string_view instruction, std::uint32_t row, std::uint32_t col) const;

 private:
  ByteRange place_of(std::string_view buffer, std::uint32_t i) const;

  Target target_;
  std::unique_ptr<Recording> recording_;
};

}  // namespace ts::test
