// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// The form of kernels as the library knows it is that of the public header.
#include "binaries/kernel_form.h"

#include "foothold/kernel.h"

namespace foothold {

#define SAME_PLACE(ours, theirs, member)                              \
  static_assert(offsetof(ours, member) == offsetof(theirs, member) && \
                sizeof(ours::member) == sizeof(theirs::member))

SAME_PLACE(KernelBlock, FootholdBlock, struct_size);
SAME_PLACE(KernelBlock, FootholdBlock, index);
SAME_PLACE(KernelBlock, FootholdBlock, count);
SAME_PLACE(KernelBlock, FootholdBlock, args_size);
SAME_PLACE(KernelBlock, FootholdBlock, local);
SAME_PLACE(KernelBlock, FootholdBlock, local_size);
SAME_PLACE(KernelBlock, FootholdBlock, fail);
SAME_PLACE(KernelBlock, FootholdBlock, library);
static_assert(sizeof(KernelBlock) == sizeof(FootholdBlock));
SAME_PLACE(KernelAccess, FootholdAccess, address);
SAME_PLACE(KernelAccess, FootholdAccess, bytes);
SAME_PLACE(KernelAccess, FootholdAccess, use);
SAME_PLACE(KernelAccess, FootholdAccess, partial);
static_assert(sizeof(KernelAccess) == sizeof(FootholdAccess));
static_assert(kKernelReads == FOOTHOLD_READS && kKernelWrites == FOOTHOLD_WRITES);

}  // namespace foothold
