// SPDX-License-Identifier: Apache-2.0
// What SystemC wants to know about the words on links: how to print and how to trace them.
#pragma once

#include <ostream>
#include <string>
#include <systemc>

#include "links/flit.h"

namespace toriscope {

/// "-" for no flit, "H vc2 0x1f..." for a head, B a body, T a tail, S a packet of one flit.
std::ostream& operator<<(std::ostream& out, flit_word f);
/// "-" for no credit, else the VCs: "vc0 vc3".
std::ostream& operator<<(std::ostream& out, credit_word c);

/// Traces the flit as one vector of 64 bits (layout: links/flit.h).
void sc_trace(sc_core::sc_trace_file* file, const flit_word& f, const std::string& name);
/// Traces the credit as one vector of 16 bits, one per VC.
void sc_trace(sc_core::sc_trace_file* file, const credit_word& c, const std::string& name);

}  // namespace toriscope
