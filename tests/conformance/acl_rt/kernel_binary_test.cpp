// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Binaries with kernels: loading, what is refused, what they hold.
#include <elf.h>

#include <cstdio>
#include <cstring>

#include "conformance/in_fork.h"
#include "conformance/kernel_binary.h"

namespace {

aclError LoadBytes(const std::vector<char>& bytes, aclrtBinHandle* binary) {
  return aclrtBinaryLoadFromData(bytes.data(), bytes.size(), nullptr, binary);
}

std::string ErrorOfLoading(const std::vector<char>& bytes, aclError code) {
  aclrtBinHandle binary = nullptr;
  RecentError();
  EXPECT_EQ(LoadBytes(bytes, &binary), code);
  EXPECT_EQ(binary, nullptr);
  return RecentError();
}

TEST(aclrtBinaryLoadFromFile, LoadsSharedObjectsForThisCpu) {
  const Session session;
  const KernelBinary binary;
  EXPECT_NE(binary.handle(), nullptr);
  EXPECT_NE(binary.Function("add"), nullptr);
}

TEST(aclrtBinaryLoadFromFile, KnowsItsOptions) {
  const Session session;
  aclrtBinaryLoadOption list[3] = {};
  list[0].type = ACL_RT_BINARY_LOAD_OPT_LAZY_LOAD;
  list[0].value.isLazyLoad = 1;
  list[1].type = ACL_RT_BINARY_LOAD_OPT_MAGIC;
  list[1].value.magic = ACL_RT_BINARY_MAGIC_ELF_VECTOR_CORE;
  list[2].type = ACL_RT_BINARY_LOAD_OPT_CPU_KERNEL_MODE;
  aclrtBinaryLoadOptions options = {list, 3};
  aclrtBinHandle binary = nullptr;
  ASSERT_OK(aclrtBinaryLoadFromFile(KernelFile().c_str(), &options, &binary));
  EXPECT_OK(aclrtBinaryUnLoad(binary));
  list[1].type = static_cast<aclrtBinaryLoadOptionType>(9);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtBinaryLoadFromFile(KernelFile().c_str(), &options, &binary));
  options.options = nullptr;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtBinaryLoadFromFile(KernelFile().c_str(), &options, &binary));
}

TEST(aclrtBinaryLoadFromFile, RefusesWhatIsNotThere) {
  const Session session;
  aclrtBinHandle binary = nullptr;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtBinaryLoadFromFile(nullptr, nullptr, &binary));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtBinaryLoadFromFile(KernelFile().c_str(), nullptr, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtBinaryLoadFromFile("no/such/file.so", nullptr, &binary));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtBinaryLoadFromFile("/proc", nullptr, &binary));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtBinaryLoadFromFile("", nullptr, &binary));
}

TEST(aclrtBinaryLoadFromData, LoadsACopy) {
  const Session session;
  const KernelBinary first(true), second(true);
  void *one = nullptr, *other = nullptr;
  ASSERT_OK(aclrtBinaryGetGlobal(first.handle(), "kernel_variable", &one, nullptr));
  ASSERT_OK(aclrtBinaryGetGlobal(second.handle(), "kernel_variable", &other, nullptr));
  EXPECT_NE(one, other) << "two copies, so two variables";
}

TEST(aclrtBinaryLoadFromData, SaysWhatIsWrongWithTheBytes) {
  const Session session;
  const std::vector<char> good = BytesOf(KernelFile());
  ASSERT_GT(good.size(), sizeof(Elf64_Ehdr));
  aclrtBinHandle binary = nullptr;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtBinaryLoadFromData(nullptr, 10, nullptr, &binary));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtBinaryLoadFromData(good.data(), 0, nullptr, &binary));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtBinaryLoadFromData(good.data(), good.size(), nullptr, nullptr));

  EXPECT_NE(ErrorOfLoading({'{', '"', 'a', '"', '}'}, ACL_ERROR_RT_PARAM_INVALID).find("no ELF file"),
            std::string::npos);
  auto other_machine = good;
  reinterpret_cast<Elf64_Ehdr*>(other_machine.data())->e_machine = 0x1029;
  const std::string refusal = ErrorOfLoading(other_machine, ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_NE(refusal.find("NPU"), std::string::npos) << refusal;
  EXPECT_NE(refusal.find("foothold/kernel.h"), std::string::npos) << refusal;
  auto object_file = good;
  reinterpret_cast<Elf64_Ehdr*>(object_file.data())->e_type = ET_REL;
  EXPECT_NE(ErrorOfLoading(object_file, ACL_ERROR_RT_PARAM_INVALID).find("-shared"), std::string::npos);
}

