// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What must hold for any bytes somebody parses as an ONNX model. Used by the fuzzer and by the replay of its
// corpus; through the public API, because the reader is a library of its own.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "acl/acl.h"
#include "fuzz/require.h"
#include "ge/ge_api.h"
#include "ge/ge_ir_build.h"
#include "parser/onnx_parser.h"

namespace foothold {

// What is run at most: it shall not take long.
constexpr std::size_t kMostModelBytes = 1 << 20, kMostValueBytes = 1 << 16;

// Offline models, ready for as long as the process lives.
inline void StartOnce() {
  static const bool started = [] {
    std::map<ge::AscendString, ge::AscendString> none;
    return aclInit(nullptr) == ACL_SUCCESS && aclrtSetDevice(0) == ACL_SUCCESS &&
           ge::aclgrphBuildInitialize(none) == ge::GRAPH_SUCCESS;
  }();
  Require(started);
}

inline bool Succeeded(aclError answer) {
  const char* text = aclGetRecentErrMsg();
  Require(answer == ACL_SUCCESS || (text != nullptr && *text != '\0'));
  return answer == ACL_SUCCESS;
}

// A data set in memory of its own; false if it is too large.
class FuzzedSet {
 public:
  FuzzedSet() : set_(aclmdlCreateDataset()) {}
  ~FuzzedSet() {
    for (std::size_t i = 0; i < aclmdlGetDatasetNumBuffers(set_); ++i) {
      aclDataBuffer* const buffer = aclmdlGetDatasetBuffer(set_, i);
      (void)aclrtFree(aclGetDataBufferAddr(buffer));
      Require(aclDestroyDataBuffer(buffer) == ACL_SUCCESS);
    }
    Require(aclmdlDestroyDataset(set_) == ACL_SUCCESS);
  }
  FuzzedSet(const FuzzedSet&) = delete;
  FuzzedSet& operator=(const FuzzedSet&) = delete;

  bool Add(std::size_t bytes) {
    void* memory = nullptr;
    if (bytes > kMostValueBytes) return false;
    Require(aclrtMalloc(&memory, bytes + 1, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
    Require(aclrtMemset(memory, bytes, 1, bytes) == ACL_SUCCESS || bytes == 0);
    return aclmdlAddDatasetBuffer(set_, aclCreateDataBuffer(memory, bytes)) == ACL_SUCCESS;
  }
  aclmdlDataset* get() const { return set_; }

 private:
  aclmdlDataset* set_;
};

// Runs, or is refused with a text.
inline void FuzzRun(std::uint32_t id) {
  aclmdlDesc* const desc = aclmdlCreateDesc();
  Require(aclmdlGetDesc(desc, id) == ACL_SUCCESS);
  {
    FuzzedSet inputs, outputs;
    bool small = true;
    for (std::size_t i = 0; small && i < aclmdlGetNumInputs(desc); ++i)
      small = inputs.Add(aclmdlGetInputSizeByIndex(desc, i));
    for (std::size_t i = 0; small && i < aclmdlGetNumOutputs(desc); ++i)
      small = outputs.Add(aclmdlGetOutputSizeByIndex(desc, i));
    if (small) Succeeded(aclmdlExecute(id, inputs.get(), outputs.get()));
  }
  Require(aclmdlDestroyDesc(desc) == ACL_SUCCESS);
}

// Becomes an offline model that runs, or is refused with a text. Loops, which may have no end, are not run.
inline void FuzzOnnxRun(const ge::Graph& graph, bool loops) {
  StartOnce();
  const std::map<ge::AscendString, ge::AscendString> options;
  ge::ModelBufferData model;
  (void)ge::GEGetErrorMsg();
  if (ge::aclgrphBuildModel(graph, options, model) != ge::GRAPH_SUCCESS)
    return Require(!ge::GEGetErrorMsg().empty());
  std::size_t work = 0, weights = 0;
  std::uint32_t id = 0;
  (void)aclGetRecentErrMsg();
  if (!Succeeded(aclmdlQuerySizeFromMem(model.data.get(), model.length, &work, &weights))) return;
  if (loops || work > kMostModelBytes || weights > kMostModelBytes) return;
  if (!Succeeded(aclmdlLoadFromMem(model.data.get(), model.length, &id))) return;
  FuzzRun(id);
  Require(aclmdlUnload(id) == ACL_SUCCESS);
}

// Refused with a text, or a graph that can be saved and loaded, and built and run or refused then.
inline void FuzzOnnxModel(const std::string& bytes, bool runs = true) {
  ge::Graph graph("fuzzed");
  (void)ge::GEGetErrorMsg();
  if (ge::aclgrphParseONNXFromMem(bytes.data(), bytes.size(), {}, graph) != ge::GRAPH_SUCCESS) {
    Require(!ge::GEGetErrorMsg().empty());
    return;
  }
  ge::GraphBuffer saved;
  Require(graph.SaveToMem(saved) == ge::GRAPH_SUCCESS);
  ge::Graph loaded("loaded");
  Require(loaded.LoadFromMem(saved) == ge::GRAPH_SUCCESS);
  const std::string_view all(reinterpret_cast<const char*>(saved.GetData()), saved.GetSize());
  if (runs) FuzzOnnxRun(loaded, all.find("While") != std::string_view::npos);
}

}  // namespace foothold
