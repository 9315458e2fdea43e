// Packages first.
styles_pkg.sv
-F wormhole.f
styled_planes.sv
