// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The flags of `atc` by what becomes of them; for flags.cpp.
#pragma once

namespace foothold::atc {

struct OptionFlag {
  const char* flag;
  const char* option;  // of aclgrphBuildModel
  const char* help;
  bool of_models = true;  // says nothing to single operators
};
constexpr OptionFlag kOptionFlags[] = {
    {"input_shape", "input_shape", "Shapes of inputs: \"image:1,3,224,224;mask:-1,8\", ranges as 1~8"},
    {"input_format", "input_format", "Layout of inputs that say none: NCHW, NHWC (not of ONNX), ND"},
    {"dynamic_batch_size", "ge.dynamicBatchSize", "Gears for open batches: \"1,2,4\""},
    {"dynamic_image_size", "ge.dynamicImageSize", "Gears for open heights and widths: \"224,224;448,448\""},
    {"dynamic_dims", "ge.dynamicDims", "Gears for all open dimensions: \"1,8;4,16\""},
    {"output_type", "ge.outputDatatype", "Element type of outputs: FP16, or \"node:0:FP16;node:1:FP32\""},
    {"out_nodes", "ge.outputNodeName", "Outputs instead of the model's own: \"node:0;node:1\""},
    {"input_fp16_nodes", "ge.INPUT_NODES_SET_FP16", "Inputs that are given in half precision: \"a;b\""},
    {"insert_op_conf", "ge.insertOpFile", "File that says how pictures become inputs (AIPP)"},
    {"precision_mode", "ge.exec.precision_mode", "Kept in the model; operators compute in its types", false},
    {"precision_mode_v2", "ge.exec.precision_mode_v2", "The same in its newer spelling", false},
    {"soc_version", "ge.socVersion", "Kept in the model; any name will do", false}};

// At most one of these.
constexpr const char* kGearFlags[] = {"dynamic_batch_size", "dynamic_image_size", "dynamic_dims"};

struct RefusedFlag {
  const char* flag;
  const char* why;
};
constexpr RefusedFlag kRefusedFlags[] = {
    {"is_input_adjust_hw_layout", "asks for inputs in a layout that only the original hardware has"},
    {"is_output_adjust_hw_layout", "asks for outputs in a layout that only the original hardware has"},
    {"input_shape_range", "is the older spelling; write ranges into --input_shape: \"image:1~8,3\""},
    {"weight", "belongs to Caffe models; convert the model to ONNX"}};

// These steer the compiler, kernels, caches or tuning of the original hardware.
constexpr const char* kHardwareFlags[] = {"ac_parallel_enable",
                                          "aicore_num",
                                          "allow_hf32",
                                          "atomic_clean_policy",
                                          "auto_tune_mode",
                                          "buffer_optimize",
                                          "check_report",
                                          "cluster_config",
                                          "compress_weight_conf",
                                          "compression_optimize_conf",
                                          "core_type",
                                          "customize_dtypes",
                                          "debug_dir",
                                          "deterministic",
                                          "disable_reuse_memory",
                                          "display_model_info",
                                          "dump_mode",
                                          "enable_compress_weight",
                                          "enable_scope_fusion_passes",
                                          "enable_single_stream",
                                          "enable_small_channel",
                                          "exclude_engines",
                                          "external_weight",
                                          "fusion_switch_file",
                                          "host_env_cpu",
                                          "host_env_os",
                                          "keep_dtype",
                                          "mdl_bank_path",
                                          "modify_mixlist",
                                          "op_bank_path",
                                          "op_bank_update",
                                          "op_compiler_cache_dir",
                                          "op_compiler_cache_mode",
                                          "op_debug_config",
                                          "op_debug_level",
                                          "op_name_map",
                                          "op_precision_mode",
                                          "op_select_implmode",
                                          "optypelist_for_implmode",
                                          "performance_mode",
                                          "quant_dumpable",
                                          "save_original_model",
                                          "shape_generalized_build_mode",
                                          "sparsity",
                                          "status_check",
                                          "tiling_schedule_optimize",
                                          "virtual_type"};

}  // namespace foothold::atc
