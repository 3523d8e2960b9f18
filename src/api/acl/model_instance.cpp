// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Running and ending model run instances.
#include "acl/acl_rt.h"
#include "api/acl/time_limits.h"
#include "api/guard.h"
#include "capture/instances.h"
#include "capture/replay.h"
#include "device/current.h"

using namespace foothold;

aclError aclmdlRIExecute(aclmdlRI modelRI, int32_t timeout) {
  return Guard(FOOTHOLD_CALL(modelRI, timeout), [&, api = __func__] {
    const auto instance = Instances::Get().Find(modelRI);
    const Nanoseconds deadline = DeadlineOf(timeout);
    if (!RunToEnd(instance, api, deadline)) {
      Fail(kRtStreamSyncTimeout, "model instance {} still runs after {} ms; it goes on", instance->id(),
           timeout);
    }
  });
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
