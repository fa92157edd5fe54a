// SPDX-License-Identifier: BSD-3-Clause
// The parameter lists of the functions on Tpetra matrices: parameters of the call itself, and the sublist "options"
// with those of the algorithm (teuchos/options.hpp).
//
//   rcm:
//     where: local
//     options: {max searches: 4}
#pragma once

#include <Teuchos_ParameterList.hpp>
#include <algorithm>
#include <dromos/core/error.hpp>
#include <dromos/core/nearest_name.hpp>
#include <dromos/teuchos/options.hpp>
#include <string>
#include <vector>

namespace dromos::tpetra::detail {

/// Throws ArgumentError for a parameter that is none of `names`, or of the wrong kind.
inline void check_parameters(const Teuchos::ParameterList& list, const std::vector<std::string>& names) {
  for (auto each = list.begin(); each != list.end(); ++each) {
    const std::string& name = list.name(each);
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      throw ArgumentError("there is no parameter '" + name + "' of '" + list.name() + "'" + choice_hint(name, names));
    }
    if (name == "options" && !list.isSublist(name)) {
      throw ArgumentError("parameter 'options' of '" + list.name() + "' must be a sublist");
    }
  }
}

/// The options of the algorithm; defaults where the list has no sublist for them.
template <class Options>
Options algorithm_options(const Teuchos::ParameterList& list) {
  return list.isSublist("options") ? dromos::teuchos::read_options<Options>(list.sublist("options")) : Options();
}

}  // namespace dromos::tpetra::detail
