// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "acl/ops/acl_cblas.h"
#include "conformance/acl_op/op_fixture.h"

namespace {

template <typename T>
T Number(float value) {
  if constexpr (std::is_same_v<T, aclFloat16>) {
    return aclFloatToFloat16(value);
  } else {
    return static_cast<T>(value);
  }
}

template <typename T>
float ToFloat(T value) {
  if constexpr (std::is_same_v<T, aclFloat16>) {
    return aclFloat16ToFloat(value);
  } else {
    return static_cast<float>(value);
  }
}

template <typename T>
OpTensorPtr Matrix(const FloatList& values) {
  std::vector<T> numbers;
  for (const float value : values)
    numbers.push_back(Number<T>(value));
  return OpTensor::Of<T>({static_cast<int64_t>(values.size())}, numbers);
}

template <typename T>
FloatList Values(const OpTensorPtr& tensor, size_t count) {
  FloatList values;
  for (const T value : tensor->Read<T>(count))
    values.push_back(ToFloat(value));
  return values;
}

const FloatList kA = {1, 2, 3, 4, 5, 6};            // 2 x 3
const FloatList kATransposed = {1, 4, 2, 5, 3, 6};  // 3 x 2
const FloatList kB = {1, 0, 2, 1, 0, 3};            // 3 x 2
const FloatList kBTransposed = {1, 2, 0, 0, 1, 3};  // 2 x 3
const FloatList kC = {10, 20, 30, 40};
const FloatList kResult = {2 * 5 + 30, 2 * 11 + 60, 2 * 14 + 90, 2 * 23 + 120};  // 2 A B + 3 C

template <typename In, typename Out>
struct Product {
  OpTensorPtr a = Matrix<In>(kA), at = Matrix<In>(kATransposed), b = Matrix<In>(kB),
              bt = Matrix<In>(kBTransposed), c = Matrix<Out>(kC), alpha = Matrix<Out>({2}),
              beta = Matrix<Out>({3});

