// A recording, and messages, as JSON for programs.
#pragma once

#include <cstdint>
#include <cstdio>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/files/source_texts.h"
#include "core/program/inputs.h"
#include "core/program/source_map.h"
#include "core/record/inspector.h"
#include "core/text/source.h"

namespace ts {

// Where an instruction came from, its call sites behind it: an array of file, line, the line's text without its indentation
// (null: it was not found), and whether it may be another one by now.
nlohmann::ordered_json origin_json(const SourceMap& map, std::uint32_t instruction, SourceTexts& sources);

struct JsonExtras {
  // As JSON; empty: there are none.
  std::string goldens = {};  // what came of them
  std::string printed = {};  // what was asked to be printed
  std::string exact = {};    // what double precision says of it
  std::string profile = {};  // where its time goes
  std::string edited = {};   // what was changed by hand, and the first step that differs
  bool trace = false;        // every step with its micro-operations, with registers and predicates
  bool by_source = false;    // visits to lines of sources in place of steps
};
// One object, written step by step: a recording may have millions.
void print_json_report(std::FILE* out, const Recording& recording, const std::vector<InputSource>& inputs,
                       const Diagnostics& told, SourceTexts& sources, const JsonExtras& extras);
// The same object for a program that could not start.
void print_json_refusal(std::FILE* out, const std::string& program, const Diagnostics& told,
                        const text::Source& source);

// A message with the file it is about and the targets that it holds for.
struct FileDiagnostic {
  std::string file;
  std::vector<std::string> targets;
  Diagnostic diagnostic;
  std::optional<std::uint32_t> step = {};  // of what was found in a run
  std::string element = {};                // "t2[1,5]"
};
// An array of objects: file, line, column, span, severity, rule, kind, operand, text, expected, hint, notes, targets, and
// of what was found in a run step and element.
std::string json_diagnostics(const std::vector<FileDiagnostic>& diagnostics);

}  // namespace ts
