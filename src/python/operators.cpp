// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <array>
#include <utility>

#include "acl/acl_op.h"
#include "acl/acl_op_compiler.h"
#include "python/chapters.h"
#include "python/python_callback.h"

namespace foothold {
namespace {

using Descs = std::vector<aclTensorDesc*>;
using Buffers = std::vector<aclDataBuffer*>;

template <typename T>
int CountOf(const std::vector<T>& items) {
  return static_cast<int>(items.size());
}

// C takes one count for descriptions and buffers together.
bool Fit(const Descs& descs, const Buffers& buffers) {
  return descs.size() == buffers.size();
}

aclError SetListBool(aclopAttr* attr, const char* name, const std::vector<std::uint8_t>& values) {
  return aclopSetAttrListBool(attr, name, CountOf(values), values.data());
}

aclError SetListInt(aclopAttr* attr, const char* name, const std::vector<std::int64_t>& values) {
  return aclopSetAttrListInt(attr, name, CountOf(values), values.data());
}

// Some versions of the API pass the number of values before them.
aclError SetListFloat(aclopAttr* attr, const char* name, Object values_or_count,
                      const std::optional<Object>& values) {
  Argument<std::vector<float>> list;
  list.Read((values ? *values : values_or_count).get());
  const int count = values ? static_cast<int>(ReadInteger(values_or_count.get())) : CountOf(list.value);
  if (count > CountOf(list.value)) return ACL_ERROR_INVALID_PARAM;
  return aclopSetAttrListFloat(attr, name, count, list.value.data());
}

aclError SetListString(aclopAttr* attr, const char* name, std::vector<const char*>& values) {
  return aclopSetAttrListString(attr, name, CountOf(values), values.data());
}

aclError SetListListInt(aclopAttr* attr, const char* name,
                        const std::vector<std::vector<std::int64_t>>& lists) {
  std::vector<int> counts;
  std::vector<const std::int64_t*> values;
  for (const std::vector<std::int64_t>& list : lists) {
    counts.push_back(CountOf(list));
    values.push_back(list.data());
  }
  return aclopSetAttrListListInt(attr, name, CountOf(lists), counts.data(), values.data());
}

aclError SetListDataType(aclopAttr* attr, const char* name, const std::vector<aclDataType>& values) {
  return aclopSetAttrListDataType(attr, name, CountOf(values), values.data());
}

aclError Execute(const char* type, const Descs& in_descs, const Buffers& inputs, const Descs& out_descs,
                 const Buffers& outputs, const aclopAttr* attr, aclrtStream stream) {
  if (!Fit(in_descs, inputs) || !Fit(out_descs, outputs)) return ACL_ERROR_INVALID_PARAM;
  return aclopExecute(type, CountOf(inputs), in_descs.data(), inputs.data(), CountOf(outputs),
                      out_descs.data(), outputs.data(), attr, stream);
}

aclError ExecuteV2(const char* type, Descs& in_descs, Buffers& inputs, Descs& out_descs, Buffers& outputs,
                   aclopAttr* attr, aclrtStream stream) {
  if (!Fit(in_descs, inputs) || !Fit(out_descs, outputs)) return ACL_ERROR_INVALID_PARAM;
  return aclopExecuteV2(type, CountOf(inputs), in_descs.data(), inputs.data(), CountOf(outputs),
                        out_descs.data(), outputs.data(), attr, stream);
}

aclError CreateHandle(const char* type, const Descs& in_descs, const Descs& out_descs, const aclopAttr* attr,
                      aclopHandle** handle) {
  return aclopCreateHandle(type, CountOf(in_descs), in_descs.data(), CountOf(out_descs), out_descs.data(),
                           attr, handle);
}

aclError ExecuteHandle(aclopHandle* handle, const Buffers& inputs, const Buffers& outputs,
                       aclrtStream stream) {
  return aclopExecWithHandle(handle, CountOf(inputs), inputs.data(), CountOf(outputs), outputs.data(),
                             stream);
}

aclError InferShape(const char* type, Descs& in_descs, Buffers& inputs, std::size_t count, Descs& out_descs,
                    aclopAttr* attr) {
  if (!Fit(in_descs, inputs) || count > out_descs.size()) return ACL_ERROR_INVALID_PARAM;
  return aclopInferShape(type, CountOf(inputs), in_descs.data(), inputs.data(), static_cast<int>(count),
                         out_descs.data(), attr);
}

aclError UpdateParams(const char* type, const Descs& in_descs, const Descs& out_descs,
                      const aclopAttr* attr) {
  return aclopUpdateParams(type, CountOf(in_descs), in_descs.data(), CountOf(out_descs), out_descs.data(),
                           attr);
}

aclError Compile(const char* type, const Descs& in_descs, const Descs& out_descs, const aclopAttr* attr,
                 aclopEngineType engine, aclopCompileType flag, const char* path) {
  return aclopCompile(type, CountOf(in_descs), in_descs.data(), CountOf(out_descs), out_descs.data(), attr,
                      engine, flag, path);
}

aclError SetWorkspaceSizes(aclopKernelDesc* kernel, std::vector<std::size_t>& sizes) {
  return aclopSetKernelWorkspaceSizes(kernel, CountOf(sizes), sizes.data());
}

aclError CreateKernel(const char* type, const char* kernel_id, const char* kernel_name, void* binary,
                      int size, aclopEngineType engine) {
  return aclopCreateKernel(type, kernel_id, kernel_name, binary, size, engine, nullptr);
}

// C does not tell a compile function for which operator it was called, so each registered one has a C
// function of its own.
constexpr std::size_t kCompileFunctions = 16;

struct CompileFunction {
  std::string type;
  Object function;
};

std::array<CompileFunction, kCompileFunctions>& CompileTable() {
  static auto& table = *new std::array<CompileFunction, kCompileFunctions>();
  return table;
}

std::vector<std::uintptr_t> Addresses(int count, const aclTensorDesc* const* descs) {
  std::vector<std::uintptr_t> addresses;
  for (int i = 0; i < count; ++i)
    addresses.push_back(reinterpret_cast<std::uintptr_t>(descs[i]));
  return addresses;
}

template <std::size_t kIndex>
aclError OnCompile(int in_count, const aclTensorDesc* const* in_descs, int out_count,
                   const aclTensorDesc* const* out_descs, const aclopAttr* attr, aclopKernelDesc* kernel) {
  aclError code = ACL_ERROR_FAILURE;
  InPython([&] {
    const Object function = CompileTable()[kIndex].function;  // which may take itself back
    const Object result = Object::Steal(
        PyObject_CallFunctionObjArgs(function.get(), ToPython(Addresses(in_count, in_descs)).get(),
                                     ToPython(Addresses(out_count, out_descs)).get(), ToPython(attr).get(),
                                     ToPython(kernel).get(), nullptr));
    code = result.get() == Py_None ? ACL_SUCCESS : static_cast<aclError>(ReadInteger(result.get()));
  });
  return code;
}

template <std::size_t... kIndex>
constexpr std::array<aclopCompileFunc, sizeof...(kIndex)> MakeCompileFunctions(
    std::index_sequence<kIndex...>) {
  return {OnCompile<kIndex>...};
}

aclError RegisterCompile(const char* type, Object function) {
  static constexpr auto kFunctions = MakeCompileFunctions(std::make_index_sequence<kCompileFunctions>());
  CheckCallable(function);
  for (std::size_t i = 0; i < kCompileFunctions; ++i) {
    CompileFunction& entry = CompileTable()[i];
    if (entry.function && entry.type != type) continue;
    const aclError code = WithoutGil([&] { return aclopRegisterCompileFunc(type, kFunctions[i]); });
    if (code == ACL_SUCCESS) entry = {type, function};
    return code;
  }
  return ACL_ERROR_STORAGE_OVER_LIMIT;
}

aclError UnregisterCompile(const char* type) {
  const aclError code = WithoutGil([&] { return aclopUnregisterCompileFunc(type); });
  for (CompileFunction& entry : CompileTable())
    if (code == ACL_SUCCESS && entry.type == type) entry = {};
  return code;
}

const Function kOperatorsFunctions[] = {
    Bind<aclopSetModelDir>("set_model_dir", "path -> ret", "Where prepared operators are."),
    Bind<aclopLoad>("load", "ptr, size -> ret", "Loads a prepared operator."),
    Bind<aclopSetMaxOpQueueNum>("set_max_op_queue_num", "count -> ret",
                                "How many prepared operators to keep."),
    BindQuick<aclopCreateAttr>("create_attr", "-> attr", "Makes a set of attributes."),
    BindQuick<aclopDestroyAttr>("destroy_attr", "attr -> None", "Forgets it."),
    BindQuick<aclopSetAttrBool>("set_attr_bool", "attr, name, value -> ret", "Sets an attribute."),
    BindQuick<aclopSetAttrInt>("set_attr_int", "attr, name, value -> ret", "Sets an attribute."),
    BindQuick<aclopSetAttrFloat>("set_attr_float", "attr, name, value -> ret", "Sets an attribute."),
    BindQuick<aclopSetAttrString>("set_attr_string", "attr, name, value -> ret", "Sets an attribute."),
    BindQuick<aclopSetAttrDataType>("set_attr_data_type", "attr, name, value -> ret", "Sets an attribute."),
    BindQuick<SetListBool>("set_attr_list_bool", "attr, name, values -> ret", "Sets an attribute.",
                           "aclopSetAttrListBool"),
    BindQuick<SetListInt>("set_attr_list_int", "attr, name, values -> ret", "Sets an attribute.",
                          "aclopSetAttrListInt"),
    BindQuick<SetListFloat>("set_attr_list_float", "attr, name, values_or_count, values -> ret",
                            "Sets an attribute: the values, or their number and the values.",
                            "aclopSetAttrListFloat"),
    BindQuick<SetListString>("set_attr_list_string", "attr, name, values -> ret", "Sets an attribute.",
                             "aclopSetAttrListString"),
    BindQuick<SetListListInt>("set_attr_list_list_int", "attr, name, values -> ret", "Sets an attribute.",
                              "aclopSetAttrListListInt"),
    BindQuick<SetListDataType>("set_attr_list_data_type", "attr, name, values -> ret", "Sets an attribute.",
                               "aclopSetAttrListDataType"),
    Bind<Execute>("execute", "type, in_descs, inputs, out_descs, outputs, attr, stream -> ret",
                  "Runs an operator whose shapes were prepared.", "aclopExecute"),
    Bind<ExecuteV2>("execute_v2", "type, in_descs, inputs, out_descs, outputs, attr, stream -> ret",
                    "Runs an operator on a stream, and writes the shapes of its outputs.", "aclopExecuteV2"),
    Bind<CreateHandle>("create_handle", "type, in_descs, out_descs, attr -> handle, ret",
                       "Prepares an operator for many runs.", "aclopCreateHandle"),
    Bind<aclopDestroyHandle>("destroy_handle", "handle -> None", "Forgets it."),
    Bind<ExecuteHandle>("execute_with_handle", "handle, inputs, outputs, stream -> ret", "Runs it.",
                        "aclopExecWithHandle"),
    Bind<aclopCast>("cast", "src_desc, src, dst_desc, dst, truncate, stream -> ret",
                    "Converts the element type."),
    Bind<aclopCreateHandleForCast>("create_handle_for_cast", "src_desc, dst_desc, truncate -> handle, ret",
                                   "Prepares a cast for many runs."),
    Bind<InferShape>("infer_shape", "type, in_descs, inputs, out_count, out_descs, attr -> ret",
                     "Writes the shapes of the outputs.", "aclopInferShape"),
    Bind<UpdateParams>("update_params", "type, in_descs, out_descs, attr -> ret",
                       "Prepares an operator again for other shapes.", "aclopUpdateParams"),
    Bind<Compile>("compile", "type, in_descs, out_descs, attr, engine, flag, path -> ret",
                  "Prepares an operator.", "aclopCompile"),
    BindQuick<RegisterCompile>("register_compile_func", "type, fn -> ret",
                               "fn(in_descs, out_descs, attr, kernel_desc) chooses a kernel.",
                               "aclopRegisterCompileFunc"),
    BindQuick<UnregisterCompile>("unregister_compile_func", "type -> ret", "Takes that back.",
                                 "aclopUnregisterCompileFunc"),
    Bind<CreateKernel>("create_kernel", "type, kernel_id, kernel_name, ptr, size, engine -> ret",
                       "Adds a kernel binary.", "aclopCreateKernel"),
    Bind<aclopSetKernelArgs>("set_kernel_args", "kernel_desc, kernel_id, blocks, args, size -> ret",
                             "Sets the arguments of a kernel."),
    Bind<SetWorkspaceSizes>("set_kernel_workspace_sizes", "kernel_desc, sizes -> ret",
                            "Gives a kernel memory for its work.", "aclopSetKernelWorkspaceSizes"),
    Bind<aclopStartDumpArgs>("start_dump_args", "type, path -> ret",
                             "Starts to dump arguments of operators."),
    Bind<aclopStopDumpArgs>("stop_dump_args", "type -> ret", "Ends that."),
};

}  // namespace

std::span<const Function> OperatorFunctions() {
  return kOperatorsFunctions;
}

}  // namespace foothold
