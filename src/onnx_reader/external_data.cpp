// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx_reader/external_data.h"

#include <charconv>
#include <filesystem>

#include "base/error.h"

namespace foothold::onnx {
namespace {

namespace fs = std::filesystem;

std::size_t Number(const std::string& tensor, const std::string& key, const std::string& text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    Fail(kParseFile, "tensor '{}' has external data with {} '{}', which is no number", tensor, key, text);
  return value;
}

}  // namespace

ExternalData::ExternalData(const std::string& model_path) {
  if (model_path.empty()) return;
  std::error_code error;
  const fs::path file = fs::absolute(model_path, error);
  folder_ = fs::canonical(file.parent_path(), error).string();
}

DataFile ExternalData::Open(const std::string& tensor, const std::string& location) const {
  if (folder_.empty())
    Fail(kInvalidFile, "tensor '{}' has its data in file '{}', but a model in memory has no folder", tensor,
         location);
  if (location.empty() || fs::path(location).is_absolute())
    Fail(kInvalidFile, "tensor '{}' has its data in '{}'; expected a path relative to the model", tensor,
         location);
  DataFile file = DataFile::OpenBelow(folder_, location);
  if (!file.problem().empty())
    Fail(kInvalidFile, "tensor '{}' has its data in '{}', which {}", tensor, location, file.problem());
  return file;
}

ExternalTensor ExternalData::Find(const ::onnx::TensorProto& tensor, std::size_t size) const {
  std::string location;
  std::size_t offset = 0, length = size;
  for (const auto& entry : tensor.external_data()) {
    if (entry.key() == "location") location = entry.value();
    if (entry.key() == "offset") offset = Number(tensor.name(), entry.key(), entry.value());
    if (entry.key() == "length") length = Number(tensor.name(), entry.key(), entry.value());
  }
  DataFile file = Open(tensor.name(), location);
  if (length < size)
    Fail(kParseFile, "tensor '{}' needs {} bytes, but its external data has length {}", tensor.name(), size,
         length);
  if (!file.Has(offset, size))
    Fail(kInvalidFile, "tensor '{}' needs {} bytes at {} of '{}', which has {}", tensor.name(), size, offset,
         location, file.size());
  return {std::move(file), offset, size, tensor.name(), location};
}

void ExternalTensor::Read(std::byte* to) const {
  if (!file.Read(offset, to, size))
    Fail(kInvalidFile, "tensor '{}': cannot read {} bytes at {} of '{}'", name, size, offset, location);
}

}  // namespace foothold::onnx
