// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Tensors in device memory as tests of operators need them: made from doubles, in any layout, between areas
// that nobody may write. `In` is read and has to stay as it is, `Out` is written, `Ref` both. Holes and
// elements of outputs hold what is NaN or -1, so that reading them shows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"

namespace nn {

using Dims = std::vector<std::int64_t>;
using Values = std::vector<double>;  // complex numbers are two in a row

enum class Layout {
  kContiguous,
  kPaddedRows,  // three elements of nothing behind every row
  kTransposed,  // the last two dimensions lie the other way round
  kOffset,      // the first element is the sixth of the memory
  kEveryOther,  // a hole behind every element
  kRepeated,    // stride 0 in the first dimension: inputs only
};

// Device memory with 4 KB in front and behind that nobody may write.
class GuardedMemory {
 public:
  explicit GuardedMemory(std::size_t bytes);
  ~GuardedMemory();
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;

  std::byte* data() const { return block_ + kGuard; }
  std::vector<std::byte> Read() const;              // without the guards
  void Write(const std::vector<std::byte>& bytes);  // the same
  // These bytes may change until the next check.
  void Open(std::size_t first, std::size_t count);
  // Fails the test if a byte changed that was not open.
  void Check();

 private:
  static constexpr std::size_t kGuard = 4096;
  std::vector<std::byte> ReadBlock() const;

  std::byte* block_ = nullptr;
  std::vector<std::byte> before_;                          // what the block held at the last check
  std::vector<std::pair<std::size_t, std::size_t>> open_;  // first byte and count
};

enum class Role { kIn, kOut, kRef };

class Tensor {
 public:
  Tensor(Role role, aclDataType type, Dims dims, Layout layout);

  // Other elements of the same memory; offset and strides in elements.
  Tensor View(Role role, Dims dims, Dims strides, std::int64_t offset) const;
  Tensor As(Role role) const { return View(role, dims_, strides_, offset_); }

  const Dims& dims() const { return dims_; }
  const Dims& strides() const { return strides_; }
  std::int64_t offset() const { return offset_; }
  aclDataType type() const { return type_; }
  std::size_t size() const;  // elements
  void* data() const { return memory_->data(); }
  void Write(const Values& values);
  Values Read() const;
  std::vector<std::byte> Memory() const { return memory_->Read(); }

  // For `aclCreateTensor`, where the plain ones will not do.
  aclFormat format = ACL_FORMAT_ND;
  Dims storage;                            // empty: one dimension up to the last element
  aclDataType seen_as = ACL_DT_UNDEFINED;  // a type of the same size that tests have no numbers of
  aclTensor* Create() const;

  // Around a run: what it may write, and whether it wrote nothing else.
  void Open() const;
  void Check() const { memory_->Check(); }

 private:
  std::vector<std::size_t> Places() const;  // byte offsets of the elements, in order

  Role role_;
  aclDataType type_;
  Dims dims_, strides_;
  std::int64_t offset_ = 0;
  std::shared_ptr<GuardedMemory> memory_;
};

// Values are rounded to the type: `Read` tells what an input really holds.
Tensor In(aclDataType type, const Dims& dims, const Values& values, Layout layout = Layout::kContiguous);
Tensor Ref(aclDataType type, const Dims& dims, const Values& values, Layout layout = Layout::kContiguous);
Tensor Out(aclDataType type, const Dims& dims, Layout layout = Layout::kContiguous);

std::size_t CountOf(const Dims& dims);
Dims ContiguousStrides(const Dims& dims);

}  // namespace nn
