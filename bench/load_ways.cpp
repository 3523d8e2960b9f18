// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "load_ways.h"

#include <acl/acl.h>
#include <ge/ge_ir_build.h>
#include <parser/onnx_parser.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>

#include "check.h"
#include "graph_benches.h"
#include "onnx_runtime.h"
#include "report.h"

namespace bench {
namespace {

using Options = std::map<ge::AscendString, ge::AscendString>;

ge::Graph Parse(const std::string& onnx) {
  ge::Graph graph("network");
  CheckGe(ge::aclgrphParseONNX(onnx.c_str(), Options{}, graph));
  return graph;
}

// Dimensions that may vary are 1.
std::vector<ge::Tensor> Zeros(const ge::Graph& graph) {
  std::map<int64_t, ge::Tensor> inputs;
  for (ge::GNode& node : graph.GetDirectNode()) {
    ge::AscendString type;
    ge::TensorDesc desc;
    int64_t index = static_cast<int64_t>(inputs.size());
    if (node.GetType(type) != ge::GRAPH_SUCCESS || std::string(type.GetString()) != "Data") continue;
    node.GetAttr("index", index);
    CheckGe(node.GetOutputDesc(0, desc));
    std::vector<int64_t> dims = desc.GetShape().GetDims();
    std::replace_if(
        dims.begin(), dims.end(), [](int64_t dim) { return dim < 0; }, 1);
    const int64_t bytes = ge::GetSizeInBytes(ge::Shape(dims).GetShapeSize(), desc.GetDataType());
    inputs[index] = ge::Tensor(ge::TensorDesc(ge::Shape(dims), ge::FORMAT_ND, desc.GetDataType()),
                               std::vector<uint8_t>(static_cast<size_t>(bytes)));
  }
  std::vector<ge::Tensor> all;
  for (auto& [index, tensor] : inputs)
    all.push_back(std::move(tensor));
  return all;
}

void AddZeros(aclmdlDataset* set, size_t bytes) {
  void* memory = nullptr;
  Check(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  Check(aclrtMemset(memory, bytes, 0, bytes));
  Check(aclmdlAddDatasetBuffer(set, aclCreateDataBuffer(memory, bytes)));
}

LoadCost CostSince(double start) {
  const double seconds = Seconds() - start;
  return {seconds, MemoryOf("VmRSS:")};
}

}  // namespace

double MemoryOf(const std::string& row) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word != row) continue;
    double kilobytes = 0;
    status >> kilobytes;
    return kilobytes / 1024;
  }
  return 0;
}

void Convert(const std::string& onnx, const std::string& om) {
  const ge::Graph graph = Parse(onnx);
  Options none;
  CheckGe(ge::aclgrphBuildInitialize(none));
  ge::ModelBufferData built;
  CheckGe(ge::aclgrphBuildModel(graph, Options{}, built));
  CheckGe(ge::aclgrphSaveModel(om.c_str(), built));
  ge::aclgrphBuildFinalize();
}

LoadCost LoadOffline(const std::string& om) {
  const double start = Seconds();
  Check(aclInit(nullptr));
  Check(aclrtSetDevice(0));
  uint32_t id = 0;
  Check(aclmdlLoadFromFile(om.c_str(), &id));
  aclmdlDesc* const desc = aclmdlCreateDesc();
  Check(aclmdlGetDesc(desc, id));
  aclmdlDataset* const in = aclmdlCreateDataset();
  aclmdlDataset* const out = aclmdlCreateDataset();
  for (size_t i = 0; i < aclmdlGetNumInputs(desc); ++i)
    AddZeros(in, aclmdlGetInputSizeByIndex(desc, i));
  for (size_t i = 0; i < aclmdlGetNumOutputs(desc); ++i)
    AddZeros(out, aclmdlGetOutputSizeByIndex(desc, i));
  Check(aclmdlExecute(id, in, out));
  return CostSince(start);
}

LoadCost LoadOnnx(const std::string& onnx) {
  const double start = Seconds();
  CheckGe(ge::GEInitialize(Options{}));
  ge::Session session(Options{});
  const ge::Graph graph = Parse(onnx);
  CheckGe(session.AddGraph(1, graph));
  std::vector<ge::Tensor> outputs;
  CheckGe(session.RunGraph(1, Zeros(graph), outputs));
  return CostSince(start);
}

LoadCost LoadInPeer(const std::string& onnx) {
  const double start = Seconds();
  std::string why;
  const auto peer = OnnxRuntime::Load(why);
  if (peer == nullptr) {
    std::cerr << why << "\n";
    std::exit(1);
  }
  OnnxRuntime::Model model(*peer, std::filesystem::path(onnx), 1);
  std::vector<PeerTensor> inputs = model.Inputs();
  for (PeerTensor& input : inputs) {
    std::replace_if(
        input.shape.begin(), input.shape.end(), [](int64_t dim) { return dim < 0; }, 1);
    input.bytes.resize(input.ElementCount() * OnnxRuntime::SizeOf(input.type));
  }
  model.Bind(std::move(inputs));
  return CostSince(start);
}

}  // namespace bench
