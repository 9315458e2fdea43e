# SPDX-License-Identifier: Apache-2.0
# RTL that tests build on demand (on_demand/rtl_build.h): in one cache, in what is cheapest, building and running.
# TORISCOPE_TEST_RTL_CXXFLAGS: the flags. TORISCOPE_TEST_RTL_ENVIRONMENT: a list for the property ENVIRONMENT of tests.
# TORISCOPE_TEST_RTL_DEFINITIONS: for tests that set their environment themselves, for the long tier, too.
set(cache ${PROJECT_BINARY_DIR}/rtl_cache)
set(flags -O0)
if(TORISCOPE_VERILATOR AND TORISCOPE_PRECOMPILED_HEADERS AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU"
   AND NOT PROJECT_BINARY_DIR MATCHES "[ \t]") # the flags are words
  # GCC takes the precompiled header if its flags are those of rtl_build.cpp, and reads the header itself if not.
  set(header ${CMAKE_CURRENT_BINARY_DIR}/test_builds.h)
  file(CONFIGURE OUTPUT ${header} CONTENT
       "#include \"${CMAKE_CURRENT_SOURCE_DIR}/on_demand/model_print.h\"\n#include <verilated.h>\n")
  add_custom_command(OUTPUT ${header}.gch
    COMMAND ${CMAKE_CXX_COMPILER} -std=c++17 -fPIC -fvisibility=hidden -w -pthread -DVL_TIME_CONTEXT -fno-gnu-unique
            ${flags} -I${TORISCOPE_VERILATOR_INCLUDE} -x c++-header -o ${header}.gch ${header}
    DEPENDS ${header} on_demand/model_print.h
    COMMENT "Precompiling Verilator's headers"
    VERBATIM)
  add_custom_target(toriscope_test_builds_headers ALL DEPENDS ${header}.gch)
  string(APPEND flags " -include ${header}")
endif()
set(TORISCOPE_TEST_RTL_CXXFLAGS ${flags} CACHE INTERNAL "")
set(TORISCOPE_TEST_RTL_ENVIRONMENT TORISCOPE_RTL_CACHE=${cache} "TORISCOPE_RTL_CXXFLAGS=${flags}" CACHE INTERNAL "")
set(TORISCOPE_TEST_RTL_DEFINITIONS TORISCOPE_TEST_RTL_CACHE="${cache}" TORISCOPE_TEST_RTL_CXXFLAGS="${flags}"
    CACHE INTERNAL "")
