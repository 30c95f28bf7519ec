// RUN: forerun-opt %s --split-input-file --verify-diagnostics --tile-verify-scopes
// Rules of execution scopes, each with its message.

tile.kernel @coarser_in_finer() grid(%i) {
  // expected-note@+1 {{the enclosing region}}
  tile.exec group {
    // expected-error@+1 {{'tile.exec' op a single group executes here already; scopes nest from coarse to fine: chip, cluster, core, group, team, lane}}
    tile.exec group [0] {
    }
  }
}

// -----

tile.kernel @group_in_team() grid(%i) {
  // expected-note@+1 {{the enclosing region}}
  tile.exec team {
    // expected-error@+1 {{'tile.exec' op a single team executes here already; move this region out of 'tile.exec team'}}
    tile.exec group {
    }
  }
}

// -----

tile.kernel @team_in_lane() grid(%i) {
  // expected-note@+1 {{the enclosing region}}
  tile.exec lane {
    // expected-error@+1 {{'tile.exec' op a single lane executes here already}}
    tile.exec team {
    }
  }
}

// -----

tile.kernel @core_range() grid(%i) {
  // expected-error@+1 {{'tile.exec' op a core has no range; write 'tile.exec team [...]' to select teams}}
  tile.exec core [0] {
  }
}

// -----

tile.kernel @step() grid(%i) {
  // expected-error@+1 {{'tile.exec' op expected a step of at least 1, found 0}}
  tile.exec team [0 : 4 : 0] {
  }
}

// -----

tile.kernel @backwards() grid(%i) {
  // expected-error@+1 {{'tile.exec' op expected a range [low : high] with low < high, found [3 : 1]}}
  tile.exec lane [3 : 1] {
  }
}

// -----

tile.kernel @negative() grid(%i) {
  // expected-error@+1 {{'tile.exec' op expected group numbers from 0, found -1}}
  tile.exec group [-1 : 1] {
  }
}

// -----

tile.kernel @chip_range() grid(%i) {
  // expected-error@+1 {{'tile.exec' op a chip has no range here; 'tile.exec core [...]' inside it selects cores}}
  tile.exec chip [0] {
  }
}

// -----

tile.kernel @chip_in_branch(%c: i1) grid(%i) {
  // expected-note@+1 {{the enclosing operation}}
  scf.if %c {
    // expected-error@+1 {{'tile.exec' op expected in the kernel's own block, which every core comes to; the cores of a chip would wait for those that do not}}
    tile.exec chip {
    }
  }
}

// -----

tile.kernel @work_of_a_chip(%x: !tile.buffer<8xf32, global>, %v: f32) grid(%i) {
  // expected-note@+1 {{the region of the cores}}
  tile.exec cluster {
    // expected-error@+1 {{'tile.fill' op several cores together do not execute it; put it into 'tile.exec core [...]'}}
    tile.fill %x, %v : !tile.buffer<8xf32, global>, f32
  }
}

// -----

tile.kernel @range_of_an_item() grid(%i) {
  // expected-note@-1 {{grid ids differ from core to core}}
  tile.exec chip {
    // expected-error@+1 {{'tile.exec' op expected a range that is equal on all cores, which decide alone whether they are in it}}
    tile.exec core [%i] {
    }
  }
}

// -----

tile.kernel @groups_of_a_role() grid(%i) {
  // expected-note@+1 {{the roles}}
  tile.roles one [0 : 2] {
    // expected-error@+1 {{'tile.exec' op the teams of a role have no groups; give the groups roles of their own}}
    tile.exec group {
    }
  }
}

// -----

tile.kernel @lane_id() grid(%i) {
  tile.exec team {
    // expected-error@+1 {{'tile.lane_id' op at this scope all lanes act together; use it inside 'tile.exec lane'}}
    %l = tile.lane_id : index
  }
}

// -----

tile.kernel @group_id() grid(%i) {
  // expected-error@+1 {{'tile.group_id' op at core scope all groups act together; use it inside 'tile.exec group'}}
  %g = tile.group_id : index
}

// -----

tile.kernel @sync_in_lane() grid(%i) {
  // expected-note@+1 {{the enclosing region}}
  tile.exec lane {
    // expected-error@+1 {{'tile.sync' op a single lane executes here and has nobody to join; move it out of 'tile.exec lane'}}
    tile.sync
  }
}

// -----

tile.kernel @divergent() grid(%i) {
  %c1 = arith.constant 1 : index
  tile.exec team {
    // expected-note@+1 {{it differs because of this}}
    %t = tile.team_id : index
    %twice = arith.addi %t, %t : index
    %first = arith.cmpi ult, %twice, %c1 : index
    scf.if %first {
      // expected-error@+1 {{'tile.sync' op some teams may not come here, and the others would wait for ever: the control around it differs between teams; move it out}}
      tile.sync
    }
  }
}

// -----

tile.kernel @divergent_loop() grid(%i) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  tile.exec team {
    // expected-note@+1 {{it differs because of this}}
    %t = tile.team_id : index
    scf.for %k = %c0 to %t step %c1 {
      // expected-error@+1 {{'tile.sync' op some teams may not come here}}
      tile.sync
    }
  }
}

// -----

tile.kernel @unknown(%x: !tile.buffer<8xi32, global>) grid(%i) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  tile.exec team {
    // expected-note@+1 {{nothing shows that this is equal for all}}
    %v = tile.load %x[%c0] : !tile.buffer<8xi32, global>
    %set = arith.cmpi ne, %v, %zero : i32
    scf.if %set {
      // expected-error@+1 {{'tile.sync' op nothing shows that all teams come here, and some would wait for ever; move it out, or promise it with 'tile.sync {assume_uniform}'}}
      tile.sync
    }
  }
}

// -----

// Equal for all: what was computed outside, and what is promised.
tile.kernel @uniform(%x: !tile.buffer<8xi32, global>) grid(%i) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %outside = tile.load %x[%c0] : !tile.buffer<8xi32, global>
  %is = arith.cmpi ne, %outside, %zero : i32
  tile.exec team {
    scf.for %k = %c0 to %i step %c1 {
      scf.if %is {
        tile.sync
      }
    }
    %v = tile.load %x[%c0] : !tile.buffer<8xi32, global>
    %set = arith.cmpi ne, %v, %zero : i32
    scf.if %set {
      tile.sync {assume_uniform}
    }
  }
}
