// What a file in the trace event format has to be like, so that viewers take it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ts::test {

// Every event with the fields of its kind and no others, sorted by time; events of a track inside each other or apart;
// every track named; every flow with one start and one end. Empty: it is so; else what is wrong, at most a few.
std::vector<std::string> trace_errors(const nlohmann::json& trace);

}  // namespace ts::test
