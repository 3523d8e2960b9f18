// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Several runs of a graph in flight: RunGraphAsync returns at once, and every run calls back when it is done.
#include <all_ops.h>
#include <ge/ge_api_v2.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#define CHECK(call)                                                                        \
  do {                                                                                     \
    ge::Status code = (call);                                                              \
    if (code != ge::SUCCESS) {                                                             \
      std::printf("%s returned %u\n%s\n", #call, code, ge::GEGetErrorMsgV3().GetString()); \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (false)

namespace {

const int kRuns = 8;
const int64_t kSize = 256;
const int kProducts = 12;
const int kWidth = 64;

using Options = std::map<ge::AscendString, ge::AscendString>;
using Clock = std::chrono::steady_clock;

// What a run leaves behind. Written on the thread of the callbacks, read when all are done.
struct Run {
  std::vector<float> x;
  double queued, called, left;  // milliseconds
  bool succeeded, right, own_thread;
  int order;
};

class Stopwatch {
 public:
  Stopwatch() : start_(Clock::now()) {}
  double Now() const { return std::chrono::duration<double, std::milli>(Clock::now() - start_).count(); }

 private:
  Clock::time_point start_;
};

// Counts callbacks; the program sleeps until all have come.
class Countdown {
 public:
  explicit Countdown(int count) : count_(count), done_(0) {}
  int Take() {
    std::lock_guard<std::mutex> lock(mutex_);
    return done_++;
  }
  void Leave() {
    std::lock_guard<std::mutex> lock(mutex_);
    if (--count_ == 0) zero_.notify_all();
  }
  void Wait() {
    std::unique_lock<std::mutex> lock(mutex_);
    zero_.wait(lock, [this] { return count_ == 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable zero_;
  int count_, done_;
};

// A chain of products with a matrix that averages: whatever number fills x fills the result.
ge::Graph BuildChain() {
  const ge::TensorDesc square(ge::Shape({kSize, kSize}), ge::FORMAT_ND, ge::DT_FLOAT);
  auto x = ge::op::Data("x").set_attr_index(0);
  x.update_input_desc_x(square);
  x.update_output_desc_y(square);
  const std::vector<float> averages(kSize * kSize, 1.0F / kSize);
  const ge::Tensor weights(square, reinterpret_cast<const uint8_t*>(averages.data()),
                           averages.size() * sizeof(float));
  auto w = ge::op::Const("w").set_attr_value(weights);
  ge::Operator last = x;
  for (int i = 0; i < kProducts; ++i) {
    const std::string name = "product" + std::to_string(i);
    last = ge::op::MatMulV2(name.c_str()).set_input_x1(last).set_input_x2(w);
  }
  ge::Graph graph("chain");
  graph.SetInputs({x}).SetOutputs(std::vector<ge::Operator>{last});
  return graph;
}

std::vector<gert::Tensor> InputOf(Run& run) {
  std::vector<gert::Tensor> inputs(1);
  inputs[0] = gert::Tensor({{kSize, kSize}, {kSize, kSize}}, {ge::FORMAT_ND, ge::FORMAT_ND, {}},
                           gert::kOnHost, ge::DT_FLOAT, run.x.data());
  return inputs;
}

bool AllAre(const gert::Tensor& tensor, float value) {
  const float* data = tensor.GetData<float>();
  return std::all_of(data, data + tensor.GetShapeSize(), [value](float found) { return found == value; });
}

void Draw(const std::vector<Run>& runs) {
  const double end = runs.back().left;
  const auto column = [end](double time) {
    return std::min(kWidth - 1, static_cast<int>(time / end * kWidth));
  };
  double free_since = 0;
  for (size_t i = 0; i < runs.size(); ++i) {
    std::string bar(kWidth, ' ');
    const double start = std::max(runs[i].queued, free_since);
    std::fill(bar.begin() + column(runs[i].queued), bar.begin() + column(start), '.');
    std::fill(bar.begin() + column(start), bar.begin() + column(runs[i].called), '=');
    bar[column(runs[i].queued)] = 'q';
    bar[column(runs[i].called)] = 'c';
    free_since = runs[i].left;
    std::printf("run %zu |%s| callback %d at %5.1f ms, values %s\n", i, bar.c_str(), runs[i].order + 1,
                runs[i].called, runs[i].right ? "right" : "WRONG");
  }
}

}  // namespace

int main() {
  CHECK(ge::GEInitializeV2(Options()));
  bool right = true;
  {
    ge::GeSession session((Options()));
    CHECK(session.AddGraph(1, BuildChain()));
    CHECK(session.CompileGraph(1));
    CHECK(session.LoadGraph(1, Options(), nullptr));
    std::printf(
        "%d runs of %d matrix products of %lld x %lld, queued at once:\n"
        "q queued, . waiting, = running, c called back\n\n",
        kRuns, kProducts, static_cast<long long>(kSize), static_cast<long long>(kSize));

    std::vector<Run> runs(kRuns);
    for (int i = 0; i < kRuns; ++i)
      runs[i].x.assign(kSize * kSize, static_cast<float>(i));
    Countdown countdown(kRuns);
    const std::thread::id main_thread = std::this_thread::get_id();
    const Stopwatch watch;
    for (int i = 0; i < kRuns; ++i) {
      Run& run = runs[i];
      run.queued = watch.Now();
      CHECK(session.RunGraphAsync(
          1, InputOf(run),
          [&run, &countdown, &watch, i, main_thread](ge::Status status, std::vector<gert::Tensor>& outputs) {
            run.called = watch.Now();
            run.order = countdown.Take();
            run.succeeded = status == ge::SUCCESS;
            run.own_thread = std::this_thread::get_id() != main_thread;
            run.right = run.succeeded && AllAre(outputs[0], static_cast<float>(i));
            run.left = watch.Now();
            countdown.Leave();
          }));
    }
    const double queued = watch.Now();
    countdown.Wait();
    Draw(runs);
    for (int i = 0; i < kRuns; ++i)
      right = right && runs[i].right && runs[i].own_thread && runs[i].order == i;
    std::printf("\nqueueing all took %.2f ms; callbacks came %s\n", queued,
                right ? "in order, on a thread of the engine" : "WRONG");

    bool called = false;
    const ge::Status code =
        session.RunGraphAsync(2, {}, [&called](ge::Status, std::vector<gert::Tensor>&) { called = true; });
    std::printf(
        "\ngraph 2 does not exist: RunGraphAsync returned %u and called nobody. The engine says:\n%s\n", code,
        ge::GEGetErrorMsgV3().GetString());
    CHECK(session.RemoveGraph(1));  // waits for runs, if any are left
    right = right && code != ge::SUCCESS && !called;
  }
  CHECK(ge::GEFinalizeV2());
  return right ? 0 : 1;
}
