// Values of any type to bytes. Part of level.cpp, which compiles it once per instruction set.
#pragma once
#include "level_basics.hpp"

namespace misieve {
namespace {

// The bits of the value itself if it is a whole number from 0 to 255, else something above.
template <class T>  // T unsigned: a negative value arrives as a large one
MISIEVE_INLINE T code_bits(T v) {
    return v;
}
// Adding 2^52 (2^23) leaves a whole number in the low bits of the sum; anything else shows there, or does not come back. (Nor
// does -0.0: that is merely slow.) All in integers, as compilers do not turn comparisons into the masks they are.
template <class Bits, class Float>
MISIEVE_INLINE Bits code_bits(Float v, Float magic) {
    const Float sum = v + magic, back = sum - magic;
    const Bits strange = load<Bits>(&back) ^ load<Bits>(&v);
    return (load<Bits>(&sum) ^ load<Bits>(&magic)) | strange | strange << 8;
}
MISIEVE_INLINE u64 code_bits(double v) { return code_bits<u64>(v, 4503599627370496.0); }
MISIEVE_INLINE u32 code_bits(float v) { return code_bits<u32>(v, 8388608.0f); }

#if defined(__AVX512BW__)
template <class T>
MISIEVE_INLINE size_t narrow_vectors(const char* in, size_t n, u8* out) {
    size_t i = 0;
    if constexpr (sizeof(T) == 2) {
        for (; i + 32 <= n; i += 32)
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), _mm512_cvtusepi16_epi8(_mm512_loadu_si512(in + 2 * i)));
    } else if constexpr (sizeof(T) == 4) {
        for (; i + 16 <= n; i += 16) {
            __m512i v = _mm512_loadu_si512(in + 4 * i);
            if constexpr (static_cast<T>(0.5) != 0) {
                const __m512 f = _mm512_castsi512_ps(v), magic = _mm512_set1_ps(8388608.0f), sum = _mm512_add_ps(f, magic);
                const __mmask16 odd = _mm512_cmp_ps_mask(_mm512_sub_ps(sum, magic), f, _CMP_NEQ_UQ);
                v = _mm512_xor_si512(_mm512_castps_si512(sum), _mm512_castps_si512(magic));
                v = _mm512_mask_set1_epi32(v, odd, -1);
            }
            _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i), _mm512_cvtusepi32_epi8(v));
        }
    } else {
        for (; i + 8 <= n; i += 8) {
            __m512i v = _mm512_loadu_si512(in + 8 * i);
            if constexpr (static_cast<T>(0.5) != 0) {
                const __m512d f = _mm512_castsi512_pd(v), magic = _mm512_set1_pd(4503599627370496.0);
                const __m512d sum = _mm512_add_pd(f, magic);
                const __mmask8 odd = _mm512_cmp_pd_mask(_mm512_sub_pd(sum, magic), f, _CMP_NEQ_UQ);
                v = _mm512_xor_si512(_mm512_castpd_si512(sum), _mm512_castpd_si512(magic));
                v = _mm512_mask_set1_epi64(v, odd, -1);
            }
            _mm_storel_epi64(reinterpret_cast<__m128i*>(out + i), _mm512_cvtusepi64_epi8(v));
        }
    }
    return i;
}
#else
// Loops that compilers turn into vector code: a group of values is checked as a whole, and mostly found to be codes.
template <class T>
MISIEVE_INLINE size_t narrow_vectors(const char* in, size_t n, u8* out) {
    using Bits = decltype(code_bits(T{}));
    constexpr size_t group = 32;
    size_t i = 0;
    for (; i + group <= n; i += group, in += group * sizeof(T)) {
        Bits bits[group], all = 0;
        for (size_t k = 0; k < group; ++k) {
            bits[k] = code_bits(load<T>(in + k * sizeof(T)));
            all |= bits[k];
        }
        if (all >> 8 == 0)
            for (size_t k = 0; k < group; ++k) out[i + k] = static_cast<u8>(bits[k]);
        else
            for (size_t k = 0; k < group; ++k) out[i + k] = bits[k] < unusual ? static_cast<u8>(bits[k]) : unusual;
    }
    return i;
}
#endif

template <class T>
void narrow(const char* in, ptrdiff_t in_stride, size_t rows, size_t cols, u8* out, size_t out_stride) {
    for (size_t r = 0; r < rows; ++r, in += in_stride, out += out_stride) {
        for (size_t i = narrow_vectors<T>(in, cols, out); i < cols; ++i) {
            const auto bits = code_bits(load<T>(in + i * sizeof(T)));
            out[i] = bits < unusual ? static_cast<u8>(bits) : unusual;
        }
    }
}

void copy_bytes(const char* in, ptrdiff_t in_stride, size_t rows, size_t cols, u8* out, size_t out_stride) {
    for (size_t r = 0; r < rows; ++r, in += in_stride, out += out_stride) std::memcpy(out, in, cols);
}

void narrow_signed_bytes(const char* in, ptrdiff_t in_stride, size_t rows, size_t cols, u8* out, size_t out_stride) {
    for (size_t r = 0; r < rows; ++r, in += in_stride, out += out_stride) {
        for (size_t i = 0; i < cols; ++i) {
            const u8 v = load<u8>(in + i);
            out[i] = v < 128 ? v : unusual;
        }
    }
}

}  // namespace
}  // namespace misieve
