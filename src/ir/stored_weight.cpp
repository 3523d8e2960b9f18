// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ir/stored_weight.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <mutex>

#include "base/error.h"
#include "ir/weight_memory.h"

namespace foothold {
namespace {

thread_local WeightUses* current_uses = nullptr;

}  // namespace

class StoredWeight : public std::enable_shared_from_this<StoredWeight> {
 public:
  StoredWeight(SharedBytes memory, std::size_t size, std::shared_ptr<const WeightFile> file,
               std::uint64_t offset)
      : memory_(std::move(memory)), size_(size), file_(std::move(file)), offset_(offset) {}

  // For the innermost uses, else for good.
  void Load() {
    if (kept_.load(std::memory_order_acquire)) return;
    WeightUses* const uses = WeightUses::Current();
    uses == nullptr ? Keep() : uses->Add(*this);
  }

  void Keep() {
    if (kept_.load(std::memory_order_acquire)) return;
    const std::lock_guard lock(mutex_);
    ReadAgain();
    kept_.store(true, std::memory_order_release);
  }

  void BeginUse() {
    const std::lock_guard lock(mutex_);
    ReadAgain();
    ++users_;
  }

  void EndUse() {
    const std::lock_guard lock(mutex_);
    if (--users_ == 0 && !kept_.load(std::memory_order_relaxed) && file_->IsSurelyUnchanged()) Drop();
  }

 private:
  // With the lock.
  void ReadAgain() {
    if (!dropped_) return;
    if (!file_->IsSurelyUnchanged())
      Fail(kInvalidFile,
           "the model file {} was overwritten after it was read, and weights are needed from it again; read "
           "it again. Writing a new file and renaming it leaves graphs alone",
           file_->name());
    Protect(PROT_READ | PROT_WRITE);
    if (!file_->Read(offset_, memory_.get(), size_) || !file_->IsSurelyUnchanged())
      Fail(kInvalidFile, "cannot read {} bytes at {} of the model file {} again", size_, offset_,
           file_->name());
    dropped_ = false;
  }

  // Who has kept an address in spite of the contract crashes instead of computing with zeros.
  void Drop() {
    madvise(memory_.get(), size_, MADV_DONTNEED);
    Protect(PROT_NONE);
    dropped_ = true;
  }

  void Protect(int protection) {
    if (mprotect(memory_.get(), size_, protection) != 0 && protection != PROT_NONE)
      Fail(kBadAlloc, "no host memory left for {} bytes of weights", size_);
  }

  const SharedBytes memory_;
  const std::size_t size_;
  const std::shared_ptr<const WeightFile> file_;
  const std::uint64_t offset_;
  std::atomic<bool> kept_ = false;  // for good; set with the lock
  std::mutex mutex_;                // guards the two below
  int users_ = 0;
  bool dropped_ = false;
};

namespace {

// By this the bytes of a stored weight are known.
struct StoredOwner {
  std::shared_ptr<StoredWeight> weight;
  void operator()(const std::byte*) { weight.reset(); }
};

}  // namespace

TensorValue ReadWeight(TensorType type, std::size_t size, std::shared_ptr<const WeightFile> file,
                       std::uint64_t offset) {
  SharedBytes bytes = AllocateWeights(size);
  if (!file->Read(offset, bytes.get(), size))
    Fail(kInvalidFile, "cannot read {} bytes at {} of the model file {}", size, offset, file->name());
  if (!HasPagesOfItsOwn(size) || size < kSmallestStored || !file->IsSurelyUnchanged())
    return {std::move(type), std::move(bytes), size};
  std::byte* const address = bytes.get();
  auto stored = std::make_shared<StoredWeight>(std::move(bytes), size, std::move(file), offset);
  return {std::move(type), SharedBytes(address, StoredOwner{std::move(stored)}), size};
}

void LoadStored(const TensorValue& value) {
  if (const auto* owner = std::get_deleter<StoredOwner>(value.shared_data())) owner->weight->Load();
}

void KeepStored(const TensorValue& value) {
  if (const auto* owner = std::get_deleter<StoredOwner>(value.shared_data())) owner->weight->Keep();
}

WeightUses::WeightUses() : outer_(current_uses) {
  current_uses = this;
}

WeightUses::~WeightUses() {
  current_uses = outer_;
  for (const auto& weight : weights_)
    weight->EndUse();
}

WeightUses* WeightUses::Current() {
  return current_uses;
}

void WeightUses::Add(StoredWeight& weight) {
  const auto is_it = [&](const auto& one) { return one.get() == &weight; };
  if (std::any_of(weights_.begin(), weights_.end(), is_it)) return;
  weights_.push_back(weight.shared_from_this());
  try {
    weight.BeginUse();
  } catch (...) {
    weights_.pop_back();
    throw;
  }
}

}  // namespace foothold
