// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/initialization.h"

#include <algorithm>
#include <new>
#include <utility>

#include "base/error.h"
#include "base/held_locks.h"
#include "base/log.h"
#include "base/process_events.h"
#include "base/thread_id.h"
#include "device/runtime.h"
#include "device/user_code.h"

namespace foothold {
namespace {

// Before there are threads, so that no fork finds it half made.
[[maybe_unused]] const Initialization& made_at_load = Initialization::Get();

// For the log: a configuration by its file.
std::string NameOf(const std::string& path) {
  return path.empty() ? "no configuration" : fmt::format("\"{}\"", path);
}

}  // namespace

// One thread at a time initialises, finalises or registers; the others wait. A function of the program may
// call back in on the same thread, where waiting would never end.
class Initialization::Transition {
 public:
  enum class Nested { kRefused, kAllowed };

  explicit Transition(Initialization& of, Nested nested = Nested::kRefused) : of_(of) {
    std::unique_lock<std::mutex> lock(of_.mutex_);
    nested_ = of_.changing_ == SelfThread();
    if (nested_ && nested == Nested::kRefused) {
      Fail(kFailure,
           "aclInit and aclFinalize must not be called from inside a callback of aclInit or aclFinalize");
    }
    if (nested_) return;
    // Finalising waits for the functions of the program that run on streams, so they must not wait for it.
    if (of_.changing_ != 0 && InsideUserFunction())
      Fail(kFailure,
           "another thread is initialising or finalising the library and waits for this very function");
    of_.changed_.wait(lock, [this] { return of_.changing_ == 0; });
    of_.changing_ = SelfThread();
  }
  ~Transition() {
    if (nested_) return;
    std::lock_guard<std::mutex> lock(of_.mutex_);
    of_.changing_ = 0;
    of_.changed_.notify_all();
  }
  Transition(const Transition&) = delete;
  Transition& operator=(const Transition&) = delete;

  bool nested() const { return nested_; }

 private:
  Initialization& of_;
  bool nested_;
};

Initialization& Initialization::Get() {
  static Initialization* const initialization = new Initialization;
  return *initialization;
}

Initialization::Initialization() {
  static const AtFork at_fork(ForkStage::kInitialization, {LockForFork, UnlockInParent, StartAnewInChild});
}

void Initialization::LockForFork() {
  Get().mutex_.lock();
}

void Initialization::UnlockInParent() {
  Get().mutex_.unlock();
}

void Initialization::StartAnewInChild() {
  Initialization& self = Get();
  const bool in_use = self.state_ == State::kRunning || self.state_ == State::kUnasked;
  self.state_ = in_use ? State::kInherited : State::kNever;
  self.references_ = 0;
  self.changing_ = 0;
  new (&self.changed_) std::condition_variable;  // it may count waiters that do not exist here
  self.mutex_.unlock();
}

Initialization::State Initialization::state() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return state_;
}

InitConfig Initialization::config() {
  std::lock_guard<std::mutex> lock(mutex_);
  return config_;
}

bool Initialization::Initialize(const char* config_path,
                                const std::function<void(const InitConfig&)>& begin) {
  Transition transition(*this);
  if (state() == State::kRunning) {
    WarnIfDifferent(config_path);
    std::lock_guard<std::mutex> lock(mutex_);
    ++references_;
    return false;
  }
  InitConfig config = LoadInitConfig(config_path);
  {
    std::lock_guard<std::mutex> lock(mutex_);
    config_path_ = config_path == nullptr ? "" : config_path;
  }
  Start(std::move(config), begin);
  return true;
}

void Initialization::Start(InitConfig config, const std::function<void(const InitConfig&)>& begin) {
  const State before = state();
  Runtime::Get().Start(config.default_device);
  SetErrorScope(config.error_scope);
  {
    std::lock_guard<std::mutex> lock(mutex_);
    config_ = config;
    state_ = State::kRunning;
    references_ = 1;
  }
  try {
    RunInitCallbacks(config.text);
    begin(config);
  } catch (...) {
    Undo(before);
    throw;
  }
}

// What ran with defaults before goes on with them.
void Initialization::Undo(State before) {
  if (before != State::kUnasked) return End(before);
  Runtime::Get().Start(std::nullopt);
  SetErrorScope(InitConfig().error_scope);
  std::lock_guard<std::mutex> lock(mutex_);
  config_ = {};
  state_ = before;
  references_ = 0;
}

bool Initialization::EnsureStarted() {
  Runtime& runtime = Runtime::Get();
  if (runtime.started()) return false;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (state_ == State::kNever || state_ == State::kInherited) {
      state_ = State::kUnasked;
      runtime.StartAsItIs();
      return true;
    }
  }
  // Another thread has come first, or it has ended or is about to.
  if (!runtime.started()) Fail(kUninitialized, "aclFinalize was called; call aclInit again first");
  return false;
}

void Initialization::WarnIfDifferent(const char* config_path) {
  const std::string path = config_path == nullptr ? "" : config_path;
  std::string first_path;
  InitConfig first;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    first_path = config_path_;
    first = config_;
  }
  if (path == first_path) return;
  try {
    if (SameSettings(LoadInitConfig(config_path), first)) return;
    Log(LogLevel::kWarning, "repeated aclInit: {} differs from {}, which stays in force", NameOf(path),
        NameOf(first_path));
  } catch (const Error& error) {
    Log(LogLevel::kWarning, "repeated aclInit: {} is ignored, {} stays in force. It could not be read: {}",
        NameOf(path), NameOf(first_path), error.message());
  }
}

