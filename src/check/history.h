// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Which call of the program made an object or a block of memory, used it last and ended it. Objects are known
// by their handle, whose generation tells those apart that were at one place one after the other; blocks by
// their serial. All of the living are remembered, and the last of the others. Any thread; takes a lock of its
// own for a moment. What there is no memory for is not remembered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/handle_pool.h"
#include "check/finding.h"
#include "check/stacks.h"

namespace foothold::check {

struct ThreadState;

struct ObjectRecord {
  std::uint64_t handle = 0;
  HandleKind kind{};
  Site made, used, destroyed;
  std::uint32_t forks = 0;  // how often its process had been forked off when it was made
};

enum class BlockKind : std::uint8_t { kDevice, kPinned, kRegistered, kManaged, kImported };
const char* NameOf(BlockKind kind) noexcept;

struct BlockRecord {
  std::uint64_t serial = 0;
  std::uintptr_t base = 0;
  std::size_t size = 0;
  BlockKind kind{};
  int device = -1;
  Site made, used, freed;
  std::uint32_t forks = 0;
};

// Begins to hear of objects.
void WatchObjects() noexcept;
// The call of this thread, at `site`, was given this handle, or what looks like one.
void NoteUse(const void* handle, const Site& site, ThreadState& thread) noexcept;

// `device` is -1 for memory of the host.
void BlockMade(std::uint64_t serial, std::uintptr_t base, std::size_t size, BlockKind kind,
               int device) noexcept;
void BlockGone(std::uint64_t serial) noexcept;

std::optional<ObjectRecord> FindObject(const void* handle);
// The first of them that was destroyed, if one was.
std::optional<ObjectRecord> FindDestroyed(std::span<const void* const> handles);
std::optional<BlockRecord> FindBlock(std::uint64_t serial);
// The block that lives at the address, or else was there last.
std::optional<BlockRecord> FindBlockAt(const void* address);

// The live block that holds the address, ends so little before it, or begins so little behind it.
std::optional<BlockRecord> FindBlockNear(const void* address, std::size_t distance);

// Memory of another process was there, was closed, and nothing came after it.
bool IsClosedImport(const void* address) noexcept;

// What lives and was made by this process.
std::vector<ObjectRecord> LiveObjects();
std::vector<BlockRecord> LiveBlocks();

// Whether the program asked for it by a call that says so, so that it did not come along with something else.
bool IsPrograms(const ObjectRecord& record);
bool IsPrograms(const BlockRecord& record);

// For reports.
Object Describe(const ObjectRecord& record);
Object Describe(const BlockRecord& record);

// While it lives, this thread ends what a device or the library takes along: what it ends is remembered here.
class Teardown {
 public:
  Teardown() noexcept;
  ~Teardown();
  Teardown(const Teardown&) = delete;
  Teardown& operator=(const Teardown&) = delete;

  std::vector<ObjectRecord> objects;
  std::vector<BlockRecord> blocks;

 private:
  Teardown* const outer_;
};

// How often this process has been forked off since its first ancestor.
std::uint32_t Forks() noexcept;

}  // namespace foothold::check
