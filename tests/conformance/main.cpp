// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Runs the conformance tests. No call may hang: a test that takes too long ends the program with its name.
// CONFORMANCE_SECONDS says how long one may take where there is more to do than usual.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

namespace {

unsigned SecondsPerTest() {
  const char* const text = std::getenv("CONFORMANCE_SECONDS");
  return text == nullptr ? 120 : static_cast<unsigned>(std::atoi(text));
}

char hung_test[256];

void ReportHang(int) {
  const char text[] = "a test hangs: ";
  ssize_t written = write(STDERR_FILENO, text, sizeof(text) - 1);
  written += write(STDERR_FILENO, hung_test, std::strlen(hung_test));
  written += write(STDERR_FILENO, "\n", 1);
  _exit(written > 0 ? 70 : 71);
}

class Watchdog : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo& test) override {
    const std::string name = std::string(test.test_suite_name()) + "." + test.name();
    std::strncpy(hung_test, name.c_str(), sizeof(hung_test) - 1);
    alarm(SecondsPerTest());
  }
  void OnTestEnd(const testing::TestInfo&) override { alarm(0); }
};

}  // namespace

#ifdef __SANITIZE_ADDRESS__
// In a forked child, what threads of the parent held looks like leaks.
const pid_t started = getpid();
extern "C" __attribute__((visibility("default"))) int __lsan_is_turned_off() {
  return getpid() != started;
}
// UCX keeps its endpoints in mappings of its own, where the search for leaks does not look.
extern "C" __attribute__((visibility("default"))) const char* __lsan_default_suppressions() {
  return "leak:libucs.so\n";
}
#endif

#ifdef __SANITIZE_THREAD__
// UCX ends its locks at exit while a thread of its own goes on. Memory that becomes shared moves while the
// protection of its pages holds those who write to it, which the sanitizer does not see.
extern "C" __attribute__((visibility("default"))) const char* __tsan_default_suppressions() {
  return "race:libucs.so\nrace:SharedSpans::Move\n";
}
#endif

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  signal(SIGALRM, ReportHang);
  testing::UnitTest::GetInstance()->listeners().Append(new Watchdog);
  return RUN_ALL_TESTS();
}
