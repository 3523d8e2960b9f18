// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Products of matrices. A product of a matrix and a vector is one of matrices with one column.
#include "acl/ops/acl_cblas.h"

#include "api/acl/op_arguments.h"
#include "api/guard.h"
#include "device/current.h"
#include "single_op/matrix_product.h"
#include "single_op/op_handle.h"

namespace foothold {
namespace {

bool IsTransposed(aclTransType trans, const char* name) {
  if (trans == ACL_TRANS_NZ || trans == ACL_TRANS_NZ_T)
    Fail(kFeatureUnsupported, "{} is {}: matrices in fractal layout are not supported", name,
         static_cast<int>(trans));
  if (trans != ACL_TRANS_N && trans != ACL_TRANS_T)
    Fail(kInvalidParam, "{} is {}; expected ACL_TRANS_N (0) or ACL_TRANS_T (1)", name,
         static_cast<int>(trans));
  return trans == ACL_TRANS_T;
}

void CheckResult(aclTransType trans) {
  if (IsTransposed(trans, "transC"))
    Fail(kInvalidParam, "transC is ACL_TRANS_T; the result cannot be transposed");
}

void CheckPrecision(aclComputeType type) {
  if (type != ACL_COMPUTE_HIGH_PRECISION)
    Fail(kInvalidParam, "type is {}; expected ACL_COMPUTE_HIGH_PRECISION (0)", static_cast<int>(type));
}

// -1 stands for elements without gaps between them, and that is all there is.
void CheckDistance(int given, std::int64_t natural, const char* name) {
  if (given != -1 && given != natural)
    Fail(kInvalidParam, "{} is {}; expected -1 or {}: gaps are not supported", name, given, natural);
}

ProductShape GemmShape(aclTransType a, aclTransType b, aclTransType c, int m, int n, int k,
                       aclComputeType precision) {
  CheckResult(c);
  CheckPrecision(precision);
  ProductShape shape;
  shape.transpose_a = IsTransposed(a, "transA");
  shape.transpose_b = IsTransposed(b, "transB");
  shape.m = m;
  shape.n = n;
  shape.k = k;
  return shape;
}

ProductShape GemvShape(aclTransType a, int m, int n, aclComputeType precision) {
  return GemmShape(a, ACL_TRANS_N, ACL_TRANS_N, m, 1, n, precision);
}

void SetTypes(ProductShape& shape, aclDataType a, aclDataType b, aclDataType c) {
  shape.a = static_cast<DataType>(a);
  shape.b = static_cast<DataType>(b);
  shape.c = static_cast<DataType>(c);
}

void CheckGemm(const ProductShape& shape, int lda, int ldb, int ldc) {
  CheckDistance(lda, shape.transpose_a ? shape.m : shape.k, "lda");
  CheckDistance(ldb, shape.transpose_b ? shape.k : shape.n, "ldb");
  CheckDistance(ldc, shape.n, "ldc");
}

void CheckGemv(const ProductShape& shape, int lda, int incx, int incy) {
  CheckDistance(lda, shape.transpose_a ? shape.m : shape.k, "lda");
  CheckDistance(incx, 1, "incx");
  CheckDistance(incy, 1, "incy");
}

void MakeHandle(const ProductShape& shape, aclopHandle** handle) {
  CheckNotNull(handle, "handle", kInvalidParam);
  const MatrixProduct product(shape);
  *handle = static_cast<aclopHandle*>(OpHandles::Get().Add(
      std::make_shared<const OpHandle>(product.call(), Operators::Get().FindOrCompile(product.call()))));
}

}  // namespace
}  // namespace foothold

using namespace foothold;

