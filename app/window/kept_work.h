// What a user set in a program, kept for the next time it is opened: breakpoints, watches, bookmarks. By the text's
// hash, so that it stays with the program wherever its file goes, and is not put into another one.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/view/debug_view.h"
#include "app/view/document.h"
#include "core/debug/session.h"

namespace ts::ui {

struct KeptWork {
  Moment moment = {};
  std::vector<StopEntry> stops = {};  // without those that ask a script
  std::vector<std::string> watches = {};
  std::map<std::string, std::uint32_t> bookmarks = {};
};

KeptWork work_of(const Standing& standing);
// Stops that can never fire there are left out: their refusals are added to `lost`.
void put_into(Session& session, const KeptWork& work, std::vector<std::string>& lost);

// The moment is not kept: a program opens where its author, or its beginning, is.
nlohmann::json save_work(const KeptWork& work);
// What cannot be read is left out.
KeptWork load_work(const nlohmann::json& saved);

// Below the folder of the user's state; empty where there is none.
std::string work_path(const std::string& folder, const Document& document);

}  // namespace ts::ui
