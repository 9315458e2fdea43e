// SPDX-License-Identifier: Apache-2.0
// RTL built on demand: verilator --cc, the C++ compiler, and a cache, so that the same RTL is built once.
//
//   cache    TORISCOPE_RTL_CACHE [$XDG_CACHE_HOME/toriscope/rtl or ~/.cache/toriscope/rtl]: TOP_HASH.so. The
//            hash is over sources, files that they include, parameters, options, the versions of the tools and of our
//            wrapper. Several processes may build the same at once: each builds for itself, and the last one's file
//            stands. A file that was changed or cut off is built again (sealed_file.h).
//   tools    TORISCOPE_VERILATOR [verilator]; TORISCOPE_CXX, else CXX [c++]; TORISCOPE_RTL_CXXFLAGS [-O1]
//   warnings of Verilator end no build; they are kept in TOP_HASH.warnings
//   errors   one line with the gist; all that the tool said is kept in TOP_HASH.log beside, and named
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "rtl_models/on_demand/rtl_design.h"

namespace toriscope {

class rtl_build_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The shared library of a design (rtl_library.h), from the cache or built now.
/// @throws rtl_build_error one line: no Verilator, no compiler, RTL that does not compile, a port that is
/// missing, too much, or of another width
std::string build_rtl(const rtl_design& design);

/// The file with Verilator's warnings of such a library, if there were any.
std::string rtl_warnings_file(const std::string& library);

/// The directory of the cache.
std::string rtl_cache_directory();

/// The line of a tool's message that says what is wrong.
std::string gist_of(const std::string& message);

/// The words of the command that runs Verilator.
std::vector<std::string> verilator_command();

/// What to tell a user when that cannot be run: one line.
std::string verilator_missing();

}  // namespace toriscope
