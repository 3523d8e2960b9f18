// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Asynchronous runs of a one-node graph with many in flight.
#include <fmt/format.h>

#include <atomic>
#include <thread>

#include "candidate.h"
#include "element_graphs.h"
#include "graph_benches.h"
#include "onnx_runtime.h"
#include "report.h"

namespace bench {
namespace {

constexpr std::int64_t kSize = 16;
constexpr long kRuns = 5000;
constexpr long kInFlight = 64;
constexpr int kWindows = 5;  // of as many runs, one after another

std::atomic<long> finished{0};
void CountFinished(void*) {
  finished.fetch_add(1, std::memory_order_release);
}

// Runs per second.
template <typename Start>
double Window(const Start& start) {
  finished = 0;
  const double begin = Seconds();
  for (long sent = 0; sent < kRuns; ++sent) {
    while (sent - finished.load(std::memory_order_acquire) >= kInFlight)
      std::this_thread::yield();
    start();
  }
  while (finished.load(std::memory_order_acquire) != kRuns)
    std::this_thread::yield();
  return kRuns / (Seconds() - begin);
}

template <typename Start>
void Measure(const Start& start, std::vector<double>& rates) {
  LetThreadsSleep();
  for (int window = 0; window < kWindows; ++window)
    rates.push_back(Window(start));
}

}  // namespace

void RunAsyncBench(Report& report, OnnxRuntime* peer, int rounds) {
  ge::Session session(std::map<ge::AscendString, ge::AscendString>{});
  CheckGe(session.AddGraph(1, BuildChain(1, kSize)));
  const std::vector<ge::Tensor> inputs = ChainInputs(kSize);
  const auto ours = [&] {
    CheckGe(session.RunGraphAsync(1, inputs, [](ge::Status status, std::vector<ge::Tensor>&) {
      CheckGe(status);
      CountFinished(nullptr);
    }));
  };
  std::unique_ptr<OnnxRuntime::Model> model;
  if (peer != nullptr) {
    model = std::make_unique<OnnxRuntime::Model>(*peer, ChainAsOnnx(1, kSize), 2);
    model->Bind(PeerChainInputs(kSize));
  }
  std::vector<double> our_rates, peer_rates;
  for (int round = 0; round < rounds; ++round) {
    Measure(ours, our_rates);
    if (model != nullptr) Measure([&] { model->RunAsync(CountFinished, nullptr); }, peer_rates);
  }
  report.Section("RunGraphAsync, one node, 64 runs in flight", "Thousand runs per second.");
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](const std::string& name, const std::vector<double>& rates) {
    if (rates.empty()) return;
    rows.push_back({name, fmt::format("{:.0f}", Percentile(rates, 1) / 1e3),
                    fmt::format("{:.0f}", Percentile(rates, 0.5) / 1e3),
                    fmt::format("{:.1f}", Percentile(our_rates, 1) / Percentile(rates, 1)),
                    fmt::format("{:.1f}", Percentile(our_rates, 0.5) / Percentile(rates, 0.5))});
  };
  add("Foothold RunGraphAsync", our_rates);
  add("ONNX Runtime RunAsync", peer_rates);
  report.Table({"", "best", "median", "Foothold / this, best", "median"}, rows);
}

}  // namespace bench
