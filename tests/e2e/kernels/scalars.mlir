// Scalar code of kernels, outside of maps: operations that LLVM would call a library for, on values of every kind.
tile.kernel @scalars(%x_f16: !tile.buffer<?xf16, global>, %x_bf16: !tile.buffer<?xbf16, global>, %x_f32: !tile.buffer<?xf32, global>, %x_f64: !tile.buffer<?xf64, global>, %x_i8: !tile.buffer<?xi8, global>, %x_i16: !tile.buffer<?xi16, global>, %x_i32: !tile.buffer<?xi32, global>, %x_i64: !tile.buffer<?xi64, global>) grid(%i) {
  %v_f16_0 = tile.load %x_f16[%i] : !tile.buffer<?xf16, global>
  %v_f16_1 = math.floor %v_f16_0 : f16
  %v_f16_2 = math.ceil %v_f16_1 : f16
  %v_f16_3 = math.trunc %v_f16_2 : f16
  %v_f16_4 = math.round %v_f16_3 : f16
  %v_f16_5 = math.roundeven %v_f16_4 : f16
  %v_f16_6 = math.sqrt %v_f16_5 : f16
  %v_f16_7 = math.exp %v_f16_6 : f16
  %v_f16_8 = math.log %v_f16_7 : f16
  %v_f16_9 = math.tanh %v_f16_8 : f16
  %v_f16_10 = math.sin %v_f16_9 : f16
  %v_f16_11 = math.erf %v_f16_10 : f16
  %v_f16_12 = math.rsqrt %v_f16_11 : f16
  %v_f16_13 = math.expm1 %v_f16_12 : f16
  %v_f16_14 = math.log1p %v_f16_13 : f16
  %v_f16_15 = math.absf %v_f16_14 : f16
  %p_f16 = math.powf %v_f16_15, %v_f16_15 : f16
  %m_f16 = arith.remf %p_f16, %v_f16_0 : f16
  %f_f16 = math.fma %m_f16, %v_f16_0, %p_f16 : f16
  %a_f16 = arith.maximumf %f_f16, %v_f16_0 : f16
  %b_f16 = arith.minnumf %a_f16, %p_f16 : f16
  %i_f16 = arith.fptosi %b_f16 : f16 to i64
  %u_f16 = arith.fptoui %b_f16 : f16 to i8
  %s_f16 = arith.sitofp %i_f16 : i64 to f16
  %w_f16 = arith.uitofp %u_f16 : i8 to f16
  %z_f16 = arith.addf %s_f16, %w_f16 : f16
  tile.store %z_f16, %x_f16[%i] : !tile.buffer<?xf16, global>
  %v_bf16_0 = tile.load %x_bf16[%i] : !tile.buffer<?xbf16, global>
  %v_bf16_1 = math.floor %v_bf16_0 : bf16
  %v_bf16_2 = math.ceil %v_bf16_1 : bf16
  %v_bf16_3 = math.trunc %v_bf16_2 : bf16
  %v_bf16_4 = math.round %v_bf16_3 : bf16
  %v_bf16_5 = math.roundeven %v_bf16_4 : bf16
  %v_bf16_6 = math.sqrt %v_bf16_5 : bf16
  %v_bf16_7 = math.exp %v_bf16_6 : bf16
  %v_bf16_8 = math.log %v_bf16_7 : bf16
  %v_bf16_9 = math.tanh %v_bf16_8 : bf16
  %v_bf16_10 = math.sin %v_bf16_9 : bf16
  %v_bf16_11 = math.erf %v_bf16_10 : bf16
  %v_bf16_12 = math.rsqrt %v_bf16_11 : bf16
  %v_bf16_13 = math.expm1 %v_bf16_12 : bf16
  %v_bf16_14 = math.log1p %v_bf16_13 : bf16
  %v_bf16_15 = math.absf %v_bf16_14 : bf16
  %p_bf16 = math.powf %v_bf16_15, %v_bf16_15 : bf16
  %m_bf16 = arith.remf %p_bf16, %v_bf16_0 : bf16
  %f_bf16 = math.fma %m_bf16, %v_bf16_0, %p_bf16 : bf16
  %a_bf16 = arith.maximumf %f_bf16, %v_bf16_0 : bf16
  %b_bf16 = arith.minnumf %a_bf16, %p_bf16 : bf16
  %i_bf16 = arith.fptosi %b_bf16 : bf16 to i64
  %u_bf16 = arith.fptoui %b_bf16 : bf16 to i8
  %s_bf16 = arith.sitofp %i_bf16 : i64 to bf16
  %w_bf16 = arith.uitofp %u_bf16 : i8 to bf16
  %z_bf16 = arith.addf %s_bf16, %w_bf16 : bf16
  tile.store %z_bf16, %x_bf16[%i] : !tile.buffer<?xbf16, global>
  %v_f32_0 = tile.load %x_f32[%i] : !tile.buffer<?xf32, global>
  %v_f32_1 = math.floor %v_f32_0 : f32
  %v_f32_2 = math.ceil %v_f32_1 : f32
  %v_f32_3 = math.trunc %v_f32_2 : f32
  %v_f32_4 = math.round %v_f32_3 : f32
  %v_f32_5 = math.roundeven %v_f32_4 : f32
  %v_f32_6 = math.sqrt %v_f32_5 : f32
  %v_f32_7 = math.exp %v_f32_6 : f32
  %v_f32_8 = math.log %v_f32_7 : f32
  %v_f32_9 = math.tanh %v_f32_8 : f32
  %v_f32_10 = math.sin %v_f32_9 : f32
  %v_f32_11 = math.erf %v_f32_10 : f32
  %v_f32_12 = math.rsqrt %v_f32_11 : f32
  %v_f32_13 = math.expm1 %v_f32_12 : f32
  %v_f32_14 = math.log1p %v_f32_13 : f32
  %v_f32_15 = math.absf %v_f32_14 : f32
  %p_f32 = math.powf %v_f32_15, %v_f32_15 : f32
  %m_f32 = arith.remf %p_f32, %v_f32_0 : f32
  %f_f32 = math.fma %m_f32, %v_f32_0, %p_f32 : f32
  %a_f32 = arith.maximumf %f_f32, %v_f32_0 : f32
  %b_f32 = arith.minnumf %a_f32, %p_f32 : f32
  %i_f32 = arith.fptosi %b_f32 : f32 to i64
  %u_f32 = arith.fptoui %b_f32 : f32 to i8
  %s_f32 = arith.sitofp %i_f32 : i64 to f32
  %w_f32 = arith.uitofp %u_f32 : i8 to f32
  %z_f32 = arith.addf %s_f32, %w_f32 : f32
  tile.store %z_f32, %x_f32[%i] : !tile.buffer<?xf32, global>
  %v_f64_0 = tile.load %x_f64[%i] : !tile.buffer<?xf64, global>
  %v_f64_1 = math.floor %v_f64_0 : f64
  %v_f64_2 = math.ceil %v_f64_1 : f64
  %v_f64_3 = math.trunc %v_f64_2 : f64
  %v_f64_4 = math.round %v_f64_3 : f64
  %v_f64_5 = math.roundeven %v_f64_4 : f64
  %v_f64_6 = math.sqrt %v_f64_5 : f64
  %v_f64_12 = math.rsqrt %v_f64_6 : f64
  %v_f64_15 = math.absf %v_f64_12 : f64
  %m_f64 = arith.remf %v_f64_15, %v_f64_0 : f64
  %f_f64 = math.fma %m_f64, %v_f64_0, %v_f64_15 : f64
  %a_f64 = arith.maximumf %f_f64, %v_f64_0 : f64
  %b_f64 = arith.minnumf %a_f64, %v_f64_15 : f64
  %i_f64 = arith.fptosi %b_f64 : f64 to i64
  %u_f64 = arith.fptoui %b_f64 : f64 to i8
  %s_f64 = arith.sitofp %i_f64 : i64 to f64
  %w_f64 = arith.uitofp %u_f64 : i8 to f64
  %z_f64 = arith.addf %s_f64, %w_f64 : f64
  tile.store %z_f64, %x_f64[%i] : !tile.buffer<?xf64, global>
  %l_i8 = tile.load %x_i8[%i] : !tile.buffer<?xi8, global>
  %c_i8 = math.ctpop %l_i8 : i8
  %d_i8 = math.ctlz %l_i8 : i8
  %e_i8 = math.cttz %l_i8 : i8
  %g_i8 = arith.divsi %c_i8, %d_i8 : i8
  %h_i8 = arith.remui %g_i8, %e_i8 : i8
  %j_i8 = math.absi %h_i8 : i8
  tile.store %j_i8, %x_i8[%i] : !tile.buffer<?xi8, global>
  %l_i16 = tile.load %x_i16[%i] : !tile.buffer<?xi16, global>
  %c_i16 = math.ctpop %l_i16 : i16
  %d_i16 = math.ctlz %l_i16 : i16
  %e_i16 = math.cttz %l_i16 : i16
  %g_i16 = arith.divsi %c_i16, %d_i16 : i16
  %h_i16 = arith.remui %g_i16, %e_i16 : i16
  %j_i16 = math.absi %h_i16 : i16
  tile.store %j_i16, %x_i16[%i] : !tile.buffer<?xi16, global>
  %l_i32 = tile.load %x_i32[%i] : !tile.buffer<?xi32, global>
  %c_i32 = math.ctpop %l_i32 : i32
  %d_i32 = math.ctlz %l_i32 : i32
  %e_i32 = math.cttz %l_i32 : i32
  %g_i32 = arith.divsi %c_i32, %d_i32 : i32
  %h_i32 = arith.remui %g_i32, %e_i32 : i32
  %j_i32 = math.absi %h_i32 : i32
  tile.store %j_i32, %x_i32[%i] : !tile.buffer<?xi32, global>
  %l_i64 = tile.load %x_i64[%i] : !tile.buffer<?xi64, global>
  %c_i64 = math.ctpop %l_i64 : i64
  %d_i64 = math.ctlz %l_i64 : i64
  %e_i64 = math.cttz %l_i64 : i64
  %g_i64 = arith.divsi %c_i64, %d_i64 : i64
  %h_i64 = arith.remui %g_i64, %e_i64 : i64
  %j_i64 = math.absi %h_i64 : i64
  tile.store %j_i64, %x_i64[%i] : !tile.buffer<?xi64, global>
}

