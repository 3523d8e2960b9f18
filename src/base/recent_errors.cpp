// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/recent_errors.h"

#include <unistd.h>

#include <atomic>
#include <deque>
#include <mutex>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/failure_text.h"
#include "base/log.h"
#include "base/process_events.h"

namespace foothold {
namespace {

class ErrorList {
 public:
  void Add(std::string text, Lasting lasting) {
    if (lasting == Lasting::kUntilNextFailure) {
      if (texts_.empty()) answer_ = std::move(text);
      return;
    }
    answer_.clear();
    texts_.push_front(std::move(text));
    if (texts_.size() <= kMaxRecentErrors) return;
    texts_.pop_back();
    ++dropped_;
  }

  const char* Take() {
    if (texts_.empty() && answer_.empty()) return nullptr;
    std::string joined = std::exchange(answer_, {});
    for (const std::string& text : texts_) {
      if (!joined.empty()) joined += '\n';
      joined += text;
    }
    if (dropped_ > 0) joined += fmt::format("\n({} older messages were dropped)", dropped_);
    taken_ = std::move(joined);
    texts_.clear();
    dropped_ = 0;
    return taken_.c_str();
  }

 private:
  std::deque<std::string> texts_;
  std::string answer_;  // empty unless the last failure was one of a question; then there are no texts
  std::size_t dropped_ = 0;
  std::string taken_;
};

struct ProcessErrors {
  std::mutex mutex;
  ErrorList list;  // guarded by mutex
};

// Never destroyed: static destructors of the program may still fail and ask.
ProcessErrors& TheProcessErrors();

// A thread that holds the mutex does not exist in a forked child, so the forking thread takes it across the
// fork.
void LockForFork() {
  TheProcessErrors().mutex.lock();
}
void UnlockAfterFork() {
  TheProcessErrors().mutex.unlock();
}

ProcessErrors& TheProcessErrors() {
  static ProcessErrors* const errors = new ProcessErrors;
  return *errors;
}

const AtFork at_fork(ForkStage::kErrors, {LockForFork, UnlockAfterFork, UnlockAfterFork});

std::atomic<ErrorScope> current_scope{ErrorScope::kThread};
thread_local Code last_error = kSuccess;

// The pointer and the flag are trivial and stay readable after the thread's destructors have run; the list
// behind them is only made when a call of this thread fails.
thread_local ErrorList* thread_list = nullptr;
thread_local bool thread_list_gone = false;

struct ThreadListOwner {
  ~ThreadListOwner() {
    // The main thread's destructors run before those of static objects, which may still read its texts.
    if (gettid() == getpid()) return;
    delete thread_list;
    thread_list = nullptr;
    thread_list_gone = true;
  }
};

void MakeThreadList() {
  static thread_local ThreadListOwner owner;
  static_cast<void>(&owner);
  thread_list = new ErrorList;
}

// In that scope, and on a thread so far into its end that its own list is gone.
bool UsesProcessList() {
  return current_scope == ErrorScope::kProcess || thread_list_gone;
}

}  // namespace

void SetErrorScope(ErrorScope scope) noexcept {
  current_scope = scope;
}

void AddRecentError(std::string text, Lasting lasting) {
  if (UsesProcessList()) {
    const std::lock_guard lock(TheProcessErrors().mutex);
    TheProcessErrors().list.Add(std::move(text), lasting);
    return;
  }
  if (thread_list == nullptr) MakeThreadList();
  thread_list->Add(std::move(text), lasting);
}

const char* TakeRecentErrors() {
  if (UsesProcessList()) {
    const std::lock_guard lock(TheProcessErrors().mutex);
    return TheProcessErrors().list.Take();
  }
  return thread_list == nullptr ? nullptr : thread_list->Take();
}

void SetLastError(Code code) noexcept {
  last_error = code;
}

Code PeekLastError() noexcept {
  return last_error;
}

Code TakeLastError() noexcept {
  return std::exchange(last_error, kSuccess);
}

void ReportFailure(const char* api, const std::string& arguments, const Error& error,
                   Lasting lasting) noexcept {
  if (std::string_view(api).substr(0, 5) == "aclrt") SetLastError(error.code());
  try {
    std::string text = FailureText(api, arguments, error);
    WriteLog(lasting == Lasting::kUntilRead ? LogLevel::kError : LogLevel::kInfo, text);
    AddRecentError(std::move(text), lasting);
  } catch (...) {  // no memory for the text; the caller still gets the code
  }
}

}  // namespace foothold
