// Drawing the sheet. It changes nothing itself: every change is a command.
#include "app/window/dialogs/run_sheet.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "app/draw/look.h"
#include "app/draw/text.h"
#include "app/view/key_hints.h"
#include "app/view/targets.h"
#include "core/data/made/made_up.h"

namespace ts::ui {
namespace {

using cases::InputForm;
using cases::Setup;
using cases::SetupRow;

// In the first frame of a list it does not stand where it will.
void note_item(const std::string& name) {
  if (targets_wanted() && !ImGui::IsWindowAppearing())
    note_target("sheet/" + name, {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()});
}

void heading(const char* text) {
  ImGui::Dummy({0, look().px(2)});
  const WithFont bold(look().fonts.bold);
  ImGui::TextUnformatted(text);
}

// A choice in a list; the first entry takes back what was said. Nothing: nobody chose.
std::optional<std::string> draw_choice(const std::string& id, const std::string& said, const char* usual,
                                       const std::vector<std::string>& values, float wide) {
  std::optional<std::string> chosen;
  ImGui::SetNextItemWidth(wide);
  if (said.empty()) ImGui::PushStyleColor(ImGuiCol_Text, tint(look().theme->text_quiet));
  const bool open = ImGui::BeginCombo(("##" + id).c_str(), said.empty() ? usual : said.c_str());
  if (said.empty()) ImGui::PopStyleColor();
  note_item(id);
  if (!open) return {};
  if (ImGui::Selectable(usual, said.empty())) chosen = "";
  note_item(id + "/usual");
  for (const std::string& value : values) {
    if (ImGui::Selectable(value.c_str(), said == value)) chosen = value;
    note_item(id + "/" + value);
  }
  ImGui::EndCombo();
  return chosen == said ? std::nullopt : chosen;
}

std::vector<std::string> values_in(std::string_view list) {
  std::vector<std::string> values;
  while (!list.empty()) {
    const std::size_t bar = list.find('|');
    values.emplace_back(list.substr(0, bar));
    list.remove_prefix(bar == std::string_view::npos ? list.size() : bar + 1);
  }
  return values;
}

std::string said_of(const std::map<std::string, std::string>& all, const std::string& name) {
  const auto found = all.find(name);
  return found == all.end() ? "" : found->second;
}

bool is_array(const InputForm& form) { return form.kind != ProgramInput::Kind::Scalar; }

// The first thing that is wrong with the draft; empty: it fits, or nobody knows yet.
std::string first_wrong(const RunSettings& settings) {
  const cases::SetupCheck* check = settings.check();
  if (check == nullptr) return "";
  if (check->refused) return check->refused->text;
  return check->wrong.empty() ? "" : check->wrong.begin()->second.text;
}

}  // namespace

void RunSheet::open(const std::string& part) {
  open_ = appearing_ = true;
  part_ = part;
  typed_.clear();
}

void RunSheet::reveal(const std::string& part) {
  if (part_ != part) return;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddRectFilled({at.x - look().px(6), at.y + look().px(3)},
                                            {at.x - look().px(3), at.y + ImGui::GetFrameHeight() - look().px(3)},
                                            ink(look().theme->accent));
  if (appearing_) ImGui::SetScrollHereY(0.3f);
}

bool RunSheet::draw_field(const std::string& id, const std::string& said, const char* usual, float wide,
                          std::string& out) {
  const auto typing = typed_.find(id);
  std::string text = typing == typed_.end() ? said : typing->second;
  ImGui::SetNextItemWidth(wide);
  const bool entered =
      ImGui::InputTextWithHint(("##" + id).c_str(), usual, &text, ImGuiInputTextFlags_EnterReturnsTrue);
  note_item(id);
  if (ImGui::IsItemActive()) {
    typed_[id] = text;
    if (!entered) return false;
  }
  const bool left = typing != typed_.end() && !ImGui::IsItemActive();
  if (!entered && !left) return false;
  typed_.erase(id);
  out = text;
  return text != said;
}

void RunSheet::draw(Desk& desk, const Rect& area, CommandQueue& out) {
  RunSettings& settings = desk.settings();
  if (!settings.can_run()) open_ = false;
  if (!open_) return;
  const float wide = std::min(look().px(900), area.width() - look().px(16));
  ImGui::SetNextWindowPos({area.min.x + look().px(4), area.min.y});
  ImGui::SetNextWindowSizeConstraints({wide, 0}, {wide, area.height() - look().px(8)});
  if (appearing_) ImGui::SetNextWindowFocus();
  ImGui::PushStyleColor(ImGuiCol_WindowBg, tint(look().theme->pane));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look().px(12), look().px(8)});
  if (ImGui::Begin("How it runs", &open_,
                   ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoMove |
                       ImGuiWindowFlags_AlwaysAutoResize)) {
    draw_setups(settings, out);
    draw_singles(settings, *desk.view().document(), out);
    draw_inputs(settings, out);
    draw_options(settings, out);
    draw_end(settings, out);
  }
  if (targets_wanted()) {
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    note_target("sheet/whole", {at, {at.x + size.x, at.y + size.y}});
  }
  ImGui::End();
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor();
  appearing_ = false;
}

