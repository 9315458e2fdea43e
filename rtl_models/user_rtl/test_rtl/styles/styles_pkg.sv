// SPDX-License-Identifier: Apache-2.0
// Types of styled_planes.sv.
package styles_pkg;
  typedef enum logic [1:0] {
    READY_PER_VC,  // valid waits for ready
    OF_OFFER,      // one ready, back[0], for the VC of the flit that is shown
    ON_OFF         // back: on; seen a clock late
  } style_e;
  typedef struct packed {
    logic [3:0] x;
    logic [3:0] y;
  } id_t;
  typedef struct packed {
    logic        wake;  // set, with or without a flit
    logic        last;
    logic        first;
    id_t         dst;
    logic [23:0] rest;
  } flit_t;
  typedef struct packed {
    logic [1:0] valid;  // of each VC
    logic [1:0] back;   // against the flits
    flit_t      flit;
  } link_t;
endpackage
