// The program that was open last, to be opened again as it was: what it was given, where one stood, what was selected.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <variant>
#include <vector>

#include "app/view/debug_view.h"
#include "app/window/desk/open_document.h"
#include "core/isa/refusal.h"

namespace ts::data {
class Fields;
}

namespace ts::ui {

// How it is run; and with where one stands in it.
nlohmann::json save_settings(const Launch& launch);
nlohmann::json save_program(const Launch& launch, const DebugView& view);
// Of either. Arrays that cannot be read any more are left out, and `problems` says so.
std::variant<Launch, Refusal> load_program(const data::Fields& saved, std::vector<std::string>& problems);

}  // namespace ts::ui
