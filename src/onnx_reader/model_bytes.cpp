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

#include "base/error.h"

namespace foothold::onnx {
namespace {

constexpr std::size_t kLargest = std::numeric_limits<int>::max();

class File {
 public:
  explicit File(const std::string& path)
      : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (descriptor_ < 0) Fail(kInvalidFile, "cannot open model '{}': {}", path, std::strerror(errno));
  }
  ~File() { close(descriptor_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

void CheckSize(const std::string& source, std::size_t size) {
  if (size == 0) Fail(kInvalidFile, "model {} is empty", source);
  if (size > kLargest)
    Fail(kInvalidFileSize, "model {} has {} bytes; more than 2 GiB need external data", source, size);
}

void CheckFile(const std::string& path, const File& file) {
  struct stat status {};
  if (fstat(file.descriptor(), &status) != 0)
    Fail(kInvalidFile, "cannot read model '{}': {}", path, std::strerror(errno));
  if (S_ISDIR(status.st_mode)) Fail(kInvalidFile, "model '{}' is a directory, expected an ONNX file", path);
  if (!S_ISREG(status.st_mode)) Fail(kInvalidFile, "model '{}' is no regular file", path);
  CheckSize("'" + path + "'", static_cast<std::size_t>(status.st_size));
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
  return model.ParseFromCodedStream(&coded) && coded.ConsumedEntireMessage();
}

::onnx::ModelProto ParseFile(const std::string& path) {
  const File file(path);
  CheckFile(path, file);
  char begin[64] = {};
  const ssize_t got = pread(file.descriptor(), begin, sizeof begin, 0);
  ::onnx::ModelProto model;
  google::protobuf::io::FileInputStream stream(file.descriptor());
  const bool parsed = Parse(model, stream);
  CheckParsed(model, parsed, "'" + path + "'", {begin, static_cast<std::size_t>(std::max<ssize_t>(got, 0))});
  return model;
}

}  // namespace

std::string SourceName(const ReadRequest& request) {
  return request.path.empty() ? "in memory" : "'" + request.path + "'";
}

::onnx::ModelProto ParseModel(const ReadRequest& request) {
  const google::protobuf::LogSilencer quiet;  // what is wrong is told by our own error
  if (!request.path.empty()) return ParseFile(request.path);
  CheckSize(SourceName(request), request.data == nullptr ? 0 : request.size);
  ::onnx::ModelProto model;
  google::protobuf::io::ArrayInputStream stream(request.data, static_cast<int>(request.size));
  const bool parsed = Parse(model, stream);
  CheckParsed(model, parsed, SourceName(request),
              {static_cast<const char*>(request.data), std::min<std::size_t>(request.size, 64)});
  return model;
}

}  // namespace foothold::onnx