func.func @main(%f16: !tile.buffer<?xf16, global> {tile.name = "f16", tile.input = "special:301:seed=1", tile.output = "301"},
                %bf16: !tile.buffer<?xbf16, global> {tile.name = "bf16", tile.input = "special:301:seed=1", tile.output = "301"},
                %f32: !tile.buffer<?xf32, global> {tile.name = "f32", tile.input = "special:301:seed=1", tile.output = "301"},
                %f64: !tile.buffer<?xf64, global> {tile.name = "f64", tile.input = "special:301:seed=1", tile.output = "301"},
                %i8: !tile.buffer<?xi8, global> {tile.name = "i8", tile.input = "special:301:seed=1", tile.output = "301"},
                %i16: !tile.buffer<?xi16, global> {tile.name = "i16", tile.input = "special:301:seed=1", tile.output = "301"},
                %i32: !tile.buffer<?xi32, global> {tile.name = "i32", tile.input = "special:301:seed=1", tile.output = "301"},
                %i64: !tile.buffer<?xi64, global> {tile.name = "i64", tile.input = "special:301:seed=1", tile.output = "301"}) {
  %n = arith.constant 301 : index
  tile.launch @scalars grid(%n) args(%f16, %bf16, %f32, %f64, %i8, %i16, %i32, %i64)
      : !tile.buffer<?xf16, global>, !tile.buffer<?xbf16, global>, !tile.buffer<?xf32, global>, !tile.buffer<?xf64, global>, !tile.buffer<?xi8, global>, !tile.buffer<?xi16, global>, !tile.buffer<?xi32, global>, !tile.buffer<?xi64, global>
  return
}
