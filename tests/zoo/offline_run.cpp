// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "zoo/offline_run.h"

#include <acl/acl.h>
#include <ge/ge_api.h>
#include <ge/ge_ir_build.h>
#include <parser/onnx_parser.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <stdexcept>

namespace zoo {
namespace {

using Options = std::map<ge::AscendString, ge::AscendString>;

void Check(aclError code) {
  if (code == ACL_SUCCESS) return;
  const char* const text = aclGetRecentErrMsg();
  throw std::runtime_error(text != nullptr ? text : "a call failed without a message");
}

void CheckGraph(ge::graphStatus status) {
  if (status != ge::GRAPH_SUCCESS) throw std::runtime_error(ge::GEGetErrorMsgV2().GetString());
}

// "name:1,3,224,224;...": open dimensions as the given inputs have them.
std::string ShapesOf(const ge::Graph& graph, const std::vector<ge::Tensor>& inputs) {
  std::string text;
  std::size_t index = 0;
  for (ge::GNode& node : graph.GetDirectNode()) {
    ge::AscendString type, name;
    if (node.GetType(type) != ge::GRAPH_SUCCESS || std::string(type.GetString()) != "Data") continue;
    std::int64_t position = static_cast<std::int64_t>(index++);
    node.GetAttr("index", position);
    node.GetName(name);
    text += std::string(text.empty() ? "" : ";") + name.GetString() + ":";
    const std::vector<std::int64_t> dims =
        inputs.at(static_cast<std::size_t>(position)).GetTensorDesc().GetShape().GetDims();
    for (std::size_t d = 0; d < dims.size(); ++d)
      text += (d == 0 ? "" : ",") + std::to_string(dims[d]);
  }
  return text;
}

// Removes the file again.
class OfflineFile {
 public:
  OfflineFile(const std::string& model, const std::string& folder, const std::vector<ge::Tensor>& inputs)
      : path_(std::filesystem::path(folder) / ("zoo_" + std::to_string(getpid()) + ".om")) {
    Options none;
    ge::Graph graph("zoo");
    CheckGraph(ge::aclgrphParseONNX(model.c_str(), none, graph));
    const std::string shapes = ShapesOf(graph, inputs);
    CheckGraph(ge::aclgrphBuildInitialize(none));
    ge::ModelBufferData built;
    CheckGraph(ge::aclgrphBuildModel(graph, Options{{"input_shape", shapes.c_str()}}, built));
    CheckGraph(ge::aclgrphSaveModel(path_.c_str(), built));
    ge::aclgrphBuildFinalize();
  }
  ~OfflineFile() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

class DeviceSet {
 public:
  ~DeviceSet() {
    for (std::size_t i = 0; i < aclmdlGetDatasetNumBuffers(set_); ++i) {
      aclDataBuffer* buffer = aclmdlGetDatasetBuffer(set_, i);
      if (aclGetDataBufferAddr(buffer) != nullptr) aclrtFree(aclGetDataBufferAddr(buffer));
      aclDestroyDataBuffer(buffer);
    }
    aclmdlDestroyDataset(set_);
  }

  aclmdlDataset* set() const { return set_; }
  void Add(const std::uint8_t* data, std::size_t bytes) {
    void* memory = nullptr;
    if (bytes > 0) Check(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_NORMAL_ONLY));
    Check(aclmdlAddDatasetBuffer(set_, aclCreateDataBuffer(memory, bytes)));
    if (data != nullptr) Check(aclrtMemcpy(memory, bytes, data, bytes, ACL_MEMCPY_HOST_TO_DEVICE));
  }
  Bytes Read(std::size_t index) const {
    aclDataBuffer* buffer = aclmdlGetDatasetBuffer(set_, index);
    Bytes bytes(aclGetTensorDescSize(aclmdlGetDatasetTensorDesc(set_, index)));
    if (!bytes.empty())
      Check(aclrtMemcpy(bytes.data(), bytes.size(), aclGetDataBufferAddr(buffer), bytes.size(),
                        ACL_MEMCPY_DEVICE_TO_HOST));
    return bytes;
  }

 private:
  aclmdlDataset* set_ = aclmdlCreateDataset();
};

std::vector<Bytes> Execute(std::uint32_t id, const std::vector<ge::Tensor>& inputs) {
  aclmdlDesc* const desc = aclmdlCreateDesc();
  Check(aclmdlGetDesc(desc, id));
  const std::size_t count = aclmdlGetNumOutputs(desc);
  Check(aclmdlDestroyDesc(desc));
  DeviceSet in, out;
  for (const ge::Tensor& input : inputs)
    in.Add(input.GetData(), input.GetSize());
  for (std::size_t i = 0; i < count; ++i)
    out.Add(nullptr, 0);  // the run allocates
  Check(aclmdlExecute(id, in.set(), out.set()));
  std::vector<Bytes> results;
  for (std::size_t i = 0; i < count; ++i)
    results.push_back(out.Read(i));
  return results;
}

}  // namespace

std::vector<Bytes> RunOffline(const std::string& model, const std::string& folder,
                              const std::vector<ge::Tensor>& inputs) {
  const OfflineFile file(model, folder, inputs);
  static const aclError started = aclInit(nullptr);
  Check(started);
  Check(aclrtSetDevice(0));
  std::uint32_t id = 0;
  Check(aclmdlLoadFromFile(file.path().c_str(), &id));
  std::vector<Bytes> results = Execute(id, inputs);
  Check(aclmdlUnload(id));
  return results;
}

}  // namespace zoo
