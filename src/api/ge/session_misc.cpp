// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Methods that only the first generation of sessions has.
#include "api/ge/session_guard.h"
#include "api/status.h"
#include "base/graph_codes.h"
#include "device/memory_map.h"
#include "device/runtime.h"
#include "ge/ge_api.h"

namespace ge {
namespace {

using foothold::GuardSession;

const char* CheckFolder(const char_t* path) {
  if (path == nullptr || *path == '\0')
    foothold::Fail(foothold::kGeParamInvalid, "the path must not be empty");
  return path;
}

}  // namespace

// One device after the other; all compute the same way here.
Status Session::RunGraphDistribute(uint32_t graph_id,
                                   const std::map<int32_t, std::vector<Tensor>>& device_to_inputs,
                                   std::map<int32_t, std::vector<Tensor>>& device_to_outputs) {
  const Status devices = GuardSession("Session::RunGraphDistribute", [&] {
    if (device_to_inputs.empty())
      foothold::Fail(foothold::kGeParamInvalid, "there are inputs for no device, so there is nothing to run");
    for (const auto& [device, inputs] : device_to_inputs)
      foothold::Runtime::Get().device(device);
  });
  if (devices != SUCCESS) return devices;
  std::map<int32_t, std::vector<Tensor>> all;
  for (const auto& [device, inputs] : device_to_inputs) {
    const Status status = RunGraph(graph_id, inputs, all[device]);
    if (status != SUCCESS) return status;
  }
  device_to_outputs.swap(all);
  return SUCCESS;
}

Status Session::SaveGraphsToPb(const char_t* file_path) const {
  return GuardSession("Session::SaveGraphsToPb",
                      [&] { foothold::Made(session_)->SaveGraphs(CheckFolder(file_path)); });
}

// Addresses of a program are virtual ones: what lies behind them may move without anybody being told.
FOOTHOLD_WITHOUT_EFFECT(Session::PaRemapped);
Status Session::PaRemapped(const uint64_t va, const uint64_t, const uint64_t len) const {
  return GuardSession("Session::PaRemapped", [&] {
    foothold::CheckDeviceRange(reinterpret_cast<void*>(va), len, foothold::kGeParamInvalid, "va",
                               foothold::Use::kRead);
  });
}

}  // namespace ge
