// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <acl/acl_mdl.h>
#include <acl/acl_op.h>
#include <acl/acl_tdt.h>
#include <aclnn/acl_meta.h>

#include "check/program.h"

using namespace checked;

PROGRAM(leaves_device_memory, "ACL-LEAK-001") {
  const Session session;
  for (int i = 0; i < 3; ++i) {
    void* const memory = DeviceMemory(64);
    if (!broken) MUST(aclrtFree(memory));
  }
}

PROGRAM(leaves_pinned_memory, "ACL-LEAK-002") {
  const Session session;
  void* const memory = PinnedMemory(64);
  if (!broken) MUST(aclrtFreeHost(memory));
}

PROGRAM(leaves_managed_memory, "ACL-LEAK-002") {
  const Session session;
  void* memory = nullptr;
  MUST(aclrtMemAllocManaged(&memory, 64, ACL_RT_MEM_ATTACH_GLOBAL));
  if (!broken) MUST(aclrtFree(memory));
}

PROGRAM(leaves_an_event, "ACL-LEAK-003") {
  const Session session;
  aclrtEvent event = nullptr;
  MUST(aclrtCreateEvent(&event));
  if (!broken) MUST(aclrtDestroyEvent(event));
}

PROGRAM(leaves_a_stream_and_a_context, "ACL-LEAK-003 ACL-LEAK-003") {
  const Session session;
  aclrtContext context = nullptr;
  MUST(aclrtCreateContext(&context, 0));
  const aclrtStream stream = NewStream();
  if (broken) return;
  MUST(aclrtDestroyStream(stream));
  MUST(aclrtDestroyContext(context));
}

// Ten thousand turns, two buffers each: the dataset is destroyed, its buffers are not.
PROGRAM(destroys_datasets_without_their_buffers,
        "ACL-LEAK-004 ACL-LEAK-007 ACL-LEAK-007 ACL-LEAK-007 ACL-LEAK-007 ACL-LEAK-007") {
  const Session session;
  static char data[64];
  for (int turn = 0; turn < 10000; ++turn) {
    aclmdlDataset* const set = aclmdlCreateDataset();
    for (int i = 0; i < 2; ++i)
      MUST(aclmdlAddDatasetBuffer(set, aclCreateDataBuffer(data, sizeof data)));
    for (std::size_t i = 0; !broken && i < aclmdlGetDatasetNumBuffers(set); ++i)
      MUST(aclDestroyDataBuffer(aclmdlGetDatasetBuffer(set, i)));
    MUST(aclmdlDestroyDataset(set));
  }
}

PROGRAM(leaves_a_tensor_description, "ACL-LEAK-005") {
  const Session session;
  const int64_t shape[] = {2, 3};
  aclTensorDesc* const description = aclCreateTensorDesc(ACL_FLOAT, 2, shape, ACL_FORMAT_ND);
  if (!broken) aclDestroyTensorDesc(description);
}

PROGRAM(stops_a_channel_and_keeps_it, "ACL-LEAK-008") {
  const Session session;
  acltdtChannelHandle* const channel = acltdtCreateChannel(0, "numbers");
  MUST(acltdtStopChannel(channel));
  if (!broken) MUST(acltdtDestroyChannel(channel));
}

PROGRAM(leaves_an_array_of_aclnn, "ACL-LEAK-006") {
  const Session session;
  const int64_t values[] = {1, 2};
  aclIntArray* const array = aclCreateIntArray(values, 2);
  if (!broken) MUST(aclDestroyIntArray(array));
}
