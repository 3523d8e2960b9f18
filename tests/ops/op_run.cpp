// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/op_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "base/error.h"
#include "ops/element_types.h"
#include "ops/op.h"

namespace foothold {
namespace {

[[noreturn]] void NoSuchType() {
  throw Error(kInternalError, "a test uses a type without C++ elements");
}

template <typename T>
T Convert(double value) {
  if constexpr (kIsHalf<T>)
    return T(static_cast<float>(value));
  else
    return static_cast<T>(value);
}

template <typename T>
double Widen(T value) {
  if constexpr (kIsHalf<T>)
    return static_cast<float>(value);
  else
    return static_cast<double>(value);
}

}  // namespace

OpRun::OpRun(const std::string& type, const std::string& name) : node_(graph_.Make(type, name)) {}

OpRun& OpRun::Connect(const std::string& port, TensorValue value, bool known) {
  Node& source = graph_.Make("Data", "source_of_" + port);
  source.AddOutput("y", PortKind::kRequired).desc = PortDesc(value.type());
  const int index = static_cast<int>(node_.inputs().size());
  node_.AddInput(port, PortKind::kRequired, port.substr(0, port.find_last_not_of("0123456789") + 1));
  node_.Connect(index, {&source, 0});
  values_.push_back(std::move(value));
  given_.push_back(true);
  known_.push_back(known);
  return *this;
}

OpRun& OpRun::In(const std::string& port, TensorValue value) {
  return Connect(port, std::move(value), true);
}
OpRun& OpRun::Late(const std::string& port, TensorValue value) {
  return Connect(port, std::move(value), false);
}

OpRun& OpRun::View(const std::string& port, TensorValue value, StridedView view) {
  Connect(port, std::move(value), false);
  const int index = static_cast<int>(node_.inputs().size()) - 1;
  node_.ConnectView(index, node_.inputs().back().source, std::move(view));
  return *this;
}

OpRun& OpRun::NoInput(const std::string& port) {
  node_.AddInput(port, PortKind::kOptional);
  values_.emplace_back();
  given_.push_back(false);
  known_.push_back(false);
  return *this;
}

OpRun& OpRun::Attr(const std::string& name, Attribute value) {
  node_.attributes[name] = std::move(value);
  return *this;
}

OpRun& OpRun::Out(const std::string& port) {
  node_.AddOutput(port, PortKind::kRequired, port.substr(0, port.find_last_not_of("0123456789") + 1));
  return *this;
}

std::vector<TensorValue> OpRun::RunAll() {
  const OpDef* op = FindOp(node_.type());
  if (op == nullptr) throw Error(kFeatureUnsupported, "no operator " + node_.type());
  std::vector<const TensorValue*> known(values_.size(), nullptr);
  for (std::size_t i = 0; i < values_.size(); ++i)
    if (known_[i]) known[i] = &values_[i];
  OpContext context(node_, known);
  if (op->evaluate()) return op->evaluate()(context);
  op->infer()(context);
  std::vector<TensorValue> outputs;
  for (const Output& output : node_.outputs())
    outputs.emplace_back(TensorType(output.desc));
  if (!op->lower()) {
    for (const auto [from, to] : op->views())
      std::copy_n(values_[static_cast<std::size_t>(from)].data(),
                  outputs[static_cast<std::size_t>(to)].size(),
                  outputs[static_cast<std::size_t>(to)].mutable_data());
    return outputs;
  }
  const auto kernel = op->lower()(context);
  std::vector<const std::byte*> in;
  std::vector<std::byte*> out;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const auto& view = node_.inputs()[i].view;
    const std::size_t offset = view ? view->offset * BytesPerElement(values_[i].type().type) : 0;
    in.push_back(given_[i] ? values_[i].data() + offset : nullptr);
  }
  for (const int port : context.unused())
    in[static_cast<std::size_t>(port)] = nullptr;
  for (const TensorValue& constant : context.added_constants())
    in.push_back(constant.data());
  for (TensorValue& value : outputs)
    out.push_back(value.mutable_data());
  const SharedBytes workspace = AllocateBytes(kernel->WorkspaceBytes());
  kernel->Run({in.data(), out.data(), workspace.get()});
  return outputs;
}

TensorValue Tensor(DataType type, const Dims& dims, const std::vector<double>& values, Format format) {
  TensorValue made(TensorType{type, format, dims});
  if (values.size() != static_cast<std::size_t>(ElementCount(dims)))
    throw Error(kInternalError, "a test gives another number of values than the shape says");
  VisitType(
      type,
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        for (std::size_t i = 0; i < values.size(); ++i)
          made.MutableAs<T>()[i] = Convert<T>(values[i]);
      },
      NoSuchType);
  return made;
}

TensorValue Random(DataType type, const Dims& dims, unsigned seed, Format format) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> distribution(-1.0, 1.0);
  std::vector<double> values(static_cast<std::size_t>(ElementCount(dims)));
  for (double& value : values)
    value = distribution(engine);
  return Tensor(type, dims, values, format);
}

std::vector<double> Numbers(const TensorValue& value) {
  std::vector<double> numbers(static_cast<std::size_t>(ElementCount(value.dims())));
  VisitType(
      value.type().type,
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        for (std::size_t i = 0; i < numbers.size(); ++i)
          numbers[i] = Widen(value.As<T>()[i]);
      },
      NoSuchType);
  return numbers;
}

void ExpectNear(const TensorValue& found, const std::vector<double>& expected, double tolerance) {
  const std::vector<double> numbers = Numbers(found);
  ASSERT_EQ(numbers.size(), expected.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (std::isnan(expected[i])) {
      EXPECT_TRUE(std::isnan(numbers[i])) << "element " << i << " is " << numbers[i];
    } else if (std::isinf(expected[i])) {
      EXPECT_EQ(numbers[i], expected[i]) << "element " << i;
    } else {
      EXPECT_NEAR(numbers[i], expected[i], tolerance * std::max(1.0, std::abs(expected[i])))
          << "element " << i;
    }
  }
}

}  // namespace foothold
