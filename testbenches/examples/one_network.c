/* SPDX-License-Identifier: Apache-2.0 */
/* A network in C: a packet from terminal 0 to each other one, and what became of them. */
#include <inttypes.h>
#include <stdio.h>
#include <toriscope/c_api.h>

static int fail(const char *why) { return fprintf(stderr, "one_network: %s\n", why), 2; }

int main(void) {
  if (toriscope_abi() != TORISCOPE_ABI) return fail("the library has another ABI than the header");
  toriscope_network *net = toriscope_create("{\"topology\": \"torus:4x4\", \"vcs\": 4}", 0);
  if (!net) return fail(toriscope_error());
  for (uint32_t to = 1; to < toriscope_terminals(net); ++to)
    if (toriscope_inject(net, 0, to, 4, 0, NULL) != TORISCOPE_OK) return fail(toriscope_error());
  toriscope_packet packet;
  while (!toriscope_idle(net)) {
    if (toriscope_step(net, 1) != TORISCOPE_OK) return fail(toriscope_failure(net));
    while (toriscope_receive(net, &packet))
      printf("0 -> %" PRIu32 "  %" PRIu32 " hops, %" PRIu64 " cycles\n", packet.destination, packet.hops,
             packet.ended - packet.created);
  }
  toriscope_destroy(net);
  return 0;
}
