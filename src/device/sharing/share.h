// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Sharing between processes of one user on one machine, as the calls of the API mean it. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "device/sharing/share_key.h"
#include "device/virtual_memory.h"

namespace foothold {

class Context;
class DeviceMemory;
class EventState;
class NotifyState;

// `bytes` of a block of device memory, from anywhere in it. Throws 107000 for other memory.
ShareKey ExportMemory(void* address, std::size_t bytes, bool white_list);
// Undoes an import or, if there is none left, the export of this process. Throws 507022 if it has neither.
void CloseMemory(const ShareKey& key);

// All of the physical memory behind a handle. Throws 107000 if it was exported before.
ShareKey ExportPages(const void* handle, bool white_list);
// A handle for it. Throws 207000 in the process that exported it.
void* ImportPages(const ShareKey& key, DeviceMemory& owner, const PhysicalMemory::Properties& properties);

ShareKey ExportEvent(EventState& event);
void* ImportEvent(const ShareKey& key, Context& context);

// Each notify has one key: exporting it again answers the same. Its white list is there until one export goes
// without.
ShareKey ExportNotify(const std::shared_ptr<NotifyState>& notify, bool white_list);
void AdmitToNotify(const std::shared_ptr<NotifyState>& notify, const std::int32_t* processes,
                   std::size_t count);
void* ImportNotify(const ShareKey& key, Context& context);

// Ends the threads of sharing and forgets all that was shared and imported by key.
void StopSharing();

}  // namespace foothold
