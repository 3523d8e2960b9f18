// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What operators that pass handles of resources (tensor arrays, queues) tell each other during shape
// inference: the shapes and types behind handles, marks, and which resources an operator depends on or has
// changed.
#ifndef FOOTHOLD_GRAPH_INFERENCE_CONTEXT_H_
#define FOOTHOLD_GRAPH_INFERENCE_CONTEXT_H_

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "graph/ascend_string.h"
#include "graph/ge_error_codes.h"
#include "graph/resource_context.h"
#include "graph/string_overloads.h"
#include "graph/tensor.h"
#include "graph/types.h"

namespace ge {

class InferenceContext;
class GE_FUNC_HOST_VISIBILITY InferenceContextImpl;
class GE_FUNC_HOST_VISIBILITY ShapeAndTypeImpl;
using InferenceContextPtr = std::shared_ptr<InferenceContext>;

class GE_FUNC_HOST_VISIBILITY ShapeAndType {
 public:
  ShapeAndType();
  ~ShapeAndType() = default;
  ShapeAndType(const Shape& shape, DataType data_type);

  void SetShape(const Shape& shape);
  void SetType(DataType data_type);
  Shape GetShape() const;
  DataType GetDataType() const;

 private:
  std::shared_ptr<ShapeAndTypeImpl> impl_;
};

class GE_FUNC_HOST_VISIBILITY InferenceContext {
 public:
  ~InferenceContext()                                           = default;
  InferenceContext(const InferenceContext& context)             = delete;
  InferenceContext(const InferenceContext&& context)            = delete;
  InferenceContext& operator=(const InferenceContext& context)  = delete;
  InferenceContext& operator=(const InferenceContext&& context) = delete;

  // `resource_context_mgr` must be null: it belongs to the engine, which has none here. Null on failure.
  static std::unique_ptr<InferenceContext> Create(void* resource_context_mgr = nullptr);

  void SetInputHandleShapesAndTypes(std::vector<std::vector<ShapeAndType>>&& shapes_and_types);
  const std::vector<std::vector<ShapeAndType>>& GetInputHandleShapesAndTypes() const;
  const std::vector<std::vector<ShapeAndType>>& GetOutputHandleShapesAndTypes() const;
  void SetOutputHandleShapesAndTypes(const std::vector<std::vector<ShapeAndType>>& shapes_and_types);
  void SetOutputHandleShapesAndTypes(std::vector<std::vector<ShapeAndType>>&& shapes_and_types);

  void SetMarks(const std::vector<std::string>& marks) { SetMarks(string_overloads::ToAscend(marks)); }
  void SetMarks(const std::vector<AscendString>& marks);
  // Good until the thread calls this for any context again.
  const std::vector<std::string>& GetMarks() const {
    static thread_local std::vector<std::string> texts;
    std::vector<AscendString> marks;
    GetMarks(marks);
    string_overloads::FromAscend(marks, texts);
    return texts;
  }
  void GetMarks(std::vector<AscendString>& marks) const;

  // Resource contexts stay the caller's; setting another one for the same key replaces it.
  ResourceContext* GetResourceContext(const ge::AscendString& key);
  graphStatus SetResourceContext(const ge::AscendString& key, ResourceContext* resource_context);
  graphStatus RegisterReliedOnResourceKey(const ge::AscendString& key);
  graphStatus AddChangedResourceKey(const ge::AscendString& key);
  const std::set<ge::AscendString>& GetReliedOnResourceKeys() const;
  const std::set<ge::AscendString>& GetChangedResourceKeys() const;
  void ClearChangedResourceKeys();

 private:
  explicit InferenceContext(std::shared_ptr<InferenceContextImpl> impl);

  std::shared_ptr<InferenceContextImpl> impl_;
};

}  // namespace ge

#endif  // FOOTHOLD_GRAPH_INFERENCE_CONTEXT_H_
