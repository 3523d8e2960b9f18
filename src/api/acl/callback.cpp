// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "acl/acl_rt.h"
#include "api/guard.h"
#include "base/handle_pool.h"
#include "check/open_things.h"
#include "device/callbacks.h"
#include "device/current.h"

namespace foothold {
namespace {

Nanoseconds ReportDeadline(std::int32_t timeout) {
  if (timeout != -1 && timeout <= 0)
    Fail(kRtParamInvalid, "timeout must be -1 (for ever) or milliseconds above 0, not {}", timeout);
  return DeadlineIn(timeout);
}

}  // namespace
}  // namespace foothold

using namespace foothold;

aclError aclrtSubscribeReport(uint64_t threadId, aclrtStream stream) {
  return Guard(FOOTHOLD_CALL(threadId, stream), [&] {
    const StreamRef found = FindStream(stream);
    Subscribe(threadId, found, Mailbox::Kind::kReport);
    check::Opened(check::Thing::kSubscription, HandleValue(found.handle));
  });
}

aclError aclrtUnSubscribeReport(uint64_t threadId, aclrtStream stream) {
  return Guard(FOOTHOLD_CALL(threadId, stream), [&] {
    const StreamRef found = FindStream(stream);
    Unsubscribe(threadId, found, Mailbox::Kind::kReport);
    check::Closed(check::Thing::kSubscription, HandleValue(found.handle));
  });
}

aclError aclrtProcessReport(int32_t timeout) {
  return Guard(FOOTHOLD_CALL(timeout),
               [&] { return ProcessCallbacks(Mailbox::Kind::kReport, ReportDeadline(timeout)); });
}

aclError aclrtLaunchCallback(aclrtCallback fn, void* userData, aclrtCallbackBlockType blockType,
                             aclrtStream stream) {
  return Guard(FOOTHOLD_CALL(userData, blockType, stream), [&, api = __func__] {
    FOOTHOLD_NOT_NULL(fn);
    if (blockType != ACL_CALLBACK_NO_BLOCK && blockType != ACL_CALLBACK_BLOCK) {
      Fail(kRtParamInvalid, "blockType must be ACL_CALLBACK_NO_BLOCK (0) or ACL_CALLBACK_BLOCK (1), not {}",
           static_cast<int>(blockType));
    }
    LaunchCallback(FindStream(stream), api, fn, userData, blockType == ACL_CALLBACK_BLOCK);
  });
}

aclError aclrtLaunchHostFunc(aclrtStream stream, aclrtHostFunc fn, void* args) {
  return Guard(FOOTHOLD_CALL(stream, args), [&, api = __func__] {
    const StreamRef found = FindStream(stream);
    LaunchHostFunction(found, api, FOOTHOLD_NOT_NULL(fn), args);
  });
}

aclError aclrtSubscribeHostFunc(uint64_t hostFuncThreadId, aclrtStream exeStream) {
  return Guard(FOOTHOLD_CALL(hostFuncThreadId, exeStream), [&] {
    Subscribe(hostFuncThreadId, FindExplicitStream(exeStream), Mailbox::Kind::kHostFunction);
  });
}

aclError aclrtUnSubscribeHostFunc(uint64_t hostFuncThreadId, aclrtStream exeStream) {
  return Guard(FOOTHOLD_CALL(hostFuncThreadId, exeStream), [&] {
    Unsubscribe(hostFuncThreadId, FindExplicitStream(exeStream), Mailbox::Kind::kHostFunction);
  });
}

aclError aclrtProcessHostFunc(int32_t timeout) {
  return Guard(FOOTHOLD_CALL(timeout),
               [&] { return ProcessCallbacks(Mailbox::Kind::kHostFunction, ReportDeadline(timeout)); });
}
