// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// quantized_bench [results.md]: products with weights of 4 and 8 bits beside ggml.
// quantized_bench --threads N: all products in this process, as lines of "bits rows milliseconds peer's
// error", one for each round; the error is that of the results beside the peer's, relative to their size.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <tuple>

#include "base/half.h"
#include "candidate.h"
#include "ggml_peer.h"
#include "one_node.h"
#include "report.h"

namespace bench {
namespace {

using foothold::DataType;
using foothold::TensorValue;

constexpr std::int64_t kSize = 4096;  // depth and columns
constexpr std::int64_t kGroup = 32;
constexpr int kPasses = 3;
constexpr double kSecondsPerProduct = 2;
constexpr std::array<int, 2> kBits = {4, 8};
constexpr std::array<std::int64_t, 3> kRows = {1, 32, 512};

float Noise(std::size_t i) {
  const auto mixed = static_cast<std::uint32_t>(i * 2654435761u);
  return static_cast<float>(mixed >> 8) / static_cast<float>(1u << 23) - 1.0f;
}

std::vector<float> NoiseOf(std::int64_t count, std::size_t seed) {
  std::vector<float> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = Noise(i + seed);
  return values;
}

TensorValue Halves(const foothold::Dims& dims, const std::vector<float>& from) {
  TensorValue value(foothold::TensorType{DataType::kFloat16, foothold::Format::kNd, dims});
  for (std::size_t i = 0; i < from.size(); ++i)
    value.MutableAs<foothold::Half>()[i] = foothold::Half(from[i]);
  return value;
}

// Weights and scales as the peer rounds them: a whole number of scales in each group.
struct Quantized {
  TensorValue weights, scales;
};

Quantized Quantize(const std::vector<float>& from, int bits) {
  const float most = bits == 4 ? -8.0f : 127.0f;
  Quantized to{TensorValue(foothold::TensorType{
                   bits == 4 ? DataType::kInt4 : DataType::kInt8, foothold::Format::kNd, {kSize, kSize}}),
               {}};
  std::vector<float> scales;
  auto* bytes = to.weights.MutableAs<std::uint8_t>();
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (i % kGroup == 0) {
      const auto largest = *std::max_element(from.begin() + static_cast<std::ptrdiff_t>(i),
                                             from.begin() + static_cast<std::ptrdiff_t>(i + kGroup),
                                             [](float a, float b) { return std::fabs(a) < std::fabs(b); });
      scales.push_back((bits == 4 ? largest : std::fabs(largest)) / most);
    }
    const float number = std::round(from[i] / scales.back());
    const int weight = static_cast<int>(bits == 4 ? std::fmin(number, 7.0f) : number);
    if (bits == 8)
      bytes[i] = static_cast<std::uint8_t>(weight);
    else
      bytes[i / 2] = static_cast<std::uint8_t>(i % 2 == 0 ? weight & 15 : bytes[i / 2] | (weight & 15) << 4);
  }
  to.scales = Halves({kSize, kSize / kGroup}, scales);
  return to;
}

double ErrorOf(const std::vector<float>& peers, const TensorValue& ours) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < peers.size(); ++i) {
    const double one = static_cast<double>(static_cast<float>(ours.As<foothold::Half>()[i]));
    difference += (one - double{peers[i]}) * (one - double{peers[i]});
    size += double{peers[i]} * double{peers[i]};
  }
  return difference / size;
}

