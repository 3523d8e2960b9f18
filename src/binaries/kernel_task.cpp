// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "binaries/kernel_task.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <optional>
#include <thread>

#include "base/clock.h"
#include "base/crash_watch.h"
#include "base/held_locks.h"
#include "base/spin.h"
#include "base/thread_end.h"
#include "base/thread_pool.h"
#include "device/memory/hidden_addresses.h"
#include "device/memory_map.h"
#include "device/observer.h"
#include "device/stream.h"
#include "device/user_code.h"
#include "trace/trace.h"

namespace foothold {
namespace {

// Below this, telling another thread costs more than it helps.
constexpr Nanoseconds kBrief = 5 * kMicrosecond;
constexpr std::size_t kPiecesPerThread = 8;

// One run of a launch, on the stack of the thread that drains the stream.
class BlockRun {
 public:
  BlockRun(const KernelLaunch& launch, Stream& stream, const void* arguments, std::size_t size)
      : launch_(launch),
        function_(*launch.function),
        stream_(stream),
        arguments_(arguments),
        size_(size),
        task_(static_cast<std::uint32_t>(stream.done())) {}

  void Run() {
    const InsideUserCode inside(stream_, Holds::kStream);
    const std::uint32_t blocks = launch_.settings.blocks;
    const Nanoseconds begin = Now();
    std::uint32_t done = 0;
    Nanoseconds spent = 0;
    if (function_.is_brief()) {
      done = RunWhileBrief(begin);
      spent = Now() - begin;
    }
    if (done < blocks) {
      RunOnAllCores(done);
      spent += time_of_pieces_.load(std::memory_order_relaxed);
    }
    function_.Note(spent < kBrief);
    ThrowIfFailed();
  }

 private:
  // Answers how many blocks are done: all, or as many as until it was clear that they take long.
  std::uint32_t RunWhileBrief(Nanoseconds begin) {
    std::uint32_t next = 0;
    while (next < launch_.settings.blocks && (next == 0 || Now() - begin < kBrief) && !failed_.load()) {
      // Not asked for the time after each of many tiny blocks.
      const std::uint32_t end = std::min(launch_.settings.blocks, next + std::max(next, 2u));
      RunPiece(next, end);
      next = end;
    }
    return next;
  }

  void RunOnAllCores(std::uint32_t first) {
    const std::size_t rest = launch_.settings.blocks - first;
    const std::size_t pieces = kPiecesPerThread * static_cast<std::size_t>(ParallelThreads());
    const std::thread::id drainer = std::this_thread::get_id();
    ParallelFor(rest, std::max<std::size_t>(1, rest / pieces), [&](std::size_t begin, std::size_t end) {
      std::optional<InsideUserCode> inside;
      if (std::this_thread::get_id() != drainer) inside.emplace(stream_, Holds::kNothing);
      const Nanoseconds start = Now();
      RunPiece(static_cast<std::uint32_t>(first + begin), static_cast<std::uint32_t>(first + end));
      time_of_pieces_.fetch_add(Now() - start, std::memory_order_relaxed);
    });
  }

  void RunPiece(std::uint32_t begin, std::uint32_t end) {
    const LaunchSettings& settings = launch_.settings;
    std::unique_ptr<std::byte[]> local;
    if (settings.local_bytes != 0) local = std::make_unique_for_overwrite<std::byte[]>(settings.local_bytes);
    KernelBlock block{sizeof block, 0,   settings.blocks, size_, local.get(), settings.local_bytes,
                      &FailBlock,   this};
    CrashNote note{"kernel",
                   function_.name().c_str(),
                   function_.binary().name().c_str(),
                   launch_.api,
                   task_,
                   stream_.id(),
                   stream_.device(),
                   settings.blocks};
    const CrashScope scope(note);
    EnterProgram("a kernel");
    for (std::uint32_t i = begin; i < end && !failed_.load(std::memory_order_relaxed); ++i) {
      note.block = i;
      block.index = settings.first_block + i;
      Call(block);
    }
  }

  FOOTHOLD_HANDLES_END_OF_THREAD void Call(const KernelBlock& block) {
    try {
      function_.parts().entry(&block, arguments_);
    } catch (const std::exception& error) {
      Keep(block, "it threw an exception: ", error.what());
    } catch (const EndOfThread&) {
      throw;
    } catch (...) {
      Keep(block, "it threw an exception");
    }
  }

  static void FailBlock(const KernelBlock* block, const char* text) {
    static_cast<BlockRun*>(block->library)->Keep(*block, text == nullptr ? "it gave no reason" : text);
  }

