// Every sample runs on its own target and wherever else it is legal, and leaves what its first lines say. What is right
// is said here in plain loops over the sample's inputs.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <functional>
#include <set>
#include <sstream>

#include "core/text/printer.h"
#include "core/text/same_tree.h"
#include "tests/support/samples/kernel_checks.h"
#include "tests/support/samples/sample_run.h"
#include "tests/support/text/open_text.h"

namespace ts::test {
namespace {

using Run = SampleRun;

void ran_to_its_end(const Run& run) {
  CHECK(run.recording().stop_reason() == StopReason::End);
  for (const Finding& finding : run.recording().findings()) CHECK_MESSAGE(false, finding.diagnostic.format());
}

// --- the correct ones -----------------------------------------------------------------------------------------------

void complex_split(const Run& run) {
  for (std::uint32_t row = 0; row < 4; ++row)
    for (std::uint32_t col = 0; col < 12; ++col) {
      const std::uint32_t pair = row * 24 + 2 * col;
      CHECK(run.left("result", row * 12 + col) ==
            (run.bit("bits", row * 2, col) ? run.in("iq", pair) + run.in("iq", pair + 1) : 0.0));
    }
  CHECK(run.uses("tdeinterleave", "vstus"));
  CHECK(run.uses("tdeinterleave", "vstas"));
}

void complex_merge(const Run& run) {
  for (std::uint32_t i = 0; i < 48; ++i) {
    CHECK(run.left("stream", 2 * i) == run.in("real", i));
    CHECK(run.left("stream", 2 * i + 1) == run.in("imaginary", i));
  }
  CHECK(run.uses("tinterleave", "vldas"));
  CHECK(run.uses("tinterleave", "vldus"));
}

void stereo_split(const Run& run) {
  for (std::uint32_t i = 0; i < 1280; ++i) {
    const double left = run.in("frames", 2 * i), right = run.in("frames", 2 * i + 1);
    CHECK(run.left("left", i) == left);
    CHECK(run.left("right", i) == right);
    CHECK(run.left("both", i) == left + right);
  }
  CHECK(run.uses("tdeinterleave", "vdintlv"));
  // Rows 2 and 3 of the last turn keep the samples of the turn before: rows 6 and 7.
  const Operand& l = run.recording().bound(run.first_step("tdeinterleave")).operands[1];
  for (std::uint32_t row = 2; row < 4; ++row)
    for (std::uint32_t col = 0; col < 128; ++col)
      CHECK(to_double(DType::I16, run.recording().final_memory().element(Space::Ub, l.tile.at(row, col), 2)) ==
            run.in("frames", (row + 4) * 256 + 2 * col));
}

void masked_sum(const Run& run) {
  for (std::uint32_t row = 0; row < 2; ++row)
    for (std::uint32_t col = 0; col < 8; ++col) {
      const std::uint32_t i = row * 8 + col;
      CHECK(run.left("result", i) == (run.bit("bits", row, col) ? run.in("x", i) + run.in("y", i) : -1.0));
    }
}

void masked_select(const Run& run) {
  for (std::uint32_t row = 0; row < 2; ++row)
    for (std::uint32_t col = 0; col < 70; ++col) {
      const std::uint32_t i = row * 70 + col;
      CHECK(run.left("result", i) == run.in(run.bit("bits", row * 9, col) ? "x" : "y", i));
    }
}

void padding_mask(const Run& run) {
  for (std::uint32_t plane = 0; plane < 6; ++plane)
    for (std::uint32_t row = 0; row < 8; ++row)
      for (std::uint32_t col = 0; col < 40; ++col) {
        const std::uint32_t inside = row * 40 + col, i = plane * 320 + inside;
        const double score = run.in("scores", i);
        const bool first_batch = plane < 3;
        CHECK(run.left("result", i) == (first_batch                     ? score + run.in("bias", inside)
                                        : run.bit("bits", row * 5, col) ? score
                                                                        : -10000.0));
      }
  const TileRef& tmp = run.recording().bound(run.first_step("tsels")).tile("tmp");
  const double first = to_double(DType::F32, run.recording().final_memory().element(Space::Ub, tmp.address, 4));
  CHECK((first == -10000.0) == (run.target() == Target::A2A3));
}

void transpose(const Run& run) {
  for (std::uint32_t row = 0; row < 8; ++row)
    for (std::uint32_t col = 0; col < 3; ++col)
      CHECK(run.left("result", row * 3 + col) == run.in("numbers", col * 8 + row));
  // Five columns behind the valid ones are overwritten on a2a3, none on a5.
  const TileRef& dst = run.recording().bound(run.first_step("ttrans")).tile("dst");
  for (std::uint32_t col = 3; col < 16; ++col) {
    const Definedness expected =
        run.target() == Target::A2A3 && col < 8 ? Definedness::Unspecified : Definedness::Never;
    CHECK(run.recording().final_memory().worst_definedness(run.recording().map().flat(Space::Ub, dst.at(0, col)), 4) ==
          expected);
  }
}

void transpose_loop(const Run& run) {
  for (std::uint32_t row = 0; row < 24; ++row)
    for (std::uint32_t col = 0; col < 40; ++col)
      CHECK(run.left("result", row * 40 + col) == run.in("matrix", col * 24 + row));
}

void table_lookup(const Run& run) {
  for (std::uint32_t i = 0; i < 16; ++i)
    CHECK(run.left("result", i) == run.in("table", static_cast<std::uint32_t>(run.in("where", i))));
}

void block_lookup(const Run& run) {
  for (std::uint32_t word = 0; word < 32; ++word)
    for (std::uint32_t col = 0; col < 8; ++col)
      CHECK(run.left("result", word * 8 + col) ==
            run.in("table", static_cast<std::uint32_t>(run.in("words", word)) * 8 + col));
  CHECK(run.uses("tgatherb", "vgatherb"));
}

void fill_tails(const Run& run) {
  for (std::uint32_t i = 0; i < 10; ++i) CHECK(run.left("bytes", i) == 123);
  for (std::uint32_t i = 0; i < 80; ++i) CHECK(run.left("floats", i) == 1.5);
  // The sixth byte of a row, and the seventh.
  const TileRef& small = run.recording().bound(run.first_step("texpands")).tile("dst");
  for (std::uint32_t row = 0; row < 2; ++row) {
    const auto changed = [&](std::uint32_t col) {
      return run.recording().final_memory().definedness(run.recording().map().flat(Space::Ub, small.at(row, col))) !=
             Definedness::Never;
    };
    CHECK(changed(5) == (run.target() == Target::A2A3));
    CHECK(!changed(6));
  }
}

void row_loop(const Run& run) {
  for (std::uint32_t i = 0; i < 5000; ++i) CHECK(run.left("result", i) == run.in("x", i) + run.in("y", i));
}

// --- the planted bugs -----------------------------------------------------------------------------------------------

// Row 0 is right; in the others a bit comes from bytes that nobody wrote, the same in every row.
void bug_mask_pitch(const Run& run) {
  bool wrong = false;
  for (std::uint32_t col = 0; col < 40; ++col) {
    CHECK(run.left("result", col) == (run.bit("bits", 0, col) ? run.in("scores", col) : 0.0));
    const auto kept = [&](std::uint32_t row) { return run.left("result", row * 40 + col) != 0.0; };
    const auto is_zero = [&](std::uint32_t row) { return run.in("scores", row * 40 + col) == 0.0; };
    for (std::uint32_t row = 1; row < 6; ++row) {
      for (std::uint32_t other = 1; other < row; ++other)
        CHECK((kept(row) == kept(other) || is_zero(row) || is_zero(other)));
      wrong = wrong || (!is_zero(row) && kept(row) != run.bit("bits", row * 5, col));
    }
  }
  CHECK(wrong);
  const TileRef& mask = run.recording().bound(run.first_step("tsels")).tile("mask");
  const auto sources = run.sources("tsels", 1, 0);
  const auto bit = std::ranges::find(sources, Source::Kind::MaskBit, &Source::kind);
  REQUIRE((bit != sources.end()));
  CHECK(bit->place.address == mask.address + 32);
  CHECK(bit->definedness == Definedness::Never);
}

// The zeros of columns 5 to 7 are overwritten on a5, by bytes of the source that nobody wrote.
void bug_transposed_domain(const Run& run) {
  const bool overwritten = run.target() == Target::A5 && run.recording().program().options == Options{};
  for (std::uint32_t row = 0; row < 8; ++row) {
    for (std::uint32_t col = 0; col < 5; ++col)
      CHECK(run.left("result", row * 8 + col) == run.in("numbers", col * 8 + row));
    for (std::uint32_t col = 5; col < 8; ++col) {
      CHECK((run.left("result", row * 8 + col) == 0.0) == !overwritten);
      if (!overwritten) continue;
      const auto sources = run.sources("ttrans", row, col);
      REQUIRE(sources.size() >= 1);
      CHECK(sources[0].definedness == Definedness::Never);
      CHECK(sources[0].row == col);
      CHECK(sources[0].col == row);
    }
  }
}

// Every element of the first sum is made of one that nobody wrote.
void bug_uninitialised(const Run& run) {
  CHECK(run.recording().program().tiles[run.recording().bound(run.first_step("tadd")).operands[0].id].name == "sum");
  for (std::uint32_t row = 0; row < 4; ++row)
    for (std::uint32_t col = 0; col < 24; ++col) {
      const auto sources = run.sources("tadd", row, col);
      REQUIRE(sources.size() == 2);
      CHECK(sources[0].definedness == Definedness::Never);
      CHECK(sources[1].definedness == Definedness::Written);
    }
}

void bug_off_by_one(const Run& run) {
  for (std::uint32_t row = 0; row < 37; ++row)
    for (std::uint32_t col = 0; col < 24; ++col) {
      const std::uint32_t i = row * 24 + col;
      CHECK(run.written("result", i) == (row < 36));
      if (row < 36) CHECK(run.left("result", i) == (run.bit("bits", row * 3, col) ? run.in("numbers", i) : -1.0));
    }
}

// The lower half of x was overwritten by the upper half of y before the two were added.
void bug_overlap(const Run& run) {
  for (std::uint32_t row = 0; row < 16; ++row)
    for (std::uint32_t col = 0; col < 64; ++col) {
      const std::uint32_t i = row * 64 + col;
      CHECK(run.left("sum", i) == (row < 8 ? run.in("x", i) : run.in("y", i - 512)) + run.in("y", i));
    }
}

// Every block of x is added to the first block of y.
void bug_loaded_once(const Run& run) {
  for (std::uint32_t i = 0; i < 1024; ++i) CHECK(run.left("sum", i) == run.in("x", i) + run.in("y", i % 256));
}

// Row 4 is minus infinity and infinity added up.
void bug_masked_row(const Run& run) {
  for (std::uint32_t i = 0; i < 240; ++i) {
    if (i / 40 == 4) CHECK(std::isnan(run.left("result", i)));
    else CHECK(run.left("result", i) == 2 * (run.in("scores", i) + run.in("largest", i)));
  }
}

// --- all ------------------------------------------------------------------------------------------------------------

struct Sample {
  std::string name;
  bool both_targets;
  void (*check)(const Run&);
};
const Sample kSamples[] = {
    {"complex_split", false, complex_split},
    {"complex_merge", false, complex_merge},
    {"stereo_split", false, stereo_split},
    {"masked_sum", true, masked_sum},
    {"masked_select", true, masked_select},
    {"padding_mask", true, padding_mask},
    {"transpose", true, transpose},
    {"transpose_loop", true, transpose_loop},
    {"table_lookup", false, table_lookup},
    {"block_lookup", false, block_lookup},
    {"fill_tails", true, fill_tails},
    {"row_loop", true, row_loop},
    {"softmax_three_pass", true, kernels::softmax},
    {"softmax_online", true, kernels::softmax},
    {"masked_scores", true, kernels::masked_scores},
    {"argmax", true, kernels::argmax},
    {"rms_norm", true, kernels::rms_norm},
    {"layer_norm", true, kernels::layer_norm},
    {"gelu", true, kernels::gelu},
    {"silu", true, kernels::silu},
    {"rope", true, kernels::rope},
    {"sum_tiles", true, kernels::sum_tiles},
    {"bug_softmax_rescale", true, kernels::bug_softmax_rescale},
    {"bug_norm_tail", true, kernels::bug_norm_tail},
    {"bug_mask_pitch", true, bug_mask_pitch},
    {"bug_transposed_domain", true, bug_transposed_domain},
    {"bug_uninitialised", true, bug_uninitialised},
    {"bug_off_by_one", false, bug_off_by_one},
    {"bug_overlap", true, bug_overlap},
    {"bug_loaded_once", true, bug_loaded_once},
    {"bug_masked_row", true, bug_masked_row},
};
const char* const kStopped = "bug_offset_units";  // does not run to its end

std::set<std::string> sample_files() {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("samples"))
    if (entry.path().extension() == ".pto") names.insert(entry.path().stem().string());
  return names;
}

Target own_target(const std::string& name) {
  const OpenedText text = open_text(sample_text(name));
  REQUIRE(text.opened.has_value());
  return text.opened->program.target;
}

Target other(Target target) { return target == Target::A5 ? Target::A2A3 : Target::A5; }

}  // namespace

