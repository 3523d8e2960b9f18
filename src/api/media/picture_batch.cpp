// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Batches of descriptions.
#include <utility>

#include "api/media/described.h"

using namespace foothold;
using namespace foothold::media;

namespace {

constexpr uint32_t kMostPictures = 256;

// Pictures that are gone when it is not reached to keep them.
class NewPictures {
 public:
  ~NewPictures() {
    for (void* picture : handles_)
      PictureDescs::Get().Remove(picture);
  }
  void Add() {
    auto picture = std::make_shared<SharedPicture>();
    picture->in_batch = true;
    handles_.reserve(handles_.size() + 1);
    handles_.push_back(PictureDescs::Get().Add(std::move(picture)));
  }
  std::vector<void*> Keep() { return std::exchange(handles_, {}); }

 private:
  std::vector<void*> handles_;
};

}  // namespace

acldvppBatchPicDesc* acldvppCreateBatchPicDesc(uint32_t batchSize) {
  return GuardValue(FOOTHOLD_CALL(batchSize), static_cast<acldvppBatchPicDesc*>(nullptr), [&] {
    if (batchSize == 0 || batchSize > kMostPictures)
      Fail(kInvalidParam, "a batch has 1 to {} pictures, not {}", kMostPictures, batchSize);
    NewPictures pictures;
    for (uint32_t i = 0; i < batchSize; ++i)
      pictures.Add();
    void* const batch = PictureBatches::Get().Add({});
    PictureBatches::Get().Find(batch).pictures = pictures.Keep();
    return static_cast<acldvppBatchPicDesc*>(batch);
  });
}

aclError acldvppDestroyBatchPicDesc(acldvppBatchPicDesc* batchPicDesc) {
  return Guard(FOOTHOLD_CALL(batchPicDesc), [&] {
    const std::vector<void*> pictures = PictureBatches::Get().Find(batchPicDesc).pictures;
    PictureBatches::Get().Remove(batchPicDesc);
    for (void* picture : pictures)
      PictureDescs::Get().Remove(picture);
  });
}

acldvppPicDesc* acldvppGetPicDesc(acldvppBatchPicDesc* batchPicDesc, uint32_t index) {
  return GuardValue(FOOTHOLD_CALL(batchPicDesc, index), static_cast<acldvppPicDesc*>(nullptr), [&] {
    const std::vector<void*>& pictures = PictureBatches::Get().Find(batchPicDesc).pictures;
    if (index >= pictures.size())
      Fail(kInvalidParam, "the batch has {} pictures; there is none with number {}", pictures.size(), index);
    return static_cast<acldvppPicDesc*>(pictures[index]);
  });
}
