// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/model_fixture.h"

using namespace checked;

PROGRAM(gives_a_model_too_small_a_buffer, "ACL-MDL-001") {
  const Session session;
  const Loaded model;
  const Four x, y;
  const DataSet inputs(x.memory, broken ? kModelBytes - 1 : kModelBytes), outputs(y.memory, kModelBytes);
  aclmdlExecute(model.id, inputs.set, outputs.set);
}

// The input is written on one stream and read by the model on another.
PROGRAM(runs_a_model_before_its_input_is_there, "ACL-RACE-001") {
  const Session session;
  const Loaded model;
  const Four x, y;
  const Stream copies, runs;
  aclrtEvent event = nullptr;
  MUST(aclrtCreateEvent(&event));
  {
    const DataSet inputs(x.memory, kModelBytes), outputs(y.memory, kModelBytes);
    MUST(aclrtMemsetAsync(x.memory, kModelBytes, 0, kModelBytes, copies));
    MUST(aclrtRecordEvent(event, copies));
    if (!broken) MUST(aclrtStreamWaitEvent(runs, event));
    MUST(aclmdlExecuteAsync(model.id, inputs.set, outputs.set, runs));
    runs.Wait();
    copies.Wait();
  }
  MUST(aclrtDestroyEvent(event));
}

PROGRAM(executes_a_model_before_its_input_is_there, "ACL-RACE-003") {
  const Session session;
  const Loaded model;
  const Four x, y;
  const Stream stream;
  const DataSet inputs(x.memory, kModelBytes), outputs(y.memory, kModelBytes);
  MUST(aclrtMemsetAsync(x.memory, kModelBytes, 0, kModelBytes, stream));
  if (!broken) stream.Wait();
  MUST(aclmdlExecute(model.id, inputs.set, outputs.set));
  stream.Wait();
}

PROGRAM(exchanges_a_buffer_under_an_execution, "ACL-MDL-002") {
  const Session session;
  const Loaded model;
  const Four x, other, y;
  const Stream stream;
  const DataSet inputs(x.memory, kModelBytes), outputs(y.memory, kModelBytes);
  MUST(aclmdlExecuteAsync(model.id, inputs.set, outputs.set, stream));
  if (!broken) stream.Wait();
  MUST(aclUpdateDataBuffer(inputs.buffers[0], other.memory, kModelBytes));
  stream.Wait();
}

PROGRAM(destroys_a_dataset_under_an_execution, "ACL-MDL-002 ACL-MDL-002") {
  const Session session;
  const Loaded model;
  const Four x, y;
  const Stream stream;
  DataSet inputs(x.memory, kModelBytes);
  const DataSet outputs(y.memory, kModelBytes);
  MUST(aclmdlExecuteAsync(model.id, inputs.set, outputs.set, stream));
  if (!broken) stream.Wait();
  inputs.Destroy();  // the dataset, and its buffer
  stream.Wait();
}

PROGRAM(unloads_a_model_under_an_execution, "ACL-MDL-003") {
  const Session session;
  Loaded model;
  const Four x, y;
  const Stream stream;
  const DataSet inputs(x.memory, kModelBytes), outputs(y.memory, kModelBytes);
  MUST(aclmdlExecuteAsync(model.id, inputs.set, outputs.set, stream));
  if (!broken) stream.Wait();
  model.Unload();
  stream.Wait();
}

PROGRAM(chooses_no_gear, "ACL-MDL-004") {
  const Session session;
  const Loaded model(BuildGears());
  const Four x(2 * kModelBytes), y(2 * kModelBytes), gear(64);
  DataSet inputs(x.memory, 2 * kModelBytes);
  inputs.Add(gear.memory, 64);
  const DataSet outputs(y.memory, 2 * kModelBytes);
  if (!broken) MUST(aclmdlSetDynamicBatchSize(model.id, inputs.set, 1, 2));
  MUST(aclmdlExecute(model.id, inputs.set, outputs.set));
}

