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
#include <type_traits>
#include <utility>
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

    // A count is looked up without more ado.
    double operator()(std::uint64_t count) const {
        return count < table_.size() ? table_[count] : rounded(static_cast<double>(count));
    }

    // Scores that differ by less are equal but for rounding.
    double tie() const { return tie_; }

  private:
    static double raw(double x) { return x > 0.0 ? x * std::log2(x) : 0.0; }
    double rounded(double x) const { return std::nearbyint(raw(x) / unit_) * unit_; }

    double unit_ = 1.0, tie_ = 0.0;
    std::vector<double> table_;
};

// Weight is std::uint64_t where every row counts once, and double where rows have weights.
template <typename Weight>
struct Runs {
    std::vector<double> first, last;      // least and greatest value of each run
    std::vector<std::size_t> start;       // of its entries; one more than there are runs
    std::vector<std::uint32_t> classes;   // entries: a class and its weight in the run
    std::vector<Weight> weights;

    std::size_t size() const { return first.size(); }
};

// What the rules of splitting are: with the MDL test or without it, and at how many intervals to stop (0: never).
struct MdlRules {
    bool test = true;
    std::size_t max_bins = 0;
};

// The classes of an interval: how much of each, of all, N H, and how many have a row.
template <typename Weight>
struct ClassWeights {
    std::vector<Weight> of;
    Weight all{};
    double information = 0.0;
    std::size_t present = 0;
};

template <typename Weight>
struct Interval {
    std::size_t low = 0, high = 0, border = 0;  // runs low..high-1; the best split is before run `border`
    double gain = 0.0;                          // bits of class information won by it, over all rows of the interval
    ClassWeights<Weight> left, right;           // of the split
};

template <typename Weight>
class MdlColumn {
  public:
    MdlColumn(const Runs<Weight>& runs, std::size_t classes, const InformationTerms& f)
        : runs_(runs), k_(classes), f_(f), left_(classes), f_left_(classes), f_right_(classes) {}

    std::vector<double> cuts(const MdlRules& rules) {
        std::vector<double> found;
        if (runs_.size() < 2) return found;
        std::vector<Interval<Weight>> open;
        const auto consider = [&](std::size_t low, std::size_t high, const ClassWeights<Weight>& whole) {
            Interval<Weight> interval;
            if (best(low, high, whole, rules.test, interval)) open.push_back(std::move(interval));
        };
        consider(0, runs_.size(), weigh(0, runs_.size()));
        while (!open.empty() && (rules.max_bins == 0 || found.size() + 1 < rules.max_bins)) {
            const std::size_t chosen = rules.max_bins == 0 ? open.size() - 1 : richest(open);
            const Interval<Weight> interval = std::move(open[chosen]);
            open.erase(open.begin() + static_cast<std::ptrdiff_t>(chosen));
            found.push_back(cut_before(interval.border));
            consider(interval.low, interval.border, interval.left);
            consider(interval.border, interval.high, interval.right);
        }
        std::sort(found.begin(), found.end());
        return found;
    }

  private:
    static constexpr bool counting = std::is_integral_v<Weight>;

    // A border that may be the best one: its score, the weight on its left, and the run after it.
    struct Candidate {
        double score;
        Weight before;
        std::size_t run;
    };

    void summarise(ClassWeights<Weight>& sum) const {
        for (const Weight weight : sum.of) {
            if (weight <= Weight{}) continue;
            ++sum.present;
            sum.all += weight;
            sum.information -= f_(weight);
        }
        sum.information += f_(sum.all);
    }

    // The class weights of runs low..high-1, summed afresh.
    ClassWeights<Weight> weigh(std::size_t low, std::size_t high) const {
        ClassWeights<Weight> sum;
        sum.of.assign(k_, Weight{});
        for (std::size_t e = runs_.start[low]; e < runs_.start[high]; ++e) sum.of[runs_.classes[e]] += runs_.weights[e];
        summarise(sum);
        return sum;
    }

    // What is left of a whole without a part: counts are subtracted, sums of weights would not be exact.
    ClassWeights<Weight> rest(const ClassWeights<Weight>& whole, const ClassWeights<Weight>& part, std::size_t low,
                              std::size_t high) const {
        if constexpr (!counting) return weigh(low, high);
        ClassWeights<Weight> sum;
        sum.of = whole.of;
        for (std::size_t c = 0; c < k_; ++c) sum.of[c] -= part.of[c];
        summarise(sum);
        return sum;
    }

    // Finds the best split of runs low..high-1; false where there is none, or none that is kept.
    bool best(std::size_t low, std::size_t high, const ClassWeights<Weight>& whole, bool test, Interval<Weight>& interval) {
        if (high - low < 2 || whole.present < 2) return false;
        const Candidate chosen = best_border(low, high, whole);
        interval.low = low;
        interval.high = high;
        interval.border = chosen.run;
        interval.gain = whole.information + chosen.score;
        if (chosen.run - low < high - chosen.run) {
            interval.left = weigh(low, chosen.run);
            interval.right = rest(whole, interval.left, chosen.run, high);
        } else {
            interval.right = weigh(chosen.run, high);
            interval.left = rest(whole, interval.right, low, chosen.run);
        }
        return test ? pays(whole, interval.left, interval.right, interval.gain) : interval.gain > f_.tie();
    }

