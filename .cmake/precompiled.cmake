# Headers that nearly every file of a group reads are read once for the group: a fifth to a third of what a file takes. It is
# off with -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON; a file still includes what it uses.

set(TS_LIBRARY_HEADERS
    <algorithm> <array> <bit> <charconv> <cmath> <cstdint> <cstring> <deque> <filesystem> <functional> <limits> <map> <memory>
    <mutex> <optional> <set> <span> <string> <string_view> <unordered_map> <utility> <variant> <vector> <fmt/format.h> <fmt/ranges.h>)

# ts_precompile(GROUP TARGETS target... HEADERS header... SEES target [LIBRARIES library...])
# SEES names a target that may include the headers. A compiler takes precompiled headers only with the options that they were
# made with, so targets of equal options share them, and those with too few files to be worth it do without.
function(ts_precompile GROUP)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "SEES" "TARGETS;HEADERS;LIBRARIES")
  set(kinds "")
  foreach(target ${ARG_TARGETS})
    if(NOT TARGET ${target})
      continue()
    endif()
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "INTERFACE_LIBRARY")
      continue()
    endif()
    get_target_property(options ${target} COMPILE_OPTIONS)
    get_target_property(definitions ${target} COMPILE_DEFINITIONS)
    string(MAKE_C_IDENTIFIER "${options} ${definitions}" kind)
    list(APPEND kinds "${kind}")
    list(APPEND targets_${kind} ${target})
    set(options_${kind} ${options})
    set(definitions_${kind} ${definitions})
    get_target_property(units ${target} TS_UNITS)
    math(EXPR units_${kind} "0${units_${kind}} + ${units}")
  endforeach()
  list(REMOVE_DUPLICATES kinds)
  set(count 0)
  foreach(kind ${kinds})
    if(units_${kind} LESS 4)
      continue()
    endif()
    set(host ts_headers_${GROUP}_${count})
    math(EXPR count "${count} + 1")
    add_library(${host} OBJECT ${CMAKE_BINARY_DIR}/headers/nothing.cpp)
    target_link_libraries(${host} PRIVATE ts_flags fmt::fmt ${ARG_LIBRARIES})
    if(options_${kind})
      target_compile_options(${host} PRIVATE ${options_${kind}})
    endif()
    if(definitions_${kind})
      target_compile_definitions(${host} PRIVATE ${definitions_${kind}})
    endif()
    # Not linked with the layers: they wait for these headers.
    target_include_directories(${host} PRIVATE $<TARGET_PROPERTY:${ARG_SEES},INCLUDE_DIRECTORIES>)
    target_precompile_headers(${host} PRIVATE ${TS_LIBRARY_HEADERS} ${ARG_HEADERS})
    foreach(target ${targets_${kind}})
      target_precompile_headers(${target} REUSE_FROM ${host})
    endforeach()
  endforeach()
endfunction()

file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/headers/nothing.cpp CONTENT "// Only the headers before it are of use.\n")

# The same for layers and other targets (WITH), with the header that most of them read and that the layer SEES has.
function(ts_precompile_layers GROUP SEES HEADER)
  cmake_parse_arguments(PARSE_ARGV 3 ARG "" "" "WITH")
  list(TRANSFORM ARG_UNPARSED_ARGUMENTS PREPEND ts_ OUTPUT_VARIABLE layers)
  ts_precompile(${GROUP} SEES ts_${SEES} HEADERS <${HEADER}> TARGETS ${layers} ${ARG_WITH})
endfunction()
