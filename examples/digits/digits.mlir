// Handwritten digits: a 64-128-64-10 perceptron over the 360 held-out images of scikit-learn's digits (train.py made the data).
// Each layer is one launch; a work item computes 32 images. `predictions` must equal NumPy's, and does so exactly.
//
// One kernel serves both hidden layers: its 128 x 128 weight window overhangs smaller matrices, and only what is valid counts.

!matrix = !tile.buffer<?x?xf16, global>
!vector = !tile.buffer<1x?xf32, global>

// y = relu(x * w + b)
tile.kernel @hidden(%x: !matrix, %w: !matrix, %b: !vector, %y: !matrix) grid(%i) {
  %zero = arith.constant 0.0 : f32
  %rows = arith.constant 32 : index
  %row = arith.muli %i, %rows : index
  %xg = tile.slice %x[%row, 0] : !matrix to !tile.buffer<32x128xf16, global>
  %wg = tile.slice %w[0, 0] : !matrix to !tile.buffer<128x128xf16, global>
  %bg = tile.slice %b[0, 0] : !vector to !tile.buffer<1x128xf32, global>
  %yg = tile.slice %y[%row, 0] : !matrix to !tile.buffer<32x128xf16, global>
  %xs = tile.alloc : !tile.buffer<32x128xf16, scratch>
  %ws = tile.alloc : !tile.buffer<128x128xf16, scratch>
  %bs = tile.alloc : !tile.buffer<1x128xf32, scratch>
  %sum = tile.alloc : !tile.buffer<32x128xf32, acc>
  %ys = tile.alloc : !tile.buffer<32x128xf16, scratch>
  %tx = tile.copy_async %xg, %xs : !tile.buffer<32x128xf16, global>, !tile.buffer<32x128xf16, scratch>
  %tw = tile.copy_async %wg, %ws : !tile.buffer<128x128xf16, global>, !tile.buffer<128x128xf16, scratch>
  %tb = tile.copy_async %bg, %bs : !tile.buffer<1x128xf32, global>, !tile.buffer<1x128xf32, scratch>
  tile.wait %tx, %tw, %tb
  tile.matmul %xs, %ws, %sum : !tile.buffer<32x128xf16, scratch>, !tile.buffer<128x128xf16, scratch>, !tile.buffer<32x128xf32, acc>
  tile.map ins(%sum, %bs : !tile.buffer<32x128xf32, acc>, !tile.buffer<1x128xf32, scratch>)
           outs(%ys : !tile.buffer<32x128xf16, scratch>) {
  ^bb0(%s: f32, %bias: f32):
    %biased = arith.addf %s, %bias : f32
    %relu = arith.maximumf %biased, %zero : f32
    %h = arith.truncf %relu : f32 to f16
    tile.yield %h : f16
  }
  tile.copy %ys, %yg : !tile.buffer<32x128xf16, scratch>, !tile.buffer<32x128xf16, global>
}

// prediction = argmax(x * w + b)
tile.kernel @classify(%x: !matrix, %w: !matrix, %b: !vector, %prediction: !tile.buffer<?x1xi32, global>) grid(%i) {
  %rows = arith.constant 32 : index
  %row = arith.muli %i, %rows : index
  %xg = tile.slice %x[%row, 0] : !matrix to !tile.buffer<32x64xf16, global>
  %wg = tile.slice %w[0, 0] : !matrix to !tile.buffer<64x16xf16, global>
  %bg = tile.slice %b[0, 0] : !vector to !tile.buffer<1x16xf32, global>
  %pg = tile.slice %prediction[%row, 0] : !tile.buffer<?x1xi32, global> to !tile.buffer<32x1xi32, global>
  %xs = tile.alloc : !tile.buffer<32x64xf16, scratch>
  %ws = tile.alloc : !tile.buffer<64x16xf16, scratch>
  %bs = tile.alloc : !tile.buffer<1x16xf32, scratch>
  %sum = tile.alloc : !tile.buffer<32x16xf32, acc>
  %scores = tile.alloc : !tile.buffer<32x16xf32, scratch>
  %ps = tile.alloc : !tile.buffer<32x1xi32, scratch>
  %tx = tile.copy_async %xg, %xs : !tile.buffer<32x64xf16, global>, !tile.buffer<32x64xf16, scratch>
  %tw = tile.copy_async %wg, %ws : !tile.buffer<64x16xf16, global>, !tile.buffer<64x16xf16, scratch>
  %tb = tile.copy_async %bg, %bs : !tile.buffer<1x16xf32, global>, !tile.buffer<1x16xf32, scratch>
  tile.wait %tx, %tw, %tb
  tile.matmul %xs, %ws, %sum : !tile.buffer<32x64xf16, scratch>, !tile.buffer<64x16xf16, scratch>, !tile.buffer<32x16xf32, acc>
  tile.map ins(%sum, %bs : !tile.buffer<32x16xf32, acc>, !tile.buffer<1x16xf32, scratch>)
           outs(%scores : !tile.buffer<32x16xf32, scratch>) {
  ^bb0(%s: f32, %bias: f32):
    %score = arith.addf %s, %bias : f32
    tile.yield %score : f32
  }
  tile.reduce <argmax> %scores, %ps dims [1] : !tile.buffer<32x16xf32, scratch>, !tile.buffer<32x1xi32, scratch>
  tile.copy %ps, %pg : !tile.buffer<32x1xi32, scratch>, !tile.buffer<32x1xi32, global>
}

func.func @main(%images: !matrix {tile.name = "images", tile.input = "images.npy"},
                %w1: !matrix {tile.name = "w1", tile.input = "weights1.npy"}, %b1: !vector {tile.name = "b1", tile.input = "bias1.npy"},
                %w2: !matrix {tile.name = "w2", tile.input = "weights2.npy"}, %b2: !vector {tile.name = "b2", tile.input = "bias2.npy"},
                %w3: !matrix {tile.name = "w3", tile.input = "weights3.npy"}, %b3: !vector {tile.name = "b3", tile.input = "bias3.npy"},
                %predictions: !tile.buffer<?x1xi32, global>
                    {tile.name = "predictions", tile.output = "dim(images,0)x1xi32", tile.expect = "predictions.npy"}) {
  %rows = arith.constant 32 : index
  %count = tile.dim %images, 0 : !matrix
  %items = arith.ceildivui %count, %rows : index
  %n1 = tile.dim %w1, 1 : !matrix
  %n2 = tile.dim %w2, 1 : !matrix
  %h1 = tile.alloc(%count, %n1) : !matrix
  %h2 = tile.alloc(%count, %n2) : !matrix
  tile.launch @hidden grid(%items) args(%images, %w1, %b1, %h1) : !matrix, !matrix, !vector, !matrix
  tile.launch @hidden grid(%items) args(%h1, %w2, %b2, %h2) : !matrix, !matrix, !vector, !matrix
  tile.launch @classify grid(%items) args(%h2, %w3, %b3, %predictions) : !matrix, !matrix, !vector, !tile.buffer<?x1xi32, global>
  return
}
