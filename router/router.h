// SPDX-License-Identifier: Apache-2.0
// (interface draft: the observers that waves, watchdog and tests may rely on)
