// Fayyad and Irani's discretisation of many columns; the readable twin is misieve/_core/twin_mdl.py.
//
// A column is sorted and compressed to runs: a distinct value with rows of several classes is a run of its own, adjacent
// values whose rows are all of one and the same class share a run. The best split of an interval never lies inside a run of
// one class (Fayyad's theorem), so only the borders of runs are scored.
//
// With f(x) = x log2 x, L and R the class weights left and right of a border, and N_L and N_R their sums,
//     score = sum_c f(L_c) + sum_c f(R_c) - f(N_L) - f(N_R)  =  - N_L H_L - N_R H_R,
// the class information that is left, with its sign turned. Every f is rounded to a multiple of a power of two that is coarse
// enough for all sums to be exact. So sums do not depend on their order, may be updated class by class as the border moves,
// and splits that mirror one another score exactly alike.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "radix.hpp"

namespace misieve {

// x log2 x rounded to a multiple of unit; looked up for the whole numbers below the size of the table.
class InformationTerms {
  public:
    InformationTerms(double total, std::size_t classes, std::size_t table_size) {
        const double bound = raw(total) + static_cast<double>(classes) + 1.0;
        unit_ = std::ldexp(1.0, static_cast<int>(std::ceil(std::log2(bound))) - 51);
        tie_ = 8.0 * (static_cast<double>(classes) + 1.0) * unit_;
        table_.resize(table_size);
        for (std::size_t i = 0; i < table_size; ++i) table_[i] = rounded(static_cast<double>(i));
    }

    double operator()(double x) const {
        if (x >= 0.0 && x < static_cast<double>(table_.size())) {
            const auto whole = static_cast<std::size_t>(x);
            if (static_cast<double>(whole) == x) return table_[whole];
        }
        return rounded(x);
    }

    // Scores that differ by less are equal but for rounding.
    double tie() const { return tie_; }

  private:
    static double raw(double x) { return x > 0.0 ? x * std::log2(x) : 0.0; }
    double rounded(double x) const { return std::nearbyint(raw(x) / unit_) * unit_; }

    double unit_ = 1.0, tie_ = 0.0;
    std::vector<double> table_;
};

struct Runs {
    std::vector<double> first, last;      // least and greatest value of each run
    std::vector<std::size_t> start;       // of its entries; one more than there are runs
    std::vector<std::uint32_t> classes;   // entries: a class and its weight in the run
    std::vector<double> weights;

    std::size_t size() const { return first.size(); }
};

// What the rules of splitting are: with the MDL test or without it, and at how many intervals to stop (0: never).
struct MdlRules {
    bool test = true;
    std::size_t max_bins = 0;
};

struct Interval {
    std::size_t low = 0, high = 0, border = 0;  // runs low..high-1; the best split is before run `border`
    double gain = 0.0;                          // bits of class information won by it, over all rows of the interval
    bool splits = false;
};

class MdlColumn {
  public:
    MdlColumn(const Runs& runs, std::size_t classes, const InformationTerms& f)
        : runs_(runs), k_(classes), f_(f), left_(classes), right_(classes), total_(classes) {}

    std::vector<double> cuts(const MdlRules& rules) {
        std::vector<double> found;
        if (runs_.size() < 2) return found;
        std::vector<Interval> open;
        const auto consider = [&](std::size_t low, std::size_t high) {
            const Interval interval = best(low, high, rules.test);
            if (interval.splits) open.push_back(interval);
        };
        consider(0, runs_.size());
        while (!open.empty() && (rules.max_bins == 0 || found.size() + 1 < rules.max_bins)) {
            const std::size_t chosen = rules.max_bins == 0 ? open.size() - 1 : richest(open);
            const Interval interval = open[chosen];
            open.erase(open.begin() + static_cast<std::ptrdiff_t>(chosen));
            found.push_back(cut_before(interval.border));
            consider(interval.low, interval.border);
            consider(interval.border, interval.high);
        }
        std::sort(found.begin(), found.end());
        return found;
    }

  private:
    struct Summary {
        double weight = 0.0, information = 0.0;  // N and N H
        std::size_t present = 0;                 // classes with a row
    };

    // The class weights of runs low..high-1, summed afresh into `into`.
    Summary summarise(std::size_t low, std::size_t high, std::vector<double>& into) const {
        std::fill(into.begin(), into.end(), 0.0);
        for (std::size_t e = runs_.start[low]; e < runs_.start[high]; ++e) into[runs_.classes[e]] += runs_.weights[e];
        Summary sum;
        for (const double weight : into) {
            if (weight <= 0.0) continue;
            ++sum.present;
            sum.weight += weight;
            sum.information -= f_(weight);
        }
        sum.information += f_(sum.weight);
        return sum;
    }

