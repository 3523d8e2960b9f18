// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Types and option names of sessions, of offline compilation and of parsers.
#ifndef FOOTHOLD_GE_GE_API_TYPES_H_
#define FOOTHOLD_GE_GE_API_TYPES_H_

#include <stdint.h>

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "ge/ge_api_error_codes.h"
#include "graph/tensor.h"
#include "graph/types.h"

#ifndef GE_API_TYPES_DEF
#define GE_API_TYPES_DEF
#endif

namespace gert {
class Tensor;
}

namespace ge {

using RunAsyncCallback   = std::function<void(Status, std::vector<ge::Tensor>&)>;
using RunAsyncCallbackV2 = std::function<void(Status, std::vector<gert::Tensor>&)>;

enum GraphRunMode : std::int32_t {
  PREDICTION = 0,
  TRAIN      = 1,
};

enum class MemoryType : std::int64_t {
  MEMORY_TYPE_DEFAULT = 0,
  MEMORY_TYPE_P2P     = 1,
};

struct InputTensorInfo {
  uint32_t data_type;
  std::vector<int64_t> dims;
  void* data;
  int64_t length;
};

struct OutputTensorInfo {
  uint32_t data_type;
  std::vector<int64_t> dims;
  std::unique_ptr<uint8_t[]> data;
  int64_t length;

