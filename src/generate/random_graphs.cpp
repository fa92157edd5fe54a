// SPDX-License-Identifier: BSD-3-Clause
// Random graphs in the default execution space, compiled once for both widths of ids.
#include <dromos/generate/erdos_renyi.hpp>
#include <dromos/generate/kronecker.hpp>
#include <dromos/generate/random_geometric.hpp>

namespace dromos {

using Space = Kokkos::DefaultExecutionSpace;

template EdgeList<std::int32_t> generate_kronecker(const Space&, const KroneckerOptions&);
template EdgeList<std::int64_t> generate_kronecker(const Space&, const KroneckerOptions&);

template EdgeList<std::int32_t> generate_erdos_renyi(const Space&, const ErdosRenyiOptions&);
template EdgeList<std::int64_t> generate_erdos_renyi(const Space&, const ErdosRenyiOptions&);

template RandomGeometricEdges<std::int32_t>::RandomGeometricEdges(const Space&, const RandomGeometricOptions&);
template RandomGeometricEdges<std::int64_t>::RandomGeometricEdges(const Space&, const RandomGeometricOptions&);
template EdgeList<std::int32_t> generate_random_geometric(const Space&, const RandomGeometricOptions&);
template EdgeList<std::int64_t> generate_random_geometric(const Space&, const RandomGeometricOptions&);

}  // namespace dromos
