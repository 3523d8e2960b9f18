// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Asynchronous inference with an offline model: images are queued on a stream one by one, and a thread of the
// program is called back after every few of them to look at the results.
//   async_inference MODEL.om IMAGES.bin
#include <acl/acl.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <future>
#include <iterator>
#include <thread>
#include <vector>

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

const size_t kPixels = 8 * 8;
const size_t kClasses = 10;
const size_t kCallbackInterval = 60;
const size_t kNeeded = 340;  // of 360; training ended at 352

struct Digit {
  unsigned char pixels[kPixels];  // 0 white to 16 black
  unsigned char label;
};

std::vector<Digit> ReadDigits(const char* path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::vector<Digit> digits(bytes.size() / sizeof(Digit));
  std::copy(bytes.begin(), bytes.begin() + digits.size() * sizeof(Digit),
            reinterpret_cast<char*>(digits.data()));
  return digits;
}

// One image on its way: memory on the device for what goes in and comes out, and pinned memory for the
// result.
struct Request {
  void* input;
  void* output;
  float* result;
  aclmdlDataset* inputs;
  aclmdlDataset* outputs;
  unsigned char label;
};

aclmdlDataset* DatasetOf(void* memory, size_t bytes) {
  aclmdlDataset* set = aclmdlCreateDataset();
  CHECK(aclmdlAddDatasetBuffer(set, aclCreateDataBuffer(memory, bytes)));
  return set;
}

Request MakeRequest(const Digit& digit, size_t input_bytes, size_t output_bytes) {
  Request request;
  request.label = digit.label;
  CHECK(aclrtMalloc(&request.input, input_bytes, ACL_MEM_MALLOC_NORMAL_ONLY));
  CHECK(aclrtMalloc(&request.output, output_bytes, ACL_MEM_MALLOC_NORMAL_ONLY));
  CHECK(aclrtMallocHost(reinterpret_cast<void**>(&request.result), output_bytes));
  request.inputs = DatasetOf(request.input, input_bytes);
  request.outputs = DatasetOf(request.output, output_bytes);
  float pixels[kPixels];
  for (size_t i = 0; i < kPixels; ++i)
    pixels[i] = digit.pixels[i] / 16.0F;
  CHECK(aclrtMemcpy(request.input, input_bytes, pixels, sizeof pixels, ACL_MEMCPY_HOST_TO_DEVICE));
  return request;
}

void Release(const Request& request) {
  for (aclmdlDataset* set : {request.inputs, request.outputs}) {
    CHECK(aclDestroyDataBuffer(aclmdlGetDatasetBuffer(set, 0)));
    CHECK(aclmdlDestroyDataset(set));
  }
  CHECK(aclrtFree(request.input));
  CHECK(aclrtFree(request.output));
  CHECK(aclrtFreeHost(request.result));
}

// Some images that one callback looks at.
struct Group {
  const Request* requests;
  size_t first, count;
  size_t right;
};

void OnGroup(void* data) {
  Group* group = static_cast<Group*>(data);
  for (size_t i = group->first; i < group->first + group->count; ++i) {
    const float* scores = group->requests[i].result;
    const float* best = std::max_element(scores, scores + kClasses);
    group->right += best - scores == group->requests[i].label;
  }
  std::printf("callback: images %3zu to %3zu: %zu of %zu right\n", group->first,
              group->first + group->count - 1, group->right, group->count);
}

// Calls callbacks until it is told to end.
class ReportThread {
 public:
  explicit ReportThread(aclrtContext context) {
    std::promise<uint64_t> id;
    thread_ = std::thread([this, context, &id] {
      aclrtSetCurrentContext(context);
      id.set_value(static_cast<uint64_t>(pthread_self()));
      while (!done_)
        aclrtProcessReport(100);  // runs what is there, or waits up to 100 ms
    });
    id_ = id.get_future().get();
  }
  uint64_t id() const { return id_; }
  void End() {
    done_ = true;
    thread_.join();
  }

 private:
  std::atomic<bool> done_{false};
  uint64_t id_ = 0;
  std::thread thread_;
};

// Queues all images, waits for the last, and says how many seconds that took.
double InferAll(uint32_t model, const std::vector<Request>& requests, std::vector<Group>& groups,
                size_t output_bytes, aclrtStream stream) {
  const auto start = std::chrono::steady_clock::now();
  for (size_t i = 0; i < requests.size(); ++i) {
    const Request& request = requests[i];
    CHECK(aclmdlExecuteAsync(model, request.inputs, request.outputs, stream));
    CHECK(aclrtMemcpyAsync(request.result, output_bytes, request.output, output_bytes,
                           ACL_MEMCPY_DEVICE_TO_HOST, stream));
    Group& group = groups[i / kCallbackInterval];
    if (i + 1 == group.first + group.count)
      CHECK(aclrtLaunchCallback(OnGroup, &group, ACL_CALLBACK_BLOCK, stream));
  }
  std::printf("main: %zu images are queued\n", requests.size());
  CHECK(aclrtSynchronizeStream(stream));
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void Show(uint32_t model, aclmdlDesc* desc) {
  CHECK(aclmdlGetDesc(desc, model));
  std::printf("model: %s, %zu bytes -> %s, %zu bytes\n", aclmdlGetInputNameByIndex(desc, 0),
              aclmdlGetInputSizeByIndex(desc, 0), aclmdlGetOutputNameByIndex(desc, 0),
              aclmdlGetOutputSizeByIndex(desc, 0));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::printf("usage: async_inference MODEL.om IMAGES.bin\n");
    return 1;
  }
  const std::vector<Digit> digits = ReadDigits(argv[2]);
  if (digits.empty()) {
    std::printf("no images in %s\n", argv[2]);
    return 1;
  }
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  aclrtContext context;
  CHECK(aclrtGetCurrentContext(&context));
  aclrtStream stream;
  CHECK(aclrtCreateStream(&stream));

  uint32_t model = 0;
  CHECK(aclmdlLoadFromFile(argv[1], &model));
  aclmdlDesc* desc = aclmdlCreateDesc();
  Show(model, desc);
  const size_t input_bytes = aclmdlGetInputSizeByIndex(desc, 0);
  const size_t output_bytes = aclmdlGetOutputSizeByIndex(desc, 0);
  if (input_bytes != kPixels * sizeof(float) || output_bytes != kClasses * sizeof(float)) {
    std::printf("%s does not take one image and give ten probabilities\n", argv[1]);
    return 1;
  }

  std::vector<Request> requests;
  for (const Digit& digit : digits)
    requests.push_back(MakeRequest(digit, input_bytes, output_bytes));
  std::vector<Group> groups;
  for (size_t first = 0; first < requests.size(); first += kCallbackInterval)
    groups.push_back({requests.data(), first, std::min(kCallbackInterval, requests.size() - first), 0});

  ReportThread report(context);
  CHECK(aclrtSubscribeReport(report.id(), stream));
  const double seconds = InferAll(model, requests, groups, output_bytes, stream);
  CHECK(aclrtUnSubscribeReport(report.id(), stream));
  report.End();

  size_t right = 0;
  for (const Group& group : groups)
    right += group.right;
  std::printf("%zu of %zu images right (%.1f %%), %.0f images/s\n", right, requests.size(),
              100.0 * right / requests.size(), requests.size() / seconds);
  for (const Request& request : requests)
    Release(request);
  CHECK(aclmdlDestroyDesc(desc));
  CHECK(aclmdlUnload(model));
  CHECK(aclrtDestroyStream(stream));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
  return right >= kNeeded ? 0 : 1;
}
