// Threads that take numbered tasks until none is left.
#pragma once
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace misieve {

// work(worker, task) for every task below n_tasks, by at most n_jobs workers; worker 0 is the caller. Which worker takes which
// task is left to chance: results must not depend on it. The first exception of a worker ends the run and is thrown here.
template <class Work>
void share(std::size_t n_jobs, std::size_t n_tasks, Work&& work) {
    if (n_jobs > n_tasks) n_jobs = n_tasks;
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex guard;
    const auto run = [&](std::size_t worker) {
        try {
            for (std::size_t task; (task = next.fetch_add(1)) < n_tasks;) work(worker, task);
        } catch (...) {
            const std::lock_guard<std::mutex> lock(guard);
            if (!failure) failure = std::current_exception();
            next = n_tasks;
        }
    };
    std::vector<std::thread> others;
    try {
        for (std::size_t worker = 1; worker < n_jobs; ++worker) others.emplace_back(run, worker);
    } catch (const std::system_error&) {
        // No further thread to be had: those that started, and this one, do all the tasks.
    }
    run(0);
    for (std::thread& other : others) other.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace misieve
