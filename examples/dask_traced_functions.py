"""Train one model with a traced tf.function on two Dask workers, from the state that it has here.

A fit has begun. Nobody knows which learning rate is best from here on, so each worker goes on from the same
state with another one; the better result comes back, and training ends here. Plain pickle, cloudpickle and
dill cannot send the model: the traced function and the lock stop them.

Needs: pip install graphcopy[dask,tensorflow]. Takes less than a minute.
"""

from __future__ import annotations

import os
import threading

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

from graphcopy import Shipment


class Fit:
    """A line that is fitted to points by a traced step; the step reads and writes the fit's own variables."""

    def __init__(self) -> None:
        import tensorflow as tf

        self.lock = threading.Lock()
        self.rate = 0.05
        self.slope, self.offset = tf.Variable(0.0), tf.Variable(0.0)
        x = tf.linspace(0.0, 1.0, 50)
        y = 3.0 * x + 1.0

        @tf.function
        def step(rate: tf.Tensor) -> tf.Tensor:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((self.slope * x + self.offset - y) ** 2)
            slopes = tape.gradient(loss, [self.slope, self.offset])
            self.slope.assign_sub(rate * slopes[0])
            self.offset.assign_sub(rate * slopes[1])
            return loss

        self.step = step

    def run(self, steps: int) -> float:
        """Take some steps; return the last loss."""
        import tensorflow as tf

        with self.lock:
            return [float(self.step(tf.constant(self.rate))) for _ in range(steps)][-1]


def go_on(shipment: Shipment[Fit], rate: float) -> tuple[float, Shipment[Fit]]:
    """On a worker: train with another rate, and send the result back."""
    fit = shipment.get()
    fit.rate = rate
    return fit.run(40), Shipment(fit)


def main() -> None:
    """Run the example."""
    from dask.distributed import Client, LocalCluster

    fit = Fit()
    before = fit.run(10)
    print(f"here, after 10 steps: loss {before:.4f}, traced {fit.step.experimental_get_tracing_count()} time")
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        rates = [0.01, 0.5]
        results = client.gather([client.submit(go_on, Shipment(fit), rate) for rate in rates])
    for rate, (loss, _) in zip(rates, results):
        print(f"there, 40 steps more at rate {rate}: loss {loss:.4f}")
    best = min(results, key=lambda result: result[0])[1].get()
    print(f"the best one goes on here: loss {best.run(10):.6f}; slope {float(best.slope):.2f}")
    print(f"the fit that was sent is as it was: rate {fit.rate}, loss {fit.run(1):.4f}")
    assert (best.rate, fit.rate) == (0.5, 0.05)
    assert float(best.slope) > float(fit.slope)


if __name__ == "__main__":
    main()
