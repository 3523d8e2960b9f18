// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Carries messages between processes of several hosts: UCX, which is loaded when the first communicator
// leaves its host. One for the process, with one thread that keeps things moving; nobody else has to wait
// here. Only ucx_engine.cpp knows UCX. Any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "collectives/hosts/block.h"
#include "collectives/hosts/packet.h"

namespace foothold::collectives {

class Engine;

// A message that came. Large ones are still at the sender until they are fetched.
class Letter {
 public:
  Letter(const PacketHead& head, BlockRef block, std::size_t bytes)
      : head_(head), block_(std::move(block)), bytes_(bytes) {}
  Letter(const PacketHead& head, Engine& engine, void* at_sender, std::size_t bytes)
      : head_(head), bytes_(bytes), engine_(&engine), at_sender_(at_sender) {}
  Letter(Letter&& other) noexcept;
  Letter& operator=(Letter&&) = delete;
  ~Letter();  // one that was not fetched is let go of, and its sender is told

  const PacketHead& head() const { return head_; }
  bool is_here() const { return at_sender_ == nullptr; }
  std::size_t bytes() const { return bytes_; }
  std::span<const std::byte> content() const { return {block_->data(), bytes_}; }
  const BlockRef& block() const { return block_; }
  // The engine has it from now on.
  void* Release() { return std::exchange(at_sender_, nullptr); }

 private:
  PacketHead head_;
  BlockRef block_;
  std::size_t bytes_;
  Engine* engine_ = nullptr;
  void* at_sender_ = nullptr;
};

// Who gets the messages to one rank of one communicator.
class LetterTaker {
 public:
  virtual ~LetterTaker() = default;
  // On a thread that moves messages, which must not be held up.
  virtual void Take(Letter letter) noexcept = 0;
  // On the same thread, now and then.
  virtual void Look() noexcept = 0;
};

// A process that messages can be sent to.
class RemoteProcess;

class Engine {
 public:
  using ProcessNumber = std::array<std::uint8_t, 16>;
  // On a thread that moves messages: null, or what went wrong.
  using Done = std::function<void(const char* why)>;

  // Loads UCX at the first call, which messages go through this interface, or all if that is empty. Throws
  // HCCL_E_NOT_SUPPORT with a text that says what is missing.
  static Engine& Get(const std::string& interface);
  virtual ~Engine() = default;

  // Under which others reach this process.
  virtual std::span<const std::byte> address() const = 0;
  // Asked for again, the same is given unless it was lost. Throws HCCL_E_TCP_CONNECT.
  virtual std::shared_ptr<RemoteProcess> Reach(const ProcessNumber& number,
                                               std::span<const std::byte> address) = 0;
  // The next to ask for this process gets a new connection.
  virtual void Forget(const ProcessNumber& number) noexcept = 0;

  virtual void Register(std::uint64_t group, std::uint32_t rank, std::weak_ptr<LetterTaker> taker) = 0;
  virtual void Unregister(std::uint64_t group, std::uint32_t rank) noexcept = 0;

  virtual void Send(RemoteProcess& to, const PacketHead& head, BlockRef block, std::size_t bytes,
                    Done done) = 0;
  // The bytes of a message that is still at its sender.
  virtual void Fetch(Letter letter, BlockRef into, Done done) = 0;
  virtual void Drop(void* at_sender) noexcept = 0;

  // Moves what there is to move, unless another thread does that now.
  virtual void Poll() noexcept = 0;
  // Moves until nothing moves any more.
  virtual void Drain() noexcept = 0;
};

inline Letter::Letter(Letter&& other) noexcept
    : head_(other.head_),
      block_(std::move(other.block_)),
      bytes_(other.bytes_),
      engine_(other.engine_),
      at_sender_(std::exchange(other.at_sender_, nullptr)) {}

inline Letter::~Letter() {
  if (at_sender_ != nullptr) engine_->Drop(at_sender_);
}

}  // namespace foothold::collectives
