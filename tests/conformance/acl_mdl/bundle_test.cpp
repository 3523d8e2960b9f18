// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "conformance/acl_mdl/model_fixture.h"
#include "conformance/config_file.h"

namespace {

const Dims kDims = {1024};
const size_t kCount = 1024;

ge::ModelBufferData BuildBundle() {
  GeOptions global;
  EXPECT_EQ(ge::aclgrphBuildInitialize(global), ge::GRAPH_SUCCESS);
  ge::ModelBufferData bundle;
  const std::vector<ge::GraphWithOptions> graphs = {{ScaleGraph(kDims, 2, "double"), {}},
                                                    {ScaleGraph(kDims, 3, "triple"), {}}};
  EXPECT_EQ(ge::aclgrphBundleBuildModel(graphs, bundle), ge::GRAPH_SUCCESS) << GraphError();
  ge::aclgrphBuildFinalize();
  return bundle;
}

Floats RunModel(uint32_t id) {
  DeviceSet inputs, outputs;
  inputs.Add(Floats(kCount, 1));
  outputs.Add(kCount * sizeof(float));
  EXPECT_OK(aclmdlExecute(id, inputs.get(), outputs.get()));
  return outputs.Read(0, kCount);
}

TEST(ModelBundle, RunsEachOfItsModels) {
  Session session;
  const TemporaryDirectory directory;
  const std::string path = directory.path() + "/bundle.om";
  ASSERT_EQ(ge::aclgrphBundleSaveModel(path.c_str(), BuildBundle()), ge::GRAPH_SUCCESS);
  uint32_t bundle = 0;
  ASSERT_OK(aclmdlBundleLoadFromFile(path.c_str(), &bundle));
  size_t count = 0;
  ASSERT_OK(aclmdlBundleGetModelNum(bundle, &count));
  EXPECT_EQ(count, 2u);
  uint32_t first = 0, second = 0;
  ASSERT_OK(aclmdlBundleGetModelId(bundle, 0, &first));
  ASSERT_OK(aclmdlBundleGetModelId(bundle, 1, &second));
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, "index 2", aclmdlBundleGetModelId(bundle, 2, &second));
  EXPECT_EQ(RunModel(first), Floats(kCount, 4));
  EXPECT_EQ(RunModel(second), Floats(kCount, 6));
  EXPECT_OK(aclmdlBundleUnload(bundle));
  EXPECT_FAILS(ACL_ERROR_INVALID_BUNDLE_MODEL_ID, aclmdlBundleUnload(bundle));
  EXPECT_FAILS(ACL_ERROR_GE_EXEC_MODEL_ID_INVALID, aclmdlUnload(first));
}

TEST(ModelBundle, LoadsAndUnloadsItsModelsOneByOne) {
  Session session;
  const ge::ModelBufferData bytes = BuildBundle();
  aclmdlBundleQueryInfo* query = aclmdlBundleCreateQueryInfo();
  ASSERT_OK(aclmdlBundleQueryInfoFromMem(bytes.data.get(), bytes.length, query));
  size_t count = 0, work = 0, weights = 0, variables = 1;
  EXPECT_OK(aclmdlBundleGetQueryModelNum(query, &count));
  EXPECT_EQ(count, 2u);
  EXPECT_OK(aclmdlBundleGetSize(query, 1, &work, &weights));
  EXPECT_OK(aclmdlBundleGetVarWeightSize(query, &variables));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlBundleGetSize(query, 2, &work, &weights));
  EXPECT_OK(aclmdlBundleDestroyQueryInfo(query));

  uint32_t bundle = 0, id = 0, other = 0;
  ASSERT_OK(aclmdlBundleInitFromMem(bytes.data.get(), bytes.length, nullptr, 0, &bundle));
  ASSERT_OK(aclmdlBundleLoadModel(bundle, 1, &id));
  void *work_memory = nullptr, *weight_memory = nullptr;
  ASSERT_OK(aclrtMalloc(&work_memory, work, ACL_MEM_MALLOC_HUGE_FIRST));
  ASSERT_OK(aclrtMalloc(&weight_memory, weights, ACL_MEM_MALLOC_HUGE_FIRST));
  ASSERT_OK(aclmdlBundleLoadModelWithMem(bundle, 1, work_memory, work, weight_memory, weights, &other));
  EXPECT_EQ(RunModel(id), Floats(kCount, 6));
  EXPECT_EQ(RunModel(other), Floats(kCount, 6));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlBundleLoadModel(bundle, 2, &id));
  EXPECT_OK(aclmdlBundleUnloadModel(bundle, id));
  EXPECT_FAILS(ACL_ERROR_GE_EXEC_MODEL_ID_INVALID, aclmdlBundleUnloadModel(bundle, id));
  EXPECT_OK(aclmdlBundleUnload(bundle));
}

TEST(ModelBundle, IsNoModelAndAModelIsNoBundle) {
  Session session;
  const ge::ModelBufferData bundle = BuildBundle(), model = BuildModel(ScaleGraph(kDims, 2));
  uint32_t id = 0;
  EXPECT_FAILS_WITH(ACL_ERROR_PARSE_MODEL, "bundle",
                    aclmdlLoadFromMem(bundle.data.get(), bundle.length, &id));
  EXPECT_FAILS_WITH(ACL_ERROR_PARSE_MODEL, "no bundle",
                    aclmdlBundleLoadFromMem(model.data.get(), model.length, &id));
  ASSERT_OK(aclmdlBundleLoadFromMem(bundle.data.get(), bundle.length, &id));
  EXPECT_FAILS_WITH(ACL_ERROR_GE_EXEC_MODEL_ID_INVALID, "is a bundle", aclmdlUnload(id));
  EXPECT_OK(aclmdlBundleUnload(id));
}

}  // namespace
