// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <condition_variable>
#include <mutex>

#include "queue.h"

namespace bench {
namespace {

class AsioStrand final : public Queue {
 public:
  ~AsioStrand() override { pool_.join(); }
  void Enqueue(Function function, void* argument) override {
    boost::asio::post(strand_, [function, argument] { function(argument); });
  }
  void Synchronize() override {
    bool done = false;
    boost::asio::post(strand_, [&] {
      std::lock_guard<std::mutex> lock(mutex_);
      done = true;
      wake_.notify_one();
    });
    std::unique_lock<std::mutex> lock(mutex_);
    wake_.wait(lock, [&] { return done; });
  }

 private:
  boost::asio::thread_pool pool_{1};
  boost::asio::strand<boost::asio::thread_pool::executor_type> strand_{pool_.get_executor()};
  std::mutex mutex_;
  std::condition_variable wake_;
};

}  // namespace

void AddAsio(std::vector<QueueKind>& kinds) {
  kinds.push_back({"Boost.Asio strand", false, 1000000, [] { return std::make_unique<AsioStrand>(); }});
}

}  // namespace bench
