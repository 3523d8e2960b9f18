// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// ge::Graph: files, buffers and text.
#include <fmt/format.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <sstream>

#include "api/ge/graph_guard.h"
#include "api/ge/graph_impl.h"
#include "formats/graph_model.h"
#include "formats/readable_text.h"

namespace ge {

class Buffer {
 public:
  std::string bytes;

  [[gnu::visibility("hidden")]] static void Fill(GraphBuffer& buffer, std::string bytes) {
    auto filled = std::make_shared<Buffer>();
    filled->bytes = std::move(bytes);
    buffer.buffer_ = std::move(filled);
  }
};

namespace {

using foothold::Fail;
using foothold::GraphModel;
using foothold::GraphOf;
using foothold::GuardGraph;
using foothold::kInvalidFile;
using foothold::kInvalidParam;

const char* CheckPath(const char* path) {
  if (path == nullptr || *path == '\0') Fail(kInvalidParam, "the name of the file is empty");
  return path;
}

std::string ReadAll(const char* path) {
  std::ifstream file(CheckPath(path), std::ios::binary);
  std::ostringstream bytes;
  errno = 0;
  if (!file || !(bytes << file.rdbuf()))
    Fail(kInvalidFile, "cannot read '{}': {}", path, errno != 0 ? std::strerror(errno) : "it has no content");
  return std::move(bytes).str();
}

std::shared_ptr<const std::string> FolderOf(const char* path) {
  return std::make_shared<const std::string>(std::filesystem::absolute(path).parent_path().string());
}

// Either the whole file is there afterwards, or what was there before.
void WriteAll(const char* path, const std::string& bytes) {
  const std::string part = std::string(CheckPath(path)) + ".part";
  errno = 0;
  std::ofstream file(part, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file || std::rename(part.c_str(), path) != 0) {
    const int error = errno;
    std::remove(part.c_str());
    throw foothold::Error(kInvalidFile, fmt::format("cannot write '{}': {}", path, std::strerror(error)),
                          "E13004");
  }
}

GraphModel ModelOf(const Graph& graph) {
  return {GraphOf(graph), GraphImpl::Of(graph)->unused_subgraphs};
}

void Load(Graph& graph, const void* data, size_t size, std::shared_ptr<const std::string> folder = nullptr) {
  GraphModel model = foothold::LoadGraphModel(data, size, nullptr, std::move(folder));
  GraphImpl& impl = GraphImpl::Ensure(graph);
  impl.graph = std::move(model.graph);
  impl.unused_subgraphs = std::move(model.unused_subgraphs);
  impl.declared_valid = true;
}

std::string TextOf(const Graph& graph, Graph::DumpFormat format) {
  switch (format) {
    case Graph::DumpFormat::kTxt:
      return foothold::GraphModelText(ModelOf(graph));
    case Graph::DumpFormat::kReadable:
      return foothold::ReadableText(*GraphOf(graph));
    case Graph::DumpFormat::kOnnx:
      Fail(foothold::kFeatureUnsupported, "graphs cannot be written as ONNX text; use kTxt or kReadable");
  }
  Fail(kInvalidParam, "{} is not a form of text", static_cast<uint32_t>(format));
}

std::string FileName(Graph::DumpFormat format, const AscendString& suffix) {
  static std::atomic<uint32_t> next{0};
  return fmt::format("ge_{}_{:08}_{}.txt", format == Graph::DumpFormat::kReadable ? "readable" : "proto",
                     next.fetch_add(1, std::memory_order_relaxed), suffix.GetString());
}

}  // namespace

GraphBuffer::GraphBuffer() = default;
GraphBuffer::~GraphBuffer() = default;

const std::uint8_t* GraphBuffer::GetData() const {
  return buffer_ == nullptr ? nullptr : reinterpret_cast<const std::uint8_t*>(buffer_->bytes.data());
}

std::size_t GraphBuffer::GetSize() const {
  return buffer_ == nullptr ? 0 : buffer_->bytes.size();
}

graphStatus Graph::SaveToFile(const char_t* file_name) const {
  return GuardGraph("Graph::SaveToFile",
                    [&] { WriteAll(file_name, foothold::SaveGraphModel(ModelOf(*this))); });
}

graphStatus Graph::LoadFromFile(const char_t* file_name) {
  return GuardGraph("Graph::LoadFromFile", [&] {
    const std::string bytes = ReadAll(file_name);
    Load(*this, bytes.data(), bytes.size(), FolderOf(file_name));
  });
}

graphStatus Graph::SaveToMem(GraphBuffer& graph_buffer) const {
  return GuardGraph("Graph::SaveToMem",
                    [&] { Buffer::Fill(graph_buffer, foothold::SaveGraphModel(ModelOf(*this))); });
}

graphStatus Graph::LoadFromMem(const GraphBuffer& graph_buffer) {
  return GuardGraph("Graph::LoadFromMem",
                    [&] { Load(*this, graph_buffer.GetData(), graph_buffer.GetSize()); });
}

graphStatus Graph::LoadFromMem(const uint8_t* data, const size_t len) {
  return GuardGraph("Graph::LoadFromMem", [&] { Load(*this, data, len); });
}

graphStatus Graph::LoadFromSerializedModelArray(const void* serialized_model, size_t size) {
  return GuardGraph("Graph::LoadFromSerializedModelArray", [&] { Load(*this, serialized_model, size); });
}

graphStatus Graph::Dump(DumpFormat format, std::ostream& o_stream) const {
  return GuardGraph("Graph::Dump", [&] {
    const std::string text = TextOf(*this, format);
    o_stream.write(text.data(), static_cast<std::streamsize>(text.size()));
    if (!o_stream) Fail(kInvalidFile, "the stream does not take the text");
  });
}

graphStatus Graph::DumpToFile(DumpFormat format, const AscendString& suffix) const {
  return GuardGraph("Graph::DumpToFile", [&] {
    const std::string text = TextOf(*this, format);
    WriteAll(FileName(format, suffix).c_str(), text);
  });
}

}  // namespace ge
