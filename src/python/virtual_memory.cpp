// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "acl/acl_rt.h"
#include "python/chapters.h"
#include "python/structures.h"
#include "python/text_room.h"

namespace foothold {
namespace {

aclError Granularity(const aclrtPhysicalMemProp* property, aclrtMemGranularityOptions option,
                     std::size_t* bytes) {
  return aclrtMemGetAllocationGranularity(const_cast<aclrtPhysicalMemProp*>(property), option, bytes);
}

aclError SetPids(std::uint64_t handle, std::vector<std::int32_t>& pids) {
  return aclrtMemSetPidToShareableHandle(handle, pids.data(), pids.size());
}

aclError ExportKey(void* memory, std::size_t size, std::size_t length, std::uint64_t flags,
                   std::string* key) {
  return TextInRoom(length, key, [&](char* room, std::size_t most) {
    return aclrtIpcMemGetExportKey(memory, size, room, most, flags);
  });
}

aclError SetImportPids(const char* key, std::vector<std::int32_t>& pids) {
  return aclrtIpcMemSetImportPid(key, pids.data(), pids.size());
}

const Function kVirtualMemoryFunctions[] = {
    Bind<aclrtReserveMemAddress>("reserve_mem_address", "size, alignment, expected, flags -> ptr, ret",
                                 "Reserves addresses without memory."),
    Bind<aclrtReleaseMemAddress>("release_mem_address", "ptr -> ret", "Gives addresses back."),
    Bind<aclrtMallocPhysical>(
        "malloc_physical", "size, prop, flags -> handle, ret",
        "Allocates memory without an address. prop has the keys handleType, allocationType, "
        "memAttr, location (id, type) and reserve."),
    Bind<aclrtFreePhysical>("free_physical", "handle -> ret", "Frees it."),
    Bind<aclrtMapMem>("map_mem", "ptr, size, offset, handle, flags -> ret",
                      "Puts memory at reserved addresses."),
    Bind<aclrtUnmapMem>("unmap_mem", "ptr -> ret", "Takes it away."),
    Bind<Granularity>("mem_get_allocation_granularity", "prop, option -> size, ret",
                      "What sizes must be a multiple of.", "aclrtMemGetAllocationGranularity"),
    Bind<aclrtMemGetAllocationPropertiesFromHandle>("mem_get_allocation_properties_from_handle",
                                                    "handle -> prop, ret", "What malloc_physical was told."),
    Bind<aclrtMemRetainAllocationHandle>("mem_retain_allocation_handle", "ptr -> handle, ret",
                                         "The memory behind an address."),
    Bind<aclrtMemExportToShareableHandle>("mem_export_to_shareable_handle",
                                          "handle, handle_type, flags -> shareable, ret",
                                          "Offers memory to other processes."),
    Bind<aclrtMemImportFromShareableHandle>("mem_import_from_shareable_handle",
                                            "shareable, device_id -> handle, ret",
                                            "Takes memory that is offered."),
    Bind<SetPids>("mem_set_pid_to_shareable_handle", "shareable, pids -> ret", "Says who may take it.",
                  "aclrtMemSetPidToShareableHandle"),
    Bind<ExportKey>("ipc_mem_get_export_key", "ptr, size, length, flags -> key, ret",
                    "Offers memory to other processes under a name.", "aclrtIpcMemGetExportKey"),
    Bind<SetImportPids>("ipc_mem_set_import_pid", "key, pids -> ret", "Says who may take it.",
                        "aclrtIpcMemSetImportPid"),
    Bind<aclrtIpcMemImportByKey>("ipc_mem_import_by_key", "key, flag -> ptr, ret",
                                 "Takes memory that is offered."),
    Bind<aclrtIpcMemClose>("ipc_mem_close", "key -> ret", "Ends the offer, or the use of it."),
};

}  // namespace

std::span<const Function> VirtualMemoryFunctions() {
  return kVirtualMemoryFunctions;
}

}  // namespace foothold
