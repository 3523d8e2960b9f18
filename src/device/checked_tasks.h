// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// From tasks and calls to what the checking mode wants to know of them. Nothing happens unless the program is
// being checked. Any thread.
#pragma once

#include <initializer_list>
#include <memory>
#include <vector>

#include "check/check.h"
#include "check/host_wait.h"
#include "check/order.h"
#include "device/access.h"

namespace foothold {

class Error;
class Stream;
struct Task;

check::StreamName NameOf(const Stream& stream) noexcept;

check::Touches TouchesOf(const Task& task);
// What all streams do at this moment.
std::vector<check::StreamFacts> FactsOfStreams();

// By the stream, with the lock of its queue held; by whoever drains it.
void TellQueuedTask(const Stream& stream, const Task& task) noexcept;
// Throws if the task must not run because of what was found.
void TellTaskBegins(const Stream& stream, const Task& task);
void TellTaskFailed(const Stream& stream, const Task& task, const std::string& arguments,
                    const Error& error) noexcept;
// A task that is kept elsewhere runs now.
void TellReplayed(const Task& task) noexcept;

// A call is about to touch memory itself. Throws if it must not because of what was found.
void TellTouched(const std::vector<Access>& accesses);
inline void TellTouches(std::initializer_list<Access> accesses) {
  if (check::On()) TellTouched(accesses);
}
// The call gives a graph a tensor that is there.
void TellPort(const void* address);
// A task or a call writes memory it did not speak of before.
void TellWritten(const void* address, std::size_t bytes) noexcept;
// A task does not say what it writes.
void TellWritesUnknown() noexcept;

}  // namespace foothold
