// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "session/engine.h"

#include "base/error.h"
#include "base/log.h"
#include "device/user_code.h"
#include "session/session.h"

namespace foothold {

bool Engine::Initialize(const OptionMap& options) {
  if (is_initialized()) return false;
  CheckOptions(options);
  std::lock_guard<std::mutex> lock(mutex_);
  options_ = Options(options);
  return !initialized_.exchange(true);
}

bool Engine::Finalize() {
  if (!initialized_.exchange(false)) return false;
  std::vector<std::weak_ptr<Session>> sessions;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    sessions = std::move(sessions_);
    sessions_.clear();
    for (const auto& session : sessions)
      if (!session.expired()) sessions_.push_back(session);
  }
  for (const auto& weak : sessions)
    if (const auto session = weak.lock()) session->WaitForRuns();
  if (!InsideGraph::OfAny() && !InsideUserFunction()) WaitForEnding();
  return true;
}

void Engine::WaitForEnding() {
  std::vector<std::thread> ending;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    ending.swap(ending_);
  }
  for (std::thread& thread : ending)
    thread.join();
  MemoryPool::GiveBackAll();
}

bool Engine::EndLater(std::function<void()> end) {
  std::lock_guard<std::mutex> lock(mutex_);
  try {
    ending_.emplace_back([end = std::move(end)] {
      const MemoryPool::Later not_here;
      end();
    });
    return true;
  } catch (...) {  // no thread, or no memory to remember it
    Log(LogLevel::kError, "no thread could be started to end a session or a graph: {}",
        CurrentError().message());
    return false;
  }
}

void Engine::LeaveAlone(Session* session) {
  std::lock_guard<std::mutex> lock(mutex_);
  left_alone_.push_back(session);
}

Options Engine::options() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return options_;
}

void Engine::Add(const std::shared_ptr<Session>& session) {
  std::lock_guard<std::mutex> lock(mutex_);
  std::erase_if(sessions_, [](const std::weak_ptr<Session>& weak) { return weak.expired(); });
  sessions_.push_back(session);
}

}  // namespace foothold