TEST(aclrtBinaryLoadFromData, RefusesCutOffAndDamagedFilesOfEachLength) {
  const Session session;
  const std::vector<char> good = BytesOf(KernelFile());
  // The sections at the end of the file are not loaded, so a file without them works.
  size_t needed = 0;
  const auto& header = *reinterpret_cast<const Elf64_Ehdr*>(good.data());
  for (int i = 0; i < header.e_phnum; ++i) {
    const auto& segment = reinterpret_cast<const Elf64_Phdr*>(good.data() + header.e_phoff)[i];
    if (segment.p_type == PT_LOAD) needed = std::max<size_t>(needed, segment.p_offset + segment.p_filesz);
  }
  for (size_t length : {size_t{1}, size_t{16}, size_t{63}, size_t{64}, size_t{200}, needed / 2, needed - 1}) {
    const std::vector<char> cut(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(length));
    EXPECT_NE(ErrorOfLoading(cut, ACL_ERROR_RT_PARAM_INVALID), "") << length;
  }
  for (size_t at = 0; at < sizeof(Elf64_Ehdr); ++at) {
    auto damaged = good;
    damaged[at] = static_cast<char>(~damaged[at]);
    aclrtBinHandle binary = nullptr;
    if (LoadBytes(damaged, &binary) == ACL_SUCCESS) {
      EXPECT_OK(aclrtBinaryUnLoad(binary));
    }
  }
  RecentError();
}

TEST(aclrtBinaryLoad, LoadsWhatWasCreated) {
  const Session session;
  std::vector<char> bytes = BytesOf(KernelFile());
  const aclrtBinary data = aclrtCreateBinary(bytes.data(), bytes.size());
  ASSERT_NE(data, nullptr);
  std::fill(bytes.begin(), bytes.end(), '\0');
  aclrtBinHandle binary = nullptr;
  ASSERT_OK(aclrtBinaryLoad(data, &binary));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtBinaryLoad(data, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtBinaryLoad(nullptr, &binary));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtBinaryLoad(binary, &binary));
  EXPECT_OK(aclrtDestroyBinary(data));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtDestroyBinary(data));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtDestroyBinary(nullptr));
  EXPECT_OK(aclrtBinaryUnLoad(binary));
  EXPECT_EQ(aclrtCreateBinary(nullptr, 3), nullptr);
  EXPECT_EQ(aclrtCreateBinary(bytes.data(), 0), nullptr);
}

TEST(aclrtBinaryUnLoad, EndsAllHandlesOfTheBinary) {
  const Session session;
  KernelBinary binary;
  const aclrtBinHandle handle = binary.handle();
  const aclrtFuncHandle function = binary.Function("empty");
  aclrtArgsHandle arguments = nullptr;
  ASSERT_OK(aclrtKernelArgsInit(function, &arguments));
  binary.Unload();
  aclrtFuncHandle again = nullptr;
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtBinaryUnLoad(handle));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtBinaryGetFunction(handle, "empty", &again));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtLaunchKernel(function, 1, nullptr, 0, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtKernelArgsFinalize(arguments));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtBinaryUnLoad(nullptr));
}

TEST(aclrtBinaryUnLoad, KeepsTheCodeOfQueuedLaunches) {
  const Session session;
  const aclrtStream stream = session.Stream();
  std::uint64_t* cell = session.Cell(0);
  KernelBinary binary(true);
  Gate gate;
  gate.Hold(stream);
  EXPECT_OK(LaunchOn(binary.Function("count_blocks"), 1, cell, stream));
  binary.Unload();
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(session.Read(cell), 1001u);
  const KernelBinary next(true);  // what nobody holds any more goes now
}

TEST(aclrtBinaryGetFunction, FindsExportedFunctionsOnly) {
  const Session session;
  const KernelBinary binary;
  EXPECT_EQ(binary.Function("add"), binary.Function("add"));
  EXPECT_NE(binary.Function("add"), binary.Function("empty"));
  aclrtFuncHandle function = nullptr;
  const auto error_of = [&](const char* name) {
    RecentError();
    EXPECT_EQ(aclrtBinaryGetFunction(binary.handle(), name, &function), ACL_ERROR_RT_PARAM_INVALID) << name;
    return RecentError();
  };
  EXPECT_NE(error_of("emty").find("did you mean \"empty\""), std::string::npos);
  EXPECT_NE(error_of("plain_cpp").find("extern \"C\""), std::string::npos);
  EXPECT_NE(error_of("kernel_variable").find("variable"), std::string::npos);
  EXPECT_NE(error_of("malloc"), "") << "of a library it needs, not its own";
  EXPECT_NE(error_of(""), "");
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtBinaryGetFunction(binary.handle(), nullptr, &function));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtBinaryGetFunction(binary.handle(), "add", nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtBinaryGetFunction(nullptr, "add", &function));
}

