// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Running and ending model run instances.
#include "acl/acl_rt.h"
#include "api/acl/time_limits.h"
#include "api/guard.h"
#include "capture/instances.h"
#include "capture/replay.h"
#include "device/current.h"

namespace foothold {
namespace {

void RunWithin(const void* handle, std::int32_t timeout, const char* api) {
  const auto instance = Instances::Get().Find(handle);
  if (RunToEnd(instance, api, DeadlineOf(timeout))) return;
  Fail(kRtStreamSyncTimeout, "model instance {} still runs after {} ms; it goes on", instance->id(), timeout);
}

}  // namespace
}  // namespace foothold

using namespace foothold;

aclError aclmdlRIExecute(aclmdlRI modelRI, int32_t timeout) {
  return Guard(FOOTHOLD_CALL(modelRI, timeout), [&, api = __func__] { RunWithin(modelRI, timeout, api); });
}

aclError aclmdlRIExecuteAsync(aclmdlRI modelRI, aclrtStream stream) {
  return Guard(FOOTHOLD_CALL(modelRI, stream), [&, api = __func__] {
    auto instance = Instances::Get().Find(modelRI);
    QueueRun(std::move(instance), FindStream(stream), api);
  });
}

aclError aclmdlRIDestroy(aclmdlRI modelRI) {
  return Guard(FOOTHOLD_CALL(modelRI), [&] { Instances::Get().Destroy(modelRI); });
}
