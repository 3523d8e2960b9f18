// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx_reader/external_data.h"

#include <charconv>
#include <filesystem>
#include <fstream>

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

bool IsBelow(const fs::path& path, const fs::path& folder) {
  const auto relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

}  // namespace

ExternalData::ExternalData(const std::string& model_path) {
  if (model_path.empty()) return;
  std::error_code error;
  const fs::path file = fs::absolute(model_path, error);
  folder_ = fs::canonical(file.parent_path(), error).string();
}

std::string ExternalData::Resolve(const std::string& tensor, const std::string& location) const {
  if (folder_.empty())
    Fail(kInvalidFile, "tensor '{}' has its data in file '{}', but a model in memory has no folder", tensor,
         location);
  const fs::path relative(location);
  if (location.empty() || relative.is_absolute())
    Fail(kInvalidFile, "tensor '{}' has its data in '{}'; expected a path relative to the model", tensor,
         location);
  std::error_code error;
  const fs::path lexical = (fs::path(folder_) / relative).lexically_normal();
  if (!IsBelow(lexical, folder_))
    Fail(kInvalidFile, "tensor '{}' has its data in '{}', which is outside the folder of the model", tensor,
         location);
  const fs::path path = fs::canonical(lexical, error);
  if (error)
    Fail(kInvalidFile, "tensor '{}' has its data in '{}', which cannot be read: {}", tensor, location,
         error.message());
  if (!IsBelow(path, folder_))
    Fail(kInvalidFile, "tensor '{}' has its data in '{}', a link that leads outside the folder of the model",
         tensor, location);
  return path.string();
}

ExternalData::Place ExternalData::Find(const ::onnx::TensorProto& tensor, std::size_t size) const {
  std::string location;
  Place place;
  std::size_t length = size;
  for (const auto& entry : tensor.external_data()) {
    if (entry.key() == "location") location = entry.value();
    if (entry.key() == "offset") place.offset = Number(tensor.name(), entry.key(), entry.value());
    if (entry.key() == "length") length = Number(tensor.name(), entry.key(), entry.value());
  }
  place.path = Resolve(tensor.name(), location);
  if (length < size)
    Fail(kParseFile, "tensor '{}' needs {} bytes, but its external data has length {}", tensor.name(), size,
         length);
  std::error_code error;
  const std::uintmax_t available = fs::is_regular_file(place.path) ? fs::file_size(place.path, error) : 0;
  if (error || place.offset > available || available - place.offset < size)
    Fail(kInvalidFile, "tensor '{}' needs {} bytes at {} of '{}', which has {}", tensor.name(), size,
         place.offset, location, available);
  return place;
}

void ExternalData::Check(const ::onnx::TensorProto& tensor, std::size_t size) const {
  Find(tensor, size);
}

void ExternalData::Read(const ::onnx::TensorProto& tensor, std::byte* to, std::size_t size) const {
  const Place place = Find(tensor, size);
  std::ifstream file(place.path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(place.offset));
  if (!file.read(reinterpret_cast<char*>(to), static_cast<std::streamsize>(size)))
    Fail(kInvalidFile, "tensor '{}': cannot read {} bytes at {} of '{}'", tensor.name(), size, place.offset,
         place.path);
}

}  // namespace foothold::onnx
