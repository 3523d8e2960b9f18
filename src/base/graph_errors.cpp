// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/graph_errors.h"

#include <unistd.h>

#include <deque>
#include <mutex>
#include <utility>

#include "base/error.h"
#include "base/log.h"
#include "base/process_events.h"

namespace foothold {
namespace {

class MessageList {
 public:
  void Add(std::string text) {
    texts_.push_back(std::move(text));
    if (texts_.size() <= kMaxGraphMessages) return;
    texts_.pop_front();
    ++dropped_;
  }

  std::string Take() {
    std::string joined;
    if (dropped_ > 0) joined = fmt::format("({} older messages were dropped)", dropped_);
    for (const std::string& text : texts_) {
      if (!joined.empty()) joined += '\n';
      joined += text;
    }
    texts_.clear();
    dropped_ = 0;
    return joined;
  }

 private:
  std::deque<std::string> texts_;
  std::size_t dropped_ = 0;
};

struct Messages {
  MessageList errors;
  MessageList warnings;
};

struct ProcessMessages {
  std::mutex mutex;
  Messages lists;  // guarded by mutex
};

// Never destroyed: static destructors of the program may still fail and ask.
ProcessMessages& TheProcess() {
  static ProcessMessages* const messages = new ProcessMessages;
  return *messages;
}

void LockForFork() {
  TheProcess().mutex.lock();
}
void UnlockAfterFork() {
  TheProcess().mutex.unlock();
}
const AtFork at_fork(ForkStage::kErrors, {LockForFork, UnlockAfterFork, UnlockAfterFork});

// Trivial, so that they stay readable after the thread's destructors have run.
thread_local bool is_worker = false;
thread_local Messages* thread_messages = nullptr;
thread_local bool thread_messages_gone = false;

struct ThreadMessagesOwner {
  ~ThreadMessagesOwner() {
    // The main thread's destructors run before those of static objects, which may still ask.
    if (gettid() == getpid()) return;
    delete std::exchange(thread_messages, nullptr);
    thread_messages_gone = true;
  }
};

Messages& ThisThread() {
  if (thread_messages == nullptr) {
    static thread_local ThreadMessagesOwner owner;
    static_cast<void>(&owner);
    thread_messages = new Messages;
  }
  return *thread_messages;
}

void Record(MessageList Messages::*list, LogLevel level, std::string_view code,
            std::string_view text) noexcept {
  try {
    std::string line = fmt::format("{}: {}", code, text);
    WriteLog(level, line);
    if (!is_worker && !thread_messages_gone) return (ThisThread().*list).Add(std::move(line));
    const std::lock_guard lock(TheProcess().mutex);
    (TheProcess().lists.*list).Add(std::move(line));
  } catch (...) {  // no memory for the text; the caller still gets a status
  }
}

std::string Take(MessageList Messages::*list) {
  if (thread_messages != nullptr) {
    std::string own = (thread_messages->*list).Take();
    if (!own.empty()) return own;
  }
  const std::lock_guard lock(TheProcess().mutex);
  return (TheProcess().lists.*list).Take();
}

std::string_view CodeOf(const Error& error) {
  if (error.text_code() != nullptr) return error.text_code();
  switch (error.code()) {
    case kInvalidParam:
      return "E10060";
    case kApiNotSupport:
    case kFeatureUnsupported:
      return "E10055";
    case kInvalidFile:
      return "E13001";
    case kParseFile:
      return "E13005";
    default:
      return "E19999";
  }
}

}  // namespace

void RecordGraphError(std::string_view code, std::string_view text) noexcept {
  Record(&Messages::errors, LogLevel::kError, code, text);
}

void RecordGraphWarning(std::string_view code, std::string_view text) noexcept {
  Record(&Messages::warnings, LogLevel::kWarning, code, text);
}

void ReportGraphFailure(std::string_view method, const Error& error) noexcept {
  try {
    RecordGraphError(CodeOf(error), fmt::format("{} failed: {}", method, error.message()));
  } catch (...) {
    RecordGraphError(CodeOf(error), method);
  }
}

std::string TakeGraphErrors() {
  return Take(&Messages::errors);
}

std::string TakeGraphWarnings() {
  return Take(&Messages::warnings);
}

GraphWorkerScope::GraphWorkerScope() noexcept : before_(std::exchange(is_worker, true)) {}

GraphWorkerScope::~GraphWorkerScope() {
  is_worker = before_;
}

}  // namespace foothold
