// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <stdexcept>

#include "queue.h"

namespace bench {
namespace {

struct Task {
  Function function;
  void* argument;
};

void CL_CALLBACK RunTask(void* data) {
  const Task* task = static_cast<const Task*>(data);
  task->function(task->argument);
}

class NativeKernels final : public Queue {
 public:
  NativeKernels() {
    cl_platform_id platform;
    cl_device_id device;
    cl_int error = CL_SUCCESS;
    if (clGetPlatformIDs(1, &platform, nullptr) != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, nullptr) != CL_SUCCESS) {
      throw std::runtime_error("no OpenCL device on the CPU");
    }
    context_ = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
    queue_ = clCreateCommandQueue(context_, device, 0, &error);
    if (error != CL_SUCCESS) throw std::runtime_error("no OpenCL queue");
  }
  ~NativeKernels() override {
    clReleaseCommandQueue(queue_);
    clReleaseContext(context_);
  }
  void Enqueue(Function function, void* argument) override {
    Task task{function, argument};
    if (clEnqueueNativeKernel(queue_, RunTask, &task, sizeof task, 0, nullptr, nullptr, 0, nullptr,
                              nullptr) != CL_SUCCESS) {
      throw std::runtime_error("clEnqueueNativeKernel failed");
    }
  }
  void Synchronize() override { clFinish(queue_); }

 private:
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
};

}  // namespace

void AddPocl(std::vector<QueueKind>& kinds) {
  kinds.push_back({"PoCL native kernels", false, 50000, [] { return std::make_unique<NativeKernels>(); }});
}

}  // namespace bench
