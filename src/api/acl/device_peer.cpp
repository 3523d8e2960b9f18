// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Devices share one memory, so each can reach every other. Access is still switched on and off as programs
// ask, and reported as they left it.
#include "acl/acl_rt.h"
#include "api/guard.h"
#include "api/status.h"
#include "device/current.h"
#include "device/runtime.h"

using namespace foothold;

namespace {

void CheckDifferent(int32_t device, int32_t peer) {
  if (device == peer) Fail(kRtParamInvalid, "device {} is no peer of itself", device);
}

Device& PeerOfCurrent(int32_t peer) {
  Device& device = Runtime::Get().device(peer);
  CheckDifferent(CurrentDevice().id(), peer);
  return device;
}

}  // namespace

aclError aclrtDeviceCanAccessPeer(int32_t* canAccessPeer, int32_t deviceId, int32_t peerDeviceId) {
  return Guard(FOOTHOLD_QUERY(canAccessPeer, deviceId, peerDeviceId), [&] {
    FOOTHOLD_NOT_NULL(canAccessPeer);
    Runtime::Get().device(deviceId);
    Runtime::Get().device(peerDeviceId);
    CheckDifferent(deviceId, peerDeviceId);
    *canAccessPeer = 1;
  });
}

FOOTHOLD_WITHOUT_EFFECT(aclrtDeviceEnablePeerAccess);
aclError aclrtDeviceEnablePeerAccess(int32_t peerDeviceId, uint32_t flags) {
  return Guard(FOOTHOLD_CALL(peerDeviceId, flags), [&] {
    if (flags != 0) Fail(kRtParamInvalid, "flags is {:#x}; it is reserved and must be 0", flags);
    CurrentDevice().SetPeerAccess(PeerOfCurrent(peerDeviceId), true);
  });
}

FOOTHOLD_WITHOUT_EFFECT(aclrtDeviceDisablePeerAccess);
aclError aclrtDeviceDisablePeerAccess(int32_t peerDeviceId) {
  return Guard(FOOTHOLD_CALL(peerDeviceId),
               [&] { CurrentDevice().SetPeerAccess(PeerOfCurrent(peerDeviceId), false); });
}

aclError aclrtDevicePeerAccessStatus(int32_t deviceId, int32_t peerDeviceId, int32_t* status) {
  return Guard(FOOTHOLD_CALL(deviceId, peerDeviceId, status), [&] {
    FOOTHOLD_NOT_NULL(status);
    const Device& device = Runtime::Get().device(deviceId);
    const Device& peer = Runtime::Get().device(peerDeviceId);
    CheckDifferent(deviceId, peerDeviceId);
    *status = device.HasPeerAccess(peer);
  });
}

aclError aclrtGetDevicesTopo(uint32_t deviceId, uint32_t otherDeviceId, uint64_t* value) {
  return Guard(FOOTHOLD_CALL(deviceId, otherDeviceId, value), [&] {
    FOOTHOLD_NOT_NULL(value);
    const Device& device = Runtime::Get().device(static_cast<int>(deviceId));
    const Device& other = Runtime::Get().device(static_cast<int>(otherDeviceId));
    CheckDifferent(device.id(), other.id());
    *value = ACL_RT_DEVS_TOPOLOGY_PHB;
  });
}
