// The one way to standard output and standard error. What is printed may hold names, comments and values of strangers: control
// characters are shown, never sent. And whether all of it arrived is asked in the end, not assumed.
#pragma once

#include <cstdio>
#include <string_view>

namespace ts {

// From now on `stdout` and `stderr` are streams of our own. Printing to them never fails: the work goes on, and
// finish_output() tells.
void guard_output();

// What goes to standard output is for another program, byte for byte: JSON, the text of a program. A terminal is still not
// sent controls.
void output_is_data();

// Brings out what is left. False: some of what was printed could not be written, and standard error says why.
bool finish_output();

// Standard output as it was, for who steers a terminal by controls: the line editor. Print nothing to it.
std::FILE* plain_output();

// To standard error as it is, at once. Where it cannot be written, nobody misses it.
void steer(std::string_view controls);

}  // namespace ts
