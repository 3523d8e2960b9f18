// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Dump files: names, contents, and what each key of the configuration chooses.
#include <signal.h>
#include <sys/resource.h>

#include <cmath>
#include <regex>

#include "conformance/acl_dump/dump_fixture.h"

namespace {

using testing::HasSubstr;

// From aclmdlSetDump with these members to aclmdlFinalizeDump.
class Dumping {
 public:
  explicit Dumping(const std::string& members) : config_(members) {
    EXPECT_OK(aclmdlInitDump());
    EXPECT_OK(aclmdlSetDump(config_.path()));
  }
  ~Dumping() { EXPECT_OK(aclmdlFinalizeDump()); }
  std::map<std::string, std::string> Files() const { return config_.Files(); }
  const std::string& directory() const { return config_.directory(); }

 private:
  DumpFile config_;
};

std::vector<std::string> Names(const std::map<std::string, std::string>& files) {
  std::vector<std::string> names;
  for (const auto& [path, bytes] : files) {
    const std::string name = std::filesystem::path(path).filename().string();
    names.push_back(name.substr(0, name.find('.', name.find('.') + 1)));
  }
  return names;
}

TEST(DumpFiles, AreNamedAsToolsExpect) {
  Session session;
  const Dumping dumping(R"("dump_list": [{}])");
  const LoadedModel model(DoubleModel());
  RunOnce(model, 1);
  RunOnce(model, 1);
  const std::string id = std::to_string(model.id());
  const std::regex expected(dumping.directory() + "/[0-9]{14}/0/scale/" + id +
                            "/[01]/(Add.sum|Mul.product)\\.[0-9]+\\.[0-9]+\\.[0-9]{16}");
  EXPECT_EQ(dumping.Files().size(), 4u);
  for (const auto& [path, bytes] : dumping.Files())
    EXPECT_TRUE(std::regex_match(path, expected)) << path;
}

// 0a: field 1, 18: field 3 ...; the numbers are those of the public description.
TEST(DumpFiles, BeginWithTheMessageToolsRead) {
  Session session;
  const Dumping dumping(R"("dump_list": [{"layer": ["sum"]}], "dump_mode": "all")");
  const LoadedModel model(DoubleModel());
  RunOnce(model, 3);
  const DumpParts parts(FileOf(dumping.Files(), "Add.sum."));
  EXPECT_THAT(parts.message, HasSubstr("\x0a\x03"
                                       "1.0"));
  EXPECT_THAT(parts.message, HasSubstr("\x32\x03sum"));
  // data type 1, format 2, shape {1024}, size 4096: as an output, then as an input.
  EXPECT_THAT(parts.message,
              HasSubstr(std::string("\x08\x01\x10\x02\x1a\x04\x0a\x02\x80\x08\x30\x80\x20", 13)));
  EXPECT_THAT(parts.message,
              HasSubstr(std::string("\x08\x01\x10\x02\x1a\x04\x0a\x02\x80\x08\x28\x80\x20", 13)));
  Floats expected(kCount, 3);
  expected.insert(expected.end(), kCount, 1);
  expected.insert(expected.end(), kCount, 4);
  EXPECT_EQ(parts.AsFloats(), expected) << "inputs, then outputs";
}

TEST(DumpMode, ChoosesInputsOrOutputs) {
  Session session;
  const ge::ModelBufferData bytes = DoubleModel();
  const std::map<std::string, size_t> tensors = {{"input", 2}, {"output", 1}, {"all", 3}};
  for (const auto& [mode, count] : tensors) {
    const Dumping dumping(R"("dump_list": [{}], "dump_mode": ")" + mode + "\"");
    const LoadedModel model(bytes);
    EXPECT_EQ(RunOnce(model, 3), Floats(kCount, 8));
    const DumpParts parts(FileOf(dumping.Files(), "Mul.product."));
    EXPECT_EQ(parts.tensors.size(), count * kBytes) << mode;
    EXPECT_EQ(parts.AsFloats().front(), mode == "output" ? 8 : 4) << mode;
  }
}

