// Sums behind the moments of mutual information; formulas and derivation in src/misieve/moments.py, twins in _core/twin.py.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace misieve {

// ---- Products without rounding -------------------------------------------------------------------------------------------

struct Pair {
    double high, low;
};

// a * b as an unevaluated sum (Dekker 1971). Must not be contracted into fused operations: see the compile options.
inline Pair exact_product(double a, double b) {
    constexpr double splitter = 134217729.0;  // 2^27 + 1
    const double product = a * b;
    double a_high = splitter * a;
    a_high = a_high - (a_high - a);
    double b_high = splitter * b;
    b_high = b_high - (b_high - b);
    const double a_low = a - a_high, b_low = b - b_high;
    return {product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low};
}

inline double product_difference(double a, double b, double c, double d) {
    const Pair ab = exact_product(a, b), cd = exact_product(c, d);
    return (ab.high - cd.high) + (ab.low - cd.low);
}

// ---- The overlap of a row and a column -----------------------------------------------------------------------------------

constexpr int last_term = 64;   // where the tail takes over
constexpr int tail_terms = 6;

// Coefficient of x^(3-i) in below(x) x^(1-j) - above(x) (x+1)^(1-j).
inline double tail_contribution(const double* below, const double* above, int j, int i) {
    double result = 0.0;
    for (int power = 0; power < 4; ++power) {
        const int m = (1 - j + power) - (3 - i);
        if (m == 0) result += below[power];
        if (m >= 0) {
            double binomial = 1.0;
            for (int u = 0; u < m; ++u) binomial *= (1 - j - u) / (u + 1.0);
            result -= binomial * above[power];
        }
    }
    return result;
}

// The sum of all terms from x = 64 on over the term at x, as a series in powers of 1/x.
inline double overlap_tail(double a, double p, double q) {
    const double below[4] = {p * q, p + q + p * q, 1.0 + p + q, 1.0};
    const double above[4] = {a, 1.0 - 2.0 * a, a - 2.0, 1.0};
    double coefficient[tail_terms], sum = 0.0, x_power = last_term;
    for (int i = 0; i < tail_terms; ++i) {
        double rest = i <= 3 ? below[3 - i] : 0.0;
        for (int j = 0; j < i; ++j) rest -= coefficient[j] * tail_contribution(below, above, j, i);
        coefficient[i] = rest / tail_contribution(below, above, i, i);
        sum += coefficient[i] * x_power;
        x_power /= last_term;
    }
    return sum;
}

// X(a, p, q) = sum over k >= 2 of p q k! (a)_k / (k^2 (k-1)^2 (p)_k (q)_k).
inline double overlap_sum(double a, double p, double q) {
    double term = a * (a + 1.0) / (2.0 * (p + 1.0) * (q + 1.0)), total = 0.0;
    for (int k = 2; k < last_term; ++k) {
        total += term;
        term *= (k - 1.0) * (k - 1.0) * (a + k) / ((k + 1.0) * (p + k) * (q + k));
        if (!(term > 1e-18 * total)) return total;
    }
    return total + term * overlap_tail(a, p, q);
}

// ---- Moments of integer tables by look-up --------------------------------------------------------------------------------

// Functions of x = offset + k for k = 0 ... size - 1, all 0 where x = 0: five rows of one array.
struct Functions {
    const double* log_high;   // log x to a multiple of 1/16: sums of these are exact
    const double* log_low;    // the rest of log x
    const double* x_times_f;  // x (digamma(x + 1) - log x)
    const double* inverse;    // 1 / x
    const double* own;        // V(x)

    Functions(const double* rows, std::size_t size)
        : log_high(rows), log_low(rows + size), x_times_f(rows + 2 * size), inverse(rows + 3 * size), own(rows + 4 * size) {}
};

struct LookUp {
    Functions cells, rows, columns, total;
    double offset;  // the prior's share in each cell
};

// Per table: plug-in J, mean, series variance, estimate of the series' relative error, exact variance (0 unless asked for).
constexpr int moment_count = 5;

