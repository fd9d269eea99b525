// Helpers of the command line's tests.
#include "tests/support/process/cli.h"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>

#include "tests/support/process/temp_folder.h"

namespace ts::test {

std::string program_path() { return TILESCOPE_PROGRAM; }

ProcessResult tilescope(std::vector<std::string> arguments, unsigned limit_seconds) {
  arguments.insert(arguments.begin(), program_path());
  return run_process(arguments, limit_seconds);
}

ProcessResult tilescope_fed(std::vector<std::string> arguments, std::string_view input) {
  const TempFolder folder;
  put_text(folder / "input", input);
  arguments.insert(arguments.begin(), program_path());
  return run_process(arguments, kHangSeconds, folder / "input");
}

nlohmann::json json_of(const ProcessResult& result) {
  nlohmann::json json = nlohmann::json::parse(result.out, nullptr, false);
  CHECK_MESSAGE(!json.is_discarded(), result.out.substr(0, 400), result.err.substr(0, 400));
  return json.is_discarded() ? nlohmann::json() : json;
}

void put_text(const std::string& path, std::string_view text) { std::ofstream(path, std::ios::binary) << text; }

std::string get_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::size_t times(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

const std::string_view kAddRows = R"(// z = x + y
module attributes {pto.target_arch = "a5"} {
  func.func @add(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>, %z: !pto.ptr<f32>, %rows: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %xv = pto.make_tensor_view %x, shape = [%rows, %c64], strides = [%c64, %c1] : !pto.tensor_view<?x64xf32>
    %yv = pto.make_tensor_view %y, shape = [%rows, %c64], strides = [%c64, %c1] : !pto.tensor_view<?x64xf32>
    %zv = pto.make_tensor_view %z, shape = [%rows, %c64], strides = [%c64, %c1] : !pto.tensor_view<?x64xf32>
    %a = pto.alloc_tile : !pto.tile_buf<vec, 8x64xf32>
    %b = pto.alloc_tile : !pto.tile_buf<vec, 8x64xf32>
    %c = pto.alloc_tile : !pto.tile_buf<vec, 8x64xf32>
    scf.for %i = %c0 to %rows step %c8 {
      %xp = pto.partition_view %xv, offsets = [%i, %c0], sizes = [%c8, %c64] : !pto.tensor_view<?x64xf32> -> !pto.partition_tensor_view<8x64xf32>
      %yp = pto.partition_view %yv, offsets = [%i, %c0], sizes = [%c8, %c64] : !pto.tensor_view<?x64xf32> -> !pto.partition_tensor_view<8x64xf32>
      %zp = pto.partition_view %zv, offsets = [%i, %c0], sizes = [%c8, %c64] : !pto.tensor_view<?x64xf32> -> !pto.partition_tensor_view<8x64xf32>
      pto.tload ins(%xp : !pto.partition_tensor_view<8x64xf32>) outs(%a : !pto.tile_buf<vec, 8x64xf32>)
      pto.tload ins(%yp : !pto.partition_tensor_view<8x64xf32>) outs(%b : !pto.tile_buf<vec, 8x64xf32>)
      pto.tadd ins(%a, %b : !pto.tile_buf<vec, 8x64xf32>, !pto.tile_buf<vec, 8x64xf32>) outs(%c : !pto.tile_buf<vec, 8x64xf32>)
      pto.tstore ins(%c : !pto.tile_buf<vec, 8x64xf32>) outs(%zp : !pto.partition_tensor_view<8x64xf32>)
    }
    return
  }
}
)";

const std::string_view kEndless = R"(module attributes {pto.target_arch = "a5"} {
  func.func @endless() {
    %c0 = arith.constant 0 : index
    %yes = arith.constant true
    %a = pto.alloc_tile : !pto.tile_buf<vec, 8x64xf32>
    scf.while (%i = %c0) : (index) -> (index) {
      scf.condition(%yes) %i : index
    } do {
    ^bb0(%j: index):
      pto.tadd ins(%a, %a : !pto.tile_buf<vec, 8x64xf32>, !pto.tile_buf<vec, 8x64xf32>) outs(%a : !pto.tile_buf<vec, 8x64xf32>)
      scf.yield %j : index
    }
    return
  }
}
)";

const std::string_view kSpin = R"(module attributes {pto.target_arch = "a5"} {
  func.func @spin() {
    %yes = arith.constant true
    scf.while : () -> () {
      scf.condition(%yes)
    } do {
      scf.yield
    }
    return
  }
}
)";

}  // namespace ts::test
