// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Operators of aclnn in two phases: sums, views that share memory, lists, and sizes that only runs tell.
#include <cstdint>
#include <vector>

#include "aclnn/acl_meta.h"
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_cat.h"
#include "aclnnop/aclnn_copy.h"
#include "aclnnop/aclnn_nonzero.h"
#include "failure/sweep.h"

namespace {

using Dims = std::vector<std::int64_t>;

// A stream and floats on the device: 0, 1, 2 ...
class Device {
 public:
  explicit Device(Trial& trial) : trial_(trial), stream_(trial), memory_(trial, kFloats * sizeof(float)) {
    if (!memory_) return;
    std::vector<float> values(kFloats);
    for (std::size_t i = 0; i < kFloats; ++i)
      values[i] = static_cast<float>(i);
    filled_ = trial.Try("aclrtMemcpy", [&] {
      return aclrtMemcpy(memory_.get(), kBytes, values.data(), kBytes, ACL_MEMCPY_HOST_TO_DEVICE);
    });
  }

  explicit operator bool() const { return stream_ && filled_; }
  aclrtStream stream() const { return stream_.get(); }
  void* memory() const { return memory_.get(); }

  // Unless something was refused, the float there is this.
  void Expect(std::size_t index, float expected) {
    trial_.Try("aclrtSynchronizeStream", [&] { return aclrtSynchronizeStream(stream()); });
    float found = 0;
    trial_.Try("aclrtMemcpy", [&] {
      return aclrtMemcpy(&found, sizeof found, static_cast<float*>(memory()) + index, sizeof found,
                         ACL_MEMCPY_DEVICE_TO_HOST);
    });
    if (!trial_.refused()) trial_.Expect(found == expected, "wrong result");
  }

 private:
  static constexpr std::size_t kFloats = 64, kBytes = kFloats * sizeof(float);
  Trial& trial_;
  const OwnStream stream_;
  const OwnMemory memory_;
  bool filled_ = false;
};

// The objects of a sequence.
class Objects {
 public:
  explicit Objects(Trial& trial) : trial_(trial) {}
  ~Objects() {
    for (const aclTensor* tensor : tensors_)
      trial_.End("aclDestroyTensor", [&] { return aclDestroyTensor(tensor); });
    if (list_ != nullptr) trial_.End("aclDestroyTensorList", [&] { return aclDestroyTensorList(list_); });
    if (one_ != nullptr) trial_.End("aclDestroyScalar", [&] { return aclDestroyScalar(one_); });
  }
  Objects(const Objects&) = delete;
  Objects& operator=(const Objects&) = delete;

  aclTensor* Tensor(const Device& device, const Dims& dims, const Dims& strides, std::int64_t offset,
                    aclDataType type = ACL_FLOAT) {
    aclTensor* const tensor = trial_.Do([&] {
      return aclCreateTensor(dims.data(), dims.size(), type, strides.data(), offset, ACL_FORMAT_ND,
                             dims.data(), dims.size(), device.memory());
    });
    if (trial_.Got("aclCreateTensor", tensor)) tensors_.push_back(tensor);
    return tensor;
  }
  aclScalar* One() {
    float one = 1;
    one_ = trial_.Do([&] { return aclCreateScalar(&one, ACL_FLOAT); });
    trial_.Got("aclCreateScalar", one_);
    return one_;
  }
  // Of the last tensors, which belong to it from now on.
  aclTensorList* List(std::size_t count) {
    if (tensors_.size() < count) return nullptr;
    list_ =
        trial_.Do([&] { return aclCreateTensorList(&*(tensors_.end() - static_cast<long>(count)), count); });
    if (trial_.Got("aclCreateTensorList", list_)) tensors_.resize(tensors_.size() - count);
    return list_;
  }

