// SPDX-License-Identifier: BSD-3-Clause
#include <dromos/core/host_sort.hpp>

#include <boost/sort/pdqsort/pdqsort.hpp>

namespace dromos {

void host_sort(std::uint64_t* first, std::size_t size) { boost::sort::pdqsort_branchless(first, first + size); }
void host_sort(std::int64_t* first, std::size_t size) { boost::sort::pdqsort_branchless(first, first + size); }
void host_sort(std::int32_t* first, std::size_t size) { boost::sort::pdqsort_branchless(first, first + size); }

}  // namespace dromos
