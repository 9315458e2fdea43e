# SPDX-License-Identifier: Apache-2.0
# Verilated routers: sv/router.sv, built with given parameters, behind the pins of rtl_models/rtl_router.h.
# Sets TORISCOPE_VERILATOR: a program, or false (-DTORISCOPE_VERILATOR=OFF does without).

find_program(TORISCOPE_VERILATOR verilator DOC "Verilator, to simulate RTL routers")
if(TORISCOPE_VERILATOR)
  execute_process(COMMAND ${TORISCOPE_VERILATOR} --getenv VERILATOR_ROOT OUTPUT_VARIABLE verilator_root
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(TORISCOPE_VERILATOR_INCLUDE ${verilator_root}/include)
endif()

set(TORISCOPE_SV_DIRECTORY ${CMAKE_CURRENT_LIST_DIR}/sv)
set(TORISCOPE_RTL_TEMPLATES ${CMAKE_CURRENT_LIST_DIR})
file(STRINGS ${TORISCOPE_SV_DIRECTORY}/router.f TORISCOPE_ROUTER_SV)
list(TRANSFORM TORISCOPE_ROUTER_SV PREPEND ${TORISCOPE_SV_DIRECTORY}/)

# Verilator's run-time library.
if(TORISCOPE_VERILATOR AND NOT TARGET toriscope_verilated)
  find_package(Threads REQUIRED)
  add_library(toriscope_verilated STATIC EXCLUDE_FROM_ALL ${TORISCOPE_VERILATOR_INCLUDE}/verilated.cpp
                                         ${TORISCOPE_VERILATOR_INCLUDE}/verilated_threads.cpp)
  target_include_directories(toriscope_verilated SYSTEM PUBLIC ${TORISCOPE_VERILATOR_INCLUDE}
                                                               ${TORISCOPE_VERILATOR_INCLUDE}/vltstd)
  target_compile_definitions(toriscope_verilated PUBLIC VL_TIME_CONTEXT)
  target_compile_features(toriscope_verilated PUBLIC cxx_std_17)
  target_link_libraries(toriscope_verilated PRIVATE toriscope_build_flags PUBLIC Threads::Threads)
  target_compile_options(toriscope_verilated PRIVATE -w -O2 -fno-sanitize=all) # not our code
endif()

# toriscope_verilated_router(NAME PORTS 5 VCS 4 DEPTH 8 DST_BITS 4 STATE_BITS 1 [FOUR_STAGE 1] ...
#                            [SOURCES a.sv ...])
#   A static library NAME whose header "NAME.h" declares make_NAME(). Any parameter of sv/router.sv; those
#   from FOUR_STAGE on and OUT_DEPTH are 0 (OPTIONS 1, LOCAL_PORTS 1, IN_VCS as VCS) by default. SOURCES: other files
#   than the project's.
set(TORISCOPE_VERILATED_OPTIMIZE -Og CACHE STRING "Compiler's optimisation of verilated routers in tests")
mark_as_advanced(TORISCOPE_VERILATED_OPTIMIZE)
function(toriscope_verilated_router name)
  set(parameters PORTS LOCAL_PORTS VCS IN_VCS DEPTH OUT_DEPTH DST_BITS STATE_BITS FOUR_STAGE NARROW LOCAL_CREDITS
                 DRAINED OPTIONS WEIGHT_BITS CLASS_BITS INDEX_BITS)
  cmake_parse_arguments(given "" "VCS" "" ${ARGN})
  set(arg_defaults LOCAL_PORTS 1 IN_VCS ${given_VCS} OUT_DEPTH 0 FOUR_STAGE 0 NARROW 0 LOCAL_CREDITS 0 DRAINED 0
                   OPTIONS 1 WEIGHT_BITS 0 CLASS_BITS 0 INDEX_BITS 0)
  cmake_parse_arguments(default "" "${parameters}" "" ${arg_defaults})
  cmake_parse_arguments(arg "" "${parameters}" "SOURCES" ${ARGN})
  set(values "")
  foreach(parameter ${parameters})
    if(NOT DEFINED arg_${parameter})
      set(arg_${parameter} ${default_${parameter}})
    endif()
    list(APPEND values -G${parameter}=${arg_${parameter}})
  endforeach()
  if(NOT arg_SOURCES)
    set(arg_SOURCES ${TORISCOPE_ROUTER_SV})
  endif()
  set(directory ${CMAKE_CURRENT_BINARY_DIR}/${name})
  set(prefix V${name})
  add_custom_command(
    OUTPUT ${directory}/${prefix}__all.cpp ${directory}/${prefix}.h
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${directory}
    COMMAND ${TORISCOPE_VERILATOR} --cc --assert --no-timing -Wall -O3 --x-assign unique --x-initial unique
            --prefix ${prefix} --top-module router -Mdir ${directory}
            ${values} ${arg_SOURCES}
    COMMAND ${CMAKE_COMMAND} -DDIRECTORY=${directory} -DPREFIX=${prefix}
            -P ${TORISCOPE_RTL_TEMPLATES}/one_source.cmake
    DEPENDS ${arg_SOURCES} ${TORISCOPE_RTL_TEMPLATES}/one_source.cmake
    COMMENT "Verilating ${name}"
    VERBATIM)
  set(wrapper ${CMAKE_CURRENT_BINARY_DIR}/${name}_wrapper)
  configure_file(${TORISCOPE_RTL_TEMPLATES}/verilated_router.h.in ${wrapper}/${name}.h @ONLY)
  configure_file(${TORISCOPE_RTL_TEMPLATES}/verilated_router.cpp.in ${wrapper}/${name}.cpp @ONLY)
  add_library(${name} STATIC EXCLUDE_FROM_ALL ${directory}/${prefix}__all.cpp ${wrapper}/${name}.cpp)
  # Not our code; -Og compiles in 60 % of the time of -O1 and is hardly slower.
  set_source_files_properties(${directory}/${prefix}__all.cpp PROPERTIES COMPILE_OPTIONS
                              "-w;${TORISCOPE_VERILATED_OPTIMIZE};-fno-sanitize=all")
  target_include_directories(${name} SYSTEM PRIVATE ${directory})
  target_include_directories(${name} PUBLIC ${wrapper})
  target_link_libraries(${name} PRIVATE toriscope_build_flags
                                PUBLIC toriscope_verilated toriscope::rtl_models)
endfunction()
