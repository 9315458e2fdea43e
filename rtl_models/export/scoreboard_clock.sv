// SPDX-License-Identifier: Apache-2.0
// scoreboard.sv with a clock, for simulators that have delays.
module scoreboard_clock;
  bit clk;
  always #5 clk = !clk;
  scoreboard scoreboard (.clk_i(clk));
endmodule
