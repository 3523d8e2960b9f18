// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/hccl_results.h"

namespace foothold {
namespace {

constexpr HcclResultEntry kResults[] = {
    {1, "HCCL_E_PARA", "parameter error"},
    {2, "HCCL_E_PTR", "empty pointer"},
    {3, "HCCL_E_MEMORY", "memory error"},
    {4, "HCCL_E_INTERNAL", "internal error"},
    {5, "HCCL_E_NOT_SUPPORT", "not support feature"},
    {6, "HCCL_E_NOT_FOUND", "not found specific resource"},
    {7, "HCCL_E_UNAVAIL", "resource unavailable"},
    {8, "HCCL_E_SYSCALL", "call system interface error"},
    {9, "HCCL_E_TIMEOUT", "timeout"},
    {10, "HCCL_E_OPEN_FILE_FAILURE", "open file fail"},
    {11, "HCCL_E_TCP_CONNECT", "tcp connect fail"},
    {12, "HCCL_E_ROCE_CONNECT", "roce connect fail"},
    {13, "HCCL_E_TCP_TRANSFER", "tcp transfer fail"},
    {14, "HCCL_E_ROCE_TRANSFER", "roce transfer fail"},
    {15, "HCCL_E_RUNTIME", "call runtime api fail"},
    {16, "HCCL_E_DRV", "call driver api fail"},
    {17, "HCCL_E_PROFILING", "call profiling api fail"},
    {18, "HCCL_E_CCE", "call cce api fail"},
    {19, "HCCL_E_NETWORK", "call network api fail"},
    {20, "HCCL_E_AGAIN", "try again"},
    {21, "HCCL_E_REMOTE", "error cqe"},
    {22, "HCCL_E_SUSPENDING", "communicator is suspended"},
    {23, "HCCL_E_OPRETRY_FAIL", "repeating the operation failed"},
    {24, "HCCL_E_OOM", "out of memory"},
    {1041, "HCCL_E_IN_STATUS", "wrong status"},
};

}  // namespace

const HcclResultEntry* FindHcclResult(int number) noexcept {
  for (const HcclResultEntry& entry : kResults) {
    if (entry.number == number) return &entry;
  }
  return nullptr;
}

}  // namespace foothold
