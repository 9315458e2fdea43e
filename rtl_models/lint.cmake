# SPDX-License-Identifier: Apache-2.0
# Lint and readability tests of the SystemVerilog, for the tools that are found. Each warning is a failure.
find_program(TORISCOPE_IVERILOG iverilog DOC "Icarus Verilog, a second opinion on the RTL")
find_program(TORISCOPE_YOSYS yosys DOC "Yosys, to see that the RTL can be synthesized")

function(toriscope_lint_test name)
  add_test(NAME ${name} COMMAND ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS rtl
                       FAIL_REGULAR_EXPRESSION "[Ww]arning;[Ee]rror;sorry")
endfunction()

set(top_of_4x8 PORTS=5 VCS=4 DEPTH=8 DST_BITS=4 STATE_BITS=1)
set(top_of_four_stage PORTS=5 VCS=4 DEPTH=8 DST_BITS=4 STATE_BITS=1 FOUR_STAGE=1 LOCAL_CREDITS=1)
set(top_of_smallest PORTS=2 VCS=1 DEPTH=1 DST_BITS=1 STATE_BITS=0)
set(top_of_switch PORTS=3 VCS=2 DEPTH=2 DST_BITS=3 STATE_BITS=0 LOCAL_PORTS=0)
set(top_of_crossbar PORTS=4 VCS=2 DEPTH=2 DST_BITS=3 STATE_BITS=0 LOCAL_PORTS=4)
set(top_of_odd PORTS=7 VCS=3 DEPTH=5 DST_BITS=3 STATE_BITS=2 LOCAL_CREDITS=1 DRAINED=1 OPTIONS=3 CLASS_BITS=3)
set(top_of_hashed PORTS=4 VCS=2 DEPTH=3 DST_BITS=8 STATE_BITS=11 FOUR_STAGE=1 DRAINED=1 OPTIONS=2 CLASS_BITS=1
                  INDEX_BITS=5)
set(top_of_own PORTS=5 VCS=4 IN_VCS=2 DEPTH=4 OUT_DEPTH=8 DST_BITS=4 STATE_BITS=1 LOCAL_CREDITS=1 DRAINED=1 NARROW=1
               OPTIONS=2 WEIGHT_BITS=3)
set(top_of_narrow PORTS=5 VCS=4 DEPTH=4 FLIT_BITS=13 DST_BITS=4 STATE_BITS=1 FOUR_STAGE=1)
set(top_of_payload PORTS=5 VCS=2 DEPTH=4 FLIT_BITS=139 DST_BITS=4 STATE_BITS=0)
set(top_of_widest PORTS=4 VCS=16 DEPTH=64 DST_BITS=3 STATE_BITS=5)

foreach(variant 4x8 four_stage smallest switch crossbar odd hashed own narrow payload widest)
  set(verilator_parameters ${top_of_${variant}})
  set(iverilog_parameters ${top_of_${variant}})
  set(yosys_parameters ${top_of_${variant}})
  list(TRANSFORM verilator_parameters PREPEND -G)
  list(TRANSFORM iverilog_parameters PREPEND -Prouter.)
  list(TRANSFORM yosys_parameters REPLACE "(.*)=(.*)" "-chparam \\1 \\2")
  string(JOIN " " yosys_parameters ${yosys_parameters})
  string(JOIN " " yosys_sources ${TORISCOPE_ROUTER_SV})

  if(TORISCOPE_VERILATOR)
    toriscope_lint_test(rtl_lint_verilator_${variant} ${TORISCOPE_VERILATOR} --lint-only -Wall --assert
                        --no-timing --top-module router ${verilator_parameters} ${TORISCOPE_ROUTER_SV})
  endif()
  if(TORISCOPE_IVERILOG)
    toriscope_lint_test(rtl_lint_iverilog_${variant} ${TORISCOPE_IVERILOG} -g2012 -Wall -Wno-timescale
                        -t null -s router ${iverilog_parameters} ${TORISCOPE_ROUTER_SV})
  endif()
  if(TORISCOPE_YOSYS AND NOT variant STREQUAL widest) # yosys takes minutes for its memories
    set(script ${CMAKE_CURRENT_BINARY_DIR}/read_${variant}.ys)
    file(WRITE ${script} "read_verilog -sv ${yosys_sources}\n"
                         "hierarchy -check -top router ${yosys_parameters}\nproc\ncheck -assert\n")
    toriscope_lint_test(rtl_lint_yosys_${variant} ${TORISCOPE_YOSYS} -q -s ${script})
  endif()
endforeach()

# Four-valued logic: no output is unknown after reset.
if(TORISCOPE_IVERILOG)
  foreach(four_stage 0 1)
    set(simulation ${CMAKE_CURRENT_BINARY_DIR}/x_free_${four_stage})
    add_test(NAME rtl_x_free_${four_stage}
             COMMAND sh -c "\"$@\" && vvp -n ${simulation} +route_table=/dev/null" sh
                     ${TORISCOPE_IVERILOG} -g2012 -s x_free_tb -Px_free_tb.FOUR_STAGE=${four_stage}
                     -o ${simulation} ${TORISCOPE_ROUTER_SV} ${CMAKE_CURRENT_SOURCE_DIR}/x_free_tb.sv)
    set_tests_properties(rtl_x_free_${four_stage} PROPERTIES LABELS rtl
                         PASS_REGULAR_EXPRESSION "PASS")
  endforeach()
endif()
