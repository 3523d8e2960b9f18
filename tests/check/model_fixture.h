// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Small models and what they run with.
#pragma once

#include <acl/acl_mdl.h>

#include <map>

#include "array_ops.h"
#include "check/program.h"
#include "elewise_calculation_ops.h"
#include "ge/ge_ir_build.h"
#include "matrix_calculation_ops.h"

namespace checked {

using Options = std::map<ge::AscendString, ge::AscendString>;

constexpr std::size_t kModelBytes = 4 * sizeof(float);

inline ge::op::Data DataOf(const std::vector<int64_t>& dims) {
  const ge::TensorDesc desc(ge::Shape(dims), ge::FORMAT_ND, ge::DT_FLOAT);
  ge::op::Data x("x");
  x.set_attr_index(0);
  x.update_input_desc_x(desc);
  x.update_output_desc_y(desc);
  return x;
}

// y = |x|
inline ge::Graph AbsGraph(const std::vector<int64_t>& dims = {4}) {
  const ge::op::Data x = DataOf(dims);
  const auto y = ge::op::Abs("y").set_input_x(x);
  ge::Graph graph("abs");
  graph.SetInputs({x}).SetOutputs(std::vector<ge::Operator>{y});
  return graph;
}

// y = |x| |x|^T: a value in between, which needs work memory.
inline ge::Graph SquareGraphOf(const std::vector<int64_t>& dims) {
  const ge::op::Data x = DataOf(dims);
  const auto positive = ge::op::Abs("positive").set_input_x(x);
  auto y = ge::op::MatMulV2("y").set_input_x1(positive).set_input_x2(positive);
  y.set_attr_transpose_x2(true);
  ge::Graph graph("square");
  graph.SetInputs({x}).SetOutputs(std::vector<ge::Operator>{y});
  return graph;
}

inline ge::Graph SquareGraph() {
  return SquareGraphOf({2, 2});
}

inline ge::ModelBufferData BuildModel(const ge::Graph& graph = AbsGraph(), const Options& options = {}) {
  Options none;
  ge::ModelBufferData model;
  MUST(static_cast<int>(ge::aclgrphBuildInitialize(none)));
  MUST(static_cast<int>(ge::aclgrphBuildModel(graph, options, model)));
  ge::aclgrphBuildFinalize();
  return model;
}

// One or two rows of four numbers.
inline ge::ModelBufferData BuildGears() {
  return BuildModel(AbsGraph({-1, 4}), {{"input_shape", "x:-1,4"}, {"ge.dynamicBatchSize", "1,2"}});
}

class DataSet {
 public:
  DataSet(void* memory, std::size_t bytes) : set(aclmdlCreateDataset()) { Add(memory, bytes); }
  ~DataSet() {
    if (set != nullptr) Destroy();
  }
  DataSet(const DataSet&) = delete;
  DataSet& operator=(const DataSet&) = delete;

  void Add(void* memory, std::size_t bytes) {
    buffers.push_back(aclCreateDataBuffer(memory, bytes));
    MUST(aclmdlAddDatasetBuffer(set, buffers.back()));
  }
  void Destroy() {
    MUST(aclmdlDestroyDataset(set));
    for (aclDataBuffer* const buffer : buffers)
      MUST(aclDestroyDataBuffer(buffer));
    set = nullptr;
  }

  aclmdlDataset* set;
  std::vector<aclDataBuffer*> buffers;
};

class Loaded {
 public:
  explicit Loaded(const ge::ModelBufferData& model = BuildModel()) {
    MUST(aclmdlLoadFromMem(model.data.get(), model.length, &id));
  }
  ~Loaded() {
    if (id != 0) Unload();
  }
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;
  void Unload() {
    MUST(aclmdlUnload(id));
    id = 0;
  }
  uint32_t id = 0;
};

// Four numbers on the device, 0 at first.
struct Four {
  explicit Four(std::size_t bytes = kModelBytes) : memory(DeviceMemory(bytes)) {
    MUST(aclrtMemset(memory, bytes, 0, bytes));
  }
  ~Four() { MUST(aclrtFree(memory)); }
  Four(const Four&) = delete;
  Four& operator=(const Four&) = delete;
  void* memory;
};

struct Stream {
  Stream() : stream(NewStream()) {}
  ~Stream() { MUST(aclrtDestroyStream(stream)); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  operator aclrtStream() const { return stream; }
  void Wait() const { MUST(aclrtSynchronizeStream(stream)); }
  aclrtStream stream;
};

}  // namespace checked
