// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The way OpenCV's dnn module uses the library: a static object initialises and, in its destructor,
// finalises; every failure throws, in destructors too, so one non-zero answer ends the program. Networks are
// compiled in a forked child that asks for the chip's name and leaves through exit(), with a copy of the
// static object to destroy.
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "clients/check.h"

namespace {

// Asks again when it fails, like the original.
#define CHECKED(call) \
  if ((call) != ACL_SUCCESS) throw std::runtime_error(#call " answers " + std::to_string(call))

class Environment {
 public:
  static Environment& Get() {
    static Environment environment;
    return environment;
  }
  ~Environment() noexcept(false) { CHECKED(aclFinalize()); }

 private:
  Environment() { CHECKED(aclInit(nullptr)); }
};

class Network {
 public:
  Network() {
    Environment::Get();
    CHECKED(aclrtSetDevice(0));
    CHECKED(aclrtCreateContext(&context_, 0));
  }
  ~Network() noexcept(false) {
    CHECKED(aclrtDestroyContext(context_));
    CHECKED(aclrtResetDevice(0));
  }

  void Run() {
    CHECKED(aclrtSetCurrentContext(context_));
    const std::vector<float> input(1000, 2.5f);
    std::vector<float> output(input.size());
    const size_t size = input.size() * sizeof(float);
    void* memory = nullptr;
    CHECKED(aclrtMalloc(&memory, size, ACL_MEM_MALLOC_HUGE_FIRST));
    aclDataBuffer* const buffer = aclCreateDataBuffer(memory, size);
    CHECKED(aclrtMemcpy(aclGetDataBufferAddr(buffer), aclGetDataBufferSizeV2(buffer), input.data(), size,
                        ACL_MEMCPY_HOST_TO_DEVICE));
    CHECKED(aclrtMemcpy(output.data(), size, memory, size, ACL_MEMCPY_DEVICE_TO_HOST));
    REQUIRE(output == input);
    CHECKED(aclDestroyDataBuffer(buffer));
    CHECKED(aclrtFree(memory));
  }

 private:
  aclrtContext context_ = nullptr;
};

int StatusOf(pid_t child) {
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  return status;
}

void Compile() {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    alarm(60);
    const char* soc = aclrtGetSocName();
    std::exit(soc != nullptr && std::strlen(soc) > 0 ? 0 : 1);
  }
  const int status = StatusOf(child);
  REQUIRE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

}  // namespace

int main() {
  Compile();  // before anything was initialised
  {
    Network first;
    Compile();
    first.Run();
    Network second;
    second.Run();
    first.Run();
    Compile();  // with work done, threads running and two networks alive
  }
  return 0;
}
