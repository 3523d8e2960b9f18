// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "foothold/dump_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/environment.h"
#include "base/error.h"
#include "dump/file_names.h"
#include "formats/npy.h"

namespace foothold::dump {
namespace {

namespace fs = std::filesystem;

std::string ReadBytes(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) Fail(kInvalidFile, "'{}' cannot be opened: {}", path.string(), std::strerror(errno));
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

bool IsNumber(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

std::string RunOf(const fs::path& path) {
  const std::string folder = path.parent_path().filename().string();
  return IsNumber(folder) ? folder : "";
}

void AddTensors(const std::vector<DumpTensor>& tensors, bool is_input, const DumpedTensor& like,
                std::vector<DumpedTensor>& to) {
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const DumpTensor& tensor = tensors[i];
    DumpedTensor one = like;
    one.is_input = is_input;
    one.index = i;
    const auto bytes = static_cast<std::size_t>(tensor.size);
    SharedBytes copy = AllocateBytes(bytes);
    if (bytes > 0) std::memcpy(copy.get(), tensor.data, bytes);
    one.value = TensorValue(tensor.type, std::move(copy), bytes);
    to.push_back(std::move(one));
  }
}

std::vector<DumpedTensor> LoadDump(const fs::path& path) {
  const std::string bytes = ReadBytes(path);
  const DumpRecord record = ReadDump(std::as_bytes(std::span(bytes.data(), bytes.size())));
  const std::string name = path.filename().string();
  DumpedTensor like{.run = RunOf(path),
                    .node = record.op_name.empty() ? name : record.op_name,
                    .type = IsNumber(name) ? "" : name.substr(0, name.find('.')),
                    .is_input = false,
                    .index = 0,
                    .order = record.time,
                    .value = {}};
  std::vector<DumpedTensor> tensors;
  AddTensors(record.inputs, true, like, tensors);
  AddTensors(record.outputs, false, like, tensors);
  return tensors;
}

// "<node>.output.0.npy"; a name without direction and number is the first output of a node.
DumpedTensor LoadNpy(const fs::path& path) {
  DumpedTensor tensor{.run = RunOf(path),
                      .node = path.stem().string(),
                      .type = "",
                      .is_input = false,
                      .index = 0,
                      .order = 0,
                      .value = ReadNpy(path.string())};
  const fs::path without_number(tensor.node);
  const std::string number = without_number.extension().string();
  const std::string direction = without_number.stem().extension().string();
  const auto index = IsNumber(number.substr(std::min<std::size_t>(number.size(), 1)))
                         ? ParseInt(std::string_view(number).substr(1))
                         : std::nullopt;
  if (!index) return tensor;
  if (direction != ".input" && direction != ".output") return tensor;
  tensor.is_input = direction == ".input";
  tensor.index = static_cast<std::size_t>(*index);
  tensor.node = without_number.stem().stem().string();
  return tensor;
}

std::vector<DumpedTensor> LoadFile(const fs::path& path) {
  if (path.extension() == ".npy") return {LoadNpy(path)};
  try {
    return LoadDump(path);
  } catch (const Error& error) {
    Fail(kParseFile, "'{}' is no dump: {}", path.string(), error.message());
  }
}

}  // namespace

std::string DumpedTensor::Key() const {
  return fmt::format("{}/{}/{}{}", run, FileNamePart(node), is_input ? "input" : "output", index);
}

std::string DumpedTensor::Describe() const {
  return fmt::format("{} {} {}", node, is_input ? "input" : "output", index);
}

std::string NpyName(const DumpedTensor& tensor) {
  return fmt::format("{}.{}.{}.npy", FileNamePart(tensor.node), tensor.is_input ? "input" : "output",
                     tensor.index);
}

std::vector<DumpedTensor> LoadTensors(const std::string& path, std::vector<std::string>* skipped) {
  if (!fs::exists(path)) Fail(kInvalidFile, "there is no file or folder '{}'", path);
  if (!fs::is_directory(path)) return LoadFile(path);
  std::vector<DumpedTensor> all;
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    if (!entry.is_regular_file()) continue;
    try {
      for (DumpedTensor& tensor : LoadFile(entry.path()))
        all.push_back(std::move(tensor));
    } catch (const Error&) {
      if (skipped != nullptr) skipped->push_back(entry.path().string());
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const DumpedTensor& a, const DumpedTensor& b) {
    return std::pair(a.order, a.Key()) < std::pair(b.order, b.Key());
  });
  return all;
}

}  // namespace foothold::dump
