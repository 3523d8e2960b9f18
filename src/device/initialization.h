// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Whether the program has initialised the library, with what configuration, and who wants to know: aclInit,
// aclFinalize, aclFinalizeReference and their callbacks. Never destroyed, so that static destructors may
// finalise. Programs may use the library before or without aclInit: the first call that needs it starts it
// with defaults, and a later aclInit brings its configuration. A forked child keeps the registered callbacks
// but is not initialised; since its copies of the parent's objects may still finalise, it may do so once. Any
// thread.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "base/config.h"

namespace foothold {

class Initialization {
 public:
  // The functions of the program; they answer 0 or an error number.
  using InitFunction = int (*)(const char* config, std::size_t length, void* user_data);
  using FinalizeFunction = int (*)(void* user_data);

  static Initialization& Get();

  // True if it was done now. False if it was done before: one more reference, and a different configuration
  // is ignored with a warning. `begin` is called last; if it throws, nothing was done.
  bool Initialize(const char* config_path, const std::function<void(const InitConfig&)>& begin);
  // Ends it whatever the references; the second form takes one back and answers how many are left. Throw
  // 100001 if it never was done, 100037 if it was ended already.
  void Finalize();
  std::uint64_t FinalizeReference();

  // Starts the library with defaults unless it runs; true if that was done now. After aclFinalize only
  // Initialize starts it again: throws 100001 then.
  bool EnsureStarted();
  // Throws 100001 and explains, unless initialised by Initialize.
  void RequireInitialize() const;
  // The configuration in force, or the last one.
  InitConfig config();

  // Called by each Initialize, and now if it has been. Known under `type` and the function together;
  // registering again replaces the user data. Removing what is not registered throws 100000.
  void AddCallback(int type, InitFunction function, void* user_data);
  void RemoveCallback(int type, InitFunction function);
  // Called when the last reference goes, before devices are released.
  void AddCallback(int type, FinalizeFunction function, void* user_data);
  void RemoveCallback(int type, FinalizeFunction function);

 private:
  // kUnasked: started by a call that needed it, without aclInit.
  enum class State { kNever, kUnasked, kRunning, kEnded, kInherited };
  class Transition;

  template <typename Function>
  struct Callback {
    int type;
    Function function;
    void* user_data;
  };

  Initialization();
  static void LockForFork();
  static void UnlockInParent();
  static void StartAnewInChild();

  State state() const;
  void Start(InitConfig config, const std::function<void(const InitConfig&)>& begin);
  void Undo(State before);
  void FinalizeNow();
  void End(State after);
  bool EndInherited();
  void RunInitCallbacks(const std::string& text);
  int RunFinalizeCallbacks();
  void WarnIfDifferent(const char* config_path);
  template <typename Function>
  void Put(std::vector<Callback<Function>>& callbacks, const Callback<Function>& callback);
  template <typename Function>
  void Drop(std::vector<Callback<Function>>& callbacks, int type, Function function);

  // Guards all below. Nothing is called with it held, logging included: the forking thread takes it.
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t changing_ = 0;  // the thread that is initialising or finalising, 0 if none
  State state_ = State::kNever;
  std::uint64_t references_ = 0;
  InitConfig config_;
  std::string config_path_;
  std::vector<Callback<InitFunction>> init_callbacks_;
  std::vector<Callback<FinalizeFunction>> finalize_callbacks_;
};

}  // namespace foothold
