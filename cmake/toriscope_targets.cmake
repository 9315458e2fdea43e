# SPDX-License-Identifier: Apache-2.0
# How a directory declares its library and its tests.

include(GNUInstallDirs)
set(TORISCOPE_INCLUDE_ROOT ${CMAKE_CURRENT_SOURCE_DIR})

# What every target of ours is compiled with; never exported.
add_library(toriscope_build_flags INTERFACE)
# Two warnings are no news when they are said of a batch of sources; builds without batches say what is. Clang does not
# know the first of them.
target_compile_options(toriscope_build_flags INTERFACE
  -Wall -Wextra -Wpedantic
  $<IF:$<BOOL:${TORISCOPE_BATCHES}>,$<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>,-Wshadow>)
# GCC collects less often what it needs no more: a build takes a tenth less time, and half as much memory again.
if(TORISCOPE_BATCHES AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(toriscope_build_flags INTERFACE --param=ggc-min-expand=400 --param=ggc-min-heapsize=1000000)
endif()
if(TORISCOPE_FUZZ) # coverage for libFuzzer
  target_compile_options(toriscope_build_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(TORISCOPE_SANITIZE)
  target_compile_options(toriscope_build_flags INTERFACE -fsanitize=${TORISCOPE_SANITIZE}
                                                         -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(toriscope_build_flags INTERFACE -fsanitize=${TORISCOPE_SANITIZE})
endif()

# Tests are linked in half the time.
include(CheckLinkerFlag)
check_linker_flag(CXX -fuse-ld=gold TORISCOPE_HAS_GOLD)

# toriscope_off(TEXT...): one line on an optional package that is missing, and what is off without it.
# The root prints these lines last. No semicolon.
function(toriscope_off)
  string(CONCAT line ${ARGN})
  set_property(GLOBAL APPEND PROPERTY TORISCOPE_OFF ${line})
endfunction()

# toriscope_library(NAME SOURCES a.cpp ... LIBS toriscope::links ... [TEST_ONLY])
#   Static library toriscope_NAME with the alias toriscope::NAME; without SOURCES an interface library.
#   It is installed and part of toriscope::toriscope, unless it is for tests only.
function(toriscope_library library)
  cmake_parse_arguments(arg "TEST_ONLY" "" "SOURCES;LIBS" ${ARGN})
  set(target toriscope_${library})
  if(arg_SOURCES)
    add_library(${target} STATIC ${arg_SOURCES})
    set(scope PUBLIC)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:toriscope_build_flags>)
    # Many sources at a time: what they include is parsed once, and a whole build takes half as long.
    # All of them also go into libtoriscope.so (testbenches/c_api), which shows nothing of them.
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
                                               VISIBILITY_INLINES_HIDDEN ON)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ${TORISCOPE_BATCHES} UNITY_BUILD_BATCH_SIZE 24)
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(toriscope::${library} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${library})
  target_compile_features(${target} ${scope} cxx_std_17)
  target_include_directories(${target} ${scope} $<BUILD_INTERFACE:${TORISCOPE_INCLUDE_ROOT}>
                                                $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
                                                $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/toriscope>)
  if(TORISCOPE_CHECKED)
    target_compile_definitions(${target} ${scope} TORISCOPE_CHECKED=1)
  endif()
  target_link_libraries(${target} ${scope} ${arg_LIBS})
  if(NOT arg_TEST_ONLY)
    set_property(GLOBAL APPEND PROPERTY TORISCOPE_LIBRARIES ${target})
  endif()
endfunction()

# What is not run for long is compiled with: -O3 takes half as long again.
add_library(toriscope_light_flags INTERFACE)
target_compile_options(toriscope_light_flags INTERFACE $<$<CONFIG:Release>:-O1>)
# Tests, most of which compute little of their own.
add_library(toriscope_test_flags INTERFACE)
target_compile_options(toriscope_test_flags INTERFACE $<$<CONFIG:Release>:-O0>)

# toriscope_precompiled_headers(NAME FLAGS flags LIBS lib... HEADERS <a> ...): the headers that every test includes,
# once.
function(toriscope_precompiled_headers name)
  cmake_parse_arguments(arg "" "FLAGS" "LIBS;HEADERS" ${ARGN})
  set(source ${PROJECT_BINARY_DIR}/${name}.cpp)
  file(WRITE ${source}.new "// Carries the precompiled headers.\n")
  file(COPY_FILE ${source}.new ${source} ONLY_IF_DIFFERENT)
  add_library(${name} OBJECT ${source})
  target_compile_features(${name} PUBLIC cxx_std_17)
  target_link_libraries(${name} PRIVATE toriscope_build_flags ${arg_FLAGS} ${arg_LIBS})
  target_precompile_headers(${name} PRIVATE ${arg_HEADERS})
endfunction()

