// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The published sample of asynchronous inference, with copies in place of the model: a thread executes
// callbacks until it is told to stop, whatever its calls answer; each callback fetches a result through host
// memory of its own, with memory made under another context of the device; the thread ends before
// ("join-first") or after ("unsubscribe-first") the stream is unsubscribed.
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "acl/acl.h"
#include "clients/check.h"

namespace {

constexpr int kCalls = 100;

struct Result {
  void* device = nullptr;
  int value = 0;
  std::atomic<bool> fetched{false};
};

// Callbacks use the library themselves.
void Fetch(void* argument) {
  auto* const result = static_cast<Result*>(argument);
  void* host = nullptr;
  REQUIRE(aclrtMallocHost(&host, sizeof(int)) == ACL_SUCCESS);
  REQUIRE(aclrtMemcpy(host, sizeof(int), result->device, sizeof(int), ACL_MEMCPY_DEVICE_TO_HOST) ==
          ACL_SUCCESS);
  REQUIRE(*static_cast<int*>(host) == result->value);
  REQUIRE(aclrtFreeHost(host) == ACL_SUCCESS);
  result->fetched = true;
}

void Queue(std::vector<Result>& results, const std::vector<int>& inputs, aclrtStream stream) {
  for (int i = 0; i < kCalls; ++i) {
    Result& result = results[static_cast<size_t>(i)];
    result.value = inputs[static_cast<size_t>(i)];
    REQUIRE(aclrtMemcpyAsync(result.device, sizeof(int), &inputs[static_cast<size_t>(i)], sizeof(int),
                             ACL_MEMCPY_HOST_TO_DEVICE, stream) == ACL_SUCCESS);
    const auto block = i % 2 == 0 ? ACL_CALLBACK_BLOCK : ACL_CALLBACK_NO_BLOCK;
    REQUIRE(aclrtLaunchCallback(Fetch, &result, block, stream) == ACL_SUCCESS);
  }
}

}  // namespace

int main(int argc, char** argv) {
  REQUIRE(argc == 2);
  const bool join_first = std::string(argv[1]) == "join-first";
  REQUIRE(aclInit("") == ACL_SUCCESS);
  REQUIRE(aclrtSetDevice(0) == ACL_SUCCESS);
  std::vector<Result> results(kCalls);
  for (Result& result : results)
    REQUIRE(aclrtMalloc(&result.device, sizeof(int), ACL_MEM_MALLOC_NORMAL_ONLY) == ACL_SUCCESS);
  aclrtContext context = nullptr;
  REQUIRE(aclrtCreateContext(&context, 0) == ACL_SUCCESS);

  std::atomic<bool> stop{false};
  std::thread reporter([&] {
    REQUIRE(aclrtSetCurrentContext(context) == ACL_SUCCESS);
    while (!stop)
      aclrtProcessReport(100);
  });
  const auto thread = static_cast<uint64_t>(reporter.native_handle());
  aclrtStream stream = nullptr;
  REQUIRE(aclrtCreateStream(&stream) == ACL_SUCCESS);
  REQUIRE(aclrtSubscribeReport(thread, stream) == ACL_SUCCESS);

  std::vector<int> inputs;
  for (int i = 0; i < kCalls; ++i)
    inputs.push_back(i * 7);
  Queue(results, inputs, stream);
  REQUIRE(aclrtSynchronizeStream(stream) == ACL_SUCCESS);
  for (Result& result : results)
    REQUIRE(result.fetched);

  if (join_first) {
    stop = true;
    reporter.join();
    REQUIRE(aclrtUnSubscribeReport(thread, stream) == ACL_SUCCESS);
  } else {
    REQUIRE(aclrtUnSubscribeReport(thread, stream) == ACL_SUCCESS);
    stop = true;
    reporter.join();
  }
  for (Result& result : results)
    REQUIRE(aclrtFree(result.device) == ACL_SUCCESS);
  REQUIRE(aclrtDestroyStream(stream) == ACL_SUCCESS);
  REQUIRE(aclrtDestroyContext(context) == ACL_SUCCESS);
  REQUIRE(aclrtResetDevice(0) == ACL_SUCCESS);
  REQUIRE(aclFinalize() == ACL_SUCCESS);
  return 0;
}
