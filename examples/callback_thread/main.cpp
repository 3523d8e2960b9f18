// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <acl/acl.h>
#include <pthread.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <thread>

#define CHECK(call)                                                                           \
  do {                                                                                        \
    aclError code = (call);                                                                   \
    if (code != ACL_SUCCESS) {                                                                \
      const char* text = aclGetRecentErrMsg();                                                \
      std::printf("%s returned %d\n%s\n", #call, code, text != nullptr ? text : "(no text)"); \
      std::exit(1);                                                                           \
    }                                                                                         \
  } while (false)

namespace {

const int kImages = 5;

struct Image {
  int number;
  void* device;
  int* result;  // pinned host memory
};

void OnResult(void* data) {
  const Image* image = static_cast<const Image*>(data);
  std::printf("callback: image %d gave %d\n", image->number, *image->result);
}

void OnLast(void*) {
  std::printf("callback: that was the last one, and the stream waited for this line\n");
}

}  // namespace

int main() {
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  aclrtContext context;
  CHECK(aclrtGetCurrentContext(&context));
  aclrtStream stream;
  CHECK(aclrtCreateStream(&stream));

  std::atomic<bool> done(false);
  std::promise<uint64_t> id;
  std::thread report([&] {
    aclrtSetCurrentContext(context);
    id.set_value(static_cast<uint64_t>(pthread_self()));
    while (!done)
      aclrtProcessReport(100);  // runs what is there, or waits up to 100 ms
  });
  const uint64_t thread = id.get_future().get();
  CHECK(aclrtSubscribeReport(thread, stream));

  Image images[kImages];
  for (int i = 0; i < kImages; ++i) {
    images[i].number = i;
    CHECK(aclrtMalloc(&images[i].device, sizeof(int), ACL_MEM_MALLOC_NORMAL_ONLY));
    CHECK(aclrtMallocHost(reinterpret_cast<void**>(&images[i].result), sizeof(int)));
    *images[i].result = i * i;
    // The "inference" of this example: to the device and back.
    CHECK(aclrtMemcpyAsync(images[i].device, sizeof(int), images[i].result, sizeof(int),
                           ACL_MEMCPY_HOST_TO_DEVICE, stream));
    CHECK(aclrtMemcpyAsync(images[i].result, sizeof(int), images[i].device, sizeof(int),
                           ACL_MEMCPY_DEVICE_TO_HOST, stream));
    CHECK(aclrtLaunchCallback(OnResult, &images[i], ACL_CALLBACK_NO_BLOCK, stream));
  }
  CHECK(aclrtLaunchCallback(OnLast, nullptr, ACL_CALLBACK_BLOCK, stream));
  std::printf("main: everything is queued\n");
  CHECK(aclrtSynchronizeStream(stream));
  std::printf("main: synchronised, so every callback has run\n");

  CHECK(aclrtUnSubscribeReport(thread, stream));
  done = true;
  report.join();
  for (Image& image : images) {
    CHECK(aclrtFree(image.device));
    CHECK(aclrtFreeHost(image.result));
  }
  CHECK(aclrtDestroyStream(stream));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
  return 0;
}
