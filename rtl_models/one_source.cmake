# SPDX-License-Identifier: Apache-2.0
# cmake -DDIRECTORY=... -DPREFIX=... -P one_source.cmake
# Writes PREFIX__all.cpp, which includes the C++ files that Verilator made: their number and names are not
# known before.
file(GLOB sources RELATIVE ${DIRECTORY} ${DIRECTORY}/${PREFIX}*.cpp)
list(REMOVE_ITEM sources ${PREFIX}__all.cpp)
list(SORT sources)
set(text "")
foreach(source ${sources})
  string(APPEND text "#include \"${source}\"\n")
endforeach()
file(WRITE ${DIRECTORY}/${PREFIX}__all.cpp "${text}")