// --- setups by name ---

void RunSheet::draw_setups(RunSettings& settings, CommandQueue& out) {
  const std::vector<std::string>& names = settings.names();
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted("Setup");
  ImGui::SameLine();
  ImGui::SetNextItemWidth(look().px(180));
  const std::string now =
      settings.loaded().empty() ? (names.empty() ? "none saved yet" : "choose one") : settings.loaded();
  const bool open = ImGui::BeginCombo("##setups", now.c_str());
  note_item("setups");
  if (open) {
    for (const std::string& name : names) {
      if (ImGui::Selectable(name.c_str(), name == settings.loaded())) out.push("loadSetup", {name}), name_ = name;
      note_item("setups/" + name);
    }
    ImGui::EndCombo();
  }
  if (!settings.outside().empty()) {
    ImGui::SameLine();
    if (ImGui::Button("Read files outside of its folder")) out.push("loadSetup", {settings.outside(), std::int64_t{1}});
    note_item("outside");
  }
  ImGui::SameLine(0, look().px(24));
  ImGui::SetNextItemWidth(look().px(160));
  ImGui::InputTextWithHint("##name", "a name", &name_);
  note_item("name");
  ImGui::SameLine();
  ImGui::BeginDisabled(!cases::wrong_setup_name(name_).empty());
  if (ImGui::Button("Save")) out.push("saveSetup", {name_});
  note_item("save");
  ImGui::SameLine();
  const bool is_there = std::ranges::find(names, name_) != names.end();
  ImGui::BeginDisabled(!is_there);
  if (ImGui::Button("Delete")) out.push("deleteSetup", {name_});
  note_item("delete");
  ImGui::EndDisabled();
  ImGui::EndDisabled();
}

// --- what is said once ---

void RunSheet::draw_single(const RunSettings& settings, const Document& document, const SetupRow& row,
                           CommandQueue& out) {
  const std::string& said = settings.draft().*row.field;
  const float wide = ImGui::GetContentRegionAvail().x;
  std::vector<std::string> values = values_in(row.values);
  if (row.field == &Setup::entry) values = document.entries;
  if (!values.empty()) {
    if (const auto chosen = draw_choice(row.key, said, row.usual, values, wide))
      out.push("setSetting", {row.key, *chosen});
    return;
  }
  std::string text;
  if (draw_field(row.key, said, row.usual, wide, text)) out.push("setSetting", {row.key, text});
}