  OutputTensorInfo() : data_type(0), length(0) {}
  OutputTensorInfo(OutputTensorInfo&& out) noexcept = default;
  OutputTensorInfo& operator=(OutputTensorInfo&& out) & noexcept {
    data_type = out.data_type;
    dims      = std::move(out.dims);
    data      = std::move(out.data);
    length    = out.length;
    return *this;
  }
  OutputTensorInfo(const OutputTensorInfo&)              = delete;
  OutputTensorInfo& operator=(const OutputTensorInfo&) & = delete;
};

// Options of GEInitialize, of sessions and of graphs.

constexpr const char_t* AC_PARALLEL_ENABLE                        = "ac_parallel_enable";
constexpr const char_t* AICORE_NUM                                = "ge.aicoreNum";
constexpr const char_t* ALLOW_HF32                                = "ge.exec.allow_hf32";
constexpr const char_t* ATOMIC_CLEAN_POLICY                       = "ge.exec.atomicCleanPolicy";
constexpr const char_t* ATTR_MODEL_FILE_NAME_PREFIX               = "ge.modelFileNamePrefix";
constexpr const char_t* AUTO_TUNE_MODE                            = "ge.autoTuneMode";
constexpr const char_t* BUFFER_OPTIMIZE                           = "ge.bufferOptimize";
constexpr const char_t* BUILD_INNER_MODEL                         = "ge.build_inner_model";
constexpr const char_t* CALIBRATION_CONF_FILE                     = "ge.calibrationConfFile";
constexpr const char_t* CERT_FILE                                 = "ge.certFile";
constexpr const char_t* CLUSTER_CONFIG                            = "ge.cluster_config";
constexpr const char_t* COMPRESSION_OPTIMIZE_CONF                 = "ge.compressionOptimizeConf";
constexpr const char_t* COMPRESS_FLAG                             = "ge.compressFlag";
constexpr const char_t* COMPRESS_WEIGHT_CONF                      = "compress_weight_conf";
constexpr const char_t* CORE_TYPE                                 = "ge.engineType";
constexpr const char_t* CUSTOMIZE_DTYPES                          = "ge.customizeDtypes";
constexpr const char_t* DDK_VERSION_FLAG                          = "ge.DDK_version";
constexpr const char_t* DEBUG_DIR                                 = "ge.debugDir";
constexpr const char_t* DETERMINISTIC                             = "ge.deterministic";
constexpr const char_t* DETERMINISTIC_LEVEL                       = "ge.deterministicLevel";
constexpr const char_t* DISPLAY_MODEL_INFO                        = "ge.display_model_info";
constexpr const char_t* DISTRIBUTED_CLUSTER_BUILD                 = "ge.distributed_cluster_build";
constexpr const char_t* DYNAMIC_NODE_TYPE                         = "ge.dynamicNodeType";
constexpr const char_t* EK_FILE                                   = "ge.ekFile";
constexpr const char_t* ENABLE_COMPRESS_WEIGHT                    = "ge.enableCompressWeight";
constexpr const char_t* ENABLE_GRAPH_PARALLEL                     = "ge.enableGraphParallel";
constexpr const char_t* ENABLE_PRINT_OP_PASS                      = "ge.enablePrintOpPass";
constexpr const char_t* ENABLE_SINGLE_STREAM                      = "ge.enableSingleStream";
constexpr const char_t* ENABLE_SMALL_CHANNEL                      = "ge.enableSmallChannel";
constexpr const char_t* ENABLE_SPARSE_MATRIX_WEIGHT               = "ge.enableSparseMatrixWeight";
constexpr const char_t* ENCRYPT_MODE                              = "ge.encryptMode";
constexpr const char_t* EVENT                                     = "ge.event";
constexpr const char_t* EXCLUDE_ENGINES                           = "ge.exec.exclude_engines";
constexpr const char_t* EXTERNAL_WEIGHT                           = "ge.externalWeight";
constexpr const char_t* FILE_CONSTANT_PATH                        = "ge.exec.value_bins";
constexpr const char_t* FRAMEWORK_TYPE                            = "ge.frameworkType";
constexpr const char_t* FUSION_SWITCH_FILE                        = "ge.fusionSwitchFile";
constexpr const char_t* FUSION_TENSOR_SIZE                        = "ge.fusionTensorSize";
constexpr const char_t* GE_AICPU_FLAG                             = "ge.aicpuFlag";
constexpr const char_t* GE_FE_FLAG                                = "ge.feFlag";
constexpr const char_t* GRAPH_MAX_PARALLEL_MODEL_NUM              = "ge.graphMaxParallelModelNum";
constexpr const char_t* GRAPH_MEMORY_MAX_SIZE                     = "ge.graphMemoryMaxSize";
constexpr const char_t* GRAPH_PARALLEL_OPTION_PATH                = "ge.graphParallelOptionPath";
constexpr const char_t* HCCL_SUB_COMM_CONFIG                      = "ge.hccl_sub_comm_config";
constexpr const char_t* HCOM_MULTI_MODE                           = "ge.hcomMultiMode";
constexpr const char_t* HCOM_PARALLEL                             = "ge.hcomParallel";
constexpr const char_t* HEAD_STREAM                               = "ge.headStream";
constexpr const char_t* HW_KEY_FILE                               = "ge.hwKeyFile";
constexpr const char_t* INPUT_FORMAT                              = "input_format";
constexpr const char_t* INPUT_FP16_NODES                          = "ge.INPUT_NODES_SET_FP16";
constexpr const char_t* INPUT_HINT_SHAPE                          = "ge.inputHintShape";
constexpr const char_t* INPUT_HINT_VALUE                          = "ge.inputHintValue";
constexpr const char_t* INPUT_SHAPE                               = "ge.inputShape";
constexpr const char_t* INPUT_SHAPE_RANGE                         = "input_shape_range";
constexpr const char_t* INSERT_OP_FILE                            = "ge.insertOpFile";
constexpr const char_t* JIT_COMPILE                               = "ge.jit_compile";
constexpr const char_t* L1_FUSION                                 = "ge.l1Fusion";
constexpr const char_t* LOCAL_FMKOP_FLAG                          = "ge.enabledLocalFmkop";
constexpr const char_t* MDL_BANK_PATH_FLAG                        = "ge.mdl_bank_path";
constexpr const char_t* MEMORY_OPTIMIZATION_POLICY                = "ge.exec.memoryOptimizationPolicy";
constexpr const char_t* MODEL_RELATION_CONFIG                     = "ge.offline_model_relation";
constexpr const char_t* MODIFY_MIXLIST                            = "ge.exec.modify_mixlist";
constexpr const char_t* OO_CONSTANT_FOLDING                       = "ge.oo.constantFolding";
constexpr const char_t* OO_DEAD_CODE_ELIMINATION                  = "ge.oo.deadCodeElimination";
constexpr const char_t* OO_LEVEL                                  = "ge.oo.level";
constexpr const char_t* OPTIMIZATION_SWITCH                       = "ge.optimizationSwitch";
constexpr const char_t* OPTION_ALLOW_MULTI_GRAPH_PARALLEL_COMPILE = "ge.AllowMultiGraphParallelCompile";
constexpr const char_t* OPTION_ALL_TENSOR_NOT_EMPTY               = "ge.exec.allTensorNotEmpty";
constexpr const char_t* OPTION_AOE_CONFIG_FILE                    = "ge.aoe_config_file";
constexpr const char_t* OPTION_AUTO_MULTISTREAM_PARALLEL_MODE     = "ge.autoMultistreamParallelMode";
constexpr const char_t* OPTION_BUILD_CONFIG                       = "ge.buildConfig";
constexpr const char_t* OPTION_CONST_LIFECYCLE                    = "ge.constLifecycle";
constexpr const char_t* OPTION_DATAFLOW_DEPLOY_INFO_PATH        = "ge.experiment.data_flow_deploy_info_path";
constexpr const char_t* OPTION_DEVICE_TYPE                      = "ge.deviceType";
constexpr const char_t* OPTION_DISABLE_OPTIMIZATIONS            = "ge.disableOptimizations";
constexpr const char_t* OPTION_DISTRIBUTE_CONFIG                = "distribute_config";
constexpr const char_t* OPTION_EMBEDDING_DIM                    = "ge.embedding_dim";
constexpr const char_t* OPTION_ES_CLUSTER_CONFIG                = "ge.esClusterConfig";
constexpr const char_t* OPTION_ES_MAX_REMOTEOP_NUM_PER_STREAM   = "es_max_remoteop_num_per_stream";
constexpr const char_t* OPTION_EXECUTE_TIMES                    = "execute_times";
constexpr const char_t* OPTION_EXEC_ATOMIC_FLAG                 = "ge.exec.enable_atomic";
constexpr const char_t* OPTION_EXEC_CLUSTER_SPEC                = "ge.exec.clusterSpec";
constexpr const char_t* OPTION_EXEC_CM_CHIEF_DEVICE             = "ge.cmChiefWorkerDevice";
constexpr const char_t* OPTION_EXEC_CM_CHIEF_IP                 = "ge.cmChiefIp";
constexpr const char_t* OPTION_EXEC_CM_CHIEF_PORT               = "ge.cmChiefPort";
constexpr const char_t* OPTION_EXEC_CM_WORKER_IP                = "ge.cmWorkerIp";
constexpr const char_t* OPTION_EXEC_CM_WORKER_SIZE              = "ge.cmWorkerSize";
constexpr const char_t* OPTION_EXEC_DATA_INPUTS_SHAPE_RANGE     = "ge.exec.dataInputsShapeRange";
constexpr const char_t* OPTION_EXEC_DEPLOY_MODE                 = "ge.exec.deployMode";
constexpr const char_t* OPTION_EXEC_DEVICE_ID                   = "ge.exec.deviceId";
constexpr const char_t* OPTION_EXEC_DISABLE_REUSED_MEMORY       = "ge.exec.disableReuseMemory";
constexpr const char_t* OPTION_EXEC_DUMP_DATA                   = "ge.exec.dumpData";
constexpr const char_t* OPTION_EXEC_DUMP_DEBUG_MODE             = "ge.exec.dumpDebugMode";
constexpr const char_t* OPTION_EXEC_DUMP_LAYER                  = "ge.exec.dumpLayer";
constexpr const char_t* OPTION_EXEC_DUMP_MODE                   = "ge.exec.dumpMode";
constexpr const char_t* OPTION_EXEC_DUMP_PATH                   = "ge.exec.dumpPath";
constexpr const char_t* OPTION_EXEC_DUMP_STEP                   = "ge.exec.dumpStep";
constexpr const char_t* OPTION_EXEC_DYNAMIC_EXECUTE_MODE        = "ge.exec.dynamicGraphExecuteMode";
constexpr const char_t* OPTION_EXEC_DYNAMIC_GRAPH_PARALLEL_MODE = "ge.experiment.dynamicGraphParallelMode";
constexpr const char_t* OPTION_EXEC_DYNAMIC_INPUT               = "ge.exec.dynamicInput";
constexpr const char_t* OPTION_EXEC_ENABLE_COPY_OUTPUT_ADDR     = "ge.exec.enableCopyOutputAddr";
constexpr const char_t* OPTION_EXEC_ENABLE_DUMP                 = "ge.exec.enableDump";
constexpr const char_t* OPTION_EXEC_ENABLE_DUMP_DEBUG           = "ge.exec.enableDumpDebug";
constexpr const char_t* OPTION_EXEC_ENABLE_ENGINE_PARALLEL      = "ge.exec.enableEngineParallel";
constexpr const char_t* OPTION_EXEC_ENABLE_EXCEPTION_DUMP       = "ge.exec.enable_exception_dump";
constexpr const char_t* OPTION_EXEC_ENABLE_FUSION               = "ge.exec.enableFusion";
constexpr const char_t* OPTION_EXEC_ENABLE_INCRE_BUILD          = "ge.exec.enableIncreBuild";
constexpr const char_t* OPTION_EXEC_ENABLE_SCOPE_FUSION_PASSES  = "ge.exec.enableScopeFusionPasses";
constexpr const char_t* OPTION_EXEC_ENABLE_TAILING_OPTIMIZATION = "ge.exec.isTailingOptimization";
constexpr const char_t* OPTION_EXEC_ENGINE_PARALLEL_CONFIG_PATH = "ge.exec.engineParallelConfigPath";
constexpr const char_t* OPTION_EXEC_EVENT_SYNC_TIMEOUT          = "event_sync_timeout";
constexpr const char_t* OPTION_EXEC_EXTERN_PLUGIN_PATH          = "ge.soLoadPath";
constexpr const char_t* OPTION_EXEC_GRAPH_EXEC_TIMEOUT          = "ge.exec.graphExecTimeout";
constexpr const char_t* OPTION_EXEC_HCCL_EXECUTE_TIMEOUT        = "ge.exec.hcclExecuteTimeOut";
constexpr const char_t* OPTION_EXEC_HCCL_FLAG                   = "ge.exec.hcclFlag";
constexpr const char_t* OPTION_EXEC_HOST_INPUT_INDEXES          = "ge.exec.hostInputIndexes";
constexpr const char_t* OPTION_EXEC_INCRE_BUILD_CACHE_PATH      = "ge.exec.increBuildCachePath";
constexpr const char_t* OPTION_EXEC_INPUT_FUSION_SIZE           = "ge.exec.input_fusion_size";
constexpr const char_t* OPTION_EXEC_IS_IN_SHARD_GRAPH           = "ge.exec.isInShardGraph";
constexpr const char_t* OPTION_EXEC_IS_USEHCOM                  = "ge.exec.isUseHcom";
constexpr const char_t* OPTION_EXEC_IS_USEHVD                   = "ge.exec.isUseHvd";
constexpr const char_t* OPTION_EXEC_JOB_ID                      = "ge.exec.jobId";
constexpr const char_t* OPTION_EXEC_LOGICAL_DEVICE_CLUSTER_DEPLOY_MODE =
    "ge.exec.logicalDeviceClusterDeployMode";
constexpr const char_t* OPTION_EXEC_LOGICAL_DEVICE_ID         = "ge.exec.logicalDeviceId";
constexpr const char_t* OPTION_EXEC_MODEL_DEPLOY_DEVICELIST   = "ge.exec.modelDeployDevicelist";
constexpr const char_t* OPTION_EXEC_MODEL_DEPLOY_MODE         = "ge.exec.modelDeployMode";
constexpr const char_t* OPTION_EXEC_OPTIMIZE_SHAPE            = "ge.exec.dataInputsOptimizeShape";
constexpr const char_t* OPTION_EXEC_OP_DEBUG_CONFIG           = "ge.exec.opDebugConfig";
constexpr const char_t* OPTION_EXEC_OVERFLOW                  = "ge.exec.overflow";
constexpr const char_t* OPTION_EXEC_PLACEMENT                 = "ge.exec.placement";
constexpr const char_t* OPTION_EXEC_POD_NAME                  = "ge.exec.podName";
constexpr const char_t* OPTION_EXEC_PROFILING_BPPONIT_OPTIONS = "ge.exec.profilingBpPointOptions";
constexpr const char_t* OPTION_EXEC_PROFILING_FPPONIT_OPTIONS = "ge.exec.profilingFpPointOptions";
constexpr const char_t* OPTION_EXEC_PROFILING_MODE            = "ge.exec.profilingMode";
constexpr const char_t* OPTION_EXEC_PROFILING_OPTIONS         = "ge.exec.profilingOptions";
constexpr const char_t* OPTION_EXEC_PS_ID                     = "ge.exec.psId";
constexpr const char_t* OPTION_EXEC_RANK_ID                   = "ge.exec.rankId";
constexpr const char_t* OPTION_EXEC_RANK_MAP                  = "ge.exec.rankMap";
constexpr const char_t* OPTION_EXEC_RANK_TABLE_ADDR           = "ge.exec.rankTableAddr";
constexpr const char_t* OPTION_EXEC_RANK_TABLE_FILE           = "ge.exec.rankTableFile";
constexpr const char_t* OPTION_EXEC_RANK_TABLE_LEN            = "ge.exec.rankTableLen";
constexpr const char_t* OPTION_EXEC_REUSE_ZERO_COPY_MEMORY    = "ge.exec.reuseZeroCopyMemory";
constexpr const char_t* OPTION_EXEC_ROLE_TABLE_ADDR           = "ge.exec.roleTableAddr";
constexpr const char_t* OPTION_EXEC_ROLE_TABLE_LEN            = "ge.exec.roleTableLen";
constexpr const char_t* OPTION_EXEC_SESSION_ID                = "ge.exec.sessionId";
constexpr const char_t* OPTION_EXEC_STREAM_SYNC_TIMEOUT       = "stream_sync_timeout";
constexpr const char_t* OPTION_EXEC_VARIABLE_ACC              = "ge.exec.variable_acc";
constexpr const char_t* OPTION_EXEC_WORKER_NUM                = "ge.exec.workerNum";
constexpr const char_t* OPTION_EXPORT_COMPILE_STAT            = "ge.exportCompileStat";
constexpr const char_t* OPTION_EXTERNAL_WEIGHT_DIR            = "ge.externalWeightDir";
constexpr const char_t* OPTION_FEATURE_BASE_REFRESHABLE       = "ge.featureBaseRefreshable";
constexpr const char_t* OPTION_FLOW_GRAPH_MEMORY_MAX_SIZE     = "ge.flowGraphMemMaxSize";
constexpr const char_t* OPTION_GE_MAX_DUMP_FILE_NUM           = "ge.maxDumpFileNum";
constexpr const char_t* OPTION_GE_MAX_DUMP_FILE_SIZE          = "ge.maxDumpFileSize";
constexpr const char_t* OPTION_GE_MAX_DUMP_OP_NUM             = "ge.maxDumpOpNum";
constexpr const char_t* OPTION_GRAPH_COMPILER_CACHE_DIR       = "ge.graph_compiler_cache_dir";
constexpr const char_t* OPTION_GRAPH_IO_MEM_ALLOC_MODE        = "ge.exec.graphIOMemAllocMode";
constexpr const char_t* OPTION_GRAPH_KEY                      = "ge.graph_key";
constexpr const char_t* OPTION_GRAPH_RUN_MODE                 = "ge.graphRunMode";
constexpr const char_t* OPTION_H2D_OVERLAPPED_WITH_COMPUTE    = "ge.compile.h2dOverlappedWithCompute";
constexpr const char_t* OPTION_HCCL_ALGORITHM                 = "HCCL_algorithm";
constexpr const char_t* OPTION_HCCL_COMPILER_OFFLINE          = "ge.offline_hccl_compile";
constexpr const char_t* OPTION_HOST_ENV_CPU                   = "ge.host_env_cpu";
constexpr const char_t* OPTION_HOST_ENV_OS                    = "ge.host_env_os";
constexpr const char_t* OPTION_HOST_SCHEDULING_MAX_THRESHOLD  = "ge.exec.hostSchedulingMaxThreshold";
constexpr const char_t* OPTION_INPUT_REUSE_MEM_INDEXES        = "ge.exec.inputReuseMemIndexes";
constexpr const char_t* OPTION_IS_VAR_INIT_GRAPH              = "ge.exec.isVarInitGraph";
constexpr const char_t* OPTION_JOB_TYPE                       = "ge.jobType";
constexpr const char_t* OPTION_MAX_KEY_NUM                    = "ge.max_num";
constexpr const char_t* OPTION_MOMORY_POOL_THRESHOLD          = "ge.experiment.memory_pool_threshold";
constexpr const char_t* OPTION_NAME_MAP                       = "ge.optionNameMap";
constexpr const char_t* OPTION_OP_DEPENDENCY_IN_OM            = "ge.op_dependency_in_om";
constexpr const char_t* OPTION_OUTPUT_REUSE_INPUT_MEM_INDEXES = "ge.exec.outputReuseInputMemIndexes";
constexpr const char_t* OPTION_OUTPUT_REUSE_MEM_INDEXES       = "ge.exec.outputReuseMemIndexes";
constexpr const char_t* OPTION_SCREEN_PRINT_MODE              = "ge.screen_print_mode";
constexpr const char_t* OPTION_SESSION_DEVICE_ID              = "ge.session_device_id";
constexpr const char_t* OPTION_STATIC_MODEL_OPS_LOWER_LIMIT   = "ge.exec.static_model_ops_lower_limit";
constexpr const char_t* OPTION_TUNINGPATH                     = "ge.tuningPath";
constexpr const char_t* OPTION_USE_COUNTER_FILTER             = "ge.use_counter_filter";
constexpr const char_t* OPTION_VARIABLE_USE_1G_HUGE_PAGE      = "ge.variableUse1gHugePage";
constexpr const char_t* OPTYPELIST_FOR_IMPLMODE               = "ge.optypelistForImplmode";
constexpr const char_t* OP_BANK_PATH_FLAG                     = "ge.op_bank_path";
constexpr const char_t* OP_BANK_UPDATE_FLAG                   = "ge.op_bank_update";
constexpr const char_t* OP_COMPILER_CACHE_DIR                 = "ge.op_compiler_cache_dir";
constexpr const char_t* OP_COMPILER_CACHE_MODE                = "ge.op_compiler_cache_mode";
constexpr const char_t* OP_DEBUG_CONFIG                       = "op_debug_config";
constexpr const char_t* OP_DEBUG_LEVEL                        = "ge.opDebugLevel";
constexpr const char_t* OP_DEBUG_OPTION                       = "op_debug_option";
constexpr const char_t* OP_EXECUTE_TIMEOUT                    = "ge.exec.opExecuteTimeout";
constexpr const char_t* OP_PRECISION_MODE                     = "ge.exec.op_precision_mode";
constexpr const char_t* OP_SELECT_IMPL_MODE                   = "ge.opSelectImplmode";
constexpr const char_t* OP_WAIT_TIMEOUT                       = "ge.exec.opWaitTimeout";
constexpr const char_t* ORIGINAL_MODEL_FILE                   = "ge.originalModelFile";
constexpr const char_t* OUTPUT_DATATYPE                       = "ge.outputDatatype";
constexpr const char_t* OUTPUT_MAX_SIZE                       = "ge.outputMaxSize";
constexpr const char_t* OUTPUT_NODE_NAME                      = "ge.outputNodeName";
constexpr const char_t* PERFORMANCE_MODE                      = "ge.performance_mode";
constexpr const char_t* PERF_LEVEL                            = "ge.perfLevel";
constexpr const char_t* PRECISION_MODE                        = "ge.exec.precision_mode";
constexpr const char_t* PRECISION_MODE_V2                     = "ge.exec.precision_mode_v2";
constexpr const char_t* PRIVATE_KEY_FILE                      = "ge.privateKeyFile";
constexpr const char_t* QUANT_BIAS_OPTIMIZE                   = "ge.experiment.quant_bias_optimize";
constexpr const char_t* QUANT_DUMPABLE                        = "ge.quant_dumpable";
constexpr const char_t* RUN_FLAG                              = "ge.runFlag";
constexpr const char_t* SAVE_ORIGINAL_MODEL                   = "ge.saveOriginalModel";
constexpr const char_t* SHAPE_GENERALIZED_BUILD_MODE          = "ge.shape_generalized_build_mode";
constexpr const char_t* SINGLE_OP_FLAG                        = "ge.exec.single_op";
constexpr const char_t* SOC_VERSION                           = "ge.socVersion";
constexpr const char_t* STATIC_MEMORY_POLICY                  = "ge.exec.staticMemoryPolicy";
constexpr const char_t* STATUS_CHECK                          = "ge.status_check";
constexpr const char_t* STREAM_MAX_PARALLEL_NUM               = "ge.streamMaxParallelNum";
constexpr const char_t* STREAM_NUM                            = "ge.streamNum";
constexpr const char_t* TBE_PLUGIN_PATH_FLAG                  = "ge.TBE_plugin_path";
constexpr const char_t* TILING_SCHEDULE_OPTIMIZE              = "ge.tiling_schedule_optimize";
constexpr const char_t* TRAIN_FLAG                            = "ge.trainFlag";
constexpr const char_t* TUNE_DEVICE_IDS                       = "ge.exec.tuneDeviceIds";
constexpr const char_t* VARIABLE_MEMORY_MAX_SIZE              = "ge.variableMemoryMaxSize";
constexpr const char_t* VIRTUAL_TYPE                          = "ge.virtual_type";
constexpr const char_t* kDynamicBatchSize                     = "ge.dynamicBatchSize";
constexpr const char_t* kDynamicDims                          = "ge.dynamicDims";
constexpr const char_t* kDynamicImageSize                     = "ge.dynamicImageSize";

namespace configure_option {

constexpr const char_t* AC_PARALLEL_ENABLE           = "ac_parallel_enable";
constexpr const char_t* AICORE_NUM                   = "ge.aicoreNum";
constexpr const char_t* ALLOW_HF32                   = "ge.exec.allow_hf32";
constexpr const char_t* ATOMIC_CLEAN_POLICY          = "ge.exec.atomicCleanPolicy";
constexpr const char_t* AUTO_TUNE_MODE               = "ge.autoTuneMode";
constexpr const char_t* BUFFER_OPTIMIZE              = "ge.bufferOptimize";
constexpr const char_t* CALIBRATION_CONF_FILE        = "ge.calibrationConfFile";
constexpr const char_t* CERT_FILE                    = "ge.certFile";
constexpr const char_t* COMPRESSION_OPTIMIZE_CONF    = "ge.compressionOptimizeConf";
constexpr const char_t* COMPRESS_FLAG                = "ge.compressFlag";
constexpr const char_t* CORE_TYPE                    = "ge.engineType";
constexpr const char_t* CUSTOMIZE_DTYPES             = "ge.customizeDtypes";
constexpr const char_t* DDK_VERSION_FLAG             = "ge.DDK_version";
constexpr const char_t* DETERMINISTIC                = "ge.deterministic";
constexpr const char_t* DETERMINISTIC_LEVEL          = "ge.deterministicLevel";
constexpr const char_t* EK_FILE                      = "ge.ekFile";
constexpr const char_t* ENABLE_COMPRESS_WEIGHT       = "ge.enableCompressWeight";
constexpr const char_t* ENABLE_SMALL_CHANNEL         = "ge.enableSmallChannel";
constexpr const char_t* ENCRYPT_MODE                 = "ge.encryptMode";
constexpr const char_t* EXTERNAL_WEIGHT              = "ge.externalWeight";
constexpr const char_t* FRAMEWORK_TYPE               = "ge.frameworkType";
constexpr const char_t* FUSION_SWITCH_FILE           = "ge.fusionSwitchFile";
constexpr const char_t* GE_FE_FLAG                   = "ge.feFlag";
constexpr const char_t* GRAPH_MAX_PARALLEL_MODEL_NUM = "ge.graphMaxParallelModelNum";
constexpr const char_t* HCOM_PARALLEL                = "ge.hcomParallel";
constexpr const char_t* HEAD_STREAM                  = "ge.headStream";
constexpr const char_t* HW_KEY_FILE                  = "ge.hwKeyFile";
constexpr const char_t* INPUT_BATCH_CPY              = "ge.inputBatchCpy";
constexpr const char_t* INPUT_FP16_NODES             = "ge.INPUT_NODES_SET_FP16";
constexpr const char_t* INSERT_OP_FILE               = "ge.insertOpFile";
constexpr const char_t* L1_FUSION                    = "ge.l1Fusion";
constexpr const char_t* LOCAL_FMKOP_FLAG             = "ge.enabledLocalFmkop";
constexpr const char_t* MODIFY_MIXLIST               = "ge.exec.modify_mixlist";
constexpr const char_t* OPTYPELIST_FOR_IMPLMODE      = "ge.optypelistForImplmode";
constexpr const char_t* OP_DEBUG_CONFIG              = "op_debug_config";
constexpr const char_t* OP_DEBUG_LEVEL               = "ge.opDebugLevel";
constexpr const char_t* OP_DEBUG_OPTION              = "op_debug_option";
constexpr const char_t* OP_PRECISION_MODE            = "ge.exec.op_precision_mode";
constexpr const char_t* OP_SELECT_IMPL_MODE          = "ge.opSelectImplmode";
constexpr const char_t* ORIGINAL_MODEL_FILE          = "ge.originalModelFile";
constexpr const char_t* OUTPUT_DATATYPE              = "ge.outputDatatype";
constexpr const char_t* OUTPUT_NODE_NAME             = "ge.outputNodeName";
constexpr const char_t* PERFORMANCE_MODE             = "ge.performance_mode";
constexpr const char_t* PERF_LEVEL                   = "ge.perfLevel";
constexpr const char_t* PRECISION_MODE               = "ge.exec.precision_mode";
constexpr const char_t* PRECISION_MODE_V2            = "ge.exec.precision_mode_v2";
constexpr const char_t* PRIVATE_KEY_FILE             = "ge.privateKeyFile";
constexpr const char_t* QUANT_BIAS_OPTIMIZE          = "ge.experiment.quant_bias_optimize";
constexpr const char_t* QUANT_DUMPABLE               = "ge.quant_dumpable";
constexpr const char_t* RUN_FLAG                     = "ge.runFlag";
constexpr const char_t* SAVE_ORIGINAL_MODEL          = "ge.saveOriginalModel";
constexpr const char_t* SHAPE_GENERALIZED_BUILD_MODE = "ge.shape_generalized_build_mode";
constexpr const char_t* SINGLE_OP_FLAG               = "ge.exec.single_op";
constexpr const char_t* SOC_VERSION                  = "ge.socVersion";
constexpr const char_t* STATIC_MEMORY_POLICY         = "ge.exec.staticMemoryPolicy";
constexpr const char_t* STREAM_MAX_PARALLEL_NUM      = "ge.streamMaxParallelNum";
constexpr const char_t* STREAM_NUM                   = "ge.streamNum";
constexpr const char_t* TBE_PLUGIN_PATH_FLAG         = "ge.TBE_plugin_path";
constexpr const char_t* TILING_SCHEDULE_OPTIMIZE     = "ge.tiling_schedule_optimize";
constexpr const char_t* TRAIN_FLAG                   = "ge.trainFlag";
constexpr const char_t* VIRTUAL_TYPE                 = "ge.virtual_type";

}  // namespace configure_option

// Options of offline compilation (aclgrphBuildInitialize, aclgrphBuildModel) and of parsers.
namespace ir_option {

constexpr const char_t* AC_PARALLEL_ENABLE                    = "ac_parallel_enable";
constexpr const char_t* AICORE_NUM                            = "ge.aicoreNum";
constexpr const char_t* ALLOW_HF32                            = "ge.exec.allow_hf32";
constexpr const char_t* ATOMIC_CLEAN_POLICY                   = "ge.exec.atomicCleanPolicy";
constexpr const char_t* AUTO_TUNE_MODE                        = "ge.autoTuneMode";
constexpr const char_t* BUFFER_OPTIMIZE                       = "ge.bufferOptimize";
constexpr const char_t* BUILD_INNER_MODEL                     = "ge.build_inner_model";
constexpr const char_t* CLUSTER_CONFIG                        = "ge.cluster_config";
constexpr const char_t* COMPRESSION_OPTIMIZE_CONF             = "ge.compressionOptimizeConf";
constexpr const char_t* COMPRESS_WEIGHT_CONF                  = "compress_weight_conf";
constexpr const char_t* CORE_TYPE                             = "ge.engineType";
constexpr const char_t* CUSTOMIZE_DTYPES                      = "ge.customizeDtypes";
constexpr const char_t* DEBUG_DIR                             = "ge.debugDir";
constexpr const char_t* DETERMINISTIC                         = "ge.deterministic";
constexpr const char_t* DETERMINISTIC_LEVEL                   = "ge.deterministicLevel";
constexpr const char_t* DISTRIBUTED_CLUSTER_BUILD             = "ge.distributed_cluster_build";
constexpr const char_t* DYNAMIC_BATCH_SIZE                    = "ge.dynamicBatchSize";
constexpr const char_t* DYNAMIC_DIMS                          = "ge.dynamicDims";
constexpr const char_t* DYNAMIC_IMAGE_SIZE                    = "ge.dynamicImageSize";
constexpr const char_t* ENABLE_COMPRESS_WEIGHT                = "ge.enableCompressWeight";
constexpr const char_t* ENABLE_GRAPH_PARALLEL                 = "ge.enableGraphParallel";
constexpr const char_t* ENABLE_SCOPE_FUSION_PASSES            = "enable_scope_fusion_passes";
constexpr const char_t* ENABLE_SINGLE_STREAM                  = "ge.enableSingleStream";
constexpr const char_t* ENABLE_SMALL_CHANNEL                  = "ge.enableSmallChannel";
constexpr const char_t* EXCLUDE_ENGINES                       = "ge.exec.exclude_engines";
constexpr const char_t* EXEC_DEVICE_CONFIG_PATH               = "ge.exec.exec_device_config_path";
constexpr const char_t* EXEC_DISABLE_REUSED_MEMORY            = "ge.exec.disableReuseMemory";
constexpr const char_t* EXTERNAL_WEIGHT                       = "ge.externalWeight";
constexpr const char_t* FUSION_SWITCH_FILE                    = "ge.fusionSwitchFile";
constexpr const char_t* GRAPH_MAX_PARALLEL_MODEL_NUM          = "ge.graphMaxParallelModelNum";
constexpr const char_t* GRAPH_PARALLEL_OPTION_PATH            = "ge.graphParallelOptionPath";
constexpr const char_t* HCCL_SUB_COMM_CONFIG                  = "ge.hccl_sub_comm_config";
constexpr const char_t* INPUT_DATA_NAMES                      = "input_data_names";
constexpr const char_t* INPUT_FORMAT                          = "input_format";
constexpr const char_t* INPUT_FP16_NODES                      = "ge.INPUT_NODES_SET_FP16";
constexpr const char_t* INPUT_HINT_SHAPE                      = "ge.inputHintShape";
constexpr const char_t* INPUT_HINT_VALUE                      = "ge.inputHintValue";
constexpr const char_t* INPUT_SHAPE                           = "input_shape";
constexpr const char_t* INPUT_SHAPE_RANGE                     = "input_shape_range";
constexpr const char_t* INSERT_OP_FILE                        = "ge.insertOpFile";
constexpr const char_t* IS_DYNAMIC_INPUT                      = "is_dynamic_input";
constexpr const char_t* IS_INPUT_ADJUST_HW_LAYOUT             = "is_input_adjust_hw_layout";
constexpr const char_t* IS_OUTPUT_ADJUST_HW_LAYOUT            = "is_output_adjust_hw_layout";
constexpr const char_t* LOG_LEVEL                             = "log";
constexpr const char_t* MDL_BANK_PATH                         = "ge.mdl_bank_path";
constexpr const char_t* MODEL_RELATION_CONFIG                 = "ge.offline_model_relation";
constexpr const char_t* MODIFY_MIXLIST                        = "ge.exec.modify_mixlist";
constexpr const char_t* OFFLINE_MODE                          = "ge.offlineMode";
constexpr const char_t* OO_CONSTANT_FOLDING                   = "ge.oo.constantFolding";
constexpr const char_t* OO_DEAD_CODE_ELIMINATION              = "ge.oo.deadCodeElimination";
constexpr const char_t* OO_LEVEL                              = "ge.oo.level";
constexpr const char_t* OPTIMIZATION_SWITCH                   = "ge.optimizationSwitch";
constexpr const char_t* OPTION_BUILD_CONFIG                   = "ge.buildConfig";
constexpr const char_t* OPTION_EXPORT_COMPILE_STAT            = "ge.exportCompileStat";
constexpr const char_t* OPTION_H2D_OVERLAPPED_WITH_COMPUTE    = "ge.compile.h2dOverlappedWithCompute";
constexpr const char_t* OPTION_OUTPUT_REUSE_INPUT_MEM_INDEXES = "ge.exec.outputReuseInputMemIndexes";
constexpr const char_t* OPTYPELIST_FOR_IMPLMODE               = "ge.optypelistForImplmode";
constexpr const char_t* OP_BANK_PATH                          = "ge.op_bank_path";
constexpr const char_t* OP_BANK_UPDATE                        = "ge.op_bank_update";
constexpr const char_t* OP_COMPILER_CACHE_DIR                 = "ge.op_compiler_cache_dir";
constexpr const char_t* OP_COMPILER_CACHE_MODE                = "ge.op_compiler_cache_mode";
constexpr const char_t* OP_DEBUG_CONFIG                       = "op_debug_config";
constexpr const char_t* OP_DEBUG_LEVEL                        = "ge.opDebugLevel";
constexpr const char_t* OP_DEBUG_OPTION                       = "op_debug_option";
constexpr const char_t* OP_DEPENDENCY_IN_OM                   = "ge.op_dependency_in_om";
constexpr const char_t* OP_NAME_MAP                           = "op_name_map";
constexpr const char_t* OP_PRECISION_MODE                     = "ge.exec.op_precision_mode";
constexpr const char_t* OP_SELECT_IMPL_MODE                   = "ge.opSelectImplmode";
constexpr const char_t* OUTPUT                                = "output";
constexpr const char_t* OUTPUT_TYPE                           = "ge.outputDatatype";
constexpr const char_t* OUT_NODES                             = "ge.outputNodeName";
constexpr const char_t* PERFORMANCE_MODE                      = "ge.performance_mode";
constexpr const char_t* PRECISION_MODE                        = "ge.exec.precision_mode";
constexpr const char_t* PRECISION_MODE_V2                     = "ge.exec.precision_mode_v2";
constexpr const char_t* QUANT_BIAS_OPTIMIZE                   = "ge.experiment.quant_bias_optimize";
constexpr const char_t* QUANT_DUMPABLE                        = "ge.quant_dumpable";
constexpr const char_t* SHAPE_GENERALIZED_BUILD_MODE          = "ge.shape_generalized_build_mode";
constexpr const char_t* SOC_VERSION                           = "ge.socVersion";
constexpr const char_t* SPARSITY                              = "ge.enableSparseMatrixWeight";
constexpr const char_t* TILING_SCHEDULE_OPTIMIZE              = "ge.tiling_schedule_optimize";
constexpr const char_t* TUNE_DEVICE_IDS                       = "ge.exec.tuneDeviceIds";
constexpr const char_t* VIRTUAL_TYPE                          = "ge.virtual_type";

}  // namespace ir_option

// Attributes that programs set on operators and graphs.
namespace public_attr {

constexpr const char_t* AI_CORE_CNT           = "ai_core_cnt";
constexpr const char_t* CUBE_CORE_CNT         = "cube_core_cnt";
constexpr const char_t* ENABLE_INNER_PARALLEL = "_enable_inner_parallel";
constexpr const char_t* GE_AI_CORE_NUM        = "ge.aicoreNum";
constexpr const char_t* GE_VECTOR_CORE_NUM    = "ge.vectorcoreNum";
constexpr const char_t* OP_AI_CORE_NUM        = "_op_aicore_num";
constexpr const char_t* OP_EXEC_NEVER_TIMEOUT = "_op_exec_never_timeout";
constexpr const char_t* OP_VECTOR_CORE_NUM    = "_op_vectorcore_num";
constexpr const char_t* SOC_INFO              = "SoCInfo";
constexpr const char_t* USER_STREAM_LABEL     = "_user_stream_label";
constexpr const char_t* USER_STREAM_PRIORITY  = "_user_stream_priority";
constexpr const char_t* VECTOR_CORE_CNT       = "vector_core_cnt";

}  // namespace public_attr

}  // namespace ge

#endif  // FOOTHOLD_GE_GE_API_TYPES_H_
