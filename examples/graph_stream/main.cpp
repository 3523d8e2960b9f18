// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A graph as one task of a stream: upload, graph, download and callback of each batch run in this order, and
// the program has queued them all before it waits once.
#include <acl/acl.h>
#include <all_ops.h>
#include <ge/ge_api_v2.h>
#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <map>
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

#define CHECK_GE(call)                                                                     \
  do {                                                                                     \
    ge::Status code = (call);                                                              \
    if (code != ge::SUCCESS) {                                                             \
      std::printf("%s returned %u\n%s\n", #call, code, ge::GEGetErrorMsgV3().GetString()); \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (false)

namespace {

const int kBatches = 4;
const int64_t kElements = 6;
const size_t kBytes = kElements * sizeof(float);

using Options = std::map<ge::AscendString, ge::AscendString>;

struct Batch {
  int number;
  float* host_x;
  float* host_y;
  void* device_x;
  void* device_y;
  bool seen_on_report_thread, right;
};

pthread_t report_thread;

// Runs on the report thread, when the graph and the download before it on the stream are done.
void OnBatch(void* data) {
  Batch& batch = *static_cast<Batch*>(data);
  batch.seen_on_report_thread = pthread_equal(pthread_self(), report_thread) != 0;
  batch.right = true;
  std::printf("  callback: batch %d is", batch.number);
  for (int64_t i = 0; i < kElements; ++i) {
    std::printf(" %g", batch.host_y[i]);
    batch.right = batch.right && batch.host_y[i] == batch.host_x[i] * batch.host_x[i] + 1;
  }
  std::printf("\n");
}

// y = x * x + 1
ge::Graph BuildGraph() {
  const ge::TensorDesc vector(ge::Shape({kElements}), ge::FORMAT_ND, ge::DT_FLOAT);
  auto x = ge::op::Data("x").set_attr_index(0);
  x.update_input_desc_x(vector);
  x.update_output_desc_y(vector);
  auto square = ge::op::Mul("square").set_input_x1(x).set_input_x2(x);
  auto y = ge::op::Adds("y").set_input_x(square).set_attr_value(1);
  ge::Graph graph("square_plus_one");
  graph.SetInputs({x}).SetOutputs({y});
  return graph;
}

std::vector<gert::Tensor> OnDevice(void* address) {
  std::vector<gert::Tensor> tensors(1);
  tensors[0] = gert::Tensor({{kElements}, {kElements}}, {ge::FORMAT_ND, ge::FORMAT_ND, {}},
                            gert::kOnDeviceHbm, ge::DT_FLOAT, address);
  return tensors;
}

void Create(Batch& batch, int number) {
  batch.number = number;
  CHECK(aclrtMallocHost(reinterpret_cast<void**>(&batch.host_x), kBytes));
  CHECK(aclrtMallocHost(reinterpret_cast<void**>(&batch.host_y), kBytes));
  CHECK(aclrtMalloc(&batch.device_x, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY));
  CHECK(aclrtMalloc(&batch.device_y, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY));
  for (int64_t i = 0; i < kElements; ++i)
    batch.host_x[i] = static_cast<float>(number * 10 + i);
}

void Destroy(Batch& batch) {
  CHECK(aclrtFree(batch.device_x));
  CHECK(aclrtFree(batch.device_y));
  CHECK(aclrtFreeHost(batch.host_x));
  CHECK(aclrtFreeHost(batch.host_y));
}

class ReportThread {
 public:
  explicit ReportThread(aclrtContext context)
      : stop_(false), thread_([this, context] {
          aclrtSetCurrentContext(context);
          started_.set_value(pthread_self());
          while (!stop_)
            aclrtProcessReport(100);
        }) {
    report_thread = started_.get_future().get();
  }
  ~ReportThread() {
    stop_ = true;
    thread_.join();
  }

 private:
  std::atomic<bool> stop_;
  std::promise<pthread_t> started_;
  std::thread thread_;
};

bool RunBatches(ge::GeSession& session, aclrtStream stream) {
  std::vector<Batch> batches(kBatches);
  std::vector<std::vector<gert::Tensor>> inputs, outputs;  // live until the stream has used them
  for (int i = 0; i < kBatches; ++i) {
    Create(batches[i], i);
    inputs.push_back(OnDevice(batches[i].device_x));
    outputs.push_back(OnDevice(batches[i].device_y));
  }
  for (int i = 0; i < kBatches; ++i) {
    Batch& batch = batches[i];
    CHECK(aclrtMemcpyAsync(batch.device_x, kBytes, batch.host_x, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
    CHECK_GE(session.RunGraphWithStreamAsync(1, stream, inputs[i], outputs[i]));
    CHECK(aclrtMemcpyAsync(batch.host_y, kBytes, batch.device_y, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, stream));
    CHECK(aclrtLaunchCallback(OnBatch, &batch, ACL_CALLBACK_NO_BLOCK, stream));
  }
  std::printf("queued %d batches: upload, graph, download, callback\n", kBatches);
  CHECK(aclrtSynchronizeStream(stream));
  bool right = true;
  for (Batch& batch : batches) {
    right = right && batch.right && batch.seen_on_report_thread;
    Destroy(batch);
  }
  return right;
}

}  // namespace

int main() {
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  CHECK_GE(ge::GEInitializeV2({{"ge.exec.deviceId", "0"}}));
  aclrtContext context;
  CHECK(aclrtGetCurrentContext(&context));
  aclrtStream stream;
  CHECK(aclrtCreateStream(&stream));
  bool right = false;
  {
    ReportThread report(context);
    CHECK(aclrtSubscribeReport(static_cast<uint64_t>(report_thread), stream));
    ge::GeSession session((Options()));
    CHECK_GE(session.AddGraph(1, BuildGraph()));
    CHECK_GE(session.CompileGraph(1));
    CHECK_GE(session.LoadGraph(1, Options(), stream));
    right = RunBatches(session, stream);
    CHECK_GE(session.RemoveGraph(1));
    CHECK(aclrtUnSubscribeReport(static_cast<uint64_t>(report_thread), stream));
  }
  std::printf("every batch came back %s\n", right ? "right, in order" : "WRONG");
  CHECK(aclrtDestroyStream(stream));
  CHECK_GE(ge::GEFinalizeV2());
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
  return right ? 0 : 1;
}
