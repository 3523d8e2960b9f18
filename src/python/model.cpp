// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "acl/acl_mdl.h"
#include "python/chapters.h"

namespace foothold {
namespace {

// Python says the id last but one.
aclError LoadFileWithMemory(const char* path, void* work, std::size_t work_size, void* weight,
                            std::size_t weight_size, std::uint32_t* id) {
  return aclmdlLoadFromFileWithMem(path, id, work, work_size, weight, weight_size);
}

aclError LoadMemoryWithMemory(const void* model, std::size_t size, void* work, std::size_t work_size,
                              void* weight, std::size_t weight_size, std::uint32_t* id) {
  return aclmdlLoadFromMemWithMem(model, size, id, work, work_size, weight, weight_size);
}

// Attributes are read in the type C gives them: a text, 32 bits or the width of an address.
bool IsNarrow(aclmdlConfigAttr attribute) {
  return attribute == ACL_MDL_PRIORITY_INT32 || attribute == ACL_MDL_WITHOUT_GRAPH_INT32;
}

aclError SetLoadOption(aclmdlConfigHandle* handle, aclmdlConfigAttr attribute, Object value) {
  if (PyUnicode_Check(value.get())) {
    const char* const text = ReadText(value.get());
    return aclmdlSetConfigOpt(handle, attribute, &text, sizeof text);
  }
  const std::uint64_t bits = ReadInteger(value.get());
  return aclmdlSetConfigOpt(handle, attribute, &bits,
                            IsNarrow(attribute) ? sizeof(std::int32_t) : sizeof bits);
}

bool IsNarrow(aclmdlExecConfigAttr attribute) {
  return attribute == ACL_MDL_STREAM_SYNC_TIMEOUT || attribute == ACL_MDL_EVENT_SYNC_TIMEOUT ||
         attribute == ACL_MDL_EXEC_PRIORITY_INT32;
}

aclError SetRunOption(aclmdlExecConfigHandle* handle, aclmdlExecConfigAttr attribute, std::uint64_t value) {
  return aclmdlSetExecConfigOpt(handle, attribute, &value,
                                IsNarrow(attribute) ? sizeof(std::int32_t) : sizeof value);
}

// Python gives the data set back.
aclError AddBuffer(aclmdlDataset* dataset, aclDataBuffer* buffer, aclmdlDataset** result) {
  *result = dataset;
  return aclmdlAddDatasetBuffer(dataset, buffer);
}

aclError SetTensorDesc(aclmdlDataset* dataset, aclTensorDesc* desc, std::size_t index,
                       aclmdlDataset** result) {
  *result = dataset;
  return aclmdlSetDatasetTensorDesc(dataset, desc, index);
}

const Function kModelFunctions[] = {
    Bind<aclmdlQuerySize>("query_size", "path -> work_size, weight_size, ret", "The memory a model needs."),
    Bind<aclmdlQuerySizeFromMem>("query_size_from_mem", "ptr, size -> work_size, weight_size, ret",
                                 "The memory a model needs."),
    Bind<aclmdlLoadFromFile>("load_from_file", "path -> model_id, ret", "Loads a model."),
    Bind<aclmdlLoadFromMem>("load_from_mem", "ptr, size -> model_id, ret",
                            "Loads a model that is in memory."),
    Bind<LoadFileWithMemory>("load_from_file_with_mem",
                             "path, work_ptr, work_size, weight_ptr, weight_size -> model_id, ret",
                             "Loads a model into memory of the program.", "aclmdlLoadFromFileWithMem"),
    Bind<LoadMemoryWithMemory>("load_from_mem_with_mem",
                               "ptr, size, work_ptr, work_size, weight_ptr, weight_size -> model_id, ret",
                               "The same for a model that is in memory.", "aclmdlLoadFromMemWithMem"),
    BindQuick<aclmdlCreateConfigHandle>("create_config_handle", "-> handle",
                                        "Starts a description of a load."),
    BindQuick<aclmdlDestroyConfigHandle>("destroy_config_handle", "handle -> ret", "Forgets it."),
    BindQuick<SetLoadOption>("set_config_opt", "handle, attribute, value -> ret",
                             "Sets one attribute: an int, or a str for paths.", "aclmdlSetConfigOpt"),
    Bind<aclmdlLoadWithConfig>("load_with_config", "handle -> model_id, ret", "Loads as described."),
    Bind<aclmdlUnload>("unload", "model_id -> ret", "Unloads a model."),
    Bind<aclmdlBundleLoadFromFile>("bundle_load_from_file", "path -> bundle_id, ret",
                                   "Loads several models."),
    Bind<aclmdlBundleLoadFromMem>("bundle_load_from_mem", "ptr, size -> bundle_id, ret",
                                  "Loads several models."),
    Bind<aclmdlBundleGetModelNum>("bundle_get_model_num", "bundle_id -> count, ret", "How many they are."),
    Bind<aclmdlBundleGetModelId>("bundle_get_model_id", "bundle_id, index -> model_id, ret", "One of them."),
    Bind<aclmdlBundleUnload>("bundle_unload", "bundle_id -> ret", "Unloads them."),
    BindQuick<aclmdlCreateDataset>("create_dataset", "-> dataset", "Makes a list of buffers."),
    BindQuick<aclmdlDestroyDataset>("destroy_dataset", "dataset -> ret",
                                    "Forgets the list, not the buffers."),
    BindQuick<AddBuffer>("add_dataset_buffer", "dataset, buffer -> dataset, ret",
                         "Adds a buffer to the list.", "aclmdlAddDatasetBuffer"),
    BindQuick<aclmdlGetDatasetNumBuffers>("get_dataset_num_buffers", "dataset -> count",
                                          "Buffers of the list."),
    BindQuick<aclmdlGetDatasetBuffer>("get_dataset_buffer", "dataset, index -> buffer", "One of them, or 0."),
    BindQuick<SetTensorDesc>("set_dataset_tensor_desc", "dataset, desc, index -> dataset, ret",
                             "Says what is in a buffer.", "aclmdlSetDatasetTensorDesc"),
    BindQuick<aclmdlGetDatasetTensorDesc>("get_dataset_tensor_desc", "dataset, index -> desc",
                                          "What is in a buffer."),
    Bind<aclmdlExecute>("execute", "model_id, input, output -> ret", "Runs a model and waits for it."),
    Bind<aclmdlExecuteAsync>("execute_async", "model_id, input, output, stream -> ret",
                             "Runs it on a stream."),
    BindQuick<aclmdlCreateExecConfigHandle>("create_exec_config_handle", "-> handle",
                                            "Starts a description of a run."),
    BindQuick<aclmdlDestroyExecConfigHandle>("destroy_exec_config_handle", "handle -> ret", "Forgets it."),
    BindQuick<SetRunOption>("set_exec_config_opt", "handle, attribute, value -> ret", "Sets one attribute.",
                            "aclmdlSetExecConfigOpt"),
    Bind<aclmdlExecuteV2>("execute_v2", "model_id, input, output, stream, handle -> ret",
                          "Runs it on a stream as described, and waits."),
    Bind<aclmdlExecuteAsyncV2>("execute_async_v2", "model_id, input, output, stream, handle -> ret",
                               "Runs it on a stream as described."),
};

}  // namespace

std::span<const Function> ModelFunctions() {
  return kModelFunctions;
}

}  // namespace foothold
