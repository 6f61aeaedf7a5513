// Test-then-train over groups of features that share their contingency table; what it is for stands in
// src/misieve/progressive/__init__.py, the readable version in src/misieve/_core/twin_progressive.py.
//
// All features of one call have the same number of values r, and each row lists the features whose value is not 0. A group's
// key is its table without the row of value 0, which follows from the class totals: a row that leaves a feature at 0 leaves its
// key alone. Features whose cells may be missing have one more value, r, kept in the key and left out of the table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace misieve {

// The data set, row by row: the features with another value than 0, those values (from 1), and the class.
struct Rows {
    const std::int64_t* starts;  // row i owns the entries from starts[i] to starts[i + 1]
    const std::int32_t *features, *values, *classes;
};

// Some rows in the order of their coming. The groups, and what is learned from them, only change after each `batch` of them.
struct Stretch {
    const std::int64_t* rows;
    std::size_t count, batch;

    std::size_t rounds() const { return (count + batch - 1) / batch; }
    std::size_t begin(std::size_t round) const { return round * batch; }
    std::size_t end(std::size_t round) const { return begin(round) + batch < count ? begin(round) + batch : count; }
};

// Every key met so far, each once, found again by a hash that is a sum over the counts, so that one more count is one addition.
class Keys {
  public:
    std::vector<std::int32_t> cells;  // (groups, width)

    Keys(const std::int32_t* given, std::size_t count, std::size_t key_width)
        : cells(given, given + count * key_width), width(key_width), marks(key_width) {
        for (std::size_t i = 0; i < width; ++i) marks[i] = scrambled(i + 1);
        for (std::size_t g = 0; g < count; ++g) {
            std::uint64_t hash = 0;
            for (std::size_t i = 0; i < width; ++i) hash += marks[i] * static_cast<std::uint64_t>(given[g * width + i]);
            hashes.push_back(hash);
        }
        rebuild(1024);
    }

    std::size_t size() const { return hashes.size(); }

    // The group whose key is that of `group` with one more count in `cell`.
    std::int32_t next(std::size_t group, std::size_t cell) {
        const std::uint64_t hash = hashes[group] + marks[cell];
        std::size_t slot = place(hash);
        for (; slots[slot] >= 0; slot = (slot + 1) & (slots.size() - 1)) {
            const auto other = static_cast<std::size_t>(slots[slot]);
            if (hashes[other] == hash && follows(other, group, cell)) return slots[slot];
        }
        const auto added = static_cast<std::int32_t>(size());
        cells.resize(cells.size() + width);
        std::memcpy(&cells[static_cast<std::size_t>(added) * width], &cells[group * width], width * sizeof(std::int32_t));
        ++cells[static_cast<std::size_t>(added) * width + cell];
        hashes.push_back(hash);
        slots[slot] = added;
        if (2 * size() > slots.size()) rebuild(4 * slots.size());
        return added;
    }

  private:
    std::size_t width;
    std::vector<std::uint64_t> marks, hashes;
    std::vector<std::int32_t> slots;

    // The finaliser of SplitMix64.
    static std::uint64_t scrambled(std::uint64_t x) {
        x *= 0x9E3779B97F4A7C15ULL;
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
        x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
        return x ^ (x >> 31);
    }

    std::size_t place(std::uint64_t hash) const {
        return static_cast<std::size_t>((hash * 0x9E3779B97F4A7C15ULL) >> 20) & (slots.size() - 1);
    }

    bool follows(std::size_t other, std::size_t group, std::size_t cell) const {
        const std::int32_t *a = &cells[other * width], *b = &cells[group * width];
        if (a[cell] != b[cell] + 1) return false;
        return std::memcmp(a, b, cell * sizeof(std::int32_t)) == 0 &&
               std::memcmp(a + cell + 1, b + cell + 1, (width - cell - 1) * sizeof(std::int32_t)) == 0;
    }

