// SPDX-License-Identifier: Apache-2.0
// For tests: a terminal, and what is shown on it.
#pragma once

#include <pty.h>
#include <unistd.h>

#include <string>

namespace toriscope {

class test_terminal {
 public:
  test_terminal() : made_(openpty(&shown_, &file_, name_, nullptr, nullptr) == 0) {}
  ~test_terminal() {
    close(file_);
    close(shown_);
  }
  test_terminal(const test_terminal&) = delete;
  test_terminal& operator=(const test_terminal&) = delete;

  /// Where none can be made, as in a plain chroot: false.
  bool made() const { return made_; }
  int file() const { return file_; }
  const char* name() const { return name_; }
  /// All since the last call.
  std::string text() {
    (void)!write(file_, "$", 1);  // the end
    std::string text;
    for (char c = 0; read(shown_, &c, 1) == 1 && c != '$';) text += c;
    return text;
  }

 private:
  int shown_ = -1, file_ = -1;
  char name_[256] = {};
  bool made_;
};

}  // namespace toriscope
