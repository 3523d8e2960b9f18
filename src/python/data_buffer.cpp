// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "acl/acl_base.h"
#include "python/chapters.h"

namespace foothold {
namespace {

const Function kDataBufferFunctions[] = {
    BindQuick<aclCreateDataBuffer>("create_data_buffer", "ptr, size -> buffer",
                                   "Describes memory; it stays the program's."),
    BindQuick<aclDestroyDataBuffer>("destroy_data_buffer", "buffer -> ret",
                                    "Forgets the description, not the memory."),
    BindQuick<aclUpdateDataBuffer>("update_data_buffer", "buffer, ptr, size -> ret",
                                   "Describes other memory."),
    BindQuick<aclGetDataBufferAddr>("get_data_buffer_addr", "buffer -> ptr", "The address described."),
    BindQuick<aclGetDataBufferSizeV2>("get_data_buffer_size_v2", "buffer -> size", "The bytes described."),
    BindQuick<aclGetDataBufferSize>("get_data_buffer_size", "buffer -> size",
                                    "The bytes described, in 32 bits; get_data_buffer_size_v2 has all."),
};

}  // namespace

std::span<const Function> DataBufferFunctions() {
  return kDataBufferFunctions;
}

}  // namespace foothold
