// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "acl/ops/acl_cblas.h"
#include "python/chapters.h"

namespace foothold {
namespace {

// The result is memory of the program, not a number to return.
template <auto kProduct, typename Scalar, typename Element, typename Result>
aclError Gemm(aclTransType trans_a, aclTransType trans_b, aclTransType trans_c, int m, int n, int k,
              const void* alpha, const void* a, int lda, const void* b, int ldb, const void* beta, void* c,
              int ldc, aclComputeType compute, aclrtStream stream) {
  return kProduct(trans_a, trans_b, trans_c, m, n, k, static_cast<const Scalar*>(alpha),
                  static_cast<const Element*>(a), lda, static_cast<const Element*>(b), ldb,
                  static_cast<const Scalar*>(beta), static_cast<Result*>(c), ldc, compute, stream);
}

template <auto kProduct, typename Scalar, typename Element, typename Result>
aclError Gemv(aclTransType trans_a, int m, int n, const void* alpha, const void* a, int lda, const void* x,
              int incx, const void* beta, void* y, int incy, aclComputeType compute, aclrtStream stream) {
  return kProduct(trans_a, m, n, static_cast<const Scalar*>(alpha), static_cast<const Element*>(a), lda,
                  static_cast<const Element*>(x), incx, static_cast<const Scalar*>(beta),
                  static_cast<Result*>(y), incy, compute, stream);
}

constexpr char kGemm[] =
    "trans_a, trans_b, trans_c, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, compute_type, stream -> ret";
constexpr char kGemv[] = "trans_a, m, n, alpha, a, lda, x, incx, beta, y, incy, compute_type, stream -> ret";
constexpr char kGemmHandle[] = "trans_a, trans_b, trans_c, m, n, k, compute_type -> handle, ret";
constexpr char kGemvHandle[] = "trans_a, m, n, compute_type -> handle, ret";
constexpr char kGemmText[] = "c = alpha * a * b + beta * c. alpha and beta are addresses.";
constexpr char kGemvText[] = "y = alpha * a * x + beta * y. alpha and beta are addresses.";
constexpr char kHandleText[] = "Prepares the product for op.execute_with_handle.";

const Function kBlasFunctions[] = {
    Bind<aclblasGemmEx>(
        "gemm_ex",
        "trans_a, trans_b, trans_c, m, n, k, alpha, a, lda, type_a, b, ldb, type_b, beta, c, ldc, "
        "type_c, compute_type, stream -> ret",
        kGemmText),
    Bind<Gemm<aclblasHgemm, aclFloat16, aclFloat16, aclFloat16>>("hgemm", kGemm, kGemmText, "aclblasHgemm"),
    Bind<Gemm<aclblasS8gemm, std::int32_t, std::int8_t, std::int32_t>>("s8gemm", kGemm, kGemmText,
                                                                       "aclblasS8gemm"),
    Bind<aclblasGemvEx>("gemv_ex",
                        "trans_a, m, n, alpha, a, lda, type_a, x, incx, type_x, beta, y, incy, type_y, "
                        "compute_type, stream -> ret",
                        kGemvText),
    Bind<Gemv<aclblasHgemv, aclFloat16, aclFloat16, aclFloat16>>("hgemv", kGemv, kGemvText, "aclblasHgemv"),
    Bind<Gemv<aclblasS8gemv, std::int32_t, std::int8_t, std::int32_t>>("s8gemv", kGemv, kGemvText,
                                                                       "aclblasS8gemv"),
    Bind<aclblasCreateHandleForGemmEx>(
        "create_handle_for_gemm_ex",
        "trans_a, trans_b, trans_c, m, n, k, type_a, type_b, type_c, compute_type -> "
        "handle, ret",
        kHandleText),
    Bind<aclblasCreateHandleForHgemm>("create_handle_for_hgemm", kGemmHandle, kHandleText),
    Bind<aclblasCreateHandleForS8gemm>("create_handle_for_s8gemm", kGemmHandle, kHandleText),
    Bind<aclblasCreateHandleForGemvEx>("create_handle_for_gemv_ex",
                                       "trans_a, m, n, type_a, type_x, type_y, compute_type -> handle, ret",
                                       kHandleText),
    Bind<aclblasCreateHandleForHgemv>("create_handle_for_hgemv", kGemvHandle, kHandleText),
    Bind<aclblasCreateHandleForS8gemv>("create_handle_for_s8gemv", kGemvHandle, kHandleText),
};

}  // namespace

std::span<const Function> BlasFunctions() {
  return kBlasFunctions;
}

}  // namespace foothold