    Interval best(std::size_t low, std::size_t high, bool test) {
        Interval interval;
        interval.low = low;
        interval.high = high;
        const Summary whole = summarise(low, high, total_);
        if (high - low < 2 || whole.present < 2) return interval;

        // First the score of every border, then among the best the one nearest the middle, the lower of two equally near.
        scores_.resize(high - low - 1);
        before_.resize(high - low - 1);
        std::fill(left_.begin(), left_.end(), 0.0);
        double sum = 0.0, weight = 0.0, top = -std::numeric_limits<double>::infinity();
        for (std::size_t c = 0; c < k_; ++c) {
            right_[c] = f_(total_[c]);
            sum += right_[c];
        }
        f_left_.assign(k_, 0.0);
        for (std::size_t r = low; r + 1 < high; ++r) {
            for (std::size_t e = runs_.start[r]; e < runs_.start[r + 1]; ++e) {
                const std::uint32_t c = runs_.classes[e];
                weight += runs_.weights[e];
                left_[c] += runs_.weights[e];
                const double here = f_(left_[c]), there = f_(total_[c] - left_[c]);
                sum += (here - f_left_[c]) + (there - right_[c]);
                f_left_[c] = here;
                right_[c] = there;
            }
            const double score = sum - f_(weight) - f_(whole.weight - weight);
            scores_[r - low] = score;
            before_[r - low] = weight;
            top = std::max(top, score);
        }
        const double tied = top - f_.tie();
        double nearest = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < scores_.size(); ++i)
            if (scores_[i] >= tied) nearest = std::min(nearest, std::fabs(2.0 * before_[i] - whole.weight));
        nearest += 1e-9 * whole.weight;
        std::size_t at = 0;
        while (scores_[at] < tied || std::fabs(2.0 * before_[at] - whole.weight) > nearest) ++at;

        interval.border = low + at + 1;
        interval.gain = whole.information + top;
        const Summary one = summarise(low, interval.border, total_);
        const Summary two = summarise(interval.border, high, total_);
        interval.splits = test ? pays(whole, one, two, interval.gain) : interval.gain > f_.tie();
        return interval;
    }

    // N gain > log2(N - 1) + log2(3^k - 2) - (k H - k1 H1 - k2 H2)
    static bool pays(const Summary& whole, const Summary& one, const Summary& two, double gain) {
        const auto weighed = [](const Summary& s) { return static_cast<double>(s.present) * s.information / s.weight; };
        const double k = static_cast<double>(whole.present);
        const double partition = k * std::log2(3.0) + std::log2(1.0 - 2.0 * std::pow(3.0, -k));
        return gain > std::log2(std::max(whole.weight - 1.0, 1.0)) + partition - (weighed(whole) - weighed(one) - weighed(two));
    }

    // The open interval whose split wins most, the lowest of those that tie.
    std::size_t richest(const std::vector<Interval>& open) const {
        double most = 0.0;
        for (const auto& interval : open) most = std::max(most, interval.gain);
        std::size_t chosen = open.size();
        for (std::size_t i = 0; i < open.size(); ++i)
            if (open[i].gain >= most - f_.tie() && (chosen == open.size() || open[i].low < open[chosen].low)) chosen = i;
        return chosen;
    }

    // The middle between the neighbours of a border, or the lower one where the middle is not below the upper one.
    double cut_before(std::size_t run) const {
        const double lower = runs_.last[run - 1], upper = runs_.first[run];
        double middle = (lower + upper) / 2.0;
        if (std::isinf(middle)) middle = lower / 2.0 + upper / 2.0;
        return middle >= lower && middle < upper ? middle : lower;
    }

    const Runs& runs_;
    const std::size_t k_;
    const InformationTerms& f_;
    std::vector<double> left_, right_, total_, f_left_, scores_, before_;
};

// Compresses sorted rows to runs; `weights` is null where every row counts once, and then a row's load is its class.
class RunBuilder {
  public:
    RunBuilder(const std::uint32_t* classes, const double* weights, std::size_t k)
        : classes_(classes), weights_(weights), tally_(k, 0.0) {}