aclError aclblasGemmEx(aclTransType transA, aclTransType transB, aclTransType transC, int m, int n, int k,
                       const void* alpha, const void* matrixA, int lda, aclDataType dataTypeA,
                       const void* matrixB, int ldb, aclDataType dataTypeB, const void* beta, void* matrixC,
                       int ldc, aclDataType dataTypeC, aclComputeType type, aclrtStream stream) {
  return Guard(
      FOOTHOLD_CALL(transA, transB, transC, m, n, k, alpha, matrixA, lda, dataTypeA, matrixB, ldb, dataTypeB,
                    beta, matrixC, ldc, dataTypeC, type, stream),
      [&] {
        ProductShape shape = GemmShape(transA, transB, transC, m, n, k, type);
        SetTypes(shape, dataTypeA, dataTypeB, dataTypeC);
        CheckGemm(shape, lda, ldb, ldc);
        RunProduct(shape, {alpha, matrixA, matrixB, beta, matrixC}, OperatorStream(stream), "aclblasGemmEx");
      });
}

aclError aclblasCreateHandleForGemmEx(aclTransType transA, aclTransType transB, aclTransType transC, int m,
                                      int n, int k, aclDataType dataTypeA, aclDataType dataTypeB,
                                      aclDataType dataTypeC, aclComputeType type, aclopHandle** handle) {
  return Guard(FOOTHOLD_CALL(transA, transB, transC, m, n, k, dataTypeA, dataTypeB, dataTypeC, type, handle),
               [&] {
                 ProductShape shape = GemmShape(transA, transB, transC, m, n, k, type);
                 SetTypes(shape, dataTypeA, dataTypeB, dataTypeC);
                 MakeHandle(shape, handle);
               });
}

aclError aclblasHgemm(aclTransType transA, aclTransType transB, aclTransType transC, int m, int n, int k,
                      const aclFloat16* alpha, const aclFloat16* matrixA, int lda, const aclFloat16* matrixB,
                      int ldb, const aclFloat16* beta, aclFloat16* matrixC, int ldc, aclComputeType type,
                      aclrtStream stream) {
  return Guard(
      FOOTHOLD_CALL(transA, transB, transC, m, n, k, alpha, matrixA, lda, matrixB, ldb, beta, matrixC, ldc,
                    type, stream),
      [&] {
        ProductShape shape = GemmShape(transA, transB, transC, m, n, k, type);
        CheckGemm(shape, lda, ldb, ldc);
        RunProduct(shape, {alpha, matrixA, matrixB, beta, matrixC}, OperatorStream(stream), "aclblasHgemm");
      });
}

aclError aclblasCreateHandleForHgemm(aclTransType transA, aclTransType transB, aclTransType transC, int m,
                                     int n, int k, aclComputeType type, aclopHandle** handle) {
  return Guard(FOOTHOLD_CALL(transA, transB, transC, m, n, k, type, handle),
               [&] { MakeHandle(GemmShape(transA, transB, transC, m, n, k, type), handle); });
}

aclError aclblasS8gemm(aclTransType transA, aclTransType transB, aclTransType transC, int m, int n, int k,
                       const int32_t* alpha, const int8_t* matrixA, int lda, const int8_t* matrixB, int ldb,
                       const int32_t* beta, int32_t* matrixC, int ldc, aclComputeType type,
                       aclrtStream stream) {
  return Guard(
      FOOTHOLD_CALL(transA, transB, transC, m, n, k, alpha, matrixA, lda, matrixB, ldb, beta, matrixC, ldc,
                    type, stream),
      [&] {
        ProductShape shape = GemmShape(transA, transB, transC, m, n, k, type);
        SetTypes(shape, ACL_INT8, ACL_INT8, ACL_INT32);
        CheckGemm(shape, lda, ldb, ldc);
        RunProduct(shape, {alpha, matrixA, matrixB, beta, matrixC}, OperatorStream(stream), "aclblasS8gemm");
      });
}