    // Of the borders with the greatest score the one nearest the middle, the lower of two equally near.
    Candidate best_border(std::size_t low, std::size_t high, const ClassWeights<Weight>& whole) {
        std::fill(left_.begin(), left_.end(), Weight{});
        std::fill(f_left_.begin(), f_left_.end(), 0.0);
        double sum = 0.0;
        for (std::size_t c = 0; c < k_; ++c) sum += f_right_[c] = f_(whole.of[c]);
        Weight before{};
        double top = -std::numeric_limits<double>::infinity();
        candidates_.clear();
        for (std::size_t r = low; r + 1 < high; ++r) {
            for (std::size_t e = runs_.start[r]; e < runs_.start[r + 1]; ++e) {
                const std::uint32_t c = runs_.classes[e];
                before += runs_.weights[e];
                left_[c] += runs_.weights[e];
                const double here = f_(left_[c]), there = f_(whole.of[c] - left_[c]);
                sum += (here - f_left_[c]) + (there - f_right_[c]);
                f_left_[c] = here;
                f_right_[c] = there;
            }
            const double score = sum - f_(before) - f_(whole.all - before);
            if (score < top - f_.tie()) continue;
            if (score > top + f_.tie()) candidates_.clear();
            top = std::max(top, score);
            candidates_.push_back({score, before, r + 1});
        }
        const double tied = top - f_.tie(), all = static_cast<double>(whole.all);
        const auto aside = [&](const Candidate& one) { return std::fabs(2.0 * static_cast<double>(one.before) - all); };
        double nearest = std::numeric_limits<double>::infinity();
        for (const Candidate& one : candidates_)
            if (one.score >= tied) nearest = std::min(nearest, aside(one));
        nearest += 1e-9 * all;
        std::size_t at = 0;
        while (candidates_[at].score < tied || aside(candidates_[at]) > nearest) ++at;
        return {top, candidates_[at].before, candidates_[at].run};
    }

    // N gain > log2(N - 1) + log2(3^k - 2) - (k H - k1 H1 - k2 H2)
    static bool pays(const ClassWeights<Weight>& whole, const ClassWeights<Weight>& one, const ClassWeights<Weight>& two,
                     double gain) {
        const auto weighed = [](const ClassWeights<Weight>& s) {
            return static_cast<double>(s.present) * s.information / static_cast<double>(s.all);
        };
        const double k = static_cast<double>(whole.present);
        const double partition = k * std::log2(3.0) + std::log2(1.0 - 2.0 * std::pow(3.0, -k));
        const double name = std::log2(std::max(static_cast<double>(whole.all) - 1.0, 1.0));
        return gain > name + partition - (weighed(whole) - weighed(one) - weighed(two));
    }

    // The open interval whose split wins most, the lowest of those that tie.
    std::size_t richest(const std::vector<Interval<Weight>>& open) const {
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

    const Runs<Weight>& runs_;
    const std::size_t k_;
    const InformationTerms& f_;
    std::vector<Weight> left_;
    std::vector<double> f_left_, f_right_;
    std::vector<Candidate> candidates_;
};

// Compresses sorted rows to runs; where every row counts once there are no weights, and a row's load is its class.
template <typename Weight>
class RunBuilder {
  public:
    RunBuilder(const std::uint32_t* classes, const double* weights, std::size_t k)
        : classes_(classes), weights_(weights), tally_(k) {}

    void build(const std::vector<Keyed>& rows, Runs<Weight>& runs) {
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
                if (tally_[c] == Weight{}) touched_.push_back(c);
                if constexpr (counting) ++tally_[c];
                else tally_[c] += weights_[rows[end].load];
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
            for (const std::uint32_t c : touched_) tally_[c] = Weight{};
            i = end;
        }
        runs.start.push_back(runs.classes.size());
    }

  private:
    static constexpr bool counting = std::is_integral_v<Weight>;

    std::uint32_t row_class(const Keyed& row) const {
        if constexpr (counting) return static_cast<std::uint32_t>(row.load);
        else return classes_[row.load];
    }

    const std::uint32_t* classes_;
    const double* weights_;
    std::vector<Weight> tally_;
    std::vector<std::uint32_t> touched_;
};

// A matrix seen through its strides, counted in elements.
template <typename Real>
struct Matrix {
    const Real* data;
    std::size_t rows, columns;
    std::ptrdiff_t row_stride, column_stride;
};

// The cuts of every column of x, each ascending; see mdl_cuts.
template <typename Weight, typename Real>
std::vector<std::vector<double>> cut_all(const Matrix<Real>& x, const std::uint32_t* classes, const double* weights,
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
        Runs<Weight> runs;
        RunBuilder<Weight> builder(classes, weights, k);
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
            result[column] = MdlColumn<Weight>(runs, k, f).cuts(rules);
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

// The cuts of every column of x, each ascending. classes: one below k for each row; weights: null or one above 0 for each
// row. NaN is left out. The result does not depend on the number of threads.
template <typename Real>
std::vector<std::vector<double>> mdl_cuts(const Matrix<Real>& x, const std::uint32_t* classes, const double* weights,
                                          std::size_t k, const MdlRules& rules, std::size_t threads) {
    if (weights == nullptr) return cut_all<std::uint64_t>(x, classes, weights, k, rules, threads);
    return cut_all<double>(x, classes, weights, k, rules, threads);
}

}  // namespace misieve