# toriscope_test(NAME SOURCES a_test.cpp ... LIBS toriscope::links ... LABEL unit|net|paper|rtl|fuzz|bench|long
#                [SYSTEMC] [OPTIMIZED] [LONG pattern...] [EXCEPT pattern...] [ENVIRONMENT name=value...])
#   One GoogleTest program and one ctest entry. SYSTEMC: the program has an sc_main of its own
#   (cmake/systemc_test_main.cpp) instead of gtest_main. OPTIMIZED: what it computes itself takes long.
#   LONG: cases of the long tier, a_long_test. They take long, and what they cover others cover, in smaller networks.
#   EXCEPT: cases that this entry leaves out.
function(toriscope_test name)
  cmake_parse_arguments(arg "SYSTEMC;OPTIMIZED" "LABEL" "SOURCES;LIBS;LONG;EXCEPT;ENVIRONMENT" ${ARGN})
  if(NOT TORISCOPE_BUILD_TESTS)
    return()
  endif()
  add_executable(${name} ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  set(flags toriscope_test_flags)
  set(headers test_headers)
  if(arg_OPTIMIZED)
    set(flags toriscope_light_flags)
    set(headers optimized_test_headers)
  else()
    if(nlohmann_json::nlohmann_json IN_LIST arg_LIBS) # which takes a second in each batch of tests
      set(headers json_${headers})
    endif()
    if(arg_SYSTEMC)
      set(headers systemc_${headers})
    endif()
  endif()
  target_link_libraries(${name} PRIVATE toriscope_build_flags ${flags} ${arg_LIBS} GTest::gmock GTest::gtest)
  # Other sources than tests have headers of their own, which have to compile without help.
  set(others ${arg_SOURCES})
  list(FILTER others EXCLUDE REGEX "_test\\.cpp$")
  set_source_files_properties(${others} PROPERTIES SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
  # In one batch what the standard library, GoogleTest and JSON make of templates is compiled once. Where a program has
  # many sources each has a namespace of its own, so that no helper of another one is taken for its own.
  set_target_properties(${name} PROPERTIES UNITY_BUILD ${TORISCOPE_BATCHES} UNITY_BUILD_BATCH_SIZE 20)
  if(TORISCOPE_HAS_GOLD AND NOT TORISCOPE_SANITIZE)
    target_link_options(${name} PRIVATE -fuse-ld=gold)
  endif()
  if(TORISCOPE_PRECOMPILED_HEADERS)
    target_precompile_headers(${name} REUSE_FROM toriscope_${headers})
  endif()
  if(arg_SYSTEMC)
    target_sources(${name} PRIVATE ${TORISCOPE_INCLUDE_ROOT}/cmake/systemc_test_main.cpp)
    target_link_libraries(${name} PRIVATE toriscope::systemc)
  else()
    target_link_libraries(${name} PRIVATE GTest::gtest_main)
  endif()
  toriscope_test_part(${name} OF ${name} LABEL ${arg_LABEL} LONG ${arg_LONG}
                      EXCEPT ${arg_EXCEPT} ENVIRONMENT ${arg_ENVIRONMENT})
endfunction()

# toriscope_test_part(NAME OF program CASES pattern... LABEL label [TIMEOUT seconds] [LONG pattern...]
#                     [EXCEPT pattern...] [ENVIRONMENT name=value...])
#   A ctest entry for some cases of a program, which the program's own entry then leaves out: one program for many tests
#   is compiled in half the time of one for each. One with the label long runs what others run, too, at greater length
#   (TORISCOPE_LONG in its environment).
function(toriscope_test_part name)
  cmake_parse_arguments(arg "" "OF;LABEL;TIMEOUT" "CASES;LONG;EXCEPT;ENVIRONMENT" ${ARGN})
  if(NOT TORISCOPE_BUILD_TESTS)
    return()
  endif()
  string(JOIN ":" cases ${arg_CASES})
  string(JOIN ":" left_out ${arg_LONG} ${arg_EXCEPT})
  if(arg_CASES)
    if(NOT arg_LABEL STREQUAL long)
      set_property(TARGET ${arg_OF} APPEND PROPERTY TORISCOPE_PARTS ${arg_CASES})
    endif()
  else()
    string(APPEND left_out ":$<JOIN:$<TARGET_PROPERTY:${arg_OF},TORISCOPE_PARTS>,:>")
  endif()
  add_test(NAME ${name} COMMAND ${arg_OF} "--gtest_filter=${cases}-${left_out}")
  set_tests_properties(${name} PROPERTIES LABELS ${arg_LABEL} ENVIRONMENT "${arg_ENVIRONMENT}")
  if(arg_TIMEOUT)
    set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT})
  endif()
  if(arg_LONG)
    string(JOIN ":" cases ${arg_LONG})
    string(JOIN ":" left_out ${arg_EXCEPT})
    string(REGEX REPLACE "_test$" "_long_test" long ${name})
    add_test(NAME ${long} COMMAND ${arg_OF} --gtest_filter=${cases}-${left_out})
    set_tests_properties(${long} PROPERTIES LABELS long TIMEOUT 10800 ENVIRONMENT "${arg_ENVIRONMENT}")
  endif()
endfunction()
