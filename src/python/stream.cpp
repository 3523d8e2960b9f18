// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "acl/acl_rt.h"
#include "python/chapters.h"

namespace foothold {
namespace {

aclError GetAttribute(aclrtStream stream, aclrtStreamAttr attribute, std::uint64_t* value) {
  aclrtStreamAttrValue read = {};
  const aclError code = aclrtGetStreamAttribute(stream, attribute, &read);
  *value = attribute == ACL_STREAM_ATTR_FAILURE_MODE ? read.failureMode : read.reserve[0];
  return code;
}

aclError SetAttribute(aclrtStream stream, aclrtStreamAttr attribute, std::uint64_t value) {
  aclrtStreamAttrValue given = {};
  if (attribute == ACL_STREAM_ATTR_FAILURE_MODE)
    given.failureMode = value;
  else
    given.reserve[0] = static_cast<std::uint32_t>(value);
  return aclrtSetStreamAttribute(stream, attribute, &given);
}

const Function kStreamFunctions[] = {
    Bind<aclrtCreateStream>("create_stream", "-> stream, ret", "Makes a stream in the current context."),
    Bind<aclrtCreateStreamWithConfig>("create_stream_with_config", "priority, flag -> stream, ret",
                                      "Makes a stream with a priority and flags."),
    Bind<aclrtDestroyStream>("destroy_stream", "stream -> ret", "Ends a stream after its tasks."),
    Bind<aclrtDestroyStreamForce>("destroy_stream_force", "stream -> ret",
                                  "Ends a stream and drops its tasks."),
    Bind<aclrtSynchronizeStream>("synchronize_stream", "stream -> ret",
                                 "Waits for the tasks of a stream and returns its first failure."),
    Bind<aclrtSynchronizeStreamWithTimeout>("synchronize_stream_with_timeout", "stream, timeout_ms -> ret",
                                            "Waits no longer than that; -1 waits for ever."),
    Bind<aclrtStreamQuery>("stream_query", "stream -> status, ret", "0: all tasks are done, 1: not yet."),
    Bind<aclrtStreamAbort>("stream_abort", "stream -> ret", "Drops the tasks of a stream."),
    Bind<aclrtStreamStop>("stream_stop", "stream -> ret", "Stops the tasks of a stream."),
    Bind<aclrtStreamWaitEvent>("stream_wait_event", "stream, event -> ret",
                               "Later tasks of the stream wait for the event."),
    Bind<aclrtStreamWaitEventWithTimeout>("stream_wait_event_with_timeout",
                                          "stream, event, timeout_ms -> ret", "The same with a time limit."),
    Bind<aclrtStreamGetId>("stream_get_id", "stream -> stream_id, ret", "The number of a stream."),
    Bind<aclrtStreamGetPriority>("stream_get_priority", "stream -> priority, ret", "Its priority."),
    Bind<aclrtStreamGetFlags>("stream_get_flags", "stream -> flags, ret", "Its flags."),
    Bind<aclrtGetStreamAvailableNum>("get_stream_available_num", "-> count, ret",
                                     "How many more can be made."),
    Bind<aclrtSetStreamFailureMode>("set_stream_failure_mode", "stream, mode -> ret",
                                    "0: tasks after a failed one run, 1: they do not."),
    Bind<aclrtSetStreamOverflowSwitch>("set_stream_overflow_switch", "stream, flag -> ret",
                                       "Switches the check for overflow of floats."),
    Bind<aclrtGetStreamOverflowSwitch>("get_stream_overflow_switch", "stream -> flag, ret",
                                       "Whether overflow of floats is looked for."),
    Bind<aclrtResetOverflowStatus>("reset_overflow_status", "stream -> ret", "Forgets an overflow."),
    Bind<aclrtGetOverflowStatus>("get_overflow_status", "ptr, size, stream -> ret",
                                 "Writes down an overflow."),
    Bind<GetAttribute>("get_stream_attribute", "stream, attribute -> value, ret", "One attribute.",
                       "aclrtGetStreamAttribute"),
    Bind<SetAttribute>("set_stream_attribute", "stream, attribute, value -> ret", "Sets one attribute.",
                       "aclrtSetStreamAttribute"),
    Bind<aclrtGetStreamResLimit>("get_stream_res_limit", "stream, type -> value, ret",
                                 "The cores it may use."),
    Bind<aclrtSetStreamResLimit>("set_stream_res_limit", "stream, type, value -> ret",
                                 "Sets the cores it may use."),
    Bind<aclrtResetStreamResLimit>("reset_stream_res_limit", "stream -> ret", "Back to the device's limit."),
    Bind<aclrtUseStreamResInCurrentThread>("use_stream_res_in_current_thread", "stream -> ret",
                                           "Makes a stream's limit that of this thread."),
    Bind<aclrtUnuseStreamResInCurrentThread>("unuse_stream_res_in_current_thread", "stream -> ret",
                                             "Takes that back."),
    Bind<aclrtGetResInCurrentThread>("get_res_in_current_thread", "type -> value, ret",
                                     "This thread's limit."),
};

}  // namespace

std::span<const Function> StreamFunctions() {
  return kStreamFunctions;
}

}  // namespace foothold
