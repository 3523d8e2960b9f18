// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <cstring>

#include "acl/acl_mdl.h"
#include "api/acl/checked_execution.h"
#include "api/acl/time_limits.h"
#include "api/guard.h"
#include "api/status.h"
#include "base/first_time.h"
#include "base/log.h"
#include "check/check.h"
#include "device/current.h"
#include "model/loaded_models.h"
#include "model/model_run.h"

namespace foothold {
namespace {

struct RunConfig {
  std::int32_t stream_timeout = -1;
};
using RunConfigs = HostObjects<RunConfig, HandleKind::kRunConfig>;

std::int32_t ReadTimeout(const void* value, std::size_t size) {
  std::int32_t timeout = 0;
  if (size != sizeof timeout)
    Fail(kInvalidParam, "a time limit has {} bytes, and valueSize is {}", sizeof timeout, size);
  std::memcpy(&timeout, value, sizeof timeout);
  if (timeout < -1 || timeout == 0)
    Fail(kInvalidParam, "a time limit is -1 (none) or milliseconds above 0, not {}", timeout);
  return timeout;
}

void RunNow(std::uint32_t id, const aclmdlDataset* input, aclmdlDataset* output, const char* api) {
  DataSet& outputs = DataSets::Get().Find(output);
  const auto model = LoadedModels::Get().Find(id);
  DataSet& inputs = DataSets::Get().Find(input);
  if (check::On()) LookAtExecution(*model, inputs, outputs);
  const auto run = ModelRun::Make(model, inputs, outputs, nullptr, api);
  if (check::On()) TellRun(*run);
  run->RunNow(outputs);
}

void Queue(std::uint32_t id, const aclmdlDataset* input, aclmdlDataset* output, const StreamRef& stream,
           const char* api) {
  DataSet& outputs = DataSets::Get().Find(output);
  const auto model = LoadedModels::Get().Find(id);
  DataSet& inputs = DataSets::Get().Find(input);
  if (check::On()) LookAtExecution(*model, inputs, outputs);
  RunOnStream(ModelRun::Make(model, inputs, outputs, &stream, api), stream, outputs, api);
  if (check::On()) TellExecution(id, input, output, stream);
}

void QueueAndWait(std::uint32_t id, const aclmdlDataset* input, aclmdlDataset* output,
                  const StreamRef& stream, const RunConfig& config, const char* api) {
  Queue(id, input, output, stream, api);
  if (!stream->Synchronize(DeadlineOf(config.stream_timeout)))
    Fail(kRtStreamSyncTimeout, "the run of model {} on stream {} has not ended after {} ms; it goes on", id,
         stream->id(), config.stream_timeout);
}

RunConfig ConfigOf(const aclmdlExecConfigHandle* handle) {
  return handle == nullptr ? RunConfig() : RunConfigs::Get().Find(handle);
}

}  // namespace
}  // namespace foothold

using namespace foothold;

aclError aclmdlExecute(uint32_t modelId, const aclmdlDataset* input, aclmdlDataset* output) {
  return Guard(FOOTHOLD_CALL(modelId, input, output),
               [&] { RunNow(modelId, input, output, "aclmdlExecute"); });
}

aclError aclmdlExecuteAsync(uint32_t modelId, const aclmdlDataset* input, aclmdlDataset* output,
                            aclrtStream stream) {
  return Guard(FOOTHOLD_CALL(modelId, input, output, stream),
               [&] { Queue(modelId, input, output, FindStream(stream), "aclmdlExecuteAsync"); });
}

aclError aclmdlExecuteV2(uint32_t modelId, const aclmdlDataset* input, aclmdlDataset* output,
                         aclrtStream stream, const aclmdlExecConfigHandle* handle) {
  return Guard(FOOTHOLD_CALL(modelId, input, output, stream, handle), [&] {
    QueueAndWait(modelId, input, output, FindStream(stream), ConfigOf(handle), "aclmdlExecuteV2");
  });
}

aclError aclmdlExecuteAsyncV2(uint32_t modelId, const aclmdlDataset* input, aclmdlDataset* output,
                              aclrtStream stream, const aclmdlExecConfigHandle* handle) {
  return Guard(FOOTHOLD_CALL(modelId, input, output, stream, handle), [&] {
    CheckNotNull(stream, "stream", kInvalidParam);
    ConfigOf(handle);
    Queue(modelId, input, output, FindExplicitStream(stream), "aclmdlExecuteAsyncV2");
  });
}

aclmdlExecConfigHandle* aclmdlCreateExecConfigHandle() {
  return GuardValue(FOOTHOLD_CALL(), static_cast<aclmdlExecConfigHandle*>(nullptr),
                    [&] { return static_cast<aclmdlExecConfigHandle*>(RunConfigs::Get().Add({})); });
}

aclError aclmdlDestroyExecConfigHandle(const aclmdlExecConfigHandle* handle) {
  return Guard(FOOTHOLD_CALL(handle), [&] { RunConfigs::Get().Remove(handle); });
}

FOOTHOLD_PART_WITHOUT_EFFECT(aclmdlSetExecConfigOpt, ACL_MDL_EVENT_SYNC_TIMEOUT);
aclError aclmdlSetExecConfigOpt(aclmdlExecConfigHandle* handle, aclmdlExecConfigAttr attr,
                                const void* attrValue, size_t valueSize) {
  return Guard(FOOTHOLD_CALL(handle, attr, attrValue, valueSize), [&] {
    RunConfig& config = RunConfigs::Get().Find(handle);
    CheckNotNull(attrValue, "attrValue", kInvalidParam);
    if (attr == ACL_MDL_STREAM_SYNC_TIMEOUT) {
      config.stream_timeout = ReadTimeout(attrValue, valueSize);
    } else if (attr == ACL_MDL_EVENT_SYNC_TIMEOUT) {
      ReadTimeout(attrValue, valueSize);
      WarnOnce("ACL_MDL_EVENT_SYNC_TIMEOUT",
               "ACL_MDL_EVENT_SYNC_TIMEOUT has no effect here: runs of models wait for no events");
    } else {
      Fail(kFeatureUnsupported, "attribute {} of a run is not supported", static_cast<int>(attr));
    }
  });
}