  aclError Gemm(aclTransType transA = ACL_TRANS_N, aclTransType transB = ACL_TRANS_N,
                aclTransType transC = ACL_TRANS_N, int lda = -1, int m = 2,
                aclComputeType type = ACL_COMPUTE_HIGH_PRECISION, aclrtStream stream = nullptr) {
    return aclblasGemmEx(transA, transB, transC, m, 2, 3, alpha->memory(),
                         (transA == ACL_TRANS_T ? at : a)->memory(), lda, AclTypeOf<In>::kType,
                         (transB == ACL_TRANS_T ? bt : b)->memory(), -1, AclTypeOf<In>::kType, beta->memory(),
                         c->memory(), -1, AclTypeOf<Out>::kType, type, stream);
  }
  FloatList Result() const {
    EXPECT_OK(aclrtSynchronizeStream(nullptr));
    return Values<Out>(c, 4);
  }
};

template <typename In, typename Out>
void MultipliesEveryWay() {
  for (const aclTransType a : {ACL_TRANS_N, ACL_TRANS_T})
    for (const aclTransType b : {ACL_TRANS_N, ACL_TRANS_T}) {
      Product<In, Out> product;
      EXPECT_OK(product.Gemm(a, b));
      EXPECT_EQ(product.Result(), kResult) << "transA " << a << ", transB " << b;
    }
}

TEST(Gemm, MultipliesAllDocumentedTypes) {
  const Session session;
  MultipliesEveryWay<aclFloat16, aclFloat16>();
  MultipliesEveryWay<aclFloat16, float>();
  MultipliesEveryWay<int8_t, float>();
  MultipliesEveryWay<int8_t, int32_t>();
}

TEST(Gemm, SumsInTheTypeOfTheResult) {
  const Session session;
  const auto a = Matrix<aclFloat16>(FloatList(64, 60.0f)), b = Matrix<aclFloat16>(FloatList(64, 60.0f));
  const auto c = Matrix<float>({0.5f}), one = Matrix<float>({1});
  EXPECT_OK(aclblasGemmEx(ACL_TRANS_N, ACL_TRANS_N, ACL_TRANS_N, 1, 1, 64, one->memory(), a->memory(), -1,
                          ACL_FLOAT16, b->memory(), -1, ACL_FLOAT16, one->memory(), c->memory(), -1,
                          ACL_FLOAT, ACL_COMPUTE_HIGH_PRECISION, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(c->Read<float>(1)[0], 64 * 3600 + 0.5f) << "more than float16 can hold";
}

TEST(Gemm, ReadsFactorsWhenItRuns) {
  const Session session;
  aclrtStream stream = session.Stream();
  Gate gate;
  gate.Hold(stream);
  Product<aclFloat16, aclFloat16> product;
  EXPECT_OK(aclrtMemsetAsync(product.beta->memory(), 2, 0, 2, stream));
  EXPECT_OK(product.Gemm(ACL_TRANS_N, ACL_TRANS_N, ACL_TRANS_N, -1, 2, ACL_COMPUTE_HIGH_PRECISION, stream));
  EXPECT_EQ(Values<aclFloat16>(product.c, 4), kC) << "the call only queues";
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(product.Result(), (FloatList{10, 22, 28, 46}));
}

TEST(Gemm, TakesMatricesWithoutGaps) {
  const Session session;
  Product<aclFloat16, aclFloat16> product;
  EXPECT_OK(product.Gemm(ACL_TRANS_N, ACL_TRANS_N, ACL_TRANS_N, 3));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_OK(product.Gemm(ACL_TRANS_T, ACL_TRANS_N, ACL_TRANS_N, 2));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "lda is 4; expected -1 or 3",
                  product.Gemm(ACL_TRANS_N, ACL_TRANS_N, ACL_TRANS_N, 4));
}

TEST(Gemm, RefusesWhatItCannotMultiply) {
  const Session session;
  Product<aclFloat16, aclFloat16> product;
  EXPECT_OP_FAILS(ACL_ERROR_FEATURE_UNSUPPORTED, "transA is 2: matrices in fractal layout",
                  product.Gemm(ACL_TRANS_NZ));
  EXPECT_OP_FAILS(ACL_ERROR_FEATURE_UNSUPPORTED, "transB is 3", product.Gemm(ACL_TRANS_N, ACL_TRANS_NZ_T));
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "transA is 9", product.Gemm(static_cast<aclTransType>(9)));
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "transC", product.Gemm(ACL_TRANS_N, ACL_TRANS_N, ACL_TRANS_T));
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "positive",
                  product.Gemm(ACL_TRANS_N, ACL_TRANS_N, ACL_TRANS_N, -1, 0));
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "ACL_COMPUTE_HIGH_PRECISION",
                  product.Gemm(ACL_TRANS_N, ACL_TRANS_N, ACL_TRANS_N, -1, 2, ACL_COMPUTE_LOW_PRECISION));
  Product<float, float> floats;
  EXPECT_OP_FAILS(ACL_ERROR_FEATURE_UNSUPPORTED, "float and float into float", floats.Gemm());
}

TEST(Gemm, RefusesMemoryItCannotUse) {
  const Session session;
  Product<aclFloat16, aclFloat16> product;
  const aclFloat16 on_host = aclFloatToFloat16(1);
  const auto multiply = [&](const void* alpha, const void* a) {
    return aclblasHgemm(
        ACL_TRANS_N, ACL_TRANS_N, ACL_TRANS_N, 2, 2, 3, static_cast<const aclFloat16*>(alpha),
        static_cast<const aclFloat16*>(a), -1, static_cast<const aclFloat16*>(product.b->memory()), -1,
        static_cast<const aclFloat16*>(product.beta->memory()), static_cast<aclFloat16*>(product.c->memory()),
        -1, ACL_COMPUTE_HIGH_PRECISION, nullptr);
  };
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "input 3", multiply(&on_host, product.a->memory()));
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "input 0", multiply(product.alpha->memory(), nullptr));
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "input 0",
                  multiply(product.alpha->memory(), static_cast<char*>(product.a->memory()) + 100));
}

