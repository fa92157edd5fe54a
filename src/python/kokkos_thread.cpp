// SPDX-License-Identifier: BSD-3-Clause
#include "python/kokkos_thread.hpp"

#include <unistd.h>

#include <Kokkos_Core.hpp>
#include <condition_variable>
#include <cstdlib>
#include <dromos/core/error.hpp>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#ifdef _OPENMP
#include <omp.h>
#endif

namespace dromos::python {
namespace {

constexpr int most_threads = 512;  // the size of an array in the OpenMP backend of Kokkos 3.4

class KokkosThread {
 public:
  void begin(int num_threads) {
    check_process();
    const std::lock_guard<std::mutex> one_caller(callers_);
    if (began_) {
      if (num_threads == 0 || num_threads == num_threads_) return;
      throw ArgumentError("Dromos runs on " + std::to_string(num_threads_) + " threads already, and " +
                          std::to_string(num_threads) +
                          " are asked for; call initialize() before anything else of dromos");
    }
    start(num_threads);
  }

  void run(const std::function<void()>& work) {
    check_process();
    const std::lock_guard<std::mutex> one_caller(callers_);
    if (!began_) start(0);
    if (ended_) throw Error("Dromos has been finalized, as the interpreter exits; make no calls from there on");
    hand_over(work);
  }

  void end() {
    if (process_ != getpid()) return;
    const std::lock_guard<std::mutex> one_caller(callers_);
    if (!began_ || ended_) return;
    ended_ = true;
    hand_over(nullptr);
    thread_.join();
  }

 private:
  /// Before any lock is taken: in a forked process another thread's lock is held for ever.
  void check_process() const {
    if (process_ == getpid()) return;
    throw Error(
        "dromos was imported before this process was forked, and its threads stayed behind in the parent; start "
        "processes with multiprocessing's method 'spawn', or import dromos in the child alone");
  }

  void start(int num_threads) {
    if (num_threads < 0 || num_threads > most_threads) {
      throw ArgumentError("initialize: expected 1 to " + std::to_string(most_threads) + " threads, found " +
                          std::to_string(num_threads));
    }
    work_ = [this, num_threads] { initialize(num_threads); };
    has_work_ = true;
    thread_ = std::thread([this] { serve(); });
    began_ = true;
    try {
      wait_for_answer();
    } catch (...) {  // as if nobody had tried
      thread_.join();
      began_ = false;
      throw;
    }
  }

  void initialize(int num_threads) {
#ifdef _OPENMP
    if (num_threads > 0) omp_set_num_threads(num_threads);
    if (omp_get_max_threads() > most_threads) {
      throw ArgumentError(std::to_string(omp_get_max_threads()) + " OpenMP threads: Kokkos has room for " +
                          std::to_string(most_threads) + "; set OMP_NUM_THREADS, or give initialize() fewer");
    }
#else
    if (num_threads > 1) {
      throw ArgumentError("initialize: this build runs on one thread of the CPU, found " + std::to_string(num_threads));
    }
#endif
    std::string program = "dromos", quiet = "--kokkos-disable-warnings";
    char* arguments[] = {program.data(), quiet.data(), nullptr};
    int count = 2;
    Kokkos::initialize(count, arguments);
    num_threads_ = Kokkos::DefaultHostExecutionSpace().concurrency();
  }

  /// Gives work to the thread and waits for its end; nothing: the thread finalizes Kokkos and ends.
  void hand_over(const std::function<void()>& work) {
    {
      const std::lock_guard<std::mutex> lock(exchange_);
      work_ = work;
      has_work_ = true;
    }
    changed_.notify_all();
    wait_for_answer();
  }

  void wait_for_answer() {
    std::unique_lock<std::mutex> lock(exchange_);
    changed_.wait(lock, [this] { return !has_work_; });
    work_ = nullptr;
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

  void serve() {
    for (bool goes_on = true; goes_on;) {
      std::unique_lock<std::mutex> lock(exchange_);
      changed_.wait(lock, [this] { return has_work_; });
      const std::function<void()> work = work_;
      lock.unlock();
      try {
        if (work) {
          work();
        } else {
          Kokkos::finalize();
        }
      } catch (...) {
        failure_ = std::current_exception();  // read after has_work_ is false, under the lock
      }
      lock.lock();
      has_work_ = false;
      goes_on = work && Kokkos::is_initialized();
      lock.unlock();
      changed_.notify_all();
    }
  }

  const pid_t process_ = getpid();
  std::mutex callers_;  // held for a whole call: one after the other
  std::mutex exchange_;
  std::condition_variable changed_;
  std::function<void()> work_;
  bool has_work_ = false;
  std::exception_ptr failure_;
  bool began_ = false, ended_ = false;
  int num_threads_ = 0;
  std::thread thread_;
};

/// Made when the module is imported, and never destroyed: the thread may outlive the destructors of the process.
KokkosThread& the_thread = *new KokkosThread;

}  // namespace

void begin_kokkos(int num_threads) { the_thread.begin(num_threads); }
void on_kokkos_thread(const std::function<void()>& work) { the_thread.run(work); }
void end_kokkos() { the_thread.end(); }

}  // namespace dromos::python
