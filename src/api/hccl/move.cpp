// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "api/hccl/arguments.h"
#include "api/hccl/hccl_guard.h"
#include "hccl/hccl.h"

namespace foothold::collectives {
namespace {

CallPart Part(Request request, const void* send, const void* receive) {
  return {std::move(request), {const_cast<void*>(send)}, {const_cast<void*>(receive)}};
}

Request Moving(Collective collective, HcclDataType type, std::uint64_t count) {
  Request request;
  request.collective = collective;
  request.element = request.received = CheckedElement(type);
  request.count = count;
  return request;
}

bool AnyOf(const std::vector<std::uint64_t>& counts) {
  for (const std::uint64_t count : counts) {
    if (count != 0) return true;
  }
  return false;
}

void CheckApart(const void* send, const void* receive) {
  if (send == receive)
    Fail(kHcclPara, "sendBuf and recvBuf are the same memory, which this collective does not support");
}

// Where parts of these sizes begin if they follow each other.
std::vector<std::uint64_t> RunningSums(const std::vector<std::uint64_t>& counts) {
  std::vector<std::uint64_t> places;
  std::uint64_t place = 0;
  for (const std::uint64_t count : counts) {
    places.push_back(place);
    place += count;
  }
  return places;
}

}  // namespace
}  // namespace foothold::collectives

using namespace foothold;
using namespace foothold::collectives;

HcclResult HcclBroadcast(void* buf, uint64_t count, HcclDataType dataType, uint32_t root, HcclComm comm,
                         aclrtStream stream) {
  return GuardHccl(FOOTHOLD_CALL(buf, count, dataType, root, comm, stream), [&, api = __func__] {
    const auto communicator = FindCommunicator(comm);
    FOOTHOLD_HCCL_NOT_NULL(buf);
    auto request = Moving(Collective::kBroadcast, dataType, count);
    CheckRank(root, "root", *communicator);
    request.root = root;
    if (count != 0) Queue(communicator, stream, api, Part(std::move(request), buf, buf), {"buf", "buf"});
  });
}

HcclResult HcclScatter(void* sendBuf, void* recvBuf, uint64_t recvCount, HcclDataType dataType, uint32_t root,
                       HcclComm comm, aclrtStream stream) {
  return GuardHccl(FOOTHOLD_CALL(sendBuf, recvBuf, recvCount, dataType, root, comm, stream),
                   [&, api = __func__] {
                     const auto communicator = FindCommunicator(comm);
                     FOOTHOLD_HCCL_NOT_NULL(recvBuf);
                     auto request = Moving(Collective::kScatter, dataType, recvCount);
                     CheckRank(root, "root", *communicator);
                     request.root = root;
                     if (root == communicator->rank()) FOOTHOLD_HCCL_NOT_NULL(sendBuf);
                     if (recvCount != 0)
                       Queue(communicator, stream, api, Part(std::move(request), sendBuf, recvBuf));
                   });
}

HcclResult HcclAllGather(void* sendBuf, void* recvBuf, uint64_t sendCount, HcclDataType dataType,
                         HcclComm comm, aclrtStream stream) {
  return GuardHccl(FOOTHOLD_CALL(sendBuf, recvBuf, sendCount, dataType, comm, stream), [&, api = __func__] {
    const auto communicator = FindCommunicator(comm);
    FOOTHOLD_HCCL_NOT_NULL(sendBuf);
    FOOTHOLD_HCCL_NOT_NULL(recvBuf);
    auto request = Moving(Collective::kAllGather, dataType, sendCount);
    if (sendCount != 0) Queue(communicator, stream, api, Part(std::move(request), sendBuf, recvBuf));
  });
}

HcclResult HcclAllGatherV(void* sendBuf, uint64_t sendCount, void* recvBuf, const void* recvCounts,
                          const void* recvDispls, HcclDataType dataType, HcclComm comm, aclrtStream stream) {
  return GuardHccl(FOOTHOLD_CALL(sendBuf, sendCount, recvBuf, recvCounts, recvDispls, dataType, comm, stream),
                   [&, api = __func__] {
                     const auto communicator = FindCommunicator(comm);
                     auto request = Moving(Collective::kAllGatherV, dataType, sendCount);
                     request.receive_counts = CheckedCounts(recvCounts, "recvCounts", communicator->size());
                     request.receive_places = CheckedCounts(recvDispls, "recvDispls", communicator->size());
                     if (request.receive_counts[communicator->rank()] != sendCount) {
                       Fail(kHcclPara, "sendCount is {}, but recvCounts has {} for this rank, {}", sendCount,
                            request.receive_counts[communicator->rank()], communicator->rank());
                     }
                     if (!AnyOf(request.receive_counts)) return;
                     if (sendCount != 0) FOOTHOLD_HCCL_NOT_NULL(sendBuf);
                     FOOTHOLD_HCCL_NOT_NULL(recvBuf);
                     Queue(communicator, stream, api, Part(std::move(request), sendBuf, recvBuf));
                   });
}

