// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Every sequence is run in processes of its own: in one that has used the library before, again and again,
// and in fresh ones, where whatever is made at first use fails. After each failure the sequence must run once
// more as if nothing had been. FAILURE_SWEEP=all tries every n, otherwise only so many.
#include "failure/sweep.h"

#include <ge/ge_api.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <thread>
#include <vector>

namespace {

using faults::Kind;

constexpr unsigned kLongestTrial = 30;  // seconds; a machine may be busy
constexpr long kWarmPoints = 100, kColdPoints = 12;

struct Now {
  const char* sequence = "";
  const char* kind = "";
  long n = 0;
};
Now now;

std::vector<Sequence>& Sequences() {
  static std::vector<Sequence> sequences;
  return sequences;
}

void Say(const char* what, const char* more, unsigned code) {
  const faults::Exempt quiet;
  std::fprintf(stderr, "%s, %s %ld: %s%s", now.sequence, now.kind, now.n, what, more);
  code == 0 ? std::fprintf(stderr, "\n") : std::fprintf(stderr, " %u\n", code);
}

void WriteFault() {
  if (faults::Happened()) faults::WriteWhere(STDERR_FILENO);
}

void Die(int signal) {
  char text[200];
  const int length = std::snprintf(text, sizeof text, "%s, %s %ld: %s\n", now.sequence, now.kind, now.n,
                                   signal == SIGALRM ? "hangs" : "crashes");
  if (write(STDERR_FILENO, text, static_cast<size_t>(length)) < 0) _exit(3);
  WriteFault();
  _exit(2);
}

// Codes of the public headers and sheets that tell of want of memory, threads or other resources.
bool TellsOfWant(unsigned code) {
  // The media interface's: a module, and no memory or no buffer.
  if (code >> 24 == 0xA0 && ((code & 0xFFFF) == 0x800C || (code & 0xFFFF) == 0x800D)) return true;
  constexpr std::array<unsigned, 9> kCodes = {ACL_ERROR_BAD_ALLOC,
                                              207001,  // memory of the runtime
                                              207005,  // a resource of the runtime
                                              static_cast<unsigned>(ge::FAILED),
                                              static_cast<unsigned>(ge::GRAPH_FAILED),
                                              1343225860,  // memory of the graph engine
                                              561101,      // an executor of aclnn
                                              361001,      // what aclnn needs of the runtime
                                              3};          // HCCL_E_MEMORY
  return std::find(kCodes.begin(), kCodes.end(), code) != kCodes.end();
}

// Messages are kept until they are read.
void ForgetMessages() {
  const faults::Exempt quiet;
  aclGetRecentErrMsg();
  ge::GEGetErrorMsg();
  ge::GEGetWarningMsg();
}

// Threads of the library give back what they had when they get a core.
long Settled(long wanted, int milliseconds = 40) {
  for (int i = 0; i < milliseconds && faults::LiveBlocks() > wanted; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return faults::LiveBlocks();
}

class Sweep {
 public:
  explicit Sweep(const Sequence& sequence) : sequence_(sequence) { now.sequence = sequence.name; }

  // One after the other in this process.
  bool Warm(Kind kind) {
    now.kind = kind == Kind::kAllocation ? "warm allocation" : "warm thread";
    for (int i = 0; i < 3; ++i)
      if (!Clean()) return false;
    const long count = Count(kind);
    if (!Settle()) return false;
    const long step = Step(count, kWarmPoints);
    bool good = true;
    for (long n = 1; n <= count + 2; n += step)
      good = Fault(kind, n) && Clean() && LeaksNothing(kind, n) && good;
    return good;
  }

  // One, in a process that has not used the library.
  bool Cold(Kind kind, long n) {
    now.kind = kind == Kind::kAllocation ? "cold allocation" : "cold thread";
    return Fault(kind, n) && Clean();
  }

  long Count(Kind kind) {
    faults::Arm(kind, 0);
    Run();
    return faults::Disarm();
  }

  static long Step(long count, long points) {
    const char* wanted = std::getenv("FAILURE_SWEEP");
    const bool all = wanted != nullptr && std::strcmp(wanted, "all") == 0;
    return all ? 1 : std::max(1L, (count + points - 1) / points);
  }

 private:
  // Until what is kept for later has come to its full size.
  bool Settle() {
    constexpr int kLongest = 100, kCalm = 12;
    for (int i = 0, calm = 0; i < kLongest && calm < kCalm; ++i, ++calm) {
      if (!Clean()) return false;
      if (Settled(base_) > base_) calm = 0;
      base_ = std::max(base_, faults::LiveBlocks());
    }
    return true;
  }

  Trial Run() {
    const faults::Exempt test;
    alarm(kLongestTrial);
    Trial trial;
    sequence_.run(trial);
    ForgetMessages();
    alarm(0);
    return trial;
  }

  bool Fault(Kind kind, long n) {
    now.n = n;
    faults::Arm(kind, n);
    const Trial trial = Run();
    faults::Disarm();
    const bool good = !trial.broken() && (faults::Happened() || !trial.refused());
    if (!good) WriteFault();
    return good;
  }

  bool Clean() {
    const Trial trial = Run();
    if (!trial.broken() && !trial.refused()) return true;
    Say("does not work afterwards", "", 0);
    WriteFault();
    return false;
  }

  // What is kept for later, for threads above all, may grow now and then; a leak grows each time.
  bool LeaksNothing(Kind kind, long n) {
    // Its messages do not give all back when they fail to grow.
    if (faults::HappenedIn("protobuf")) return base_ = faults::LiveBlocks(), true;
    if (Settled(base_) <= base_) return true;
    long more = 0;
    for (int round = 0; round < 3; ++round) {
      const long before = faults::LiveBlocks();
      faults::MarkBlocks();
      for (int i = 0; i < kTimes; ++i)
        if (!Fault(kind, n)) return false;
      more = Settled(before, 500) - before;
      if (!Clean()) return false;
      base_ = std::max(base_, faults::LiveBlocks());
      if (more < kTimes) return true;
    }
    Say("leaves memory behind: blocks in 8 runs:", "", static_cast<unsigned>(more));
    WriteFault();
    faults::WriteBlocksSinceMark(STDERR_FILENO);
    return false;
  }

  static constexpr long kTimes = 8;
  const Sequence& sequence_;
  long base_ = 0;
};

// In a process of its own; the exit status says whether it went well.
template <typename Body>
int InProcess(Body&& body) {
  const pid_t child = fork();
  if (child == 0) {
    for (const int signal : {SIGALRM, SIGSEGV, SIGABRT, SIGBUS, SIGFPE})
      ::signal(signal, Die);
    bool good = false;
    try {
      good = body();
    } catch (const std::exception& error) {
      Say("throws ", error.what(), 0);
      WriteFault();
    }
    _exit(good ? 0 : 1);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

long CountInProcess(const Sequence& sequence, Kind kind) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  EXPECT_EQ(InProcess([&] {
              const long count = Sweep(sequence).Count(kind);
              return write(ends[1], &count, sizeof count) == sizeof count;
            }),
            0);
  close(ends[1]);
  long count = 0;
  EXPECT_EQ(read(ends[0], &count, sizeof count), static_cast<ssize_t>(sizeof count));
  close(ends[0]);
  return count;
}

class SequenceTest : public testing::Test {
 public:
  SequenceTest(const Sequence& sequence, Kind kind, bool cold)
      : sequence_(sequence), kind_(kind), cold_(cold) {}

  void TestBody() override {
    if (!cold_) {
      EXPECT_EQ(InProcess([&] { return Sweep(sequence_).Warm(kind_); }), 0);
      return;
    }
    const long count = CountInProcess(sequence_, kind_);
    const long step = Sweep::Step(count, kColdPoints);
    for (long n = 1; n <= count; n += step)
      EXPECT_EQ(InProcess([&] { return Sweep(sequence_).Cold(kind_, n); }), 0) << n << " of " << count;
  }

 private:
  const Sequence sequence_;
  const Kind kind_;
  const bool cold_;
};

void RegisterTests(const Sequence& sequence) {
  const auto add = [&](const char* suite, Kind kind, bool cold) {
    testing::RegisterTest(suite, sequence.name, nullptr, nullptr, __FILE__, __LINE__,
                          [=]() -> testing::Test* { return new SequenceTest(sequence, kind, cold); });
  };
  add("NoMemory", Kind::kAllocation, false);
  add("NoThread", Kind::kThread, false);
  add("NoMemoryAtFirst", Kind::kAllocation, true);
  add("NoThreadAtFirst", Kind::kThread, true);
}

}  // namespace

bool Trial::Judge(const char* what, unsigned code, bool must) {
  if (code == 0) return true;
  if (must || !TellsOfWant(code)) {
    broken_ = true;
    Say(what, " answers", code);
    if (const char* text = aclGetRecentErrMsg()) std::fprintf(stderr, "%s\n", text);
    std::fprintf(stderr, "%s\n", ge::GEGetErrorMsg().c_str());
  }
  refused_ = true;
  return false;
}

void Trial::Expect(bool holds, const char* what) {
  if (holds) return;
  broken_ = true;
  Say(what, "", 0);
}

void Trial::Refused(const char*) {
  refused_ = true;
}

bool Register(const char* name, void (*run)(Trial&)) {
  Sequences().push_back({name, run});
  return true;
}

Program::Program(Trial& trial) : trial_(trial) {
  initialized_ = trial.Try("aclInit", [] { return aclInit(nullptr); });
  if (!initialized_) return;
  chosen_ = trial.Try("aclrtSetDevice", [] { return aclrtSetDevice(0); });
  if (chosen_) trial.Try("aclrtGetCurrentContext", [&] { return aclrtGetCurrentContext(&context_); });
}

Program::~Program() {
  if (chosen_) trial_.End("aclrtResetDeviceForce", [] { return aclrtResetDeviceForce(0); });
  if (initialized_) trial_.End("aclFinalize", [] { return aclFinalize(); });
}

int main(int argc, char** argv) {
  const faults::Exempt test;
  testing::InitGoogleTest(&argc, argv);
  for (const Sequence& sequence : Sequences())
    RegisterTests(sequence);
  return RUN_ALL_TESTS();
}
