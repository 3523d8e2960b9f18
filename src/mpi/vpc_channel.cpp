// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "mpi/vpc_channel.h"

#include "mpi/time_limit.h"

namespace foothold::mpi {

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
  if (!worker_.Enter(milliseconds))
    Fail(Module::kVpc, Reason::kFull, "{} operations of the channel wait already", Worker::kMost);
  const std::uint32_t number = NewTask();
  try {
    worker_.Do(api, [channel = weak_from_this(), number, operation = std::move(operation)] {
      if (const auto alive = channel.lock()) alive->Run(number, operation);
    });
  } catch (...) {
    std::lock_guard<std::mutex> lock(mutex_);
    tasks_.erase(number);
    throw;
  }
  return number;
}

std::uint32_t VpcChannel::NewTask() {
  try {
    std::lock_guard<std::mutex> lock(mutex_);
    tasks_.emplace(last_ + 1, Task{});
    return ++last_;
  } catch (...) {
    worker_.Leave();
    throw;
  }
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
      Fail(Module::kVpc, Reason::kMissing, "the channel of task {} was destroyed", number);
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
