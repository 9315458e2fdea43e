// SPDX-License-Identifier: Apache-2.0
// Random numbers looked at several at a time: at low load nearly every draw of a node says "no packet", and
// that is most of what the traffic costs.
#pragma once

#include <cstdint>

namespace toriscope {

/// How many of the next numbers of the stream mix(counter + step), mix(counter + 2 step) ... are for sure not
/// below `limit` in their upper 63 bits, one after the other, `most` of them at most. Looks at as many at a
/// time as the processor can; what it returns may be less than the exact number, and depend on the processor.
std::uint64_t count_empty_draws(std::uint64_t counter, std::uint64_t step, std::uint64_t limit,
                            std::uint64_t most);

}  // namespace toriscope
