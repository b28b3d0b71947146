// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.dataplane;

import dev.holdfast.benchmarks.report.Samples;
import io.grpc.CallOptions;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Calls through a whole channel to a backend on the same machine. */
final class Calls {
  private final Mesh mesh;

  Calls(Mesh mesh) {
    this.mesh = mesh;
  }

  /** How long each of some calls takes that are made one after the other, in microseconds. */
  Samples latencies(int calls) {
    double[] micros = new double[calls];
    for (int i = 0; i < calls; i++) {
      long start = System.nanoTime();
      mesh.call();
      micros[i] = (System.nanoTime() - start) / 1e3;
    }
    return new Samples(micros);
  }

  /** What a call allocates on the client's side, on average of some, in bytes. */
  double allocated(int calls) {
    mesh.call(); // whatever threads it needs are there
    long before = ServerThreads.clientBytes();
    for (int i = 0; i < calls; i++) {
      mesh.call();
    }
    return (double) (ServerThreads.clientBytes() - before) / calls;
  }

  /** How many calls are answered in a second, if so many are under way at any time. */
  double perSecond(int calls, int underWay) {
    AtomicInteger left = new AtomicInteger(calls);
    CountDownLatch done = new CountDownLatch(underWay);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    long start = System.nanoTime();
    for (int i = 0; i < underWay; i++) {
      next(left, done, failure);
    }
    try {
      done.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
    if (failure.get() != null) {
      throw new IllegalStateException("a call failed", failure.get());
    }
    return calls * 1e9 / (System.nanoTime() - start);
  }

  private void next(AtomicInteger left, CountDownLatch done, AtomicReference<Throwable> failure) {
    if (left.getAndDecrement() <= 0) {
      done.countDown();
      return;
    }
    ClientCalls.asyncUnaryCall(
        mesh.channel().newCall(mesh.lastMethod(), CallOptions.DEFAULT),
        Mesh.request(),
        new StreamObserver<>() {
          @Override
          public void onNext(byte[] answer) {}

          @Override
          public void onError(Throwable e) {
            failure.compareAndSet(null, e);
            done.countDown();
          }

          @Override
          public void onCompleted() {
            next(left, done, failure);
          }
        });
  }
}
