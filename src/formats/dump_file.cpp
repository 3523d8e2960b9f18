// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "formats/dump_file.h"

#include <limits>

#include "base/error.h"
#include "formats/dump_data.pb.h"
#include "formats/type_numbers.h"

namespace foothold {
namespace {

constexpr std::size_t kLengthBytes = 8;
constexpr const char* kVersion = "1.0";
constexpr int kMaxRank = 64;

template <typename Message>
void WriteTensor(const DumpTensor& tensor, Message& message) {
  message.set_data_type(ModelTypeNumber(tensor.type.type));
  const Format format = tensor.type.format;
  const bool known = format != Format::kUndefined && IsLayout(static_cast<int>(format));
  message.set_format(static_cast<int>(known ? format : Format::kNd));
  for (const std::int64_t dim : tensor.type.dims) {
    message.mutable_shape()->add_dim(static_cast<std::uint64_t>(dim));
    message.mutable_original_shape()->add_dim(static_cast<std::uint64_t>(dim));
  }
  message.set_size(tensor.size);
}

// Gives out the bytes behind the message, in order.
class Contents {
 public:
  explicit Contents(std::span<const std::byte> bytes) : bytes_(bytes) {}

  const std::byte* Take(std::uint64_t size) {
    if (size > bytes_.size())
      Fail(kParseFile, "a dump is cut off: a tensor of {} bytes begins {} bytes before its end", size,
           bytes_.size());
    const std::byte* data = bytes_.data();
    bytes_ = bytes_.subspan(static_cast<std::size_t>(size));
    return data;
  }
  std::size_t left() const { return bytes_.size(); }

 private:
  std::span<const std::byte> bytes_;
};

Dims ReadDims(const dump::DumpShape& shape) {
  if (shape.dim_size() > kMaxRank)
    Fail(kParseFile, "a dump has a tensor with {} dimensions", shape.dim_size());
  Dims dims;
  for (const std::uint64_t dim : shape.dim()) {
    if (dim > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
      Fail(kParseFile, "a dump has a tensor with a dimension of {}", dim);
    dims.push_back(static_cast<std::int64_t>(dim));
  }
  return dims;
}

Format ReadLayout(int number) {
  if (!IsLayout(number)) Fail(kParseFile, "a dump has a tensor with the layout {}, which is none", number);
  return static_cast<Format>(number);
}

template <typename Message>
DumpTensor ReadTensor(const Message& message, Contents& contents) {
  DumpTensor tensor;
  tensor.type.type = TypeOfModelNumber(message.data_type());
  tensor.type.format = ReadLayout(message.format());
  tensor.type.dims = ReadDims(message.shape());
  tensor.size = message.size();
  tensor.data = contents.Take(tensor.size);
  return tensor;
}

}  // namespace

std::string DumpHeader(const DumpRecord& record) {
  dump::DumpData message;
  message.set_version(kVersion);
  message.set_dump_time(record.time);
  message.set_op_name(record.op_name);
  for (const DumpTensor& tensor : record.inputs)
    WriteTensor(tensor, *message.add_input());
  for (const DumpTensor& tensor : record.outputs)
    WriteTensor(tensor, *message.add_output());
  for (const DumpTensor& tensor : record.buffers) {
    dump::DumpBuffer& buffer = *message.add_buffer();
    buffer.set_buffer_type(0);
    buffer.set_size(tensor.size);
  }
  std::string header(kLengthBytes, '\0');
  const std::uint64_t length = message.ByteSizeLong();
  for (std::size_t i = 0; i < kLengthBytes; ++i)
    header[i] = static_cast<char>(length >> (8 * i) & 0xff);
  message.AppendToString(&header);
  return header;
}

DumpRecord ReadDump(std::span<const std::byte> file) {
  if (file.size() < kLengthBytes) Fail(kParseFile, "{} bytes are too few for a dump", file.size());
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < kLengthBytes; ++i)
    length |= std::to_integer<std::uint64_t>(file[i]) << (8 * i);
  file = file.subspan(kLengthBytes);
  if (length > file.size() || length > static_cast<std::uint64_t>(std::numeric_limits<int>::max()))
    Fail(kParseFile, "a dump says that its message has {} bytes, and {} are left", length, file.size());
  dump::DumpData message;
  if (!message.ParseFromArray(file.data(), static_cast<int>(length)))
    Fail(kParseFile, "the {} bytes in front of the tensors are no message of a dump", length);
  Contents contents(file.subspan(static_cast<std::size_t>(length)));
  DumpRecord record{
      .op_name = message.op_name(), .time = message.dump_time(), .inputs = {}, .outputs = {}, .buffers = {}};
  for (const dump::DumpInput& input : message.input())
    record.inputs.push_back(ReadTensor(input, contents));
  for (const dump::DumpOutput& output : message.output())
    record.outputs.push_back(ReadTensor(output, contents));
  for (const dump::DumpBuffer& buffer : message.buffer()) {
    const std::byte* const bytes = contents.Take(buffer.size());
    record.buffers.push_back(
        {{DataType::kUint8, Format::kNd, {static_cast<std::int64_t>(buffer.size())}}, buffer.size(), bytes});
  }
  if (contents.left() > 0) Fail(kParseFile, "a dump has {} bytes behind its last tensor", contents.left());
  return record;
}

}  // namespace foothold
