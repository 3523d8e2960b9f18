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
#include <string>
#include <vector>

#include "device/device_charge.h"
#include "program/variable_store.h"

namespace foothold {

class Variables final : public VariableStore {
  struct Variable;
  struct Holder;
  struct Waiting;
  struct UsesOfAll;

 public:
  Variables();
  ~Variables() override;

  std::byte* Memory(const ProgramVariable& variable) override;
  // Variables made from now on count as memory of this device.
  void CountOn(int device) { device_.store(device, std::memory_order_relaxed); }

  // Copies of the values, in the order of `names`; of all variables if there are none. Throws kInvalidParam
  // for a name that does not exist and for a variable nothing was ever assigned to.
  std::vector<TensorValue> Read(std::vector<std::string> names) const;

  // What a run has while it uses variables: those it writes for itself, the others along with other readers.
  // Waits until it can have all of them at once. Throws kInvalidParam where that would never end, since
  // whoever has one of them is the run whose function this thread is in, or waits for that. No lock:
  // functions of the program may be called while it lives, and read what the run has.
  class Use {
   public:
    Use(Variables& variables, const std::vector<ProgramVariable>& used);
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    friend class Variables;
    struct Wanted {
      Variable* variable;
      const std::string* name;
      bool written;
    };
    Use() = default;
    void Want(Variable& variable, const std::string& name, bool written);
    void Take();

    std::vector<Wanted> wanted_;
  };

  // To be called after a run that wrote these.
  void NoteWritten(const std::vector<ProgramVariable>& used);

 private:
  Variable& FindOrMake(const ProgramVariable& variable);

  std::atomic<int> device_{-1};
  mutable std::mutex mutex_;  // guards the map, not the values
  std::map<std::string, std::unique_ptr<Variable>> variables_;
};

}  // namespace foothold
