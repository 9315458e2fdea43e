// SPDX-License-Identifier: Apache-2.0
#include "links/flit_systemc.h"

#include <ios>

#include "base/bit_set.h"

namespace toriscope {

std::ostream& operator<<(std::ostream& out, flit_word f) {
  if (!f.valid()) return out << '-';
  const char kind = f.head() ? (f.tail() ? 'S' : 'H') : (f.tail() ? 'T' : 'B');
  const auto flags = out.flags();
  out << kind << " vc" << std::dec << f.vc() << " 0x" << std::hex << f.bits;
  out.flags(flags);
  return out;
}

std::ostream& operator<<(std::ostream& out, credit_word c) {
  if (!c.valid()) return out << '-';
  const char* separator = "";
  for (const unsigned v : bits_of(c.vcs)) {
    out << separator << "vc" << v;
    separator = " ";
  }
  return out;
}

void sc_trace(sc_core::sc_trace_file* file, const flit_word& f, const std::string& name) {
  sc_core::sc_trace(file, f.bits, name);
}

void sc_trace(sc_core::sc_trace_file* file, const credit_word& c, const std::string& name) {
  sc_core::sc_trace(file, c.vcs, name);
}

}  // namespace toriscope
