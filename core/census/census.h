// Counts over many program texts: operations, types, which texts run, and what keeps the others from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/compile/open.h"

namespace ts {

enum class Verdict : std::uint8_t {
  Runs,         // legal, and all of its operations are emulated
  NotEmulated,  // legal, and some are not
  Refused,      // an error was found before the first step
};
inline constexpr int kVerdicts = 3;
const char* name(Verdict verdict);  // "runs", "not emulated", "refused"

struct CensusFile {
  std::string name;
  Verdict verdict = Verdict::Runs;
  std::vector<std::string> missing = {};  // operations that are not emulated, sorted
  std::string rule = {}, text = {};       // of the first error
  std::uint32_t line = 0;
};

struct CensusCount {
  std::uint64_t files = 0, uses = 0;
};

// An operation of the table; an old name counts as the one that is used now.
struct CensusOperation {
  std::string name;   // with its dialect; of one that nobody knows as it is written
  std::string group;  // "unknown" where nobody knows it
  CensusCount count = {};
  bool emulated = false;
  std::uint64_t stops = 0;  // legal files that do not run because of it, among others
  std::uint64_t alone = 0;  // those that nothing else keeps from running
};

struct CensusType {
  std::string name;  // "tile of f32"
  CensusCount count = {};
};

// What would be gained if it were emulated.
struct CensusMissing {
  std::string name;
  std::uint64_t stops = 0, alone = 0;
  std::uint64_t run_then = 0;  // files that run once this one and all before it are emulated
};

class Census {
 public:
  // Without a target a text runs on the one that its module names, or on either. False: `go_on` ended it, and the text is
  // not counted.
  bool add(std::string file, std::string text, std::optional<Target> target, const std::function<bool()>& go_on);

  const std::vector<CensusFile>& files() const { return files_; }
  std::uint64_t count(Verdict verdict) const;
  // The most common first.
  std::vector<CensusOperation> operations() const;
  std::vector<CensusType> types() const;
  // In the order in which they are best emulated: each time the one with which most files come to run.
  std::vector<CensusMissing> missing() const;
  // Rules of first errors, with the files they refuse: the most common first.
  std::vector<CensusType> refusals() const;

 private:
  struct Tally {
    CensusCount count = {};
    std::uint64_t last_file = 0;  // from 1
    void add(std::uint64_t file);
  };
  void count_operations(const text::Tree& tree);
  void count_types(const text::Tree& tree);
  void count_types(const text::Tree& tree, std::span<const text::Item> items);

  std::vector<CensusFile> files_;
  std::map<std::string, Tally> operations_, types_;  // by name
};

}  // namespace ts
