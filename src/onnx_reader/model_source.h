// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Where the bytes of a model are: a file or memory of the program. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>

#include "ir/weight_file.h"

namespace foothold::onnx {

struct ModelSource {
  std::shared_ptr<const WeightFile> file;  // null: in memory
  const std::byte* data = nullptr;
  std::uint64_t size = 0;
  std::string name;  // how messages name it

  // False if the bytes are not there any more. They lie within the size.
  bool Read(std::uint64_t offset, void* to, std::size_t bytes) const {
    if (file) return file->Read(offset, static_cast<std::byte*>(to), bytes);
    std::memcpy(to, data + offset, bytes);
    return true;
  }
};

}  // namespace foothold::onnx
