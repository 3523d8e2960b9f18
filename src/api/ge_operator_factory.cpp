// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <map>
#include <mutex>
#include <set>

#include "api/graph_guard.h"
#include "api/operator_registry.h"
#include "prototypes/prototype.h"

namespace foothold {
namespace {

template <typename Function>
class Registry {
 public:
  void Add(const char* what, const char* type, const Function& function) noexcept {
    (void)GuardGraph(what, [&] {
      if (type == nullptr || *type == '\0' || !function)
        Fail(kInvalidParam, "a type and a function are needed");
      const std::lock_guard lock(mutex_);
      functions_.emplace(type, function);
    });
  }

  Function Find(std::string_view type) {
    const std::lock_guard lock(mutex_);
    const auto found = functions_.find(type);
    return found == functions_.end() ? Function() : found->second;
  }

  std::vector<std::string> Types() {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> types;
    for (const auto& [type, function] : functions_)
      types.push_back(type);
    return types;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, Function, std::less<>> functions_;  // guarded by mutex_
};

// Never destroyed: programs register and ask in constructors and destructors of static objects.
struct Registries {
  Registry<ge::OpCreatorV2> creators;
  Registry<ge::InferShapeFunc> inference;
  Registry<ge::InferFormatFunc> format_inference;
  Registry<ge::InferValueRangeFunc> range_inference;
  Registry<ge::VerifyFunc> verification;
};

Registries& TheRegistries() {
  static Registries* const registries = new Registries;
  return *registries;
}

}  // namespace

ge::OpCreatorV2 RegisteredCreator(std::string_view type) {
  return TheRegistries().creators.Find(type);
}

ge::InferShapeFunc RegisteredInference(std::string_view type) {
  return TheRegistries().inference.Find(type);
}

ge::VerifyFunc RegisteredVerification(std::string_view type) {
  return TheRegistries().verification.Find(type);
}

ge::InferFormatFunc RegisteredFormatInference(std::string_view type) {
  return TheRegistries().format_inference.Find(type);
}

std::vector<std::string> CreatableTypes() {
  return TheRegistries().creators.Types();
}

}  // namespace foothold

namespace ge {

using foothold::GuardGraph;
using foothold::GuardGraphValue;
using foothold::TheRegistries;

Operator OperatorFactory::CreateOperator(const char_t* const operator_name,
                                         const char_t* const operator_type) {
  return GuardGraphValue("OperatorFactory::CreateOperator", [&]() -> Operator {
    if (operator_name == nullptr || operator_type == nullptr)
      foothold::Fail(foothold::kInvalidParam, "operator_name and operator_type must not be null");
    if (foothold::FindPrototype(operator_type) != nullptr) return Operator(operator_name, operator_type);
    const OpCreatorV2 creator = foothold::RegisteredCreator(operator_type);
    if (!creator)
      throw foothold::Error(foothold::kInvalidParam,
                            fmt::format("there is no operator type '{}'", operator_type), "E10501");
    return creator(AscendString(operator_name));
  });
}

graphStatus OperatorFactory::GetOpsTypeList(std::vector<AscendString>& all_ops) {
  return GuardGraph("OperatorFactory::GetOpsTypeList", [&] {
    std::set<AscendString> types;
    for (const std::string_view type : foothold::PrototypeTypes())
      types.emplace(type.data(), type.size());
    for (const std::string& type : foothold::CreatableTypes())
      types.emplace(type.data(), type.size());
    all_ops.assign(types.begin(), types.end());
  });
}

bool OperatorFactory::IsExistOp(const char_t* const operator_type) {
  if (operator_type == nullptr) return false;
  return GuardGraphValue("OperatorFactory::IsExistOp", [&] {
    return foothold::FindPrototype(operator_type) != nullptr ||
           static_cast<bool>(foothold::RegisteredCreator(operator_type));
  });
}

OperatorCreatorRegister::OperatorCreatorRegister(const char_t* const operator_type,
                                                 OpCreatorV2 const& op_creator) {
  TheRegistries().creators.Add("OperatorCreatorRegister", operator_type, op_creator);
}

InferShapeFuncRegister::InferShapeFuncRegister(const char_t* const operator_type,
                                               const InferShapeFunc& infer_shape_func) {
  TheRegistries().inference.Add("InferShapeFuncRegister", operator_type, infer_shape_func);
}

InferFormatFuncRegister::InferFormatFuncRegister(const char_t* const operator_type,
                                                 const InferFormatFunc& infer_format_func) {
  TheRegistries().format_inference.Add("InferFormatFuncRegister", operator_type, infer_format_func);
}

InferValueRangeFuncRegister::InferValueRangeFuncRegister(const char_t* const operator_type, const WHEN_CALL,
                                                         const InferValueRangeFunc& infer_value_range_func) {
  TheRegistries().range_inference.Add("InferValueRangeFuncRegister", operator_type, infer_value_range_func);
}

// The usual way to infer ranges of values, which needs no function; ranges have no effect on a run.
InferValueRangeFuncRegister::InferValueRangeFuncRegister(const char_t* const operator_type) {
  TheRegistries().range_inference.Add("InferValueRangeFuncRegister", operator_type,
                                      [](Operator&) { return GRAPH_SUCCESS; });
}

VerifyFuncRegister::VerifyFuncRegister(const char_t* const operator_type, const VerifyFunc& verify_func) {
  TheRegistries().verification.Add("VerifyFuncRegister", operator_type, verify_func);
}

}  // namespace ge
