// What a user set in a program, kept for the next time it is opened. By the text's hash, so that it stays with the program
// wherever its file goes, and is not put into another one.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "app/view/debug_view.h"
#include "app/view/document.h"
#include "core/debug/session/kept_work.h"

namespace ts::ui {

KeptWork work_of(const Standing& standing);

// Below the folder of the user's state; empty where there is none.
std::string work_path(const std::string& folder, const Document& document);

}  // namespace ts::ui
