// The table of pictures, and drawing them.
#include "tests/window/goldens.h"

#include <fmt/format.h>

#include <filesystem>

#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/window/drawn_by_program.h"

namespace ts::test {
namespace {

// A step on the stage, alone in the window.
struct StageShot {
  const char* name;  // "interleave/deinterleave": the file of its drawing in app/stage, and what it is of
  const char* what;
  std::vector<std::string> arguments;
  bool few = false;  // large and dark, small and light: pictures take room
};
StageShot drawing(const char* name, const char* what, const char* target, const char* step, const char* selected) {
  return {name, what, {kDrawings, "--target", target, "--step", step, "--select", selected}, true};
}
// clang-format off
const StageShot kStage[] = {
    {"interleave/deinterleave",
     "De-interleave of two sources: a stream of pairs is unzipped.",
     {"complex_split", "--step", "5", "--select", "im,1,7"}},
    {"interleave/deinterleave_one", "De-interleave of one source.", {"stereo_split", "--step", "3", "--select", "r,1,2"}},
    {"interleave/interleave",
     "Interleave: two sources are zipped, and the stream is cut in its middle.",
     {"complex_merge", "--step", "4", "--select", "second,1,3"}},
    {"select/select",
     "Select between two tiles by the bits of a mask.",
     {"masked_select", "--step", "5", "--select", "out,0,5"}},
    {"select/select_scalar", "Select between a tile and one value.", {"complex_split", "--step", "7", "--select", "out,1,3"}},
    {"transpose/transpose_a5",
     "Transpose on A5: every column is gathered.",
     {"transpose", "--target", "a5", "--step", "3", "--select", "dst,2,1"}},
    {"transpose/transpose_a2a3",
     "Transpose on A2A3: through blocks, with columns that nobody promises.",
     {"transpose", "--target", "a2a3", "--step", "3", "--select", "dst,2,1"}},
    {"gather/gather_block", "Gather of blocks by byte offsets.", {"block_lookup", "--step", "9", "--select", "out,0,9"}},
    {"gather/gather_element", "Gather of elements by their numbers.", {"table_lookup", "--step", "6", "--select", "out,0,3"}},
    {"gather/gather_index",
     "Gather by index: windows of one element.",
     {kIndexed, "--target", "a5", "--step", "12", "--select", "back,0,6"},
     true},
    {"scatter/scatter_a5",
     "Scatter by index on A5: two lanes want one element.",
     {kIndexed, "--target", "a5", "--step", "11", "--select", "spread,3,1"},
     true},
    {"scatter/scatter_a2a3",
     "Scatter by index on A2A3: the last lane stays.",
     {kIndexed, "--target", "a2a3", "--step", "11", "--select", "spread,3,1"},
     true},
    {"sort/sort", "A sort of each 32 keys: where they go.", {"top_k", "--step", "7", "--select", "sorted,0,6"}, true},
    {"sort/merge", "A merge of two lists, whose first eight records are kept.", {"top_k", "--step", "10", "--select", "top,0,10"}, true},
    {"sort/merge_blocks",
     "A merge of the four blocks of a tile.",
     {"top_k", "--target", "a2a3", "--step", "9", "--select", "merged,0,8"},
     true},
    {"quantise/quantise",
     "Floats become integers: where one fell among the codes.",
     {"int8_quantise", "--step", "9", "--select", "q,1,7"},
     true},
    {"quantise/quantise_mx",
     "Floats become floats of 4 bits with shared exponents.",
     {"mx_fp4", "--step", "3", "--select", "q,1,7"},
     true},
    {"quantise/dequantise", "Integers become floats again.", {"int8_quantise", "--step", "10", "--select", "back,1,7"}, true},
    {"table/gather",
     "Rows of a table in global memory: a word that it does not have.",
     {"bug_embedding", "--step", "1", "--select", "rows,15,0"},
     true},
    {"table/scatter",
     "Elements to a table in global memory: two want one place.",
     {kIndexed, "--target", "a5", "--step", "14", "--select", "table,3,1"},
     true},
    {"fill/fill", "Fill of a valid region with one value.", {"fill_tails", "--step", "0", "--select", "small,1,2"}},
    {"elementwise/lanes", "Addition, lane by lane.", {"masked_sum", "--step", "5", "--select", "sum,1,2"}},
    {"elementwise/lanes_number", "One number meets every lane.", {"silu", "--step", "10", "--select", "work,1,3"}, true},
    {"transfer/load", "Transfer from global memory into a tile.", {"complex_split", "--step", "0", "--select", "first,1,3"}},
    {"transfer/store", "Transfer of a tile's rows to global memory.", {"complex_merge", "--step", "7", "--select", "first,1,3"}},
    {"transfer/store_sums",
     "A sum on its way through the fixpipe to global memory: its stations.",
     {"int8_product", "--step", "74", "--select", "c,1,7"},
     true},
    {"product/product",
     "A matrix product that starts from biases: the row, the column, and the sum term by term.",
     {"matmul", "--step", "6", "--select", "c,1,7"},
     true},
    {"product/product_scales",
     "A product of elements with shared exponents.",
     {"mx_product", "--step", "10", "--select", "c,1,7"},
     true},
    {"windows/windows",
     "Windows of a map become rows of a left operand: where the filter stands, and what it sees there.",
     {"convolution", "--step", "2", "--select", "l,9,20"},
     true},
    drawing("reduce/reduce_a5", "Row sums on A5: neighbours join.", "a5", "6", "sums,1,0"),
    drawing("reduce/reduce_a2a3", "Sums of wide rows on A2A3: repeats join in scratch, lane by lane.", "a2a3", "7", "wide_sums,1,0"),
    drawing("reduce/reduce_search", "A search for the largest element of each row.", "a5", "8", "where,2,0"),
    drawing("reduce/reduce_columns", "The largest element of each column.", "a2a3", "9", "most,0,5"),
    drawing("broadcast/broadcast_rows", "One value for each row is subtracted.", "a5", "10", "centred,1,3"),
    drawing("broadcast/broadcast_columns", "One value for each column is spread.", "a5", "11", "rows,2,4"),
    drawing("compare/compare", "A comparison, whose answers are packed.", "a2a3", "12", "mask,1,1"),
    drawing("pad/pad", "Padding is filled behind a copy.", "a5", "13", "padded,1,12"),
    {"general/general", "A step without a drawing of its own: what it waits for.", {"complex_split", "--step", "3"}},
    {"micro/micro_a5",
     "In the middle of a step on A5: registers and lanes.",
     {"transpose", "--target", "a5", "--step", "3.6"}},
    {"micro/micro_a2a3",
     "In the middle of a step on A2A3: blocks and repeats.",
     {"transpose", "--target", "a2a3", "--step", "3.2"}},
};
// clang-format on
constexpr const char* kSizes[] = {"1000x700", "520x400"};
const FamilySheet kSheets[] = {{.size = "720x480", .theme = "dark"}, {.size = "400x300", .theme = "light"}};
constexpr const char *kThemes[] = {"dark", "light"}, *kAllThemes[] = {"dark", "light", "contrast"};
constexpr const char* kLayouts[] = {"debug", "present"};
constexpr const char* kLessons[] = {"zip",
                                    "unzip",
                                    "select",
                                    "fill",
                                    "turn",
                                    "gather",
                                    "ungather",
                                    "layouts",
                                    "targets",
                                    "bug_nothing",
                                    "bug_shared",
                                    "rows_to_fractals",
                                    "product_by_hand",
                                    "two_cores",
                                    "bug_deadlock"};

std::vector<Golden> make_table() {
  std::vector<Golden> table;
  for (const char* layout : kLayouts)
    for (const char* theme : kAllThemes)
      table.push_back({fmt::format("layouts/{}_{}", layout, theme),
                       fmt::format("The layout {}, {}.", layout, theme),
                       {"complex_split", "--step", "5", "--select", "im,1,7", "--layout", layout, "--theme", theme,
                        "--size", "1600x1000"}});
  for (const char* lesson : kLessons)
    table.push_back({fmt::format("lessons/{}", lesson),
                     fmt::format("The first page of the lesson {}.", lesson),
                     {lesson, "--theme", "dark", "--size", "1280x800"}});
  table.push_back(
      {"lessons/zip_prediction",
       "A lesson asks what a step will do: its results are empty.",
       {"zip", "--command", "lessonPage 3; lessonDrop 0 src0[0,0]", "--theme", "light", "--size", "1280x800"}});
  for (const char* theme : kAllThemes)
    table.push_back({fmt::format("window/legend_{}", theme),
                     fmt::format("The legend, {}.", theme),
                     {"complex_split", "--command", "legend", "--theme", theme, "--size", "1300x860"}});
  for (const char* theme : kThemes) {
    table.push_back({fmt::format("window/start_{}", theme),
                     "The page that is shown while nothing is open.",
                     {"--start-page", "--theme", theme, "--size", "1300x860"}});
    table.push_back({fmt::format("window/tour_{}", theme),
                     "A stop of the guided tour.",
                     {"complex_split", "--command", "tour", "--theme", theme, "--size", "1600x1000"}});
  }
  table.push_back({"window/keys",
                   "The dialog in which keys are given to commands.",
                   {"complex_split", "--command", "keys", "--size", "1300x800"}});
  const std::string found = "tests/window/found.pto", against = "compareWith tests/window/found_other.pto";
  table.push_back({"panes/findings",
                   "The list of findings, and what is said of one.",
                   {found, "--command", "showFinding 0", "--pane", "findings", "--size", "1000x360"}});
  table.push_back({"panes/queues",
                   "Cores and their queues: one waits for a slot, entries are full, and popped and not given back.",
                   {"scores_softmax", "--step", "26", "--pane", "queues", "--size", "820x400"}});
  table.push_back({"panes/queues_deadlock",
                   "Nobody can go on: who waits for whom, and what to do.",
                   {"bug_slot_never_freed", "--command", "last", "--pane", "queues", "--size", "820x520"}});
  table.push_back({"panes/timeline_cores",
                   "A lane for each core and pipe: hatched while it waits, and an arrow from a push to its pops.",
                   {"scores_softmax", "--step", "5", "--pane", "timeline", "--size", "1200x460"}});
  table.push_back({"layouts/compare",
                   "The layout compare: both sides of a tile, and the list of what differs.",
                   {found, "--layout", "compare", "--command", against + "; showDifference 0", "--size", "1600x1000"}});
  table.push_back({"panes/tile_differences",
                   "Cells too small for text: what differs in them does not vanish.",
                   {found, "--command", against + "; last; showTile patched", "--pane", "tiles", "--size", "420x300"}});
  table.push_back({"panes/tile_boxes",
                   "The boxes of a tile over cells without numbers: their order, and the way along the bytes.",
                   {"matmul", "--command", "last; showTile a; showBoxes 1; select a 21 75", "--pane", "tiles", "--size",
                    "520x400"}});
  table.push_back({"panes/tile_boxes_numbers",
                   "The boxes of a tile over numbers: the box of the selected element, and the way inside of it.",
                   {"convolution", "--command", "last; showTile c; showBoxes 1; select c 20 5", "--pane", "tiles",
                    "--theme", "light", "--size", "760x520"}});
  for (const StageShot& shot : kStage) {
    for (const char* size : kSizes) {
      for (const char* theme : kThemes) {
        if (shot.few && (size == kSizes[0]) != (theme == kThemes[0])) continue;
        Golden golden{fmt::format("stage/{}_{}_{}", shot.name, size, theme), shot.what, shot.arguments};
        golden.arguments.insert(golden.arguments.end(), {"--pane", "stage", "--theme", theme, "--size", size});
        table.push_back(std::move(golden));
      }
    }
  }
  for (const SizedFamily& family : sized_families())
    for (const FamilySheet& sheet : kSheets)
      table.push_back(
          {.name = fmt::format("families/{}_{}", family.name, sheet.theme),
           .what = fmt::format("{}: small, as in kernels and large, at a third and two thirds of the move, and made.",
                               family.what),
           .arguments = {},
           .sheet = FamilySheet{&family, sheet.size, sheet.theme}});
  return table;
}

// A table of two pictures a row, under each sentence.
std::string sheet() {
  std::string text =
      "# Pictures of the window\n\n"
      "Drawn by `./dev pictures`, and held against what the program draws by `./dev test`. When a drawing changes on\n"
      "purpose, draw them again, look at them here, and commit them with the change.\n";
  const std::string* what = nullptr;
  for (const Golden& golden : goldens()) {
    if (what == nullptr || *what != golden.what) text += fmt::format("\n## {}\n\n", golden.what);
    what = &golden.what;
    text += fmt::format("![{0}]({0}.png)\n", golden.name);
  }
  return text;
}

}  // namespace

const std::vector<Golden>& goldens() {
  static const std::vector<Golden> table = make_table();
  return table;
}

std::optional<Picture> render(const Golden& golden, std::string& problem) {
  if (golden.sheet) return render_sheet(*golden.sheet, problem);
  const TempFolder folder;
  const std::string path = folder / "shot.png";
  std::vector<std::string> arguments = {"shot"};
  arguments.insert(arguments.end(), golden.arguments.begin(), golden.arguments.end());
  arguments.insert(arguments.end(), {"-o", path});
  if (!draw_by_program(arguments, folder, problem)) return std::nullopt;
  auto picture = read_png(path);
  if (!picture) problem = golden.name + ": no picture";
  return picture;
}

bool renew_goldens() {
  bool all = true;
  std::filesystem::remove_all(kGoldenFolder);
  for (const Golden& golden : goldens()) {
    std::string problem;
    const auto picture = render(golden, problem);
    std::filesystem::create_directories(std::filesystem::path(golden_path(golden)).parent_path());
    if (!picture) fmt::print(stderr, "{}\n", problem);
    all = all && picture && write_png(golden_path(golden), *picture);
  }
  put_text(kGoldenFolder + "/README.md", sheet());
  fmt::print("{} pictures in {}, all of them in {}/README.md\n", goldens().size(), kGoldenFolder, kGoldenFolder);
  return all;
}

}  // namespace ts::test
