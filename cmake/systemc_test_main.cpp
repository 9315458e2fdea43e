// SPDX-License-Identifier: Apache-2.0
// The sc_main of every test program that elaborates SystemC modules (gtest_main does not link with SystemC).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <systemc>

int sc_main(int argc, char* argv[]) {
  // W506-like warnings and the deprecation notes of old coding styles would bury a failure.
  sc_core::sc_report_handler::set_actions("/IEEE_Std_1666/deprecated", sc_core::SC_DO_NOTHING);
  testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
