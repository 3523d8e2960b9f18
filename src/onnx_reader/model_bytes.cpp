// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx_reader/model_bytes.h"

#include <fcntl.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl.h>
#include <google/protobuf/stubs/logging.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <limits>
#include <optional>

#include "base/error.h"

namespace foothold::onnx {
namespace {

constexpr std::size_t kLargest = std::numeric_limits<int>::max();

std::shared_ptr<const WeightFile> OpenModel(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) Fail(kInvalidFile, "cannot open model '{}': {}", path, std::strerror(errno));
  return std::make_shared<const WeightFile>(descriptor, "'" + path + "'");
}

void CheckSize(const std::string& source, std::size_t size) {
  if (size == 0) Fail(kInvalidFile, "model {} is empty", source);
  if (size > kLargest)
    Fail(kInvalidFileSize, "model {} has {} bytes; more than 2 GiB need external data", source, size);
}

void CheckFile(const std::string& path, const WeightFile& file) {
  const mode_t mode = file.status().st_mode;
  if (S_ISDIR(mode)) Fail(kInvalidFile, "model '{}' is a directory, expected an ONNX file", path);
  if (!S_ISREG(mode)) Fail(kInvalidFile, "model '{}' is no regular file", path);
  CheckSize(file.name(), file.size());
}

// Some formats that are given by mistake, by how they begin.
std::string Guess(std::string_view begin) {
  const auto starts = [&](std::string_view text) { return begin.substr(0, text.size()) == text; };
  if (starts("<")) return "; it looks like HTML or XML, perhaps a failed download";
  if (starts("version https://git-lfs")) return "; it is a Git LFS pointer, not the file itself";
  if (starts("PK")) return "; it looks like a zip archive, perhaps a PyTorch checkpoint";
  if (starts("{")) return "; it looks like JSON";
  return "; it is damaged, cut off, or another format";
}

void CheckParsed(const ::onnx::ModelProto& model, bool parsed, const std::string& source,
                 std::string_view begin) {
  if (!parsed) Fail(kParseFile, "model {} is not an ONNX model{}", source, Guess(begin));
  if (!model.has_graph()) {
    throw Error(kParseFile, fmt::format("model {} has no graph{}", source, Guess(begin)), "E16004");
  }
}

bool Parse(::onnx::ModelProto& model, google::protobuf::io::ZeroCopyInputStream& stream) {
  google::protobuf::io::CodedInputStream coded(&stream);
  coded.SetTotalBytesLimit(std::numeric_limits<int>::max());
  coded.SetRecursionLimit(2 * 3 * kMaxDepth);  // three messages a graph; what is too deep is refused by name
  return model.ParseFromCodedStream(&coded) && coded.ConsumedEntireMessage();
}

bool ParseWhole(::onnx::ModelProto& model, const ModelSource& source) {
  if (source.file) {
    google::protobuf::io::FileInputStream stream(source.file->descriptor());
    return lseek(source.file->descriptor(), 0, SEEK_SET) == 0 && Parse(model, stream);
  }
  google::protobuf::io::ArrayInputStream stream(source.data, static_cast<int>(source.size));
  return Parse(model, stream);
}

bool ParseWithoutWeights(ParsedModel& model) {
  std::optional<CutModel> cut = CutWeights(model.source);
  if (!cut) return false;
  google::protobuf::io::ArrayInputStream stream(cut->bytes.data(), static_cast<int>(cut->bytes.size()));
  if (!Parse(model.message, stream)) return false;
  model.weights = std::move(cut->weights);
  return true;
}

ModelSource SourceOf(const ReadRequest& request) {
  const std::string name = SourceName(request);
  if (request.path.empty()) {
    CheckSize(name, request.data == nullptr ? 0 : request.size);
    return {nullptr, static_cast<const std::byte*>(request.data), request.size, name};
  }
  std::shared_ptr<const WeightFile> file = OpenModel(request.path);
  CheckFile(request.path, *file);
  const std::uint64_t size = file->size();
  return {std::move(file), nullptr, size, name};
}

}  // namespace

std::string SourceName(const ReadRequest& request) {
  return request.path.empty() ? "in memory" : "'" + request.path + "'";
}

ParsedModel ParseModel(const ReadRequest& request) {
  const google::protobuf::LogSilencer quiet;  // what is wrong is told by our own error
  ParsedModel model;
  model.source = SourceOf(request);
  if (ParseWithoutWeights(model)) {
    CheckParsed(model.message, true, model.source.name, {});
    return model;
  }
  char begin[64] = {};
  const std::size_t length = std::min<std::uint64_t>(model.source.size, sizeof begin);
  (void)model.source.Read(0, begin, length);
  model.message.Clear();
  const bool parsed = ParseWhole(model.message, model.source);
  CheckParsed(model.message, parsed, model.source.name, {begin, length});
  return model;
}

}  // namespace foothold::onnx
