// Which rows of an integer matrix are distinct, in the order of their first appearance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace misieve {

inline std::uint64_t hash_row(const std::int64_t* row, std::size_t width) {
    std::uint64_t hash = 0x9E3779B97F4A7C15ULL;
    for (std::size_t i = 0; i < width; ++i) {
        hash ^= static_cast<std::uint64_t>(row[i]);
        hash *= 0xFF51AFD7ED558CCDULL;  // the mixing constants of MurmurHash3's finaliser
        hash ^= hash >> 32;
    }
    return hash;
}

inline bool same_row(const std::int64_t* a, const std::int64_t* b, std::size_t width) {
    std::int64_t apart = 0;
    for (std::size_t i = 0; i < width; ++i) apart |= a[i] ^ b[i];
    return apart == 0;
}

// A width known to the compiler (0: not known) keeps a row in registers.
template <std::size_t known>
std::vector<std::int64_t> distinct_rows_of(const std::int64_t* rows, std::size_t count, std::size_t any_width, std::int64_t* inverse) {
    const std::size_t width = known ? known : any_width;
    std::vector<std::int64_t> firsts;
    std::size_t capacity = 64;
    std::vector<std::int64_t> slots(capacity, -1);
    std::vector<std::uint64_t> hashes;
    for (std::size_t i = 0; i < count; ++i) {
        const std::int64_t* row = rows + i * width;
        const std::uint64_t hash = hash_row(row, width);
        std::size_t slot = hash & (capacity - 1);
        while (slots[slot] >= 0) {
            const auto rank = static_cast<std::size_t>(slots[slot]);
            if (hashes[rank] == hash && same_row(rows + firsts[rank] * width, row, width)) break;
            slot = (slot + 1) & (capacity - 1);
        }
        if (slots[slot] >= 0) {
            inverse[i] = slots[slot];
            continue;
        }
        inverse[i] = slots[slot] = static_cast<std::int64_t>(firsts.size());
        firsts.push_back(static_cast<std::int64_t>(i));
        hashes.push_back(hash);
        if (2 * firsts.size() > capacity) {
            capacity *= 4;
            slots.assign(capacity, -1);
            for (std::size_t rank = 0; rank < firsts.size(); ++rank) {
                std::size_t free = hashes[rank] & (capacity - 1);
                while (slots[free] >= 0) free = (free + 1) & (capacity - 1);
                slots[free] = static_cast<std::int64_t>(rank);
            }
        }
    }
    return firsts;
}

// inverse[i] is the rank of row i among the distinct rows; the return value lists the first row of each rank.
inline std::vector<std::int64_t> distinct_rows(const std::int64_t* rows, std::size_t count, std::size_t width, std::int64_t* inverse) {
    return width == 4 ? distinct_rows_of<4>(rows, count, width, inverse) : distinct_rows_of<0>(rows, count, width, inverse);
}

}  // namespace misieve
