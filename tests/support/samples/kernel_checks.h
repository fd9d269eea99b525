// What is right of the kernels among the samples; see samples_test.cpp.
#pragma once

#include "tests/support/samples/sample_run.h"

namespace ts::test::kernels {

void softmax(const SampleRun& run);
void masked_scores(const SampleRun& run);
void argmax(const SampleRun& run);
void rms_norm(const SampleRun& run);
void layer_norm(const SampleRun& run);
void gelu(const SampleRun& run);
void silu(const SampleRun& run);
void rope(const SampleRun& run);
void sum_tiles(const SampleRun& run);
void bug_softmax_rescale(const SampleRun& run);
void bug_norm_tail(const SampleRun& run);

}  // namespace ts::test::kernels
