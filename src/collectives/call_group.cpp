// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/call_group.h"

#include <algorithm>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/error.h"
#include "collectives/codes.h"
#include "collectives/push.h"

namespace foothold::collectives::call_group {
namespace {

struct Messages {
  std::shared_ptr<Communicator> communicator;
  StreamRef stream;
  const char* api;
  std::vector<CallPart> parts;
};

struct OpenGroup {
  int depth = 1;
  std::vector<std::function<void()>> creations;
  std::vector<std::function<void()>> calls;
  std::vector<Messages> messages;  // one for each communicator and stream
};
thread_local std::unique_ptr<OpenGroup> open;

// Calls something and keeps the first failure.
class FirstFailure {
 public:
  template <typename Body>
  void Try(Body&& body) {
    try {
      body();
    } catch (...) {
      const Error error = CurrentError();
      if (!failure_) failure_.emplace(error);
    }
  }
  void Rethrow() const {
    if (failure_) throw Error(*failure_);
  }
  bool has() const { return failure_.has_value(); }

 private:
  std::optional<Error> failure_;
};

void CreateAll(const std::vector<std::function<void()>>& creations, FirstFailure& failure) {
  std::vector<FirstFailure> results(creations.size());
  std::vector<std::thread> threads;
  failure.Try([&] { threads.reserve(creations.size()); });
  if (failure.has()) return;
  for (std::size_t i = 1; i < creations.size(); ++i) {
    failure.Try([&] {
      try {
        threads.emplace_back([&, i] { results[i].Try(creations[i]); });
      } catch (const std::system_error& error) {
        Fail(kHcclMemory, "no thread can be started to make a communicator: {}", error.what());
      }
    });
  }
  if (!creations.empty()) results[0].Try(creations[0]);
  for (std::thread& thread : threads)
    thread.join();
  for (const FirstFailure& result : results)
    failure.Try([&] { result.Rethrow(); });
}

}  // namespace

bool IsOpen() noexcept {
  return open != nullptr;
}

void Start() {
  if (open) {
    ++open->depth;
  } else {
    open = std::make_unique<OpenGroup>();
  }
}

void End() {
  if (!open) Fail(kHcclPara, "there is no group to end: HcclGroupStart was not called in this thread");
  if (--open->depth > 0) return;
  const std::unique_ptr<OpenGroup> group = std::move(open);
  FirstFailure failure;
  CreateAll(group->creations, failure);
  for (Messages& messages : group->messages)
    failure.Try([&] {
      PushMessages(messages.communicator, messages.stream, messages.api, std::move(messages.parts));
    });
  for (const auto& call : group->calls)
    failure.Try(call);
  failure.Rethrow();
}

void AddCreation(std::function<void()> create) {
  open->creations.push_back(std::move(create));
}

void AddCall(std::function<void()> call) {
  open->calls.push_back(std::move(call));
}

void AddMessage(const std::shared_ptr<Communicator>& communicator, const StreamRef& stream, const char* api,
                CallPart part) {
  auto& all = open->messages;
  auto found = std::find_if(all.begin(), all.end(), [&](const Messages& one) {
    return one.communicator == communicator && one.stream.handle == stream.handle;
  });
  if (found == all.end()) found = all.insert(all.end(), {communicator, stream, api, {}});
  found->parts.push_back(std::move(part));
}

}  // namespace foothold::collectives::call_group
