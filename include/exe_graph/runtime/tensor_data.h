// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The bytes of a runtime tensor and how they are shared: a manager function that knows what the address
// stands for, or none when somebody else owns the bytes.
#ifndef FOOTHOLD_EXE_GRAPH_RUNTIME_TENSOR_DATA_H_
#define FOOTHOLD_EXE_GRAPH_RUNTIME_TENSOR_DATA_H_

#include <stddef.h>
#include <stdint.h>

#include "graph/ge_error_codes.h"

namespace gert {

using TensorAddress         = void*;
using ConstTensorAddressPtr = const void*;

// ge::Placement counts the other way round.
enum TensorPlacement : int32_t {
  kOnDeviceHbm        = 0,
  kOnHost             = 1,
  kFollowing          = 2,
  kOnDeviceP2p        = 3,
  kTensorPlacementEnd = 4,
};

enum TensorOperateType : int32_t {
  kGetTensorAddress  = 0,
  kFreeTensor        = 1,
  kPlusShareCount    = 2,
  kTensorOperateType = 3,
};

// kGetTensorAddress: puts the address of the first byte into `out`; kFreeTensor: one user less;
// kPlusShareCount: one user more. `out` is null for the latter two.
using TensorAddrManager = ge::graphStatus (*)(TensorAddress addr, TensorOperateType operate_type, void** out);

class TensorPlacementUtils {
 public:
  static bool IsOnDevice(TensorPlacement placement) {
    return IsOnDeviceHbm(placement) || IsOnDeviceP2p(placement);
  }
  static bool IsOnHost(TensorPlacement placement) { return placement == kOnHost || placement == kFollowing; }
  static bool IsOnHostFollowing(TensorPlacement placement) { return placement == kFollowing; }
  static bool IsOnHostNotFollowing(TensorPlacement placement) { return placement == kOnHost; }
  static bool IsOnDeviceHbm(TensorPlacement placement) { return placement == kOnDeviceHbm; }
  static bool IsOnDeviceP2p(TensorPlacement placement) { return placement == kOnDeviceP2p; }
};

// One user of the bytes; several threads may each have their own, if the manager allows it.
class TensorData {
 public:
  explicit TensorData(TensorAddress addr = nullptr, const TensorAddrManager manager = nullptr)
      : TensorData(addr, manager, 0, kTensorPlacementEnd) {}
  explicit TensorData(TensorAddress addr, const TensorAddrManager manager, size_t size,
                      TensorPlacement placement)
      : addr_(addr), manager_(manager), size_(size), placement_(placement), reserved_word_(0), reserved_{} {}
  TensorData(const TensorData&) = delete;
  TensorData(TensorData&& other) noexcept
      : TensorData(other.addr_, other.manager_, other.size_, other.placement_) {
    other.Clear();
  }
  TensorData& operator=(const TensorData& other) = delete;
  TensorData& operator=(TensorData&& other) noexcept {
    if (this != &other) {
      (void)Free();
      addr_      = other.addr_;
      manager_   = other.manager_;
      size_      = other.size_;
      placement_ = other.placement_;
      other.Clear();
    }
    return *this;
  }
  ~TensorData() noexcept { (void)Free(); }

  TensorAddress GetAddr() const {
    if (manager_ == nullptr || addr_ == nullptr) {
      return addr_;
    }
    void* address = nullptr;
    return manager_(addr_, kGetTensorAddress, &address) == ge::GRAPH_SUCCESS ? address : nullptr;
  }
  size_t GetSize() const { return size_; }
  void SetSize(const size_t size) { size_ = size; }
  TensorPlacement GetPlacement() const { return placement_; }
  void SetPlacement(const TensorPlacement placement) { placement_ = placement; }

  // Gives up this use of the bytes; without a manager there is none to give up.
  ge::graphStatus Free() {
    if (manager_ == nullptr) {
      return ge::GRAPH_SUCCESS;
    }
    const ge::graphStatus status = manager_(addr_, kFreeTensor, nullptr);
    if (status == ge::GRAPH_SUCCESS) {
      addr_    = nullptr;
      manager_ = nullptr;
    }
    return status;
  }
  ge::graphStatus SetAddr(const ConstTensorAddressPtr addr, TensorAddrManager manager) {
    const ge::graphStatus status = Free();
    if (status == ge::GRAPH_SUCCESS) {
      addr_    = const_cast<TensorAddress>(addr);
      manager_ = manager;
    }
    return status;
  }
  bool IsSharedWith(const TensorData& other) const {
    return addr_ == other.addr_ && manager_ == other.manager_;
  }
  // Becomes another user of the bytes of `other`.
  ge::graphStatus ShareFrom(const TensorData& other) {
    if (IsSharedWith(other)) {
      size_      = other.size_;
      placement_ = other.placement_;
      return ge::GRAPH_SUCCESS;
    }
    if (other.manager_ != nullptr &&
        other.manager_(other.addr_, kPlusShareCount, nullptr) != ge::GRAPH_SUCCESS) {
      return ge::GRAPH_FAILED;
    }
    const ge::graphStatus status = SetAddr(other.addr_, other.manager_);
    size_                        = other.size_;
    placement_                   = other.placement_;
    return status;
  }
  // Hands this use of the bytes to the caller, who has to end it with `manager`; nothing is left here.
  TensorAddress Release(TensorAddrManager& manager) {
    const TensorAddress addr = addr_;
    manager                  = manager_;
    Clear();
    return addr;
  }

 private:
  void Clear() {
    addr_      = nullptr;
    manager_   = nullptr;
    size_      = 0;
    placement_ = kTensorPlacementEnd;
  }

  TensorAddress addr_;
  TensorAddrManager manager_;
  size_t size_;
  TensorPlacement placement_;
  __attribute__((unused)) uint32_t reserved_word_;
  __attribute__((unused)) uint8_t reserved_[40];
};

}  // namespace gert

#endif  // FOOTHOLD_EXE_GRAPH_RUNTIME_TENSOR_DATA_H_
