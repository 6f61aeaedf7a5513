// Compiled once per instruction set, MISIEVE_LEVEL naming it. Everything here has internal linkage and nothing is taken from the
// standard library's templates: a copy compiled for a newer machine must never be the one that the linker keeps for all.
#include "level.hpp"

#include "level_across.hpp"
#include "level_narrow.hpp"
#include "level_planes.hpp"
#include "level_sparse.hpp"
#include "level_transpose.hpp"

namespace misieve {
namespace {

void count(const u8* x, size_t n, u32 n_values, const ClassBlock& y, i64* out, void* scratch) {
    if (n_values > 1)
        count_many(x, n, n_values, y, out, scratch);
    else if (y.totals != nullptr)
        for (u32 c = 0; c < y.n_classes; ++c) out[c] += y.totals[c];
    else
        for (size_t i = 0; i < n; ++i) ++out[y.codes[i]];
}

i64 mask(const u8* codes, size_t n, u8 code, u64* out) {
    i64 found = 0;
    const size_t words = (n + 511) / 512 * 8;
    for (size_t w = 0; w < words; ++w) {
        u64 bits = 0;
        const size_t end = 64 * (w + 1) <= n ? 64 : (64 * w < n ? n - 64 * w : 0);
#if defined(__AVX2__)
        if (end == 64) {
            const __m256i wanted = _mm256_set1_epi8(static_cast<char>(code));
            const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(codes + 64 * w));
            const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(codes + 64 * w + 32));
            bits = static_cast<u32>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, wanted))) |
                   u64{static_cast<u32>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, wanted)))} << 32;
            found += __builtin_popcountll(bits);
            out[w] = bits;
            continue;
        }
#endif
        for (size_t i = 0; i < end; ++i) {
            const u64 same = codes[64 * w + i] == code;
            bits |= same << i;
            found += static_cast<i64>(same);
        }
        out[w] = bits;
    }
    return found;
}

u64 sum_words(const char* in, size_t words) {
    u64 a = 0, b = 0, c = 0, d = 0;
    size_t i = 0;
    for (; i + 4 <= words; i += 4) {
        a += load<u64>(in + 8 * i);
        b += load<u64>(in + 8 * i + 8);
        c += load<u64>(in + 8 * i + 16);
        d += load<u64>(in + 8 * i + 24);
    }
    for (; i < words; ++i) a += load<u64>(in + 8 * i);
    return a + b + c + d;
}

}  // namespace

#define MISIEVE_STRING(name) #name
#define MISIEVE_TABLE(name)                                                                                                   \
    extern const Level level_##name;                                                                                          \
    const Level level_##name = {MISIEVE_STRING(name),                                                                         \
                                {copy_bytes, narrow_signed_bytes, copy_bytes, narrow<u16>, narrow<u16>, narrow<u32>,          \
                                 narrow<u32>, narrow<u64>, narrow<u64>, narrow<float>, narrow<double>},                       \
                                transpose,                                                                                    \
                                largest,                                                                                      \
                                count,                                                                                        \
                                mask,                                                                                         \
                                uses_masks,                                                                                   \
                                most_abreast,                                                                                 \
                                most_down,                                                                                    \
                                unusual_down,                                                                                 \
                                count_down,                                                                                   \
                                {all_ones<u8>, all_ones<u8>, all_ones<u8>, all_ones<u16>, all_ones<u16>, all_ones<u32>,       \
                                 all_ones<u32>, all_ones<u64>, all_ones<u64>, all_ones<float>, all_ones<double>},             \
                                all_rise<std::int32_t>,                                                                       \
                                all_rise<i64>,                                                                                \
                                sum_words}
#define MISIEVE_EXPAND(name) MISIEVE_TABLE(name)
MISIEVE_EXPAND(MISIEVE_LEVEL);

}  // namespace misieve