void RunSheet::draw_singles(const RunSettings& settings, const Document& document, CommandQueue& out) {
  const int columns = ImGui::GetContentRegionAvail().x >= look().px(700) ? 3 : 2;
  if (!ImGui::BeginTable("singles", 2 * columns)) return;
  for (int i = 0; i < columns; ++i) {
    ImGui::TableSetupColumn("title", ImGuiTableColumnFlags_WidthFixed, look().px(96));
    ImGui::TableSetupColumn("field", ImGuiTableColumnFlags_WidthStretch);
  }
  const auto label = [&](const char* title, const std::string& part) {
    ImGui::TableNextColumn();
    reveal(part);
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(title);
    ImGui::TableNextColumn();
  };
  const bool compiled = document.tree != nullptr && document.tree->kernel != nullptr;
  for (const SetupRow& row : cases::setup_rows()) {
    if (row.compiled && !compiled) continue;
    label(row.title, row.key);
    draw_single(settings, document, row, out);
  }
  label("places of tiles", "placement");
  if (const auto chosen = draw_choice("placement", said_of(settings.draft().options, "placement"), "reuse", {"keep"},
                                      ImGui::GetContentRegionAvail().x))
    out.push("setSetting", {"options", "placement", *chosen});
  ImGui::EndTable();
}

// --- inputs ---

void RunSheet::draw_inputs(const RunSettings& settings, CommandQueue& out) {
  const cases::SetupCheck* known = settings.last_check();
  if (known == nullptr) return ImGui::TextDisabled("looking at what the program wants ...");
  heading("Inputs");
  if (known->inputs.empty()) return ImGui::TextDisabled("It takes none.");
  if (!settings.waiting_file().empty())
    ImGui::TextColored(tint(look().theme->accent), "%s: which input is it for?", settings.waiting_file().c_str());
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_RowBg;
  if (!ImGui::BeginTable("inputs", 3, kFlags)) return;
  ImGui::TableSetupColumn("input", ImGuiTableColumnFlags_WidthStretch, 3);
  ImGui::TableSetupColumn("source", ImGuiTableColumnFlags_WidthStretch, 4);
  ImGui::TableSetupColumn("check", ImGuiTableColumnFlags_WidthStretch, 4);
  for (const InputForm& form : known->inputs) draw_input(settings, form, out);
  ImGui::EndTable();
}

void RunSheet::draw_input(const RunSettings& settings, const InputForm& form, CommandQueue& out) {
  const std::string& name = form.name;
  ImGui::PushID(name.c_str());
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  reveal("input " + name);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(name.c_str());
  ImGui::SameLine();
  ImGui::TextDisabled("%s", cases::describe(form).c_str());
  ImGui::TableNextColumn();
  const Setup& draft = settings.draft();
  const std::string id = "input " + name, file = said_of(draft.arrays, name);
  if (!is_array(form)) {
    std::string text;
    if (draw_field(id, said_of(draft.numbers, name), "1, or seeded", -1, text))
      out.push("setSetting", {"numbers", name, text});
  } else {
    if (!settings.waiting_file().empty()) {
      if (ImGui::Button("Take it")) out.push("bindArray", {settings.waiting_file(), name});
      note_item(id + "/take");
      ImGui::SameLine();
    }
    std::vector<std::string> kinds;
    for (const data::MadeUpRow& row : data::made_up_kinds()) kinds.emplace_back(row.word);
    const bool only_written = form.kind == ProgramInput::Kind::Buffer && form.written && !form.read;
    const char* usual =
        file.empty() ? (only_written ? "nothing: it is written" : "made up: seeded") : "made up instead";
    const std::string made = said_of(draft.made, name);
    const std::string shown = file.empty() ? made : file.substr(file.rfind('/') + 1);
    const float button = ImGui::CalcTextSize("File...").x + look().px(24);
    if (const auto chosen = draw_choice(id, shown, usual, kinds, ImGui::GetContentRegionAvail().x - button)) {
      if (chosen->empty()) out.push("setSetting", {file.empty() ? "made" : "arrays", name, std::string()});
      else out.push("setSetting", {"made", name, *chosen});
    }
    if (!file.empty() && ImGui::IsItemHovered()) ImGui::SetTooltip("%s", file.c_str());
    ImGui::SameLine();
    if (ImGui::Button("File...")) out.push("chooseArray", {name});
    note_item(id + "/file");
  }
  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  const cases::SetupCheck* check = settings.check();
  if (check == nullptr) ImGui::TextDisabled("...");
  else if (const auto wrong = check->wrong.find(name); wrong != check->wrong.end()) {
    ImGui::PushStyleColor(ImGuiCol_Text, tint(look().theme->finding));
    ImGui::TextWrapped("%s", wrong->second.text.c_str());
    ImGui::PopStyleColor();
    if (ImGui::IsItemHovered() && !wrong->second.hint.empty()) ImGui::SetTooltip("%s", wrong->second.hint.c_str());
    note_item(id + "/wrong");
  } else if (const auto found = check->found.find(name); found != check->found.end()) {
    ImGui::Text("fits: %s", found->second.c_str());
    note_item(id + "/fits");
  } else {
    ImGui::TextUnformatted("");
  }
  ImGui::PopID();
}

