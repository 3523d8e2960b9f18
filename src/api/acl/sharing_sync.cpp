// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Events and notifies between processes.
#include <cstring>
#include <string_view>

#include "acl/acl_rt.h"
#include "api/acl/share_arguments.h"
#include "api/guard.h"
#include "api/status.h"
#include "base/failure_text.h"
#include "device/current.h"
#include "device/sharing/share.h"

using namespace foothold;

static_assert(ShareKey::kTextBytes <= ACL_IPC_EVENT_HANDLE_SIZE);

aclError aclrtIpcGetEventHandle(aclrtEvent event, aclrtIpcEventHandle* handle) {
  return Guard(FOOTHOLD_CALL(event, handle), [&] {
    FOOTHOLD_NOT_NULL(handle);
    const std::string text = ExportEvent(*FindEvent(event)).Text();
    *handle = {};
    std::memcpy(handle->reserved, text.data(), text.size());
  });
}

aclError aclrtIpcOpenEventHandle(aclrtIpcEventHandle handle, aclrtEvent* event) {
  return Guard(FOOTHOLD_CALL(handle, event), [&] {
    FOOTHOLD_NOT_NULL(event);
    const std::string_view text(handle.reserved, strnlen(handle.reserved, sizeof(handle.reserved)));
    *event = ImportEvent(ShareKey::FromText(ShareKind::kEvent, text), CurrentContext());
  });
}

aclError aclrtNotifyGetExportKey(aclrtNotify notify, char* key, size_t len, uint64_t flags) {
  return Guard(FOOTHOLD_CALL(notify, key, len, flags), [&] {
    const auto state = FindNotify(notify);
    CheckKeyRoom(FOOTHOLD_NOT_NULL(key), len);
    CheckShareFlags(flags, ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION);
    WriteKey(ExportNotify(state, flags == 0), key);
  });
}

aclError aclrtNotifySetImportPid(aclrtNotify notify, int32_t* pid, size_t num) {
  return Guard(FOOTHOLD_CALL(notify, pid, num), [&] {
    const auto state = FindNotify(notify);
    CheckProcesses(pid, num, "num");
    AdmitToNotify(state, pid, num);
  });
}

// The flag is about access between two devices, which is always there.
FOOTHOLD_PART_WITHOUT_EFFECT(aclrtNotifyImportByKey, flags);
aclError aclrtNotifyImportByKey(aclrtNotify* notify, const char* key, uint64_t flags) {
  return Guard(FOOTHOLD_CALL(notify, key, flags), [&] {
    FOOTHOLD_NOT_NULL(notify);
    FOOTHOLD_NOT_NULL(key);
    CheckShareFlags(flags, ACL_RT_NOTIFY_IMPORT_FLAG_ENABLE_PEER_ACCESS);
    *notify = ImportNotify(ShareKey::FromText(ShareKind::kNotify, key), CurrentContext());
  });
}
