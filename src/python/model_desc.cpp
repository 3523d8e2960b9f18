// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "acl/acl_mdl.h"
#include "python/chapters.h"
#include "python/structures.h"
#include "python/text_room.h"

namespace foothold {
namespace {

aclError GetDynamicDims(const aclmdlDesc* desc, std::size_t index, std::size_t count,
                        std::vector<aclmdlIODims>* gears) {
  gears->resize(std::min<std::size_t>(count, ACL_MAX_SHAPE_COUNT));
  const aclError code = aclmdlGetInputDynamicDims(desc, index, gears->data(), gears->size());
  if (code != ACL_SUCCESS) gears->clear();
  return code;
}

aclError CreateOpDesc(std::uint32_t device_id, std::uint32_t stream_id, std::uint32_t task_id,
                      std::size_t length, std::string* name, aclTensorDesc** inputs, std::size_t* input_count,
                      aclTensorDesc** outputs, std::size_t* output_count) {
  return TextInRoom(length, name, [&](char* room, std::size_t size) {
    return aclmdlCreateAndGetOpDesc(device_id, stream_id, task_id, room, size, inputs, input_count, outputs,
                                    output_count);
  });
}

const Function kModelDescFunctions[] = {
    BindQuick<aclmdlCreateDesc>("create_desc", "-> desc", "Makes an empty description of a model."),
    BindQuick<aclmdlDestroyDesc>("destroy_desc", "desc -> ret", "Forgets it."),
    Bind<aclmdlGetDesc>("get_desc", "desc, model_id -> ret", "Describes a model that is loaded."),
    Bind<aclmdlGetDescFromFile>("get_desc_from_file", "desc, path -> ret", "Describes a model in a file."),
    Bind<aclmdlGetDescFromMem>("get_desc_from_mem", "desc, ptr, size -> ret", "Describes a model in memory."),
    BindQuick<aclmdlGetNumInputs>("get_num_inputs", "desc -> count", "How many inputs."),
    BindQuick<aclmdlGetInputNameByIndex>("get_input_name_by_index", "desc, index -> name",
                                         "Name of an input."),
    BindQuick<aclmdlGetInputIndexByName>("get_input_index_by_name", "desc, name -> index, ret",
                                         "The input of a name."),
    BindQuick<aclmdlGetInputSizeByIndex>("get_input_size_by_index", "desc, index -> size",
                                         "Bytes of an input."),
    BindQuick<aclmdlGetInputFormat>("get_input_format", "desc, index -> format", "Format of an input."),
    BindQuick<aclmdlGetInputDataType>("get_input_data_type", "desc, index -> data_type", "Type of an input."),
    BindQuick<aclmdlGetInputDims>("get_input_dims", "desc, index -> dims, ret",
                                  "Shape of an input: name, dimCount, dims. -1 is open."),
    BindQuick<aclmdlGetInputDimsV2>("get_input_dims_v2", "desc, index -> dims, ret",
                                    "Shape of an input as it is before preprocessing."),
    BindQuick<aclmdlGetInputDimsRange>("get_input_dims_range", "desc, index -> range, ret",
                                       "The least and the greatest shape."),
    BindQuick<aclmdlGetNumOutputs>("get_num_outputs", "desc -> count", "How many outputs."),
    BindQuick<aclmdlGetOutputNameByIndex>("get_output_name_by_index", "desc, index -> name",
                                          "Name of an output."),
    BindQuick<aclmdlGetOutputIndexByName>("get_output_index_by_name", "desc, name -> index, ret",
                                          "The output of a name."),
    BindQuick<aclmdlGetOutputSizeByIndex>("get_output_size_by_index", "desc, index -> size",
                                          "Bytes of an output."),
    BindQuick<aclmdlGetOutputFormat>("get_output_format", "desc, index -> format", "Format of an output."),
    BindQuick<aclmdlGetOutputDataType>("get_output_data_type", "desc, index -> data_type",
                                       "Type of an output."),
    BindQuick<aclmdlGetOutputDims>("get_output_dims", "desc, index -> dims, ret", "Shape of an output."),
    BindQuick<aclmdlGetCurOutputDims>("get_cur_output_dims", "desc, index -> dims, ret",
                                      "Shape of an output for the gear that was set."),
    BindQuick<aclmdlGetTensorRealName>("get_tensor_real_name", "desc, name -> real_name",
                                       "The name that was too long, or that has an alias."),
    BindQuick<aclmdlGetOpAttr>("get_op_attr", "desc, op_name, attribute -> value",
                               "An attribute of an operator."),
    Bind<CreateOpDesc>("create_and_get_op_desc",
                       "device_id, stream_id, task_id, name_length -> name, inputs, input_count, outputs, "
                       "output_count, ret",
                       "Describes the operator of a task.", "aclmdlCreateAndGetOpDesc"),
    BindQuick<aclmdlGetDynamicBatch>("get_dynamic_batch", "desc -> batch, ret",
                                     "Batch sizes to choose from: batchCount, batch."),
    Bind<aclmdlSetDynamicBatchSize>("set_dynamic_batch_size", "model_id, dataset, index, batch -> ret",
                                    "Chooses one for the next run."),
    BindQuick<aclmdlGetDynamicHW>("get_dynamic_hw", "desc, index -> hw, ret",
                                  "Image sizes to choose from: hwCount, hw. index is -1."),
    Bind<aclmdlSetDynamicHWSize>("set_dynamic_hw_size", "model_id, dataset, index, height, width -> ret",
                                 "Chooses one for the next run."),
    BindQuick<aclmdlGetInputDynamicGearCount>("get_input_dynamic_gear_count", "desc, index -> count, ret",
                                              "How many shapes there are to choose from. index is -1."),
    BindQuick<GetDynamicDims>("get_input_dynamic_dims", "desc, index, count -> dims, ret",
                              "Shapes to choose from, of all inputs together. index is -1.",
                              "aclmdlGetInputDynamicDims"),
    Bind<aclmdlSetInputDynamicDims>("set_input_dynamic_dims", "model_id, dataset, index, dims -> ret",
                                    "Chooses one for the next run: dimCount, name, dims."),
};

}  // namespace

std::span<const Function> ModelDescFunctions() {
  return kModelDescFunctions;
}

}  // namespace foothold