// What is right of a sample is said here, or by a script of its name, which another test runs.
TEST_CASE("samples: each has somebody who says what is right, and a place in the program's list") {
  std::set<std::string> checked{kStopped};
  for (const Sample& sample : kSamples) checked.insert(sample.name);
  for (const auto& entry : std::filesystem::recursive_directory_iterator("samples/scripts"))
    checked.insert(entry.path().stem());
  for (const std::string& name : sample_files()) {
    CAPTURE(name);
    CHECK(checked.contains(name));
    CHECK(sample_text(name).find(" list: ") != std::string::npos);
  }
}

TEST_CASE("samples: each begins by explaining itself, and prints as the same program") {
  for (const std::string& name : sample_files()) {
    CAPTURE(name);
    const std::string text = sample_text(name);
    const std::size_t code = text.find("\nmodule ");
    REQUIRE(code != std::string::npos);
    std::istringstream head(text.substr(0, code));
    int lines = 0;
    for (std::string line; std::getline(head, line); ++lines) CHECK(line.starts_with("//"));
    CHECK(lines >= 4);
    Diagnostics diagnostics;
    const auto tree = read_program(name, text, diagnostics);
    const auto again = read_program(name, text::print(*tree), diagnostics);
    CHECK(diagnostics.empty());
    CHECK(text::same_tree(*tree, *again));
    CHECK(text::print(*again) == text::print(*tree));
  }
}

