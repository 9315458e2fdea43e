// SPDX-License-Identifier: Apache-2.0
// The sc_main of every test program that elaborates SystemC modules (gtest_main does not link with SystemC).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <systemc>

namespace {

/// Each test suite elaborates in a simulation context of its own, so that many of them stand in one program: SystemC
/// takes no module after a simulation has begun. What suites keep until the program ends may stand in their contexts,
/// which therefore live as long.
class context_of_each_suite : public testing::EmptyTestEventListener {
  void OnTestSuiteStart(const testing::TestSuite&) override {
    sc_core::sc_curr_simcontext = new sc_core::sc_simcontext;
  }
};

}  // namespace

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
  testing::UnitTest::GetInstance()->listeners().Append(new context_of_each_suite);
  return RUN_ALL_TESTS();
}