// One table (r, s). Sizes known to the compiler (0: not known) keep everything in registers; without `zeros` no cell, row or
// column can be empty, and nothing needs to be masked.
template <int R, int S, bool zeros>
inline void tabled_moments_of_one(const std::int64_t* counts, std::size_t any_r, std::size_t any_s, const LookUp& look_up,
                                  std::int64_t* sums, double* out) {
    const std::size_t r = R ? R : any_r, s = S ? S : any_s;
    const double offset = look_up.offset;
    std::int64_t local[R + S + 1];
    std::int64_t *row_sum = R ? local : sums, *column_sum = row_sum + r, total = 0;
    for (std::size_t j = 0; j < s; ++j) column_sum[j] = 0;
    for (std::size_t i = 0; i < r; ++i) {
        row_sum[i] = 0;
        for (std::size_t j = 0; j < s; ++j) {
            row_sum[i] += counts[i * s + j];
            column_sum[j] += counts[i * s + j];
        }
        total += row_sum[i];
    }
    const double high = look_up.total.log_high[total], low = look_up.total.log_low[total], per_n = look_up.total.inverse[total];
    const double n = static_cast<double>(r * s) * offset + static_cast<double>(total);
    double al = 0.0, all_sq = 0.0, l_sum = 0.0, al_margins = 0.0, association = 0.0, weight = 0.0;
    double correction = look_up.total.x_times_f[total], margins = 0.0;
    for (std::size_t j = 0; j < s; ++j) {
        correction -= look_up.columns.x_times_f[column_sum[j]];
        margins += static_cast<double>(r) * look_up.columns.inverse[column_sum[j]];
    }
    for (std::size_t i = 0; i < r; ++i) {
        const std::int64_t row = row_sum[i];
        const double row_high = look_up.rows.log_high[row] - high, row_low = look_up.rows.log_low[row] - low;
        const double row_inverse = look_up.rows.inverse[row];
        correction -= look_up.rows.x_times_f[row];
        margins += static_cast<double>(s) * row_inverse;
        for (std::size_t j = 0; j < s; ++j) {
            const std::int64_t cell = counts[i * s + j], column = column_sum[j];
            const double a = offset + static_cast<double>(cell), column_inverse = look_up.columns.inverse[column];
            double l = ((look_up.cells.log_high[cell] - row_high) - look_up.columns.log_high[column]) +
                       ((look_up.cells.log_low[cell] - row_low) - look_up.columns.log_low[column]);
            if (zeros) l = a > 0.0 ? l : 0.0;
            const double a_l = a * l, in_row = a * row_inverse, in_both = in_row * column_inverse;
            al += a_l;
            all_sq += a_l * l;
            l_sum += l;
            al_margins += l * in_row + a_l * column_inverse;
            association += a * in_both;
            if (zeros)
                weight += a > 0.0 ? (look_up.cells.inverse[cell] - row_inverse) - (column_inverse - in_both) : 0.0;
            else
                weight += look_up.cells.inverse[cell] + in_both;
            correction += look_up.cells.x_times_f[cell];
        }
    }
    if (!zeros) weight -= margins;
    double plug_in = al * per_n;
    plug_in = plug_in > 0.0 ? plug_in : 0.0;
    const double freedom = (static_cast<double>(r) - 1.0) * (static_cast<double>(s) - 1.0);
    const double spread = all_sq * per_n - plug_in * plug_in;
    const double m = l_sum - al_margins + plug_in;
    const double variance = (spread * (n + 2.0) + m + freedom * (0.5 - plug_in) - (1.0 - association)) / ((n + 1.0) * (n + 2.0));
    out[0] = plug_in;
    out[1] = plug_in + correction * per_n;
    out[2] = variance;
    out[3] = variance > 0.0 ? 2.0 * weight * per_n * per_n / variance : HUGE_VAL;
    out[4] = 0.0;
}

// The exact variance of one table (r, s), whose mean is known; `sums` has room for r + s.
inline double tabled_variance(const std::int64_t* counts, std::size_t r, std::size_t s, const LookUp& look_up, double mean,
                              std::int64_t* sums) {
    std::int64_t total = 0;
    for (std::size_t m = 0; m < r + s; ++m) sums[m] = 0;
    for (std::size_t i = 0; i < r; ++i)
        for (std::size_t j = 0; j < s; ++j) {
            sums[i] += counts[i * s + j];
            sums[r + j] += counts[i * s + j];
            total += counts[i * s + j];
        }
    const auto f = [](const Functions& at, std::int64_t k) { return at.x_times_f[k] * at.inverse[k]; };
    double spread = 0.0, own = -look_up.total.own[total], shared = 0.0;
    for (std::size_t j = 0; j < s; ++j) own -= look_up.columns.own[sums[r + j]];
    for (std::size_t i = 0; i < r; ++i) {
        const std::int64_t row = sums[i];
        own -= look_up.rows.own[row];
        for (std::size_t j = 0; j < s; ++j) {
            const std::int64_t cell = counts[i * s + j], column = sums[r + j];
            const double a = look_up.offset + static_cast<double>(cell);
            if (!(a > 0.0)) continue;
            const auto l = [&](const double* Functions::*part) {
                return ((look_up.cells.*part)[cell] - (look_up.rows.*part)[row]) -
                       ((look_up.columns.*part)[column] - (look_up.total.*part)[total]);
            };
            const double lambda = l(&Functions::log_high) + l(&Functions::log_low) +
                                  ((f(look_up.cells, cell) - f(look_up.rows, row)) - (f(look_up.columns, column) - f(look_up.total, total)));
            spread += a * (lambda - mean) * (lambda - mean);
            own += look_up.cells.own[cell];
            shared += overlap_sum(a, static_cast<double>(s) * look_up.offset + static_cast<double>(row),
                                  static_cast<double>(r) * look_up.offset + static_cast<double>(column));
        }
    }
    const double rest = own + 2.0 * shared, n = static_cast<double>(r * s) * look_up.offset + static_cast<double>(total);
    return (spread + (rest > 0.0 ? rest : 0.0)) * look_up.total.inverse[total] / (n + 1.0);
}

// The moments of tables counts[k, r, s], one row of `out` each.
inline void tabled_moments(const std::int64_t* counts, std::size_t k, std::size_t r, std::size_t s, const LookUp& look_up, bool exact,
                           double* out) {
    std::vector<std::int64_t> sums(r + s);
    const bool zeros = !(look_up.offset > 0.0), small = r == 2 && s == 2;
    auto* one = small ? (zeros ? tabled_moments_of_one<2, 2, true> : tabled_moments_of_one<2, 2, false>)
                      : (zeros ? tabled_moments_of_one<0, 0, true> : tabled_moments_of_one<0, 0, false>);
    for (std::size_t t = 0; t < k; ++t) {
        const std::int64_t* table = counts + t * r * s;
        double* row = out + t * moment_count;
        one(table, r, s, look_up, sums.data(), row);
        if (exact) row[4] = tabled_variance(table, r, s, look_up, row[1], sums.data());
    }
}

}  // namespace misieve
