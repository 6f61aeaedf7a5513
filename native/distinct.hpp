// Which rows of an integer matrix are distinct, in the order of their first appearance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
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

// inverse[i] is the rank of row i among the distinct rows; the return value lists the first row of each rank.
inline std::vector<std::int64_t> distinct_rows(const std::int64_t* rows, std::size_t count, std::size_t width, std::int64_t* inverse) {
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
            if (hashes[rank] == hash && std::memcmp(rows + firsts[rank] * width, row, width * sizeof(std::int64_t)) == 0) break;
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

}  // namespace misieve