TEST_CASE("samples: each leaves what its first lines say, and the same every time") {
  for (const Sample& sample : kSamples) {
    CAPTURE(sample.name);
    const Target own = own_target(sample.name);
    for (const Target target : {own, other(own)}) {
      if (target != own && !sample.both_targets) continue;
      CAPTURE(name(target));
      const Run run(sample.name, target);
      ran_to_its_end(run);
      sample.check(run);
      CHECK(Run(sample.name, target).recording().digest() == run.recording().digest());
    }
  }
}

TEST_CASE("samples: other inputs, other results") {
  for (const Sample& sample : kSamples) {
    CAPTURE(sample.name);
    OpenRequest request;
    request.inputs.seed = 2;
    const Target own = own_target(sample.name);
    const Run run(sample.name, own, request);
    ran_to_its_end(run);
    sample.check(run);
    if (sample.name != "fill_tails") CHECK(run.recording().digest() != Run(sample.name, own).recording().digest());
  }
}

TEST_CASE("samples: what one target lacks is said before the first step") {
  for (const Sample& sample : kSamples) {
    if (sample.both_targets) continue;
    CAPTURE(sample.name);
    const OpenedText text = open_text(sample_text(sample.name), other(own_target(sample.name)));
    CHECK(has_error(text.diagnostics));
    CHECK(!text.opened.has_value());
  }
}

