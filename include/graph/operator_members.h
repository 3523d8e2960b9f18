// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The members of operator classes, written once for all of them: set_input_x, update_output_desc_y,
// set_attr_axis and so on. The headers of the built-in operators (all_ops.h) and REG_OP
// (graph/operator_reg.h) are made of these macros; programs do not use them.
//
// GE_OP_<KIND>_MEMBERS(x) declares the members of one port, attribute or subgraph named x. ThisOp must be the
// class whose members they become; setters return it, so that calls can be chained.
//
// Built-in operators share their members: GE_OP_<KIND>(x) makes them a template over ThisOp, and GE_OP
// derives an operator from the templates of its ports and attributes. Only operators that a program uses are
// instantiated, so including all of them costs little more than reading their names.
#ifndef FOOTHOLD_GRAPH_OPERATOR_MEMBERS_H_
#define FOOTHOLD_GRAPH_OPERATOR_MEMBERS_H_

#include <stddef.h>
#include <stdint.h>

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "graph/ascend_string.h"
#include "graph/operator.h"
#include "graph/string_overloads.h"
#include "graph/tensor.h"
#include "graph/types.h"

namespace ge {
namespace op {

// Calls what only classes derived from Operator may call, for members that are declared outside of them.
class OperatorAccess : public Operator {
 public:
  static void Link(Operator& op, const char* name, uint32_t index, const Operator& source) {
    Operator& (Operator::*const set)(const char*, uint32_t, const Operator&) = &OperatorAccess::SetInput;
    (op.*set)(name, index, source);
  }
  static void Link(Operator& op, const char* name, uint32_t index, const Operator& source,
                   const char* output) {
    Operator& (Operator::*const set)(const char*, uint32_t, const Operator&, const char*) =
        &OperatorAccess::SetInput;
    (op.*set)(name, index, source, output);
  }
  static void AddInputs(Operator& op, const char* name, uint32_t count, bool at_the_end) {
    void (Operator::*const add)(const char*, uint32_t, bool) = &OperatorAccess::DynamicInputRegister;
    (op.*add)(name, count, at_the_end);
  }
  static void AddInputsAt(Operator& op, const char* name, uint32_t count, size_t index) {
    void (Operator::*const add)(const char*, uint32_t, size_t) = &OperatorAccess::DynamicInputRegisterByIndex;
    (op.*add)(name, count, index);
  }
  static void AddOutputs(Operator& op, const char* name, uint32_t count, bool at_the_end) {
    void (Operator::*const add)(const char*, uint32_t, bool) = &OperatorAccess::DynamicOutputRegister;
    (op.*add)(name, count, at_the_end);
  }
  static void AddGraphs(Operator& op, const char* name, uint32_t count) {
    void (Operator::*const add)(const char*, uint32_t) = &OperatorAccess::SubgraphCountRegister;
    (op.*add)(name, count);
  }
  static void SetBuilder(Operator& op, const char* name, uint32_t index, const SubgraphBuilder& builder) {
    void (Operator::*const set)(const char*, uint32_t, const SubgraphBuilder&) =
        &OperatorAccess::SetSubgraphBuilder;
    (op.*set)(name, index, builder);
  }
};

inline std::string TextAttr(const Operator& op, const char* name) {
  AscendString value;
  (void)op.GetAttr(name, value);
  return string_overloads::FromAscend(value);
}

inline std::vector<std::string> TextListAttr(const Operator& op, const char* name) {
  std::vector<AscendString> values;
  (void)op.GetAttr(name, values);
  std::vector<std::string> texts;
  string_overloads::FromAscend(values, texts);
  return texts;
}

// Result, where Function can be called without arguments.
template <class Function, class Result>
using WhereCallable = decltype(static_cast<void>(std::declval<const Function&>()()), std::declval<Result>());

// An operator of its members; Members<ThisOp> has the name of its type too.
template <template <class> class Members>
class BuiltInOperator : public Operator, public Members<BuiltInOperator<Members>> {
 public:
  BuiltInOperator() : Operator(Members<BuiltInOperator>::TypeName()) {}
  explicit BuiltInOperator(const char* name) : Operator(name, Members<BuiltInOperator>::TypeName()) {}
  explicit BuiltInOperator(const AscendString& name)
      : Operator(name.GetString(), Members<BuiltInOperator>::TypeName()) {}
  explicit BuiltInOperator(const std::string& name)
      : Operator(name.c_str(), Members<BuiltInOperator>::TypeName()) {}
};

// The members of an operator that has none.
template <class ThisOp>
struct NoMembers {};

}  // namespace op
}  // namespace ge

