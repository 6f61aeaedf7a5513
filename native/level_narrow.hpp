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
constexpr size_t vector_values = 64 / sizeof(T);  // what narrow_vectors takes at a time

// Doubles to bytes, if all of them are whole numbers up to 255: what is strange is looked for once for all.
MISIEVE_INLINE bool narrow_doubles(const char* in, u8* out) {
    const __m512d magic = _mm512_set1_pd(4503599627370496.0);
    const __m512i low_words = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
    __m512i all = _mm512_setzero_si512(), strange = all;
    const auto codes = [&](size_t i) {
        const __m512d v = _mm512_loadu_pd(in + 8 * i), sum = _mm512_add_pd(v, magic);
        const __m512i bits = _mm512_castpd_si512(sum), back = _mm512_castpd_si512(_mm512_sub_pd(sum, magic));
        strange = _mm512_ternarylogic_epi64(strange, back, _mm512_castpd_si512(v), 0xF6);  // strange | (back ^ v)
        all = _mm512_ternarylogic_epi64(all, bits, _mm512_castpd_si512(magic), 0xF6);
        return bits;
    };
    for (size_t i = 0; i < 64; i += 16) {
        const __m512i first = codes(i), words = _mm512_permutex2var_epi32(first, low_words, codes(i + 8));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i), _mm512_cvtepi32_epi8(words));
    }
    const __m512i high = _mm512_andnot_si512(_mm512_set1_epi64(255), all);
    return _mm512_test_epi64_mask(_mm512_or_si512(high, strange), _mm512_set1_epi64(-1)) == 0;
}

template <class T>
MISIEVE_INLINE size_t narrow_vectors(const char* in, size_t n, u8* out) {
    size_t i = 0;
    if constexpr (sizeof(T) == 8 && static_cast<T>(0.5) != 0)
        while (i + 64 <= n && narrow_doubles(in + 8 * i, out + i)) i += 64;
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
#if defined(__GNUC__) && defined(__SSE2__)
#if defined(__AVX2__)
constexpr size_t group = 32;
using Vector = __m256i;
MISIEVE_INLINE bool is_zero(Vector v) { return _mm256_testz_si256(v, v); }
MISIEVE_INLINE Vector even_words(Vector a, Vector b) {
    return _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), 0x88));
}
MISIEVE_INLINE Vector halves(Vector a, Vector b) { return _mm256_packs_epi32(a, b); }
// Both halves of these vectors are packed by themselves: their parts stand in turn.
template <size_t size>
MISIEVE_INLINE void store_bytes(Vector a, Vector b, u8* out) {
    const Vector bytes = _mm256_packus_epi16(a, b);
    const __m128i even = _mm256_castsi256_si128(bytes), odd = _mm256_extracti128_si256(bytes, 1);
    const auto store = [&](__m128i first, __m128i second) {
        _mm_storeu_si128(reinterpret_cast<__m128i*>(out), first);
        _mm_storeu_si128(reinterpret_cast<__m128i*>(out + 16), second);
    };
    if constexpr (size == 8) store(_mm_unpacklo_epi16(even, odd), _mm_unpackhi_epi16(even, odd));
    if constexpr (size == 4) store(_mm_unpacklo_epi32(even, odd), _mm_unpackhi_epi32(even, odd));
    if constexpr (size == 2) store(_mm_unpacklo_epi64(even, odd), _mm_unpackhi_epi64(even, odd));
}
#else
constexpr size_t group = 16;
using Vector = __m128i;
MISIEVE_INLINE bool is_zero(Vector v) { return _mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_setzero_si128())) == 0xFFFF; }
MISIEVE_INLINE Vector even_words(Vector a, Vector b) {
    return _mm_castps_si128(_mm_shuffle_ps(_mm_castsi128_ps(a), _mm_castsi128_ps(b), 0x88));
}
MISIEVE_INLINE Vector halves(Vector a, Vector b) { return _mm_packs_epi32(a, b); }
template <size_t>
MISIEVE_INLINE void store_bytes(Vector a, Vector b, u8* out) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm_packus_epi16(a, b));
}
#endif

