// SPDX-License-Identifier: Apache-2.0
// Where verilated RTL prints ($display, $error, failed assertions): to the program, which decides who sees
// it. Given to the compiler before all else (-include).
#pragma once

extern "C" __attribute__((visibility("hidden"))) int toriscope_model_print(const char* format, ...);
#define VL_PRINTF toriscope_model_print
#define VL_USER_FATAL  // vl_fatal is ours
#define VL_USER_FINISH  // and so is vl_finish
