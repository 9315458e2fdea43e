# The router within, /* and its */ // files
+incdir+../../../sv_wormhole
../../../sv_wormhole/wormhole_router.sv /* one
by one */ -v ../../../sv_wormhole/wormhole_fifo.sv
-y ../../../sv_wormhole
