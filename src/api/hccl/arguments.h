// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What calls of collectives check of their arguments, in the words of the program.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "collectives/call.h"
#include "collectives/communicators.h"
#include "device/stream.h"
#include "hccl/hccl_types.h"

namespace foothold::collectives {

// HCCL_E_PARA for numbers that are no type; HCCL_E_NOT_SUPPORT for those that cannot be reduced.
Element CheckedElement(HcclDataType type);
Element CheckedReducible(HcclDataType type);
Reduction CheckedReduction(HcclReduceOp operation);
void CheckRank(std::uint32_t rank, const char* name, const Communicator& communicator);
std::vector<std::uint64_t> CheckedCounts(const void* counts, const char* name, std::uint64_t count);

// The communicator of a handle, if it takes calls.
std::shared_ptr<Communicator> FindCommunicator(HcclComm comm);
// The stream a call means: null is the default stream of the current context. HCCL_E_PARA for one of another
// device than the communicator's.
StreamRef StreamFor(const Communicator& communicator, aclrtStream stream);

// Checks the memory and queues the collective, at once or with its group.
void Queue(const std::shared_ptr<Communicator>& communicator, aclrtStream stream, const char* api,
           CallPart part, BufferNames names = {"sendBuf", "recvBuf"});

}  // namespace foothold::collectives
