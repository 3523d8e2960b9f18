// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// All the ways a program leaves with the library in use. Each must end by itself, with exit code 0; the
// argument names the way.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <thread>

#include "acl/acl.h"
#include "clients/check.h"

namespace {

// First made, last destroyed: after every other object of the program.
struct FinaliseAtTheVeryEnd {
  bool wanted = false;
  ~FinaliseAtTheVeryEnd() {
    if (!wanted) return;
    REQUIRE(aclrtGetRunMode(nullptr) != ACL_SUCCESS);
    REQUIRE(aclGetRecentErrMsg() != nullptr);
    REQUIRE(aclFinalize() == ACL_SUCCESS);
    REQUIRE(aclFinalize() == ACL_ERROR_REPEAT_FINALIZE);
  }
};
FinaliseAtTheVeryEnd very_end;

struct FinaliseWithThread {
  bool wanted = false;
  ~FinaliseWithThread() {
    if (wanted) REQUIRE(aclFinalize() == ACL_SUCCESS);
  }
};

aclrtStream Start() {
  REQUIRE(aclInit(nullptr) == ACL_SUCCESS);
  REQUIRE(aclrtSetDevice(0) == ACL_SUCCESS);
  aclrtStream stream = nullptr;
  REQUIRE(aclrtCreateStream(&stream) == ACL_SUCCESS);
  return stream;
}

void Nothing(void*) {}

// Work that runs on a thread of the runtime, so that there are threads.
aclrtStream StartWithThreads() {
  const aclrtStream stream = Start();
  REQUIRE(aclrtLaunchHostFunc(stream, Nothing, nullptr) == ACL_SUCCESS);
  REQUIRE(aclrtSynchronizeStream(stream) == ACL_SUCCESS);
  return stream;
}

void ForkAndExit(const std::function<void()>& in_child) {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    alarm(60);
    in_child();
    std::exit(0);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

std::atomic<bool> started{false};

const std::map<std::string, std::function<void()>> kWays = {
    {"without_finalize", [] { StartWithThreads(); }},
    {"static_destructor",
     [] {
       StartWithThreads();
       very_end.wanted = true;
     }},
    {"atexit",
     [] {
       StartWithThreads();
       std::atexit([] { REQUIRE(aclFinalize() == ACL_SUCCESS); });
     }},
    {"thread_local_destructor",
     [] {
       StartWithThreads();
       static thread_local FinaliseWithThread object;
       object.wanted = true;
     }},
    {"waiting_work",
     [] {
       const aclrtStream stream = StartWithThreads();
       aclrtEvent event = nullptr;
       aclrtNotify notify = nullptr;
       REQUIRE(aclrtCreateNotify(&notify, ACL_NOTIFY_DEFAULT) == ACL_SUCCESS);
       REQUIRE(aclrtWaitAndResetNotify(notify, stream, 0) == ACL_SUCCESS);
       REQUIRE(aclrtCreateEvent(&event) == ACL_SUCCESS);
       REQUIRE(aclrtRecordEvent(event, stream) == ACL_SUCCESS);
       very_end.wanted = true;
     }},
    {"running_threads",
     [] {
       StartWithThreads();
       for (int i = 0; i < 2; ++i) {
         std::thread([] {
           for (;;) {
             int32_t device = -1;
             aclrtSetDevice(0);
             aclrtGetDevice(&device);
             aclGetRecentErrMsg();
             started = true;
           }
         }).detach();
       }
       while (!started)
         std::this_thread::yield();
     }},
    {"running_threads_static_destructor",
     [] {
       kWays.at("running_threads")();
       very_end.wanted = true;
     }},
    {"child_of_initialised",
     [] {
       StartWithThreads();
       very_end.wanted = true;
       ForkAndExit([] {});
     }},
    {"child_starts_afresh",
     [] {
       StartWithThreads();
       ForkAndExit([] {
         StartWithThreads();
         very_end.wanted = true;
       });
       REQUIRE(aclFinalize() == ACL_SUCCESS);
     }},
    {"child_of_unused",
     [] {
       ForkAndExit([] { REQUIRE(aclrtGetSocName() != nullptr); });
       ForkAndExit([] {
         StartWithThreads();
         very_end.wanted = true;
       });
     }},
    {"grandchild",
     [] {
       StartWithThreads();
       ForkAndExit([] {
         StartWithThreads();
         ForkAndExit([] {
           StartWithThreads();
           REQUIRE(aclFinalize() == ACL_SUCCESS);
         });
         REQUIRE(aclFinalize() == ACL_SUCCESS);
       });
       REQUIRE(aclFinalize() == ACL_SUCCESS);
     }},
    {"fork_while_others_call",
     [] {
       kWays.at("running_threads")();
       for (int i = 0; i < 20; ++i) {
         ForkAndExit([] {
           REQUIRE(aclrtGetSocName() != nullptr);
           REQUIRE(aclrtGetRunMode(nullptr) != ACL_SUCCESS);
           REQUIRE(aclInit(nullptr) == ACL_SUCCESS);
           REQUIRE(aclrtSetDevice(0) == ACL_SUCCESS);
           REQUIRE(aclDestroyDataBuffer(aclCreateDataBuffer(nullptr, 1)) == ACL_SUCCESS);
           REQUIRE(aclFinalize() == ACL_SUCCESS);
         });
       }
     }},
};

}  // namespace

int main(int argc, char** argv) {
  REQUIRE(argc == 2 && kWays.count(argv[1]) == 1);
  alarm(60);
  kWays.at(argv[1])();
  return 0;
}
