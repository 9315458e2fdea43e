/* SPDX-License-Identifier: Apache-2.0 */
/* For c_api_cost.py: a loop in C that steps a network, injects and receives. cost_loop.cpp is the same in C++. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <toriscope/c_api.h>

int main(int argc, char **argv) {
  const long cycles = argc > 1 ? atol(argv[1]) : 1000;
  toriscope_network *net = toriscope_create("{\"topology\": \"torus:8x8\"}", 0);
  if (!net) return fputs(toriscope_error(), stderr), 2;
  uint64_t latency = 0, state = 1;
  toriscope_packet packet;
  for (long cycle = 0; cycle < cycles; ++cycle) {
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
    if (toriscope_inject(net, state >> 40 & 63, state >> 50 & 63, 8, 0, NULL) != TORISCOPE_OK) return 2;
    if (toriscope_step(net, 1) != TORISCOPE_OK) return 1;
    while (toriscope_receive(net, &packet)) latency += packet.ended - packet.created;
  }
  printf("%" PRIu64 "\n", latency);
  toriscope_destroy(net);
  return 0;
}