TEST(aclrtBinaryGetFunctionByEntry, FindsTheFunctionWhoseNameEndsInTheNumber) {
  const Session session;
  const KernelBinary binary;
  aclrtFuncHandle function = nullptr;
  ASSERT_OK(aclrtBinaryGetFunctionByEntry(binary.handle(), 7, &function));
  EXPECT_EQ(function, binary.Function("variant_7"));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtBinaryGetFunctionByEntry(binary.handle(), 8, &function));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtBinaryGetFunctionByEntry(binary.handle(), 9, &function));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtBinaryGetFunctionByEntry(binary.handle(), 7, nullptr));
}

TEST(aclrtBinaryGetDevAddress, TellsWhereTheBinaryIs) {
  const Session session;
  const KernelBinary binary;
  void *begin = nullptr, *function = nullptr;
  size_t size = 0;
  ASSERT_OK(aclrtBinaryGetDevAddress(binary.handle(), &begin, &size));
  ASSERT_OK(aclrtGetFunctionAddr(binary.Function("add"), &function, nullptr));
  EXPECT_GE(function, begin);
  EXPECT_LT(static_cast<char*>(function), static_cast<char*>(begin) + size);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtBinaryGetDevAddress(binary.handle(), nullptr, &size));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtBinaryGetDevAddress(nullptr, &begin, &size));
}

TEST(aclrtRegisterCpuFunc, WantsABinaryForCpuKernels) {
  const Session session;
  aclrtBinaryLoadOption option = {};
  option.type = ACL_RT_BINARY_LOAD_OPT_CPU_KERNEL_MODE;
  aclrtBinaryLoadOptions options = {&option, 1};
  aclrtBinHandle binary = nullptr;
  ASSERT_OK(aclrtBinaryLoadFromFile(KernelFile().c_str(), &options, &binary));
  aclrtFuncHandle function = nullptr;
  ASSERT_OK(aclrtRegisterCpuFunc(binary, "throw_number", "thrower", &function));
  char name[8] = {};
  EXPECT_OK(aclrtGetFunctionName(function, sizeof name, name));
  EXPECT_STREQ(name, "thrower");
  int64_t type = 0;
  EXPECT_OK(aclrtGetFunctionAttribute(function, ACL_FUNC_ATTR_KERNEL_TYPE, &type));
  EXPECT_EQ(type, ACL_KERNEL_TYPE_AICPU);
  const aclrtStream stream = session.Stream();
  EXPECT_OK(aclrtLaunchKernel(function, 1, nullptr, 0, stream));
  EXPECT_FAILS(ACL_ERROR_RT_AICPU_EXCEPTION, aclrtSynchronizeStream(stream));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtRegisterCpuFunc(binary, nullptr, "thrower", &function));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtRegisterCpuFunc(binary, "no_such", "thrower", &function));
  EXPECT_OK(aclrtBinaryUnLoad(binary));
  const KernelBinary plain;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtRegisterCpuFunc(plain.handle(), "empty", "k", &function));
}