// --- options ---

void RunSheet::draw_options(const RunSettings& settings, CommandQueue& out) {
  const auto& said = settings.draft().options;
  const std::size_t changed = said.size() - (said.contains("placement") ? 1 : 0);
  if (part_ == "options" && appearing_) ImGui::SetNextItemOpen(true);
  const std::string title = fmt::format("Where documents and hardware differ: {}###options",
                                        changed == 0 ? "all as usual" : fmt::format("{} changed", changed));
  const bool open = ImGui::CollapsingHeader(title.c_str());
  note_item("options");
  if (!open) return;
  reveal("options");
  ImGui::SetNextItemWidth(look().px(260));
  ImGui::InputTextWithHint("##filter", "a part of a name or of what it does", &filter_);
  ImGui::BeginChild("options", {0, look().px(180)});
  for (int i = 0; i < kOptionCount; ++i) {
    const OptionRow& row = kOptions[i];
    const std::string name = row.name;
    if (name == "placement") continue;
    if (!filter_.empty() && name.find(filter_) == std::string::npos &&
        std::string_view(row.effect).find(filter_) == std::string_view::npos)
      continue;
    std::vector<std::string> values = values_in(row.values);
    const std::string usual = values.front();
    values.erase(values.begin());
    if (const auto chosen = draw_choice("option " + name, said_of(said, name), usual.c_str(), values, look().px(130)))
      out.push("setSetting", {"options", name, *chosen});
    ImGui::SameLine();
    ImGui::TextUnformatted(name.c_str());
    ImGui::SameLine();
    ImGui::TextDisabled("%s", row.effect);
  }
  ImGui::EndChild();
}

// --- what is done with it ---

void RunSheet::draw_end(const RunSettings& settings, CommandQueue& out) {
  ImGui::Dummy({0, look().px(2)});
  const cases::SetupCheck* check = settings.check();
  ImGui::BeginDisabled(check != nullptr && !check->fits());
  ImGui::PushStyleColor(ImGuiCol_Button, tint(mix(look().theme->pane, look().theme->accent, 0.35)));
  const std::string run = with_key("Run", "runDraft");
  if (ImGui::Button(run.c_str())) out.push("runDraft");
  ImGui::PopStyleColor();
  note_item("run");
  ImGui::EndDisabled();
  ImGui::SameLine();
  ImGui::BeginDisabled(!settings.changed());
  if (ImGui::Button("As it runs now")) out.push("resetSettings");
  note_item("back");
  ImGui::EndDisabled();
  ImGui::SameLine();
  ImGui::BeginDisabled(settings.draft() == Setup{});
  if (ImGui::Button("All as usual")) out.push("resetSettings", {std::string("usual")});
  note_item("usual");
  ImGui::EndDisabled();
  ImGui::SameLine();
  if (ImGui::Button("Copy as a command line")) out.push("copyRunCommand");
  note_item("copy");
  const std::string wrong = first_wrong(settings);
  if (!wrong.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, tint(look().theme->finding));
    ImGui::TextWrapped("%s", wrong.c_str());
    ImGui::PopStyleColor();
  } else {
    ImGui::TextDisabled("%s", check == nullptr     ? "looking at it ..."
                              : settings.changed() ? "It fits. Run starts the program like this; the place is kept."
                                                   : "This is how it runs now.");
  }
  note_item("verdict");
}

}  // namespace ts::ui
