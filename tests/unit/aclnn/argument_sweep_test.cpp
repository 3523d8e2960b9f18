// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Every function of the table with arguments that fit none of them in particular: each pointer null in turn,
// each handle something else, each number absurd. The first phase answers a code it documents and names the
// argument; nothing crashes, and nothing is left behind.
#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <string>

#include "aclnn/entry.h"
#include "aclnn/executor.h"
#include "aclnn/mapping.h"

namespace foothold::aclnn {
namespace {

// What all tensors of a call look like.
struct World {
  DataType type;
  std::vector<std::int64_t> dims;
  std::int64_t number;
};

const std::vector<World>& Worlds() {
  static const std::vector<World> worlds = {
      {DataType::kFloat, {2, 3}, 0},
      {DataType::kFloat16, {1, 2, 3, 4}, 1},
      {DataType::kInt32, {4}, 0},
      {DataType::kBool, {2, 2}, -1},
      {DataType::kInt8, {16, 32}, 1},
      {DataType::kFloat, {}, 0},
      {DataType::kBfloat16, {2, 4, 8}, 2},
      {DataType::kFloat, {0, 3}, 0},
      {DataType::kInt64, {1, 1, 1, 1, 2}, 3},
      {DataType::kDouble, {3}, 1},
      {DataType::kComplex64, {2, 2}, 0},
      {DataType::kInt4, {2, 32}, 32},
      {DataType::kUndefined, {2}, 0},
      {DataType::kUint16, {2, 2}, 1},
  };
  return worlds;
}

// One of each object a parameter may want.
class Things {
 public:
  explicit Things(const World& world) : world_(world) {
    Tensor tensor{world.type, Format::kNd, Extents(world.dims), Extents(world.dims), {}, 0, nullptr};
    std::int64_t stride = 1;
    for (std::size_t i = world.dims.size(); i-- > 0; stride *= world.dims[i])
      tensor.strides[i] = stride;
    tensor_ = Tensors::Get().Add(tensor);
    scalar_ = Scalars::Get().Add(aclnn::Scalar{DataType::kFloat, {}});
    ints_ = IntArrays::Get().Add(
        std::vector<std::int64_t>(std::max<std::size_t>(world.dims.size(), 1), world.number));
    floats_ = FloatArrays::Get().Add(std::vector<float>(2, 1.0f));
    bools_ = BoolArrays::Get().Add(std::vector<std::uint8_t>(3, 1));
    tensor_list_ = TensorLists::Get().Add(HandleList{tensor_, tensor_});
    scalar_list_ = ScalarLists::Get().Add(HandleList{scalar_});
  }
  ~Things() {
    Tensors::Get().Remove(tensor_);
    Scalars::Get().Remove(scalar_);
    IntArrays::Get().Remove(ints_);
    FloatArrays::Get().Remove(floats_);
    BoolArrays::Get().Remove(bools_);
    TensorLists::Get().Remove(tensor_list_);
    ScalarLists::Get().Remove(scalar_list_);
  }

  std::vector<Argument> For(const Function& function) const {
    std::vector<Argument> arguments(function.count);
    for (std::size_t i = 0; i < arguments.size(); ++i)
      arguments[i] = Of(function.parameters[i].kind);
    return arguments;
  }

 private:
  Argument Of(Kind kind) const {
    switch (kind) {
      case Kind::kTensor:
        return {.pointer = tensor_};
      case Kind::kTensorList:
        return {.pointer = tensor_list_};
      case Kind::kScalar:
        return {.pointer = scalar_};
      case Kind::kScalarList:
        return {.pointer = scalar_list_};
      case Kind::kInts:
        return {.pointer = ints_};
      case Kind::kFloats:
        return {.pointer = floats_};
      case Kind::kBools:
        return {.pointer = bools_};
      case Kind::kText:
        return {.pointer = "BSND"};
      case Kind::kReal:
        return {.real = 1.0};
      case Kind::kPointer:
        return {.pointer = nullptr};
      default:
        return {.integer = world_.number};
    }
  }

