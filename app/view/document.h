// What is open: a program's text, what is said about it, and its recording. Never changed: opening again makes another.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/files/hint.h"
#include "core/compile/open.h"
#include "core/learn/lesson.h"
#include "core/record/recording_file.h"

namespace ts::ui {

struct Document {
  std::string name;                       // "complex_split.pto"
  std::string path = {};                  // empty: a sample
  std::vector<std::string> made_of = {};  // of a kernel in C++: all files that it is read from
  std::shared_ptr<const text::Tree> tree = {};
  std::string entry = {};  // the function that was run
  std::vector<std::string> entries = {};
  Diagnostics diagnostics = {};                     // of the text and of opening it
  std::shared_ptr<const Recording> recording = {};  // null: it cannot run, and the diagnostics say why
  // Of a kernel in C++: opening runs its code, and nobody said yet that it may.
  bool asks_to_run = false;
  ShowHint hint = {};
  // As far as it was recorded when the program ended before. True: its file has another text by now.
  std::optional<bool> cut_off = {};
  std::optional<RecordingFile> file = {};  // of a recording that was opened, and did not run now
  // Of a lesson: without its functions, which belong to the session's thread; and the hash of its text.
  std::shared_ptr<const learn::Lesson> lesson = {};
  std::string lesson_hash = {};
  // Of a fork: the run that it came from, and what was changed in it by hand.
  std::shared_ptr<const Document> base = {};
  std::vector<std::string> edits = {};

  // Of the files that the program came from, where a file of a recording keeps them.
  std::map<std::string, std::string> source_sums() const {
    if (base != nullptr) return base->source_sums();
    return file ? file->facts.sources : std::map<std::string, std::string>();
  }
};

}  // namespace ts::ui