 private:
  Trial& trial_;
  std::vector<const aclTensor*> tensors_;
  aclTensorList* list_ = nullptr;
  aclScalar* one_ = nullptr;
};

template <typename First, typename Second>
void Call(Trial& trial, const Device& device, const First& first, Second second) {
  if (trial.refused()) return;
  std::uint64_t workspace = 0;
  aclOpExecutor* executor = nullptr;
  if (trial.Try("the first phase", [&] { return first(&workspace, &executor); }))
    trial.Try("the second phase", [&] { return second(nullptr, workspace, executor, device.stream()); });
}

void Sums(Trial& trial) {
  const Program program(trial);
  if (!program.started()) return;
  Device device(trial);
  Objects objects(trial);
  if (!device) return;
  const auto* left = objects.Tensor(device, {4}, {1}, 0);
  const auto* right = objects.Tensor(device, {4}, {1}, 4);
  auto* sum = objects.Tensor(device, {4}, {1}, 8);
  const auto* one = objects.One();
  for (int i = 0; i < 2; ++i)
    Call(
        trial, device,
        [&](auto* size, auto** executor) {
          return aclnnAddGetWorkspaceSize(left, right, one, sum, size, executor);
        },
        aclnnAdd);
  device.Expect(11, 3 + 7);
}
const bool sums = Register("SumsInTwoPhases", Sums);

// Every second element, one further, on itself.
void Views(Trial& trial) {
  const Program program(trial);
  if (!program.started()) return;
  Device device(trial);
  Objects objects(trial);
  if (!device) return;
  const auto* from = objects.Tensor(device, {2, 4}, {8, 2}, 0);
  auto* to = objects.Tensor(device, {2, 4}, {8, 2}, 2);
  const auto* one = objects.One();
  Call(
      trial, device,
      [&](auto* size, auto** executor) { return aclnnInplaceCopyGetWorkspaceSize(to, from, size, executor); },
      aclnnInplaceCopy);
  Call(
      trial, device,
      [&](auto* size, auto** executor) {
        return aclnnInplaceAddGetWorkspaceSize(to, from, one, size, executor);
      },
      aclnnInplaceAdd);
  device.Expect(4, 2 + 0);
}
const bool views = Register("ViewsInTwoPhases", Views);

void Lists(Trial& trial) {
  const Program program(trial);
  if (!program.started()) return;
  Device device(trial);
  Objects objects(trial);
  if (!device) return;
  auto* whole = objects.Tensor(device, {2, 5}, {5, 1}, 16);
  objects.Tensor(device, {2, 2}, {2, 1}, 0);
  objects.Tensor(device, {2, 3}, {1, 2}, 4);
  const auto* list = objects.List(2);
  Call(
      trial, device,
      [&](auto* size, auto** executor) { return aclnnCatGetWorkspaceSize(list, 1, whole, size, executor); },
      aclnnCat);
  device.Expect(18, 4);
}
const bool lists = Register("ListsInTwoPhases", Lists);

void ToldSizes(Trial& trial) {
  const Program program(trial);
  if (!program.started()) return;
  Device device(trial);
  Objects objects(trial);
  if (!device) return;
  const auto* numbers = objects.Tensor(device, {4}, {1}, 0);
  auto* places = objects.Tensor(device, {4, 1}, {1, 1}, 8, ACL_INT64);
  Call(
      trial, device,
      [&](auto* size, auto** executor) {
        return aclnnNonzeroGetWorkspaceSize(numbers, places, size, executor);
      },
      aclnnNonzero);
  device.Expect(17, 0);  // the upper half of a 1
  if (trial.refused()) return;
  std::int64_t* dims = nullptr;
  std::uint64_t rank = 0;
  if (!trial.Try("aclGetViewShape", [&] { return aclGetViewShape(places, &dims, &rank); })) return;
  trial.Expect(rank == 2 && dims[0] == 3, "a wrong size was told");
  delete[] dims;
}
const bool told_sizes = Register("SizesToldByRuns", ToldSizes);

// Sizes that do not meet are refused; without memory to say so, for that.
void Refusals(Trial& trial) {
  const Program program(trial);
  if (!program.started()) return;
  const Device device(trial);
  Objects objects(trial);
  if (!device) return;
  const auto* left = objects.Tensor(device, {4}, {1}, 0);
  auto* sum = objects.Tensor(device, {3}, {1}, 8);
  const auto* one = objects.One();
  if (trial.refused()) return;
  std::uint64_t workspace = 0;
  aclOpExecutor* executor = nullptr;
  const int code =
      trial.Do([&] { return aclnnAddGetWorkspaceSize(left, left, one, sum, &workspace, &executor); });
  trial.Expect(code == 161002 || code == 561101, "a call that makes no sense was not refused");
}
const bool refusals = Register("RefusalsInTwoPhases", Refusals);

}  // namespace