    void rebuild(std::size_t capacity) {
        while (capacity < 4 * size()) capacity *= 4;
        slots.assign(capacity, -1);
        for (std::size_t g = 0; g < size(); ++g) {
            std::size_t slot = place(hashes[g]);
            while (slots[slot] >= 0) slot = (slot + 1) & (capacity - 1);
            slots[slot] = static_cast<std::int32_t>(g);
        }
    }
};

// What a walk leaves behind: for each round (starts[t] to starts[t + 1]) the groups that have members then, how many, and their
// tables; for each entry of the rows walked the group that it moves its feature to; and the keys of all groups.
struct Walk {
    std::vector<std::int64_t> tables, starts;
    std::vector<std::int32_t> alive, members, moves, keys;
    std::size_t groups;
};

// Walk over the rows; `group` (of each feature) and `totals` (of each class) are carried along and left as they are at the end.
inline Walk walk_tables(std::int32_t* group, std::size_t features, const std::int32_t* given_keys, std::size_t given, std::size_t width,
                        std::int64_t* totals, std::size_t r, std::size_t s, const Rows& data, const Stretch& stretch) {
    Walk out;
    Keys keys(given_keys, given, width * s);
    std::vector<std::int32_t> count(given), alive, touched;
    std::vector<std::int64_t> position(given, -1);
    for (std::size_t f = 0; f < features; ++f) ++count[static_cast<std::size_t>(group[f])];
    const auto settle = [&](std::int32_t g) {
        const auto at = static_cast<std::size_t>(g);
        if (count[at] > 0 && position[at] < 0) {
            position[at] = static_cast<std::int64_t>(alive.size());
            alive.push_back(g);
        } else if (count[at] == 0 && position[at] >= 0) {
            const std::int32_t last = alive.back();
            alive[static_cast<std::size_t>(position[at])] = last;
            position[static_cast<std::size_t>(last)] = position[at];
            position[at] = -1;
            alive.pop_back();
        }
    };
    for (std::size_t g = 0; g < given; ++g) settle(static_cast<std::int32_t>(g));
    for (std::size_t round = 0; round < stretch.rounds(); ++round) {
        out.starts.push_back(static_cast<std::int64_t>(out.alive.size()));
        for (const std::int32_t g : alive) {
            out.alive.push_back(g);
            out.members.push_back(count[static_cast<std::size_t>(g)]);
            const std::int32_t* key = &keys.cells[static_cast<std::size_t>(g) * width * s];
            const std::size_t at = out.tables.size();
            out.tables.resize(at + r * s);
            std::int64_t* table = &out.tables[at];
            for (std::size_t j = 0; j < s; ++j) table[j] = totals[j];
            for (std::size_t i = 0; i < width; ++i)
                for (std::size_t j = 0; j < s; ++j) {
                    table[j] -= key[i * s + j];
                    if (i + 1 < r) table[(i + 1) * s + j] = key[i * s + j];
                }
        }
        touched.clear();
        for (std::size_t k = stretch.begin(round); k < stretch.end(round); ++k) {
            const auto row = static_cast<std::size_t>(stretch.rows[k]);
            const auto label = static_cast<std::size_t>(data.classes[row]);
            for (auto e = static_cast<std::size_t>(data.starts[row]); e < static_cast<std::size_t>(data.starts[row + 1]); ++e) {
                std::int32_t& mine = group[static_cast<std::size_t>(data.features[e])];
                const std::size_t cell = (static_cast<std::size_t>(data.values[e]) - 1) * s + label;
                const std::int32_t old = mine, next = keys.next(static_cast<std::size_t>(old), cell);
                if (count.size() < keys.size()) {
                    count.push_back(0);
                    position.push_back(-1);
                }
                --count[static_cast<std::size_t>(old)];
                ++count[static_cast<std::size_t>(next)];
                touched.push_back(old);
                touched.push_back(next);
                mine = next;
                out.moves.push_back(next);
            }
            ++totals[label];
        }
        for (const std::int32_t g : touched) settle(g);
    }
    out.starts.push_back(static_cast<std::int64_t>(out.alive.size()));
    out.keys = std::move(keys.cells);
    out.groups = count.size();
    return out;
}

