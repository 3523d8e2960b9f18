// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Attention and the operators around it beside ggml's, on one thread and on two.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <numeric>
#include <random>

#include "base/half.h"
#include "base/thread_pool.h"
#include "candidate.h"
#include "ggml_peer.h"
#include "one_node.h"
#include "ops/strided_view.h"
#include "ops/through_float.h"
#include "report.h"

namespace bench {
namespace {

using foothold::DataType;
using Floats = std::vector<float>;

constexpr int kThreads[] = {1, 2};
constexpr std::int64_t kHeads = 32, kDepth = 128, kRows = 512, kColumns = kHeads * kDepth;

Floats Noise(std::int64_t count, unsigned seed) {
  std::mt19937 source(seed);
  std::normal_distribution<float> normal;
  Floats values(static_cast<std::size_t>(count));
  for (float& value : values)
    value = normal(source);
  return values;
}

using foothold::TensorType;
using foothold::TensorValue;

TensorValue Tensor(const foothold::Dims& dims, const Floats& values) {
  TensorValue made(TensorType{DataType::kFloat, foothold::Format::kNd, dims});
  std::copy(values.begin(), values.end(), made.MutableAs<float>());
  return made;
}

TensorValue Halves(const foothold::Dims& dims, const Floats& values) {
  TensorValue made(TensorType{DataType::kFloat16, foothold::Format::kNd, dims});
  std::transform(values.begin(), values.end(), made.MutableAs<foothold::Half>(),
                 [](float value) { return foothold::Half(value); });
  return made;
}

Floats Numbers(const TensorValue& value) {
  const TensorValue floats = foothold::AsFloats(value);
  return {floats.As<float>(), floats.As<float>() + foothold::ElementCount(floats.dims())};
}

// The same work for both.
struct Case {
  std::string name, type;
  std::function<void(OneNode&)> ours;
  // Makes the graph and returns its result.
  std::function<GgmlTensor*(GgmlGraph&)> peer;
};

// What hides from a query all keys after it.
Floats CausalMask(std::int64_t rows, std::int64_t keys) {
  Floats mask;
  for (std::int64_t i = 0; i < rows * keys; ++i)
    mask.push_back(i % keys > i / keys ? -INFINITY : 0.0f);
  return mask;
}

// Keys and values as a cache has them: the heads of a key side by side.
Case AttentionCase(const std::string& name, std::int64_t rows, std::int64_t keys, bool causal) {
  const Floats mask = causal ? CausalMask(rows, keys) : Floats();
  const Floats query = Noise(rows * kColumns, 1), key = Noise(keys * kColumns, 2),
               value = Noise(keys * kColumns, 3);
  const float scale = 1.0f / std::sqrt(static_cast<float>(kDepth));
  return {name, "FusedInferAttentionScore",
          [=](OneNode& run) {
            const std::vector<std::int64_t> cache =
                foothold::ViewNumbers({1, keys, kHeads, kDepth}, {keys * kColumns, kColumns, kDepth, 1});
            run.In("query", Halves({1, rows, kHeads, kDepth}, query));
            run.In("key", Halves({keys * kColumns}, key)).In("value", Halves({keys * kColumns}, value));
            for (const char* port : {"key", "value"})
              run.Attr(foothold::ViewAttribute(port), cache);
            if (causal)
              run.In("pse_shift", Halves({rows * keys}, mask))
                  .Attr(foothold::ViewAttribute("pse_shift"),
                        foothold::ViewNumbers({1, kHeads, rows, keys}, {0, 0, keys, 1}));
            run.Attr("num_heads", kHeads).Attr("input_layout", std::string("BSND")).Attr("scale", scale);
            run.Compile("attention_out");
          },
          [=](GgmlGraph& graph) {
            GgmlTensor* q = graph.Input(GgmlType::kF32, {kDepth, kHeads, rows});
            GgmlTensor* k = graph.Input(GgmlType::kF16, {kDepth, kHeads, keys});
            GgmlTensor* v = graph.Input(GgmlType::kF16, {kDepth, kHeads, keys});
            const auto by_head = [&](GgmlTensor* x) { return graph.Permute(x, 0, 2, 1, 3); };
            GgmlTensor* hidden = causal ? graph.Input(GgmlType::kF16, {keys, rows}) : nullptr;
            GgmlTensor* result = graph.FlashAttention(by_head(q), by_head(k), by_head(v), hidden, scale);
            graph.Finish(result);
            if (causal) graph.Set(hidden, mask);
            graph.Set(q, query);
            graph.Set(k, key);
            graph.Set(v, value);
            return result;
          }};
}

// x [512, columns] in float.
Case RowsCase(const std::string& name, const std::string& type, std::int64_t columns,
              const std::function<void(OneNode&)>& finish,
              const std::function<GgmlTensor*(GgmlGraph&, GgmlTensor*)>& node) {
  const Floats values = Noise(kRows * columns, 1);
  return {name, type,
          [=](OneNode& run) {
            run.In("x", Tensor({kRows, columns}, values));
            finish(run);
            run.Compile("y");
          },
          [=](GgmlGraph& graph) {
            GgmlTensor* x = graph.Input(GgmlType::kF32, {columns, kRows});
            GgmlTensor* result = node(graph, x);
            graph.Finish(result);
            graph.Set(x, values);
            return result;
          }};
}

// Cosines or sines of positions 0 to 511, for halves that turn together.
Floats Angles(double (*function)(double)) {
  Floats angles;
  for (std::int64_t row = 0; row < kRows; ++row)
    for (std::int64_t i = 0; i < kDepth; ++i)
      angles.push_back(static_cast<float>(
          function(static_cast<double>(row) *
                   std::pow(10000.0, -2.0 * static_cast<double>(i % (kDepth / 2)) / kDepth))));
  return angles;
}

Case RotaryCase() {
  const Floats values = Noise(kRows * kColumns, 1);
  return {"rotary embedding, 512 x 32 heads of 128", "RotaryPositionEmbedding",
          [=](OneNode& run) {
            run.In("x", Tensor({1, kRows, kHeads, kDepth}, values));
            run.In("cos", Tensor({1, kRows, 1, kDepth}, Angles(std::cos)));
            run.In("sin", Tensor({1, kRows, 1, kDepth}, Angles(std::sin))).Compile("y");
          },
          [=](GgmlGraph& graph) {
            GgmlTensor* x = graph.Input(GgmlType::kF32, {kDepth, kHeads, kRows});
            GgmlTensor* positions = graph.Input(GgmlType::kI32, {kRows});
            GgmlTensor* result = graph.Rope(x, positions, GgmlRope::kHalves, kDepth, 10000.0f);
            graph.Finish(result);
            graph.Set(x, values);
            std::vector<std::int32_t> all(kRows);
            std::iota(all.begin(), all.end(), 0);
            graph.SetInts(positions, all);
            return result;
          }};
}

std::vector<Case> AllCases() {
  const auto nothing_more = [](OneNode&) {};
  const auto rms = [](OneNode& run) {
    run.In("gamma", Tensor({kColumns}, Floats(kColumns, 1.0f))).Attr("epsilon", 1e-6f);
  };
  return {AttentionCase("attention, 1 query x 4096 keys", 1, 4096, false),
          AttentionCase("attention, 512 queries x 512 keys", kRows, kRows, false),
          AttentionCase("the same, no query sees later keys", kRows, kRows, true),
          RowsCase("RMS norm, 512 x 4096", "RmsNorm", kColumns, rms,
                   [](GgmlGraph& graph, GgmlTensor* x) { return graph.RmsNorm(x, 1e-6f); }),
          RotaryCase(),
          RowsCase("softmax, 512 x 4096", "SoftmaxV2", kColumns, nothing_more,
                   [](GgmlGraph& graph, GgmlTensor* x) { return graph.SoftMax(x, nullptr, 1.0f); }),
          RowsCase("SwiGLU, 512 x 4096", "SwiGlu", 2 * kColumns, nothing_more,
                   [](GgmlGraph& graph, GgmlTensor* x) { return graph.SwiGlu(x); })};
}

void CheckSame(const std::string& name, const Floats& ours, const Floats& theirs) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    const double apart = static_cast<double>(ours[i]) - static_cast<double>(theirs[i]);
    difference += apart * apart;
    size += static_cast<double>(theirs[i]) * static_cast<double>(theirs[i]);
  }
  if (ours.size() == theirs.size() && difference <= 5e-4 * size) return;
  std::cerr << name << ": the results differ by " << difference / size << "\n";
  std::exit(1);
}

