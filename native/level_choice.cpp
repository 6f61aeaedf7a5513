// Which instruction sets this build has, which of them the machine runs, and the one in use.
#include <atomic>
#include <cstring>

#include "level.hpp"

namespace misieve {

extern const Level level_portable;
#if defined(MISIEVE_X86_LEVELS)
extern const Level level_avx2;
extern const Level level_avx512;
#endif

namespace {

struct Choice {
    const Level* known[4] = {};
    std::atomic<const Level*> used;

    Choice() {
        int n = 0;
        known[n++] = &level_portable;
#if defined(MISIEVE_X86_LEVELS)
        __builtin_cpu_init();
        // The flags of level.cpp's copies: x86-64-v3 and -v4 name more, but no machine has these without the rest.
        const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                          __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("fma");
        if (avx2) known[n++] = &level_avx2;
        if (avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
            __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
            __builtin_cpu_supports("avx512vpopcntdq"))
            known[n++] = &level_avx512;
#endif
        used = known[n - 1];
    }
};

Choice& choice() {
    static Choice made;
    return made;
}

}  // namespace

const Level& level() { return *choice().used.load(std::memory_order_relaxed); }

const Level* const* levels() { return choice().known; }

bool use_level(const char* name) {
    for (const Level* const* known = levels(); *known != nullptr; ++known) {
        if (std::strcmp((*known)->name, name) == 0) {
            choice().used = *known;
            return true;
        }
    }
    return false;
}

}  // namespace misieve
