// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A device with one stream, memory on it, and tensors that look at that memory.
#ifndef ACLNN_CHAT_DEVICE_H
#define ACLNN_CHAT_DEVICE_H

#include <acl/acl.h>
#include <aclnn/acl_meta.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#define CHECK(call)                                                                                    \
  do {                                                                                                 \
    const int code = (call);                                                                           \
    if (code != ACL_SUCCESS) {                                                                         \
      const char* text = aclGetRecentErrMsg();                                                         \
      std::fprintf(stderr, "%s returned %d\n%s\n", #call, code, text != nullptr ? text : "(no text)"); \
      std::exit(1);                                                                                    \
    }                                                                                                  \
  } while (false)

// An operator of aclnn is two calls: the first checks the arguments and says how much memory the work needs,
// the second puts the work into the stream. Nobody waits for it.
#define ACLNN(device, name, ...)                                                                           \
  do {                                                                                                     \
    uint64_t workspace_bytes = 0;                                                                          \
    aclOpExecutor* executor = nullptr;                                                                     \
    CHECK(aclnn##name##GetWorkspaceSize(__VA_ARGS__, &workspace_bytes, &executor));                        \
    CHECK(aclnn##name((device).Workspace(workspace_bytes), workspace_bytes, executor, (device).stream())); \
  } while (false)

// Memory of the device.
class Buffer {
 public:
  explicit Buffer(size_t bytes);
  Buffer(const void* host, size_t bytes);
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  void Upload(const void* host, size_t bytes);
  void Download(void* host, size_t bytes) const;
  void* data() const { return data_; }
  size_t bytes() const { return bytes_; }

 private:
  void* data_ = nullptr;
  size_t bytes_;
};

class Device {
 public:
  Device();
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  aclrtStream stream() const { return stream_; }
  // Operators of one stream run one after the other, so they can share a workspace.
  void* Workspace(uint64_t bytes);
  void Wait() { CHECK(aclrtSynchronizeStream(stream_)); }

 private:
  aclrtStream stream_ = nullptr;
  std::unique_ptr<Buffer> workspace_;
};

// How elements lie in memory; `first` and the strides count elements. Without strides: one after the other.
class Tensor {
 public:
  using Dims = std::vector<int64_t>;

  Tensor(const Buffer& memory, aclDataType type, const Dims& dims, int64_t first = 0, Dims strides = {});
  ~Tensor();
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;

  operator aclTensor*() const { return tensor_; }

 private:
  friend class TensorList;
  aclTensor* tensor_;
};

// A list of one tensor, which belongs to the list from then on.
class TensorList {
 public:
  explicit TensorList(Tensor& tensor);
  ~TensorList();
  TensorList(const TensorList&) = delete;
  TensorList& operator=(const TensorList&) = delete;

  operator aclTensorList*() const { return list_; }

 private:
  aclTensorList* list_;
};

#endif  // ACLNN_CHAT_DEVICE_H
