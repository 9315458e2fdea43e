#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# scripts/checks/install.sh SOURCE_DIR BUILD_DIR WAY: the example benches, built outside the tree and run.
#   find_package       with the package that `cmake --install` leaves, moved to another place
#   add_subdirectory   with the sources, which takes a build of all libraries
#   subdirectory_part  the same as far as the first library
#   pkg_config         with toriscope.pc, without CMake
# CMAKE, CXX, CXXFLAGS, LDFLAGS and CMAKE_CXX_COMPILER_LAUNCHER are taken from the environment.
set -euo pipefail
source_dir=$(cd "$1" && pwd)
build_dir=$(cd "$2" && pwd)
way=$3
cmake=${CMAKE:-cmake}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

install_package() {
  "$cmake" --install "$build_dir" --prefix "$work/staged" >"$work/log" || { cat "$work/log"; exit 1; }
  mv "$work/staged" "$work/prefix" # nothing in it may know where it was installed
}
# configure CMAKE-ARGUMENT...: the examples as a project of their own, away from the sources.
configure() {
  cp -r "$source_dir/testbenches/examples" "$work/benches"
  "$cmake" -G Ninja -S "$work/benches" -B "$work/build" -DCMAKE_BUILD_TYPE=Debug "$@" >"$work/log" ||
    { cat "$work/log"; exit 1; }
}
build() {
  "$cmake" --build "$work/build" --parallel 2 --target "$@" >"$work/log" || { cat "$work/log"; exit 1; }
}
build_and_run() {
  configure "$@"
  build toriscope_examples
  "$(dirname "$(command -v "$cmake")")/ctest" --test-dir "$work/build" --output-on-failure -R '^example_'
}
# The C interface in a project without C++.
build_and_run_c() {
  mkdir "$work/c"
  cp "$source_dir/testbenches/examples/one_network.c" "$work/c"
  printf '%s\n' 'cmake_minimum_required(VERSION 3.25)' 'project(bench LANGUAGES C)' \
    'find_package(toriscope REQUIRED COMPONENTS c)' 'add_executable(bench one_network.c)' \
    'target_link_libraries(bench toriscope::c)' >"$work/c/CMakeLists.txt"
  "$cmake" -G Ninja -S "$work/c" -B "$work/c/build" -DCMAKE_PREFIX_PATH="$work/prefix" >"$work/log" ||
    { cat "$work/log"; exit 1; }
  "$cmake" --build "$work/c/build" >"$work/log" || { cat "$work/log"; exit 1; }
  "$work/c/build/bench" | grep '^0 -> 15  2 hops'
}

case $way in
  find_package)
    install_package
    build_and_run -DCMAKE_PREFIX_PATH="$work/prefix"
    build_and_run_c
    if grep -rlE --include='*.cmake' --include='*.pc' "$work/staged|$source_dir|$build_dir" "$work/prefix"; then
      echo "install.sh: these installed files name the machine that they were made on"
      exit 1
    fi ;;
  add_subdirectory)
    build_and_run -DTORISCOPE_SOURCE_DIR="$source_dir" ;;
  subdirectory_part)
    configure -DTORISCOPE_SOURCE_DIR="$source_dir"
    build toriscope_links ;;
  pkg_config)
    install_package
    pc=$(find "$work/prefix" -name toriscope.pc -printf '%h')
    export PKG_CONFIG_PATH=$pc${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
    cd "$work"
    for bench in bind_a_port one_run; do
      # shellcheck disable=SC2046,SC2086 # flags are words
      ${CXX:-c++} ${CXXFLAGS:-} "$source_dir/testbenches/examples/$bench.cpp" $(pkg-config --cflags toriscope) \
        -o "$bench" ${LDFLAGS:-} $(pkg-config --libs toriscope)
      "./$bench" | tee -a "$work/output"
    done
    # shellcheck disable=SC2046,SC2086
    ${CC:-cc} -std=c99 "$source_dir/testbenches/examples/one_network.c" $(pkg-config --cflags --libs toriscope_c) \
      -o one_network ${LDFLAGS:-}
    LD_LIBRARY_PATH=${pc%/pkgconfig} ./one_network | tee -a "$work/output"
    grep -q '^0 -> 15  2 hops' "$work/output"
    # It finds library and program of the moved tree. No sanitizer's library can be loaded into a Python without it.
    if [[ -z ${LDFLAGS:-} && -d $work/prefix/lib/python3/dist-packages ]]; then
      (unset TORISCOPE_LIBRARY TORISCOPE_PROGRAM
       PYTHONPATH=$work/prefix/lib/python3/dist-packages /usr/bin/env python3 -c \
         'import toriscope; print(toriscope.run("mesh:2x2").stable, toriscope.prove("mesh:2x2")["verdict"])') |
        tee -a "$work/output"
      grep -q '^True proven' "$work/output"
    fi
    grep -q '^4 flits went from' "$work/output"
    grep -q '^stable at' "$work/output" ;;
  *)
    echo "install.sh: unknown way '$way'; one of find_package, add_subdirectory, subdirectory_part, pkg_config" >&2
    exit 2 ;;
esac
echo "install.sh: $way works"
