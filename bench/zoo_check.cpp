// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// zoo_check FOLDER [NAME...]: every output of every model beside ONNX Runtime's, and bit for bit beside what
// the model gives as an offline model.
#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <map>
#include <stdexcept>

#include "graph_benches.h"
#include "onnx_runtime.h"
#include "report.h"
#include "zoo/offline_run.h"
#include "zoo_models.h"

namespace bench {
namespace {

// Of the largest magnitude of the output.
constexpr double kTolerance = 1e-4;
using Options = std::map<ge::AscendString, ge::AscendString>;

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

bool SameAsOffline(const std::filesystem::path& path, const std::vector<PeerTensor>& inputs,
                   const std::vector<ge::Tensor>& found) try {
  const double start = Seconds();
  const std::vector<zoo::Bytes> offline =
      zoo::RunOffline(path.string(), std::filesystem::temp_directory_path().string(), ToTensors(inputs));
  bool same = offline.size() == found.size();
  for (std::size_t i = 0; same && i < found.size(); ++i)
    same = offline[i] == zoo::Bytes(found[i].GetData(), found[i].GetData() + found[i].GetSize());
  std::cout << fmt::format("{:20} {:12} {}  ({:.1f} s to convert, load and run)\n", path.stem().string(),
                           "as .om", same ? "the same bits" : "OTHER BITS", Seconds() - start)
            << std::flush;
  return same;
} catch (const std::runtime_error& error) {
  std::cout << fmt::format("{:20} {:12} {}\n", path.stem().string(), "as .om", error.what()) << std::flush;
  return false;
}

bool CheckModel(OnnxRuntime& peer, const std::filesystem::path& path) {
  OnnxRuntime::Model model(peer, ReadFile(path), 1);
  std::vector<PeerTensor> inputs = model.Inputs();
  FillInputs(inputs);
  model.Bind(inputs);
  const std::vector<PeerTensor> expected = model.BoundOutputs();
  const double start = Seconds();
  const std::vector<ge::Tensor> found = Network(path).Run(ToTensors(inputs));
  const double seconds = Seconds() - start;
  bool good = found.size() == expected.size() && SameAsOffline(path, inputs, found);
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
