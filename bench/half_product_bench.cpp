// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Products of float rows with float16 weights that come with the run, beside ggml's.
// half_product_bench [results.md [rounds]]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <iostream>

#include "base/half.h"
#include "base/thread_pool.h"
#include "candidate.h"
#include "ggml_peer.h"
#include "one_node.h"
#include "report.h"

namespace bench {
namespace {

using foothold::DataType;
using foothold::TensorType;
using foothold::TensorValue;

constexpr std::size_t kSide = 4096;

std::vector<float> Wave(std::size_t count, float step) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = std::sin(step * static_cast<float>(i));
  return values;
}

// The weights [columns, depth] as they are, as [depth, columns], and as fractals.
enum class Order { kColumns, kRows, kFractals };

std::size_t PlaceOf(Order order, std::size_t column, std::size_t k) {
  constexpr std::size_t kPiece = 16;
  if (order == Order::kColumns) return column * kSide + k;
  if (order == Order::kRows) return k * kSide + column;
  return (k / kPiece * kSide + column) * kPiece + k % kPiece;
}

TensorValue Weights(const std::vector<float>& values, Order order) {
  const auto side = static_cast<std::int64_t>(kSide);
  TensorValue weights(TensorType{DataType::kFloat16, foothold::Format::kNd, {side, side}});
  for (std::size_t i = 0; i < values.size(); ++i)
    weights.MutableAs<foothold::Half>()[PlaceOf(order, i / kSide, i % kSide)] = foothold::Half(values[i]);
  return weights;
}

void Compile(OneNode& product, const std::vector<float>& x, const TensorValue& weights, Order order) {
  const auto rows = static_cast<std::int64_t>(x.size() / kSide), side = static_cast<std::int64_t>(kSide);
  TensorValue left(TensorType{DataType::kFloat, foothold::Format::kNd, {rows, side}});
  std::copy(x.begin(), x.end(), left.MutableAs<float>());
  product.In("x1", left).In("x2", weights).Attr("transpose_x2", order != Order::kRows);
  if (order == Order::kFractals) product.Attr("_fractal_nz", std::int64_t{16});
  product.Compile("y");
}

struct Turn {
  std::string name;
  std::function<void()> run;
  std::vector<double> seconds = {};
};

void TakeTurns(std::vector<Turn>& turns, int rounds) {
  for (int round = 0; round < rounds; ++round)
    for (Turn& turn : turns) {
      LetThreadsSleep();
      turn.seconds.push_back(BestInARow(turn.run));
    }
}

std::vector<std::string> RowOf(const Turn& turn, const Turn& peer, std::size_t rows, int threads) {
  const double best = Percentile(turn.seconds, 0), median = Percentile(turn.seconds, 0.5);
  return {fmt::format("{}", rows),
          fmt::format("{}", threads),
          turn.name,
          fmt::format("{:.3f}", best * 1e3),
          fmt::format("{:.3f}", median * 1e3),
          fmt::format("{:.2f}", Percentile(peer.seconds, 0) / best),
          fmt::format("{:.2f}", Percentile(peer.seconds, 0.5) / median)};
}

// ggml rounds the rows to float16.
void CheckAlike(const OneNode& product, const std::vector<float>& expected) {
  double error = 0, all = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    error += std::pow(double(product.output().As<float>()[i]) - double(expected[i]), 2);
    all += std::pow(double(expected[i]), 2);
  }
  if (error <= 1e-5 * all) return;
  std::cerr << "the results differ by " << error / all << "\n";
  std::exit(1);
}

class HalfProductBench {
 public:
  explicit HalfProductBench(Ggml* ggml)
      : ggml_(ggml),
        values_(Wave(kSide * kSide, 0.37f)),
        columns_(Weights(values_, Order::kColumns)),
        rows_(Weights(values_, Order::kRows)),
        fractals_(Weights(values_, Order::kFractals)) {}

  std::vector<std::vector<std::string>> Measure(std::size_t rows, int threads, int rounds) const {
    const foothold::CoreLimit limit(threads);
    const auto x = Wave(rows * kSide, 0.3f);
    OneNode columns("MatMulV2"), along("MatMulV2"), fractals("MatMulV2");
    Compile(columns, x, columns_, Order::kColumns);
    Compile(along, x, rows_, Order::kRows);
    Compile(fractals, x, fractals_, Order::kFractals);
    std::vector<Turn> turns{{"Foothold", [&] { columns.Run(); }},
                            {"Foothold, [depth, columns]", [&] { along.Run(); }},
                            {"Foothold, FRACTAL_NZ", [&] { fractals.Run(); }}};
    std::unique_ptr<GgmlGraph> graph;
    if (ggml_ != nullptr) {
      graph = std::make_unique<GgmlGraph>(*ggml_, threads);
      GgmlTensor* const result = MakePeer(*graph, x, rows);
      graph->Run();
      for (OneNode* product : {&columns, &along, &fractals}) {
        product->Run();
        CheckAlike(*product, graph->Get(result));
      }
      turns.push_back({"ggml (" + ggml_->variant() + ")", [&graph] { graph->Run(); }});
    }
    TakeTurns(turns, rounds);
    std::vector<std::vector<std::string>> table;
    for (const Turn& turn : turns)
      table.push_back(RowOf(turn, turns.back(), rows, threads));
    return table;
  }

 private:
  GgmlTensor* MakePeer(GgmlGraph& graph, const std::vector<float>& x, std::size_t rows) const {
    const auto side = static_cast<std::int64_t>(kSide);
    GgmlTensor* const weight = graph.Weight(GgmlType::kF16, side, side);
    GgmlTensor* const input = graph.Input(GgmlType::kF32, {side, static_cast<std::int64_t>(rows)});
    GgmlTensor* const result = graph.MulMat(weight, input);
    graph.Finish(result);
    graph.Set(weight, values_);
    graph.Set(input, x);
    return result;
  }

  Ggml* ggml_;
  std::vector<float> values_;
  TensorValue columns_, rows_, fractals_;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  const char* path = argc > 1 ? argv[1] : "bench/results.md";
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 9;
  std::string why;
  const auto ggml = bench::Ggml::Load(why);
  if (ggml == nullptr) std::cout << why << "\n";
  const bench::HalfProductBench bench(ggml.get());
  std::vector<std::vector<std::string>> table;
  for (const int threads : {1, 2})
    for (const std::size_t rows : {1u, 32u, 512u})
      for (auto& row : bench.Measure(rows, threads, rounds))
        table.push_back(std::move(row));
  bench::Report report("Products with float16 weights");
  report.Section("Products with float16 weights",
                 "Rows of 4096 floats times 4096 columns of float16 weights that come with the run. Weights "
                 "lie column after column where nothing is said. Milliseconds; the last columns say how much "
                 "longer ggml takes.");
  report.Table({"rows", "threads", "", "best", "median", "best, ggml / this", "median, ggml / this"}, table);
  report.Write(path);
  return 0;
}
