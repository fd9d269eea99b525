// What a command is asked for, where a folder may stand for a program: a case, with its arrays (core/cases).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/request.h"
#include "core/cases/bind.h"

namespace ts {

struct CaseRun {
  RunArguments arguments;  // of a case: about its program
  Request request;
  std::shared_ptr<const std::vector<cases::Golden>> goldens = {};  // null: it is no case
};

// The request of the first file or folder that is named. Nothing: it makes no sense, and stderr says why.
std::optional<CaseRun> read_case(const RunArguments& arguments);

}  // namespace ts
