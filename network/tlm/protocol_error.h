// SPDX-License-Identifier: Apache-2.0
// What an initiator or a target did that the base protocol (IEEE 1666-2011, 15.2) does not allow, as an error of
// SystemC: by default an exception, sc_core::sc_report. Where a simulation goes on after errors, the call is as if
// it had not been made.
#pragma once

#include <string>
#include <systemc>
#include <tlm>

namespace toriscope {

/// Reports, and returns what the call should.
inline tlm::tlm_sync_enum protocol_error(const sc_core::sc_object& socket_owner, const std::string& what) {
  SC_REPORT_ERROR("toriscope/tlm", (std::string(socket_owner.name()) + ": " + what).c_str());
  return tlm::TLM_ACCEPTED;
}

}  // namespace toriscope
