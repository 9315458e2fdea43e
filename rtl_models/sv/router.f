round_robin.sv
vc_buffer.sv
route_table.sv
route_cube.sv
route_ttn.sv
input_unit.sv
output_unit.sv
router.sv
