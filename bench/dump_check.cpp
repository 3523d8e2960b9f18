// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// dump_check FOLDER [NAME...]: what every operator of a network computes, as a dump shows it, beside ONNX
// Runtime with all intermediate values made outputs.
#include <acl/acl.h>
#include <acl/acl_dump.h>
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <iostream>
#include <map>

#include "check.h"
#include "graph_benches.h"
#include "onnx_runtime.h"
#include "onnx_runtime/all_outputs.h"
#include "onnx_runtime/wire.h"
#include "zoo_models.h"

namespace bench {
namespace {

using peer::WireField;
using peer::WireReader;

constexpr double kTolerance = 1e-4;  // of the largest magnitude of a tensor
constexpr int kOnnxFloat = 1;
using Options = std::map<ge::AscendString, ge::AscendString>;

std::map<std::string, std::string> files;  // received, by name

int32_t Receive(const acldumpChunk* chunk, int32_t) {
  files[chunk->fileName].append(reinterpret_cast<const char*>(chunk->dataBuf), chunk->bufLen);
  return 0;
}

struct Dumped {
  std::string node;
  std::string_view data;  // of the first output
};

Dumped ReadDump(std::string_view file) {
  std::uint64_t length = 0, size = 0;
  std::memcpy(&length, file.data(), sizeof length);
  Dumped dumped;
  WireField field, part;
  bool first = true;
  for (WireReader fields(file.substr(sizeof length, length)); fields.Next(field);) {
    if (field.number == 6) dumped.node = field.bytes;
    if (field.number != 3 || !std::exchange(first, false)) continue;
    for (WireReader parts(field.bytes); parts.Next(part);)
      if (part.number == 6) size = part.value;
  }
  dumped.data = file.substr(sizeof length + length, size);
  return dumped;
}

double Difference(std::string_view ours, const PeerTensor& theirs) {
  double largest = 0, difference = 0;
  for (std::size_t i = 0; i < theirs.ElementCount(); ++i) {
    float mine = 0, other = 0;
    std::memcpy(&mine, ours.data() + i * sizeof mine, sizeof mine);
    std::memcpy(&other, theirs.bytes.data() + i * sizeof other, sizeof other);
    largest = std::max<double>(largest, std::fabs(other));
    const double here = std::fabs(static_cast<double>(mine) - other);
    difference = std::isnan(here) ? INFINITY : std::max(difference, here);
  }
  return largest > 0 ? difference / largest : difference;
}

bool CheckModel(OnnxRuntime& runtime, const std::filesystem::path& path) {
  const std::string bytes = ReadFile(path);
  const auto nodes = peer::NodesOf(bytes);
  const auto present = OnnxRuntime::Model(runtime, bytes, 1).output_names();
  OnnxRuntime::Model model(runtime, peer::WithAllOutputs(bytes, nodes, present), 1);
  std::vector<PeerTensor> inputs = model.Inputs();
  FillInputs(inputs);
  model.Bind(inputs);
  std::map<std::string, PeerTensor> expected;
  for (PeerTensor& tensor : model.BoundOutputs())
    expected[tensor.name] = std::move(tensor);
  files.clear();
  Check(aclmdlInitDump());
  Network(path).Run(ToTensors(inputs));
  Check(aclmdlFinalizeDump());
  std::size_t compared = 0;
  double worst = 0;
  std::string worst_node;
  for (const auto& [name, file] : files) {
    const Dumped dumped = ReadDump(file);
    const auto node = nodes.find(dumped.node);
    const auto found = node == nodes.end() ? expected.end() : expected.find(node->second.outputs.at(0));
    if (found == expected.end() || found->second.type != kOnnxFloat) continue;
    if (found->second.bytes.size() != dumped.data.size()) continue;  // the node has another form here
    const double difference = Difference(dumped.data, found->second);
    ++compared;
    if (difference >= worst) worst_node = dumped.node;
    worst = std::max(worst, difference);
  }
  const bool good = compared > 0 && worst <= kTolerance;
  std::cout << fmt::format("{:20} {:4} of {:4} operators compared, at most {:.1e} apart ({}) {}\n",
                           path.parent_path().filename() == "zoo" ? path.stem().string()
                                                                  : path.parent_path().filename().string(),
                           compared, files.size(), worst, worst_node, good ? "ok" : "TOO FAR")
            << std::flush;
  return good;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : "build/zoo";
  const std::vector<std::string> names(argv + std::min(argc, 2), argv + argc);
  std::string why;
  const auto runtime = bench::OnnxRuntime::Load(why);
  if (runtime == nullptr) {
    std::cerr << why << "\n";
    return 1;
  }
  bench::Check(aclInit(nullptr));
  bench::Check(aclrtSetDevice(0));
  bench::CheckGe(ge::GEInitialize(bench::Options{}));
  bench::Check(acldumpRegCallback(bench::Receive, 0));
  bool good = true;
  for (const auto& path : bench::FindModels(folder, names))
    good = bench::CheckModel(*runtime, path) && good;
  acldumpUnregCallback();
  bench::CheckGe(ge::GEFinalize());
  bench::Check(aclrtResetDevice(0));
  bench::Check(aclFinalize());
  return good ? 0 : 1;
}