  // The first failure is the task's. Called from code of the program, which exceptions must not enter.
  void Keep(const KernelBlock& block, std::string_view text, std::string_view more = {}) noexcept {
    std::lock_guard<SpinLock> lock(failure_lock_);
    if (failed_.exchange(true)) return;
    const bool on_cpu = function_.parts().kind == KernelFunction::Kind::kCpu;
    try {
      failure_.emplace(on_cpu ? kRtAicpuException : kRtVectorCoreException,
                       fmt::format("kernel \"{}\" of {} failed in block {} of {}: {}{}", function_.name(),
                                   function_.binary().name(), block.index, block.count, text, more));
    } catch (const std::bad_alloc&) {  // told by ThrowIfFailed
    }
  }

  void ThrowIfFailed() {
    if (!failed_.load()) return;
    if (failure_) throw Error(*failure_);
    throw std::bad_alloc();
  }

  const KernelLaunch& launch_;
  KernelFunction& function_;
  Stream& stream_;
  const void* const arguments_;
  const std::size_t size_;
  const std::uint32_t task_;
  std::atomic<Nanoseconds> time_of_pieces_{0};
  std::atomic<bool> failed_{false};
  SpinLock failure_lock_;  // guards the next one
  std::optional<Error> failure_;
};

void RecheckAccesses(const KernelLaunch& launch) {
  for (const Access& access : launch.accesses)
    RecheckRange(access.address, access.bytes, access.use, access.serial,
                 "what the kernel declares to touch");
}

void RunWith(const KernelLaunch& launch, Stream& stream, const void* arguments, std::size_t size) {
  BlockRun(launch, stream, arguments, size).Run();
}

void RunWithGiven(const KernelLaunch& launch, Stream& stream) {
  const void* const bytes =
      RecheckRange(launch.given, launch.given_size, Use::kRead, launch.given_serial, "argsData");
  if (GivenAddressesAreFollowed()) return RunWith(launch, stream, bytes, launch.given_size);
  ArgumentBlock followed(launch.given_size);
  std::memcpy(followed.data(), bytes, launch.given_size);
  FollowAddresses(followed.data(), launch.given_size);
  RunWith(launch, stream, followed.data(), launch.given_size);
}

}  // namespace

Outcome KernelTask::Run(Stream& stream) {
  // A copy of its own: what the kernel calls may end with this task dropped.
  const std::shared_ptr<const KernelLaunch> launch = launch_;
  RecheckAccesses(*launch);
  if (launch->function->parts().accesses == nullptr || launch->given != nullptr)
    if (auto* const observer = Observer()) observer->OnWritesUnknown();
  const char* const name = trace::Active() ? trace::Keep(launch->function->name()) : "";
  const trace::Scope traced(trace::Kind::kNode, name);
  if (launch->given != nullptr) {
    RunWithGiven(*launch, stream);
  } else {
    RunWith(*launch, stream, launch->block.data(), launch->block.size());
  }
  return Outcome::kDone;
}

std::string KernelTask::Describe() const {
  return fmt::format("kernel=\"{}\", binary={}, numBlocks={}, {} bytes of arguments",
                     launch_->function->name(), launch_->function->binary().name(), launch_->settings.blocks,
                     launch_->given != nullptr ? launch_->given_size : launch_->block.size());
}

void KernelTask::ListAccesses(std::vector<Access>& list) const {
  if (launch_->given != nullptr) {
    list.push_back({launch_->given, launch_->given_size, Use::kRead, Extent::kExact, launch_->given_serial});
  }
  list.insert(list.end(), launch_->accesses.begin(), launch_->accesses.end());
}

const TaskForm KernelTask::kForm{TaskKind::kKernel, nullptr, nullptr,
                                 [](const Task& task) { return task.As<KernelTask>().kernel(); }};

TaskKernel KernelTask::kernel() const {
  const auto [callback, user_data] = launch_->function->binary().exception_callback();
  const bool given = launch_->given != nullptr;
  return {launch_->function->handle.load(), given ? launch_->given : launch_->block.data(),
          given ? launch_->given_size : launch_->block.size(), callback, user_data};
}

void IgnoreKernelFailure(const KernelBlock*, const char*) noexcept {}

void FollowAddresses(std::byte* bytes, std::size_t size) {
  for (std::size_t at = 0; at + sizeof(void*) <= size; at += sizeof(void*)) {
    void* word;
    std::memcpy(&word, bytes + at, sizeof word);
    if (!MemoryMap::Get().Find(word).alive()) continue;
    word = CheckRange(word, 1, Use::kRead, "an argument").kernel;
    std::memcpy(bytes + at, &word, sizeof word);
  }
}

}  // namespace foothold