TEST(Gemm, HasFormsForOneType) {
  const Session session;
  Product<aclFloat16, aclFloat16> halves;
  EXPECT_OK(aclblasHgemm(
      ACL_TRANS_N, ACL_TRANS_N, ACL_TRANS_N, 2, 2, 3, static_cast<aclFloat16*>(halves.alpha->memory()),
      static_cast<aclFloat16*>(halves.a->memory()), -1, static_cast<aclFloat16*>(halves.b->memory()), -1,
      static_cast<aclFloat16*>(halves.beta->memory()), static_cast<aclFloat16*>(halves.c->memory()), -1,
      ACL_COMPUTE_HIGH_PRECISION, nullptr));
  EXPECT_EQ(halves.Result(), kResult);
  Product<int8_t, int32_t> bytes;
  EXPECT_OK(
      aclblasS8gemm(ACL_TRANS_N, ACL_TRANS_N, ACL_TRANS_N, 2, 2, 3,
                    static_cast<int32_t*>(bytes.alpha->memory()), static_cast<int8_t*>(bytes.a->memory()), -1,
                    static_cast<int8_t*>(bytes.b->memory()), -1, static_cast<int32_t*>(bytes.beta->memory()),
                    static_cast<int32_t*>(bytes.c->memory()), -1, ACL_COMPUTE_HIGH_PRECISION, nullptr));
  EXPECT_EQ(bytes.Result(), kResult);
}

template <typename In, typename Out>
void RunsWithHandle(aclopHandle* handle) {
  Product<In, Out> product;
  for (int run = 0; run < 2; ++run) {
    product.c = Matrix<Out>(kC);
    Op op("GEMM", {product.a, product.b, product.c, product.alpha, product.beta}, {product.c});
    EXPECT_OK(op.ExecuteWith(handle));
    EXPECT_EQ(product.Result(), kResult);
  }
  aclopDestroyHandle(handle);
}

TEST(Gemm, IsPreparedOnceForManyRuns) {
  const Session session;
  aclopHandle* handle = nullptr;
  ASSERT_OK(aclblasCreateHandleForGemmEx(ACL_TRANS_N, ACL_TRANS_N, ACL_TRANS_N, 2, 2, 3, ACL_FLOAT16,
                                         ACL_FLOAT16, ACL_FLOAT, ACL_COMPUTE_HIGH_PRECISION, &handle));
  RunsWithHandle<aclFloat16, float>(handle);
  ASSERT_OK(aclblasCreateHandleForHgemm(ACL_TRANS_N, ACL_TRANS_N, ACL_TRANS_N, 2, 2, 3,
                                        ACL_COMPUTE_HIGH_PRECISION, &handle));
  RunsWithHandle<aclFloat16, aclFloat16>(handle);
  ASSERT_OK(aclblasCreateHandleForS8gemm(ACL_TRANS_N, ACL_TRANS_N, ACL_TRANS_N, 2, 2, 3,
                                         ACL_COMPUTE_HIGH_PRECISION, &handle));
  RunsWithHandle<int8_t, int32_t>(handle);
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "handle",
                  aclblasCreateHandleForHgemm(ACL_TRANS_N, ACL_TRANS_N, ACL_TRANS_N, 2, 2, 3,
                                              ACL_COMPUTE_HIGH_PRECISION, nullptr));
}

const FloatList kX = {1, 0, 2};
const FloatList kY = {10, 20};
const FloatList kVector = {2 * 7 + 30, 2 * 16 + 60};  // 2 A x + 3 y

template <typename In, typename Out>
struct VectorProduct {
  OpTensorPtr a = Matrix<In>(kA), at = Matrix<In>(kATransposed), x = Matrix<In>(kX), y = Matrix<Out>(kY),
              alpha = Matrix<Out>({2}), beta = Matrix<Out>({3});
  FloatList Result() const {
    EXPECT_OK(aclrtSynchronizeStream(nullptr));
    return Values<Out>(y, 2);
  }
};

