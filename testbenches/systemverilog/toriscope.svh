// SPDX-License-Identifier: Apache-2.0
// `TORISCOPE(step)(net, 1) calls toriscope_step() by DPI-C, or by VPI with TORISCOPE_VPI defined: for testbenches that
// run both ways. A network is an `TORISCOPE_NETWORK.
`ifndef TORISCOPE
`ifdef TORISCOPE_VPI
`define TORISCOPE(name) $toriscope_``name
`define TORISCOPE_NETWORK int unsigned
`else
`define TORISCOPE(name) toriscope_pkg::toriscope_``name
`define TORISCOPE_NETWORK chandle
`endif
`endif