    void build(const std::vector<Keyed>& rows, Runs& runs) {
        runs.first.clear();
        runs.last.clear();
        runs.start.clear();
        runs.classes.clear();
        runs.weights.clear();
        bool pure = false;  // is the last run of one class
        for (std::size_t i = 0; i < rows.size();) {
            const double value = key_value(rows[i].key);
            std::size_t end = i;
            touched_.clear();
            for (; end < rows.size() && rows[end].key == rows[i].key; ++end) {
                const std::uint32_t c = row_class(rows[end]);
                if (tally_[c] == 0.0) touched_.push_back(c);
                tally_[c] += weights_ == nullptr ? 1.0 : weights_[rows[end].load];
            }
            if (pure && touched_.size() == 1 && runs.classes.back() == touched_[0]) {
                runs.last.back() = value;
                runs.weights.back() += tally_[touched_[0]];
            } else {
                runs.first.push_back(value);
                runs.last.push_back(value);
                runs.start.push_back(runs.classes.size());
                for (const std::uint32_t c : touched_) {
                    runs.classes.push_back(c);
                    runs.weights.push_back(tally_[c]);
                }
                pure = touched_.size() == 1;
            }
            for (const std::uint32_t c : touched_) tally_[c] = 0.0;
            i = end;
        }
        runs.start.push_back(runs.classes.size());
    }

  private:
    std::uint32_t row_class(const Keyed& row) const {
        return weights_ == nullptr ? static_cast<std::uint32_t>(row.load) : classes_[row.load];
    }

    const std::uint32_t* classes_;
    const double* weights_;
    std::vector<double> tally_;
    std::vector<std::uint32_t> touched_;
};

// A matrix seen through its strides, counted in elements.
template <typename Real>
struct Matrix {
    const Real* data;
    std::size_t rows, columns;
    std::ptrdiff_t row_stride, column_stride;
};

// The cuts of every column of x, each ascending. classes: one below k for each row; weights: null or one above 0 for each
// row. NaN is left out. The result does not depend on the number of threads.
template <typename Real>
std::vector<std::vector<double>> mdl_cuts(const Matrix<Real>& x, const std::uint32_t* classes, const double* weights,
                                          std::size_t k, const MdlRules& rules, std::size_t threads) {
    constexpr std::size_t longest_table = std::size_t{1} << 22;
    double total = static_cast<double>(x.rows);
    bool whole = true;
    if (weights != nullptr) {
        total = 0.0;
        for (std::size_t i = 0; i < x.rows; ++i) {
            total += weights[i];
            whole = whole && weights[i] == std::floor(weights[i]);
        }
    }
    const InformationTerms f(total, k, whole ? std::min(longest_table, x.rows + 1) : 0);

    std::vector<std::vector<double>> result(x.columns);
    std::atomic<std::size_t> next{0};
    std::mutex failing;
    std::exception_ptr failure;
    const auto cut_columns = [&] {
        std::vector<Keyed> rows, spare;
        Runs runs;
        RunBuilder builder(classes, weights, k);
        for (std::size_t column; (column = next.fetch_add(1)) < x.columns;) {
            rows.clear();
            rows.reserve(x.rows);
            const Real* at = x.data + static_cast<std::ptrdiff_t>(column) * x.column_stride;
            for (std::size_t i = 0; i < x.rows; ++i, at += x.row_stride) {
                const double value = static_cast<double>(*at);
                if (!std::isnan(value)) rows.push_back({order_key(value), weights == nullptr ? classes[i] : i});
            }
            spare.resize(rows.size());
            sort_by_key(rows.data(), spare.data(), rows.size());
            builder.build(rows, runs);
            result[column] = MdlColumn(runs, k, f).cuts(rules);
        }
    };
    const auto work = [&] {
        try {
            cut_columns();
        } catch (...) {  // out of memory, most likely
            const std::lock_guard<std::mutex> lock(failing);
            failure = std::current_exception();
            next = x.columns;
        }
    };
    const std::size_t extra = std::min(std::max<std::size_t>(threads, 1), std::max<std::size_t>(x.columns, 1)) - 1;
    std::vector<std::thread> pool;
    pool.reserve(extra);
    try {
        for (std::size_t t = 0; t < extra; ++t) pool.emplace_back(work);
    } catch (const std::system_error&) {
        // The system gives no more threads: those there are do the work.
    }
    work();
    for (auto& thread : pool) thread.join();
    if (failure) std::rethrow_exception(failure);
    return result;
}

}  // namespace misieve