PROGRAM(runs_with_the_gear_of_another_model, "ACL-MDL-005") {
  const Session session;
  const Loaded first(BuildGears()), second(BuildGears());
  const Four x(2 * kModelBytes), y(2 * kModelBytes), gear(64);
  DataSet inputs(x.memory, 2 * kModelBytes);
  inputs.Add(gear.memory, 64);
  const DataSet outputs(y.memory, 2 * kModelBytes);
  MUST(aclmdlSetDynamicBatchSize(broken ? first.id : second.id, inputs.set, 1, 2));
  MUST(aclmdlExecute(second.id, inputs.set, outputs.set));
}

PROGRAM(changes_the_gear_of_a_waiting_execution, "ACL-MDL-005") {
  const Session session;
  const Loaded model(BuildGears());
  const Four x(2 * kModelBytes), y(2 * kModelBytes), gear(64);
  const Stream stream;
  DataSet inputs(x.memory, 2 * kModelBytes);
  inputs.Add(gear.memory, 64);
  const DataSet outputs(y.memory, 2 * kModelBytes);
  for (const uint64_t rows : {1, 2}) {
    MUST(aclmdlSetDynamicBatchSize(model.id, inputs.set, 1, rows));
    MUST(aclmdlExecuteAsync(model.id, inputs.set, outputs.set, stream));
    if (!broken) stream.Wait();
  }
  stream.Wait();
}

PROGRAM(runs_a_model_on_two_streams, "ACL-MDL-006") {
  const Session session;
  const Loaded model;
  const Four x, y, z;
  const Stream first, second;
  const DataSet inputs(x.memory, kModelBytes), outputs(y.memory, kModelBytes), others(z.memory, kModelBytes);
  MUST(aclmdlExecuteAsync(model.id, inputs.set, outputs.set, first));
  if (!broken) first.Wait();
  aclmdlExecuteAsync(model.id, inputs.set, others.set, second);
  first.Wait();
  second.Wait();
}

PROGRAM(runs_a_model_of_another_device, "ACL-MDL-007") {
  const Session session;
  const Loaded model;
  const Four x, y;
  const DataSet inputs(x.memory, kModelBytes), outputs(y.memory, kModelBytes);
  if (broken) MUST(aclrtSetDevice(1));
  aclmdlExecute(model.id, inputs.set, outputs.set);
  if (broken) MUST(aclrtResetDevice(1));
  MUST(aclrtSetDevice(0));
  MUST(aclrtResetDevice(0));
}

PROGRAM(lends_two_models_the_same_memory, "ACL-MDL-008") {
  const Session session;
  const ge::ModelBufferData bytes = BuildModel(SquareGraph());
  size_t work = 0, weights = 0;
  MUST(aclmdlQuerySizeFromMem(bytes.data.get(), bytes.length, &work, &weights));
  const Four memory(work), more(work), x, y, z;
  uint32_t first = 0, second = 0;
  MUST(aclmdlLoadFromMemWithMem(bytes.data.get(), bytes.length, &first, memory.memory, work, nullptr, 0));
  MUST(aclmdlLoadFromMemWithMem(bytes.data.get(), bytes.length, &second, broken ? memory.memory : more.memory,
                                work, nullptr, 0));
  {
    const Stream one, two;
    const DataSet inputs(x.memory, kModelBytes), outputs(y.memory, kModelBytes),
        others(z.memory, kModelBytes);
    MUST(aclmdlExecuteAsync(first, inputs.set, outputs.set, one));
    MUST(aclmdlExecuteAsync(second, inputs.set, others.set, two));
    one.Wait();
    two.Wait();
  }
  MUST(aclmdlUnload(first));
  MUST(aclmdlUnload(second));
}

PROGRAM(keeps_an_output_the_library_made, "ACL-MDL-009") {
  const Session session;
  const Loaded model;
  const Four x;
  const DataSet inputs(x.memory, kModelBytes), outputs(nullptr, 0);
  MUST(aclmdlExecute(model.id, inputs.set, outputs.set));
  if (!broken) {
    MUST(aclrtFree(aclGetDataBufferAddr(outputs.buffers[0])));
    MUST(aclUpdateDataBuffer(outputs.buffers[0], nullptr, 0));
  }
  MUST(aclmdlExecute(model.id, inputs.set, outputs.set));
  MUST(aclrtFree(aclGetDataBufferAddr(outputs.buffers[0])));
}

PROGRAM(leaves_a_model, "ACL-LEAK-004") {
  const Session session;
  Loaded model;
  if (broken) model.id = 0;
}
