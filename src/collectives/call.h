// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A call of the program that takes part in collectives or messages: what was asked and which memory it is
// about. It does not change and is shared by the task that was queued and by all copies of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "collectives/communicator.h"
#include "collectives/request.h"
#include "device/access.h"

namespace foothold::collectives {

// Memory of the program, as it was when the call was made; or the library's own, which stays.
struct CallMemory {
  void* address = nullptr;
  std::size_t bytes = 0;
  std::uint64_t serial = 0;
  std::byte* own = nullptr;
};

// One of several things that a task does side by side.
struct CallPart {
  Request request;
  CallMemory send;
  CallMemory receive;
  std::uint32_t peer = 0;  // of a message
  MeetingLabel label{};    // without a run where it was captured
  std::uint32_t seat = 0;
};

struct Call {
  std::shared_ptr<Communicator> communicator;
  std::vector<CallPart> parts;
  std::uint64_t bytes = 0;  // of all memory
  // Of a captured one: how often it was run.
  std::atomic<std::uint64_t> runs{0};

  std::string Describe() const;
  void ListAccesses(std::vector<Access>& list) const;
};

// Looks at the memory of a part. Throws HCCL_E_PARA where it is not memory that collectives can use. `names`
// are those of the arguments.
struct BufferNames {
  const char* send;
  const char* receive;
};
void CheckMemory(CallPart& part, const Communicator& communicator, BufferNames names);
// The same for memory of the library, of which only the size is to be known.
void TakeOwnMemory(CallPart& part, const Communicator& communicator, const std::byte* send,
                   std::byte* receive);

}  // namespace foothold::collectives
