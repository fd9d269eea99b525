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
#include "core/cases/open.h"

namespace ts {

struct Request {
  OpenRequest open;
  std::map<std::string, ArrayFile> files;      // by input
  std::map<std::string, std::string> outputs;  // name to path
  ReportOptions show;
  std::vector<PrintWish> prints;
  std::map<std::string, cases::ArrayType> types;  // of arrays of the case, by input or output
};

// Nothing: it makes no sense or a file cannot be read, and stderr says why.
// What the command line says is put over what the case says; null: it is no case.
std::optional<Request> read_request(const RunArguments& arguments, const cases::Folder* folder = nullptr);

}  // namespace ts
