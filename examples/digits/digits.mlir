// Handwritten digits: a 64-128-64-10 perceptron over the 360 held-out images of scikit-learn's digits (train.py made the data).
// Every layer is one launch; each work item computes 32 images. `predictions` must equal NumPy's answers.

tile.param @ROWS = 32    // images a work item

// hidden = relu(x * w + b), in f16; w is K x N and fits on chip whole.
tile.kernel @hidden1(%x: !tile.buffer<?x64xf16, global>, %w: !tile.buffer<64x128xf16, global>, %b: !tile.buffer<1x128xf32, global>,
                     %y: !tile.buffer<?x128xf16, global>) grid(%i, %j, %k) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %rows = tile.param_value @ROWS : index
  %row = arith.muli %i, %rows : index
  %xs = tile.alloc : !tile.buffer<@ROWSx64xf16, scratch>
  %ws = tile.alloc : !tile.buffer<64x128xf16, scratch>
  %bs = tile.alloc : !tile.buffer<1x128xf32, scratch>
  %acc = tile.alloc : !tile.buffer<@ROWSx128xf32, acc>
  %ys = tile.alloc : !tile.buffer<@ROWSx128xf16, scratch>
  %xw = tile.slice %x[%row, %c0] : !tile.buffer<?x64xf16, global> to !tile.buffer<@ROWSx64xf16, global>
  %yw = tile.slice %y[%row, %c0] : !tile.buffer<?x128xf16, global> to !tile.buffer<@ROWSx128xf16, global>
  tile.copy %w, %ws : !tile.buffer<64x128xf16, global>, !tile.buffer<64x128xf16, scratch>
  tile.copy %b, %bs : !tile.buffer<1x128xf32, global>, !tile.buffer<1x128xf32, scratch>
  tile.copy %xw, %xs : !tile.buffer<@ROWSx64xf16, global>, !tile.buffer<@ROWSx64xf16, scratch>
  tile.matmul %xs, %ws, %acc : !tile.buffer<@ROWSx64xf16, scratch>, !tile.buffer<64x128xf16, scratch>, !tile.buffer<@ROWSx128xf32, acc>
  tile.map ins(%acc, %bs : !tile.buffer<@ROWSx128xf32, acc>, !tile.buffer<1x128xf32, scratch>) outs(%ys : !tile.buffer<@ROWSx128xf16, scratch>) {
  ^bb0(%s: f32, %bias: f32):
    %sum = arith.addf %s, %bias : f32
    %relu = arith.maximumf %sum, %zero : f32
    %out = arith.truncf %relu : f32 to f16
    tile.yield %out : f16
  }
  tile.copy %ys, %yw : !tile.buffer<@ROWSx128xf16, scratch>, !tile.buffer<@ROWSx128xf16, global>
}
