// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "foothold/run_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include "base/error.h"
#include "foothold/random_tensor.h"
#include "formats/npy.h"

namespace foothold::run {
namespace {

template <typename Number>
std::vector<Number> Numbers(const std::string& text, const std::string& flag) {
  std::vector<Number> numbers;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    Number number{};
    const auto [stop, error] = std::from_chars(text.data() + start, text.data() + end, number);
    if (error != std::errc() || stop != text.data() + end)
      Fail(kInvalidParam, "{}: \"{}\" is no number", flag, text.substr(start, end - start));
    numbers.push_back(number);
    start = end + 1;
  }
  return numbers;
}

std::string Takes(const ModelTensor& input) {
  return fmt::format("input '{}' takes {}", input.name, ToString(input.type));
}

class Chooser {
 public:
  Chooser(const std::vector<ModelTensor>& inputs, const InputChoice& choice)
      : inputs_(inputs),
        files_(inputs.size()),
        shapes_(inputs.size()),
        ranges_(inputs.size()),
        choice_(choice) {
    ReadFiles();
    for (const std::string& text : choice.shapes)
      ReadShape(text);
    for (const std::string& text : choice.ranges)
      ReadRange(text);
  }

  ChosenInput Choose(std::size_t index) const {
    if (!files_[index].empty()) return FromFile(inputs_[index], files_[index], shapes_[index]);
    TensorType type = inputs_[index].type;
    type.dims = shapes_[index].value_or(inputs_[index].usual);
    CheckShape(inputs_[index], type.dims, "--shape says");
    const bool open = !shapes_[index] && !IsStatic(inputs_[index].type.dims);
    return {RandomTensor(type, ranges_[index], choice_.seed + index),
            open ? "random; its open dimensions were chosen" : "random"};
  }

 private:
  void ReadFiles() {
    if (choice_.positional.size() > inputs_.size())
      Fail(kInvalidParam, "{} files were given for the {} inputs of the model", choice_.positional.size(),
           inputs_.size());
    std::copy(choice_.positional.begin(), choice_.positional.end(), files_.begin());
    for (const std::string& text : choice_.named) {
      const std::size_t equals = text.find('=');
      if (equals == std::string::npos) Fail(kInvalidParam, "--input \"{}\" is not name=file", text);
      std::string& file = files_[FindTensor(inputs_, text.substr(0, equals), "input")];
      if (!file.empty()) Fail(kInvalidParam, "input '{}' was given twice", text.substr(0, equals));
      file = text.substr(equals + 1);
    }
  }

  void ReadShape(const std::string& text) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string::npos) Fail(kInvalidParam, "--shape \"{}\" is not name:1,2,3", text);
    const std::string dims = text.substr(colon + 1);
    const std::size_t index = FindTensor(inputs_, text.substr(0, colon), "input");
    shapes_[index] = dims.empty() ? Dims() : Numbers<std::int64_t>(dims, "--shape");
  }

  void ReadRange(const std::string& text) {
    const std::size_t colon = text.rfind(':');
    const std::string ends = colon == std::string::npos ? text : text.substr(colon + 1);
    const std::vector<double> numbers = Numbers<double>(ends, "--range");
    if (numbers.size() != 2 || !(numbers[0] <= numbers[1]))
      Fail(kInvalidParam, "--range \"{}\" has no two ends, the smaller first", text);
    const ValueRange range = {numbers[0], numbers[1]};
    if (colon != std::string::npos)
      ranges_[FindTensor(inputs_, text.substr(0, colon), "input")] = range;
    else
      ranges_.assign(ranges_.size(), range);
  }

  static void CheckShape(const ModelTensor& input, const Dims& dims, const std::string& where) {
    if (!IsStatic(dims))
      Fail(kInvalidParam, "{}, and {} {}: no dimension may be open", Takes(input), where, ToString(dims));
    if (!Compatible(dims, input.type.dims))
      Fail(kInvalidParam, "{}, and {} {}", Takes(input), where, ToString(dims));
  }

  static ChosenInput FromFile(const ModelTensor& input, const std::string& path,
                              const std::optional<Dims>& shape) {
    if (path.ends_with(".npy")) return {FromArray(input, path, shape), path};
    TensorType type = input.type;
    type.dims = shape.value_or(input.type.dims);
    if (!IsStatic(type.dims))
      Fail(kInvalidParam, "{}; --shape has to say the dimensions of what is in '{}'", Takes(input), path);
    CheckShape(input, type.dims, "--shape says");
    return {FromBytes(input, path, type), path};
  }

  static TensorValue FromArray(const ModelTensor& input, const std::string& path,
                               const std::optional<Dims>& shape) {
    TensorValue value = ReadNpy(path);
    TensorType type = value.type();
    // NumPy has no bfloat16: its bits are kept as whole numbers.
    if (input.type.type == DataType::kBfloat16 && type.type == DataType::kUint16)
      type.type = DataType::kBfloat16;
    if (type.type != input.type.type)
      Fail(kInvalidParam, "{}, and '{}' has {}", Takes(input), path, ToString(type));
    CheckShape(input, type.dims, fmt::format("'{}' has", path));
    if (shape && *shape != type.dims)
      Fail(kInvalidParam, "--shape says {} for input '{}', and '{}' has {}", ToString(*shape), input.name,
           path, ToString(type));
    value.set_type(type);
    return value;
  }

  static TensorValue FromBytes(const ModelTensor& input, const std::string& path, const TensorType& type) {
    std::error_code error;
    const auto size = std::filesystem::file_size(path, error);
    if (error) Fail(kInvalidFile, "'{}' cannot be opened: {}", path, error.message());
    TensorValue value(type);
    if (size != value.size())
      Fail(kInvalidParam, "input '{}' is {}, which takes {} bytes, and '{}' has {}", input.name,
           ToString(type), value.size(), path, size);
    std::ifstream file(path, std::ios::binary);
    if (!file.read(value.MutableAs<char>(), static_cast<std::streamsize>(value.size())))
      Fail(kInvalidFile, "'{}' cannot be read", path);
    return value;
  }

  const std::vector<ModelTensor>& inputs_;
  std::vector<std::string> files_;
  std::vector<std::optional<Dims>> shapes_;
  std::vector<std::optional<ValueRange>> ranges_;
  const InputChoice& choice_;
};

}  // namespace

std::vector<ChosenInput> ChooseInputs(const std::vector<ModelTensor>& inputs, const InputChoice& choice) {
  const Chooser chooser(inputs, choice);
  std::vector<ChosenInput> chosen;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    chosen.push_back(chooser.Choose(i));
  return chosen;
}

std::size_t FindTensor(const std::vector<ModelTensor>& tensors, const std::string& name, const char* kind) {
  std::vector<std::size_t> alike;
  std::string all;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].name == name) return i;
    if (tensors[i].name.ends_with(":" + name)) alike.push_back(i);
    all += fmt::format("{}'{}'", all.empty() ? "" : ", ", tensors[i].name);
  }
  if (alike.size() == 1) return alike[0];
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error == std::errc() && end == name.data() + name.size() && number < tensors.size()) return number;
  Fail(kInvalidParam, "the model has no {} '{}'; it has {}", kind, name, all);
}

}  // namespace foothold::run
