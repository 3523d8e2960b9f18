// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "acl/acl_rt.h"
#include "acl/acl_rt_allocator.h"
#include "python/chapters.h"
#include "python/structures.h"

namespace foothold {
namespace {

// Python gives the description back.
aclError SetCopyDesc(void* desc, aclrtMemcpyKind kind, void* source, void* destination, std::size_t count,
                     void* config, void** result) {
  *result = desc;
  return aclrtSetMemcpyDesc(desc, kind, source, destination, count, config);
}

aclError HostGetDevicePointer(void* host, std::uint32_t flag, void** device) {
  return aclrtHostGetDevicePointer(host, device, flag);
}

const Function kMemoryFunctions[] = {
    Bind<aclrtMalloc>("malloc", "size, policy -> ptr, ret", "Allocates device memory."),
    Bind<aclrtMallocAlign32>("malloc_align32", "size, policy -> ptr, ret",
                             "Allocates device memory without slack."),
    Bind<aclrtMallocCached>("malloc_cached", "size, policy -> ptr, ret", "Allocates cached device memory."),
    Bind<aclrtMallocWithCfg>("malloc_with_cfg", "size, policy, cfg -> ptr, ret",
                             "Allocates device memory; cfg is the address of a configuration, or 0."),
    Bind<aclrtMallocForTaskScheduler>("malloc_for_task_scheduler", "size, policy, cfg -> ptr, ret",
                                      "Allocates device memory for the scheduler of tasks."),
    Bind<aclrtFree>("free", "ptr -> ret", "Frees device memory."),
    Bind<aclrtFreeWithDevSync>("free_with_dev_sync", "ptr -> ret", "Waits for the device, then frees."),
    Bind<aclrtMemFlush>("mem_flush", "ptr, size -> ret", "Writes caches back."),
    Bind<aclrtMemInvalidate>("mem_invalidate", "ptr, size -> ret", "Drops what caches hold."),
    Bind<aclrtMallocHost>("malloc_host", "size -> ptr, ret", "Allocates pinned host memory."),
    Bind<aclrtMallocHostWithCfg>("malloc_host_with_cfg", "size, cfg -> ptr, ret",
                                 "Allocates pinned host memory."),
    Bind<aclrtFreeHost>("free_host", "ptr -> ret", "Frees pinned host memory."),
    Bind<aclrtFreeHostWithDevSync>("free_host_with_dev_sync", "ptr -> ret",
                                   "Waits for the device, then frees."),
    Bind<aclrtHostRegister>("host_register", "ptr, size, type -> device_ptr, ret",
                            "Pins memory of the program."),
    Bind<aclrtHostUnregister>("host_unregister", "ptr -> ret", "Takes that back."),
    Bind<HostGetDevicePointer>("host_get_device_pointer", "ptr, flag -> device_ptr, ret",
                               "The device's address of pinned memory.", "aclrtHostGetDevicePointer"),
    Bind<aclrtGetMemInfo>("get_mem_info", "attribute -> free, total, ret", "How much memory the device has."),
    Bind<aclrtMemcpy>(
        "memcpy", "dst, dst_max, src, count, kind -> ret",
        "Copies now. kind: 0 host to host, 1 to device, 2 to host, 3 on the device, 4 find out."),
    Bind<aclrtMemcpyAsync>("memcpy_async", "dst, dst_max, src, count, kind, stream -> ret",
                           "Copies on a stream."),
    Bind<aclrtMemcpyAsyncWithCondition>("memcpy_async_with_condition",
                                        "dst, dst_max, src, count, kind, stream -> ret",
                                        "Copies on a stream, memory that is not pinned at once."),
    Bind<aclrtMemcpy2d>("memcpy2d", "dst, dst_pitch, src, src_pitch, width, height, kind -> ret",
                        "Copies rows."),
    Bind<aclrtMemcpy2dAsync>("memcpy2d_async",
                             "dst, dst_pitch, src, src_pitch, width, height, kind, stream -> ret",
                             "Copies rows on a stream."),
    Bind<aclrtGetMemcpyDescSize>("get_memcpy_desc_size", "kind -> size, ret",
                                 "Bytes a description of copies needs."),
    Bind<SetCopyDesc>("set_memcpy_desc", "desc, kind, src, dst, count, config -> desc, ret",
                      "Writes a description of copies.", "aclrtSetMemcpyDesc"),
    Bind<aclrtMemcpyAsyncWithDesc>("memcpy_async_with_desc", "desc, kind, stream -> ret",
                                   "Copies as described, on a stream."),
    Bind<aclrtMemset>("memset", "ptr, max_count, value, count -> ret", "Fills bytes now."),
    Bind<aclrtMemsetAsync>("memset_async", "ptr, max_count, value, count, stream -> ret",
                           "Fills on a stream."),
    Bind<aclrtReduceAsync>("reduce_async", "dst, src, count, kind, data_type, stream, reserve -> ret",
                           "Adds or compares arrays on a stream."),
    Bind<aclrtCmoAsync>("cmo_async", "src, size, type, stream -> ret", "Hints for caches, on a stream."),
    Bind<aclrtAllocatorCreateDesc>("allocator_create_desc", "-> desc",
                                   "Makes a description of an allocator."),
    Bind<aclrtAllocatorDestroyDesc>("allocator_destroy_desc", "desc -> ret", "Forgets it."),
    Bind<aclrtAllocatorRegister>("allocator_register", "stream, desc -> ret",
                                 "Work on the stream takes its memory from the allocator."),
    Bind<aclrtAllocatorUnregister>("allocator_unregister", "stream -> ret", "Takes that back."),
};

}  // namespace

std::span<const Function> MemoryFunctions() {
  return kMemoryFunctions;
}

}  // namespace foothold
