// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Capturing streams into model run instances, and the groups of captured tasks that can be replaced.
#include "capture/capture.h"

#include "acl/acl_rt.h"
#include "api/guard.h"
#include "capture/instances.h"
#include "device/current.h"

namespace foothold {
namespace {

CaptureMode CheckedMode(aclmdlRICaptureMode mode) {
  if (mode < ACL_MODEL_RI_CAPTURE_MODE_GLOBAL || mode > ACL_MODEL_RI_CAPTURE_MODE_RELAXED)
    Fail(kRtParamInvalid, "mode {} is no aclmdlRICaptureMode", static_cast<int>(mode));
  return static_cast<CaptureMode>(mode);
}

// The stream of a call that needs one that is being captured.
std::shared_ptr<CaptureLane> CapturedLane(aclrtStream stream) {
  const StreamRef found = FindStream(stream);
  auto lane = Capture::LaneOf(found);
  if (!lane) Fail(kRtStreamNotCaptured, "stream {} is not being captured", found->id());
  return lane;
}

}  // namespace
}  // namespace foothold

using namespace foothold;

aclError aclmdlRICaptureBegin(aclrtStream stream, aclmdlRICaptureMode mode) {
  return Guard(FOOTHOLD_CALL(stream, mode), [&] {
    const CaptureMode checked = CheckedMode(mode);
    const StreamRef found = FindStream(stream);
    auto instance = std::make_shared<Instance>();
    void* const handle = Instances::Get().Add(instance);
    try {
      Capture::Begin(found, checked, std::move(instance), Capture::Fate::kRemoved);
    } catch (...) {
      Instances::Get().Remove(handle);
      throw;
    }
  });
}

aclError aclmdlRICaptureToModelRIBegin(aclrtStream stream, aclmdlRI modelRI, aclmdlRICaptureMode mode) {
  return Guard(FOOTHOLD_CALL(stream, modelRI, mode), [&] {
    const CaptureMode checked = CheckedMode(mode);
    const StreamRef found = FindStream(stream);
    auto instance = Instances::Get().Find(modelRI);
    Capture::Begin(found, checked, std::move(instance), Capture::Fate::kStays);
  });
}

aclError aclmdlRICaptureGetInfo(aclrtStream stream, aclmdlRICaptureStatus* status, aclmdlRI* modelRI) {
  return Guard(FOOTHOLD_CALL(stream, status, modelRI), [&] {
    FOOTHOLD_NOT_NULL(status);
    const auto lane = Capture::LaneOf(FindStream(stream));
    const auto found = lane ? lane->capture().status() : Capture::Status::kNone;
    *status = static_cast<aclmdlRICaptureStatus>(found);
    if (modelRI != nullptr)
      *modelRI = found == Capture::Status::kActive ? const_cast<void*>(lane->capture().instance().handle())
                                                   : nullptr;
  });
}

aclError aclmdlRICaptureEnd(aclrtStream stream, aclmdlRI* modelRI) {
  return Guard(FOOTHOLD_CALL(stream, modelRI), [&] {
    FOOTHOLD_NOT_NULL(modelRI);
    *modelRI = nullptr;
    *modelRI = const_cast<void*>(Capture::End(FindStream(stream))->handle());
  });
}

aclError aclmdlRICaptureThreadExchangeMode(aclmdlRICaptureMode* mode) {
  return Guard(FOOTHOLD_CALL(mode), [&] {
    FOOTHOLD_NOT_NULL(mode);
    const CaptureMode before = CaptureModes::ExchangeForThread(CheckedMode(*mode));
    *mode = static_cast<aclmdlRICaptureMode>(before);
  });
}

aclError aclmdlRICaptureTaskGrpBegin(aclrtStream stream) {
  return Guard(FOOTHOLD_CALL(stream), [&] { CapturedLane(stream)->BeginGroup(); });
}

aclError aclmdlRICaptureTaskGrpEnd(aclrtStream stream, aclrtTaskGrp* handle) {
  return Guard(FOOTHOLD_CALL(stream, handle), [&, api = __func__] {
    FOOTHOLD_NOT_NULL(handle);
    *handle = CapturedLane(stream)->EndGroup(api);
  });
}

aclError aclmdlRICaptureTaskUpdateBegin(aclrtStream stream, aclrtTaskGrp handle) {
  return Guard(FOOTHOLD_CALL(stream, handle), [&] {
    const StreamRef found = FindStream(stream);
    FOOTHOLD_NOT_NULL(handle);
    TaskUpdate::Begin(found, TaskGroups::Get().Find(handle));
  });
}

aclError aclmdlRICaptureTaskUpdateEnd(aclrtStream stream) {
  return Guard(FOOTHOLD_CALL(stream), [&, api = __func__] { TaskUpdate::End(FindStream(stream), api); });
}
