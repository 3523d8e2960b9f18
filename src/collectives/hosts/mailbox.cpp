// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/hosts/mailbox.h"

#include <utility>

#include "base/log.h"
#include "device/stream.h"

namespace foothold::collectives {

// Precondition: the lock is held.
void Mailbox::Change() noexcept {
  changed_ = true;
  if (Stream* const stream = std::exchange(waiting_, nullptr)) stream->Wake();
}

void Mailbox::Put(Letter letter) noexcept try {
  std::lock_guard<std::mutex> lock(mutex_);
  if (closed_) return;
  letters_.push_back(std::move(letter));
  Change();
} catch (const std::bad_alloc&) {  // the task runs into its time limit
  Log(LogLevel::kError, "a message from another host is lost: no memory");
}

void Mailbox::NoteSending(std::uint32_t rank, std::size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  ++messages_[rank];
  sending_ += bytes;
}

void Mailbox::NoteSent(std::uint32_t rank, std::size_t bytes, const char* why) noexcept {
  std::lock_guard<std::mutex> lock(mutex_);
  sending_ -= bytes;
  if (const auto at = messages_.find(rank); at != messages_.end() && --at->second == 0) messages_.erase(at);
  if (why != nullptr && !broken_) broken_ = Broken{rank, why};
  Change();
}

void Mailbox::Wake() noexcept {
  std::lock_guard<std::mutex> lock(mutex_);
  Change();
}

std::vector<Letter> Mailbox::TakeAll() {
  std::lock_guard<std::mutex> lock(mutex_);
  changed_ = false;
  return std::exchange(letters_, {});
}

std::size_t Mailbox::sending() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return sending_;
}

std::vector<std::uint32_t> Mailbox::receivers() const {
  std::lock_guard<std::mutex> lock(mutex_);
  std::vector<std::uint32_t> ranks;
  for (const auto& [rank, messages] : messages_)
    ranks.push_back(rank);
  return ranks;
}

std::optional<Mailbox::Broken> Mailbox::broken() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return broken_;
}

void Mailbox::NoteBroken(std::uint32_t rank, const char* why) noexcept {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!broken_) broken_ = Broken{rank, why};
  Change();
}

bool Mailbox::is_waited_for() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return waiting_ != nullptr;
}

bool Mailbox::Sleep(Stream& stream) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (changed_) return false;
  waiting_ = &stream;
  return true;
}

void Mailbox::Close() noexcept {
  std::vector<Letter> dropped;  // after the lock is free
  std::lock_guard<std::mutex> lock(mutex_);
  closed_ = true;
  waiting_ = nullptr;
  dropped.swap(letters_);
}

}  // namespace foothold::collectives
