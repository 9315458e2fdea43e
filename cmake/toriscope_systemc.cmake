# SPDX-License-Identifier: Apache-2.0
# One target, toriscope::systemc, whichever way SystemC was installed:
# SystemC 3.x and self-built 2.3.x bring a CMake package; Debian's libsystemc-dev brings systemc.pc only.
# Also installed beside toriscopeConfig.cmake, so that a user's project finds SystemC in the same way.
include(CheckCXXSourceCompiles)

if(NOT TARGET toriscope::systemc)
  find_package(SystemCLanguage CONFIG QUIET)
  # Imported: an installed toriscope names it and does not bring it along.
  add_library(toriscope::systemc INTERFACE IMPORTED GLOBAL)
  if(TARGET SystemC::systemc)
    set(provider SystemC::systemc)
  else()
    find_package(PkgConfig REQUIRED)
    pkg_check_modules(TORISCOPE_SC IMPORTED_TARGET GLOBAL systemc)
    if(NOT TORISCOPE_SC_FOUND)
      message(FATAL_ERROR "SystemC was not found: neither a CMake package SystemCLanguage nor systemc.pc. "
                          "On Debian: apt-get install libsystemc-dev")
    endif()
    set(provider PkgConfig::TORISCOPE_SC)
  endif()
  target_link_libraries(toriscope::systemc INTERFACE ${provider})
  target_compile_features(toriscope::systemc INTERFACE cxx_std_17)

  # The SystemC library insists on the C++ standard it was built with and says so only at link time.
  set(CMAKE_REQUIRED_LIBRARIES ${provider})
  set(CMAKE_REQUIRED_FLAGS -std=gnu++17)
  check_cxx_source_compiles("#include <systemc>\nint sc_main(int, char*[]) { return 0; }" TORISCOPE_SYSTEMC_LINKS)
  unset(CMAKE_REQUIRED_LIBRARIES)
  unset(CMAKE_REQUIRED_FLAGS)
  if(NOT TORISCOPE_SYSTEMC_LINKS)
    message(FATAL_ERROR "SystemC was found but a C++17 program does not link with it: it was probably built for "
                        "another C++ standard (the linker then misses a symbol sc_api_version_...). "
                        "Rebuild SystemC with -DCMAKE_CXX_STANDARD=17.")
  endif()
endif()
