// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Memory that messages between hosts come from and go to. It is never memory of the program: a message that
// nobody waits for any more, because its task was dropped or a rank died, may still be under way, and must
// not find memory that somebody else has by now. Any thread.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace foothold::collectives {

class Block {
 public:
  explicit Block(std::size_t bytes) : bytes_(bytes), memory_(new std::byte[bytes]) {}

  std::byte* data() const { return memory_.get(); }
  std::size_t bytes() const { return bytes_; }

 private:
  const std::size_t bytes_;
  const std::unique_ptr<std::byte[]> memory_;
};

using BlockRef = std::shared_ptr<Block>;

// At least so many bytes. Blocks of large messages are kept for the next ones, up to a limit.
BlockRef TakeBlock(std::size_t bytes);
BlockRef BlockOf(std::span<const std::byte> bytes);

}  // namespace foothold::collectives
