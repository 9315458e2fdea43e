// SPDX-License-Identifier: Apache-2.0
// The sc_main of every test program that elaborates SystemC modules (gtest_main does not link with SystemC).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <systemc>

#ifdef __SANITIZE_ADDRESS__
// SystemC 2.3.4 tells AddressSanitizer of switches to a thread, but not of all that lead back: the stack of main would
// be taken for that of a thread that has ended, and what is thrown there for a use of what is out of scope. Untold, it
// is right about main.
extern "C" void __sanitizer_start_switch_fiber(void**, const void*, std::size_t) {}
extern "C" void __sanitizer_finish_switch_fiber(void*, const void**, std::size_t*) {}
#endif

int sc_main(int argc, char* argv[]) {
  // W506-like warnings and the deprecation notes of old coding styles would bury a failure.
  sc_core::sc_report_handler::set_actions("/IEEE_Std_1666/deprecated", sc_core::SC_DO_NOTHING);
  testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
