// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "queue.h"

namespace bench {
namespace {

// What one writes first: a locked deque and a thread.
class MutexQueue final : public Queue {
 public:
  MutexQueue() : thread_([this] { Run(); }) {}
  ~MutexQueue() override {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      stop_ = true;
    }
    wake_.notify_all();
    thread_.join();
  }
  void Enqueue(Function function, void* argument) override {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      tasks_.emplace_back([function, argument] { function(argument); });
      ++queued_;
    }
    wake_.notify_one();
  }
  void Synchronize() override {
    std::unique_lock<std::mutex> lock(mutex_);
    idle_.wait(lock, [this] { return done_ == queued_; });
  }

 private:
  void Run() {
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      wake_.wait(lock, [this] { return stop_ || !tasks_.empty(); });
      if (tasks_.empty()) return;
      auto task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
      lock.lock();
      if (++done_ == queued_) idle_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable idle_;
  std::deque<std::function<void()>> tasks_;
  std::size_t queued_ = 0;
  std::size_t done_ = 0;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace

void AddMutex(std::vector<QueueKind>& kinds) {
  kinds.push_back({"mutex, condition variable, std::function", false, 1000000,
                   [] { return std::make_unique<MutexQueue>(); }});
}

}  // namespace bench