TEST(aclrtGetFunctionName, AndWhatElseIsKnownOfAFunction) {
  const Session session;
  const KernelBinary binary;
  const aclrtFuncHandle add = binary.Function("add"), empty = binary.Function("empty");
  char name[4] = {};
  EXPECT_OK(aclrtGetFunctionName(add, 4, name));
  EXPECT_STREQ(name, "add");
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtGetFunctionName(add, 3, name));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtGetFunctionName(add, 4, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtGetFunctionName(nullptr, 4, name));
  void *cube = nullptr, *vector = nullptr;
  EXPECT_OK(aclrtGetFunctionAddr(add, &cube, &vector));
  EXPECT_NE(cube, nullptr);
  EXPECT_EQ(cube, vector);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtGetFunctionAddr(add, nullptr, nullptr));
  size_t size = 0;
  EXPECT_OK(aclrtGetFunctionSize(add, nullptr, &size));
  EXPECT_GT(size, 0u);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtGetFunctionSize(add, nullptr, nullptr));
  aclrtBinHandle owner = nullptr;
  EXPECT_OK(aclrtFunctionGetBinary(add, &owner));
  EXPECT_EQ(owner, binary.handle());
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFunctionGetBinary(add, nullptr));
  int64_t value = -1;
  EXPECT_OK(aclrtGetFunctionAttribute(add, ACL_FUNC_ATTR_KERNEL_TYPE, &value));
  EXPECT_EQ(value, ACL_KERNEL_TYPE_VECTOR);
  EXPECT_OK(aclrtGetFunctionAttribute(add, ACL_FUNC_ATTR_KERNEL_SCHED_MODE, &value));
  EXPECT_EQ(value, 0);
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
               aclrtGetFunctionAttribute(add, ACL_FUNC_ATTR_KERNEL_RATIO, &value));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtGetFunctionAttribute(add, static_cast<aclrtFuncAttribute>(77), &value));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtGetFunctionAttribute(add, ACL_FUNC_ATTR_KERNEL_TYPE, nullptr));
  size_t count = 0, offset = 0;
  EXPECT_OK(aclrtFunctionGetParamCount(add, &count));
  EXPECT_EQ(count, 5u);
  EXPECT_OK(aclrtFunctionGetParamInfo(add, 4, &offset, &size));
  EXPECT_EQ(offset, 32u);
  EXPECT_EQ(size, sizeof(float));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFunctionGetParamInfo(add, 5, &offset, &size));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFunctionGetParamInfo(add, 0, nullptr, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclrtFunctionGetParamCount(empty, &count));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFunctionGetParamCount(add, nullptr));
  EXPECT_OK(aclrtFunctionGetAvailDynUbufPerBlock(add, 0, &size));
  EXPECT_GT(size, size_t{192} << 10);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFunctionGetAvailDynUbufPerBlock(add, 0, nullptr));
}

TEST(aclrtBinaryGetGlobal, FindsVariables) {
  const Session session;
  const KernelBinary binary(true);
  void* variable = nullptr;
  size_t size = 0;
  ASSERT_OK(aclrtBinaryGetGlobal(binary.handle(), "kernel_variable", &variable, &size));
  EXPECT_EQ(size, sizeof(std::uint64_t));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtBinaryGetGlobal(binary.handle(), "no_variable", &variable, &size));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtBinaryGetGlobal(binary.handle(), "add", &variable, &size));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtBinaryGetGlobal(binary.handle(), "kernel_variable", nullptr, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtBinaryGetGlobal(binary.handle(), nullptr, &variable, &size));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtBinaryGetGlobal(nullptr, "x", &variable, &size));
}

