// Folders whose C++ files the user lets run when they are opened.
#pragma once

#include <string>

namespace ts::ui {

// Whether the folder of this file, or one above it, is one of them.
bool is_trusted(const std::string& file);
void trust_folder_of(const std::string& file);

}  // namespace ts::ui
