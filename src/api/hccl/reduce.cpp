// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "api/hccl/arguments.h"
#include "api/hccl/hccl_guard.h"
#include "hccl/hccl.h"

namespace foothold::collectives {
namespace {

CallPart Part(Request request, void* send, void* receive) {
  return {std::move(request), {send}, {receive}};
}

Request Reducing(Collective collective, HcclDataType type, HcclReduceOp operation, std::uint64_t count) {
  Request request;
  request.collective = collective;
  request.element = CheckedReducible(type);
  request.reduction = CheckedReduction(operation);
  request.count = count;
  return request;
}

}  // namespace
}  // namespace foothold::collectives

using namespace foothold;
using namespace foothold::collectives;

HcclResult HcclAllReduce(void* sendBuf, void* recvBuf, uint64_t count, HcclDataType dataType, HcclReduceOp op,
                         HcclComm comm, aclrtStream stream) {
  return GuardHccl(FOOTHOLD_CALL(sendBuf, recvBuf, count, dataType, op, comm, stream), [&, api = __func__] {
    const auto communicator = FindCommunicator(comm);
    FOOTHOLD_HCCL_NOT_NULL(sendBuf);
    FOOTHOLD_HCCL_NOT_NULL(recvBuf);
    auto request = Reducing(Collective::kAllReduce, dataType, op, count);
    if (count != 0) Queue(communicator, stream, api, Part(std::move(request), sendBuf, recvBuf));
  });
}

HcclResult HcclReduce(void* sendBuf, void* recvBuf, uint64_t count, HcclDataType dataType, HcclReduceOp op,
                      uint32_t root, HcclComm comm, aclrtStream stream) {
  return GuardHccl(FOOTHOLD_CALL(sendBuf, recvBuf, count, dataType, op, root, comm, stream),
                   [&, api = __func__] {
                     const auto communicator = FindCommunicator(comm);
                     FOOTHOLD_HCCL_NOT_NULL(sendBuf);
                     FOOTHOLD_HCCL_NOT_NULL(recvBuf);
                     auto request = Reducing(Collective::kReduce, dataType, op, count);
                     CheckRank(root, "root", *communicator);
                     request.root = root;
                     if (count != 0)
                       Queue(communicator, stream, api, Part(std::move(request), sendBuf, recvBuf));
                   });
}

HcclResult HcclReduceScatter(void* sendBuf, void* recvBuf, uint64_t recvCount, HcclDataType dataType,
                             HcclReduceOp op, HcclComm comm, aclrtStream stream) {
  return GuardHccl(FOOTHOLD_CALL(sendBuf, recvBuf, recvCount, dataType, op, comm, stream),
                   [&, api = __func__] {
                     const auto communicator = FindCommunicator(comm);
                     FOOTHOLD_HCCL_NOT_NULL(sendBuf);
                     FOOTHOLD_HCCL_NOT_NULL(recvBuf);
                     auto request = Reducing(Collective::kReduceScatter, dataType, op, recvCount);
                     if (recvCount != 0)
                       Queue(communicator, stream, api, Part(std::move(request), sendBuf, recvBuf));
                   });
}

HcclResult HcclReduceScatterV(void* sendBuf, const void* sendCounts, const void* sendDispls, void* recvBuf,
                              uint64_t recvCount, HcclDataType dataType, HcclReduceOp op, HcclComm comm,
                              aclrtStream stream) {
  return GuardHccl(
      FOOTHOLD_CALL(sendBuf, sendCounts, sendDispls, recvBuf, recvCount, dataType, op, comm, stream),
      [&, api = __func__] {
        const auto communicator = FindCommunicator(comm);
        auto request = Reducing(Collective::kReduceScatterV, dataType, op, recvCount);
        request.send_counts = CheckedCounts(sendCounts, "sendCounts", communicator->size());
        request.send_places = CheckedCounts(sendDispls, "sendDispls", communicator->size());
        if (request.send_counts[communicator->rank()] != recvCount) {
          Fail(kHcclPara, "recvCount is {}, but sendCounts has {} for this rank, {}", recvCount,
               request.send_counts[communicator->rank()], communicator->rank());
        }
        std::uint64_t sent = 0;
        for (const std::uint64_t one : request.send_counts)
          sent |= one;
        if (sent == 0) return;
        FOOTHOLD_HCCL_NOT_NULL(sendBuf);
        if (recvCount != 0) FOOTHOLD_HCCL_NOT_NULL(recvBuf);
        Queue(communicator, stream, api, Part(std::move(request), sendBuf, recvBuf));
      });
}