TEST(aclrtMemcpyToSymbol, WritesAndReadsVariablesOfBinaries) {
  const Session session;
  const aclrtStream stream = session.Stream();
  const KernelBinary binary(true);
  void *variable = nullptr, *address = nullptr;
  size_t size = 0;
  ASSERT_OK(aclrtBinaryGetGlobal(binary.handle(), "kernel_variable", &variable, nullptr));
  EXPECT_OK(aclrtGetSymbolAddress(variable, &address));
  EXPECT_EQ(address, variable);
  EXPECT_OK(aclrtGetSymbolSize(variable, &size));
  EXPECT_EQ(size, 8u);
  std::uint64_t value = 11, back = 0;
  EXPECT_OK(aclrtMemcpyToSymbol(variable, &value, 8, 0, ACL_MEMCPY_HOST_TO_DEVICE));
  std::uint64_t* cell = session.Cell(0);
  EXPECT_OK(LaunchOn(binary.Function("read_variable"), 1, cell, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(session.Read(cell), 11u);
  EXPECT_OK(aclrtMemcpyFromSymbol(&back, 8, variable, 8, 0, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_EQ(back, 11u);
  value = 12;
  EXPECT_OK(aclrtMemcpyToSymbolAsync(variable, &value, 8, 0, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  EXPECT_OK(aclrtMemcpyFromSymbolAsync(cell, 8, variable, 8, 0, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(session.Read(cell), 12u);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemcpyToSymbol(variable, &value, 8, 1, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemcpyToSymbol(variable, nullptr, 8, 0, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemcpyToSymbol(variable, &value, 8, 0, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemcpyFromSymbol(&back, 4, variable, 8, 0, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemcpyFromSymbolAsync(nullptr, 8, variable, 8, 0, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemcpyToSymbolAsync(nullptr, &value, 8, 0, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtGetSymbolAddress(cell, &address));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtGetSymbolAddress(nullptr, &address));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtGetSymbolSize(variable, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtGetSymbolSize(cell, &size));
}

TEST(aclrtGetFuncBySymbol, LaunchesFunctionsOfBinariesAndOfTheProgram) {
  const Session session;
  const aclrtStream stream = session.Stream();
  const KernelBinary binary;
  void* address = nullptr;
  aclrtFuncHandle function = nullptr;
  ASSERT_OK(aclrtGetFunctionAddr(binary.Function("add"), &address, nullptr));
  ASSERT_OK(aclrtGetFuncBySymbol(address, &function));
  EXPECT_EQ(function, binary.Function("add"));
  static std::atomic<int> calls{0};
  calls = 0;
  void (*const own)(const void*, const void*) = [](const void*, const void*) { ++calls; };
  ASSERT_OK(aclrtGetFuncBySymbol(reinterpret_cast<void*>(own), &function));
  EXPECT_OK(aclrtLaunchKernel(function, 3, nullptr, 0, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(calls, 3);
  aclrtBinHandle owner = nullptr;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFunctionGetBinary(function, &owner));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtGetFuncBySymbol(nullptr, &function));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtGetFuncBySymbol(address, nullptr));
  int nothing = 0;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtGetFuncBySymbol(&nothing, &function));
}

// What a child writes to its standard error.
template <typename Body>
std::string WrittenBy(const Body& body, int* status) {
  FILE* const file = tmpfile();
  *status = InFork({}, [&] {
    dup2(fileno(file), STDERR_FILENO);
    body();
  });
  rewind(file);
  char text[4096] = {};
  const size_t length = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  return std::string(text, length);
}

TEST(aclrtBinaryLoadFromFile, NamesTheFileWhoseConstructorThrows) {
  int status = 0;
  const std::string text = WrittenBy(
      [] {
        aclInit(nullptr);
        aclrtBinHandle binary = nullptr;
        aclrtBinaryLoadFromFile(FileBesideTests("throwing_constructor.so").c_str(), nullptr, &binary);
      },
      &status);
  EXPECT_EQ(status, 1000 + SIGABRT);
  EXPECT_NE(text.find("SIGABRT in the loading"), std::string::npos) << text;
  EXPECT_NE(text.find("throwing_constructor.so"), std::string::npos) << text;
}

TEST(aclrtLaunchKernel, NamesTheKernelThatCrashes) {
  SKIP_WHERE_FORKS_HAVE_NO_THREADS();
  int status = 0;
  const std::string text = WrittenBy(
      [] {
        const Session session;
        const aclrtStream stream = session.Stream();
        const KernelBinary binary;
        EXPECT_OK(aclrtLaunchKernel(binary.Function("crash"), 2, nullptr, 0, stream));
        aclrtSynchronizeStream(stream);
      },
      &status);
#ifdef __SANITIZE_ADDRESS__
  EXPECT_EQ(status, 1) << "the sanitizer's handler was there before and is told, too";
#else
  EXPECT_EQ(status, 1000 + SIGSEGV);
#endif
  EXPECT_NE(text.find("foothold: SIGSEGV (address 0x0) in kernel \"crash\" of "), std::string::npos) << text;
  EXPECT_NE(text.find("block 1 of 2, launched by aclrtLaunchKernel as task "), std::string::npos) << text;
}

// In a program that has loaded no binary yet: the handler is set once.
TEST(aclrtLaunchKernel, PassesASignalOnToTheHandlerThatWasThere) {
  SKIP_WHERE_FORKS_HAVE_NO_THREADS();
  InChild({}, [] {
    int status = 0;
    const std::string text = WrittenBy(
        [] {
          struct sigaction before = {};
          before.sa_handler = [](int) {
            [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, "the program's own\n", 18);
            _exit(33);
          };
          sigaction(SIGSEGV, &before, nullptr);
          const Session session;
          const aclrtStream stream = session.Stream();
          const KernelBinary binary;
          EXPECT_OK(aclrtLaunchKernel(binary.Function("crash"), 2, nullptr, 0, stream));
          aclrtSynchronizeStream(stream);
        },
        &status);
    EXPECT_EQ(status, 33);
    EXPECT_NE(text.find("kernel \"crash\""), std::string::npos) << text;
    EXPECT_NE(text.find("the program's own"), std::string::npos) << text;
  });
}

TEST(aclrtBinaryLoadFromFile, LoadsInAForkedChildToo) {
  SKIP_WHERE_FORKS_HAVE_NO_THREADS();
  const Session session;
  const KernelBinary parents;
  const aclrtFuncHandle function = parents.Function("empty");
  EXPECT_EQ(InFork({},
                   [&] {
                     const Session own;
                     const KernelBinary binary;
                     std::uint64_t* cell = own.Cell(0);
                     EXPECT_OK(LaunchOn(binary.Function("count_blocks"), 1, cell, nullptr));
                     EXPECT_OK(aclrtSynchronizeStream(nullptr));
                     EXPECT_EQ(own.Read(cell), 1001u);
                     (void)function;
                   }),
            0);
}

}  // namespace
