// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The one pool of threads for parallel loops in the whole process. The caller works too, so a loop never
// waits for a thread to appear: with nobody free it simply runs alone. Threads are started when first wanted,
// spin for a short while after a loop and then sleep. FOOTHOLD_THREADS limits callers and helpers together;
// the default is what the process may use. A forked child starts with no helpers. Any thread may call,
// several at a time.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

namespace foothold {

namespace thread_pool_detail {
using Chunk = void (*)(void* body, std::size_t begin, std::size_t end);
void Run(std::size_t count, std::size_t grain, Chunk chunk, void* body);
}  // namespace thread_pool_detail

// How many threads a loop can have, the caller included.
int ParallelThreads();

// While it lives, loops of this thread have at most so many threads, the caller included.
class CoreLimit {
 public:
  explicit CoreLimit(int most) noexcept;
  ~CoreLimit();
  CoreLimit(const CoreLimit&) = delete;
  CoreLimit& operator=(const CoreLimit&) = delete;

 private:
  const int outer_;
};

// Calls body(begin, end) for pieces that together cover [0, count) exactly once, each at most `grain` long
// (the last may be shorter), in no particular order and on several threads at a time. Returns when all are
// done. The first exception is rethrown here after the pieces that have begun are done; the others are not
// begun. A loop inside a loop runs on its caller alone.
//
// Choose `grain` so that a piece takes at least some microseconds: waking a sleeping helper costs that much.
template <typename Body>
void ParallelFor(std::size_t count, std::size_t grain, Body&& body) {
  using Plain = std::remove_reference_t<Body>;
  if (count <= grain) {
    if (count > 0) body(std::size_t{0}, count);
    return;
  }
  thread_pool_detail::Run(
      count, grain,
      [](void* pointer, std::size_t begin, std::size_t end) { (*static_cast<Plain*>(pointer))(begin, end); },
      const_cast<void*>(static_cast<const void*>(std::addressof(body))));
}

}  // namespace foothold
