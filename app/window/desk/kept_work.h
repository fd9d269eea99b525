// What a user set in a program, kept for the next time it is opened. By the text's hash, so that it stays with the program
// wherever its file goes, and is not put into another one; and by the file's path the text that it held last, so that what was
// set follows when the file is edited.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "app/view/debug_view.h"
#include "app/view/document.h"
#include "core/debug/follow/follow_work.h"
#include "core/debug/session/kept_work.h"

namespace ts::ui {

KeptWork work_of(const Standing& standing);

// Below the folder of the user's state; empty where there is none.
std::string work_path(const std::string& folder, const Document& document);

// What was set when the file held another text; nothing: it holds the text that it held then, or nobody knows.
std::optional<LeftWork> left_in_file(const std::string& folder, const Document& document);
// `work` as it goes into the file, with what follows it into other texts. False: it could not be written.
bool write_work(const std::string& folder, const Document& document, nlohmann::json work, const KeptWork& set);

}  // namespace ts::ui