// As code_bits, for as many values as a vector holds: their bits, and in `strange` what is not a whole number. Several values
// may hide each other's bits, so that each is compared with the constant.
template <class Float, class Bits>
MISIEVE_INLINE Vector code_vector(const char* in, Float magic, Vector& strange) {
    typedef Float Floats __attribute__((vector_size(sizeof(Vector))));
    typedef Bits Words __attribute__((vector_size(sizeof(Vector))));
    const Floats v = load<Floats>(in), sum = v + magic;
    strange |= (Vector)(sum - magic) ^ (Vector)v;
    return (Vector)((Words)sum ^ load<Bits>(&magic));
}
template <class T>
MISIEVE_INLINE Vector code_vector(const char* in, Vector& strange) {
    if constexpr (static_cast<T>(0.5) == 0) return load<Vector>(in);
    else if constexpr (sizeof(T) == 8) return code_vector<double, u64>(in, 4503599627370496.0, strange);
    else return code_vector<float, u32>(in, 8388608.0f, strange);
}

// A group of values to bytes, if all of them are whole numbers up to 255.
template <class T>
MISIEVE_INLINE bool narrow_group(const char* in, u8* out) {
    using Bits = decltype(code_bits(T{}));
    typedef Bits Words __attribute__((vector_size(sizeof(Vector))));
    Vector all = {}, strange = {};
    const auto codes = [&](size_t k) {
        const Vector v = code_vector<T>(in + k * sizeof(Vector), strange);
        all |= v;
        return v;
    };
    const auto words = [&](size_t k) {  // 32 bits each
        if constexpr (sizeof(T) == 8) {
            const Vector first = codes(2 * k);
            return even_words(first, codes(2 * k + 1));
        } else {
            return codes(k);
        }
    };
    const auto pairs = [&](size_t k) {  // 16 bits each
        if constexpr (sizeof(T) == 2) {
            return codes(k);
        } else {
            const Vector first = words(2 * k);
            return halves(first, words(2 * k + 1));
        }
    };
    const Vector first = pairs(0), second = pairs(1);
    if (!is_zero(strange | (Vector)((Words)all & static_cast<Bits>(~Bits{255})))) return false;
    store_bytes<sizeof(T)>(first, second, out);
    return true;
}
#else
constexpr size_t group = 32;
template <class T>
MISIEVE_INLINE bool narrow_group(const char*, u8*) { return false; }
#endif

template <class T>
constexpr size_t vector_values = group;

// Loops that compilers turn into vector code.
template <class T>
MISIEVE_APART void narrow_any(const char* in, u8* out) {
    decltype(code_bits(T{})) bits[group];
    for (size_t k = 0; k < group; ++k) bits[k] = code_bits(load<T>(in + k * sizeof(T)));
    for (size_t k = 0; k < group; ++k) out[k] = bits[k] < unusual ? static_cast<u8>(bits[k]) : unusual;
}

// A group of values is checked as a whole, and mostly found to be codes. Where it is not, the next ones may well not be.
template <class T>
MISIEVE_INLINE size_t narrow_vectors(const char* in, size_t n, u8* out) {
    size_t i = 0, doubtful = 0;
    for (; i + group <= n; i += group, in += group * sizeof(T)) {
        if (doubtful > 0) {
            --doubtful;
            narrow_any<T>(in, out + i);
        } else if (!narrow_group<T>(in, out + i)) {
            doubtful = 3;
            narrow_any<T>(in, out + i);
        }
    }
    return i;
}
#endif

template <class T>
void narrow(const char* in, ptrdiff_t in_stride, size_t rows, size_t cols, u8* out, size_t out_stride) {
    constexpr size_t step = vector_values<T>;
    for (size_t r = 0; r < rows; ++r, in += in_stride, out += out_stride) {
        size_t i = narrow_vectors<T>(in, cols, out);
        if (i < cols && i > 0) {  // the last ones once more, with those before them
            narrow_vectors<T>(in + (cols - step) * sizeof(T), step, out + cols - step);
            continue;
        }
        for (; i < cols; ++i) {
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