TEST(Gemv, MultipliesAMatrixAndAVector) {
  const Session session;
  VectorProduct<aclFloat16, float> any, transposed;
  EXPECT_OK(aclblasGemvEx(ACL_TRANS_N, 2, 3, any.alpha->memory(), any.a->memory(), -1, ACL_FLOAT16,
                          any.x->memory(), -1, ACL_FLOAT16, any.beta->memory(), any.y->memory(), 1, ACL_FLOAT,
                          ACL_COMPUTE_HIGH_PRECISION, nullptr));
  EXPECT_EQ(any.Result(), kVector);
  EXPECT_OK(aclblasGemvEx(ACL_TRANS_T, 2, 3, transposed.alpha->memory(), transposed.at->memory(), 2,
                          ACL_FLOAT16, transposed.x->memory(), 1, ACL_FLOAT16, transposed.beta->memory(),
                          transposed.y->memory(), -1, ACL_FLOAT, ACL_COMPUTE_HIGH_PRECISION, nullptr));
  EXPECT_EQ(transposed.Result(), kVector);
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "incx is 2",
                  aclblasGemvEx(ACL_TRANS_N, 2, 3, any.alpha->memory(), any.a->memory(), -1, ACL_FLOAT16,
                                any.x->memory(), 2, ACL_FLOAT16, any.beta->memory(), any.y->memory(), 1,
                                ACL_FLOAT, ACL_COMPUTE_HIGH_PRECISION, nullptr));
}

TEST(Gemv, HasFormsForOneType) {
  const Session session;
  VectorProduct<aclFloat16, aclFloat16> halves;
  EXPECT_OK(aclblasHgemv(
      ACL_TRANS_N, 2, 3, static_cast<aclFloat16*>(halves.alpha->memory()),
      static_cast<aclFloat16*>(halves.a->memory()), -1, static_cast<aclFloat16*>(halves.x->memory()), -1,
      static_cast<aclFloat16*>(halves.beta->memory()), static_cast<aclFloat16*>(halves.y->memory()), -1,
      ACL_COMPUTE_HIGH_PRECISION, nullptr));
  EXPECT_EQ(halves.Result(), kVector);
  VectorProduct<int8_t, int32_t> bytes;
  EXPECT_OK(aclblasS8gemv(ACL_TRANS_N, 2, 3, static_cast<int32_t*>(bytes.alpha->memory()),
                          static_cast<int8_t*>(bytes.a->memory()), -1,
                          static_cast<int8_t*>(bytes.x->memory()), -1,
                          static_cast<int32_t*>(bytes.beta->memory()),
                          static_cast<int32_t*>(bytes.y->memory()), -1, ACL_COMPUTE_HIGH_PRECISION, nullptr));
  EXPECT_EQ(bytes.Result(), kVector);
}

TEST(Gemv, IsPreparedOnceForManyRuns) {
  const Session session;
  const auto run = [](aclopHandle* handle, const auto& product) {
    Op op("GEMM", {product.a, product.x, product.y, product.alpha, product.beta}, {product.y});
    EXPECT_OK(op.ExecuteWith(handle));
    EXPECT_EQ(product.Result(), kVector);
    aclopDestroyHandle(handle);
  };
  aclopHandle* handle = nullptr;
  ASSERT_OK(aclblasCreateHandleForGemvEx(ACL_TRANS_N, 2, 3, ACL_INT8, ACL_INT8, ACL_FLOAT,
                                         ACL_COMPUTE_HIGH_PRECISION, &handle));
  run(handle, VectorProduct<int8_t, float>());
  ASSERT_OK(aclblasCreateHandleForHgemv(ACL_TRANS_N, 2, 3, ACL_COMPUTE_HIGH_PRECISION, &handle));
  run(handle, VectorProduct<aclFloat16, aclFloat16>());
  ASSERT_OK(aclblasCreateHandleForS8gemv(ACL_TRANS_N, 2, 3, ACL_COMPUTE_HIGH_PRECISION, &handle));
  run(handle, VectorProduct<int8_t, int32_t>());
}

}  // namespace
