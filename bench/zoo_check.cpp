// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// zoo_check FOLDER [NAME...]: every output of every model beside ONNX Runtime's.
#include <fmt/format.h>
#include <parser/onnx_parser.h>

#include <cmath>
#include <iostream>
#include <map>

#include "graph_benches.h"
#include "onnx_runtime.h"
#include "report.h"
#include "zoo_models.h"

namespace bench {
namespace {

// Of the largest magnitude of the output.
constexpr double kTolerance = 1e-4;
using Options = std::map<ge::AscendString, ge::AscendString>;

std::vector<ge::Tensor> RunHere(const std::string& path, const std::vector<PeerTensor>& inputs) {
  ge::Graph graph("model");
  CheckGe(ge::aclgrphParseONNX(path.c_str(), Options{}, graph));
  ge::Session session(Options{});
  CheckGe(session.AddGraph(1, graph));
  std::vector<ge::Tensor> tensors, outputs;
  for (const PeerTensor& input : inputs)
    tensors.push_back(ToTensor(input));
  CheckGe(session.RunGraph(1, tensors, outputs));
  return outputs;
}

// The largest difference, as part of the largest magnitude; infinite if the sizes differ or something is no
// number.
double Difference(const ge::Tensor& ours, const PeerTensor& theirs) {
  if (ours.GetSize() != theirs.bytes.size()) return INFINITY;
  const auto* mine = reinterpret_cast<const float*>(ours.GetData());
  const auto* other = reinterpret_cast<const float*>(theirs.bytes.data());
  double largest = 0, difference = 0;
  for (std::size_t i = 0; i < theirs.ElementCount(); ++i) {
    largest = std::max<double>(largest, std::fabs(other[i]));
    const double here = std::fabs(static_cast<double>(mine[i]) - other[i]);
    difference = std::isnan(here) ? INFINITY : std::max(difference, here);
  }
  return largest > 0 ? difference / largest : difference;
}

bool CheckModel(OnnxRuntime& peer, const std::filesystem::path& path) {
  OnnxRuntime::Model model(peer, ReadFile(path), 1);
  std::vector<PeerTensor> inputs = model.Inputs();
  FillInputs(inputs);
  model.Bind(inputs);
  const std::vector<PeerTensor> expected = model.BoundOutputs();
  const double start = Seconds();
  const std::vector<ge::Tensor> found = RunHere(path, inputs);
  const double seconds = Seconds() - start;
  bool good = found.size() == expected.size();
  for (std::size_t i = 0; good && i < expected.size(); ++i) {
    const double difference = Difference(found[i], expected[i]);
    good = difference <= kTolerance;
    std::cout << fmt::format("{:20} {:12} {:.1e} {}  ({:.1f} s to load and run)\n", path.stem().string(),
                             expected[i].name, difference, good ? "ok" : "TOO FAR", seconds)
              << std::flush;
  }
  return good;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : "build/zoo";
  const std::vector<std::string> names(argv + std::min(argc, 2), argv + argc);
  std::string why;
  const auto peer = bench::OnnxRuntime::Load(why);
  if (peer == nullptr) {
    std::cerr << why << "\n";
    return 1;
  }
  bench::CheckGe(ge::GEInitialize(bench::Options{}));
  bool good = true;
  for (const auto& path : bench::FindModels(folder, names))
    good = bench::CheckModel(*peer, path) && good;
  bench::CheckGe(ge::GEFinalize());
  return good ? 0 : 1;
}
