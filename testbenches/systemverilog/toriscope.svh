// SPDX-License-Identifier: Apache-2.0
// `TORISCOPE(step)(net, 1) calls toriscope_step() by DPI-C, or by VPI with TORISCOPE_VPI defined: for testbenches that
// run both ways. A network is a `TORISCOPE_NETWORK, a parameter that is a text has the type `TORISCOPE_TEXT.
`ifndef TORISCOPE
`ifdef TORISCOPE_VPI
`define TORISCOPE(name) $toriscope_``name
`define TORISCOPE_NETWORK int unsigned
`define TORISCOPE_TEXT
`else
`define TORISCOPE(name) toriscope_pkg::toriscope_``name
`define TORISCOPE_NETWORK chandle
`define TORISCOPE_TEXT string
`endif
`endif