#define GE_OP_THIS       static_cast<ThisOp&>(*this)
#define GE_OP_CONST_THIS static_cast<const ThisOp&>(*this)

#define GE_OP_INPUT_MEMBERS(x)                                                        \
  static std::string name_in_##x() {                                                  \
    return #x;                                                                        \
  }                                                                                   \
  ThisOp& set_input_##x(const ::ge::Operator& source) {                               \
    GE_OP_THIS.SetInput(#x, source);                                                  \
    return GE_OP_THIS;                                                                \
  }                                                                                   \
  ThisOp& set_input_##x(const ::ge::Operator& source, const std::string& output) {    \
    return set_input_##x##_by_name(source, output.c_str());                           \
  }                                                                                   \
  ThisOp& set_input_##x(const ::ge::Operator& source, uint32_t output) {              \
    GE_OP_THIS.SetInput(#x, source, output);                                          \
    return GE_OP_THIS;                                                                \
  }                                                                                   \
  ThisOp& set_input_##x##_by_name(const ::ge::Operator& source, const char* output) { \
    GE_OP_THIS.SetInput(#x, source, output);                                          \
    return GE_OP_THIS;                                                                \
  }                                                                                   \
  ::ge::TensorDesc get_input_desc_##x() const {                                       \
    return GE_OP_CONST_THIS.GetInputDescByName(#x);                                   \
  }                                                                                   \
  ::ge::graphStatus update_input_desc_##x(const ::ge::TensorDesc& desc) {             \
    return GE_OP_THIS.UpdateInputDesc(#x, desc);                                      \
  }

#define GE_OP_OUTPUT_MEMBERS(x)                                            \
  static std::string name_out_##x() {                                      \
    return #x;                                                             \
  }                                                                        \
  ::ge::TensorDesc get_output_desc_##x() const {                           \
    return GE_OP_CONST_THIS.GetOutputDescByName(#x);                       \
  }                                                                        \
  ::ge::graphStatus update_output_desc_##x(const ::ge::TensorDesc& desc) { \
    return GE_OP_THIS.UpdateOutputDesc(#x, desc);                          \
  }

#define GE_OP_DYNAMIC_INPUT_MEMBERS(x)                                                                     \
  ThisOp& create_dynamic_input_##x(uint32_t num, bool isPushBack = true) {                                 \
    ::ge::op::OperatorAccess::AddInputs(GE_OP_THIS, #x, num, isPushBack);                                  \
    return GE_OP_THIS;                                                                                     \
  }                                                                                                        \
  ThisOp& create_dynamic_input_byindex_##x(uint32_t num, size_t index) {                                   \
    ::ge::op::OperatorAccess::AddInputsAt(GE_OP_THIS, #x, num, index);                                     \
    return GE_OP_THIS;                                                                                     \
  }                                                                                                        \
  ThisOp& set_dynamic_input_##x(uint32_t index, const ::ge::Operator& source) {                            \
    ::ge::op::OperatorAccess::Link(GE_OP_THIS, #x, index, source);                                         \
    return GE_OP_THIS;                                                                                     \
  }                                                                                                        \
  ThisOp& set_dynamic_input_##x(uint32_t index, const ::ge::Operator& source, const std::string& output) { \
    ::ge::op::OperatorAccess::Link(GE_OP_THIS, #x, index, source, output.c_str());                         \
    return GE_OP_THIS;                                                                                     \
  }                                                                                                        \
  ::ge::TensorDesc get_dynamic_input_desc_##x(uint32_t index) const {                                      \
    return GE_OP_CONST_THIS.GetDynamicInputDesc(#x, index);                                                \
  }                                                                                                        \
  ::ge::graphStatus update_dynamic_input_desc_##x(uint32_t index, const ::ge::TensorDesc& desc) {          \
    return GE_OP_THIS.UpdateDynamicInputDesc(#x, index, desc);                                             \
  }

#define GE_OP_DYNAMIC_OUTPUT_MEMBERS(x)                                                            \
  ThisOp& create_dynamic_output_##x(uint32_t num, bool isPushBack = true) {                        \
    ::ge::op::OperatorAccess::AddOutputs(GE_OP_THIS, #x, num, isPushBack);                         \
    return GE_OP_THIS;                                                                             \
  }                                                                                                \
  ::ge::TensorDesc get_dynamic_output_desc_##x(uint32_t index) const {                             \
    return GE_OP_CONST_THIS.GetDynamicOutputDesc(#x, index);                                       \
  }                                                                                                \
  ::ge::graphStatus update_dynamic_output_desc_##x(uint32_t index, const ::ge::TensorDesc& desc) { \
    return GE_OP_THIS.UpdateDynamicOutputDesc(#x, index, desc);                                    \
  }

