// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Compiling is the test: sizes and offsets that prebuilt programs were compiled with
// (docs/binary_layouts.md). Built with both string ABIs, and without access control, as most members are
// private.
#include <stddef.h>
#include <stdint.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "all_ops.h"
#include "exe_graph/runtime/tensor.h"
#include "ge/ge_api.h"
#include "ge/ge_api_error_codes.h"
#include "ge/ge_ir_build.h"
#include "graph/operator_reg.h"
#include "graph/resource_context.h"

#define AT(type, member, offset) static_assert(offsetof(type, member) == (offset), #type "::" #member)
#define SIZE(type, bytes) static_assert(sizeof(type) == (bytes), #type)

SIZE(ge::Session, 8);
AT(ge::Session, session_, 0x00);

SIZE(ge::MemBlock, 40);
AT(ge::MemBlock, addr_, 0x10);
AT(ge::MemBlock, count_, 0x18);
AT(ge::MemBlock, size_, 0x20);

using TextsOfCodes = std::map<uint32_t, std::string>;
SIZE(ge::StatusFactory, 48);
SIZE(TextsOfCodes, 48);
AT(ge::StatusFactory, texts_of_programs_, 0x00);

SIZE(gert::Shape, 248);
AT(gert::Shape, dim_num_, 0x00);
AT(gert::Shape, dims_, 0x08);
AT(gert::Shape, reserved_, 0xd0);

SIZE(gert::StorageShape, 536);
AT(gert::StorageShape, origin_shape_, 0x000);
AT(gert::StorageShape, storage_shape_, 0x0f8);
AT(gert::StorageShape, reserved_, 0x1f0);

SIZE(gert::ExpandDimsType, 48);
AT(gert::ExpandDimsType, reserved_, 0x08);

SIZE(gert::StorageFormat, 96);
AT(gert::StorageFormat, origin_format_, 0x00);
AT(gert::StorageFormat, storage_format_, 0x04);
AT(gert::StorageFormat, expand_dims_type_, 0x08);
AT(gert::StorageFormat, reserved_, 0x38);

SIZE(gert::TensorData, 72);
AT(gert::TensorData, addr_, 0x00);
AT(gert::TensorData, manager_, 0x08);
AT(gert::TensorData, size_, 0x10);
AT(gert::TensorData, placement_, 0x18);
AT(gert::TensorData, reserved_word_, 0x1c);
AT(gert::TensorData, reserved_, 0x20);

SIZE(gert::Tensor, 752);
AT(gert::Tensor, shape_, 0x000);
AT(gert::Tensor, format_, 0x218);
AT(gert::Tensor, version_, 0x278);
AT(gert::Tensor, data_type_, 0x27c);
AT(gert::Tensor, data_, 0x280);
AT(gert::Tensor, reserved_, 0x2c8);

SIZE(ge::LogicalStreamAllocationInfo, 8);
SIZE(ge::StreamAllocationSummary, 8);

// Handles: the object, then what counts its users.
SIZE(ge::Graph, 16);
SIZE(ge::Tensor, 16);
SIZE(ge::TensorDesc, 16);
SIZE(ge::Shape, 16);
SIZE(ge::GNode, 16);
SIZE(ge::AscendString, 16);
SIZE(ge::TensorType, 16);
SIZE(ge::Promote, 16);
SIZE(std::shared_ptr<void>, 16);
AT(ge::Graph, impl_, 0x00);
AT(ge::Tensor, impl_, 0x00);
AT(ge::TensorDesc, impl_, 0x00);
AT(ge::Shape, impl_, 0x00);

// A word for the functions that may be replaced, and the handle.
SIZE(ge::Operator, 24);
AT(ge::Operator, impl_, 0x08);
SIZE(ge::op::Add, 24);
SIZE(ge::op::Conv2D, 24);

SIZE(ge::Allocator, 8);
SIZE(ge::ResourceContext, 8);

SIZE(ge::ModelBufferData, 24);
AT(ge::ModelBufferData, data, 0x00);
AT(ge::ModelBufferData, length, 0x10);

using Runs = std::function<void(uint32_t, std::vector<ge::Tensor>&)>;
SIZE(Runs, 32);
using Deleted = std::unique_ptr<uint8_t[], ge::Tensor::DeleteFunc>;
SIZE(Deleted, 40);
using PortOfNode = std::pair<ge::GNodePtr, int32_t>;
SIZE(PortOfNode, 24);

int main() {
  return 0;
}
