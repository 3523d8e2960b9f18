// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "acl/acl_mdl.h"
#include "acl/acl_rt.h"
#include "api/acl/bound_stream.h"
#include "api/guard.h"
#include "capture/built/built_model.h"
#include "capture/built/stored_controls.h"
#include "capture/instances.h"

namespace foothold {
namespace {

std::shared_ptr<Instance> NewBuiltInstance(Context& context) {
  auto instance = std::make_shared<Instance>();
  instance->BeginBuilding(std::make_shared<BuiltModel>(context, *instance));
  return instance;
}

// Keeps the instance, and with it the model.
std::shared_ptr<Instance> FindBuilt(const void* handle) {
  auto instance = Instances::Get().Find(handle);
  if (instance->built() == nullptr)
    Fail(kRtParamInvalid, "model instance {} was captured, not begun with aclmdlRIBuildBegin",
         instance->id());
  return instance;
}

}  // namespace
}  // namespace foothold

using namespace foothold;

aclError aclmdlRIBuildBegin(aclmdlRI* modelRI, uint32_t flag) {
  return Guard(FOOTHOLD_CALL(modelRI, flag), [&] {
    FOOTHOLD_NOT_NULL(modelRI);
    if (flag != 0) Fail(kRtParamInvalid, "flag is reserved and must be 0, not {}", flag);
    *modelRI = Instances::Get().Add(NewBuiltInstance(CurrentContext()));
  });
}

aclError aclmdlRIBindStream(aclmdlRI modelRI, aclrtStream stream, uint32_t flag) {
  return Guard(FOOTHOLD_CALL(modelRI, stream, flag), [&] {
    const auto instance = FindBuilt(modelRI);
    const StreamRef found = FindExplicitStream(stream);
    if (flag != ACL_MODEL_STREAM_FLAG_HEAD && flag != ACL_MODEL_STREAM_FLAG_DEFAULT) {
      Fail(
          kRtParamInvalid,
          "flag must be ACL_MODEL_STREAM_FLAG_HEAD (0) or ACL_MODEL_STREAM_FLAG_DEFAULT (2147483647), not {}",
          flag);
    }
    instance->built()->Bind(found, flag == ACL_MODEL_STREAM_FLAG_HEAD);
  });
}

aclError aclmdlRIUnbindStream(aclmdlRI modelRI, aclrtStream stream) {
  return Guard(FOOTHOLD_CALL(modelRI, stream), [&] {
    const auto instance = FindBuilt(modelRI);
    instance->built()->Unbind(FindExplicitStream(stream));
  });
}

aclError aclmdlRIEndTask(aclmdlRI modelRI, aclrtStream stream) {
  return Guard(FOOTHOLD_CALL(modelRI, stream), [&, api = __func__] {
    const auto instance = FindBuilt(modelRI);
    const StreamRef bound = FindExplicitStream(stream);
    instance->built()->CheckBound(bound);
    PushControl(bound, api, std::make_shared<ModelEnd>());
  });
}

aclError aclmdlRIBuildEnd(aclmdlRI modelRI, void* reserve) {
  return Guard(FOOTHOLD_CALL(modelRI, reserve), [&] {
    const auto instance = FindBuilt(modelRI);
    if (reserve != nullptr) Fail(kRtParamInvalid, "reserve is reserved and must be null");
    instance->built()->Content();
    instance->EndBuilding();
  });
}
