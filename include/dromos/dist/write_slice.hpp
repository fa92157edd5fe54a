// SPDX-License-Identifier: BSD-3-Clause
// Moved: kept for programs that include it under its former name.
#pragma once

#include <dromos/distributed/files/write_slice.hpp>