// A function as a value is accepted and has no effect; the API never evaluates it.
#define GE_OP_ANY_ATTR_MEMBERS(x)                                            \
  static std::string name_attr_##x() {                                       \
    return #x;                                                               \
  }                                                                          \
  template <class Function>                                                  \
  ::ge::op::WhereCallable<Function, ThisOp&> set_attr_##x(const Function&) { \
    return GE_OP_THIS;                                                       \
  }

#define GE_OP_VALUE_ATTR_MEMBERS(x, Value, Argument)        \
  GE_OP_ANY_ATTR_MEMBERS(x)                                 \
  Value get_attr_##x() const {                              \
    Value value{};                                          \
    static_cast<void>(GE_OP_CONST_THIS.GetAttr(#x, value)); \
    return value;                                           \
  }                                                         \
  ThisOp& set_attr_##x(Argument value) {                    \
    GE_OP_THIS.SetAttr(#x, value);                          \
    return GE_OP_THIS;                                      \
  }

#define GE_OP_Int_ATTR_MEMBERS(x)    GE_OP_VALUE_ATTR_MEMBERS(x, int64_t, int64_t)
#define GE_OP_Float_ATTR_MEMBERS(x)  GE_OP_VALUE_ATTR_MEMBERS(x, float, float)
#define GE_OP_Bool_ATTR_MEMBERS(x)   GE_OP_VALUE_ATTR_MEMBERS(x, bool, bool)
#define GE_OP_Type_ATTR_MEMBERS(x)   GE_OP_VALUE_ATTR_MEMBERS(x, ::ge::DataType, ::ge::DataType)
#define GE_OP_Tensor_ATTR_MEMBERS(x) GE_OP_VALUE_ATTR_MEMBERS(x, ::ge::Tensor, const ::ge::Tensor&)
#define GE_OP_Bytes_ATTR_MEMBERS(x) \
  GE_OP_VALUE_ATTR_MEMBERS(x, std::vector<uint8_t>, const std::vector<uint8_t>&)
#define GE_OP_ListInt_ATTR_MEMBERS(x) \
  GE_OP_VALUE_ATTR_MEMBERS(x, std::vector<int64_t>, const std::vector<int64_t>&)
#define GE_OP_ListFloat_ATTR_MEMBERS(x) \
  GE_OP_VALUE_ATTR_MEMBERS(x, std::vector<float>, const std::vector<float>&)
#define GE_OP_ListBool_ATTR_MEMBERS(x) \
  GE_OP_VALUE_ATTR_MEMBERS(x, std::vector<bool>, const std::vector<bool>&)
#define GE_OP_ListType_ATTR_MEMBERS(x) \
  GE_OP_VALUE_ATTR_MEMBERS(x, std::vector<::ge::DataType>, const std::vector<::ge::DataType>&)
#define GE_OP_ListTensor_ATTR_MEMBERS(x) \
  GE_OP_VALUE_ATTR_MEMBERS(x, std::vector<::ge::Tensor>, const std::vector<::ge::Tensor>&)
#define GE_OP_ListListInt_ATTR_MEMBERS(x) \
  GE_OP_VALUE_ATTR_MEMBERS(x, std::vector<std::vector<int64_t>>, const std::vector<std::vector<int64_t>>&)

#define GE_OP_String_ATTR_MEMBERS(x)                                \
  GE_OP_ANY_ATTR_MEMBERS(x)                                         \
  std::string get_attr_##x() const {                                \
    return ::ge::op::TextAttr(GE_OP_CONST_THIS, #x);                \
  }                                                                 \
  ::ge::graphStatus get_attr_##x(::ge::AscendString& value) const { \
    return GE_OP_CONST_THIS.GetAttr(#x, value);                     \
  }                                                                 \
  ThisOp& set_attr_##x(const char* value) {                         \
    GE_OP_THIS.SetAttr(#x, value);                                  \
    return GE_OP_THIS;                                              \
  }                                                                 \
  ThisOp& set_attr_##x(const std::string& value) {                  \
    return set_attr_##x(value.c_str());                             \
  }                                                                 \
  ThisOp& set_attr_##x(const ::ge::AscendString& value) {           \
    GE_OP_THIS.SetAttr(#x, value);                                  \
    return GE_OP_THIS;                                              \
  }

