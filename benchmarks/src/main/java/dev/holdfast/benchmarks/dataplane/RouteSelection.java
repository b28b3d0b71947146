// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.dataplane;

import com.sun.management.ThreadMXBean;
import io.grpc.CallOptions;
import io.grpc.InternalConfigSelector;
import io.grpc.LoadBalancer.PickDetailsConsumer;
import io.grpc.Metadata;
import io.grpc.internal.PickSubchannelArgsImpl;
import java.lang.management.ManagementFactory;

/**
 * What is done once for every call before anything else: its route is found, and the retry policy
 * that goes with it.
 */
final class RouteSelection {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final InternalConfigSelector selector;
  private final PickSubchannelArgsImpl call;
  private Object last = "";

  RouteSelection(Mesh mesh) {
    selector = mesh.selector();
    call =
        new PickSubchannelArgsImpl(
            mesh.lastMethod(), new Metadata(), CallOptions.DEFAULT, new PickDetailsConsumer() {});
  }

  /** Of one selection, on average. */
  record Cost(double nanos, double bytes) {}

  Cost measure(int times) {
    long allocated = THREADS.getCurrentThreadAllocatedBytes();
    long start = System.nanoTime();
    for (int i = 0; i < times; i++) {
      InternalConfigSelector.Result result = selector.selectConfig(call);
      if (!result.getStatus().isOk()) {
        throw new IllegalStateException("no route: " + result.getStatus());
      }
      last = result;
    }
    long nanos = System.nanoTime() - start;
    long bytes = THREADS.getCurrentThreadAllocatedBytes() - allocated;
    return new Cost((double) nanos / times, (double) bytes / times);
  }

  /** Keeps the compiler from finding out that nobody needs what is measured. */
  Object last() {
    return last;
  }
}
