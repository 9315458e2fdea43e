/* SPDX-License-Identifier: Apache-2.0 */
/* #include <toriscope/c_api.h>, link with -ltoriscope: networks in C, or in any language that calls C (docs/c_api.md).
 *
 *   networks  any number in one process, made and destroyed at any time; each is used by one thread at a time
 *   time      a cycle is done by toriscope_step(); cycle t is that of docs/model.md
 *   numbers   terminals, packets, links and cycles count from 0
 *   texts     UTF-8; those returned stay until the next call of the same function for the same network, and belong to
 *             the library
 *   errors    a function that fails returns NULL or a status, and toriscope_error() says why in one line
 *   ABI       TORISCOPE_ABI is that of the header, toriscope_abi() that of the library. A library with another number
 *             does not run programs of this one; functions may be added without a new number
 */
#ifndef TORISCOPE_C_API_H
#define TORISCOPE_C_API_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define TORISCOPE_API __attribute__((visibility("default")))
#else
#define TORISCOPE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define TORISCOPE_ABI 1u

/* What functions return that return a status. */
enum {
  TORISCOPE_OK = 0,
  TORISCOPE_FAILED = 1,    /* the network has failed: a deadlock, a broken invariant; toriscope_error(), in
                              more lines toriscope_failure() tells */
  TORISCOPE_BAD_INPUT = 2, /* the call has not been obeyed; toriscope_error() tells */
  TORISCOPE_DIFFERS = 3    /* toriscope_compare() only; toriscope_error() tells */
};

/* What toriscope_create() takes, or'ed. */
enum {
  TORISCOPE_WITH_TRAFFIC = 1u,  /* toriscope_step() also creates the packets of the configuration */
  TORISCOPE_ALLOW_DEADLOCK = 2u /* routing that is known to be cyclic is not an error */
};

/* What became of a packet. */
enum {
  TORISCOPE_RECEIVED = 0,
  TORISCOPE_DISCARDED = 1, /* given up at a dead link */
  TORISCOPE_REFUSED = 2    /* no way over live links led to its destination when it was created */
};

/* "No value" of a signal: no flit, no owner. */
#define TORISCOPE_NONE UINT64_MAX

typedef struct toriscope_network toriscope_network;
typedef struct toriscope_signal toriscope_signal;

typedef struct toriscope_packet {
  uint64_t number;        /* in the order of creation */
  uint64_t created;       /* cycle */
  uint64_t head_sent;     /* cycle in which the source's network interface sent the head; not of a refused packet */
  uint64_t ended;         /* cycle in which the tail was received, or the packet was given up */
  uint32_t source;        /* terminal */
  uint32_t destination;   /* terminal */
  uint32_t flits;
  uint32_t hops;          /* links crossed by the head */
  uint32_t message_class;
  uint32_t fate;          /* TORISCOPE_RECEIVED ... */
} toriscope_packet;

/* Of the cycles since creation, or since toriscope_clear_statistics(). */
typedef struct toriscope_statistics {
  uint64_t cycles;
  uint64_t packets_created;
  uint64_t packets_received;
  uint64_t packets_discarded;
  uint64_t packets_refused;
  uint64_t flits_created;
  uint64_t flits_injected;  /* sent by network interfaces */
  uint64_t flits_ejected;   /* received by them */
  uint64_t flits_discarded;
  uint64_t latency_sum;     /* of the packets received: from creation to the tail's arrival, in cycles */
  uint64_t latency_least;   /* 0 where none was received */
  uint64_t latency_most;
  uint64_t network_latency_sum; /* likewise from the sending of the head */
  uint64_t hops_sum;
  uint64_t under_way;       /* packets created and not ended, or whose flits are still being given up, now */
  uint64_t packet_hash;     /* docs/model.md, "Hashes"; since cycle 0 */
} toriscope_statistics;

/* A watched signal shows `value` from `cycle` on. The name stays as long as the network. */
typedef void (*toriscope_watcher)(void *user, uint64_t cycle, const char *name, uint64_t value);

/* --- the library --- */
TORISCOPE_API unsigned toriscope_abi(void);
/* "0.1.0" */
TORISCOPE_API const char *toriscope_version(void);
/* Why the last call of this thread that failed did so: one line. "" where none has. */
TORISCOPE_API const char *toriscope_error(void);

/* --- networks --- */
/* json: a configuration as `toriscope run --config` reads it: {"topology": "torus:8x8", "vcs": 4}; or "@FILE", the name
 * of a file with one. NULL on error. */
TORISCOPE_API toriscope_network *toriscope_create(const char *json, unsigned flags);
/* The same, with routers of the caller in the place of some of its own. nodes: patterns as of `run --rtl`. */
TORISCOPE_API toriscope_network *toriscope_create_around(const char *json, unsigned flags, const char *nodes);
/* NULL is ignored. Not from a watcher of the same network. */
TORISCOPE_API void toriscope_destroy(toriscope_network *net);
/* The effective configuration, all parameters named: JSON. */
TORISCOPE_API const char *toriscope_config(toriscope_network *net);
/* Nodes, terminals and links by number: JSON, described in docs/c_api.md. */
TORISCOPE_API const char *toriscope_wiring(toriscope_network *net);
TORISCOPE_API uint32_t toriscope_terminals(const toriscope_network *net);

/* --- step by step --- */
/* A packet that is created in the next cycle to be done. number: gets its number; may be NULL. An error beside traffic
 * of requests and replies, flows or dependencies, which counts its own packets only. */