#define GE_OP_ListString_ATTR_MEMBERS(x)                                                \
  GE_OP_ANY_ATTR_MEMBERS(x)                                                             \
  std::vector<std::string> get_attr_##x() const {                                       \
    return ::ge::op::TextListAttr(GE_OP_CONST_THIS, #x);                                \
  }                                                                                     \
  ::ge::graphStatus get_attr_##x(std::vector<::ge::AscendString>& values) const {       \
    return GE_OP_CONST_THIS.GetAttr(#x, values);                                        \
  }                                                                                     \
  ThisOp& set_attr_##x(const std::vector<::ge::AscendString>& values) {                 \
    GE_OP_THIS.SetAttr(#x, values);                                                     \
    return GE_OP_THIS;                                                                  \
  }                                                                                     \
  ThisOp& set_attr_##x(const std::vector<std::string>& values) {                        \
    return set_attr_##x(::ge::string_overloads::ToAscend(values));                      \
  }                                                                                     \
  ThisOp& set_attr_##x(std::initializer_list<const char*> values) {                     \
    return set_attr_##x(std::vector<::ge::AscendString>(values.begin(), values.end())); \
  }

#define GE_OP_GRAPH_MEMBERS(x)                                             \
  ThisOp& set_subgraph_builder_##x(const ::ge::SubgraphBuilder& builder) { \
    ::ge::op::OperatorAccess::SetBuilder(GE_OP_THIS, #x, 0U, builder);     \
    return GE_OP_THIS;                                                     \
  }                                                                        \
  ::ge::SubgraphBuilder get_subgraph_builder_##x() const {                 \
    return GE_OP_CONST_THIS.GetSubgraphBuilder(#x);                        \
  }                                                                        \
  ::ge::Graph get_subgraph_##x() const {                                   \
    return GE_OP_CONST_THIS.GetSubgraph(#x);                               \
  }

#define GE_OP_DYNAMIC_GRAPH_MEMBERS(x)                                                             \
  ThisOp& create_dynamic_subgraph_##x(uint32_t num) {                                              \
    ::ge::op::OperatorAccess::AddGraphs(GE_OP_THIS, #x, num);                                      \
    return GE_OP_THIS;                                                                             \
  }                                                                                                \
  ThisOp& set_dynamic_subgraph_builder_##x(uint32_t index, const ::ge::SubgraphBuilder& builder) { \
    ::ge::op::OperatorAccess::SetBuilder(GE_OP_THIS, #x, index, builder);                          \
    return GE_OP_THIS;                                                                             \
  }                                                                                                \
  ::ge::SubgraphBuilder get_dynamic_subgraph_builder_##x(uint32_t index) const {                   \
    return GE_OP_CONST_THIS.GetDynamicSubgraphBuilder(#x, index);                                  \
  }                                                                                                \
  ::ge::Graph get_dynamic_subgraph_##x(uint32_t index) const {                                     \
    return GE_OP_CONST_THIS.GetDynamicSubgraph(#x, index);                                         \
  }

// Members that built-in operators share, in namespace ge::op::members.
#define GE_OP_INPUT(x)     \
  template <class ThisOp>  \
  struct input_##x {       \
    GE_OP_INPUT_MEMBERS(x) \
  };
#define GE_OP_OUTPUT(x)     \
  template <class ThisOp>   \
  struct output_##x {       \
    GE_OP_OUTPUT_MEMBERS(x) \
  };
#define GE_OP_DYNAMIC_INPUT(x)     \
  template <class ThisOp>          \
  struct dynamic_input_##x {       \
    GE_OP_DYNAMIC_INPUT_MEMBERS(x) \
  };
#define GE_OP_DYNAMIC_OUTPUT(x)     \
  template <class ThisOp>           \
  struct dynamic_output_##x {       \
    GE_OP_DYNAMIC_OUTPUT_MEMBERS(x) \
  };
#define GE_OP_ATTR(x, Type)        \
  template <class ThisOp>          \
  struct attr_##Type##_##x {       \
    GE_OP_##Type##_ATTR_MEMBERS(x) \
  };
#define GE_OP_GRAPH(x)     \
  template <class ThisOp>  \
  struct graph_##x {       \
    GE_OP_GRAPH_MEMBERS(x) \
  };
#define GE_OP_DYNAMIC_GRAPH(x)     \
  template <class ThisOp>          \
  struct dynamic_graph_##x {       \
    GE_OP_DYNAMIC_GRAPH_MEMBERS(x) \
  };

// A built-in operator: its type, then its members, each as a template of ThisOp.
#define GE_OP(Type, ...)                            \
  namespace members {                               \
  template <class ThisOp>                           \
  struct Type : __VA_ARGS__ {                       \
    static const char* TypeName() { return #Type; } \
  };                                                \
  }                                                 \
  typedef BuiltInOperator<members::Type> Type;

#endif  // FOOTHOLD_GRAPH_OPERATOR_MEMBERS_H_
