// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The variables of a session: tensors known by name that outlive runs and are shared by its graphs. Runs that
// write a variable exclude every other run that uses it. Any thread.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <vector>

#include "device/device_charge.h"
#include "program/variable_store.h"

namespace foothold {

class Variables final : public VariableStore {
 public:
  std::byte* Memory(const ProgramVariable& variable) override;
  // Variables made from now on count as memory of this device.
  void CountOn(int device) { device_.store(device, std::memory_order_relaxed); }

  // Copies of the values, in the order of `names`; of all variables if there are none. Throws kInvalidParam
  // for a name that does not exist and for a variable nothing was ever assigned to.
  std::vector<TensorValue> Read(std::vector<std::string> names) const;

  // What a run holds while it uses variables: shared where it only reads, taken in the order of names. One
  // that is named twice is taken once.
  class Lock {
   public:
    Lock(Variables& variables, const std::vector<ProgramVariable>& used);

   private:
    std::vector<std::unique_lock<std::shared_mutex>> written_;
    std::vector<std::shared_lock<std::shared_mutex>> read_;
  };

  // To be called after a run that wrote these.
  void NoteWritten(const std::vector<ProgramVariable>& used);

 private:
  struct Variable {
    DeviceCharge charge;
    TensorValue value;
    std::atomic<bool> assigned{false};
    mutable std::shared_mutex in_use;
  };
  Variable& FindOrMake(const ProgramVariable& variable);

  std::atomic<int> device_{-1};
  mutable std::mutex mutex_;  // guards the map, not the values
  std::map<std::string, std::unique_ptr<Variable>> variables_;
};

}  // namespace foothold
