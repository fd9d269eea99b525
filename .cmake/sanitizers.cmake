# All that the sanitizers need: what is compiled and linked how, and with which options the programs run.
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  message(FATAL_ERROR "Fuzz targets need clang's libFuzzer; the compiler is ${CMAKE_CXX_COMPILER}")
endif()
# -O1 here, so that a target's own -O0 comes later on the command line and wins.
set(CMAKE_CXX_FLAGS_DEBUG "-g1 -O1")
# Without the three checks of undefined behaviour that take a third of the compiler's time: a null pointer that is followed
# ends the program anyway, nothing here casts down, and what leaves its object the address sanitizer sees.
target_compile_options(ts_flags INTERFACE -fsanitize=address,undefined -fno-sanitize=null,vptr,object-size -fno-sanitize-recover=all
                                          -fno-omit-frame-pointer)
# The programs are large, and there are eight of them.
target_link_options(ts_flags INTERFACE -fsanitize=address,undefined -fuse-ld=lld)

# The programs ask for their options themselves, so that they run the same from a shell, a debugger and ctest. What is in
# the environment comes last and wins.
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/sanitizer_options.cpp CONTENT
"extern \"C\" {
const char* __asan_default_options();
const char* __ubsan_default_options();
const char* __asan_default_options() {
  return \"detect_leaks=1:halt_on_error=1:detect_stack_use_after_return=1:strict_string_checks=1\";
}
const char* __ubsan_default_options() { return \"halt_on_error=1:print_stacktrace=1\"; }
}
")
add_library(ts_sanitizer_options OBJECT ${CMAKE_BINARY_DIR}/sanitizer_options.cpp)
target_link_libraries(ts_flags INTERFACE
                      $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:$<TARGET_OBJECTS:ts_sanitizer_options>>)