aclError aclblasCreateHandleForS8gemm(aclTransType transA, aclTransType transB, aclTransType transC, int m,
                                      int n, int k, aclComputeType type, aclopHandle** handle) {
  return Guard(FOOTHOLD_CALL(transA, transB, transC, m, n, k, type, handle), [&] {
    ProductShape shape = GemmShape(transA, transB, transC, m, n, k, type);
    SetTypes(shape, ACL_INT8, ACL_INT8, ACL_INT32);
    MakeHandle(shape, handle);
  });
}

aclError aclblasGemvEx(aclTransType transA, int m, int n, const void* alpha, const void* a, int lda,
                       aclDataType dataTypeA, const void* x, int incx, aclDataType dataTypeX,
                       const void* beta, void* y, int incy, aclDataType dataTypeY, aclComputeType type,
                       aclrtStream stream) {
  return Guard(FOOTHOLD_CALL(transA, m, n, alpha, a, lda, dataTypeA, x, incx, dataTypeX, beta, y, incy,
                             dataTypeY, type, stream),
               [&] {
                 ProductShape shape = GemvShape(transA, m, n, type);
                 SetTypes(shape, dataTypeA, dataTypeX, dataTypeY);
                 CheckGemv(shape, lda, incx, incy);
                 RunProduct(shape, {alpha, a, x, beta, y}, OperatorStream(stream), "aclblasGemvEx");
               });
}

aclError aclblasCreateHandleForGemvEx(aclTransType transA, int m, int n, aclDataType dataTypeA,
                                      aclDataType dataTypeX, aclDataType dataTypeY, aclComputeType type,
                                      aclopHandle** handle) {
  return Guard(FOOTHOLD_CALL(transA, m, n, dataTypeA, dataTypeX, dataTypeY, type, handle), [&] {
    ProductShape shape = GemvShape(transA, m, n, type);
    SetTypes(shape, dataTypeA, dataTypeX, dataTypeY);
    MakeHandle(shape, handle);
  });
}

aclError aclblasHgemv(aclTransType transA, int m, int n, const aclFloat16* alpha, const aclFloat16* a,
                      int lda, const aclFloat16* x, int incx, const aclFloat16* beta, aclFloat16* y, int incy,
                      aclComputeType type, aclrtStream stream) {
  return Guard(FOOTHOLD_CALL(transA, m, n, alpha, a, lda, x, incx, beta, y, incy, type, stream), [&] {
    const ProductShape shape = GemvShape(transA, m, n, type);
    CheckGemv(shape, lda, incx, incy);
    RunProduct(shape, {alpha, a, x, beta, y}, OperatorStream(stream), "aclblasHgemv");
  });
}

aclError aclblasCreateHandleForHgemv(aclTransType transA, int m, int n, aclComputeType type,
                                     aclopHandle** handle) {
  return Guard(FOOTHOLD_CALL(transA, m, n, type, handle),
               [&] { MakeHandle(GemvShape(transA, m, n, type), handle); });
}

aclError aclblasS8gemv(aclTransType transA, int m, int n, const int32_t* alpha, const int8_t* a, int lda,
                       const int8_t* x, int incx, const int32_t* beta, int32_t* y, int incy,
                       aclComputeType type, aclrtStream stream) {
  return Guard(FOOTHOLD_CALL(transA, m, n, alpha, a, lda, x, incx, beta, y, incy, type, stream), [&] {
    ProductShape shape = GemvShape(transA, m, n, type);
    SetTypes(shape, ACL_INT8, ACL_INT8, ACL_INT32);
    CheckGemv(shape, lda, incx, incy);
    RunProduct(shape, {alpha, a, x, beta, y}, OperatorStream(stream), "aclblasS8gemv");
  });
}

aclError aclblasCreateHandleForS8gemv(aclTransType transA, int m, int n, aclComputeType type,
                                      aclopHandle** handle) {
  return Guard(FOOTHOLD_CALL(transA, m, n, type, handle), [&] {
    ProductShape shape = GemvShape(transA, m, n, type);
    SetTypes(shape, ACL_INT8, ACL_INT8, ACL_INT32);
    MakeHandle(shape, handle);
  });
}
