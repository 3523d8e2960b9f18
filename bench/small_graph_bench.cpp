// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// One run after the other of graphs so small that the way into the engine and out again is what counts.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>

#include "candidate.h"
#include "element_graphs.h"
#include "graph_benches.h"
#include "onnx_runtime.h"
#include "report.h"

namespace bench {
namespace {

struct Case {
  int nodes;
  std::int64_t size;
  int repeats;  // runs in one round
};
constexpr Case kCases[] = {{1, 16, 2000}, {10, 16, 2000}, {10, 4096, 500}, {10, 262144, 20}};

double OneRun(int repeats, const std::function<void()>& run) {
  const auto several = [&] {
    for (int i = 0; i < repeats; ++i)
      run();
  };
  return BestInARow(several) / repeats;
}

struct Times {
  double ours = 1e9, peer_allocates[2] = {1e9, 1e9}, peer_bound[2] = {1e9, 1e9};
};

void CheckSame(const ge::Tensor& ours, const float* theirs, std::int64_t size) {
  const auto* values = reinterpret_cast<const float*>(ours.GetData());
  for (std::int64_t i = 0; i < size; ++i) {
    if (std::fabs(values[i] - theirs[i]) <= 1e-5F * std::max(1.0F, std::fabs(theirs[i]))) continue;
    std::cerr << "element " << i << " is " << values[i] << ", the peer says " << theirs[i] << "\n";
    std::exit(1);
  }
}

Times Measure(const Case& one, OnnxRuntime* peer, int rounds) {
  ge::Session session(std::map<ge::AscendString, ge::AscendString>{});
  CheckGe(session.AddGraph(1, BuildChain(one.nodes, one.size)));
  const std::vector<ge::Tensor> inputs = ChainInputs(one.size);
  std::vector<ge::Tensor> outputs;
  const auto run = [&] { CheckGe(session.RunGraph(1, inputs, outputs)); };
  run();
  std::vector<std::unique_ptr<OnnxRuntime::Model>> peers;
  for (int threads = 1; peer != nullptr && threads <= 2; ++threads) {
    peers.push_back(std::make_unique<OnnxRuntime::Model>(*peer, ChainAsOnnx(one.nodes, one.size), threads));
    peers.back()->Bind(PeerChainInputs(one.size));
    const PeerTensor expected = peers.back()->BoundOutputs().front();
    CheckSame(outputs[0], reinterpret_cast<const float*>(expected.bytes.data()), one.size);
  }
  Times best;
  for (int round = 0; round < rounds; ++round) {
    LetThreadsSleep();
    best.ours = std::min(best.ours, OneRun(one.repeats, run));
    for (std::size_t i = 0; i < peers.size(); ++i) {
      auto& model = *peers[i];
      LetThreadsSleep();
      best.peer_allocates[i] = std::min(best.peer_allocates[i], OneRun(one.repeats, [&] { model.Run(); }));
      best.peer_bound[i] = std::min(best.peer_bound[i], OneRun(one.repeats, [&] { model.RunBound(); }));
    }
  }
  return best;
}

std::string Us(double seconds) {
  return seconds < 1 ? fmt::format("{:.2f}", seconds * 1e6) : "-";
}

}  // namespace

void RunSmallGraphBench(Report& report, OnnxRuntime* peer, int rounds) {
  report.Section("RunGraph of element-wise graphs",
                 peer != nullptr
                     ? "Best of the rounds, in µs. ONNX Runtime " + peer->version() +
                           " with one and two threads, its output allocated by Run or bound once; RunGraph "
                           "allocates its output. The ratio is to the fastest of the four."
                     : "Best of the rounds, in µs. ONNX Runtime was not there to compare with.");
  std::vector<std::vector<std::string>> rows;
  for (const Case& one : kCases) {
    const Times best = Measure(one, peer, rounds);
    const double fastest =
        std::min({best.peer_allocates[0], best.peer_allocates[1], best.peer_bound[0], best.peer_bound[1]});
    rows.push_back({fmt::format("{} node{}, {} floats", one.nodes, one.nodes > 1 ? "s" : "", one.size),
                    Us(best.ours), Us(best.peer_allocates[0]), Us(best.peer_allocates[1]),
                    Us(best.peer_bound[0]), Us(best.peer_bound[1]),
                    peer != nullptr ? fmt::format("{:.1f}", fastest / best.ours) : "-"});
  }
  report.Table({"graph", "Foothold", "ORT Run 1T", "2T", "ORT bound 1T", "2T", "ORT / Foothold"}, rows);
}

}  // namespace bench
