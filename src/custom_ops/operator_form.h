// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// How operators of the program look, as include/foothold/operator.h says to those who write them.
// api/codes/operator_form_check.cpp holds the two together.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foothold::custom {

constexpr std::uint32_t kVersion = 1;
constexpr const char* kEntryName = "foothold_operators";

struct Tensor {
  std::size_t struct_size;
  std::int32_t data_type;
  std::int32_t format;
  const std::int64_t* dims;
  std::size_t rank;
  void* data;
};

struct NodeView {
  std::size_t struct_size;
  const char* name;
  const char* type;
  const Tensor* const* inputs;
  std::size_t input_count;
  const Tensor* const* outputs;
  std::size_t output_count;
  int (*get_int)(const NodeView*, const char*, std::int64_t*);
  int (*get_float)(const NodeView*, const char*, float*);
  int (*get_string)(const NodeView*, const char*, const char**);
  int (*get_ints)(const NodeView*, const char*, const std::int64_t**, std::size_t*);
  int (*get_floats)(const NodeView*, const char*, const float**, std::size_t*);
  void (*set_output)(NodeView*, std::size_t, std::int32_t, const std::int64_t*, std::size_t);
  int (*fail)(NodeView*, const char*);
  void* library;
};

constexpr int kDone = 0;
constexpr int kFailed = -1;

struct Block {
  std::size_t struct_size;
  std::uint32_t index;
  std::uint32_t count;
  std::size_t args_size;
  void* local;
  std::size_t local_size;
  void (*fail)(const Block*, const char*);
  void* library;
};

struct Call {
  std::size_t struct_size;
  const NodeView* node;
  const Tensor* const* inputs;
  Tensor* const* outputs;
  void* workspace;
  std::size_t workspace_size;
};

struct Plan {
  std::size_t struct_size;
  std::uint32_t blocks;
  std::size_t workspace_size;
};

struct Port {
  const char* name;
  std::uint32_t kind;
  const std::int32_t* types;
  std::size_t type_count;
};
enum PortKindNumber : std::uint32_t { kRequired = 0, kOptional = 1, kList = 2 };

struct Attribute {
  const char* name;
  std::uint32_t kind;
  std::uint32_t required;
  std::int64_t int_default;
  float float_default;
  const char* string_default;
  const std::int64_t* ints_default;
  const float* floats_default;
  std::size_t default_count;
};
enum AttributeKindNumber : std::uint32_t { kInt = 0, kFloat, kString, kBool, kInts, kFloats };

struct Operator {
  std::size_t struct_size;
  const char* type;
  const Port* inputs;
  std::size_t input_count;
  const Port* outputs;
  std::size_t output_count;
  const Attribute* attributes;
  std::size_t attribute_count;
  int (*infer)(NodeView*);
  void (*kernel)(const Block*, const void*);
  int (*plan)(NodeView*, Plan*);
};

using Entry = const Operator* (*)(std::uint32_t version, std::size_t index);

}  // namespace foothold::custom