HcclResult HcclAlltoAll(const void* sendBuf, uint64_t sendCount, HcclDataType sendType, const void* recvBuf,
                        uint64_t recvCount, HcclDataType recvType, HcclComm comm, aclrtStream stream) {
  return GuardHccl(FOOTHOLD_CALL(sendBuf, sendCount, sendType, recvBuf, recvCount, recvType, comm, stream),
                   [&, api = __func__] {
                     const auto communicator = FindCommunicator(comm);
                     FOOTHOLD_HCCL_NOT_NULL(sendBuf);
                     FOOTHOLD_HCCL_NOT_NULL(recvBuf);
                     auto request = Moving(Collective::kAllToAll, sendType, sendCount);
                     if (sendCount != recvCount || CheckedElement(recvType) != request.element) {
                       Fail(kHcclPara,
                            "{} elements of type {} are sent to each rank, but {} of type {} received",
                            sendCount, NameOf(request.element), recvCount, NameOf(CheckedElement(recvType)));
                     }
                     CheckApart(sendBuf, recvBuf);
                     const std::size_t size = communicator->size();
                     if (std::uint64_t all = 0; __builtin_mul_overflow(sendCount, size, &all))
                       Fail(kHcclPara, "sendCount {} is larger than any memory", sendCount);
                     request.send_counts.assign(size, sendCount);
                     request.send_places = RunningSums(request.send_counts);
                     request.receive_counts = request.send_counts;
                     request.receive_places = request.send_places;
                     if (sendCount != 0)
                       Queue(communicator, stream, api, Part(std::move(request), sendBuf, recvBuf));
                   });
}

HcclResult HcclAlltoAllV(const void* sendBuf, const void* sendCounts, const void* sdispls,
                         HcclDataType sendType, const void* recvBuf, const void* recvCounts,
                         const void* rdispls, HcclDataType recvType, HcclComm comm, aclrtStream stream) {
  return GuardHccl(FOOTHOLD_CALL(sendBuf, sendCounts, sdispls, sendType, recvBuf, recvCounts, rdispls,
                                 recvType, comm, stream),
                   [&, api = __func__] {
                     const auto communicator = FindCommunicator(comm);
                     auto request = Moving(Collective::kAllToAll, sendType, 0);
                     request.received = CheckedElement(recvType);
                     request.send_counts = CheckedCounts(sendCounts, "sendCounts", communicator->size());
                     request.send_places = CheckedCounts(sdispls, "sdispls", communicator->size());
                     request.receive_counts = CheckedCounts(recvCounts, "recvCounts", communicator->size());
                     request.receive_places = CheckedCounts(rdispls, "rdispls", communicator->size());
                     const bool sends = AnyOf(request.send_counts), receives = AnyOf(request.receive_counts);
                     if (sends) FOOTHOLD_HCCL_NOT_NULL(sendBuf);
                     if (receives) FOOTHOLD_HCCL_NOT_NULL(recvBuf);
                     if (sends && receives) CheckApart(sendBuf, recvBuf);
                     Queue(communicator, stream, api, Part(std::move(request), sendBuf, recvBuf));
                   });
}

HcclResult HcclAlltoAllVC(const void* sendBuf, const void* sendCountMatrix, HcclDataType sendType,
                          const void* recvBuf, HcclDataType recvType, HcclComm comm, aclrtStream stream) {
  return GuardHccl(FOOTHOLD_CALL(sendBuf, sendCountMatrix, sendType, recvBuf, recvType, comm, stream),
                   [&, api = __func__] {
                     const auto communicator = FindCommunicator(comm);
                     const std::size_t size = communicator->size();
                     auto request = Moving(Collective::kAllToAll, sendType, 0);
                     request.received = CheckedElement(recvType);
                     const auto matrix = CheckedCounts(sendCountMatrix, "sendCountMatrix", size * size);
                     for (std::size_t other = 0; other < size; ++other) {
                       request.send_counts.push_back(matrix[communicator->rank() * size + other]);
                       request.receive_counts.push_back(matrix[other * size + communicator->rank()]);
                     }
                     request.send_places = RunningSums(request.send_counts);
                     request.receive_places = RunningSums(request.receive_counts);
                     const bool sends = AnyOf(request.send_counts), receives = AnyOf(request.receive_counts);
                     if (sends) FOOTHOLD_HCCL_NOT_NULL(sendBuf);
                     if (receives) FOOTHOLD_HCCL_NOT_NULL(recvBuf);
                     if (sends && receives) CheckApart(sendBuf, recvBuf);
                     if (AnyOf(matrix))
                       Queue(communicator, stream, api, Part(std::move(request), sendBuf, recvBuf));
                   });
}

HcclResult HcclBarrier(HcclComm comm, aclrtStream stream) {
  return GuardHccl(FOOTHOLD_CALL(comm, stream), [&, api = __func__] {
    Queue(FindCommunicator(comm), stream, api, Part(Request{}, nullptr, nullptr));
  });
}
