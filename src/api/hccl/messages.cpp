// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <vector>

#include "api/hccl/arguments.h"
#include "api/hccl/hccl_guard.h"
#include "collectives/call_group.h"
#include "collectives/push.h"
#include "hccl/hccl.h"

namespace foothold::collectives {
namespace {

CallPart Message(bool sends, void* buffer, std::uint64_t count, HcclDataType type, std::uint32_t peer,
                 const Communicator& communicator) {
  CallPart part;
  part.request.collective = sends ? Collective::kSend : Collective::kReceive;
  part.request.element = CheckedElement(type);
  part.request.count = count;
  part.peer = peer;
  (sends ? part.send : part.receive).address = buffer;
  CheckMemory(part, communicator, {"sendBuf", "recvBuf"});
  return part;
}

// Outside of a group a rank cannot send to itself: it would wait for its own next call.
void QueueMessage(bool sends, void* buffer, std::uint64_t count, HcclDataType type, std::uint32_t peer,
                  HcclComm comm, aclrtStream stream, const char* api) {
  const auto communicator = FindCommunicator(comm);
  CheckHcclPointer(buffer, sends ? "sendBuf" : "recvBuf");
  CheckRank(peer, sends ? "destRank" : "srcRank", *communicator);
  CallPart part = Message(sends, buffer, count, type, peer, *communicator);
  const StreamRef where = StreamFor(*communicator, stream);
  if (call_group::IsOpen() && count != 0)
    return call_group::AddMessage(communicator, where, api, std::move(part));
  if (peer == communicator->rank())
    Fail(kHcclPara, "rank {} is the one that calls; messages to itself go in a batch or a group", peer);
  if (count == 0) return;
  std::vector<CallPart> parts;
  parts.push_back(std::move(part));
  PushMessages(communicator, where, api, std::move(parts));
}

}  // namespace
}  // namespace foothold::collectives

using namespace foothold;
using namespace foothold::collectives;

HcclResult HcclSend(void* sendBuf, uint64_t count, HcclDataType dataType, uint32_t destRank, HcclComm comm,
                    aclrtStream stream) {
  return GuardHccl(FOOTHOLD_CALL(sendBuf, count, dataType, destRank, comm, stream), [&, api = __func__] {
    QueueMessage(true, sendBuf, count, dataType, destRank, comm, stream, api);
  });
}

HcclResult HcclRecv(void* recvBuf, uint64_t count, HcclDataType dataType, uint32_t srcRank, HcclComm comm,
                    aclrtStream stream) {
  return GuardHccl(FOOTHOLD_CALL(recvBuf, count, dataType, srcRank, comm, stream), [&, api = __func__] {
    QueueMessage(false, recvBuf, count, dataType, srcRank, comm, stream, api);
  });
}

HcclResult HcclBatchSendRecv(HcclSendRecvItem* sendRecvInfo, uint32_t itemNum, HcclComm comm,
                             aclrtStream stream) {
  return GuardHccl(FOOTHOLD_CALL(sendRecvInfo, itemNum, comm, stream), [&, api = __func__] {
    const auto communicator = FindCommunicator(comm);
    FOOTHOLD_HCCL_NOT_NULL(sendRecvInfo);
    std::vector<CallPart> parts;
    for (std::uint32_t i = 0; i < itemNum; ++i) {
      const HcclSendRecvItem& item = sendRecvInfo[i];
      if (item.sendRecvType != HCCL_SEND && item.sendRecvType != HCCL_RECV)
        Fail(kHcclPara, "item {} has sendRecvType {}, which is neither HCCL_SEND nor HCCL_RECV", i,
             static_cast<int>(item.sendRecvType));
      CheckHcclPointer(item.buf, "buf of an item");
      CheckRank(item.remoteRank, "remoteRank", *communicator);
      if (item.count == 0) continue;
      parts.push_back(Message(item.sendRecvType == HCCL_SEND, item.buf, item.count, item.dataType,
                              item.remoteRank, *communicator));
    }
    const StreamRef where = StreamFor(*communicator, stream);
    if (!parts.empty()) PushMessages(communicator, where, api, std::move(parts));
  });
}