// What a walk left behind, read again together with the verdicts: bit q of kept[p] says whether rule q keeps the group alive[p].
struct Walked {
    const std::int32_t *alive, *members, *moves, *keys;
    const std::int64_t* starts;
    const std::uint8_t* kept;
    std::size_t groups, width, rules;
    const double* logs;  // log k for k = 0, 1, ... (the first is not used)
};

// Naive Bayes over the same rows: scores[row, rule, class] gets the sum of log P(value | class), one added to every count, over
// the features that the rule keeps; used[round, rule] their number. `group` and `totals` are as before the walk.
inline void walk_scores(std::int32_t* group, const Walked& walked, std::int64_t* totals, std::size_t r, std::size_t s, const Rows& data,
                        const Stretch& stretch, double* scores, std::int64_t* used) {
    const std::size_t rules = walked.rules, per_row = rules * s, width = walked.width;
    std::vector<double> at_zero(walked.groups * s), all_zero(per_row);
    std::vector<std::int64_t> seen(walked.groups * s);
    std::vector<std::uint8_t> kept(walked.groups);
    std::size_t move = 0;
    for (std::size_t round = 0; round < stretch.rounds(); ++round) {
        all_zero.assign(per_row, 0.0);
        std::int64_t* now_used = used + round * rules;
        for (auto p = static_cast<std::size_t>(walked.starts[round]); p < static_cast<std::size_t>(walked.starts[round + 1]); ++p) {
            const auto g = static_cast<std::size_t>(walked.alive[p]);
            kept[g] = walked.kept[p];
            if (!kept[g]) continue;
            const std::int32_t* key = walked.keys + g * width * s;
            for (std::size_t j = 0; j < s; ++j) {
                std::int64_t known = totals[j], others = 0;
                for (std::size_t i = 0; i + 1 < r; ++i) others += key[i * s + j];
                if (width == r) known -= key[(r - 1) * s + j];
                seen[g * s + j] = known;
                at_zero[g * s + j] = walked.logs[known - others + 1] - walked.logs[known + static_cast<std::int64_t>(r)];
            }
            for (std::size_t q = 0; q < rules; ++q) {
                if (!(kept[g] >> q & 1)) continue;
                now_used[q] += walked.members[p];
                for (std::size_t j = 0; j < s; ++j) all_zero[q * s + j] += walked.members[p] * at_zero[g * s + j];
            }
        }
        for (std::size_t k = stretch.begin(round); k < stretch.end(round); ++k) {
            const auto row = static_cast<std::size_t>(stretch.rows[k]);
            double* mine = scores + k * per_row;
            for (std::size_t i = 0; i < per_row; ++i) mine[i] += all_zero[i];
            for (auto e = static_cast<std::size_t>(data.starts[row]); e < static_cast<std::size_t>(data.starts[row + 1]); ++e) {
                const auto g = static_cast<std::size_t>(group[static_cast<std::size_t>(data.features[e])]);
                if (!kept[g]) continue;
                const auto value = static_cast<std::size_t>(data.values[e]);
                const std::int32_t* own = walked.keys + (g * width + value - 1) * s;
                for (std::size_t j = 0; j < s; ++j) {
                    double change = -at_zero[g * s + j];  // a missing cell says nothing
                    if (value < r) change += walked.logs[own[j] + 1] - walked.logs[seen[g * s + j] + static_cast<std::int64_t>(r)];
                    for (std::size_t q = 0; q < rules; ++q)
                        if (kept[g] >> q & 1) mine[q * s + j] += change;
                }
            }
        }
        for (std::size_t k = stretch.begin(round); k < stretch.end(round); ++k) {
            const auto row = static_cast<std::size_t>(stretch.rows[k]);
            for (auto e = static_cast<std::size_t>(data.starts[row]); e < static_cast<std::size_t>(data.starts[row + 1]); ++e)
                group[static_cast<std::size_t>(data.features[e])] = walked.moves[move++];
            ++totals[data.classes[row]];
        }
    }
}

}  // namespace misieve