  World world_;
  void *tensor_, *scalar_, *ints_, *floats_, *bools_, *tensor_list_, *scalar_list_;
};

bool IsHandle(Kind kind) {
  return kind < Kind::kInteger;
}

// Codes that a first phase documents.
void Call(const Function& function, const std::vector<Argument>& arguments, int expected = 0) {
  static const std::set<int> documented = {0, 161001, 161002, 561003};
  std::uint64_t workspace = 0;
  aclOpExecutor* executor = nullptr;
  const int code = PhaseOne(function, arguments.data(), &workspace, &executor);
  EXPECT_EQ(documented.count(code), 1U) << function.name << " answers " << code;
  if (expected != 0) {
    EXPECT_EQ(code, expected) << function.name;
  }
  if (code == 0) Executors::Get().Remove(executor);
}

template <typename Body>
void ForEachMapped(const Body& body) {
  int mapped = 0;
  for (std::size_t i = 0; i < FunctionCount(); ++i) {
    const Function& function = AllFunctions()[i];
    if (FindMapping(function.name) == nullptr) continue;
    body(function);
    ++mapped;
  }
  EXPECT_GT(mapped, 90);
}

TEST(ArgumentSweep, AnyShapesAndTypesGetADocumentedAnswer) {
  for (const World& world : Worlds()) {
    const Things things(world);
    ForEachMapped([&](const Function& function) { Call(function, things.For(function)); });
  }
}

TEST(ArgumentSweep, EveryRequiredPointerMayBeNull) {
  const Things things(Worlds()[0]);
  ForEachMapped([&](const Function& function) {
    for (std::size_t i = 0; i < function.count; ++i) {
      const Parameter& parameter = function.parameters[i];
      if (!IsHandle(parameter.kind)) continue;
      std::vector<Argument> arguments = things.For(function);
      arguments[i].pointer = nullptr;
      const bool required = !parameter.optional && parameter.kind != Kind::kTensorList;
      Call(function, arguments, required ? 161001 : 0);
    }
  });
}

TEST(ArgumentSweep, HandlesOfOtherThingsAreRefused) {
  const Things things(Worlds()[0]);
  const Things others(Worlds()[1]);
  int garbage = 0;
  void* stale = Tensors::Get().Add(Tensor{});
  Tensors::Get().Remove(stale);
  ForEachMapped([&](const Function& function) {
    for (std::size_t i = 0; i < function.count; ++i) {
      if (!IsHandle(function.parameters[i].kind)) continue;
      for (const void* handle : {static_cast<const void*>(&garbage), static_cast<const void*>(stale),
                                 reinterpret_cast<const void*>(std::numeric_limits<std::uintptr_t>::max())}) {
        std::vector<Argument> arguments = things.For(function);
        arguments[i].pointer = handle;
        Call(function, arguments, 161002);
      }
    }
  });
}

TEST(ArgumentSweep, AbsurdNumbersGetADocumentedAnswer) {
  for (const std::size_t w : {0U, 1U}) {
    const Things things(Worlds()[w]);
    ForEachMapped([&](const Function& function) {
      for (std::size_t i = 0; i < function.count; ++i) {
        std::vector<Argument> arguments = things.For(function);
        const Kind kind = function.parameters[i].kind;
        if (kind == Kind::kInteger || kind == Kind::kSeed || kind == Kind::kDataType)
          for (const std::int64_t number :
               {std::int64_t{-1}, std::int64_t{1} << 40, std::numeric_limits<std::int64_t>::min(),
                std::numeric_limits<std::int64_t>::max()}) {
            arguments[i].integer = number;
            Call(function, arguments);
          }
        if (kind == Kind::kReal)
          for (const double number : {-1.0, std::numeric_limits<double>::quiet_NaN(), 1e300}) {
            arguments[i].real = number;
            Call(function, arguments);
          }
        if (kind == Kind::kText)
          for (const char* text : {"", "nonsense"}) {
            arguments[i].pointer = text;
            Call(function, arguments);
          }
      }
    });
  }
}

TEST(ArgumentSweep, WhatNobodyMappedSaysSo) {
  const Things things(Worlds()[0]);
  for (std::size_t i = 0; i < FunctionCount(); ++i)
    if (FindMapping(AllFunctions()[i].name) == nullptr)
      Call(AllFunctions()[i], things.For(AllFunctions()[i]), 561003);
}

}  // namespace
}  // namespace foothold::aclnn
