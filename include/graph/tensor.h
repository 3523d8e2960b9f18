// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Shapes, tensor descriptions and tensors on the host. A Shape and a TensorDesc are values. A Tensor is a
// handle: copies share description and bytes, Clone() is a tensor of its own. One thread at a time may change
// an object.
#ifndef FOOTHOLD_GRAPH_TENSOR_H_
#define FOOTHOLD_GRAPH_TENSOR_H_

#include <stddef.h>
#include <stdint.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "graph/ascend_string.h"
#include "graph/ge_error_codes.h"
#include "graph/types.h"

namespace ge {

struct GE_FUNC_HOST_VISIBILITY ShapeImpl;
struct GE_FUNC_HOST_VISIBILITY TensorDescImpl;
struct GE_FUNC_HOST_VISIBILITY TensorImpl;

// The extents of a tensor. {-1} marks an unknown extent, {-2} alone an unknown number of them.
class GE_FUNC_HOST_VISIBILITY Shape {
 public:
  Shape();
  ~Shape() = default;
  explicit Shape(const std::vector<int64_t>& dims);

  // 0 for a scalar and for an unknown number of extents.
  size_t GetDimNum() const;
  // 0 when `idx` is out of range.
  int64_t GetDim(size_t idx) const;
  graphStatus SetDim(size_t idx, int64_t value);
  std::vector<int64_t> GetDims() const;
  // Elements; -1 when unknown, 0 for a shape without extents and when the number does not fit.
  int64_t GetShapeSize() const;

 private:
  std::shared_ptr<const ShapeImpl> impl_;
};

class GE_FUNC_HOST_VISIBILITY TensorDesc {
 public:
  TensorDesc();
  ~TensorDesc() = default;
  explicit TensorDesc(Shape shape, Format format = FORMAT_ND, DataType dt = DT_FLOAT);
  TensorDesc(const TensorDesc& desc);
  TensorDesc(TensorDesc&& desc);
  TensorDesc& operator=(const TensorDesc& desc);
  TensorDesc& operator=(TensorDesc&& desc);

  void Update(const Shape& shape, Format format = FORMAT_ND, DataType dt = DT_FLOAT);

  Shape GetShape() const;
  void SetShape(const Shape& shape);
  graphStatus SetUnknownDimNumShape();

  // Lowest and highest extent per dimension; a highest of -1 means no limit.
  graphStatus SetShapeRange(const std::vector<std::pair<int64_t, int64_t>>& range);
  graphStatus GetShapeRange(std::vector<std::pair<int64_t, int64_t>>& range) const;

  Format GetFormat() const;
  void SetFormat(Format format);
  DataType GetDataType() const;
  void SetDataType(DataType dt);

  // What the program itself gave; until it is set, the same as shape and format.
  Shape GetOriginShape() const;
  void SetOriginShape(const Shape& origin_shape);
  Format GetOriginFormat() const;
  void SetOriginFormat(Format origin_format);

  std::string GetName() const {
    AscendString name;
    (void)GetName(name);
    return std::string(name.GetString(), name.GetLength());
  }
  graphStatus GetName(AscendString& name);
  graphStatus GetName(AscendString& name) const;
  void SetName(const std::string& name) { SetName(name.c_str()); }
  void SetName(const char_t* name);

  // A number of bytes to be remembered; never computed.
  void SetSize(int64_t size);
  int64_t GetSize() const;
  int64_t GetRealDimCnt() const;
  void SetRealDimCnt(const int64_t real_dim_cnt);
  void SetPlacement(Placement placement);
  Placement GetPlacement() const;

  // The description owns the bytes; GetConstData lends them, and answers false when there are none.
  void SetConstData(std::unique_ptr<uint8_t[]> const_data_buffer, const size_t& const_data_len);
  bool GetConstData(uint8_t** const_data_buffer, size_t& const_data_len) const;

  void SetExpandDimsRule(const AscendString& expand_dims_rule);
  graphStatus GetExpandDimsRule(AscendString& expand_dims_rule) const;
  void SetReuseInputIndex(const uint32_t idx);

 private:
  friend struct TensorDescImpl;
  std::shared_ptr<TensorDescImpl> impl_;
};

class GE_FUNC_HOST_VISIBILITY Tensor {
 public:
  using DeleteFunc = std::function<void(uint8_t*)>;

  Tensor();
  ~Tensor() = default;
  explicit Tensor(const TensorDesc& tensor_desc);
  Tensor(const TensorDesc& tensor_desc, const std::vector<uint8_t>& data);
  Tensor(const TensorDesc& tensor_desc, const uint8_t* data, size_t size);
  Tensor(TensorDesc&& tensor_desc, std::vector<uint8_t>&& data);

  TensorDesc GetTensorDesc() const;
  graphStatus SetTensorDesc(const TensorDesc& tensor_desc);

  const uint8_t* GetData() const;
  uint8_t* GetData();
  size_t GetSize() const;

  // Hands the bytes to the caller together with the function that frees them.
  std::unique_ptr<uint8_t[], Tensor::DeleteFunc> ResetData();
  graphStatus ResetData(uint8_t* data, size_t size, const Tensor::DeleteFunc& deleter_func);

  graphStatus SetData(std::vector<uint8_t>&& data);
  graphStatus SetData(const std::vector<uint8_t>& data);
  graphStatus SetData(const uint8_t* data, size_t size);
  // Strings are stored as described at StringHead; the shape and the element type stay as they are.
  graphStatus SetData(const std::string& data) {
    return SetData(std::vector<AscendString>(1, AscendString(data.data(), data.size())));
  }
  graphStatus SetData(const char_t* data);
  graphStatus SetData(const std::vector<std::string>& data) {
    std::vector<AscendString> strings;
    for (const std::string& text : data) {
      strings.emplace_back(text.data(), text.size());
    }
    return SetData(strings);
  }
  graphStatus SetData(const std::vector<AscendString>& datas);
  // Adopts the bytes; `deleter_func` frees them.
  graphStatus SetData(uint8_t* data, size_t size, const Tensor::DeleteFunc& deleter_func);

  // Success when there are as many bytes as the description asks for, or it cannot say.
  graphStatus IsValid();
  Tensor Clone() const;

  graphStatus SetOriginShapeDimNum(const size_t dim_num);
  size_t GetOriginShapeDimNum() const;
  graphStatus SetOriginShapeDim(const size_t idx, const int64_t dim_value);
  int64_t GetOriginShapeDim(const size_t idx) const;
  graphStatus SetOriginFormat(const ge::Format& format);
  ge::Format GetOriginFormat() const;
  graphStatus SetShapeDimNum(const size_t dim_num);
  size_t GetShapeDimNum() const;
  graphStatus SetShapeDim(const size_t idx, const int64_t dim_value);
  int64_t GetShapeDim(const size_t idx) const;
  graphStatus SetFormat(const ge::Format& format);
  ge::Format GetFormat() const;
  graphStatus SetDataType(const ge::DataType& dtype);
  ge::DataType GetDataType() const;
  graphStatus SetPlacement(const ge::Placement& placement);
  ge::Placement GetPlacement() const;
  graphStatus SetExpandDimsRule(const AscendString& expand_dims_rule);
  graphStatus GetExpandDimsRule(AscendString& expand_dims_rule) const;

 private:
  friend struct TensorImpl;
  explicit Tensor(std::shared_ptr<TensorImpl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<TensorImpl> impl_;
};

}  // namespace ge

#endif  // FOOTHOLD_GRAPH_TENSOR_H_