TEST(DumpList, ChoosesModelsByTheNameOfTheirFileOrGraph) {
  Session session;
  const TemporaryDirectory directory;
  const ge::ModelBufferData bytes = DoubleModel();
  const std::string file = directory.path() + "/on_disk";
  ASSERT_EQ(ge::aclgrphSaveModel(file.c_str(), bytes), ge::GRAPH_SUCCESS);
  const auto run_both = [&](const char* name) {
    const Dumping dumping(std::string(R"("dump_list": [{"model_name": ")") + name + "\"}]");
    const LoadedModel in_memory(bytes), on_disk(file + ".om");
    RunOnce(in_memory, 1);
    RunOnce(on_disk, 1);
    return dumping.Files().size();
  };
  EXPECT_EQ(run_both("scale"), 4u);
  EXPECT_EQ(run_both("on_disk"), 2u);
  EXPECT_EQ(run_both("another"), 0u);
}

TEST(DumpList, ChoosesNodesByName) {
  Session session;
  const Dumping dumping(R"("dump_list": [{"layer": ["product", "nobody"]}])");
  const LoadedModel model(DoubleModel());
  RunOnce(model, 1);
  EXPECT_THAT(Names(dumping.Files()), testing::ElementsAre("Mul.product"));
}

TEST(DumpList, LeavesOutWhatBlackListsName) {
  Session session;
  {
    const Dumping dumping(R"("dump_list": [{"optype_blacklist": [{"name": "Mul"}]}])");
    const LoadedModel model(DoubleModel());
    RunOnce(model, 1);
    EXPECT_THAT(Names(dumping.Files()), testing::ElementsAre("Add.sum"));
  }
  const Dumping dumping(
      R"("dump_mode": "all", "dump_list": [{"opname_blacklist": [{"name": "sum", "pos": ["input1"]}]}])");
  const LoadedModel model(DoubleModel());
  RunOnce(model, 1);
  EXPECT_EQ(DumpParts(FileOf(dumping.Files(), "Add.sum.")).tensors.size(), 2 * kBytes);
  EXPECT_EQ(DumpParts(FileOf(dumping.Files(), "Mul.product.")).tensors.size(), 3 * kBytes);
}

TEST(DumpStep, ChoosesRunsByTheirNumber) {
  Session session;
  const Dumping dumping(R"("dump_list": [{}], "dump_step": "0|2-3")");
  const LoadedModel model(BuildModel(AddGraphOf({kCount}, 1)));
  std::vector<std::string> indices;
  for (int i = 0; i < 6; ++i)
    RunOnce(model, static_cast<float>(i));
  for (const auto& [path, bytes] : dumping.Files())
    indices.push_back(std::filesystem::path(path).parent_path().filename().string());
  EXPECT_THAT(indices, testing::ElementsAre("0", "2", "3"));
}

TEST(DumpLevel, OfKernelsShowsWhatRunsAsOne) {
  Session session;
  const Dumping dumping(R"("dump_list": [{}], "dump_level": "kernel")");
  const LoadedModel model(DoubleModel());
  EXPECT_EQ(RunOnce(model, 3), Floats(kCount, 8));
  ASSERT_EQ(dumping.Files().size(), 1u);
  EXPECT_THAT(dumping.Files().begin()->first, HasSubstr(".product."));
}

TEST(DumpData, MayBeStatistics) {
  Session session;
  const Dumping dumping(
      R"("dump_list": [{"layer": ["sum"]}], "dump_mode": "all", "dump_data": "stats", "dump_stats": ["Max", "Nan"])");
  const LoadedModel model(DoubleModel());
  RunOnce(model, 3);
  const auto files = dumping.Files();
  ASSERT_EQ(files.size(), 1u);
  EXPECT_THAT(files.begin()->first, testing::EndsWith(".csv"));
  EXPECT_EQ(files.begin()->second,
            "Input/Output,Index,Data Size,Data Type,Format,Shape,Count,Max Value,Nan Count\n"
            "Input,0,4096,float,ND,1024,1024,3,0\n"
            "Input,1,4096,float,ND,1024,1024,1,0\n"
            "Output,0,4096,float,ND,1024,1024,4,0\n");
}

TEST(DumpDebug, ShowsOnlyNodesThatOverflow) {
  Session session;
  const Dumping dumping(R"("dump_debug": "on")");
  const LoadedModel model(DoubleModel());
  RunOnce(model, 3);
  EXPECT_TRUE(dumping.Files().empty());
  EXPECT_TRUE(std::isinf(RunOnce(model, 3e38f)[0]));
  const auto files = dumping.Files();
  ASSERT_EQ(files.size(), 1u);
  EXPECT_THAT(files.begin()->first, HasSubstr("/Opdebug.Node_OpDebug."));
  EXPECT_THAT(DumpParts(files.begin()->second).message, HasSubstr("product"));
}

