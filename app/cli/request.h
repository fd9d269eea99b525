// What `tilescope run` is asked to do, with its files read.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/arrays.h"
#include "app/cli/commands.h"
#include "app/cli/report/printed_report.h"
#include "app/cli/report/report.h"
#include "core/compile/open.h"

namespace ts {

struct Request {
  OpenRequest open;
  std::map<std::string, ArrayFile> files;      // by input
  std::map<std::string, std::string> outputs;  // name to path
  ReportOptions show;
  std::vector<PrintWish> prints;
};

// Nothing: it makes no sense or a file cannot be read, and stderr says why.
std::optional<Request> read_request(const RunArguments& arguments);

}  // namespace ts
