// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <acl/acl_mdl.h>

#include <map>

#include "array_ops.h"
#include "check/program.h"
#include "elewise_calculation_ops.h"
#include "ge/ge_ir_build.h"

using namespace checked;

namespace {

// y = |x|, four numbers.
ge::ModelBufferData BuildModel() {
  std::map<ge::AscendString, ge::AscendString> none;
  const ge::TensorDesc desc(ge::Shape({4}), ge::FORMAT_ND, ge::DT_FLOAT);
  ge::op::Data x("x");
  x.set_attr_index(0);
  x.update_input_desc_x(desc);
  x.update_output_desc_y(desc);
  auto y = ge::op::Abs("y").set_input_x(x);
  ge::Graph graph("abs");
  graph.SetInputs({x}).SetOutputs({y});
  ge::ModelBufferData model;
  MUST(static_cast<int>(ge::aclgrphBuildInitialize(none)));
  MUST(static_cast<int>(ge::aclgrphBuildModel(graph, none, model)));
  ge::aclgrphBuildFinalize();
  return model;
}

struct DataSet {
  DataSet(void* memory, std::size_t bytes)
      : buffer(aclCreateDataBuffer(memory, bytes)), set(aclmdlCreateDataset()) {
    MUST(aclmdlAddDatasetBuffer(set, buffer));
  }
  ~DataSet() {
    MUST(aclmdlDestroyDataset(set));
    MUST(aclDestroyDataBuffer(buffer));
  }
  aclDataBuffer* buffer;
  aclmdlDataset* set;
};

struct Loaded {
  Loaded() : model(BuildModel()) { MUST(aclmdlLoadFromMem(model.data.get(), model.length, &id)); }
  ~Loaded() { MUST(aclmdlUnload(id)); }
  ge::ModelBufferData model;
  uint32_t id = 0;
};

constexpr std::size_t kBytes = 4 * sizeof(float);

}  // namespace

PROGRAM(gives_a_model_too_small_a_buffer, "ACL-MDL-001") {
  const Session session;
  const Loaded model;
  void* const x = DeviceMemory(kBytes);
  void* const y = DeviceMemory(kBytes);
  MUST(aclrtMemset(x, kBytes, 0, kBytes));
  {
    const DataSet inputs(x, broken ? kBytes - 1 : kBytes), outputs(y, kBytes);
    aclmdlExecute(model.id, inputs.set, outputs.set);
  }
  MUST(aclrtFree(x));
  MUST(aclrtFree(y));
}

// The input is written on one stream and read by the model on another.
PROGRAM(runs_a_model_before_its_input_is_there, "ACL-RACE-001") {
  const Session session;
  const Loaded model;
  void* const x = DeviceMemory(kBytes);
  void* const y = DeviceMemory(kBytes);
  const aclrtStream copies = NewStream(), runs = NewStream();
  aclrtEvent event = nullptr;
  MUST(aclrtCreateEvent(&event));
  {
    const DataSet inputs(x, kBytes), outputs(y, kBytes);
    MUST(aclrtMemsetAsync(x, kBytes, 0, kBytes, copies));
    MUST(aclrtRecordEvent(event, copies));
    if (!broken) MUST(aclrtStreamWaitEvent(runs, event));
    MUST(aclmdlExecuteAsync(model.id, inputs.set, outputs.set, runs));
    MUST(aclrtSynchronizeStream(runs));
    MUST(aclrtSynchronizeStream(copies));
  }
  MUST(aclrtDestroyEvent(event));
  MUST(aclrtDestroyStream(copies));
  MUST(aclrtDestroyStream(runs));
  MUST(aclrtFree(x));
  MUST(aclrtFree(y));
}