TEST(DumpWatcher, ShowsNodesAfterOthers) {
  Session session;
  const Dumping dumping(
      R"("dump_scene": "watcher", "dump_list": [{"layer": ["product"], "watcher_nodes": ["sum"]}])");
  const LoadedModel model(DoubleModel());
  RunOnce(model, 3);
  EXPECT_EQ(DumpParts(FileOf(dumping.Files(), "Add.product_To_sum.")).tensors.size(), kBytes);
}

TEST(DumpFiles, WithLongNamesAreInAList) {
  Session session;
  const Dumping dumping(R"("dump_list": [{}])");
  const std::string name(300, 'n');
  const ge::op::Data x = FloatData("x", 0, {kCount});
  const ge::op::Abs y = ge::op::Abs(name.c_str()).set_input_x(x);
  const LoadedModel model(
      BuildModel(ge::Graph("long").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{y})));
  RunOnce(model, -1);
  const std::string list = FileOf(dumping.Files(), "mapping.csv");
  const std::string digits = list.substr(0, list.find(','));
  EXPECT_THAT(list, HasSubstr("Abs." + name));
  EXPECT_EQ(DumpParts(FileOf(dumping.Files(), digits)).AsFloats(), Floats(kCount, 1));
}

TEST(DumpFiles, ComeBackAfterTheirDirectoryWasRemoved) {
  Session session;
  const Dumping dumping(R"("dump_list": [{}])");
  const LoadedModel model(BuildModel(AddGraphOf({kCount}, 1)));
  RunOnce(model, 1);
  std::filesystem::remove_all(dumping.directory());
  RunOnce(model, 1);
  EXPECT_EQ(dumping.Files().size(), 1u);
}

// A limit on the size of files stands for a disk that is full: both end a write early.
TEST(DumpFiles, ThatCannotBeWrittenWholeAreNotLeftBehind) {
  InChild({}, [] {
    Session session;
    const Dumping dumping(R"("dump_list": [{}])");
    const LoadedModel small(BuildModel(AddGraphOf({kCount}, 1))),
        large(BuildModel(AddGraphOf({3, 1 << 18}, 1)));
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {1 << 20, 1 << 20};
    setrlimit(RLIMIT_FSIZE, &limit);
    RunOnce(small, 1);
    DeviceSet inputs, outputs;
    inputs.Add(Floats(3 << 18, 1));
    outputs.Add(3 << 20);
    EXPECT_OK(aclmdlExecute(large.id(), inputs.get(), outputs.get())) << "the run itself is fine";
    EXPECT_EQ(outputs.Read(0, 1), Floats(1, 2));
    RunOnce(small, 1);
    EXPECT_EQ(dumping.Files().size(), 2u) << "those of the small model";
    for (const auto& [path, bytes] : dumping.Files())
      EXPECT_EQ(DumpParts(bytes).AsFloats(), Floats(kCount, 2));
  });
}

TEST(DumpedModel, NeedsTheMemoryItAsksFor) {
  Session session;
  const Dumping dumping(R"("dump_list": [{}])");
  const ge::ModelBufferData bytes = DoubleModel();
  size_t work = 0, weights = 0;
  ASSERT_OK(aclmdlQuerySizeFromMem(bytes.data.get(), bytes.length, &work, &weights));
  void *work_memory = nullptr, *weight_memory = nullptr;
  ASSERT_OK(aclrtMalloc(&work_memory, work, ACL_MEM_MALLOC_HUGE_FIRST));
  ASSERT_OK(aclrtMalloc(&weight_memory, weights, ACL_MEM_MALLOC_HUGE_FIRST));
  uint32_t id = 0;
  EXPECT_OK(aclmdlLoadFromMemWithMem(bytes.data.get(), bytes.length, &id, work_memory, work, weight_memory,
                                     weights));
  EXPECT_OK(aclmdlUnload(id));
  EXPECT_OK(aclrtFree(work_memory));
  EXPECT_OK(aclrtFree(weight_memory));
}

}  // namespace
