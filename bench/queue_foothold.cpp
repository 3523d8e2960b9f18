// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <acl/acl.h>
#include <pthread.h>

#include <atomic>
#include <future>
#include <thread>

#include "check.h"
#include "queue.h"

namespace bench {
namespace {

class HostFunctions final : public Queue {
 public:
  HostFunctions() { Check(aclrtCreateStream(&stream_)); }
  ~HostFunctions() override { aclrtDestroyStream(stream_); }
  void Enqueue(Function function, void* argument) override {
    Check(aclrtLaunchHostFunc(stream_, function, argument));
  }
  void Synchronize() override { Check(aclrtSynchronizeStream(stream_)); }

 private:
  aclrtStream stream_ = nullptr;
};

class Callbacks final : public Queue {
 public:
  explicit Callbacks(aclrtCallbackBlockType type) : type_(type), report_([this] { Report(); }) {
    Check(aclrtCreateStream(&stream_));
    thread_ = id_.get_future().get();
    Check(aclrtSubscribeReport(thread_, stream_));
  }
  ~Callbacks() override {
    aclrtUnSubscribeReport(thread_, stream_);
    stop_ = true;
    report_.join();
    aclrtDestroyStream(stream_);
  }
  void Enqueue(Function function, void* argument) override {
    Check(aclrtLaunchCallback(function, argument, type_, stream_));
  }
  void Synchronize() override { Check(aclrtSynchronizeStream(stream_)); }

 private:
  void Report() {
    id_.set_value(static_cast<std::uint64_t>(pthread_self()));
    while (!stop_) {
      aclrtProcessReport(100);
    }
  }

  const aclrtCallbackBlockType type_;
  aclrtStream stream_ = nullptr;
  std::atomic<bool> stop_{false};
  std::promise<std::uint64_t> id_;
  std::uint64_t thread_ = 0;
  std::thread report_;
};

}  // namespace

void AddFoothold(std::vector<QueueKind>& kinds) {
  kinds.push_back({"Foothold callbacks, blocking", true, 1000000,
                   [] { return std::make_unique<Callbacks>(ACL_CALLBACK_BLOCK); }});
  kinds.push_back({"Foothold callbacks, not blocking", true, 1000000,
                   [] { return std::make_unique<Callbacks>(ACL_CALLBACK_NO_BLOCK); }});
  kinds.push_back(
      {"Foothold host functions", true, 1000000, [] { return std::make_unique<HostFunctions>(); }});
}

}  // namespace bench
