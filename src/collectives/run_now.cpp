// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/run_now.h"

#include <optional>
#include <utility>

#include "base/error.h"
#include "collectives/push.h"
#include "device/device.h"
#include "device/runtime.h"

namespace foothold::collectives {
namespace {

// The call is a task like every other, so that everything that brings those on brings it on. Its device stays
// in use meanwhile.
class OwnStream {
 public:
  explicit OwnStream(Device& device)
      : device_(device), context_(Used(device)), stream_(Runtime::Get().OpenHiddenStream(context_, 0)) {}
  ~OwnStream() {
    Runtime::Get().CloseHiddenStream(stream_, true);
    try {
      Runtime::Get().ResetDevice(device_.id(), false);
    } catch (const std::exception&) {  // the program reset it by force
    }
  }
  OwnStream(const OwnStream&) = delete;
  OwnStream& operator=(const OwnStream&) = delete;

  const StreamRef& get() const { return stream_; }

 private:
  static Context& Used(Device& device) {
    return device.AddUser([&]() -> Context& {
      Fail(kInvalidParam, "device {} of a communicator is not in use: aclrtSetDevice comes first",
           device.id());
    });
  }

  Device& device_;
  Context& context_;
  const StreamRef stream_;
};

bool IsWorker() {
  const Runner* const runner = Runner::Current();
  return runner != nullptr && runner->role == Runner::Role::kWorker;
}

void Wait(Stream& stream) {
  std::optional<Executor::UserCode> replaced;
  if (IsWorker()) replaced.emplace();
  const Runner::Hidden promised_to_nobody;
  stream.Synchronize(kForever);
}

}  // namespace

void RunNow(const std::shared_ptr<Communicator>& communicator, const char* api, CallPart part,
            std::uint32_t tag) {
  communicator->CheckTakesCalls();
  const OwnStream stream(communicator->device());
  PushRun(communicator, stream.get(), api, std::move(part), tag);
  Wait(*stream.get().stream);
}

}  // namespace foothold::collectives
