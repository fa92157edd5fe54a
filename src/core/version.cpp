// SPDX-License-Identifier: BSD-3-Clause
#include <dromos/core/types.hpp>
