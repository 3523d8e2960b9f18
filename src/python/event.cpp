// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "acl/acl_rt.h"
#include "python/chapters.h"
#include "python/text_room.h"

namespace foothold {
namespace {

aclError ResetNotifies(std::vector<aclrtNotify>& notifies) {
  return aclrtNotifyBatchReset(notifies.data(), notifies.size());
}

aclError SetImportPid(aclrtNotify notify, std::vector<std::int32_t>& pids) {
  return aclrtNotifySetImportPid(notify, pids.data(), pids.size());
}

aclError ExportNotifyKey(aclrtNotify notify, std::size_t length, std::uint64_t flags, std::string* key) {
  return TextInRoom(length, key, [&](char* room, std::size_t most) {
    return aclrtNotifyGetExportKey(notify, room, most, flags);
  });
}

const Function kEventFunctions[] = {
    Bind<aclrtCreateEvent>("create_event", "-> event, ret", "Makes an event."),
    Bind<aclrtCreateEventWithFlag>("create_event_with_flag", "flag -> event, ret",
                                   "Makes an event for a purpose."),
    Bind<aclrtCreateEventExWithFlag>("create_event_ex_with_flag", "flag -> event, ret",
                                     "Makes an event that is not counted."),
    Bind<aclrtDestroyEvent>("destroy_event", "event -> ret", "Ends an event."),
    Bind<aclrtRecordEvent>("record_event", "event, stream -> ret",
                           "The event happens when the stream has come this far."),
    Bind<aclrtResetEvent>("reset_event", "event, stream -> ret",
                          "Takes the event back when the stream is here."),
    Bind<aclrtQueryEvent>("query_event", "event -> status, ret", "query_event_status with older numbers."),
    Bind<aclrtQueryEventStatus>("query_event_status", "event -> status, ret", "1: it has happened."),
    Bind<aclrtQueryEventWaitStatus>("query_event_wait_status", "event -> status, ret",
                                    "Whether all waits for it are over."),
    Bind<aclrtSynchronizeEvent>("synchronize_event", "event -> ret", "Waits for it."),
    Bind<aclrtSynchronizeEventWithTimeout>("synchronize_event_with_timeout", "event, timeout_ms -> ret",
                                           "Waits no longer than that; -1 waits for ever."),
    Bind<aclrtEventElapsedTime>("event_elapsed_time", "start, end -> ms, ret",
                                "The time between two events."),
    Bind<aclrtEventGetTimestamp>("event_get_timestamp", "event -> us, ret", "When it happened."),
    Bind<aclrtGetEventId>("get_event_id", "event -> event_id, ret", "The number of an event."),
    Bind<aclrtGetEventAvailNum>("get_event_avail_num", "-> count, ret", "How many more can be made."),
    Bind<aclrtCreateNotify>("create_notify", "flag -> notify, ret", "Makes a notify."),
    Bind<aclrtDestroyNotify>("destroy_notify", "notify -> ret", "Ends a notify."),
    Bind<aclrtRecordNotify>("record_notify", "notify, stream -> ret", "Notifies when the stream is here."),
    Bind<aclrtWaitAndResetNotify>("wait_and_reset_notify", "notify, stream, timeout_s -> ret",
                                  "The stream waits for the notify and takes it; 0 waits for ever."),
    Bind<aclrtGetNotifyId>("get_notify_id", "notify -> notify_id, ret", "The number of a notify."),
    Bind<ResetNotifies>("notify_batch_reset", "notifies -> ret", "Takes several back.",
                        "aclrtNotifyBatchReset"),
    Bind<ExportNotifyKey>("notify_get_export_key", "notify, length, flags -> key, ret",
                          "Offers it to other processes under a name.", "aclrtNotifyGetExportKey"),
    Bind<SetImportPid>("notify_set_import_pid", "notify, pids -> ret", "Lets processes share it.",
                       "aclrtNotifySetImportPid"),
    Bind<aclrtNotifyImportByKey>("notify_import_by_key", "key, flag -> notify, ret", "Shares one."),
    Bind<aclrtValueWrite>("value_write", "ptr, value, flag, stream -> ret",
                          "Writes when the stream is here."),
    Bind<aclrtValueWait>("value_wait", "ptr, value, flag, stream -> ret",
                         "The stream waits for a value in memory."),
};

}  // namespace

std::span<const Function> EventFunctions() {
  return kEventFunctions;
}

}  // namespace foothold
