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
    return hash * 0xC4CEB9FE1A85EC53ULL;  // the upper bits are the best mixed ones
}

// The whole of a narrow row of small numbers in one word, times an odd number, which loses nothing: rows of the same hash are
// the same. `all` gathers the bits of all numbers, which tell whether they were small.
template <std::size_t known>
std::uint64_t pack_row(const std::int64_t* row, std::size_t any_width, std::uint64_t& all) {
    const std::size_t width = known ? known : any_width, bits = 64 / width;
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < width; ++i) {
        const auto number = static_cast<std::uint64_t>(row[i]);
        word = word << (bits % 64) | number;
        all |= number;
    }
    return word * 0x9E3779B97F4A7C15ULL;
}

inline bool are_small(std::uint64_t all, std::size_t width) { return width == 1 || all >> (64 / width) == 0; }

inline bool same_row(const std::int64_t* a, const std::int64_t* b, std::size_t width) {
    std::int64_t apart = 0;
    for (std::size_t i = 0; i < width; ++i) apart |= a[i] ^ b[i];
    return apart == 0;
}

// Open addressing: a slot holds the hash of a distinct row and its rank.
class Slots {
   public:
    struct Slot {
        std::uint64_t hash;
        std::int64_t rank;  // -1: free
    };

    Slots() : slots_(std::size_t{1} << bits_, Slot{0, -1}) {}

    // The slot of a row that `is_it` knows by its rank, or the free one where it belongs.
    template <class IsIt>
    Slot& find(std::uint64_t hash, IsIt&& is_it) {
        std::size_t at = hash >> (64 - bits_);
        while (slots_[at].rank >= 0 && !(slots_[at].hash == hash && is_it(slots_[at].rank)))
            at = (at + 1) & (slots_.size() - 1);
        return slots_[at];
    }

    // Room for one more than so many: at most half of the slots are taken.
    void make_room(std::size_t taken) {
        if (2 * (taken + 1) <= slots_.size()) return;
        std::vector<Slot> old(slots_.size() * 4, Slot{0, -1});
        old.swap(slots_);
        bits_ += 2;
        for (const Slot& one : old)
            if (one.rank >= 0) find(one.hash, [](std::int64_t) { return false; }) = one;
    }

   private:
    int bits_ = 10;
    std::vector<Slot> slots_;
};

// inverse[i] is the rank of row i among the distinct rows; the return value lists the first row of each rank.
template <class Hash, class Same>
std::vector<std::int64_t> rank_rows(std::size_t count, std::int64_t* inverse, Hash&& hash_of, Same&& same) {
    std::vector<std::int64_t> firsts;
    Slots slots;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t hash = hash_of(i);
        auto& slot = slots.find(hash, [&](std::int64_t rank) { return same(i, firsts[static_cast<std::size_t>(rank)]); });
        if (slot.rank >= 0) {
            inverse[i] = slot.rank;
            continue;
        }
        inverse[i] = static_cast<std::int64_t>(firsts.size());
        slot = {hash, inverse[i]};
        firsts.push_back(static_cast<std::int64_t>(i));
        slots.make_room(firsts.size());
    }
    return firsts;
}

// Empty if they turn out not to be small.
template <std::size_t known>
std::vector<std::int64_t> rank_small_rows(const std::int64_t* rows, std::size_t count, std::size_t width, std::int64_t* inverse) {
    std::uint64_t all = 0;
    auto firsts = rank_rows(
        count, inverse, [&](std::size_t i) { return pack_row<known>(rows + width * i, width, all); },
        [](std::size_t, std::int64_t) { return true; });
    if (!are_small(all, width)) firsts.clear();
    return firsts;
}

inline std::vector<std::int64_t> distinct_rows(const std::int64_t* rows, std::size_t count, std::size_t width,
                                               std::int64_t* inverse) {
    std::uint64_t glance = 0;  // at the first rows: where they are small, the others mostly are
    for (std::size_t i = 0; i < count * width && i < 64; ++i) glance |= static_cast<std::uint64_t>(rows[i]);
    if (count > 0 && width > 0 && width <= 8 && are_small(glance, width)) {
        auto firsts = width == 4 ? rank_small_rows<4>(rows, count, width, inverse) : rank_small_rows<0>(rows, count, width, inverse);
        if (!firsts.empty()) return firsts;
    }
    const auto same = [&](std::size_t i, std::int64_t first) {
        return same_row(rows + i * width, rows + static_cast<std::size_t>(first) * width, width);
    };
    return rank_rows(count, inverse, [&](std::size_t i) { return hash_row(rows + width * i, width); }, same);
}

}  // namespace misieve