TORISCOPE_API int toriscope_inject(toriscope_network *net, uint32_t source, uint32_t destination, uint32_t flits,
                                   uint32_t message_class, uint64_t *number);
/* Does this many cycles, or fewer if the network fails. An error after toriscope_run(), and from a watcher. */
TORISCOPE_API int toriscope_step(toriscope_network *net, uint64_t cycles);
/* The cycles done, which is the number of the next one. */
TORISCOPE_API uint64_t toriscope_cycle(const toriscope_network *net);
/* 1: no packet is under way, and none waits for the next cycle. */
TORISCOPE_API int toriscope_idle(const toriscope_network *net);
/* The next injected packet that has ended, in the order of their ends. Returns 1, or 0 where there is none. */
TORISCOPE_API int toriscope_receive(toriscope_network *net, toriscope_packet *packet);
/* Why the network has failed: one line, then a line for each detail. NULL: it has not. */
TORISCOPE_API const char *toriscope_failure(toriscope_network *net);

/* --- pins of routers: flit and credit words (docs/systemverilog.md) --- */
/* The number of the i-th of the nodes that patterns name, in ascending order. UINT32_MAX: there are fewer, or an error.
 */
TORISCOPE_API uint32_t toriscope_find_node(toriscope_network *net, const char *nodes, uint32_t i);
/* The ports of a node's router, and how many of them, the last, are local. 0: there is no such node. */
TORISCOPE_API uint32_t toriscope_ports(const toriscope_network *net, uint32_t node);
TORISCOPE_API uint32_t toriscope_local_ports(const toriscope_network *net, uint32_t node);
/* The VCs of the network: bits of its credit words. A node may have fewer. 0: the network is NULL. */
TORISCOPE_API uint32_t toriscope_vcs(const toriscope_network *net);
/* What links show a router, the model's or the caller's, in the next cycle: the flit that comes in by the port, 0 for
 * none, and the credits for what leaves by it, a bit per VC. */
TORISCOPE_API int toriscope_shown(toriscope_network *net, uint32_t node, uint32_t port, uint64_t *flit,
                                  uint32_t *credits);
/* What a router sent in the last cycle done: the flit that leaves by the port, and the credits for what came in by
 * it. */
TORISCOPE_API int toriscope_sent(toriscope_network *net, uint32_t node, uint32_t port, uint64_t *flit,
                                 uint32_t *credits);
/* Compares what a router beside the model's, on the same inputs, has sent in the last cycle done with what the model's
 * has sent. A port that the node does not have sends nothing. TORISCOPE_DIFFERS: toriscope_error() tells what. */
TORISCOPE_API int toriscope_compare(toriscope_network *net, uint32_t node, uint32_t port, uint64_t flit,
                                    uint32_t credits);
/* What the caller's router sends in the next cycle, likewise; in each cycle anew. */
TORISCOPE_API int toriscope_drive(toriscope_network *net, uint32_t node, uint32_t port, uint64_t flit,
                                  uint32_t credits);

/* --- statistics --- */
TORISCOPE_API int toriscope_get_statistics(const toriscope_network *net, toriscope_statistics *statistics);
TORISCOPE_API void toriscope_clear_statistics(toriscope_network *net);
/* The flits sent since cycle 0 over each wire: links, then injection, then ejection ports by terminal. Fills up to
 * `room`, and returns the number of wires. */
TORISCOPE_API size_t toriscope_wire_flits(const toriscope_network *net, uint64_t *flits, size_t room);

/* --- a whole run --- */
/* Warm-up, measured cycles and drain with the traffic of the configuration, of a network that has done no cycle. It
 * does no other one then: toriscope_step() and toriscope_inject() are errors. Not from a watcher. */
TORISCOPE_API int toriscope_run(toriscope_network *net);
/* Of a run: the JSON of `toriscope run --json`, with the use of every link. NULL: no run has ended. */
TORISCOPE_API const char *toriscope_results(toriscope_network *net);

/* --- signals: those of waveforms, by their names there (traces/README.md) --- */
/* The names that a pattern selects ('*': any characters, a module: all in it), a line each. NULL: none. */
TORISCOPE_API const char *toriscope_signals(toriscope_network *net, const char *pattern);
/* "torus.node_0_1.in_x+.vc0.occupancy". It belongs to the network. NULL: there is none. */
TORISCOPE_API toriscope_signal *toriscope_find_signal(toriscope_network *net, const char *name);
/* What the next cycle finds; TORISCOPE_NONE. */
TORISCOPE_API uint64_t toriscope_value(const toriscope_signal *signal);
TORISCOPE_API unsigned toriscope_width(const toriscope_signal *signal);
/* Calls `watcher` after each cycle for each selected signal that has changed, and at once for all of them. It may
 * inject, receive and read, but not step, run or begin a waveform. A signal costs some nanoseconds in every cycle. */
TORISCOPE_API int toriscope_watch(toriscope_network *net, const char *pattern, toriscope_watcher watcher, void *user);
/* Ends all watches. */
TORISCOPE_API void toriscope_unwatch(toriscope_network *net);

/* --- waves --- */
/* Writes a waveform from now on. spec: "GLOB@FROM:TO" as for `run --wave`; a window that begins before the present
 * cycle begins with it, one that ends before it is an error. file: "chip.vcd", with a save file for GTKWave beside it.
 * Not from a watcher. */
TORISCOPE_API int toriscope_wave_on(toriscope_network *net, const char *spec, const char *file);
/* Ends the waveform, whose files are complete then. Without one: nothing. */
TORISCOPE_API int toriscope_wave_off(toriscope_network *net);

#ifdef __cplusplus
}
#endif
#endif
