// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "mpi/vpc_channel.h"

#include <utility>

#include "mpi/time_limit.h"

namespace foothold::mpi {

// Who asks for the result of an operation that was dropped, with its device, must not wait for ever.
struct VpcChannel::Undone {
  Undone(std::weak_ptr<VpcChannel> of, std::uint32_t task) : channel(std::move(of)), number(task) {}
  ~Undone() {
    if (begun) return;
    if (const auto alive = channel.lock()) alive->Drop(number);
  }
  std::shared_ptr<VpcChannel> Begin() {
    begun = true;
    return channel.lock();
  }

  const std::weak_ptr<VpcChannel> channel;
  const std::uint32_t number;
  bool begun = false;
};

media::TransformOptions ChannelColors::Options(std::uint32_t interpolation) const {
  media::TransformOptions options;
  options.interpolation =
      interpolation == 1 ? media::Interpolation::kNearest : media::Interpolation::kBilinear;
  options.matrix = static_cast<media::ColorMatrix>(matrix);
  if (coefficients) options.coefficients = &*coefficients;
  return options;
}

std::uint32_t VpcChannel::Do(const char* api, int milliseconds,
                             std::function<void(const ChannelColors&)> operation) {
  TakenPlace place = worker_.Enter(milliseconds);
  const std::uint32_t number = NewTask();
  try {
    const auto undone = std::make_shared<Undone>(weak_from_this(), number);
    worker_.Do(api, std::move(place), [undone, operation = std::move(operation)] {
      if (const auto channel = undone->Begin()) channel->Run(undone->number, operation);
    });
  } catch (...) {
    std::lock_guard<std::mutex> lock(mutex_);
    tasks_.erase(number);
    throw;
  }
  return number;
}

std::uint32_t VpcChannel::NewTask() {
  std::lock_guard<std::mutex> lock(mutex_);
  tasks_.emplace(last_ + 1, Task{});
  return ++last_;
}

void VpcChannel::Run(std::uint32_t number, const std::function<void(const ChannelColors&)>& operation) {
  std::optional<Error> failure;
  const ChannelColors colors = this->colors();
  try {
    operation(colors);
  } catch (...) {
    failure = CurrentError();
  }
  worker_.Leave();
  {
    std::lock_guard<std::mutex> lock(mutex_);
    Task& task = tasks_[number];
    task.done = true;
    task.failure = std::move(failure);
    if (tasks_.size() > 4 * Worker::kMost) tasks_.erase(tasks_.begin());  // nobody asks for it
  }
  changed_.notify_all();
}

void VpcChannel::Drop(std::uint32_t number) noexcept {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    tasks_.erase(number);
  }
  changed_.notify_all();
}

void VpcChannel::Wait(std::uint32_t number, int milliseconds) {
  std::optional<Error> failure;
  {
    std::unique_lock<std::mutex> lock(mutex_);
    if (tasks_.count(number) == 0)
      Fail(Module::kVpc, Reason::kParameter, "there is no task {}, or its result was asked for", number);
    const auto over = [&] { return closed_ || tasks_.count(number) == 0 || tasks_[number].done; };
    if (!WaitFor(changed_, lock, milliseconds, over))
      Fail(Module::kVpc, Reason::kTimeout, "task {} is not done after {} ms", number, milliseconds);
    if (tasks_.count(number) == 0 || !tasks_[number].done)
      Fail(Module::kVpc, Reason::kMissing, "the channel of task {} was destroyed, or its device reset",
           number);
    failure = std::move(tasks_[number].failure);
    tasks_.erase(number);
  }
  if (failure) throw *failure;
}

void VpcChannel::set_colors(const ChannelColors& colors) {
  std::lock_guard<std::mutex> lock(mutex_);
  colors_ = colors;
}

ChannelColors VpcChannel::colors() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return colors_;
}

void VpcChannel::Close() {
  worker_.Close();
  {
    std::lock_guard<std::mutex> lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
}

}  // namespace foothold::mpi