struct Times {
  std::vector<double> ours, peer;
};

// By the number of threads.
std::vector<Times> Measure(const Case& one, Ggml& ggml, int rounds) {
  OneNode node(one.type);
  one.ours(node);
  std::vector<std::unique_ptr<GgmlGraph>> graphs;
  for (const int threads : kThreads) {
    graphs.push_back(std::make_unique<GgmlGraph>(ggml, threads));
    GgmlTensor* result = one.peer(*graphs.back());
    graphs.back()->Run();
    node.Run();
    CheckSame(one.name, Numbers(node.output()), graphs.back()->Get(result));
  }
  std::vector<Times> times(std::size(kThreads));
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < times.size(); ++i) {
      LetThreadsSleep();
      {
        const foothold::CoreLimit limit(kThreads[i]);
        times[i].ours.push_back(BestInARow([&] { node.Run(); }));
      }
      LetThreadsSleep();
      times[i].peer.push_back(BestInARow([&] { graphs[i]->Run(); }));
    }
  return times;
}

std::vector<std::string> RowOf(const Case& one, const std::vector<Times>& all, double fraction) {
  std::vector<std::string> row{one.name};
  for (const Times& times : all) {
    const double ours = Percentile(times.ours, fraction), peer = Percentile(times.peer, fraction);
    row.push_back(fmt::format("{:.3f}", ours * 1e3));
    row.push_back(fmt::format("{:.3f}", peer * 1e3));
    row.push_back(fmt::format("{:.2f}", peer / ours));
  }
  return row;
}

void RunAll(Report& report, Ggml& ggml, int rounds) {
  std::vector<std::vector<std::string>> best, median;
  for (const Case& one : AllCases()) {
    const std::vector<Times> times = Measure(one, ggml, rounds);
    best.push_back(RowOf(one, times, 0));
    median.push_back(RowOf(one, times, 0.5));
  }
  const std::vector<std::string> header{"operator", "Foothold 1T", "ggml 1T", "ratio",
                                        "2T",       "ggml 2T",     "ratio"};
  report.Section(
      "Beside ggml (" + ggml.variant() + ")",
      "Milliseconds, the best of interleaved rounds; the ratio is ggml's time to Foothold's. "
      "Attention has 32 heads of 128, with keys and values in float16 as a cache holds them; the "
      "others are in float. Foothold's RMS norm multiplies by gamma too; ggml computes the angles.");
  report.Table(header, best);
  report.Section("The same by medians",
                 "How much these differ from the best shows how quiet the machine was.");
  report.Table(header, median);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  std::string why;
  const auto ggml = bench::Ggml::Load(why);
  if (ggml == nullptr) {
    std::cout << why << "\n";
    return 0;
  }
  bench::Report report("Attention");
  bench::RunAll(report, *ggml, argc > 2 ? std::atoi(argv[2]) : 9);
  report.Write(argc > 1 ? argv[1] : "bench/results.md");
  return 0;
}