void Initialization::Finalize() {
  Transition transition(*this);
  FinalizeNow();
}

std::uint64_t Initialization::FinalizeReference() {
  Transition transition(*this);
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (state_ == State::kRunning && references_ > 1) return --references_;
  }
  FinalizeNow();
  return 0;
}

void Initialization::FinalizeNow() {
  if (EndInherited()) return;
  const int failed = RunFinalizeCallbacks();
  End(State::kEnded);
  if (failed != 0) {
    Fail(static_cast<Code>(failed), "the library was finalised, but a callback of aclFinalize answered {}",
         failed);
  }
}

// The parent's objects are copied into a forked child, and some of them finalise when they are destroyed.
bool Initialization::EndInherited() {
  const State now = state();
  if (now == State::kNever) Fail(kUninitialized, "there is nothing to finalise: aclInit was not called");
  if (now == State::kEnded) Fail(kRepeatFinalize, "aclFinalize was called already");
  if (now != State::kInherited) {
    Runtime::Get().CheckMayStop();
    return false;
  }
  std::lock_guard<std::mutex> lock(mutex_);
  state_ = State::kEnded;
  return true;
}

void Initialization::End(State after) {
  Runtime::Get().Stop();
  std::lock_guard<std::mutex> lock(mutex_);
  state_ = after;
  references_ = 0;
}

void Initialization::RequireInitialize() const {
  switch (state()) {
    case State::kRunning:
      return;
    case State::kEnded:
      Fail(kUninitialized, "aclFinalize was called; call aclInit again first");
    case State::kInherited:
      Fail(kUninitialized,
           "a forked process does not inherit the initialisation of its parent; call aclInit in it first");
    default:
      Fail(kUninitialized, "the library is not initialised; call aclInit first");
  }
}

// By position, as a callback may register more.
void Initialization::RunInitCallbacks(const std::string& text) {
  for (std::size_t i = 0;; ++i) {
    Callback<InitFunction> callback;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      if (i >= init_callbacks_.size()) return;
      callback = init_callbacks_[i];
    }
    EnterProgram("a callback of aclInit");
    if (const int code = callback.function(text.c_str(), text.size(), callback.user_data); code != 0) {
      Fail(static_cast<Code>(code), "the callback {} of aclInit answered {}; the library is not initialised",
           reinterpret_cast<void*>(callback.function), code);
    }
  }
}

// All are called, whatever the others answer. The first error number, or 0.
int Initialization::RunFinalizeCallbacks() {
  std::vector<Callback<FinalizeFunction>> callbacks;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    callbacks = finalize_callbacks_;
  }
  int first = 0;
  for (const auto& callback : callbacks) {
    int code = kFailure;
    EnterProgram("a callback of aclFinalize");
    try {
      code = callback.function(callback.user_data);
    } catch (...) {
      Log(LogLevel::kError, "a callback of aclFinalize threw: {}", CurrentError().message());
    }
    if (code == 0) continue;
    Log(LogLevel::kError, "the callback {} of aclFinalize answered {}",
        reinterpret_cast<void*>(callback.function), code);
    if (first == 0) first = code;
  }
  return first;
}

template <typename Function>
void Initialization::Put(std::vector<Callback<Function>>& callbacks, const Callback<Function>& callback) {
  std::lock_guard<std::mutex> lock(mutex_);
  for (auto& known : callbacks) {
    if (known.type == callback.type && known.function == callback.function) {
      known.user_data = callback.user_data;
      return;
    }
  }
  callbacks.push_back(callback);
}

template <typename Function>
void Initialization::Drop(std::vector<Callback<Function>>& callbacks, int type, Function function) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto gone = std::erase_if(callbacks, [&](const Callback<Function>& known) {
    return known.type == type && known.function == function;
  });
  if (gone == 0) {
    Fail(kInvalidParam, "the function {} is not registered for type {}", reinterpret_cast<void*>(function),
         type);
  }
}

void Initialization::AddCallback(int type, InitFunction function, void* user_data) {
  Transition transition(*this, Transition::Nested::kAllowed);
  Put(init_callbacks_, {type, function, user_data});
  if (transition.nested() || state() != State::kRunning) return;
  const std::string text = config().text;
  EnterProgram("a callback of aclInit");
  if (const int code = function(text.c_str(), text.size(), user_data); code != 0) {
    Drop(init_callbacks_, type, function);
    Fail(static_cast<Code>(code),
         "the callback answered {} when called with the configuration; it is not registered", code);
  }
}

void Initialization::RemoveCallback(int type, InitFunction function) {
  Drop(init_callbacks_, type, function);
}

void Initialization::AddCallback(int type, FinalizeFunction function, void* user_data) {
  Put(finalize_callbacks_, {type, function, user_data});
}

void Initialization::RemoveCallback(int type, FinalizeFunction function) {
  Drop(finalize_callbacks_, type, function);
}

}  // namespace foothold