TEST_CASE("samples: bug_transposed_domain is none where the library goes by the valid region") {
  OpenRequest request;
  REQUIRE(set_option(request.options, "ttrans.a5_domain", "valid"));
  bug_transposed_domain(Run("bug_transposed_domain", Target::A5, request));
}

TEST_CASE(
    "samples: bug_offset_units stops at the first number that is no multiple of 4, and would be wrong without one") {
  for (const Target target : {Target::A5, Target::A2A3}) {
    CAPTURE(name(target));
    const Run run(kStopped, target);
    CHECK(run.recording().stop_reason() == StopReason::Error);
    CHECK(run.recording().count() == 4);
    std::uint32_t first = 0;
    while (static_cast<std::uint32_t>(run.in("where", first)) % 4 == 0) ++first;
    REQUIRE(run.recording().findings().size() >= 1);
    const Diagnostic& found = run.recording().findings().front().diagnostic;
    CHECK(found.rule == "TGB-R5");
    CHECK(found.text ==
          fmt::format("offset[{},{}]={} not 4-byte aligned", first / 8, first % 8, run.in("where", first)));

    OpenRequest request;
    std::vector<std::byte>& where = request.inputs.data["where"];
    where.resize(64);
    for (std::uint32_t i = 0; i < 16; ++i) where[4 * i] = static_cast<std::byte>(i * 52);  // multiples of 4, below 256
    const Run even(kStopped, target, request);
    ran_to_its_end(even);
    for (std::uint32_t i = 0; i < 16; ++i) CHECK(even.left("result", i) == even.in("table", i * 52 % 256 / 4));
  }
}

}  // namespace ts::test
