# SPDX-License-Identifier: Apache-2.0
# cmake --install: libraries, headers by directory and <toriscope/toriscope.h>, the CMake package `toriscope`,
# toriscope.pc and the program; libtoriscope.so with <toriscope/c_api.h> and toriscope_c.pc.
# Included by the root when all directories have declared their libraries.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(libraries GLOBAL PROPERTY TORISCOPE_LIBRARIES)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/toriscope)
set(headers_dir ${CMAKE_INSTALL_INCLUDEDIR}/toriscope) # so that #include "network/network.h" works from there

install(TARGETS ${libraries} toriscope_umbrella EXPORT toriscope_targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT toriscope_targets NAMESPACE toriscope:: DESTINATION ${package_dir})
if(TARGET toriscope_c)
  install(TARGETS toriscope_c EXPORT toriscope_c_targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT toriscope_c_targets NAMESPACE toriscope:: DESTINATION ${package_dir})
  install(FILES ${PROJECT_SOURCE_DIR}/include/toriscope/c_api.h DESTINATION ${headers_dir})
endif()
if(TARGET toriscope)
  install(TARGETS toriscope RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

foreach(library IN LISTS libraries)
  get_target_property(source_dir ${library} SOURCE_DIR)
  file(RELATIVE_PATH directory ${PROJECT_SOURCE_DIR} ${source_dir})
  list(APPEND directories ${directory})
endforeach()
list(REMOVE_DUPLICATES directories)
foreach(directory IN LISTS directories)
  # With the folders inside a directory (router/allocation), as includes name them.
  file(GLOB_RECURSE headers RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${directory}/*.h)
  # Helpers of benches and tests are not installed.
  list(FILTER headers EXCLUDE REGEX "_bench\\.h$|_test\\.h$|_oracle\\.h$|_shapes\\.h$|/random_routes\\.h$|/cosim/")
  foreach(header IN LISTS headers)
    get_filename_component(folder ${header} DIRECTORY)
    install(FILES ${PROJECT_SOURCE_DIR}/${header} DESTINATION ${headers_dir}/${folder})
  endforeach()
endforeach()

install(FILES ${PROJECT_SOURCE_DIR}/include/toriscope/toriscope.h DESTINATION ${headers_dir})
# The examples are a project of their own: cmake -S share/toriscope/examples -B build
install(DIRECTORY ${PROJECT_SOURCE_DIR}/testbenches/examples DESTINATION ${CMAKE_INSTALL_DATADIR}/toriscope)

# What the libraries need from elsewhere is found again by the user's project.
set(TORISCOPE_FIND_DEPENDENCIES)
set(TORISCOPE_PC_REQUIRES systemc)
set(TORISCOPE_PC_BOOST)
foreach(library IN LISTS libraries)
  get_target_property(needed ${library} INTERFACE_LINK_LIBRARIES)
  if(needed MATCHES "fmt::")
    list(APPEND TORISCOPE_FIND_DEPENDENCIES "find_dependency(fmt)")
    list(APPEND TORISCOPE_PC_REQUIRES fmt)
  endif()
  if(needed MATCHES "nlohmann_json::")
    list(APPEND TORISCOPE_FIND_DEPENDENCIES "find_dependency(nlohmann_json)")
    list(APPEND TORISCOPE_PC_REQUIRES nlohmann_json)
  endif()
  if(needed MATCHES "Boost::iostreams")
    list(APPEND TORISCOPE_FIND_DEPENDENCIES "find_dependency(Boost COMPONENTS iostreams)")
    set(TORISCOPE_PC_BOOST " -lboost_iostreams")
  endif()
  if(needed MATCHES "Boost::headers")
    list(APPEND TORISCOPE_FIND_DEPENDENCIES "find_dependency(Boost)")
  endif()
endforeach()
list(REMOVE_DUPLICATES TORISCOPE_FIND_DEPENDENCIES)
list(REMOVE_DUPLICATES TORISCOPE_PC_REQUIRES)
list(JOIN TORISCOPE_FIND_DEPENDENCIES "\n" TORISCOPE_FIND_DEPENDENCIES)
list(JOIN TORISCOPE_PC_REQUIRES ", " TORISCOPE_PC_REQUIRES)

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/toriscopeConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/toriscopeConfig.cmake INSTALL_DESTINATION ${package_dir}
                              PATH_VARS CMAKE_INSTALL_DATADIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/toriscopeConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/toriscopeConfig.cmake ${PROJECT_BINARY_DIR}/toriscopeConfigVersion.cmake
              ${CMAKE_CURRENT_LIST_DIR}/toriscope_systemc.cmake
        DESTINATION ${package_dir})

# pkg-config: a static linker reads the libraries from left to right, so those of upper layers come first.
set(pc_libraries)
foreach(library IN LISTS libraries)
  get_target_property(type ${library} TYPE)
  if(type STREQUAL STATIC_LIBRARY)
    list(PREPEND pc_libraries -l${library})
  endif()
endforeach()
list(JOIN pc_libraries " " pc_libraries)
if(TORISCOPE_CHECKED)
  set(pc_definitions " -DTORISCOPE_CHECKED=1")
endif()
file(RELATIVE_PATH TORISCOPE_PC_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix) # the tree may be moved
configure_file(${CMAKE_CURRENT_LIST_DIR}/toriscope.pc.in ${PROJECT_BINARY_DIR}/toriscope.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/toriscope.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(TARGET toriscope_c)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/toriscope_c.pc.in ${PROJECT_BINARY_DIR}/toriscope_c.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/toriscope_c.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