void Measure(Ggml& ggml, int threads, int bits, std::int64_t rows) {
  const std::vector<float> weights = NoiseOf(kSize * kSize, 1), x = NoiseOf(rows * kSize, 7);
  const Quantized quantized = Quantize(weights, bits);
  OneNode node("WeightQuantBatchMatmulV2");
  node.In("x", Halves({rows, kSize}, x)).In("weight", quantized.weights);
  node.In("antiquant_scale", quantized.scales);
  node.Attr("transpose_weight", true).Attr("_transpose_scale", true).Attr("antiquant_group_size", kGroup);
  node.Compile("y");
  GgmlGraph graph(ggml, threads);
  GgmlTensor* const weight = graph.Weight(bits == 4 ? GgmlType::kQ4_0 : GgmlType::kQ8_0, kSize, kSize);
  GgmlTensor* const input = graph.Input(GgmlType::kF32, {kSize, rows});
  GgmlTensor* const result = graph.MulMat(weight, input);
  graph.Finish(result);
  graph.Set(weight, weights);
  graph.Set(input, x);
  node.Run();
  graph.Run();
  const double error = ErrorOf(graph.Get(result), node.output());
  const double end = Seconds() + kSecondsPerProduct;
  for (int round = 0; round < 3 || Seconds() < end; ++round) {
    LetThreadsSleep();
    const double ours = BestInARow([&] { node.Run(); });
    LetThreadsSleep();
    const double peers = BestInARow([&] { graph.Run(); });
    std::cout << fmt::format("{} {} {:.4f} {:.4f} {:.2e}\n", bits, rows, ours * 1e3, peers * 1e3, error)
              << std::flush;
  }
}

int MeasureAll(int threads) {
  std::string why;
  const auto ggml = Ggml::Load(why);
  if (ggml == nullptr) return 1;
  for (const int bits : kBits)
    for (const std::int64_t rows : kRows)
      Measure(*ggml, threads, bits, rows);
  return 0;
}

struct Times {
  std::vector<double> ours, peer;
  double error = 0;
};
constexpr std::size_t kWays = 2;  // one thread, two threads
using AllTimes = std::map<std::pair<int, int>, std::array<Times, kWays>>;

void RunChild(const std::string& program, std::size_t way, AllTimes& all) {
  FILE* child = popen(fmt::format("'{}' --threads {}", program, way + 1).c_str(), "r");
  if (child == nullptr) return;
  int bits, rows;
  for (double ours, peer, error;
       std::fscanf(child, "%d %d %lf %lf %lf", &bits, &rows, &ours, &peer, &error) == 5;) {
    Times& times = all[{bits, rows}][way];
    times.ours.push_back(ours);
    times.peer.push_back(peer);
    times.error = error;
  }
  pclose(child);
}

AllTimes RunChildren() {
  AllTimes all;
  char self[4096] = {};
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) return all;
  for (int pass = 0; pass < kPasses; ++pass)
    for (std::size_t way = 0; way < kWays; ++way)
      RunChild(self, way, all);
  return all;
}

void AddTable(Report& report, const AllTimes& all, double fraction) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& [product, ways] : all) {
    std::vector<std::string> row = {fmt::format("{} bits, {} rows", product.first, product.second)};
    for (const Times& times : ways) {
      const double ours = Percentile(times.ours, fraction), peer = Percentile(times.peer, fraction);
      for (const double value : {ours, peer, peer / ours})
        row.push_back(fmt::format("{:.2f}", value));
    }
    row.push_back(fmt::format("{:.1e}", ways[0].error));
    rows.push_back(row);
  }
  report.Table({"product", "1 thread", "ggml", "ratio", "2 threads", "ggml", "ratio", "NMSE"}, rows);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  if (argc >= 3 && std::strcmp(argv[1], "--threads") == 0) {
    setenv("FOOTHOLD_THREADS", argv[2], 1);
    return bench::MeasureAll(std::atoi(argv[2]));
  }
  std::string why;
  const auto ggml = bench::Ggml::Load(why);
  if (ggml == nullptr) {
    std::cout << why << "\n";
    return 0;
  }
  const bench::AllTimes all = bench::RunChildren();
  bench::Report report("Quantised weights");
  report.Section(
      "Products with 4096 x 4096 weights in groups of 32",
      "Milliseconds, the best of interleaved runs; the ratio is ggml's time to Foothold's. Weights "
      "of 4 bits are ggml's Q4_0, of 8 bits its Q8_0; its library is the one for " +
          ggml->variant() +
          ", which repacks weights where it can. x is float16 for Foothold and float for ggml; "
          "NMSE is the difference between the two results.");
  bench::AddTable(report, all, 0);
  report.Section("The same by medians",
                 "How much these differ from the best shows how quiet the machine was.");
  bench::AddTable(report, all, 0.5);
  report.Write(argc > 1 ? argv[1] : "bench/results.md");
  return 0;
}
