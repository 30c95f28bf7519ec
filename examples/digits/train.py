#!/usr/bin/python3
"""Trains the digits network and writes what digits.mlir reads. Needed only to regenerate: Debian's python3-sklearn.

A 64-128-64-10 perceptron on the 8x8 handwritten digits that scikit-learn ships (1,797 images; UCI Optical Recognition of
Handwritten Digits). Every fifth image is held out; weights are rounded to f16. `predictions.npy` is NumPy's answer computed from the
rounded weights with activations rounded to f16 between layers, as the kernel does.
"""
import numpy as np
from sklearn.datasets import load_digits
from sklearn.neural_network import MLPClassifier


def main():
    digits = load_digits()
    images = (digits.data / 16.0).astype(np.float16)  # exact: pixel values are 0..16
    held_out = np.arange(len(images)) % 5 == 0
    network = MLPClassifier((128, 64), alpha=1e-3, max_iter=400, random_state=1)
    network.fit(images[~held_out].astype(np.float64), digits.target[~held_out])

    weights = [w.astype(np.float16) for w in network.coefs_]
    biases = [b.astype(np.float32).reshape(1, -1) for b in network.intercepts_]
    x = images[held_out]
    for layer, (w, b) in enumerate(zip(weights, biases)):
        y = x.astype(np.float32) @ w.astype(np.float32) + b
        x = np.maximum(y, 0).astype(np.float16) if layer < 2 else y
    predictions = np.argmax(x, axis=1).astype(np.int32).reshape(-1, 1)
    labels = digits.target[held_out].astype(np.int32).reshape(-1, 1)

    # The kernel sums in another order than NumPy: no image may sit so close to a tie that the order could decide.
    top = np.sort(x, axis=1)
    print(f"held out {len(x)}, correct {np.mean(predictions == labels):.4f}, smallest margin {np.min(top[:, -1] - top[:, -2]):.4f}")

    np.save("images.npy", images[held_out])
    np.save("labels.npy", labels)
    np.save("predictions.npy", predictions)
    for layer, (w, b) in enumerate(zip(weights, biases), start=1):
        np.save(f"weights{layer}.npy", w)
        np.save(f"bias{layer}.npy", b)


if __name__ == "__main__":
    main()
