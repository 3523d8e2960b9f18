// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/copy_batch.h"

#include <fmt/format.h>

#include <memory>
#include <vector>

#include "base/error.h"
#include "device/copy_task.h"
#include "device/observer.h"
#include "kernels/copy.h"

namespace foothold {
namespace {

using Copies = std::vector<CheckedCopy>;

class BatchTask {
 public:
  static constexpr bool kReplays = true;

  explicit BatchTask(Copies copies) : copies_(std::make_shared<const Copies>(std::move(copies))) {}
  Outcome Run(Stream& stream) {
    for (const CheckedCopy& copy : *copies_)
      copy.Run(stream);
    return Outcome::kDone;
  }
  void ListAccesses(std::vector<Access>& list) const {
    for (const CheckedCopy& copy : *copies_)
      copy.ListAccesses(list);
  }
  std::string Describe() const {
    return fmt::format("{} copies, the first: {}", copies_->size(), copies_->front().Describe());
  }
  Place place() const {
    std::size_t bytes = 0;
    for (const CheckedCopy& copy : *copies_)
      bytes += copy.count;
    return PlaceOfCopy(bytes);
  }

 private:
  std::shared_ptr<const Copies> copies_;
};

struct CheckedBatch {
  struct Place {
    void* dst;
    const void* src;
  };
  Copies copies;
  std::vector<Place> places;  // of the bytes, one for each copy
  bool pageable = false;
};

void CheckShape(const CopyBatch& batch) {
  if (batch.count == 0) Fail(kRtParamInvalid, "a batch must have at least one copy");
  if (batch.attribute_count == 0 || batch.attribute_count > batch.count) {
    Fail(kRtParamInvalid, "numAttrs must be between 1 and numBatches, {}; it is {}", batch.count,
         batch.attribute_count);
  }
  if (batch.attribute_indexes[0] != 0) {
    Fail(kRtParamInvalid, "attrsIndexes[0] must be 0; it is {}", batch.attribute_indexes[0]);
  }
  for (std::size_t i = 1; i < batch.attribute_count; ++i) {
    const std::size_t before = batch.attribute_indexes[i - 1];
    const std::size_t here = batch.attribute_indexes[i];
    if (here <= before || here >= batch.count) {
      Fail(kRtParamInvalid, "attrsIndexes[{}] must be more than {} and less than numBatches, {}; it is {}", i,
           before, batch.count, here);
    }
  }
}

void CheckPlace(const char* name, std::size_t item, int said, const MemoryUse& found) {
  const auto place = static_cast<BatchPlace>(said);
  if (place == (found.on_device() ? BatchPlace::kDevice : BatchPlace::kHost)) return;
  if (place == BatchPlace::kManaged && found.kind == MemoryKind::kManaged) return;
  Fail(kRtParamInvalid, "the attribute of copy {} says location type {} for {}, but that is {} memory", item,
       said, name, found.on_device() ? "device" : "host");
}

struct Direction {
  bool to_device;
  bool known = false;
};

void CheckItem(const CopyBatch& batch, std::size_t item, const BatchAttribute& attribute,
               Direction& direction, CheckedBatch& checked) {
  const std::size_t size = batch.sizes[item];
  if (size > batch.dst_maxs[item]) {
    Fail(kRtParamInvalid, "size {} of copy {} is more than its destMax {}", size, item, batch.dst_maxs[item]);
  }
  const MemoryUse dst = CheckRange(batch.dsts[item], size, Use::kWrite, "dst");
  const MemoryUse src = CheckRange(batch.srcs[item], size, Use::kRead, "src");
  CheckPlace("dst", item, attribute.dst_place, dst);
  CheckPlace("src", item, attribute.src_place, src);
  if (dst.on_device() == src.on_device()) {
    Fail(kRtParamInvalid, "copy {} must be from host to device or from device to host", item);
  }
  if (direction.known && direction.to_device != dst.on_device()) {
    Fail(kRtParamInvalid, "copy {} goes the other way than those before it", item);
  }
  direction = {dst.on_device(), true};
  checked.pageable = checked.pageable || dst.pageable() || src.pageable();
  checked.copies.push_back({batch.dsts[item], batch.srcs[item], size, dst.serial, src.serial});
  checked.places.push_back({dst.kernel, src.kernel});
}

CheckedBatch Check(const CopyBatch& batch, std::size_t* failed) {
  if (failed != nullptr) *failed = SIZE_MAX;
  CheckShape(batch);
  CheckedBatch checked;
  checked.copies.reserve(batch.count);
  checked.places.reserve(batch.count);
  Direction direction{};
  std::size_t attribute = 0;
  for (std::size_t item = 0; item < batch.count; ++item) {
    if (attribute + 1 < batch.attribute_count && batch.attribute_indexes[attribute + 1] == item) ++attribute;
    if (failed != nullptr) *failed = item;
    CheckItem(batch, item, batch.attribute(batch.attributes, attribute), direction, checked);
  }
  if (failed != nullptr) *failed = SIZE_MAX;
  return checked;
}

}  // namespace

void CopyAll(const CopyBatch& batch, std::size_t* failed) {
  const CheckedBatch checked = Check(batch, failed);
  for (const CheckedCopy& copy : checked.copies)
    TellTouches({{copy.src, copy.count, Use::kRead, Extent::kExact, copy.src_serial},
                 {copy.dst, copy.count, Use::kWrite, Extent::kExact, copy.dst_serial}});
  for (std::size_t i = 0; i < batch.count; ++i)
    CopyBytes(checked.places[i].dst, checked.places[i].src, batch.sizes[i]);
}

void PushCopyAll(const StreamRef& stream, const char* api, const CopyBatch& batch, std::size_t* failed) {
  CheckedBatch checked = Check(batch, failed);
  if (checked.pageable) {
    PushAndFinish(stream, api, BatchTask(std::move(checked.copies)));
  } else {
    stream.Push(api, BatchTask(std::move(checked.copies)));
  }
}

}  // namespace foothold
