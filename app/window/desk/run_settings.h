// How the program that is open is run, and how it is to be run next: the draft, which is checked before anything runs, and
// setups by name beside the program.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/window/desk/beside.h"
#include "app/window/desk/open_document.h"
#include "app/window/desk/walk.h"
#include "core/cases/setup_check.h"
#include "core/cases/setup_file.h"

namespace ts::ui {

// How a launch runs its program, with its arrays by their paths.
cases::Setup setup_of(const Launch& launch);
// The same program run like that; reads the arrays. Goldens and where the program stands stay.
std::variant<Launch, Refusal> launch_with(const Launch& base, const cases::Setup& setup,
                                          const std::function<bool()>& go_on = {});

class RunSettings {
 public:
  RunSettings(Walk& walk, const Launch& launch, std::function<void()> wake)
      : walk_(walk), launch_(launch), beside_(std::move(wake)) {}

  // Something else is open. `runs`: it is a program that can be run in another way. `again`: what was open before, so that
  // a draft stays.
  void begin(bool runs, bool again);
  bool can_run() const { return runs_; }
  const cases::Setup& running() const { return running_; }

  // --- the draft ---
  const cases::Setup& draft() const { return draft_; }
  bool changed() const { return !(draft_ == running_); }
  void set(cases::Setup draft);
  // As the rows of setups call it: "target", "arrays"; a name for those that have one. Empty values take it away. Nothing: it
  // was done.
  std::optional<Refusal> set(const std::string& key, const std::string& name, const std::string& value);
  // A file for an input; without a name the one that it is called like, else the only one that it fits. Refused: nobody
  // can say which is meant, and `waiting_file` is it.
  std::optional<Refusal> bind_file(const std::string& path, std::string name);
  const std::string& waiting_file() const { return waiting_file_; }
  // What is known of the draft; null: it is still looked at.
  const cases::SetupCheck* check() const { return checked_ && checked_->first == draft_ ? &checked_->second : nullptr; }
  // The newest there is, of an older draft too, so that rows do not go away while they are looked at; null: none.
  const cases::SetupCheck* last_check() const { return checked_ ? &checked_->second : nullptr; }
  // Looks at files and program once more, in a thread of its own.
  void look();
  Beside& beside() { return beside_; }
  const Beside& beside() const { return beside_; }

  // --- setups beside the program ---
  // In the order of their names; read again where something changed them here.
  const std::vector<std::string>& names();
  void load(const std::string& name, cases::SetupFiles files);
  void save(const std::string& name);
  void remove(const std::string& name);
  // The one that was loaded or saved last; and one whose files lie outside, which somebody has to allow.
  const std::string& loaded() const { return loaded_; }
  const std::string& outside() const { return outside_; }

 private:
  const std::string& program() const { return walk_.view().document()->path; }
  bool has_file();
  bool tell(const data::Error& error);

  Walk& walk_;
  const Launch& launch_;
  bool runs_ = false;
  cases::Setup running_, draft_;
  std::optional<std::pair<cases::Setup, cases::SetupCheck>> checked_;
  std::string waiting_file_, loaded_, outside_;
  std::optional<std::vector<std::string>> names_;
  Beside beside_;
};

}  // namespace ts::ui
