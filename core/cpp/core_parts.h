// What a source says of the cores that run it: parts for the cube core and for vector cores, behind macros.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/isa/target.h"
#include "core/program/program.h"

namespace ts::cpp {

struct CoresOfSource {
  bool two_kinds = false;      // it has parts for the cube core
  bool second_vector = false;  // of a5: it asks which vector core it is, or shares entries of queues between two
  bool meet = false;           // cores of all blocks wait for each other
  void add(const CoresOfSource& other);
};
CoresOfSource cores_of_source(std::string_view text);
// Those that a program of such a source runs on.
void set_cores(Program& program, const CoresOfSource& cores);

// The macros by which a source knows for which kind of core it is compiled, with their values: "DAV_CUBE=0". Those of a
// kernel that has one kind of core only where they are used, since they hide code.
std::vector<std::string> core_macros(std::string_view text, bool a5, CoreKind kind);

}  // namespace ts::cpp
